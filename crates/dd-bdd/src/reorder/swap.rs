//! The swap of neighbouring levels.
//!
//! Say x stands right above y. A node of x without a child at y stays what it is, and so does every
//! node of y. Another node of x, in words *if x then (if y then A else B) else (if y then C else
//! D)*, becomes *if y then (if x then A else C) else (if x then B else D)*: it keeps its number, so
//! that edges to it stay valid, and gets children at x that are found or made. No duplicate can
//! arise, because the nodes of y do not depend on x. The new high edge has no sign: A is the high
//! child of an unsigned edge (BDD-K2).
//!
//! While variables move, nodes are labelled with variables rather than levels, and tables are kept
//! by variable: then a swap touches only the nodes that change, and looks at those of x. Each node
//! has a count of the edges and roots that lead to it, so that nodes of y that are not needed any
//! more go at once, and the number of nodes is the true one.

use crate::bdd::Bdd;
use crate::node::{Edge, Node};
use crate::unique::{Probe, Table, hash};
use symbolon_budget::Interrupted;

/// What exists only while variables move.
pub(super) struct Moving {
    /// By number of node.
    references: Vec<u32>,
    /// Nodes of x with a child at y.
    dependents: Vec<u32>,
    /// Nodes looked at since the budget was.
    looked_at: usize,
}

/// The budget is looked at once in this many nodes.
const NODES_PER_LOOK: usize = 1 << 14;
/// What a swap may take beyond the nodes themselves, for each node that changes: two entries, in
/// tables that grow.
const TABLE_BYTES_PER_CHANGE: u64 = 64;

impl Moving {
    pub(super) fn is_time_to_look(&mut self) -> bool {
        let is_time = self.looked_at >= NODES_PER_LOOK;
        if is_time {
            self.looked_at = 0;
        }
        is_time
    }
}

impl Bdd {
    /// Collects, forgets answers, and lets `work` move variables. Afterwards every node has the
    /// level of its variable again, also when the work was interrupted.
    pub(super) fn moving(
        &mut self,
        work: impl FnOnce(&mut Bdd, &mut Moving) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        let bytes = self.store.slot_count() as u64 * 4;
        self.meter.budget().memory().charge(bytes)?;
        self.charged += bytes;
        self.cache.clear();
        self.collect();
        let mut moving = Moving { references: self.references(), dependents: Vec::new(), looked_at: 0 };

        let variable_at = std::mem::take(&mut self.order.variable_at);
        self.store.relabel(|level| variable_at[level as usize].0 + 1);
        self.place_tables(|level| variable_at[level].index() + 1);
        self.order.variable_at = variable_at;

        let done = work(self, &mut moving);

        let level_of = std::mem::take(&mut self.order.level_of);
        self.store.relabel(|label| level_of[label as usize - 1]);
        self.place_tables(|label| level_of[label - 1] as usize);
        self.order.level_of = level_of;
        self.register.place(&self.order);
        self.survivors = self.store.live();
        self.reorderings += 1;
        self.release(bytes);
        done
    }

    /// Moves the table at each place from 1 on to another place.
    fn place_tables(&mut self, to: impl Fn(usize) -> usize) {
        let tables = std::mem::take(&mut self.tables);
        self.tables = vec![Table::default(); tables.len()];
        for (from, table) in tables.into_iter().enumerate().skip(1) {
            self.tables[to(from)] = table;
        }
    }

    fn references(&self) -> Vec<u32> {
        let mut references = vec![0_u32; self.store.slot_count()];
        for (_, node) in self.store.stored() {
            references[node.low.index()] += 1;
            references[node.high.index()] += 1;
        }
        for id in self.roots.nodes() {
            references[Edge::from_word(id.word()).index()] += 1;
        }
        for &word in self.scratch.all() {
            references[Edge::from_word(word).index()] += 1;
        }
        references
    }

