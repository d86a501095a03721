//! Philosophers, in groups of groups: as many nodes as there are doublings, and as much work.
//!
//! The contest's net: five places a philosopher (thinks, holds the left fork, holds the right fork,
//! eats, fork on the table). Philosopher i takes fork i and fork i + 1.

use super::*;
use crate::RelationId;
use num_bigint::BigUint;

const THINKS: u32 = 0;
const HAS_LEFT: u32 = 1;
const HAS_RIGHT: u32 = 2;
const EATS: u32 = 3;
const FORK: u32 = 4;

fn take() -> Action {
    Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 }
}

fn give() -> Action {
    Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 }
}

/// The events of N philosophers as a plain list.
fn events(count: u32) -> Vec<PlainEvent> {
    (0..count)
        .flat_map(|i| {
            let at = move |what: u32| 5 * i + what;
            let other = 5 * ((i + 1) % count) + FORK;
            [
                vec![(at(THINKS), take()), (at(FORK), take()), (at(HAS_LEFT), give())],
                vec![(at(THINKS), take()), (other, take()), (at(HAS_RIGHT), give())],
                vec![(at(HAS_LEFT), take()), (other, take()), (at(EATS), give())],
                vec![(at(HAS_RIGHT), take()), (at(FORK), take()), (at(EATS), give())],
                vec![(at(EATS), take()), (at(THINKS), give()), (at(FORK), give()), (other, give())],
            ]
        })
        .collect()
}

/// The shape of N philosophers, halved again and again.
fn halves(sets: &mut Hierarchy, count: u32) -> ShapeId {
    if count == 1 {
        return sets.shape(&[Slot::Value; 5]).expect("few shapes");
    }
    let left = halves(sets, count / 2);
    let right = halves(sets, count - count / 2);
    sets.shape(&[Slot::Component(left), Slot::Component(right)]).expect("few shapes")
}

fn initial(count: u32) -> Vec<u64> {
    [1, 0, 0, 0, 1].repeat(count as usize)
}

/// The same system for 2^doublings philosophers, from a template: a group of 2k is made of two
/// groups of k. Gives the initial state and the relation, in time linear in `doublings`.
fn template(sets: &mut Hierarchy, doublings: u32) -> (NodeId, RelationId) {
    let single = sets.shape(&[Slot::Value; 5]).expect("few shapes");
    let relation = |sets: &mut Hierarchy, parts: &[(u32, Action)]| {
        let parts: Vec<_> =
            parts.iter().map(|(place, action)| (*place, sets.action(action.clone()).expect("few"))).collect();
        sets.relation_of_event(single, &parts).expect("few")
    };
    // What happens within one philosopher, and the halves of what happens between two neighbours.
    let own = [
        relation(sets, &[(THINKS, take()), (HAS_LEFT, give()), (FORK, take())]),
        relation(sets, &[(HAS_RIGHT, take()), (EATS, give()), (FORK, take())]),
    ];
    let mut within = sets.sum(&own).expect("few");
    let mut last: Vec<RelationId> = vec![
        relation(sets, &[(THINKS, take()), (HAS_RIGHT, give())]),
        relation(sets, &[(HAS_LEFT, take()), (EATS, give())]),
        relation(sets, &[(THINKS, give()), (EATS, take()), (FORK, give())]),
    ];
    let mut first: Vec<RelationId> = vec![
        relation(sets, &[(FORK, take())]),
        relation(sets, &[(FORK, take())]),
        relation(sets, &[(FORK, give())]),
    ];
    let mut state = sets.singleton(single, &initial(1)).expect("no limit");
    for _ in 0..doublings {
        let id = RelationId::IDENTITY;
        let right = sets.on_component(within, id).expect("few");
        let mut parts =
            vec![sets.on_component(within, id).expect("few"), sets.after_slots(1, right).expect("few")];
        for (last, first) in last.iter().zip(&first) {
            let right = sets.on_component(*first, id).expect("few");
            parts.push(sets.on_component(*last, right).expect("few"));
        }
        within = sets.sum(&parts).expect("few");
        for last in &mut last {
            let right = sets.on_component(*last, id).expect("few");
            *last = sets.after_slots(1, right).expect("few");
        }
        for first in &mut first {
            *first = sets.on_component(*first, id).expect("few");
        }
        let right = sets.prepend_component(state, NodeId::ONE).expect("no limit");
        state = sets.prepend_component(state, right).expect("no limit");
    }
    (state, close_the_ring(sets, within, &last, &first, doublings))
}

