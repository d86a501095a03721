//! Random calls on a manager with tiny tables, against plain maps: which nodes exist, what the
//! cache may answer, what a collection keeps. `validate` after each call.

use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::{Budget, Meter};
use symbolon_dd_core::{Key, Kind, Limits, Manager, NodeId, NodeShape, Operation, OperationShape, Root};
use symbolon_testkit::{RandomNumbers, seeds};

const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 6, collection_words: 40, collection_growth: 0 };

/// Tags around where they need an escape, and others.
const TAGS: [u32; 8] = [0, 1, 2, 126, 127, 128, 300, u32::MAX];

/// What a node should be: the number of its kind, its tag and its words.
type Description = (usize, u32, Vec<u32>);

/// The manager, and what it should hold.
struct World {
    manager: Manager,
    kinds: [Kind; 2],
    operations: [Operation; 2],
    numbers: RandomNumbers,
    /// Every node that exists.
    nodes: BTreeMap<NodeId, Description>,
    noted: BTreeSet<NodeId>,
    roots: Vec<Root>,
    /// By operation, small number and operands.
    answers: BTreeMap<(usize, u32, u32, u32), u32>,
    /// Questions whose answers were remembered at some time, perhaps about nodes that died since.
    asked: Vec<(usize, u32, u32, u32)>,
    recalled: u64,
}

impl World {
    fn new(seed: u64) -> World {
        let mut manager = Manager::new(Meter::new(Budget::unlimited()), TINY).expect("no limit");
        let kinds = [
            manager.register_kind(NodeShape { skip: 0, stride: 1, child_mask: 1 }),
            manager.register_kind(NodeShape { skip: 1, stride: 2, child_mask: 0b10 }),
        ];
        let operations = [
            manager.register_operation(OperationShape::NODES),
            manager.register_operation(OperationShape::UNARY),
        ];
        World {
            manager,
            kinds,
            operations,
            numbers: RandomNumbers::new(seed),
            nodes: BTreeMap::new(),
            noted: BTreeSet::new(),
            roots: Vec::new(),
            answers: BTreeMap::new(),
            asked: Vec::new(),
            recalled: 0,
        }
    }

    /// Some node that exists, or a terminal.
    fn any_node(&mut self) -> NodeId {
        let count = self.nodes.len() as u64;
        match self.numbers.below(count + 2) {
            0 => NodeId::EMPTY,
            1 => NodeId::ONE,
            number => *self.nodes.keys().nth(number as usize - 2).expect("a number below the count"),
        }
    }

    fn make(&mut self) {
        let kind = self.numbers.below(2) as usize;
        let tag = *self.numbers.one_of(&TAGS);
        let length = if self.numbers.percent(3) { 70 } else { self.numbers.between(1, 3) };
        let mut words = Vec::new();
        if kind == 1 {
            words.push(self.numbers.below(3) as u32);
        }
        for _ in 0..length {
            if kind == 1 {
                // No child, though it looks like one.
                words.push(self.numbers.below(40) as u32);
            }
            words.push(self.any_node().word());
        }
        let description = (kind, tag, words);
        let known = self.nodes.iter().find(|(_, other)| **other == description).map(|(id, _)| *id);

        let mark = self.manager.scratch.height();
        description.2.iter().for_each(|&word| self.manager.scratch.push(word));
        let range = mark..mark + description.2.len();
        assert_eq!(self.manager.find_node(self.kinds[kind], tag, range.clone()), known, "{description:?}");
        let made = self.manager.make_node(self.kinds[kind], tag, range).expect("no limit");
        self.manager.scratch.truncate(mark);
        match known {
            Some(known) => assert_eq!(made, known, "K3: {description:?}"),
            None => {
                assert!(!self.manager.is_noted(made), "a new node carries no note");
                assert_eq!(
                    self.nodes.insert(made, description),
                    None,
                    "the slot of a live node was used again"
                );
            }
        }
        if self.numbers.percent(40) {
            let root = self.manager.root(made);
            self.roots.push(root);
        }
    }

