//! The unique table of one level: finds the node with given children, so that equal nodes are one node (K3).
//!
//! Open addressing with linear probing over 8-byte entries (32 bits of hash, number of the node); at most three quarters
//! are in use. The stored hash makes a look into a foreign node rare, and growing touches no node. The hash is of the
//! children alone, not of the level: a swap of levels leaves most entries where they are. An entry's place is its
//! hash as a fraction of the table, so a table may have any length and both are walked in the same order when it grows.

use crate::node::Edge;
use crate::store::Store;

#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    entries: Vec<u64>,
    used: usize,
}

/// Not 0, because pages of zeros come from the system as a shared page that is first read, then copied.
const VACANT: u64 = u64::MAX;
const SMALLEST: usize = 16;

/// Where a search ended.
pub(crate) enum Probe {
    /// At this node.
    Found(u32),
    /// At this free entry, where the node would belong.
    Vacant(usize),
}

impl Table {
    /// The number of nodes in the table.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.entries.len() as u64 * 8
    }

    /// Whether the next insertion wants a larger table first.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used * 4 >= self.entries.len() * 3
    }

    /// The bytes of the table after [`Table::grow`].
    pub(crate) fn grown_bytes(&self) -> u64 {
        self.grown_length() as u64 * 8
    }

    fn grown_length(&self) -> usize {
        (self.entries.len() + self.entries.len() / 2).max(SMALLEST)
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.entries.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        if place + 1 == self.entries.len() { 0 } else { place + 1 }
    }

    /// The node with these children, or where to put it. The table must not be full.
    #[inline]
    pub(crate) fn probe(&self, store: &Store, hash: u32, low: Edge, high: Edge) -> Probe {
        let mut place = self.home(hash);
        loop {
            let entry = self.entries[place];
            if entry == VACANT {
                return Probe::Vacant(place);
            }
            if (entry >> 32) as u32 == hash {
                let node = store.node_at(entry as u32);
                if node.low == low && node.high == high {
                    return Probe::Found(entry as u32);
                }
            }
            place = self.after(place);
        }
    }

    /// Fills the free entry that the last probe found.
    #[inline]
    pub(crate) fn fill(&mut self, place: usize, hash: u32, index: u32) {
        debug_assert_eq!(self.entries[place], VACANT);
        self.entries[place] = u64::from(hash) << 32 | u64::from(index);
        self.used += 1;
    }

    /// Enlarges the table by half. The caller has charged for it.
    pub(crate) fn grow(&mut self) {
        self.rebuild(self.grown_length());
    }

    /// Puts all entries into a table of another length.
    fn rebuild(&mut self, length: usize) {
        let others = std::mem::replace(&mut self.entries, vec![VACANT; length]);
        self.used = 0;
        others.into_iter().filter(|&entry| entry != VACANT).for_each(|entry| self.put(entry));
    }

    /// Adds an entry for a node that is not in the table, which is not full.
    pub(crate) fn insert(&mut self, hash: u32, index: u32) {
        self.put(u64::from(hash) << 32 | u64::from(index));
    }

    fn put(&mut self, entry: u64) {
        let mut place = self.home((entry >> 32) as u32);
        while self.entries[place] != VACANT {
            place = self.after(place);
        }
        self.entries[place] = entry;
        self.used += 1;
    }

    /// Takes a node out. Entries behind it that were pushed away from their place move back, so that searches still
    /// end at the first free entry.
    pub(crate) fn remove(&mut self, hash: u32, index: u32) {
        let entry = u64::from(hash) << 32 | u64::from(index);
        let mut hole = self.home(hash);
        while self.entries[hole] != entry {
            debug_assert_ne!(self.entries[hole], VACANT, "K3: a node is in the table of its level");
            hole = self.after(hole);
        }
        let mut place = self.after(hole);
        while self.entries[place] != VACANT {
            // It may move into the hole if its home does not lie behind the hole, on the way to where it is.
            let home = self.home((self.entries[place] >> 32) as u32);
            let stays =
                if hole <= place { hole < home && home <= place } else { hole < home || home <= place };
            if !stays {
                self.entries[hole] = self.entries[place];
                hole = place;
            }
            place = self.after(place);
        }
        self.entries[hole] = VACANT;
        self.used -= 1;
    }

    /// Keeps the nodes that are `live`. A table that is nearly empty then becomes smaller.
    pub(crate) fn retain(&mut self, is_live: impl Fn(u32) -> bool) {
        let Some(gap) = self.entries.iter().position(|&entry| entry == VACANT) else {
            return;
        };
        // No search crosses a free entry. So each entry behind one can be put again in its turn: what lies on the way from
        // its home has been, and its own place is free at the latest.
        self.used = 0;
        for place in (gap + 1..self.entries.len()).chain(0..gap) {
            let entry = std::mem::replace(&mut self.entries[place], VACANT);
            if entry != VACANT && is_live(entry as u32) {
                self.put(entry);
            }
        }
        if self.used * 8 < self.entries.len() {
            let length = if self.used == 0 { 0 } else { (self.used * 2).max(SMALLEST) };
            self.rebuild(length);
        }
    }

    /// The numbers of the nodes, in the order of the table.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().filter(|&&entry| entry != VACANT).map(|&entry| entry as u32)
    }
}

/// The hash of a node: of its children alone.
#[inline]
pub(crate) fn hash(low: Edge, high: Edge) -> u32 {
    let words = u64::from(low.word()) << 32 | u64::from(high.word());
    let product = u128::from(words ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15_u128;
    ((product >> 64) as u64 ^ product as u64).wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_shr(32) as u32
}
