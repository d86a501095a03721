//! Explores a built-in family under a hierarchy chosen by hand, and says what it cost:
//!
//! ```text
//! cargo run --release -p symbolon-dd-hierarchy --example explore -- kanban:50 index row
//! ```
//!
//! Orders: `given`, `index` (places with equal last number in their names together), `first-index`
//! (first number), `greedy`, `greedy-reversed`, or all names with commas between them. Hierarchies:
//! `flat`, `row` (one component a block), `halves` (blocks, halved again and again); a block is
//! what has one number, or as many places as a fourth argument says.

use std::time::Instant;
use symbolon_budget::{Budget, Interrupted, Limits as Grant, Meter};
use symbolon_dd_hierarchy::{Action, Events, Hierarchy, Limits, RelationId, ShapeId, Slot};
use symbolon_model::{Change, Model, Part};
use symbolon_petri::{families, lower};

fn main() -> Result<(), Interrupted> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, family, order, hierarchy, ..] = &arguments[..] else {
        eprintln!("explore FAMILY ORDER HIERARCHY [BLOCK]");
        std::process::exit(2);
    };
    let block = arguments.get(4).and_then(|text| text.parse().ok());
    let budget = Budget::new(Grant { time: None, memory: Some(8 << 30) });
    let start = Instant::now();
    let net = families::parse(family).and_then(|(family, parameters)| family.generate(&parameters, &budget));
    let model = match net {
        Ok(net) => lower(&net),
        Err(problem) => {
            eprintln!("{problem:?}");
            std::process::exit(2);
        }
    };
    let lowered = start.elapsed();
    let blocks = blocks_of(&model, order, block);
    let work = || explore(&model, &blocks, hierarchy, &budget);
    println!("net {:.2} s, order {:.2} s", lowered.as_secs_f64(), (start.elapsed() - lowered).as_secs_f64());
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(4 << 30);
        worker.spawn_scoped(scope, work).expect("a thread").join().expect("no panic")
    })
}

fn explore(
    model: &Model,
    blocks: &[Vec<usize>],
    hierarchy: &str,
    budget: &Budget,
) -> Result<(), Interrupted> {
    let start = Instant::now();
    let mut sets = Hierarchy::new(Meter::new(budget.clone()), Limits::default())?;
    let shape = match hierarchy {
        "flat" => sets.shape(&vec![Slot::Value; model.variables.len()])?,
        "row" => {
            let slots: Result<Vec<Slot>, _> =
                blocks.iter().map(|block| component(&mut sets, block)).collect();
            sets.shape(&slots?)?
        }
        _ => match halves(&mut sets, blocks)? {
            Slot::Component(shape) => shape,
            Slot::Value => sets.shape(&[Slot::Value])?,
        },
    };
    let order: Vec<usize> = blocks.concat();
    let mut place_of = vec![0; order.len()];
    for (place, &variable) in order.iter().enumerate() {
        place_of[variable] = place as u32;
    }
    let relation = relation_of(&mut sets, model, shape, &place_of)?;
    let values: Vec<u64> = order.iter().map(|&variable| model.initial[0][variable]).collect();
    let initial = sets.singleton(shape, &values)?;
    let ready = start.elapsed().as_secs_f64();
    let reached = sets.closure(relation, initial)?;
    let root = sets.root(reached);
    let done = start.elapsed().as_secs_f64();
    let size = sets.node_count(root.node());
    let statistics = sets.statistics();
    let states = sets.count(root.node())?.expect("well defined");
    let counted = start.elapsed().as_secs_f64();
    println!(
        "split {ready:.2} s, saturation {:.2} s, count {:.2} s\n{} leaf nodes, {} set nodes, {} arcs, widest {}, {} words\n{} made, {} at peak, {} steps, {} relations, {} collections, {} MB",
        done - ready,
        counted - done,
        size.leaves,
        size.sets,
        size.arcs,
        size.widest,
        size.words,
        statistics.created_nodes,
        statistics.peak_nodes,
        statistics.steps,
        sets.relation_count(),
        statistics.collections,
        symbolon_budget::resident_bytes().unwrap_or(0) >> 20,
    );
    if states.bits() < 300 {
        let edges = sets.count_edges(relation, root.node())?.expect("well defined");
        println!("{states} states, {edges} edges");
    } else {
        println!("{} bits of states", states.bits());
    }
    Ok(())
}