    fn call(&mut self) {
        match self.numbers.below(100) {
            0..45 => self.make(),
            45..65 => {
                let key = self.question();
                let answer = self.any_node().word();
                self.manager.remember(self.key(key), answer);
                self.answers.insert(key, answer);
                self.asked.push(key);
            }
            65..80 => {
                let mut key = self.question();
                if !self.asked.is_empty() && self.numbers.percent(80) {
                    let recent = self.numbers.below(self.asked.len().min(12) as u64) as usize;
                    key = self.asked[self.asked.len() - 1 - recent];
                    // A question that differs in little must not get the same answer.
                    match self.numbers.below(8) {
                        0 => key.0 = 1 - key.0,
                        1 => key.1 = (key.1 + 1) % 3,
                        2 => (key.2, key.3) = (key.3, key.2),
                        _ => {}
                    }
                }
                if let Some(answer) = self.manager.recall(self.key(key)) {
                    assert_eq!(Some(&answer), self.answers.get(&key), "the cache lies about {key:?}");
                    self.recalled += 1;
                }
            }
            80..88 => self.drop_roots(),
            88..91 => {
                let node = self.any_node().word();
                self.manager.scratch.push(node);
            }
            91 => self.manager.scratch.truncate(0),
            92..95 => {
                let node = self.any_node();
                self.manager.note(node);
                if !node.is_terminal() {
                    self.noted.insert(node);
                }
            }
            95 => {
                self.manager.clear_notes();
                self.noted.clear();
            }
            _ => {
                self.manager.collect();
                self.forget_the_dead();
            }
        }
    }

    fn drop_roots(&mut self) {
        if self.roots.is_empty() {
            return;
        }
        let number = self.numbers.below(self.roots.len() as u64) as usize;
        let root = self.roots.swap_remove(number);
        if self.numbers.percent(30) {
            // A clone keeps the node as well as the first owner did.
            self.roots.push(root.clone());
        }
    }

    fn question(&mut self) -> (usize, u32, u32, u32) {
        let operation = self.numbers.below(2) as usize;
        let small = self.numbers.below(3) as u32;
        let a = self.any_node().word();
        let b = if operation == 0 { self.any_node().word() } else { self.numbers.below(30) as u32 };
        (operation, small, a, b)
    }

    fn key(&self, (operation, small, a, b): (usize, u32, u32, u32)) -> Key {
        Key::new(self.operations[operation], small, a, b)
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        let (kind, _, words) = &self.nodes[&id];
        let children: Vec<u32> = match kind {
            0 => words.clone(),
            _ => words[1..].iter().skip(1).step_by(2).copied().collect(),
        };
        children.into_iter().map(NodeId::from_word).collect()
    }

    /// What a collection should have done (K4, K5).
    fn forget_the_dead(&mut self) {
        let mut waiting: Vec<NodeId> = self.roots.iter().map(Root::node).collect();
        waiting.extend(self.manager.scratch.all().iter().map(|&word| NodeId::from_word(word)));
        let mut live = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !id.is_terminal() && live.insert(id) {
                waiting.extend(self.children(id));
            }
        }
        self.nodes.retain(|id, _| live.contains(id));
        self.noted.retain(|id| live.contains(id));
        let lives =
            |word: u32| NodeId::from_word(word).is_terminal() || live.contains(&NodeId::from_word(word));
        self.answers.retain(|&(operation, _, a, b), answer| {
            lives(a) && (operation == 1 || lives(b)) && lives(*answer)
        });
    }

    fn check(&self) {
        self.manager.validate().unwrap_or_else(|violation| panic!("{violation:?}"));
        let stored: Vec<NodeId> = self.manager.stored_nodes();
        assert_eq!(stored, self.nodes.keys().copied().collect::<Vec<_>>(), "the nodes that exist");
        assert_eq!(self.manager.statistics().nodes, stored.len());
        for (&id, (_, tag, words)) in &self.nodes {
            assert_eq!((self.manager.view(id).tag, self.manager.words(id)), (*tag, words.as_slice()));
            assert_eq!(self.manager.view(id).length, words.len());
            assert_eq!(self.manager.children_of(id), self.children(id));
            assert_eq!(self.manager.is_noted(id), self.noted.contains(&id), "the note of {id:?}");
        }
    }
}

#[test]
fn random_calls_agree_with_plain_maps() {
    let (mut worlds, mut recalled, mut collections) = (0, 0, 0);
    for seed in seeds(150) {
        let mut world = World::new(seed);
        for _ in 0..400 {
            world.call();
            world.check();
        }
        worlds += 1;
        recalled += world.recalled;
        collections += world.manager.statistics().collections;
    }
    println!("{worlds} worlds, {recalled} answers recalled, {collections} collections");
    assert!(worlds == 1 || recalled > 5 * worlds && collections > 3 * worlds, "{recalled} {collections}");
}

#[test]
fn a_collection_comes_when_enough_was_made_and_not_before() {
    let mut world = World::new(1);
    let mut made = 0;
    while world.manager.statistics().collections == 0 {
        let mark = world.manager.scratch.height();
        world.manager.scratch.push(1);
        world.manager.make_node(world.kinds[0], made, mark..mark + 1).expect("no limit");
        world.manager.scratch.truncate(mark);
        made += 1;
        world.manager.collect_if_due();
        assert!(made < 1000, "a collection is overdue");
    }
    // Forty words are twenty nodes of a header and a child.
    assert_eq!(made, 20);
    assert_eq!(world.manager.statistics().nodes, 0);
}
