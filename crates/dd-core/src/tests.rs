//! The kernel with a made-up kind of node: sequences of children behind a tag.

use crate::{Key, Kind, Limits, Manager, NodeId, NodeShape, Operation, OperationShape};
use symbolon_budget::{Budget, Interrupted, Meter};

const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 5, collection_words: 50, collection_growth: 0 };

fn manager(limits: Limits) -> (Manager, Kind, Operation) {
    let mut manager = Manager::new(Meter::new(Budget::unlimited()), limits).expect("no limit");
    let kind = manager.register_kind(NodeShape { skip: 0, stride: 1, child_mask: 1 });
    let operation = manager.register_operation(OperationShape::NODES);
    (manager, kind, operation)
}

fn make(manager: &mut Manager, kind: Kind, tag: u32, children: &[NodeId]) -> NodeId {
    let mark = manager.scratch.height();
    children.iter().for_each(|child| manager.scratch.push(child.word()));
    let id = manager.make_node(kind, tag, mark..mark + children.len()).expect("no limit");
    manager.scratch.truncate(mark);
    id
}

#[test]
fn equal_words_give_equal_nodes() {
    let (mut m, kind, _) = manager(Limits::default());
    for tag in [0, 7, 126, 127, 128, 255, u32::MAX] {
        let a = make(&mut m, kind, tag, &[NodeId::ONE, NodeId::EMPTY]);
        let b = make(&mut m, kind, tag, &[NodeId::ONE, NodeId::EMPTY]);
        let c = make(&mut m, kind, tag, &[NodeId::ONE]);
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(m.view(a).tag, tag);
        assert_eq!(m.words(a), [1, 0]);
    }
    m.validate().expect("valid");
}

#[test]
fn very_long_nodes_are_stored_and_found() {
    let (mut m, kind, _) = manager(Limits::default());
    let long = vec![NodeId::ONE; (1 << 20) + 5];
    let a = make(&mut m, kind, 3, &long);
    let b = make(&mut m, kind, 300, &long);
    assert_eq!(make(&mut m, kind, 3, &long), a);
    assert_eq!(make(&mut m, kind, 300, &long), b);
    assert_eq!(m.words(a).len(), long.len());
    assert_eq!(m.words(b).len(), long.len());
    let root = m.root(b);
    m.collect();
    assert_eq!(m.statistics().nodes, 1);
    assert_eq!(make(&mut m, kind, 300, &long), root.node());
    m.validate().expect("valid");
}

#[test]
fn a_collection_keeps_what_is_rooted_and_nothing_else() {
    let (mut m, kind, operation) = manager(TINY);
    let leaf = make(&mut m, kind, 1, &[NodeId::ONE]);
    let kept = make(&mut m, kind, 2, &[leaf, NodeId::ONE]);
    let lost = make(&mut m, kind, 3, &[leaf]);
    let on_stack = make(&mut m, kind, 4, &[leaf, leaf]);
    m.remember(Key::new(operation, 0, kept.word(), leaf.word()), on_stack.word());
    m.remember(Key::new(operation, 0, leaf.word(), lost.word()), kept.word());
    let root = m.root(kept);
    m.scratch.push(on_stack.word());

    m.collect();
    m.validate().expect("valid");
    assert_eq!(m.statistics().nodes, 3);
    assert_eq!(m.recall(Key::new(operation, 0, kept.word(), leaf.word())), Some(on_stack.word()));
    assert_eq!(m.recall(Key::new(operation, 0, leaf.word(), lost.word())), None);

    m.scratch.truncate(0);
    drop(root);
    m.collect();
    m.validate().expect("valid");
    assert_eq!(m.statistics().nodes, 0);
}

