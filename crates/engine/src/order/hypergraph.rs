//! A hypergraph: vertices, and weighted sets of vertices.

use super::lists::Lists;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Vertices `0..vertex_count` and distinct non-empty sets of them, called supports.
#[derive(Clone, Debug)]
pub(super) struct Hypergraph {
    /// The number of vertices.
    pub(super) vertex_count: usize,
    /// For each distinct support its vertices, ascending.
    pub(super) supports: Lists,
    /// For each distinct support how often it was added.
    pub(super) weights: Vec<u32>,
    /// For each vertex the supports it lies in, ascending.
    pub(super) supports_of: Lists,
}

impl Hypergraph {
    /// Supports and their weights.
    pub(super) fn weighted_supports(&self) -> impl Iterator<Item = (&[u32], u32)> + Clone {
        self.supports.iter().zip(self.weights.iter().copied())
    }
}

/// Collects supports and recognises equal ones.
pub(super) struct HypergraphBuilder {
    vertex_count: usize,
    supports: Lists,
    weights: Vec<u32>,
    /// The number of each support at the place that its hash gives, or behind; at most half are
    /// taken, of a power of two.
    slots: Vec<u32>,
}

/// The content of a slot that is not taken.
const FREE: u32 = u32::MAX;

impl HypergraphBuilder {
    /// No support yet, with room for about `count`.
    pub(super) fn new(vertex_count: usize, expected: usize) -> Self {
        HypergraphBuilder {
            vertex_count,
            supports: Lists::with_capacity(expected),
            weights: Vec::with_capacity(expected),
            slots: vec![FREE; (2 * expected).next_power_of_two()],
        }
    }

    /// Adds `support` (ascending, each vertex once) `weight` times; the empty one is left out.
    pub(super) fn add(&mut self, support: &[u32], weight: u32) {
        if support.is_empty() {
            return;
        }
        let slot = self.slot_of(support);
        if let Some(known) = self.weights.get_mut(self.slots[slot] as usize) {
            *known = known.saturating_add(weight);
            return;
        }
        self.slots[slot] = self.supports.len() as u32;
        self.supports.push(support);
        self.weights.push(weight);
        if 2 * self.supports.len() > self.slots.len() {
            self.slots = vec![FREE; 2 * self.slots.len()];
            for number in 0..self.supports.len() as u32 {
                let slot = self.slot_of(self.supports.get(number));
                self.slots[slot] = number;
            }
        }
    }

    /// The slot of `support`, or the free one where it belongs.
    fn slot_of(&self, support: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = FxBuildHasher.hash_one(support) as usize & mask;
        while self.slots[slot] != FREE && self.supports.get(self.slots[slot]) != support {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The hypergraph of all that was added.
    pub(super) fn build(self) -> Hypergraph {
        let supports_of = self.supports.transposed(self.vertex_count);
        Hypergraph {
            vertex_count: self.vertex_count,
            supports: self.supports,
            weights: self.weights,
            supports_of,
        }
    }
}
