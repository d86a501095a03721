//! Events as local matrices against events as relations: the same states, and what each costs.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::{Budget, Meter};
use symbolon_dd_hierarchy::{
    Action, ActionId, Events, Hierarchy, Limits, LocalStates, RelationId, ShapeId, Slot, Statistics,
};

fn manager() -> Hierarchy {
    Hierarchy::new(Meter::new(Budget::unlimited()), Limits::default()).expect("no limit")
}

/// Philosophers in a ring, five places each: thinks, has the left fork, has the right fork, eats, fork on the table.
fn events(sets: &mut Hierarchy, count: u32) -> Vec<Vec<(u32, ActionId)>> {
    let mut shift = |delta: i64| {
        let at_least = u64::from(delta < 0);
        sets.action(Action::Shift { at_least, at_most: u64::MAX, delta }).expect("few actions")
    };
    let (take, give) = (shift(-1), shift(1));
    let of = |i: u32| {
        let (think, left, right, eat, fork) = (5 * i, 5 * i + 1, 5 * i + 2, 5 * i + 3, 5 * i + 4);
        let other = 5 * ((i + 1) % count) + 4;
        [
            vec![(think, take), (fork, take), (left, give)],
            vec![(think, take), (other, take), (right, give)],
            vec![(left, take), (other, take), (eat, give)],
            vec![(right, take), (fork, take), (eat, give)],
            vec![(eat, take), (think, give), (fork, give), (other, give)],
        ]
    };
    (0..count).flat_map(of).collect()
}

fn halves(sets: &mut Hierarchy, leaf: Slot, count: u32) -> Slot {
    if count == 1 {
        return leaf;
    }
    let slots = [halves(sets, leaf, count / 2), halves(sets, leaf, count - count / 2)];
    Slot::Component(sets.shape(&slots).expect("few shapes"))
}

fn shape_of(slot: Slot) -> ShapeId {
    match slot {
        Slot::Component(shape) => shape,
        Slot::Value => panic!("more than one philosopher"),
    }
}

fn by_relations(count: u32) -> (BigUint, usize, Statistics, BTreeSet<Vec<u64>>) {
    let mut sets = manager();
    let one = sets.shape(&[Slot::Value; 5]).expect("few shapes");
    let shape = shape_of(halves(&mut sets, Slot::Component(one), count));
    let mut list = Events::default();
    events(&mut sets, count).into_iter().for_each(|event| list.push(event));
    let steps = sets.relation_of_events(shape, &list).expect("no limit");
    let start = sets.singleton(shape, &[1, 0, 0, 0, 1].repeat(count as usize)).expect("no limit");
    let reached = sets.closure(steps, start).expect("no limit");
    let states = sets.count(reached).expect("no limit").expect("well defined");
    let local = if count > 4 {
        BTreeSet::new()
    } else {
        sets.states(reached)
            .flat_map(|state| state.chunks(5).map(<[u64]>::to_vec).collect::<Vec<_>>())
            .collect()
    };
    (states, sets.node_count(reached).nodes(), sets.statistics(), local)
}

fn by_matrices(count: u32, local: &BTreeSet<Vec<u64>>) -> (BigUint, usize, Statistics) {
    let mut sets = manager();
    let one = sets.shape(&[Slot::Value; 5]).expect("few shapes");
    let local = LocalStates::new(one, local.iter().cloned());
    let shape = shape_of(halves(&mut sets, Slot::Value, count));
    let mut matrices: BTreeMap<RelationId, ActionId> = BTreeMap::new();
    let mut list = Events::default();
    for event in events(&mut sets, count) {
        // What the event does in each philosopher, as a relation and then as a matrix.
        let mut inside: BTreeMap<u32, Vec<(u32, ActionId)>> = BTreeMap::new();
        for (place, action) in event {
            inside.entry(place / 5).or_default().push((place % 5, action));
        }
        let parts: Vec<(u32, ActionId)> = inside
            .into_iter()
            .map(|(philosopher, parts)| {
                let relation = sets.relation_of_event(one, &parts).expect("no limit");
                let matrix = *matrices.entry(relation).or_insert_with(|| {
                    let matrix = sets.local_matrix(relation, &local).expect("no limit");
                    sets.action(matrix).expect("few actions")
                });
                (philosopher, matrix)
            })
            .collect();
        list.push(parts);
    }
    let steps = sets.relation_of_events(shape, &list).expect("no limit");
    let first = local.number(&[1, 0, 0, 0, 1]).expect("the initial state");
    let start = sets.singleton(shape, &vec![first; count as usize]).expect("no limit");
    let reached = sets.closure(steps, start).expect("no limit");
    let states = sets.count(reached).expect("no limit").expect("well defined");
    (states, sets.node_count(reached).nodes(), sets.statistics())
}

#[test]
fn matrices_reach_what_relations_reach() {
    let (_, _, _, local) = by_relations(3);
    for count in [4, 64, 512] {
        let (states, nodes, relations, _) = by_relations(count);
        let (same, fewer, matrices) = by_matrices(count, &local);
        println!(
            "{count}: relations {nodes} nodes, {} made, {} steps; matrices {fewer} nodes, {} made, {} steps",
            relations.created_nodes, relations.steps, matrices.created_nodes, matrices.steps
        );
        assert_eq!(states, BigUint::from(3_u32).pow(count));
        assert_eq!(same, states);
        assert!(fewer < nodes, "a component is one value: {fewer} nodes, not {nodes}");
    }
}