/// Adds the three events between the last philosopher and the first fork: both in one relation at
/// the root.
fn close_the_ring(
    sets: &mut Hierarchy,
    within: RelationId,
    last: &[RelationId],
    first: &[RelationId],
    doublings: u32,
) -> RelationId {
    if doublings == 0 {
        return within;
    }
    let mut parts = vec![within];
    for (last, first) in last.iter().zip(first) {
        // `last` skips the left half, `first` skips the right one: their product acts on both.
        let (left, right) = (half_of(sets, *first, 0), half_of(sets, *last, 1));
        let right = sets.on_component(right, RelationId::IDENTITY).expect("few");
        parts.push(sets.on_component(left, right).expect("few"));
    }
    sets.sum(&parts).expect("few")
}

/// What a relation with one pair a slot does in a slot.
fn half_of(sets: &Hierarchy, relation: RelationId, slot: usize) -> RelationId {
    let (first, rest) = sets.relations.pair(relation, 0);
    if slot == 0 { RelationId(first) } else { half_of(sets, rest, slot - 1) }
}

#[test]
fn all_shapes_agree_with_the_explicit_answer() {
    let events = events(4);
    let start = Plain::from([initial(4)]);
    let expected = plain_closure(&events, &start);
    for limits in [Limits::default(), TINY] {
        let mut sets = manager(limits);
        let one = sets.shape(&[Slot::Value; 5]).expect("few shapes");
        let flat = sets.shape(&[Slot::Value; 20]).expect("few shapes");
        let row = sets.shape(&[Slot::Component(one); 4]).expect("few shapes");
        let groups = halves(&mut sets, 4);
        for shape in [flat, row, groups] {
            let list = events_of(&mut sets, &events);
            let relation = sets.relation_of_events(shape, &list).expect("few events");
            let start = build(&mut sets, shape, &start);
            let reached = sets.closure(relation, start).expect("no limit");
            assert_eq!(sets.count(reached), Ok(Some(expected.len().into())));
            assert_eq!(read(&sets, reached), expected);
            valid(&mut sets);
        }
    }
}

#[test]
fn the_template_is_the_list_of_events() {
    for doublings in 1..=4 {
        let mut sets = manager(Limits::default());
        let count = 1 << doublings;
        let (state, relation) = template(&mut sets, doublings);
        let shape = halves(&mut sets, count);
        let list = events_of(&mut sets, &events(count));
        let listed = sets.relation_of_events(shape, &list).expect("few events");
        let start = sets.singleton(shape, &initial(count)).expect("no limit");
        assert_eq!(start, state);
        let reached = sets.closure(relation, state).expect("no limit");
        assert_eq!(sets.closure(listed, start), Ok(reached));
        assert_eq!(sets.count(reached), Ok(Some(BigUint::from(3_u32).pow(count))));
        assert_eq!(sets.count_edges(relation, reached), sets.count_edges(listed, reached));
        valid(&mut sets);
    }
}

#[test]
fn nodes_grow_by_a_constant_per_doubling() {
    let mut sizes = Vec::new();
    for doublings in [4, 5, 6, 10, 11, 16, 18, 20] {
        let mut sets = manager(Limits::default());
        let (state, relation) = template(&mut sets, doublings);
        let reached = sets.closure(relation, state).expect("no limit");
        let count = sets.node_count(reached);
        let work = sets.statistics();
        println!(
            "2^{doublings}: {} nodes ({} leaf), {} made, {} steps, {} relations",
            count.nodes(),
            count.leaves,
            work.created_nodes,
            work.steps,
            sets.relation_count()
        );
        if doublings <= 16 {
            let states = sets.count(reached).expect("no limit").expect("well defined");
            assert_eq!(states, BigUint::from(3_u32).pow(1 << doublings));
        }
        // All have taken the left fork, or all the right one.
        let dead = sets.dead(relation, reached).expect("no limit");
        assert_eq!(sets.count(dead), Ok(Some(2_u32.into())), "2^{doublings}");
        sizes.push((doublings as usize, count.nodes()));
    }
    let (first, nodes) = sizes[0];
    let per_doubling = sizes[1].1 - nodes;
    assert!(per_doubling <= 8, "the trial before this kernel had 8 nodes per doubling, not {per_doubling}");
    for (doublings, found) in sizes {
        assert_eq!(found, nodes + (doublings - first) * per_doubling, "2^{doublings}");
    }
}
