//! Where nodes and elements lie, and the table that finds a node by its content.
//!
//! A node is 16 bytes. Where the left child of its vtree node is a leaf, its primes are a variable
//! and its negation, so it holds its two subs itself, like a node of a binary diagram; one table
//! look-up less than with elements was 1.3 to 1.6 times faster in the trial before this kernel.
//! Any other node holds where its elements lie in the arena, sorted by prime.
//!
//! Nodes never move; a collection moves elements together.

use crate::edge::{Edge, Element};
use crate::vtree::NONE;

/// The vtree node of a slot that holds no node.
const FREE: u32 = NONE - 1;
/// The vtree node of a node that is being rewritten, and is in no table.
const REWRITTEN: u32 = NONE - 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its vtree node; a leaf for literals, none for the constants.
    pub(crate) vtree: u32,
    /// The sub where the left variable is true; or where elements begin.
    first: u32,
    /// The sub where it is false; or how many elements there are.
    second: u32,
    pub(crate) hash: u32,
}

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    /// The subs where the left variable is true and false, at a vtree node with a left leaf.
    #[inline]
    pub(crate) fn subs(self) -> (Edge, Edge) {
        (Edge::from_word(self.first), Edge::from_word(self.second))
    }

    /// Where the elements lie, at any other vtree node.
    #[inline]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.second as usize
    }
}

/// What a node consists of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    Two(Edge, Edge),
    Many(&'a [Element]),
}

impl Content<'_> {
    /// The number of elements.
    pub(crate) fn length(&self) -> usize {
        match self {
            Content::Two(..) => 2,
            Content::Many(elements) => elements.len(),
        }
    }
}

pub(crate) struct Store {
    /// Slot 0 is that of the constants, slots 1 to n are literals.
    pub(crate) nodes: Vec<Node>,
    pub(crate) elements: Vec<Element>,
    free: Vec<u32>,
    /// Numbers of nodes; 0 is vacant.
    table: Vec<u32>,
    live: usize,
    /// Elements of decision nodes, garbage included; two for a node with two subs.
    size: usize,
    literals: usize,
}

impl Store {
    pub(crate) fn new(variable_count: usize) -> Store {
        let mut nodes = vec![Node { vtree: NONE, first: 0, second: 0, hash: 0 }];
        nodes.extend((0..variable_count as u32).map(|leaf| Node {
            vtree: leaf,
            first: 0,
            second: 0,
            hash: 0,
        }));
        Store {
            nodes,
            elements: Vec::new(),
            free: Vec::new(),
            table: vec![0; 1 << 8],
            live: 0,
            size: 0,
            literals: variable_count,
        }
    }

    #[inline]
    pub(crate) fn node(&self, index: usize) -> Node {
        self.nodes[index]
    }

    /// Decision nodes, garbage included.
    #[inline]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Their elements, garbage included.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a slot holds a constant, a literal or a node.
    pub(crate) fn is_stored(&self, index: usize) -> bool {
        self.nodes.get(index).is_some_and(|node| node.vtree != FREE)
    }

