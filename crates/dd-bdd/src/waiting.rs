//! New nodes that wait to be entered into their unique tables.
//!
//! A node above a new node needs no search ([`crate::bdd::Answer`]), only an entry. To write that
//! at once would be to wait for the line it belongs in, which is mostly far away. So entries are
//! gathered, and when there are enough of them all their lines are fetched together. Until then a
//! search looks here first. None waits when an operation has ended, when a collection begins, and
//! when a table grows.

use crate::node::Edge;
use crate::store::Store;

#[derive(Debug, Default)]
pub(crate) struct Waiting {
    count: usize,
    hashes: [u32; Waiting::MOST],
    entries: [Entry; Waiting::MOST],
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) level: u32,
    pub(crate) hash: u32,
    pub(crate) index: u32,
}

impl Waiting {
    /// The most that wait: about what a processor can wait for at once.
    pub(crate) const MOST: usize = 16;

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count == Waiting::MOST
    }

    /// Adds an entry; there is room.
    #[inline]
    pub(crate) fn add(&mut self, entry: Entry) {
        self.hashes[self.count] = entry.hash;
        self.entries[self.count] = entry;
        self.count += 1;
    }

    /// The node of this level with these children, if it waits.
    #[inline]
    pub(crate) fn find(&self, store: &Store, level: u32, hash: u32, low: Edge, high: Edge) -> Option<u32> {
        // All at once, also those that are long gone: hardly ever is one of them equal.
        if !self.hashes.iter().fold(false, |is_any, &other| is_any | (other == hash)) {
            return None;
        }
        let is_it = |entry: &&Entry| {
            let node = store.node_at(entry.index);
            entry.hash == hash && node.level == level && node.low == low && node.high == high
        };
        self.entries().iter().find(is_it).map(|entry| entry.index)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries[..self.count]
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }
}
