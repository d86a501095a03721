//! Exact counting.
//!
//! From the lowest level up: what a node counts are the choices for the variables at its level and
//! below. A signed edge counts all choices but those; with floating numbers that difference would
//! cancel, so counting is exact or not at all.

use crate::bdd::Bdd;
use crate::node::Edge;
use crate::variables::VariableSet;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::ops::{Add, Shl, Sub};
use symbolon_dd_core::Root;

/// Up to this many variables, counts fit into a machine number.
const MACHINE_BITS: usize = 126;

impl Bdd {
    /// How many choices of values for the variables of `set` make `a` true. It depends on no
    /// others.
    pub fn count(&self, a: &Root, set: VariableSet) -> BigUint {
        let set = self.register.set_by_level(set);
        // By level: how many variables of the set stand there or below.
        let below: Vec<u64> = (0..self.order.variable_at.len() as u32)
            .scan(0, |sum, level| {
                *sum += u64::from(set.has(level));
                Some(*sum)
            })
            .collect();
        let nodes = self.nodes_below(&[Edge::of(a)]);
        assert!(
            nodes.iter().all(|&index| set.has(self.store.node_at(index).level)),
            "a function is counted over all variables that it depends on"
        );
        if set.variables().len() <= MACHINE_BITS {
            BigUint::from(self.count_with::<u128>(Edge::of(a), nodes, &below))
        } else {
            self.count_with::<BigUint>(Edge::of(a), nodes, &below)
        }
    }

    fn count_with<N>(&self, edge: Edge, mut nodes: Vec<u32>, below: &[u64]) -> N
    where
        N: Clone + Zero + One + Add<Output = N> + Sub<Output = N> + Shl<u64, Output = N>,
    {
        nodes.sort_unstable_by_key(|&index| self.store.node_at(index).level);
        let mut counts: FxHashMap<u32, N> = FxHashMap::default();
        counts.insert(0, N::zero());
        // Over the variables of the set up to a level.
        let count = |counts: &FxHashMap<u32, N>, edge: Edge, level: u32| {
            let here = below[self.level(edge) as usize];
            let unsigned = counts[&(edge.index() as u32)].clone();
            let signed = if edge.sign() == 1 { (N::one() << here) - unsigned } else { unsigned };
            signed << (below[level as usize] - here)
        };
        for index in nodes {
            let node = self.store.node_at(index);
            let sum = count(&counts, node.low, node.level - 1) + count(&counts, node.high, node.level - 1);
            counts.insert(index, sum);
        }
        count(&counts, edge, below.len() as u32 - 1)
    }
}
