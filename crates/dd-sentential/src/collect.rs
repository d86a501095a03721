//! Garbage collection: mark from the roots, clear what table and cache know of the rest, move the
//! elements together.
//!
//! It runs before an operation from outside when the number of nodes has grown by a minimum and by
//! a multiple of what survived the last time (SDD-K7). Triggers are counts, so equal runs collect
//! at equal steps.

use crate::sdd::Sdd;
use crate::store::Content;
use rustc_hash::FxHashMap;
use symbolon_dd_core::NodeId;

impl Sdd {
    /// Collects now. Only functions that a [`symbolon_dd_core::Root`] keeps alive survive.
    pub fn collect(&mut self) {
        self.forget_closures_if_short_of_memory();
        let marks = self.mark();
        // While a dead slot is no other node yet (SDD-K8).
        self.cache.retain(|id: NodeId| marks[(id.word() >> 1) as usize]);
        let Sdd { store, has_two, .. } = self;
        store.sweep(&marks, |vtree| has_two[vtree as usize]);
        self.settle_charges();
        self.collections += 1;
        let live = self.store.live();
        let mut growth = self.limits.collection_nodes.max(live / 100 * self.limits.collection_percent);
        // Near the memory limit take what is left, as long as that is worth a collection.
        let memory = self.meter.budget().memory();
        if let Some(limit) = memory.limit() {
            let spare = limit.saturating_sub(memory.charged()) / BYTES_PER_NODE;
            growth = growth.min((spare as usize).max(live / 2).max(1 << 12));
        }
        self.attention = live + growth.max(1);
    }

    /// Closures that a running saturation has found are kept alive: found again, each would take as long
    /// as the first time, and so would those that it needs. Near the memory limit they are forgotten.
    fn forget_closures_if_short_of_memory(&mut self) {
        let memory = self.meter.budget().memory();
        if memory.limit().is_some_and(|limit| memory.charged() > limit / 2) {
            self.moves.saturated = FxHashMap::default();
        }
    }

    /// By slot: whether constants, literals, roots and closures reach it.
    fn mark(&self) -> Vec<bool> {
        let mut marks = vec![false; self.store.slot_count()];
        marks[..=self.variable_count()].fill(true);
        let mut open: Vec<usize> = Vec::new();
        let mut reach = |index: usize, open: &mut Vec<usize>| {
            if !std::mem::replace(&mut marks[index], true) {
                open.push(index);
            }
        };
        for root in self.roots.nodes() {
            reach((root.word() >> 1) as usize, &mut open);
        }
        for (&(set, _), closure) in &self.moves.saturated {
            reach(set.index(), &mut open);
            reach(closure.index(), &mut open);
        }
        while let Some(index) = open.pop() {
            match self.content(index) {
                Content::Two(high, low) => {
                    reach(high.index(), &mut open);
                    reach(low.index(), &mut open);
                }
                Content::Many(elements) => {
                    for element in elements {
                        reach(element.prime.index(), &mut open);
                        reach(element.sub.index(), &mut open);
                    }
                }
            }
        }
        marks
    }
}

/// What a node takes with its elements and its share of the table, about.
const BYTES_PER_NODE: u64 = 64;
