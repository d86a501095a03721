//! Every strategy under several orders against the explicit explorer, on random nets and models.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, assert_states};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_engine::order::Heuristic;
use symbolon_engine::{
    BinaryChild, BinaryOutline, BoxLabel, DiagramOutline, ExploreOptions, Explored, HierarchyOutline,
    OrderChoice, Outline, OutlineSlot, OutlineVtreeKind, SententialEdge, SententialOutline, StateSets,
    Strategy, WalkOptions, random_walks, trace_to,
};
use symbolon_explicit::{self as explicit, Exploration, Trace};
use symbolon_model::{Model, State};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{random_model, random_net, seeds};

fn orders() -> [OrderChoice; 5] {
    [
        OrderChoice::Auto,
        OrderChoice::AutoWith { merge: false },
        OrderChoice::Named(Heuristic::AsGiven.into()),
        OrderChoice::Merged(Heuristic::Force.into()),
        OrderChoice::Merged(Heuristic::SumOfTops.into()),
    ]
}

/// The number of states of an outline, from which pictures are made.
fn outlined(outline: &DiagramOutline, levels: usize) -> usize {
    match outline {
        DiagramOutline::Levels(outline) => outlined_by_level(outline),
        DiagramOutline::Binary(outline) => outlined_by_bit(outline, levels),
        DiagramOutline::Hierarchical(outline) => outlined_by_component(outline),
        DiagramOutline::Sentential(outline) => outlined_by_sentence(outline, levels),
    }
}

fn outlined_by_level(Outline { nodes, .. }: &Outline) -> usize {
    let mut counts = vec![0; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        counts[index] = node.edges.iter().map(|edge| edge.child.map_or(1, |child| counts[child])).sum();
    }
    counts.first().copied().unwrap_or(0)
}

/// A bit that no node on a way tests has either value.
fn outlined_by_bit(BinaryOutline { nodes, root }: &BinaryOutline, levels: usize) -> usize {
    let mut counts = vec![0; nodes.len()];
    let below = |child: BinaryChild, depth: usize, counts: &[usize]| match child {
        BinaryChild::No => 0,
        BinaryChild::Yes => 1 << (levels - depth),
        BinaryChild::Node(number) => counts[number] << (nodes[number].depth - depth),
    };
    for (index, node) in nodes.iter().enumerate().rev() {
        counts[index] = below(node.low, node.depth + 1, &counts) + below(node.high, node.depth + 1, &counts);
    }
    for (index, node) in nodes.iter().enumerate() {
        if let Some(other) = node.negates {
            assert!(other < index && nodes[other].depth == node.depth, "the first of the two is drawn");
            assert_eq!(
                counts[index] + counts[other],
                1 << (levels - node.depth),
                "a negation has what is missing"
            );
        }
    }
    below(*root, 0, &counts)
}

/// Primes exclude one another; bits of a state that neither of them depends on have either value.
fn outlined_by_sentence(
    SententialOutline { vtree, nodes, root }: &SententialOutline,
    levels: usize,
) -> usize {
    // By vtree node: the numbers of assignments of the bits of states below. Those of actions come
    // behind those of variables.
    let mut all: Vec<usize> = vec![1; vtree.len()];
    let mut found = 0;
    for (place, node) in vtree.iter().enumerate().rev() {
        all[place] = match node.kind {
            OutlineVtreeKind::Inner(left, right) => all[left] * all[right],
            OutlineVtreeKind::Leaf(Some(bit)) if !bit.is_primed && !bit.is_of_action => {
                found += 1;
                2
            }
            OutlineVtreeKind::Leaf(_) => 1,
        };
    }
    assert_eq!(found, levels, "every bit of a state has a leaf");
    let mut counts = vec![0; nodes.len()];
    let below = |edge: SententialEdge, v: usize, counts: &[usize]| match edge {
        SententialEdge::Constant(value) => {
            if value {
                all[v]
            } else {
                0
            }
        }
        SententialEdge::Literal(..) => all[v] / 2,
        SententialEdge::Node { index, is_negated } => {
            let here = all[nodes[index].vtree];
            let count = if is_negated { here - counts[index] } else { counts[index] };
            count * (all[v] / here)
        }
    };
    for (index, node) in nodes.iter().enumerate().rev() {
        let OutlineVtreeKind::Inner(left, right) = vtree[node.vtree].kind else { panic!("a node at a leaf") };
        let elements = node.elements.iter();
        counts[index] =
            elements.map(|&(prime, sub)| below(prime, left, &counts) * below(sub, right, &counts)).sum();
    }
    below(*root, 0, &counts)
}

fn outlined_by_component(HierarchyOutline { boxes }: &HierarchyOutline) -> usize {
    // For each box, the number of sequences that begin at each of its entries.
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

/// Checks one cell against the explicit exploration. Returns whether there is a deadlock.
fn check<K: Kind>(
    model: &Model,
    truth: &Exploration,
    mut explored: Explored<SetsOf<K>>,
    strategy: Strategy,
) -> bool {
    let hierarchy = explored.hierarchy.as_ref().map_or("", |hierarchy| &hierarchy.name);
    let context = format!("by {strategy:?} under {} {hierarchy}", explored.plan.name);

    let reached = explored.reached.clone();
    let sets = &mut explored.sets;
    assert_states(sets, &reached, &truth.states().collect(), || format!("states, {context}"));
    if let Some(outlines) = sets.outlines() {
        let outline = outlines.outline_of(&reached);
        assert_eq!(outlined(&outline, sets.level_count()), truth.state_count(), "outline, {context}");
    }
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
    assert_states(sets, &dead, &dead_states, || format!("dead states, {context}"));
    has_deadlock
}

/// How many random nets and models are tried: a few that take seconds, or as many as the
/// environment says.
fn how_many() -> u64 {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    wanted.map_or(40, |wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"))
}

/// Checks all cells of a model. Returns whether there is a deadlock.
fn check_all<K: Kind>(model: &Model) -> bool {
    let budget = Budget::unlimited();
    let truth = explicit::explore(model, &explicit::Options::default(), &budget).expect("small");
    let mut has_deadlock = false;
    for (turn, order) in orders().into_iter().enumerate() {
        for (number, strategy) in K::strategies(model).into_iter().enumerate() {
            let cell = turn + number;
            let options = ExploreOptions { order: order.clone(), strategy, ..ExploreOptions::default() };
            // Every other cell works with tables that are always full.
            let options = if cell % 2 == 0 { options } else { ExploreOptions { limits: TINY, ..options } };
            for variant in K::variants(cell) {
                let explored = K::explore(model, &options, variant).expect(UNLIMITED);
                has_deadlock = check::<K>(model, &truth, explored, strategy);
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

pub(crate) fn on_nets_with_their_facts<K: Kind>() {
    let budget = Budget::unlimited();
    let (mut count, mut with_deadlock, mut merged) = (0, 0, 0);
    for seed in seeds(how_many()) {
        let net = random_net(seed);
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
        let model = lower_with(&net, &analysis);
        merged += usize::from(!model.facts.exclusive.is_empty());
        with_deadlock += usize::from(check_all::<K>(&model));
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

pub(crate) fn on_models_with_several_initial_states<K: Kind>() {
    let (mut count, mut with_deadlock) = (0, 0);
    for seed in seeds(how_many()) {
        with_deadlock += usize::from(check_all::<K>(&random_model(seed)));
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
