//! Garbage collection: mark from the roots and the scratch stack, clear what the tables and the
//! cache know of the rest, sweep.
//!
//! It may run at every step of every recursion (BDD-K6), because a recursion that starts another
//! one has put on the scratch stack whatever it holds and its operands do not reach. It is due when
//! the number of nodes has grown by a minimum and by a multiple of what survived the last time;
//! near the memory limit it comes early. What a collection drops may be computed again, so the
//! minimum doubles from one to the next until it is what the limits say: small problems stay small,
//! and large ones lose little. All triggers are counts, so equal runs collect at equal steps.

use crate::bdd::Bdd;
use crate::node::Edge;
use crate::store::SlotSet;
use symbolon_dd_core::NodeId;

impl Bdd {
    /// Collects now. Only functions that a [`symbolon_dd_core::Root`] keeps alive survive (BDD-K4).
    pub fn collect(&mut self) {
        self.settle();
        let marks = self.mark();
        // Both go first, while a dead slot is no other node yet (BDD-K5).
        self.cache.retain(|id: NodeId| marks.has(id.word() >> 1));
        let before = self.lines.bytes();
        for table in &mut self.tables {
            table.retain(&mut self.lines, |index| marks.has(index));
        }
        self.lines.trim();
        self.store.sweep(marks);
        self.release(before - self.lines.bytes());
        self.collections += 1;
        self.survivors = self.store.live();
    }

    pub(crate) fn collect_and_schedule(&mut self) {
        self.collect();
        self.least_growth = (self.least_growth * 2).min(self.limits.collection_nodes);
        self.schedule();
    }

    /// Says when the next collection is due.
    pub(crate) fn schedule(&mut self) {
        let live = self.store.live();
        let mut growth = self.least_growth.max(live / 100 * self.limits.collection_percent);
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

    /// Stored nodes at which it is worth finding out whether the live ones have reached the
    /// threshold of reordering.
    pub(crate) fn attention_to_reorder(&self) -> usize {
        self.reordering_threshold.max(self.survivors + self.survivors / 2 + 1)
    }

    /// The terminal and what roots and scratch stack reach.
    fn mark(&self) -> SlotSet {
        let mut marks = SlotSet::new(self.store.slot_count());
        marks.add(Edge::FALSE.index());
        for word in self.roots.nodes().map(|id| id.word()).chain(self.scratch.all().iter().copied()) {
            marks.add(Edge::from_word(word).index());
        }
        // From the last slot to the first: most children were made before their parents and lie
        // below them, so memory is read in one direction. Those that lie above are looked at in
        // between.
        let mut passed: Vec<u32> = Vec::new();
        let mut end = self.store.slot_count();
        while let Some(index) = marks.last_below(end) {
            passed.push(index as u32);
            while let Some(slot) = passed.pop() {
                let node = self.store.node_at(slot);
                for child in [node.low.index(), node.high.index()] {
                    if marks.add(child) && child > index {
                        passed.push(child as u32);
                    }
                }
            }
            end = index;
        }
        marks
    }
}

/// What a node takes with its share of the tables: 12 bytes, and an entry of 8 bytes at a load of a
/// half or more.
const BYTES_PER_NODE: u64 = 28;
