//! Garbage collection: mark from the roots and the scratch stack, sweep the arena, then purge the
//! unique table and the cache.
//!
//! **When.** Too eager a collection is worse than none: answers of `fire` die at once (they were
//! united away), their cache entries go with them, and the work is done again. So the arena may
//! grow to a fixed minimum, and to eight times what survived last time, before a collection is due;
//! if one frees little, the next waits longer. Near the memory limit a collection comes early. All
//! triggers are counts, so equal runs collect at equal steps.

use crate::manager::Manager;
use crate::node::{ESCAPED_TAG, NodeId};

impl Manager {
    /// A safe point (K6): collects if enough was made since the last time. Says whether it did, for
    /// kinds that keep tables of their own beside the nodes.
    #[inline]
    pub fn collect_if_due(&mut self) -> bool {
        let is_due = self.store.live_words() >= self.watermark;
        if is_due {
            self.collect_and_schedule();
        }
        is_due
    }

    #[cold]
    fn collect_and_schedule(&mut self) {
        let before = self.store.live_words();
        self.collect();
        let live = self.store.live_words();
        let mut growth = self.limits.collection_words.max(self.limits.collection_growth * live);
        if live * 2 > before {
            // Little was garbage.
            growth *= 2;
        }
        // Near the memory limit take what is left, as long as that is worth a collection.
        if let Some(limit) = self.meter.budget().memory().limit() {
            let spent = self.meter.budget().memory().charged();
            let arena = self.store.arena_words() as u64 * 4;
            let spare = limit.saturating_sub(spent.saturating_sub(arena)) / 4;
            let room = (spare * 3 / 4).saturating_sub(live as u64) as usize;
            growth = growth.min(room.max(live / 2).max(1 << 16));
        }
        self.watermark = live + growth;
    }

    /// Collects now. Only nodes that a [`crate::Root`] or the scratch stack reaches survive (K4).
    pub fn collect(&mut self) {
        self.mark();
        let Manager { store, unique, cache, .. } = self;
        // Before the sweep a node is live if it is marked; cache and unique table go first, while
        // dead slots still have headers (K5).
        let is_live = |id: NodeId| id.is_terminal() || store.header(id).is_marked();
        cache.retain(is_live);
        unique.retain(is_live);
        store.sweep(|_| {});
        self.collections += 1;
        self.words_after_collection = self.store.live_words();
        self.release_arena();
    }

    fn mark(&mut self) {
        let mut waiting: Vec<NodeId> = self.roots.nodes().collect();
        waiting.extend(self.scratch.all().iter().map(|&word| NodeId::from_word(word)));
        while let Some(id) = waiting.pop() {
            if id.is_terminal() {
                continue;
            }
            let header = self.store.header(id);
            if header.is_marked() {
                continue;
            }
            self.store.set_header(id, header.marked());
            let shape = self.shapes[header.kind() as usize - 1];
            let skip = shape.skip as usize + usize::from(header.tag() == ESCAPED_TAG);
            for group in self.store.words(id)[skip..].chunks(shape.stride as usize) {
                for (position, &word) in group.iter().enumerate() {
                    if shape.child_mask >> position & 1 == 1 && word >= NodeId::FIRST {
                        waiting.push(NodeId::from_word(word));
                    }
                }
            }
        }
    }
}