fn relation_of(
    sets: &mut Hierarchy,
    model: &Model,
    shape: ShapeId,
    place_of: &[u32],
) -> Result<RelationId, Interrupted> {
    let mut events = Events::default();
    for event in &model.events {
        let mut parts = Vec::new();
        for part in &event.parts {
            let Part::Local { variable, at_least, at_most, change } = part else { continue };
            let (at_least, at_most) = (*at_least, *at_most);
            let action = match *change {
                Change::Add(delta) => Action::Shift { at_least, at_most, delta },
                Change::Set(to) => Action::Assign { at_least, at_most, to },
            };
            parts.push((place_of[variable.index()], sets.action(action)?));
        }
        events.push(parts);
    }
    sets.relation_of_events(shape, &events)
}

fn component(sets: &mut Hierarchy, block: &[usize]) -> Result<Slot, Interrupted> {
    if block.len() == 1 {
        Ok(Slot::Value)
    } else {
        Ok(Slot::Component(sets.shape(&vec![Slot::Value; block.len()])?))
    }
}

fn halves(sets: &mut Hierarchy, blocks: &[Vec<usize>]) -> Result<Slot, Interrupted> {
    if let [block] = blocks {
        return component(sets, block);
    }
    let (left, right) = blocks.split_at(blocks.len() / 2);
    let slots = [halves(sets, left)?, halves(sets, right)?];
    Ok(Slot::Component(sets.shape(&slots)?))
}

/// Variables in order, in blocks.
fn blocks_of(model: &Model, order: &str, block: Option<usize>) -> Vec<Vec<usize>> {
    let count = model.variables.len();
    let mut variables: Vec<usize> = (0..count).collect();
    let number = |variable: usize| -> u64 {
        let name = &model.variables[variable].name;
        let numbers: Vec<u64> =
            name.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        let chosen = if order == "first-index" { numbers.first() } else { numbers.last() };
        chosen.copied().unwrap_or(u64::MAX)
    };
    match order {
        "index" | "first-index" => variables.sort_by_key(|&variable| number(variable)),
        "greedy" => variables = greedy(model),
        "greedy-reversed" => {
            variables = greedy(model);
            variables.reverse();
        }
        listed if listed.contains(',') => {
            let named = |name: &str| model.variables.iter().position(|variable| variable.name == name);
            variables = listed.split(',').filter_map(named).collect();
            assert_eq!(variables.len(), count, "every place once");
        }
        _ => {}
    }
    match block {
        Some(size) => variables.chunks(size).map(<[usize]>::to_vec).collect(),
        None => variables.chunk_by(|&a, &b| number(a) == number(b)).map(<[usize]>::to_vec).collect(),
    }
}

/// Repeatedly the variable whose events are most covered by the variables taken so far.
fn greedy(model: &Model) -> Vec<usize> {
    let touched: Vec<Vec<usize>> =
        model.events.iter().map(|event| event.variables().iter().map(|v| v.index()).collect()).collect();
    let mut events_at = vec![Vec::new(); model.variables.len()];
    for (event, variables) in touched.iter().enumerate() {
        variables.iter().for_each(|&variable| events_at[variable].push(event));
    }
    let mut covered = vec![0_usize; touched.len()];
    let mut left: Vec<usize> = (0..model.variables.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let score = |variable: usize| -> f64 {
            let events = &events_at[variable];
            let sum: f64 = events.iter().map(|&e| (covered[e] + 1) as f64 / touched[e].len() as f64).sum();
            sum / events.len().max(1) as f64
        };
        let best = (0..left.len()).max_by(|&a, &b| score(left[a]).total_cmp(&score(left[b]))).unwrap_or(0);
        let variable = left.swap_remove(best);
        events_at[variable].iter().for_each(|&event| covered[event] += 1);
        order.push(variable);
    }
    order.reverse();
    order
}
