//! Garbage collection: mark from the roots and the scratch stack, clear what the tables and the cache know of the
//! rest, sweep.
//!
//! It may run at every step of every recursion (K6), because a recursion that starts another one has put on the
//! scratch stack whatever it holds and its operands do not reach. It is due when the number of nodes has grown by a fixed
//! minimum and by a multiple of what survived the last time; near the memory limit it comes early. All triggers are
//! counts, so equal runs collect at equal steps.

use crate::bdd::Bdd;
use crate::node::{Edge, MARK, Node};
use symbolon_dd_core::NodeId;

impl Bdd {
    /// Collects now. Only functions that a [`symbolon_dd_core::Root`] keeps alive survive (K4).
    pub fn collect(&mut self) {
        self.mark();
        let Bdd { store, tables, cache, .. } = self;
        let is_live = |index: u32| index == 0 || store.node_at(index).level & MARK != 0;
        // Both go first, while dead slots can still be told (K5).
        cache.retain(|id: NodeId| is_live(id.word() >> 1));
        let mut freed = 0;
        for table in tables.iter_mut() {
            let before = table.bytes();
            table.retain(is_live);
            freed += before - table.bytes();
        }
        store.sweep();
        self.release(freed);
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
        let mut growth = self.limits.collection_nodes.max(self.limits.collection_growth * live);
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

    fn mark(&mut self) {
        let mut waiting: Vec<Edge> = self.roots.nodes().map(|id| Edge::from_word(id.word())).collect();
        waiting.extend(self.scratch.all().iter().map(|&word| Edge::from_word(word)));
        while let Some(edge) = waiting.pop() {
            let node = self.store.node_mut(edge.index() as u32);
            if edge.is_terminal() || node.level & MARK != 0 {
                continue;
            }
            node.level |= MARK;
            let Node { low, high, .. } = *node;
            waiting.push(low);
            waiting.push(high);
        }
    }
}

/// What a node takes with its share of the tables: 12 bytes, and an entry of 8 bytes at a load of a half or more.
const BYTES_PER_NODE: u64 = 28;
