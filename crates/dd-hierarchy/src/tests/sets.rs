//! Set operations.

use super::*;
use symbolon_testkit::seeds;

type PlainOperation = fn(&Plain, &Plain) -> Plain;
type Operation = fn(&mut Hierarchy, NodeId, NodeId) -> Result<NodeId, symbolon_budget::Interrupted>;

const OPERATIONS: [(&str, PlainOperation, Operation); 3] = [
    ("union", |a, b| a | b, Hierarchy::union),
    ("intersection", |a, b| a & b, Hierarchy::intersection),
    ("difference", |a, b| a - b, Hierarchy::difference),
];

#[test]
fn all_pairs_of_sets_over_a_tiny_domain() {
    let mut sets = manager(Limits::default());
    let one = sets.shape(&[Slot::Value]).expect("few shapes");
    let two = sets.shape(&[Slot::Value; 2]).expect("few shapes");
    let layouts: [&[Slot]; 4] = [
        &[Slot::Value; 3],
        &[Slot::Component(two), Slot::Value],
        &[Slot::Component(one), Slot::Component(two)],
        &[Slot::Component(one), Slot::Value, Slot::Component(one)],
    ];
    for layout in layouts {
        let shape = sets.shape(layout).expect("few shapes");
        let plain_of = |mask: u32| -> Plain {
            let states = (0..8_u64).filter(|state| mask >> state & 1 == 1);
            states.map(|state| vec![state & 1, state >> 1 & 1, state >> 2]).collect()
        };
        let nodes: Vec<NodeId> = (0..256).map(|mask| build(&mut sets, shape, &plain_of(mask))).collect();
        for (i, &a) in nodes.iter().enumerate() {
            assert_eq!(read(&sets, a), plain_of(i as u32), "{layout:?}");
            assert_eq!(sets.count(a), Ok(Some((i.count_ones()).into())));
            for (j, &b) in nodes.iter().enumerate() {
                assert_eq!(a == b, i == j, "K3: equal sets are equal nodes");
                assert_eq!(sets.union(a, b), Ok(nodes[i | j]), "{layout:?} {i} {j}");
                assert_eq!(sets.intersection(a, b), Ok(nodes[i & j]), "{layout:?} {i} {j}");
                assert_eq!(sets.difference(a, b), Ok(nodes[i & !j]), "{layout:?} {i} {j}");
            }
        }
        valid(&mut sets);
    }
}

#[test]
fn random_sets_over_all_shapes_and_table_sizes() {
    for seed in seeds(40) {
        let mut random = RandomNumbers::new(seed);
        for limits in [Limits::default(), TINY] {
            let mut sets = manager(limits);
            for shape in shapes(&mut sets) {
                let values = random.between(2, 5);
                let a = random_set(&mut random, 5, values, 40);
                let b = random_set(&mut random, 5, values, 40);
                let (node_a, node_b) = (build(&mut sets, shape, &a), build(&mut sets, shape, &b));
                let (root_a, root_b) = (sets.root(node_a), sets.root(node_b));
                for (name, plain, operation) in OPERATIONS {
                    let expected = plain(&a, &b);
                    let answer = operation(&mut sets, root_a.node(), root_b.node()).expect("no limit");
                    assert_eq!(read(&sets, answer), expected, "{name}");
                    assert_eq!(sets.count(answer), Ok(Some(expected.len().into())), "{name}");
                    assert_eq!(build(&mut sets, shape, &expected), answer, "K3: {name}");
                    valid(&mut sets);
                    let answer = sets.root(answer);
                    sets.collect();
                    valid(&mut sets);
                    assert_eq!(read(&sets, answer.node()), expected, "{name} after a collection");
                }
                for state in &a {
                    assert!(sets.contains(root_a.node(), state));
                    assert_eq!(sets.contains(root_b.node(), state), b.contains(state));
                }
                let chosen = sets.choose(root_a.node());
                assert_eq!(chosen.is_none(), a.is_empty());
                assert!(chosen.is_none_or(|state| a.contains(&state)));
            }
        }
    }
}

