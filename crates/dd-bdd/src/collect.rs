//! Garbage collection: mark from the roots and the scratch stack, clear what the tables and the cache know of the
//! rest, sweep.
//!
//! It may run at every step of every recursion (K6), because a recursion that starts another one has put on the
//! scratch stack whatever it holds and its operands do not reach. It is due when the number of nodes has grown by a fixed
//! minimum and by a multiple of what survived the last time; near the memory limit it comes early. All triggers are
//! counts, so equal runs collect at equal steps.

use crate::bdd::Bdd;
use crate::node::Edge;
use symbolon_dd_core::NodeId;

impl Bdd {
    /// Collects now. Only functions that a [`symbolon_dd_core::Root`] keeps alive survive (K4).
    pub fn collect(&mut self) {
        let marks = self.mark();
        // Both go first, while a dead slot is no other node yet (K5).
        self.cache.retain(|id: NodeId| marks.has(id.word() >> 1));
        let before = self.lines.bytes();
        for table in &mut self.tables {
            table.retain(&mut self.lines, |index| marks.has(index));
        }
        self.lines.trim();
        self.store.sweep(|index| marks.has(index));
        self.release(before - self.lines.bytes());
        self.collections += 1;
        self.survivors = self.store.live();
    }

    pub(crate) fn collect_and_schedule(&mut self) {
        self.collect();
        self.schedule();
    }

    /// Says when the next collection is due.
    pub(crate) fn schedule(&mut self) {
        let live = self.store.live();
        let mut growth = self.limits.collection_nodes.max(live / 100 * self.limits.collection_percent);
        // Near the memory limit take what is left, as long as that is worth a collection.
        let memory = self.meter.budget().memory();
        if let Some(limit) = memory.limit() {
            let spare =
                limit.saturating_sub(memory.charged()) / BYTES_PER_NODE + self.store.room() as u64 / 2;
            growth = growth.min((spare as usize).max(live / 2).max(1 << 12));
        }
        self.attention = live + growth.max(1);
        if self.may_reorder {
            self.attention = self.attention.min(self.attention_to_reorder());
        }
    }

    /// Stored nodes at which it is worth finding out whether the live ones have reached the threshold of reordering.
    pub(crate) fn attention_to_reorder(&self) -> usize {
        self.reordering_threshold.max(self.survivors + self.survivors / 2 + 1)
    }

    fn mark(&self) -> Marks {
        let mut marks = Marks::new(self.store.slot_count());
        let mut waiting: Vec<Edge> = Vec::new();
        let roots = self.roots.nodes().map(|id| id.word()).chain(self.scratch.all().iter().copied());
        waiting.extend(roots.map(Edge::from_word).filter(|edge| marks.set(edge.index())));
        // Several at a time, so that the processor fetches all of them from memory at once. One after the other, each
        // would wait for the one before.
        let mut together = [self.store.node(Edge::FALSE); FETCHED_TOGETHER];
        while !waiting.is_empty() {
            let rest = waiting.len().saturating_sub(FETCHED_TOGETHER);
            let count = waiting.len() - rest;
            for (node, edge) in together.iter_mut().zip(waiting.drain(rest..)) {
                *node = self.store.node(edge);
            }
            for child in together[..count].iter().flat_map(|node| [node.low, node.high]) {
                if marks.set(child.index()) {
                    waiting.push(child);
                }
            }
        }
        marks
    }
}

const FETCHED_TOGETHER: usize = 64;

/// One bit a slot. Not a bit in the node: tables and cache ask for nodes in no order, and these bits fit into a processor's
/// cache where the nodes do not.
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// The terminal alone is marked.
    fn new(slots: usize) -> Marks {
        let mut marks = Marks { words: vec![0; slots.div_ceil(64)] };
        marks.set(0);
        marks
    }

    #[inline]
    fn has(&self, index: u32) -> bool {
        self.words[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Marks a slot; says whether it was not.
    #[inline]
    fn set(&mut self, index: usize) -> bool {
        let word = &mut self.words[index / 64];
        let is_new = *word >> (index % 64) & 1 == 0;
        *word |= 1 << (index % 64);
        is_new
    }
}

/// What a node takes with its share of the tables: 12 bytes, and an entry of 8 bytes at a load of a half or more.
const BYTES_PER_NODE: u64 = 28;
