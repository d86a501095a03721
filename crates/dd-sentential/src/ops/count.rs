//! Exact counting.
//!
//! The primes of a node exclude one another, so a node counts the sum of what its elements count,
//! each the product of prime and sub. A negation counts all choices but those; with floating
//! numbers that difference would cancel, so counting is exact or not at all.

use crate::edge::Edge;
use crate::sdd::Sdd;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{AddAssign, Mul, Shl, Sub};
use symbolon_dd_core::{Root, Variable};

/// Up to this many variables, counts fit into a machine number.
const MACHINE_BITS: usize = 126;

/// Counts functions over the same variables, and remembers what their common nodes count: a function
/// that differs from one before in a few nodes takes as long as those.
pub struct Counter {
    /// By place of a leaf: how many counted variables stand before it.
    before: Vec<u64>,
    known: Known,
    /// Numbers of nodes may mean others after a collection, which ends the use of what is known.
    collections: u64,
    counted_nodes: u64,
}

enum Known {
    Machine(FxHashMap<u32, u128>),
    Big(FxHashMap<u32, BigUint>),
}

impl Counter {
    /// How many nodes were counted in all.
    pub fn counted_nodes(&self) -> u64 {
        self.counted_nodes
    }
}

impl Sdd {
    /// A counter over these variables. It serves as long as the vtree stays as it is.
    pub fn counter(&self, variables: &[Variable]) -> Counter {
        let mut is_counted = vec![false; self.variable_count()];
        variables.iter().for_each(|variable| is_counted[variable.index()] = true);
        let mut before = vec![0_u64];
        for variable in self.vtree.variables() {
            before.push(before[before.len() - 1] + u64::from(is_counted[variable.index()]));
        }
        let known = match before[before.len() - 1] <= MACHINE_BITS as u64 {
            true => Known::Machine(FxHashMap::default()),
            false => Known::Big(FxHashMap::default()),
        };
        Counter { before, known, collections: self.collections, counted_nodes: 0 }
    }

    /// How many choices of values for these variables make `a` true. It depends on no others.
    pub fn count(&self, a: &Root, variables: &[Variable]) -> BigUint {
        debug_assert!(
            {
                let counted: FxHashSet<&Variable> = variables.iter().collect();
                self.support(a).iter().all(|variable| counted.contains(variable))
            },
            "a function is counted over all variables that it depends on"
        );
        self.count_with(a, &mut self.counter(variables))
    }

    /// How many choices of values for the variables of a counter make `a` true.
    pub fn count_with(&self, a: &Root, counter: &mut Counter) -> BigUint {
        let Counter { before, known, collections, counted_nodes } = counter;
        if *collections != self.collections {
            *collections = self.collections;
            match known {
                Known::Machine(known) => known.clear(),
                Known::Big(known) => known.clear(),
            }
        }
        match known {
            Known::Machine(known) => {
                BigUint::from(self.count_edge(Edge::of(a), before, known, counted_nodes))
            }
            Known::Big(known) => self.count_edge(Edge::of(a), before, known, counted_nodes),
        }
    }

    fn count_edge<N>(
        &self,
        edge: Edge,
        before: &[u64],
        counts: &mut FxHashMap<u32, N>,
        counted_nodes: &mut u64,
    ) -> N
    where
        N: Clone + Zero + One + AddAssign + Mul<Output = N> + Sub<Output = N> + Shl<u64, Output = N>,
    {
        let mut indices = self.decisions_below(edge, |index| counts.contains_key(&index));
        *counted_nodes += indices.len() as u64;
        // Children lie at lower vtree nodes, which have fewer leaves.
        indices.sort_by_key(|&index| {
            let node = self.vtree.node(self.store.node(index as usize).vtree);
            node.to - node.from
        });
        let below = |v: u32| {
            let node = self.vtree.node(v);
            before[node.to as usize] - before[node.from as usize]
        };
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
                    sum += count(counts, prime, node.left) * count(counts, sub, node.right);
                }
            }
            counts.insert(index, sum);
        }
        count(counts, edge, self.vtree.root)
    }
}