#[test]
fn wide_nodes_find_the_labels_they_meet() {
    // More labels than are gone through one by one; values that differ by 64 look alike to
    // signatures.
    for seed in seeds(6) {
        let mut random = RandomNumbers::new(seed);
        let mut sets = manager(Limits::default());
        let pair = sets.shape(&[Slot::Value; 2]).expect("few shapes");
        let shape = sets.shape(&[Slot::Component(pair), Slot::Component(pair)]).expect("few shapes");
        let mut draw = || -> Plain {
            let states = (0..400).map(|_| {
                let value = 64 * random.below(2) + random.below(9);
                vec![value, random.below(9), random.below(3), 64 * random.below(3)]
            });
            states.collect()
        };
        let (a, b) = (draw(), draw());
        let (node_a, node_b) = (build(&mut sets, shape, &a), build(&mut sets, shape, &b));
        assert!(sets.node_count(node_a).widest > 2 * crate::label_index::WORTHWHILE);
        for (name, plain, operation) in OPERATIONS {
            let expected = plain(&a, &b);
            let answer = operation(&mut sets, node_a, node_b).expect("no limit");
            assert_eq!(read(&sets, answer), expected, "{name}");
            assert_eq!(build(&mut sets, shape, &expected), answer, "K3: {name}");
        }
        valid(&mut sets);
    }
}

#[test]
fn weighted_sums_are_largest_where_they_are() {
    for seed in seeds(30) {
        let mut random = RandomNumbers::new(seed);
        let mut sets = manager(Limits::default());
        for shape in shapes(&mut sets) {
            let plain = random_set(&mut random, 5, 4, 20);
            let set = build(&mut sets, shape, &plain);
            let mut weights: Vec<(u32, i64)> = (0..5).map(|at| (at, random.below(7) as i64 - 3)).collect();
            weights.retain(|_| random.percent(60));
            let weigh = |state: &Vec<u64>| -> i128 {
                weights.iter().map(|&(at, weight)| i128::from(weight) * i128::from(state[at as usize])).sum()
            };
            let expected = plain.iter().map(weigh).max();
            let weights = sets.weights(shape, &weights).expect("few weights");
            assert_eq!(sets.largest(weights, set), Ok(expected));
        }
    }
}

#[test]
fn values_may_be_huge() {
    let mut sets = manager(Limits::default());
    let pair = sets.shape(&[Slot::Value; 2]).expect("few shapes");
    let shape = sets.shape(&[Slot::Component(pair), Slot::Value]).expect("few shapes");
    let huge = i64::MAX as u64;
    let plain =
        Plain::from([vec![huge, 1 << 40, 0], vec![1 << 31, (1 << 31) - 1, huge], vec![0, 1 << 40, 5]]);
    let set = build(&mut sets, shape, &plain);
    assert_eq!(read(&sets, set), plain);
    assert!(sets.contains(set, &[huge, 1 << 40, 0]));
    assert!(!sets.contains(set, &[huge, (1 << 40) + 1, 0]));
    valid(&mut sets);
    let weights = sets.weights(shape, &[(0, i64::MAX), (2, i64::MAX)]).expect("few weights");
    let expected = i128::from(i64::MAX) * i128::from(i64::MAX) + i128::from(i64::MAX) * (1 << 31);
    assert_eq!(
        sets.largest(weights, set),
        Ok(Some(expected.max(i128::from(i64::MAX) * i128::from(i64::MAX))))
    );
    assert_eq!(sets.prepend_value(huge + 1, NodeId::ONE), Err(symbolon_budget::Interrupted::Overflow));
}

#[test]
fn listings_have_every_node_once() {
    let mut sets = manager(Limits::default());
    let pair = sets.shape(&[Slot::Value; 2]).expect("few shapes");
    let shape = sets.shape(&[Slot::Component(pair), Slot::Component(pair)]).expect("few shapes");
    // The second component copies the first, which is 00 or 11.
    let plain = Plain::from([vec![0, 0, 0, 0], vec![1, 1, 1, 1]]);
    let set = build(&mut sets, shape, &plain);
    let count = sets.node_count(set);
    assert_eq!((count.leaves, count.sets, count.arcs, count.widest), (4, 3, 8, 2));
    let listing = sets.listing(set);
    assert_eq!(listing.len(), count.nodes());
    assert_eq!(listing[0].node, set);
    assert_eq!(listing[0].variable, None);
    let arcs: usize = listing.iter().map(|node| node.arcs.len()).sum();
    assert_eq!(arcs, count.arcs);
}
