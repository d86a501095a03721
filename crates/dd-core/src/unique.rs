//! The unique table: finds the node with given words, so that equal nodes are one node (K3).
//!
//! Open addressing with linear probing over 8-byte entries (32 bits of hash, id). The stored hash
//! makes a look into a foreign node rare and lets the table grow without touching any node. The
//! index is taken from the top bits of the hash, so growing walks both tables in the same order.

use crate::node::{Header, NodeId};
use crate::store::Store;

/// Node ids by the hash of their words.
pub(crate) struct UniqueTable {
    /// By hash, at least one of them [`FREE`].
    entries: Vec<u64>,
    shift: u32,
    used: usize,
}

/// Where a search for a node ended.
pub(crate) enum Probe {
    /// The node exists.
    Found(NodeId),
    /// It does not, and would belong here.
    Vacant(Vacancy),
}

/// A free entry that fits a hash; valid until the table changes.
pub(crate) struct Vacancy {
    index: usize,
    hash: u32,
}

const SMALLEST_BITS: u32 = 10;

/// A free entry: no arena is so large that its last word could begin a node. It is not 0, because
/// pages of zeros come from the system as a shared page that is first read, then copied: two faults
/// each instead of one.
const FREE: u64 = u64::MAX;

impl UniqueTable {
    pub(crate) fn new() -> UniqueTable {
        UniqueTable::with_bits(SMALLEST_BITS)
    }

    fn with_bits(bits: u32) -> UniqueTable {
        UniqueTable { entries: vec![FREE; 1 << bits], shift: 32 - bits, used: 0 }
    }

    /// The bytes of the table.
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.len() as u64 * 8
    }

    /// Whether the next insertion wants a larger table first.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used * 4 >= self.entries.len() * 3
    }

    /// The bytes of a table that is not full with `count` nodes.
    pub(crate) fn bytes_for(&self, node_count: usize) -> u64 {
        8 << UniqueTable::bits_for(node_count)
    }

    fn bits_for(node_count: usize) -> u32 {
        (node_count / 3 * 4 + 4).next_power_of_two().ilog2().clamp(SMALLEST_BITS, 32)
    }

    /// The node with this header, tag and words, or where to insert it.
    #[inline]
    pub(crate) fn probe(&self, store: &Store, header: Header, tag: u32, words: &[u32]) -> Probe {
        let hash = hash(header, tag, words);
        let mask = self.entries.len() - 1;
        let mut index = (hash >> self.shift) as usize;
        loop {
            let entry = self.entries[index];
            if entry == FREE {
                return Probe::Vacant(Vacancy { index, hash });
            }
            if (entry >> 32) as u32 == hash {
                let id = NodeId::from_word(entry as u32);
                if store.equals(id, header, tag, words) {
                    return Probe::Found(id);
                }
            }
            index = (index + 1) & mask;
        }
    }

    /// Fills the vacancy that the last probe found.
    #[inline]
    pub(crate) fn fill(&mut self, vacancy: Vacancy, id: NodeId) {
        debug_assert_eq!(self.entries[vacancy.index], FREE);
        self.entries[vacancy.index] = u64::from(vacancy.hash) << 32 | u64::from(id.word());
        self.used += 1;
    }

    /// Doubles the table. Nodes are not looked at.
    pub(crate) fn grow(&mut self) {
        self.grow_to(32 - self.shift + 1);
    }

    /// Makes the table large enough not to be full with `count` nodes.
    pub(crate) fn grow_for(&mut self, node_count: usize) {
        self.grow_to(UniqueTable::bits_for(node_count));
    }

    fn grow_to(&mut self, bits: u32) {
        let smaller = std::mem::replace(self, UniqueTable::with_bits(bits));
        for entry in smaller.entries {
            if entry != FREE {
                self.put(entry);
            }
        }
    }

    /// Keeps the entries whose nodes `is_live`; the table never shrinks.
    pub(crate) fn retain(&mut self, is_live: impl Fn(NodeId) -> bool) {
        let kept: Vec<u64> = self
            .entries
            .iter()
            .copied()
            .filter(|&entry| entry != FREE && is_live(NodeId::from_word(entry as u32)))
            .collect();
        self.entries.fill(FREE);
        self.used = 0;
        for entry in kept {
            self.put(entry);
        }
    }

    fn put(&mut self, entry: u64) {
        let mask = self.entries.len() - 1;
        let mut index = ((entry >> 32) as u32 >> self.shift) as usize;
        while self.entries[index] != FREE {
            index = (index + 1) & mask;
        }
        self.entries[index] = entry;
        self.used += 1;
    }

    /// The number of nodes in the table.
    pub(crate) fn len(&self) -> usize {
        self.used
    }
}

/// Folds two words at a time by a wide multiplication; the upper half mixes into the lower.
#[inline]
fn hash(header: Header, tag: u32, words: &[u32]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = u64::from(header.0) << 32 | u64::from(tag) ^ 0x2545_f491;
    let (pairs, last) = words.as_chunks::<2>();
    for pair in pairs {
        state = fold(state ^ (u64::from(pair[0]) | u64::from(pair[1]) << 32), FACTOR);
    }
    if let [word] = last {
        state = fold(state ^ u64::from(*word), FACTOR);
    }
    (fold(state, 0xd6e8_feb8_6659_fd93) >> 32) as u32
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
