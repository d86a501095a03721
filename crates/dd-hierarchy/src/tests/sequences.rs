//! Data decision diagrams: variables that repeat, lengths that vary, ⊤.

use super::*;

/// A sequence of assignments.
fn sequence(sets: &mut Hierarchy, assignments: &[(u32, u64)]) -> NodeId {
    assignments.iter().rev().fold(NodeId::ONE, |rest, &(variable, value)| {
        sets.prepend_assignment(variable, value, rest).expect("no limit")
    })
}

fn set_of(sets: &mut Hierarchy, sequences: &[&[(u32, u64)]]) -> NodeId {
    sequences.iter().fold(NodeId::EMPTY, |so_far, assignments| {
        let one = sequence(sets, assignments);
        sets.union(so_far, one).expect("no limit")
    })
}

const A: u32 = 0;
const B: u32 = 1;
/// A variable whose number does not fit into the tag of a node.
const C: u32 = 1000;

#[test]
fn variables_repeat_and_lengths_vary() {
    let mut sets = manager(Limits::default());
    // A vector of a's, closed by the mark 9: then b.
    let set = set_of(
        &mut sets,
        &[
            &[(A, 9), (C, 0)],
            &[(A, 1), (A, 9), (C, 1)],
            &[(A, 1), (A, 2), (A, 9), (C, 2)],
            &[(A, 2), (A, 9), (C, 1)],
        ],
    );
    assert!(sets.is_well_defined(set));
    assert_eq!(sets.count(set), Ok(Some(4_u32.into())));
    assert_eq!(read(&sets, set), Plain::from([vec![9, 0], vec![1, 9, 1], vec![1, 2, 9, 2], vec![2, 9, 1]]));
    assert!(sets.contains(set, &[1, 2, 9, 2]));
    assert!(!sets.contains(set, &[1, 2, 9]));
    valid(&mut sets);
    let tail = set_of(&mut sets, &[&[(B, 5)], &[(B, 6)]]);
    let longer = sets.concatenation(set, tail).expect("no limit");
    assert_eq!(sets.count(longer), Ok(Some(8_u32.into())));
    assert!(sets.contains(longer, &[9, 0, 6]));
    valid(&mut sets);
}

#[test]
fn what_begins_differently_has_no_union() {
    let mut sets = manager(Limits::default());
    let a = sequence(&mut sets, &[(A, 1), (B, 2)]);
    let b = sequence(&mut sets, &[(A, 1), (A, 3)]);
    let both = sets.union(a, b).expect("no limit");
    // The paper's example: a=1 followed by ⊤.
    let top = sets.undefined();
    assert_eq!(both, sets.prepend_assignment(A, 1, top).expect("no limit"));
    assert!(!sets.is_well_defined(both));
    assert_eq!(sets.count(both), Ok(None));
    assert_eq!(sets.choose(both), None);
    let weights = sets.weigh_value(1, crate::WeightId::ZERO).expect("few weights");
    assert_eq!(sets.largest(weights, both), Ok(None));
    // Another value of a is untouched by that.
    let c = sequence(&mut sets, &[(A, 2), (B, 2)]);
    let more = sets.union(both, c).expect("no limit");
    assert!(!sets.is_well_defined(more));
    let part = sets.intersection(more, c).expect("no limit");
    assert_eq!(part, c);
    assert!(sets.is_well_defined(part));
    valid(&mut sets);
}

#[test]
fn undefined_sets_follow_their_tables() {
    let mut sets = manager(Limits::default());
    let top = sets.undefined();
    let x = sequence(&mut sets, &[(A, 1)]);
    let y = sequence(&mut sets, &[(B, 1)]);
    let (zero, one) = (NodeId::EMPTY, NodeId::ONE);
    let defined_elsewhere = sets.prepend_assignment(A, 1, top).expect("no limit");
    type Row = (NodeId, NodeId, NodeId, NodeId, NodeId);
    let rows: [Row; 9] = [
        // a, b, union, intersection, difference
        (zero, top, top, zero, zero),
        (top, zero, top, zero, top),
        (top, top, top, top, top),
        (one, top, top, top, top),
        (one, x, top, zero, one),
        (x, one, top, zero, x),
        (x, y, top, zero, x),
        (x, top, top, top, top),
        (defined_elsewhere, defined_elsewhere, defined_elsewhere, defined_elsewhere, defined_elsewhere),
    ];
    for (a, b, union, intersection, difference) in rows {
        assert_eq!(sets.union(a, b), Ok(union), "{a:?} ∪ {b:?}");
        assert_eq!(sets.intersection(a, b), Ok(intersection), "{a:?} ∩ {b:?}");
        assert_eq!(sets.difference(a, b), Ok(difference), "{a:?} ∖ {b:?}");
    }
    // A component whose label is not well defined has no meaning as a label.
    assert_eq!(sets.prepend_component(defined_elsewhere, one), Ok(top));
    let label = sets.prepend_component(x, one).expect("no limit");
    assert_eq!(sets.union(label, x), Ok(top), "a component and a value");
    valid(&mut sets);
}

#[test]
fn concatenation_is_the_product() {
    use symbolon_testkit::seeds;
    for seed in seeds(30) {
        let mut random = RandomNumbers::new(seed);
        let mut sets = manager(TINY);
        let all = shapes(&mut sets);
        let (left, right) = (*random.one_of(&all), *random.one_of(&all));
        let a = random_set(&mut random, 5, 3, 8);
        let b = random_set(&mut random, 5, 3, 8);
        let node_a = build(&mut sets, left, &a);
        let node_b = build(&mut sets, right, &b);
        let product = sets.concatenation(node_a, node_b).expect("no limit");
        let expected: Plain = a.iter().flat_map(|x| b.iter().map(|y| [x.as_slice(), y].concat())).collect();
        assert_eq!(read(&sets, product), expected);
        valid(&mut sets);
    }
}