    /// Exchanges what stands at level `lower` and at the level above. Nothing has changed if it is
    /// interrupted.
    pub(super) fn swap(&mut self, moving: &mut Moving, lower: u32) -> Result<(), Interrupted> {
        let x = self.order.variable_at[lower as usize + 1].0 + 1;
        let y = self.order.variable_at[lower as usize].0 + 1;
        moving.looked_at += self.tables[x as usize].len() + 8;
        moving.dependents.clear();
        if self.tables[y as usize].len() > 0 {
            let store = &self.store;
            let depends = |index: &u32| {
                let node = store.node_at(*index);
                store.node(node.low).level == y || store.node(node.high).level == y
            };
            moving.dependents.extend(self.tables[x as usize].indices(&self.lines).filter(depends));
        }

        if !moving.dependents.is_empty() {
            // Everything that can fail comes before anything changes.
            let changes = moving.dependents.len();
            while self.store.room() < 2 * changes {
                self.grow_store()?;
            }
            if !self.meter.budget().memory().has_room_for(changes as u64 * TABLE_BYTES_PER_CHANGE) {
                return Err(Interrupted::Memory);
            }
            for &index in &moving.dependents {
                let node = self.store.node_at(index);
                self.tables[x as usize].remove(&mut self.lines, hash(node.low, node.high), index);
            }
            for place in 0..changes {
                let index = moving.dependents[place];
                self.turn_over(&mut moving.references, index, x, y);
            }
        }
        self.order.swap(lower);
        Ok(())
    }

    /// Makes a node of x, which is in no table, a node of y.
    fn turn_over(&mut self, references: &mut Vec<u32>, index: u32, x: u32, y: u32) {
        let Node { low: f0, high: f1, .. } = self.store.node_at(index);
        let (f00, f01) = self.cofactors(f0, y);
        let (f10, f11) = self.cofactors(f1, y);
        let low = self.refer(references, x, f00, f10);
        let high = self.refer(references, x, f01, f11);
        debug_assert!(high.sign() == 0 && low != high, "BDD-K2");
        *self.store.node_mut(index) = Node { level: y, low, high };
        self.make_room(y);
        self.tables[y as usize].insert(&mut self.lines, hash(low, high), index);
        for child in [f0, f1] {
            let count = &mut references[child.index()];
            *count -= 1;
            if *count == 0 {
                let node = self.store.node(child);
                debug_assert_eq!(node.level, y, "what stands below y is still needed");
                self.tables[y as usize].remove(
                    &mut self.lines,
                    hash(node.low, node.high),
                    child.index() as u32,
                );
                references[node.low.index()] -= 1;
                references[node.high.index()] -= 1;
                self.store.remove(child.index() as u32);
            }
        }
    }

    /// An edge to the node of x with these children, found or made, and counted.
    fn refer(&mut self, references: &mut Vec<u32>, x: u32, low: Edge, high: Edge) -> Edge {
        if low == high {
            references[low.index()] += 1;
            return low;
        }
        let sign = high.sign();
        let (low, high) = (low.signed(sign), high.signed(sign));
        let hash = hash(low, high);
        self.make_room(x);
        let index = match self.tables[x as usize].probe(&self.lines, &self.store, hash, low, high) {
            Probe::Found(index) => index,
            Probe::Vacant(line) => {
                let index = self.store.insert(Node { level: x, low, high });
                self.tables[x as usize].fill(&mut self.lines, line, hash, index);
                references[low.index()] += 1;
                references[high.index()] += 1;
                if index as usize >= references.len() {
                    references.resize(index as usize + 1, 0);
                }
                references[index as usize] = 0;
                self.peak_nodes = self.peak_nodes.max(self.store.live());
                index
            }
        };
        references[index as usize] += 1;
        Edge::to(index).signed(sign)
    }

    /// Makes room for one more node in the table of a label. A swap cannot stop half-way; it has
    /// looked before.
    fn make_room(&mut self, label: u32) {
        let table = &mut self.tables[label as usize];
        if table.is_full() {
            let wanted = table.grown();
            while !self.lines.has_room(wanted.count, wanted.order) {
                let more = self.lines.growth_bytes();
                self.meter.budget().memory().charge_anyway(more);
                self.charged += more;
                self.peak_bytes = self.peak_bytes.max(self.charged);
                self.lines.grow();
            }
            table.grow(&mut self.lines);
        }
    }
}
