//! Weighted sums of variables: where one passes a test, and how large one becomes.

use crate::edge::Edge;
use crate::sdd::{Made, Sdd};
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Root, SumDecision, Variable};

impl Sdd {
    /// True where the weighted sum of variables, each 1 or 0, passes the test. Sums that leave 128
    /// bits are an overflow.
    pub fn sum_test(
        &mut self,
        weights: &[(Variable, i128)],
        decided: SumDecision,
    ) -> Result<Root, Interrupted> {
        // Large weights first: what they leave open is decided by few others. Among equal weights
        // from left to right, so that what is made last stands above the rest.
        let mut terms: Vec<(Variable, i128)> =
            weights.iter().copied().filter(|&(_, weight)| weight != 0).collect();
        terms.sort_by_key(|&(variable, weight)| {
            (std::cmp::Reverse(weight.unsigned_abs()), self.vtree.node(variable.0).from)
        });
        // What the terms from each place on can add, at the least and at the most.
        let mut rest = vec![(0_i128, 0_i128)];
        for &(_, weight) in terms.iter().rev() {
            let (least, most) = rest[rest.len() - 1];
            let least = least.checked_add(weight.min(0)).ok_or(Interrupted::Overflow)?;
            let most = most.checked_add(weight.max(0)).ok_or(Interrupted::Overflow)?;
            rest.push((least, most));
        }
        rest.reverse();
        self.run(|sdd| {
            let mut known = FxHashMap::default();
            sdd.sum_test_from(&terms, &rest, 0, decided, &mut known)
        })
    }

    /// Where terms so far have made `sum`.
    fn sum_test_from(
        &mut self,
        terms: &[(Variable, i128)],
        rest: &[(i128, i128)],
        sum: i128,
        decided: SumDecision,
        known: &mut FxHashMap<(usize, i128), Edge>,
    ) -> Made {
        let (least, most) = rest[0];
        let bounds = sum.checked_add(least).zip(sum.checked_add(most)).ok_or(Interrupted::Overflow)?;
        if let Some(passes) = decided(bounds.0, bounds.1) {
            return Ok(Edge::constant(passes));
        }
        let (variable, weight) = terms[0];
        if let Some(&edge) = known.get(&(terms.len(), sum)) {
            return Ok(edge);
        }
        self.step()?;
        let low = self.sum_test_from(&terms[1..], &rest[1..], sum, decided, known)?;
        let high = self.sum_test_from(&terms[1..], &rest[1..], sum + weight, decided, known)?;
        let literal = self.literal(variable, true);
        let edge = self.ite_edges(literal, high, low)?;
        known.insert((terms.len(), sum), edge);
        Ok(edge)
    }

    /// The largest weighted sum of variables, each 1 or 0, where the function is true; nothing if
    /// it never is. Weights of the same variable add up.
    pub fn largest_sum(&self, a: &Root, weights: &[(Variable, i128)]) -> Result<Option<i128>, Interrupted> {
        let mut by_variable = vec![0_i128; self.variable_count()];
        for &(variable, weight) in weights {
            let sum = &mut by_variable[variable.index()];
            *sum = sum.checked_add(weight).ok_or(Interrupted::Overflow)?;
        }
        // By place: what free variables before it can add.
        let mut free = vec![0_i128];
        for variable in self.vtree.variables() {
            let weight = by_variable[variable.index()].max(0);
            free.push(free[free.len() - 1].checked_add(weight).ok_or(Interrupted::Overflow)?);
        }
        let free_below = |v: u32| {
            let node = self.vtree.node(v);
            free[node.to as usize] - free[node.from as usize]
        };
        let mut known: FxHashMap<Edge, Option<i128>> = FxHashMap::default();
        // Over all variables below a vtree node.
        let largest = |known: &FxHashMap<Edge, Option<i128>>, edge: Edge, v: u32| {
            if edge.is_constant() {
                return Ok((edge == Edge::TRUE).then(|| free_below(v)));
            }
            let here = self.place(edge);
            let best = match self.vtree.is_leaf(here) {
                true => Some(if edge.is_regular() { by_variable[here as usize] } else { 0 }),
                false => known[&edge],
            };
            let around = free_below(v) - free_below(here);
            best.map(|sum| sum.checked_add(around).ok_or(Interrupted::Overflow)).transpose()
        };
        let edge = Edge::of(a);
        for edge in self.edges_below(&[edge]) {
            let node = self.vtree.node(self.place(edge));
            let mut best = None;
            for (prime, sub) in self.elements_of(edge) {
                let sums = (largest(&known, prime, node.left)?, largest(&known, sub, node.right)?);
                if let (Some(left), Some(right)) = sums {
                    best = best.max(Some(left.checked_add(right).ok_or(Interrupted::Overflow)?));
                }
            }
            known.insert(edge, best);
        }
        largest(&known, edge, self.vtree.root)
    }
}
