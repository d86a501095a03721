//! Where nodes lie: one vector of slots, and a set of the free ones.
//!
//! The vector grows by a quarter, so that at most a fifth of it is slack. Allocators move vectors
//! of that size by mapping their pages elsewhere, and pages of the slack are not resident; so the
//! difference alone is charged.
//!
//! What a collection did not mark is free; its marks become the set of free slots, and no slot is
//! written before it is used again. Slots are taken by their number, so that new nodes lie close
//! together. Those that a reordering frees one by one are taken first, the last one before the
//! others: they are still in the processor's cache.

use crate::node::{Edge, Node};

pub(crate) struct Store {
    /// Slot 0 is the terminal.
    nodes: Vec<Node>,
    free: SlotSet,
    /// No word of `free` before this one has a slot, but for those of `freed`.
    first_word: usize,
    /// Slots of `free` that were freed one by one.
    freed: Vec<u32>,
    live: usize,
}

/// A set of slots: a bit for each. The nodes need no bit for that, and these fit into a processor's
/// cache where nodes do not.
#[derive(Default)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// An empty set for `count` slots.
    pub(crate) fn new(slots: usize) -> SlotSet {
        SlotSet { words: vec![0; slots.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn has(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds a slot; says whether it is new.
    #[inline]
    pub(crate) fn add(&mut self, index: usize) -> bool {
        let word = &mut self.words[index / 64];
        let is_new = *word >> (index % 64) & 1 == 0;
        *word |= 1 << (index % 64);
        is_new
    }

    fn remove(&mut self, index: u32) {
        self.words[index as usize / 64] &= !(1 << (index % 64));
    }

    /// The largest that is smaller than `end`.
    #[inline]
    pub(crate) fn last_below(&self, end: usize) -> Option<usize> {
        let mut place = end / 64;
        let mut word = self.words.get(place).map_or(0, |word| word & ((1 << (end % 64)) - 1));
        while word == 0 {
            place = place.checked_sub(1)?;
            word = self.words[place];
        }
        Some(place * 64 + 63 - word.leading_zeros() as usize)
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The slots below `end` that are not in the set.
    fn complement(mut self, end: usize) -> SlotSet {
        for word in &mut self.words {
            *word = !*word;
        }
        if let Some(last) = self.words.last_mut().filter(|_| !end.is_multiple_of(64)) {
            *last &= (1 << (end % 64)) - 1;
        }
        self
    }
}

const SMALLEST_CAPACITY: usize = 1 << 10;

impl Store {
    pub(crate) fn new() -> Store {
        let mut nodes = Vec::with_capacity(SMALLEST_CAPACITY);
        // Its level lies below all others, so it is never the node to split at.
        nodes.push(Node { level: 0, low: Edge::FALSE, high: Edge::FALSE });
        Store { nodes, free: SlotSet::default(), first_word: 0, freed: Vec::new(), live: 0 }
    }

    #[inline]
    pub(crate) fn node(&self, edge: Edge) -> Node {
        self.nodes[edge.index()]
    }

    #[inline]
    pub(crate) fn node_at(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// Stored nodes, garbage included, the terminal not.
    #[inline]
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Slots in use or free, the terminal included.
    pub(crate) fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the next insertion needs a larger vector.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// Slots that can be filled before the vector has to grow.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.nodes.capacity() - 1 - self.live
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()) as u64
    }

    /// The bytes by which [`Store::grow`] would grow.
    pub(crate) fn growth_bytes(&self) -> u64 {
        (self.growth() * size_of::<Node>()) as u64
    }

    fn growth(&self) -> usize {
        self.nodes.capacity() / 4
    }

    /// Makes room. The caller has charged for it.
    pub(crate) fn grow(&mut self) {
        let more = self.nodes.capacity() + self.growth() - self.nodes.len();
        self.nodes.reserve_exact(more);
    }

    /// Fills a free slot; [`Store::is_full`] was false.
    #[inline]
    pub(crate) fn insert(&mut self, node: Node) -> u32 {
        self.live += 1;
        match self.take_free() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        }
    }

    #[inline]
    fn take_free(&mut self) -> Option<u32> {
        if let Some(index) = self.freed.pop() {
            self.free.remove(index);
            return Some(index);
        }
        while let Some(word) = self.free.words.get_mut(self.first_word) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(self.first_word as u32 * 64 + bit);
            }
            self.first_word += 1;
        }
        None
    }

    /// Frees one slot.
    pub(crate) fn remove(&mut self, index: u32) {
        let words = self.nodes.len().div_ceil(64);
        if self.free.words.len() < words {
            self.free.words.resize(words, 0);
        }
        self.free.add(index as usize);
        self.freed.push(index);
        self.live -= 1;
    }

    /// Frees every slot that is not marked. The terminal is.
    pub(crate) fn sweep(&mut self, marked: SlotSet) {
        self.live = marked.len() - 1;
        self.free = marked.complement(self.nodes.len());
        self.first_word = 0;
        self.freed.clear();
    }

    /// Whether a slot has a node.
    pub(crate) fn is_stored(&self, index: usize) -> bool {
        index < self.nodes.len() && !self.free.has(index as u32)
    }

    /// The numbers and nodes in use.
    pub(crate) fn stored(&self) -> impl Iterator<Item = (u32, Node)> + '_ {
        let slots = (0..).zip(&self.nodes).skip(1);
        slots.filter(|(index, _)| !self.free.has(*index)).map(|(index, node)| (index, *node))
    }

    /// Gives every stored node another level.
    pub(crate) fn relabel(&mut self, level: impl Fn(u32) -> u32) {
        for (index, node) in (0..).zip(&mut self.nodes).skip(1) {
            if !self.free.has(index) {
                node.level = level(node.level);
            }
        }
    }
}
