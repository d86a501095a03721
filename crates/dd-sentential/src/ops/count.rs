//! Exact counting.
//!
//! The primes of a node exclude one another, so a node counts the sum of what its elements count,
//! each the product of prime and sub. A negation counts all choices but those; with floating
//! numbers that difference would cancel, so counting is exact or not at all.

use crate::edge::Edge;
use crate::sdd::Sdd;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::ops::{AddAssign, Mul, Shl, Sub};
use symbolon_dd_core::{Root, Variable};

/// Up to this many variables, counts fit into a machine number.
const MACHINE_BITS: usize = 126;

impl Sdd {
    /// How many choices of values for these variables make `a` true. It depends on no others.
    pub fn count(&self, a: &Root, variables: &[Variable]) -> BigUint {
        let mut is_counted = vec![false; self.variable_count()];
        variables.iter().for_each(|variable| is_counted[variable.index()] = true);
        debug_assert!(
            self.support(a).iter().all(|variable| is_counted[variable.index()]),
            "a function is counted over all variables that it depends on"
        );
        // By place of a leaf: how many counted ones stand before it.
        let mut before = vec![0_u64];
        for variable in self.vtree.variables() {
            before.push(before[before.len() - 1] + u64::from(is_counted[variable.index()]));
        }
        if before[before.len() - 1] <= MACHINE_BITS as u64 {
            BigUint::from(self.count_with::<u128>(Edge::of(a), &before))
        } else {
            self.count_with::<BigUint>(Edge::of(a), &before)
        }
    }

    fn count_with<N>(&self, edge: Edge, before: &[u64]) -> N
    where
        N: Clone + Zero + One + AddAssign + Mul<Output = N> + Sub<Output = N> + Shl<u64, Output = N>,
    {
        let mut indices = self.indices_below(&[edge]);
        indices.retain(|&index| self.is_decision(Edge::to(index)));
        // Children lie at lower vtree nodes, which have fewer leaves.
        indices.sort_by_key(|&index| {
            let node = self.vtree.node(self.store.node(index as usize).vtree);
            node.to - node.from
        });
        let below = |v: u32| {
            let node = self.vtree.node(v);
            before[node.to as usize] - before[node.from as usize]
        };
        let mut counts: FxHashMap<u32, N> = FxHashMap::default();
        // Over the counted variables below a vtree node.
        let count = |counts: &FxHashMap<u32, N>, edge: Edge, v: u32| -> N {
            if edge.is_constant() {
                return if edge == Edge::TRUE { N::one() << below(v) } else { N::zero() };
            }
            let place = self.place(edge);
            let here = below(place);
            let is_literal = self.vtree.is_leaf(place);
            let stored = if is_literal { N::one() } else { counts[&(edge.index() as u32)].clone() };
            let signed = if edge.is_regular() { stored } else { (N::one() << here) - stored };
            signed << (below(v) - here)
        };
        for index in indices {
            let node = self.vtree.node(self.store.node(index as usize).vtree);
            let mut sum = N::zero();
            for (prime, sub) in self.elements_of(Edge::to(index)) {
                if sub != Edge::FALSE {
                    sum += count(&counts, prime, node.left) * count(&counts, sub, node.right);
                }
            }
            counts.insert(index, sum);
        }
        count(&counts, edge, self.vtree.root)
    }
}
