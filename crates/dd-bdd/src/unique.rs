//! The unique table of one level: finds the node with given children, so that equal nodes are one
//! node (BDD-K3).
//!
//! Entries are a hash of 32 bits and the number of a node. Eight of them fill a [`Line`], which is
//! as long as a line of the processor's cache: first all hashes, then all numbers. The hash of a
//! node says in which line it belongs; if that is full, the next one with a free entry takes it. So
//! a search compares all hashes of a line at once, and ends at the first line that is not full.
//!
//! The stored hash makes a look into a foreign node rare, and growing touches no node. The hash is
//! of the children alone, not of the level: a swap of levels leaves most entries where they are.
//! The place of a line is the hash as a fraction of the table, so a table may have any length and
//! both are walked in the same order when it grows. A table doubles while it fits into one block of
//! [`Lines`]; then it has several of the largest. Growing by less kept tables fuller, and was
//! slower: lines overflow more often, and entries move more often.

use crate::lines::{EMPTY, ENTRIES, LARGEST_ORDER, Line, Lines, VACANT};
use crate::node::Edge;
use crate::store::Store;

#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The first line of each block.
    blocks: Vec<u32>,
    shape: Shape,
    /// The entries, with those that were announced and will be entered later.
    used: usize,
}

/// `count` blocks of 2^`order` lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) count: usize,
    pub(crate) order: u32,
}

impl Shape {
    fn lines(self) -> usize {
        self.count << self.order
    }

    /// Nodes that fit: at least an eighth of the entries stays free.
    fn capacity(self) -> usize {
        self.lines() * (ENTRIES - 1)
    }

    /// The next larger one: twice as large, as long as one block does.
    fn grown(self) -> Shape {
        match self {
            Shape { count: 0, .. } => Shape { count: 1, order: 0 },
            Shape { order, .. } if order < LARGEST_ORDER => Shape { count: 1, order: order + 1 },
            Shape { count, order } => Shape { count: count + count.div_ceil(2), order },
        }
    }

    /// The smallest for `count` nodes.
    fn of(nodes: usize) -> Shape {
        let mut shape = Shape::default();
        while shape.capacity() < nodes {
            shape = shape.grown();
        }
        shape
    }
}

impl Line {
    /// A byte for each entry, from the lowest: 1 if it has this hash. Vacant ones may be among
    /// them.
    #[inline]
    fn matches(&self, hash: u32) -> u64 {
        u64::from_le_bytes(self.hashes.map(|other| u8::from(other == hash)))
    }

    /// How many entries are in use.
    #[inline]
    fn len(&self) -> usize {
        self.indices.iter().map(|&index| usize::from(index != VACANT)).sum()
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.indices[ENTRIES - 1] != VACANT
    }

    /// Adds an entry; one is free.
    #[inline]
    fn add(&mut self, hash: u32, index: u32) {
        let place = self.len();
        self.hashes[place] = hash;
        self.indices[place] = index;
    }

    /// Takes an entry out; the last one moves to its place.
    fn remove(&mut self, place: usize) {
        let last = self.len() - 1;
        (self.hashes[place], self.indices[place]) = (self.hashes[last], self.indices[last]);
        (self.hashes[last], self.indices[last]) = (VACANT, VACANT);
    }

    /// The entries in use: hash and number.
    fn entries(self) -> impl Iterator<Item = (u32, u32)> {
        self.hashes.into_iter().zip(self.indices).take_while(|&(_, index)| index != VACANT)
    }
}

/// Where a search ended.
pub(crate) enum Probe {
    /// At this node.
    Found(u32),
    /// At the line of this number, where the node would belong.
    Vacant(u32),
}

