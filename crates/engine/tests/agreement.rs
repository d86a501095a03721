//! Every kind of state sets by every strategy under every kind of order and hierarchy against the explicit explorer,
//! on random nets and models.

#[path = "sets/listed.rs"]
mod listed;

use listed::{Listed, TINY};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_engine::hierarchy::{Item, Tree};
use symbolon_engine::order::{Blocks, Heuristic};
use symbolon_engine::{
    BddSets, BoxLabel, ExploreOptions, Explored, HierarchyChoice, HierarchySets, MddSets, OrderChoice,
    OutlineSlot, Reordering, Strategy, WalkOptions, explore, explore_binary, explore_flat, explore_hierarchy,
    random_walks, trace_to,
};
use symbolon_explicit::{self as explicit, Exploration, Trace};
use symbolon_model::{Model, State};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{RandomNumbers, random_model, random_net, seeds};

const STRATEGIES: [Strategy; 3] = [Strategy::Bfs, Strategy::Chaining, Strategy::Saturation];

fn orders() -> [OrderChoice; 5] {
    [
        OrderChoice::Auto,
        OrderChoice::AutoWith { merge: false },
        OrderChoice::Named(Heuristic::AsGiven.into()),
        OrderChoice::Merged(Heuristic::Force.into()),
        OrderChoice::Merged(Heuristic::SumOfTops.into()),
    ]
}

fn hierarchies() -> [HierarchyChoice; 6] {
    let named = ["flat", "nupn", "groups:2", "recursive:1", "indexed"];
    let mut named = named.map(|name| HierarchyChoice::Named(name.parse().expect("a hierarchy"))).into_iter();
    std::array::from_fn(|_| named.next().unwrap_or_default())
}

/// State sets whose pictures can be counted.
trait Outlined: Listed {
    /// The number of states, counted on the outline from which pictures are made.
    fn outlined(&self, set: &Self::Set) -> usize;
}

impl Outlined for MddSets {
    fn outlined(&self, set: &Self::Set) -> usize {
        let nodes = self.outline(set).nodes;
        let mut counts = vec![0; nodes.len()];
        for (index, node) in nodes.iter().enumerate().rev() {
            counts[index] = node.edges.iter().map(|edge| edge.child.map_or(1, |child| counts[child])).sum();
        }
        counts.first().copied().unwrap_or(0)
    }
}

impl Outlined for BddSets {
    fn outlined(&self, set: &Self::Set) -> usize {
        self.states_of(set).count()
    }
}

impl Outlined for HierarchySets {
    fn outlined(&self, set: &Self::Set) -> usize {
        let boxes = self.outline(set).boxes;
        // For each box, how many sequences begin at each of its entries.
        let mut entries: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
        for (index, inside) in boxes.iter().enumerate().rev() {
            let mut counts = vec![0; inside.nodes.len()];
            for (place, node) in inside.nodes.iter().enumerate().rev() {
                let arcs = node.arcs.iter().map(|arc| {
                    let label = match (&inside.slots[node.slot], arc.label) {
                        (OutlineSlot::Value(_), BoxLabel::Value(_)) => 1,
                        (OutlineSlot::Component(inner, _), BoxLabel::Entry(entry)) => entries[*inner][entry],
                        (slot, label) => panic!("{label:?} in {slot:?}"),
                    };
                    label * arc.child.map_or(1, |child| counts[child])
                });
                counts[place] = arcs.sum();
            }
            entries[index] = inside.entries.iter().map(|&entry| counts[entry]).collect();
        }
        entries[0].iter().sum()
    }
}