    /// The numbers of all decision nodes.
    pub(crate) fn stored(&self) -> impl Iterator<Item = usize> + '_ {
        (self.literals + 1..self.nodes.len()).filter(|&index| self.nodes[index].vtree != FREE)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let words = self.nodes.capacity() * size_of::<Node>()
            + self.elements.capacity() * size_of::<Element>()
            + self.table.capacity() * 4;
        words as u64
    }

    /// The bytes by which a node with this many elements makes the store grow, if it does.
    #[inline]
    pub(crate) fn growth_for(&self, elements: usize) -> u64 {
        let is_full = self.free.is_empty() && self.nodes.len() == self.nodes.capacity()
            || self.elements.len() + elements > self.elements.capacity()
            || self.table_is_full();
        if is_full { self.growth_bytes(elements) } else { 0 }
    }

    #[inline]
    fn table_is_full(&self) -> bool {
        self.live * 4 >= self.table.len() * 3
    }

    #[cold]
    fn growth_bytes(&self, elements: usize) -> u64 {
        let mut bytes = 0;
        if self.free.is_empty() && self.nodes.len() == self.nodes.capacity() {
            bytes += more(self.nodes.len(), 1) * size_of::<Node>();
        }
        if self.elements.len() + elements > self.elements.capacity() {
            bytes += more(self.elements.len(), elements) * size_of::<Element>();
        }
        if self.table_is_full() {
            bytes += self.table.len() * 4;
        }
        bytes as u64
    }

    /// Makes room for a node. The caller has charged for it.
    #[cold]
    pub(crate) fn grow_for(&mut self, elements: usize) {
        if self.free.is_empty() && self.nodes.len() == self.nodes.capacity() {
            self.nodes.reserve_exact(more(self.nodes.len(), 1));
        }
        if self.elements.len() + elements > self.elements.capacity() {
            self.elements.reserve_exact(more(self.elements.len(), elements));
        }
        if self.table_is_full() {
            self.rebuild_table(self.table.len() * 2);
        }
    }

    fn rebuild_table(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, 0);
        for index in self.literals + 1..self.nodes.len() {
            let node = self.nodes[index];
            if node.vtree == FREE || node.vtree == REWRITTEN {
                continue;
            }
            self.enter(index as u32);
        }
    }

    /// Enters a node into the table, where it is not yet.
    fn enter(&mut self, index: u32) {
        let mask = self.table.len() - 1;
        let mut place = self.nodes[index as usize].hash as usize & mask;
        while self.table[place] != 0 {
            place = (place + 1) & mask;
        }
        self.table[place] = index;
    }

    /// Takes a node out of the table. What follows it there moves up, so that it is still found.
    fn leave(&mut self, index: u32) {
        let mask = self.table.len() - 1;
        let mut hole = self.nodes[index as usize].hash as usize & mask;
        while self.table[hole] != index {
            hole = (hole + 1) & mask;
        }
        let mut place = hole;
        loop {
            place = (place + 1) & mask;
            let next = self.table[place];
            if next == 0 {
                break;
            }
            let home = self.nodes[next as usize].hash as usize & mask;
            // Its search begins at or before the hole.
            if (place.wrapping_sub(home) & mask) >= (place.wrapping_sub(hole) & mask) {
                self.table[hole] = next;
                hole = place;
            }
        }
        self.table[hole] = 0;
    }

    /// Takes a decision node out of the table; it keeps its content until it gets another one.
    pub(crate) fn begin_rewrite(&mut self, index: u32) {
        self.leave(index);
        self.nodes[index as usize].vtree = REWRITTEN;
    }

    /// Gives a node that is being rewritten its old or new content, at a vtree node. There is room
    /// for its elements.
    pub(crate) fn end_rewrite(&mut self, index: u32, vtree: u32, content: Content<'_>, old_length: usize) {
        let node = match content {
            Content::Two(high, low) => {
                Node { vtree, first: high.word(), second: low.word(), hash: hash_two(vtree, high, low) }
            }
            Content::Many(elements) => {
                let first = self.elements.len() as u32;
                self.elements.extend_from_slice(elements);
                Node { vtree, first, second: elements.len() as u32, hash: hash_many(vtree, elements) }
            }
        };
        self.size = self.size - old_length + content.length();
        self.nodes[index as usize] = node;
        self.enter(index);
    }

    /// Gives a node back what it consisted of before it was to be rewritten.
    pub(crate) fn cancel_rewrite(&mut self, index: u32, vtree: u32) {
        self.nodes[index as usize].vtree = vtree;
        self.enter(index);
    }

    /// Frees one decision node.
    pub(crate) fn free(&mut self, index: u32, length: usize) {
        self.leave(index);
        self.nodes[index as usize].vtree = FREE;
        self.free.push(index);
        self.live -= 1;
        self.size -= length;
    }

    /// Moves elements together if most of the arena is unused.
    pub(crate) fn compact_if_sparse(&mut self, has_two: impl Fn(u32) -> bool) {
        if self.elements.len() <= 2 * self.size + (1 << 14) {
            return;
        }
        let mut elements = Vec::with_capacity(self.elements.capacity());
        for index in self.literals + 1..self.nodes.len() {
            let node = self.nodes[index];
            if node.vtree != FREE && !has_two(node.vtree) {
                self.nodes[index].first = elements.len() as u32;
                elements.extend_from_slice(&self.elements[node.range()]);
            }
        }
        self.elements = elements;
    }

    /// What a decision node consists of; `has_two` says which kind its vtree node asks for.
    #[inline]
    pub(crate) fn content(&self, index: usize, has_two: bool) -> Content<'_> {
        let node = self.nodes[index];
        if has_two {
            let (high, low) = node.subs();
            Content::Two(high, low)
        } else {
            Content::Many(&self.elements[node.range()])
        }
    }

    /// The node with two subs, or the hash and the place in the table where it belongs.
    #[inline]
    pub(crate) fn find_two(&self, vtree: u32, high: Edge, low: Edge) -> Result<u32, (u32, usize)> {
        let hash = hash_two(vtree, high, low);
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let index = self.table[place];
            if index == 0 {
                return Err((hash, place));
            }
            let node = self.nodes[index as usize];
            if node.hash == hash && node.vtree == vtree && node.subs() == (high, low) {
                return Ok(index);
            }
            place = (place + 1) & mask;
        }
    }

    /// The same for a node with elements.
    #[inline]
    pub(crate) fn find_many(&self, vtree: u32, elements: &[Element]) -> Result<u32, (u32, usize)> {
        let hash = hash_many(vtree, elements);
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let index = self.table[place];
            if index == 0 {
                return Err((hash, place));
            }
            let node = self.nodes[index as usize];
            if node.hash == hash && node.vtree == vtree && self.elements[node.range()] == *elements {
                return Ok(index);
            }
            place = (place + 1) & mask;
        }
    }

    /// Stores a node with two subs where it belongs.
    #[inline]
    pub(crate) fn insert_two(&mut self, vtree: u32, subs: (Edge, Edge), (hash, place): (u32, usize)) -> u32 {
        self.size += 2;
        self.insert(Node { vtree, first: subs.0.word(), second: subs.1.word(), hash }, place)
    }

    /// Stores a node with elements where it belongs.
    pub(crate) fn insert_many(
        &mut self,
        vtree: u32,
        elements: &[Element],
        (hash, place): (u32, usize),
    ) -> u32 {
        let first = self.elements.len() as u32;
        self.elements.extend_from_slice(elements);
        self.size += elements.len();
        self.insert(Node { vtree, first, second: elements.len() as u32, hash }, place)
    }

    #[inline]
    fn insert(&mut self, node: Node, place: usize) -> u32 {
        self.live += 1;
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.table[place] = index;
        index
    }

    /// Frees every decision node that is not marked, and moves elements together. `has_two` says of
    /// which kind the nodes of a vtree node are.
    pub(crate) fn sweep(&mut self, is_marked: &[bool], has_two: impl Fn(u32) -> bool) {
        let mut elements = Vec::new();
        let kept = |index: usize, nodes: &[Node]| is_marked[index] && nodes[index].vtree != FREE;
        let count: usize = (self.literals + 1..self.nodes.len())
            .filter(|&index| kept(index, &self.nodes) && !has_two(self.nodes[index].vtree))
            .map(|index| self.nodes[index].second as usize)
            .sum();
        elements.reserve_exact(count + count / 4);
        self.free.clear();
        self.live = 0;
        self.size = 0;
        for index in (self.literals + 1..self.nodes.len()).rev() {
            if !kept(index, &self.nodes) {
                self.nodes[index].vtree = FREE;
                self.free.push(index as u32);
                continue;
            }
            self.live += 1;
            self.size += 2;
            if !has_two(self.nodes[index].vtree) {
                self.size += self.nodes[index].second as usize - 2;
                let first = elements.len() as u32;
                elements.extend_from_slice(&self.elements[self.nodes[index].range()]);
                self.nodes[index].first = first;
            }
        }
        self.elements = elements;
        let size = (self.live * 2).next_power_of_two().max(1 << 8);
        self.table = Vec::new();
        self.rebuild_table(size);
    }
}

/// How many slots to add when `wanted` more are needed.
fn more(length: usize, wanted: usize) -> usize {
    (length / 2).max(wanted).max(1 << 8)
}

#[inline]
fn mixed(state: u64, word: u64) -> u64 {
    let product = u128::from(state.rotate_left(23) ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn hash_two(vtree: u32, high: Edge, low: Edge) -> u32 {
    let both = u64::from(high.word()) << 32 | u64::from(low.word());
    (mixed(mixed(u64::from(vtree) | 1 << 40, 0), both) >> 16) as u32
}

#[inline]
fn hash_many(vtree: u32, elements: &[Element]) -> u32 {
    let words =
        elements.iter().map(|element| u64::from(element.prime.word()) << 32 | u64::from(element.sub.word()));
    (words.fold(u64::from(vtree) | 1 << 41, mixed) >> 16) as u32
}