impl Table {
    /// The number of nodes in the table.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// Whether the next insertion wants a larger table first.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= self.shape.capacity()
    }

    /// The blocks that [`Table::grow`] takes.
    pub(crate) fn grown(&self) -> Shape {
        self.shape.grown()
    }

    /// Which line an entry belongs in, counted in this table.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.shape.lines() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.shape.lines() { 0 } else { at + 1 }
    }

    /// The number of a line among the lines of all tables.
    #[inline]
    fn number(&self, at: usize) -> u32 {
        let order = self.shape.order;
        self.blocks[at >> order] + (at & ((1 << order) - 1)) as u32
    }

    /// The node with these children, or where to put it. The table must not be full.
    #[inline]
    pub(crate) fn probe(&self, lines: &Lines, store: &Store, hash: u32, low: Edge, high: Edge) -> Probe {
        let mut at = self.home(hash);
        loop {
            let number = self.number(at);
            let line = lines.get(number);
            let mut matches = line.matches(hash);
            while matches != 0 {
                let index = line.indices[matches.trailing_zeros() as usize / 8 % ENTRIES];
                if index != VACANT {
                    let node = store.node_at(index);
                    if node.low == low && node.high == high {
                        return Probe::Found(index);
                    }
                }
                matches &= matches - 1;
            }
            if !line.is_full() {
                return Probe::Vacant(number);
            }
            at = self.after(at);
        }
    }

    /// Adds an entry to the line that the last probe found.
    #[inline]
    pub(crate) fn fill(&mut self, lines: &mut Lines, line: u32, hash: u32, index: u32) {
        lines.get_mut(line).add(hash, index);
        self.used += 1;
    }

    /// Counts an entry that [`Table::enter`] will add. The table must not be full.
    #[inline]
    pub(crate) fn announce(&mut self) {
        self.used += 1;
    }

    /// The place of the line where a node that is not in the table belongs. One entry of the table
    /// is free.
    #[inline]
    pub(crate) fn vacant(&self, lines: &Lines, hash: u32) -> usize {
        let mut at = self.home(hash);
        while lines.get(self.number(at)).is_full() {
            at = self.after(at);
        }
        at
    }

    /// Adds an entry that was announced, of a node that is not in the table. All lines from its
    /// home to `at` are full.
    #[inline]
    pub(crate) fn enter(&self, lines: &mut Lines, mut at: usize, hash: u32, index: u32) {
        loop {
            let line = lines.get_mut(self.number(at));
            if !line.is_full() {
                return line.add(hash, index);
            }
            at = self.after(at);
        }
    }

    /// Enlarges the table. The lines must have room for what [`Table::grown`] says.
    pub(crate) fn grow(&mut self, lines: &mut Lines) {
        self.rebuild(lines, self.grown());
    }

    /// Puts all entries into a table of another shape.
    fn rebuild(&mut self, lines: &mut Lines, shape: Shape) {
        let blocks = (0..shape.count).map(|_| lines.take(shape.order)).collect();
        let before = std::mem::replace(self, Table { blocks, shape, used: 0 });
        for at in 0..before.shape.lines() {
            for (hash, index) in lines.get(before.number(at)).entries() {
                self.insert(lines, hash, index);
            }
        }
        before.blocks.into_iter().for_each(|start| lines.give_back(start, before.shape.order));
    }

    /// Adds an entry for a node that is not in the table, which is not full.
    #[inline]
    pub(crate) fn insert(&mut self, lines: &mut Lines, hash: u32, index: u32) {
        self.announce();
        self.enter(lines, self.home(hash), hash, index);
    }

    /// Takes a node out. Entries in lines behind it that were pushed away from their home move
    /// back, so that searches still end at the first line with a free entry.
    pub(crate) fn remove(&mut self, lines: &mut Lines, hash: u32, index: u32) {
        let mut hole = self.home(hash);
        let place = loop {
            let line = lines.get(self.number(hole));
            match line.indices.iter().position(|&other| other == index) {
                Some(place) => break place,
                None => debug_assert!(line.is_full(), "BDD-K3: a node is in the table of its level"),
            }
            hole = self.after(hole);
        };
        let mut is_behind = lines.get(self.number(hole)).is_full();
        lines.get_mut(self.number(hole)).remove(place);
        self.used -= 1;
        let mut at = hole;
        while is_behind {
            at = self.after(at);
            let line = *lines.get(self.number(at));
            is_behind = line.is_full();
            // What may move into the hole has its home not behind the hole, on the way to where it
            // is.
            let may_move = |&(_, (hash, _)): &(usize, (u32, u32))| {
                let home = self.home(hash);
                if hole <= at { home <= hole || at < home } else { at < home && home <= hole }
            };
            if let Some((place, (hash, index))) = line.entries().enumerate().find(may_move) {
                lines.get_mut(self.number(at)).remove(place);
                lines.get_mut(self.number(hole)).add(hash, index);
                hole = at;
            }
        }
    }

    /// Keeps the nodes that are `live`. A table that is nearly empty then becomes smaller.
    pub(crate) fn retain(&mut self, lines: &mut Lines, is_live: impl Fn(u32) -> bool) {
        let length = self.shape.lines();
        let Some(gap) = (0..length).find(|&at| !lines.get(self.number(at)).is_full()) else {
            return;
        };
        // No search goes on behind a line with a free entry. So the lines behind one can be filled
        // again in their turn: what lies on the way from an entry's home has been, and its own line
        // has room for it at the latest.
        self.used = 0;
        for at in (gap + 1..length).chain(0..gap + 1) {
            let line = lines.get_mut(self.number(at));
            let before = std::mem::replace(line, EMPTY);
            // Written in any case and counted where they stay: no branch has to be foreseen.
            let (mut at_home, mut strays, mut stray_count) = (0, [(0, 0); ENTRIES], 0);
            for (hash, index) in before.entries() {
                let (is_live, is_home) = (is_live(index), self.home(hash) == at);
                (line.hashes[at_home], line.indices[at_home]) = (hash, index);
                at_home += usize::from(is_live & is_home);
                strays[stray_count] = (hash, index);
                stray_count += usize::from(is_live & !is_home);
            }
            line.hashes[at_home..].fill(VACANT);
            line.indices[at_home..].fill(VACANT);
            self.used += at_home;
            for (hash, index) in strays[..stray_count].iter().copied() {
                self.insert(lines, hash, index);
            }
        }
        let smaller = Shape::of(self.used * 2);
        if self.used < length * ENTRIES / 8 && lines.has_room(smaller.count, smaller.order) {
            self.rebuild(lines, smaller);
        }
    }

    /// The numbers of the nodes, in the order of the table.
    pub(crate) fn indices<'a>(&'a self, lines: &'a Lines) -> impl Iterator<Item = u32> + 'a {
        (0..self.shape.lines()).flat_map(|at| lines.get(self.number(at)).entries()).map(|(_, index)| index)
    }
}

/// The hash of a node: of its children alone.
#[inline]
pub(crate) fn hash(low: Edge, high: Edge) -> u32 {
    let words = u64::from(low.word()) << 32 | u64::from(high.word());
    let product = u128::from(words ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15_u128;
    ((product >> 64) as u64 ^ product as u64).wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_shr(32) as u32
}