/// Checks one cell against the explicit exploration. Returns whether there is a deadlock.
fn check<S: Outlined>(
    model: &Model,
    truth: &Exploration,
    mut explored: Explored<S>,
    strategy: Strategy,
) -> bool {
    let hierarchy = explored.hierarchy.as_ref().map_or("", |hierarchy| &hierarchy.name);
    let context =
        format!("{} by {strategy:?} under {} {hierarchy}", explored.sets.kind(), explored.plan.name);

    assert_eq!(explored.sets.list(&explored.reached), truth.states().collect(), "states, {context}");
    assert_eq!(explored.sets.outlined(&explored.reached), truth.state_count(), "outline, {context}");
    let reached = explored.reached.clone();
    let sets = &mut explored.sets;
    assert_eq!(sets.count(&reached), Ok(truth.state_count().into()), "{context}");
    assert_eq!(sets.count_edges(&reached), Ok(Some(truth.edge_count().into())), "edges, {context}");
    assert_eq!(
        sets.analyse(&reached).expect("nothing stops it").largest,
        truth.variable_maxima(),
        "maxima, {context}"
    );
    let figures = sets.analyse(&reached).expect("nothing stops it");
    let constant: Vec<_> = model
        .variable_ids()
        .filter(|variable| figures.smallest[variable.index()] == figures.largest[variable.index()])
        .collect();
    assert_eq!(constant, truth.constant_variables(), "constant variables, {context}");
    let weights: Vec<_> = model.variable_ids().map(|variable| (variable, 1)).collect();
    assert_eq!(sets.largest(&reached, &weights), Ok(Some(truth.max_sum() as i128)), "sum, {context}");
    let ever = sets.ever_enabled(&reached).expect("nothing stops it");
    let enabled: Vec<_> = model.event_ids().filter(|event| ever[event.index()]).collect();
    assert_eq!(enabled, truth.quasi_live_events(), "quasi-live, {context}");
    if strategy == Strategy::Bfs {
        assert_eq!(explored.depth, Some(truth.depth() as u64), "depth, {context}");
    }

    let dead = sets.dead(&reached).expect("nothing stops it");
    let dead_states: BTreeSet<State> =
        truth.dead_states().iter().map(|&number| truth.state(number)).collect();
    let has_deadlock = !dead_states.is_empty();
    if has_deadlock {
        let nearest = truth.dead_states().iter().map(|&number| truth.distance(number)).min();
        for layer_steps in [u64::MAX, 0] {
            let found = trace_to(sets, model, &reached, &dead, layer_steps).expect("nothing stops it");
            let found = found.expect("a deadlock is reachable");
            let trace = Trace { initial: found.initial, events: found.events };
            let visited = explicit::replay(model, &trace).expect("the trace is a run");
            let last = visited.last().expect("a trace has a first state");
            assert!(dead_states.contains(last), "the trace ends in a deadlock, {context}");
            if found.is_shortest {
                assert_eq!(Some(trace.events.len()), nearest, "shortest, {context}");
            }
        }
    }
    assert_eq!(explored.sets.list(&dead), dead_states, "dead states, {context}");
    has_deadlock
}

/// Any tree over the variables, each a block of its own: shuffled, and grouped by chance.
fn random_tree(model: &Model, seed: u64) -> HierarchyChoice {
    fn grouped(numbers: &mut RandomNumbers, blocks: &[u32]) -> Vec<Item> {
        let mut items = Vec::new();
        let mut rest = blocks;
        while !rest.is_empty() {
            let (first, others) = rest.split_at(numbers.between(1, rest.len() as u64) as usize);
            match first {
                [block] => items.push(Item::Block(*block)),
                // All blocks in one group once more would go on for ever.
                several if several.len() == blocks.len() => {
                    items.extend(several.iter().map(|&block| Item::Block(block)));
                }
                several => items.push(Item::Group(grouped(numbers, several))),
            }
            rest = others;
        }
        items
    }
    let numbers = &mut RandomNumbers::new(seed);
    let mut order: Vec<u32> = (0..model.variables.len() as u32).collect();
    numbers.shuffle(&mut order);
    let blocks = Blocks::single(model);
    HierarchyChoice::Given { blocks, tree: Tree::new(grouped(numbers, &order)) }
}

