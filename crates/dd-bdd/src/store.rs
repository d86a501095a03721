//! Where nodes lie: one vector of slots, and a list of the free ones.
//!
//! The vector grows by a quarter, so that at most a fifth of it is slack. Allocators move vectors of that size by mapping
//! their pages elsewhere, and pages of the slack are not resident; so the difference alone is charged.

use crate::node::{Edge, FREE, Node};

pub(crate) struct Store {
    /// Slot 0 is the terminal.
    nodes: Vec<Node>,
    /// The first free slot; 0 if there is none.
    first_free: u32,
    live: usize,
}

const SMALLEST_CAPACITY: usize = 1 << 10;

impl Store {
    pub(crate) fn new() -> Store {
        let mut nodes = Vec::with_capacity(SMALLEST_CAPACITY);
        // Its level lies below all others, so it is never the node to split at.
        nodes.push(Node { level: 0, low: Edge::FALSE, high: Edge::FALSE });
        Store { nodes, first_free: 0, live: 0 }
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
        self.first_free == 0 && self.nodes.len() == self.nodes.capacity()
    }

    /// Slots that can be filled before the vector has to grow.
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
        if self.first_free != 0 {
            let index = self.first_free;
            let slot = &mut self.nodes[index as usize];
            self.first_free = slot.low.word();
            *slot = node;
            return index;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// Frees one slot.
    pub(crate) fn remove(&mut self, index: u32) {
        self.nodes[index as usize] =
            Node { level: FREE, low: Edge::from_word(self.first_free), high: Edge::FALSE };
        self.first_free = index;
        self.live -= 1;
    }

    /// Frees every slot that is not live. Free slots are listed by their number, so that new nodes lie close together.
    pub(crate) fn sweep(&mut self, is_live: impl Fn(u32) -> bool) {
        let mut next_free = 0;
        self.live = 0;
        for index in (1..self.nodes.len()).rev() {
            if is_live(index as u32) {
                self.live += 1;
            } else {
                self.nodes[index] = Node { level: FREE, low: Edge::from_word(next_free), high: Edge::FALSE };
                next_free = index as u32;
            }
        }
        self.first_free = next_free;
    }

    /// The numbers and nodes in use.
    pub(crate) fn stored(&self) -> impl Iterator<Item = (u32, Node)> + '_ {
        let slots = self.nodes.iter().enumerate().skip(1);
        slots.filter(|(_, node)| node.level != FREE).map(|(index, node)| (index as u32, *node))
    }

    /// Gives every stored node another level.
    pub(crate) fn relabel(&mut self, level: impl Fn(u32) -> u32) {
        for node in self.nodes.iter_mut().skip(1).filter(|node| node.level != FREE) {
            node.level = level(node.level);
        }
    }
}
