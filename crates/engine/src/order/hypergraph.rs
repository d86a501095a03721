//! A hypergraph: vertices, and weighted sets of vertices.

use super::lists::Lists;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

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
    /// The first support with each hash; further ones are chained.
    first_with_hash: FxHashMap<u64, u32>,
    next_with_hash: Vec<u32>,
}

impl HypergraphBuilder {
    /// No support yet, and about so many to come.
    pub(super) fn new(vertex_count: usize, expected: usize) -> Self {
        HypergraphBuilder {
            vertex_count,
            supports: Lists::with_capacity(expected),
            weights: Vec::with_capacity(expected),
            first_with_hash: FxHashMap::with_capacity_and_hasher(expected, FxBuildHasher),
            next_with_hash: Vec::with_capacity(expected),
        }
    }

    /// Adds `support` (ascending, each vertex once) `weight` times; the empty one is left out.
    pub(super) fn add(&mut self, support: &[u32], weight: u32) {
        if support.is_empty() {
            return;
        }
        let new = self.supports.len() as u32;
        let mut hasher = FxHasher::default();
        support.hash(&mut hasher);
        let mut last = u32::MAX;
        let mut at = *self.first_with_hash.entry(hasher.finish()).or_insert(new);
        while at < new && self.supports.get(at) != support {
            last = at;
            at = self.next_with_hash[at as usize];
        }
        if at < new {
            self.weights[at as usize] = self.weights[at as usize].saturating_add(weight);
            return;
        }
        if last < new {
            self.next_with_hash[last as usize] = new;
        }
        self.next_with_hash.push(u32::MAX);
        self.supports.push(support);
        self.weights.push(weight);
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