/// How many random nets and models are tried: a few that take seconds, or as many as the environment says.
fn how_many() -> u64 {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    wanted.map_or(40, |wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"))
}

fn check_all(model: &Model, seed: u64) -> bool {
    let budget = Budget::unlimited();
    let truth = explicit::explore(model, &explicit::Options::default(), &budget).expect("small");
    let mut has_deadlock = false;
    let mut hierarchies = hierarchies().to_vec();
    hierarchies.extend((0..3).map(|number| random_tree(model, seed.wrapping_add(number))));
    for (turn, order) in orders().into_iter().enumerate() {
        for (number, strategy) in STRATEGIES.into_iter().enumerate() {
            let options = ExploreOptions { order: order.clone(), strategy, ..ExploreOptions::default() };
            let tiny = ExploreOptions { limits: TINY, ..options.clone() };
            // Every other cell of each kind works with tables that are always full.
            let (one, other) = if (turn + number) % 2 == 0 { (&options, &tiny) } else { (&tiny, &options) };
            let mdd = explore(model, one, &budget).expect("nothing stops it");
            has_deadlock = check(model, &truth, mdd, strategy);
            let ddd = explore_flat(model, other, &budget).expect("nothing stops it");
            check(model, &truth, ddd, strategy);
            let reordering = if number == 0 { Reordering::Dynamic } else { Reordering::Off };
            let bdd = explore_binary(model, one, reordering, &budget).expect("nothing stops it");
            check(model, &truth, bdd, strategy);
            // Every hierarchy meets every order and every strategy, but not all three at once.
            for hierarchy in hierarchies.iter().skip((turn + number) % 3).step_by(3) {
                let set = explore_hierarchy(model, one, hierarchy, &budget).expect("nothing stops it");
                check(model, &truth, set, strategy);
            }
        }
    }
    // Walks claim only what is true.
    let walk = WalkOptions { steps: 300, steps_per_walk: 40, seed: 1 };
    let walked = random_walks(model, walk, &budget, |_| false).expect("nothing stops it");
    let enabled: BTreeSet<_> = truth.quasi_live_events().into_iter().collect();
    for event in model.event_ids().filter(|event| walked.ever_enabled[event.index()]) {
        assert!(enabled.contains(&event), "{event:?} was never enabled");
    }
    for (met, most) in walked.largest.iter().zip(truth.variable_maxima()) {
        assert!(met <= most);
    }
    if let Some((initial, events)) = walked.dead {
        let states = explicit::replay(model, &Trace { initial, events }).expect("the walk is a run");
        let last = states.last().expect("a trace has a first state");
        assert!(!model.events.iter().any(|event| event.is_enabled(last)));
    }
    has_deadlock
}

#[test]
fn random_nets_with_their_facts() {
    let budget = Budget::unlimited();
    let (mut count, mut with_deadlock, mut merged) = (0, 0, 0);
    for seed in seeds(how_many()) {
        let net = random_net(seed);
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
        let model = lower_with(&net, &analysis);
        merged += usize::from(!model.facts.exclusive.is_empty());
        with_deadlock += usize::from(check_all(&model, seed));
        count += 1;
    }
    println!("{count} nets, {with_deadlock} with a deadlock, {merged} with merged variables");
    if count > 1 {
        assert!(
            with_deadlock * 5 >= count && (count - with_deadlock) * 5 >= count,
            "a fair share of verdicts"
        );
    }
}

#[test]
fn random_models_with_several_initial_states() {
    let (mut count, mut with_deadlock) = (0, 0);
    for seed in seeds(how_many()) {
        with_deadlock += usize::from(check_all(&random_model(seed), seed));
        count += 1;
    }
    println!("{count} models, {with_deadlock} with a deadlock");
    if count > 1 {
        assert!(
            with_deadlock * 5 >= count && (count - with_deadlock) * 5 >= count,
            "a fair share of verdicts"
        );
    }
}
