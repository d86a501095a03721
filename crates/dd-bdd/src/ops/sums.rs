//! Weighted sums of variables: where one passes a test, and how large one becomes.

use crate::Variable;
use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Root, SumDecision};

impl Bdd {
    /// True where the weighted sum of variables, each 1 or 0, passes the test. Sums that leave 128
    /// bits are an overflow.
    pub fn sum_test(
        &mut self,
        weights: &[(Variable, i128)],
        decided: SumDecision,
    ) -> Result<Root, Interrupted> {
        self.run(&[], |bdd| {
            let mut terms: Vec<(u32, i128)> =
                weights.iter().map(|&(variable, weight)| (bdd.order.level(variable), weight)).collect();
            terms.sort_unstable_by_key(|&(level, _)| std::cmp::Reverse(level));
            // What the terms from each place on can add, at the least and at the most.
            let mut rest = vec![(0_i128, 0_i128)];
            for &(_, weight) in terms.iter().rev() {
                let (least, most) = rest[rest.len() - 1];
                let least = least.checked_add(weight.min(0)).ok_or(Interrupted::Overflow)?;
                let most = most.checked_add(weight.max(0)).ok_or(Interrupted::Overflow)?;
                rest.push((least, most));
            }
            rest.reverse();
            let mut known = FxHashMap::default();
            bdd.sum_test_from(&terms, &rest, 0, decided, &mut known)
        })
    }

    /// Where terms so far have made `sum`. No collection can start here, so `known` needs no roots.
    fn sum_test_from(
        &mut self,
        terms: &[(u32, i128)],
        rest: &[(i128, i128)],
        sum: i128,
        decided: SumDecision,
        known: &mut FxHashMap<(usize, i128), Edge>,
    ) -> Made {
        let (least, most) = rest[0];
        let bounds = sum.checked_add(least).zip(sum.checked_add(most)).ok_or(Interrupted::Overflow)?;
        if let Some(passes) = decided(bounds.0, bounds.1) {
            return Ok(if passes { Edge::TRUE } else { Edge::FALSE });
        }
        let (level, weight) = terms[0];
        if let Some(&edge) = known.get(&(terms.len(), sum)) {
            return Ok(edge);
        }
        self.meter.step()?;
        let low = self.sum_test_from(&terms[1..], &rest[1..], sum, decided, known)?;
        let high = self.sum_test_from(&terms[1..], &rest[1..], sum + weight, decided, known)?;
        let edge = self.mk(level, low, high)?;
        known.insert((terms.len(), sum), edge);
        Ok(edge)
    }

    /// The largest weighted sum of variables, each 1 or 0, where the function is true; nothing if
    /// it never is. Weights of the same variable add up.
    pub fn largest_sum(&self, a: &Root, weights: &[(Variable, i128)]) -> Result<Option<i128>, Interrupted> {
        let mut by_level = vec![0_i128; self.order.variable_at.len()];
        for &(variable, weight) in weights {
            let sum = &mut by_level[self.order.level(variable) as usize];
            *sum = sum.checked_add(weight).ok_or(Interrupted::Overflow)?;
        }
        // By level: what free variables at and below it can add.
        let mut free = Vec::with_capacity(by_level.len());
        for &weight in &by_level {
            let below = free.last().copied().unwrap_or(0_i128);
            free.push(below.checked_add(weight.max(0)).ok_or(Interrupted::Overflow)?);
        }
        let mut functions = self.functions_below(&[Edge::of(a)]);
        functions.sort_unstable_by_key(|&edge| self.level(edge));
        let mut best: FxHashMap<Edge, Option<i128>> = FxHashMap::default();
        best.insert(Edge::FALSE, None);
        best.insert(Edge::TRUE, Some(0));
        for edge in functions {
            let level = self.level(edge);
            let (low, high) = self.cofactors(edge, level);
            let through = |child: Edge, weight: i128| -> Result<Option<i128>, Interrupted> {
                let Some(sum) = best[&child] else { return Ok(None) };
                let skipped = free[level as usize - 1] - free[self.level(child) as usize];
                let sum = sum.checked_add(skipped).and_then(|sum| sum.checked_add(weight));
                sum.map(Some).ok_or(Interrupted::Overflow)
            };
            let sum = through(low, 0)?.max(through(high, by_level[level as usize])?);
            best.insert(edge, sum);
        }
        let edge = Edge::of(a);
        let above = free[free.len() - 1] - free[self.level(edge) as usize];
        best[&edge].map(|sum| sum.checked_add(above).ok_or(Interrupted::Overflow)).transpose()
    }

    /// By variable: whether it can be false, and whether it can be true, where the function is
    /// true.
    pub fn possible_values(&self, a: &Root) -> Vec<[bool; 2]> {
        let height = self.order.variable_at.len();
        let mut possible = vec![[false; 2]; height - 1];
        // How many edges more jump over the level than over the one above it.
        let mut jumps = vec![0_i64; height + 1];
        let mut jump = |from: u32, to: u32| {
            jumps[from as usize] += 1;
            jumps[to as usize] -= 1;
        };
        let edge = Edge::of(a);
        if edge == Edge::FALSE {
            return possible;
        }
        jump(height as u32, self.level(edge) + 1);
        for edge in self.functions_below(&[edge]) {
            let level = self.level(edge);
            let (low, high) = self.cofactors(edge, level);
            let variable = self.order.variable_at[level as usize].index();
            for (value, child) in [low, high].into_iter().enumerate() {
                if child != Edge::FALSE {
                    possible[variable][value] = true;
                    jump(level, self.level(child) + 1);
                }
            }
        }
        let mut jumping = 0;
        for level in (1..height).rev() {
            jumping += jumps[level + 1];
            if jumping > 0 {
                possible[self.order.variable_at[level].index()] = [true; 2];
            }
        }
        possible
    }
}