#[test]
fn a_cache_under_pressure_forgets_but_never_lies() {
    let (mut m, kind, operation) = manager(TINY);
    let nodes: Vec<NodeId> = (0..100).map(|tag| make(&mut m, kind, tag, &[NodeId::ONE])).collect();
    let mut recalled = 0;
    for (i, a) in nodes.iter().enumerate() {
        for (j, b) in nodes.iter().enumerate() {
            m.remember(Key::new(operation, i as u32, a.word(), b.word()), nodes[(i + j) % 100].word());
        }
        for (j, b) in nodes.iter().enumerate() {
            if let Some(answer) = m.recall(Key::new(operation, i as u32, a.word(), b.word())) {
                assert_eq!(answer, nodes[(i + j) % 100].word());
                recalled += 1;
            }
        }
    }
    assert!(recalled > 0);
}

#[test]
fn the_memory_limit_is_met_before_it_is_crossed() {
    let budget = Budget::new(symbolon_budget::Limits { time: None, memory: Some(8 << 20) });
    let mut m = Manager::new(Meter::new(budget.clone()), Limits::default()).expect("tables fit");
    let kind = m.register_kind(NodeShape { skip: 1, stride: 1, child_mask: 1 });
    let mut made = 0_u32;
    let stopped = loop {
        let mark = m.scratch.height();
        m.scratch.push(made);
        m.scratch.push(1);
        match m.make_node(kind, 0, mark..mark + 2) {
            Ok(_) => made += 1,
            Err(why) => break why,
        }
        m.scratch.truncate(mark);
    };
    assert_eq!(stopped, Interrupted::Memory);
    assert!(made > 100_000, "{made}");
    assert!(budget.memory().peak() <= 8 << 20);
    m.scratch.truncate(0);
    m.validate().expect("an interrupted manager stays valid");
    drop(m);
    assert_eq!(budget.memory().charged(), 0);
}

#[test]
fn statistics_count_what_happened() {
    let (mut m, kind, _) = manager(TINY);
    for tag in 0..10 {
        make(&mut m, kind, tag, &[NodeId::ONE]);
        make(&mut m, kind, tag, &[NodeId::ONE]);
    }
    m.collect();
    let statistics = m.statistics();
    assert_eq!((statistics.nodes, statistics.peak_nodes, statistics.created_nodes), (0, 10, 10));
    assert_eq!(statistics.collections, 1);
}

#[test]
fn notes_are_no_part_of_identity_and_survive_collections() {
    let (mut m, kind, _) = manager(TINY);
    let a = make(&mut m, kind, 1, &[NodeId::ONE]);
    let b = make(&mut m, kind, 2, &[NodeId::ONE]);
    m.note(a);
    assert_eq!(make(&mut m, kind, 1, &[NodeId::ONE]), a);
    let roots = [m.root(a), m.root(b)];
    m.collect();
    assert_eq!(roots.iter().map(|root| m.is_noted(root.node())).collect::<Vec<_>>(), [true, false]);
    m.clear_notes();
    assert!(!m.is_noted(a));
    m.validate().expect("valid");
}

#[test]
fn answers_of_two_words_outlive_growing_tables() {
    let limits = Limits { cache_bits: 6, largest_cache_bits: 12, ..Limits::default() };
    let mut manager = Manager::new(Meter::new(Budget::unlimited()), limits).expect("no limit");
    let pair = manager.register_pair_operation();
    let key = |small: u32| Key::new(pair, small, NodeId::ONE.word(), 0);
    let mut entries = manager.statistics().cache_entries;
    let mut growths = 0;
    for small in 0..4_000 {
        manager.remember_pair(key(small), small + 1000, NodeId::ONE);
        // Before this is asked again, so that what is looked for was moved by the growing table.
        if manager.statistics().cache_entries > entries {
            entries = manager.statistics().cache_entries;
            growths += 1;
            let known =
                (small - 15..=small).filter(|&small| manager.recall_pair(key(small)).is_some()).count();
            assert!(known >= 10, "{known} of the last 16 answers are known after growing");
        }
        let answer = manager.recall_pair(key(small));
        assert_eq!(answer, Some((small + 1000, NodeId::ONE)));
    }
    assert!(growths >= 3, "the table has grown {growths} times");
    manager.validate().expect("all invariants hold");
}
