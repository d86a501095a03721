//! Exact counting where each vector counts with a weight: a multinomial coefficient per group of
//! levels.

use crate::mdd::Mdd;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The sum, over the vectors of `set`, of the product over groups of the multinomial coefficient
    /// `(v₁ + … + vₙ)! / (v₁! … vₙ!)` of the numbers that the codes of the vector give to the group.
    ///
    /// `numbers(level, code, give)` calls `give(group, number)` for the numbers that a code gives to
    /// groups below `group_count`, and returns false if vectors with this code do not count. The sum
    /// of the numbers of a group must be the same in all vectors that count: so it is the same below
    /// a node, however the vector goes on, and coefficients are products of binomials on the way up.
    pub fn multinomial_count(
        &self,
        set: NodeId,
        group_count: usize,
        numbers: impl Fn(u32, u32, &mut dyn FnMut(usize, u64)) -> bool,
    ) -> Result<BigUint, Interrupted> {
        if set.is_empty() {
            return Ok(BigUint::ZERO);
        }
        let levels = self.nodes_by_level(set);
        let mut binomials = Binomials::default();
        let mut counts = vec![BigUint::ZERO; levels.node_count() + 1];
        // The sums of the groups below each node that some vector goes through.
        let mut sums: Vec<Box<[u64]>> = vec![Box::default(); levels.node_count() + 1];
        counts[levels.number(NodeId::ONE)] = BigUint::from(1_u32);
        sums[levels.number(NodeId::ONE)] = vec![0; group_count].into();
        let mut here = vec![0; group_count];
        for (level, nodes) in levels.upwards() {
            for &node in nodes {
                self.manager.meter().budget().check()?;
                let view = self.view(node);
                let mut count = BigUint::ZERO;
                let mut sum: Box<[u64]> = Box::default();
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if child.is_empty() || counts[levels.number(child)] == BigUint::ZERO {
                        continue;
                    }
                    let below = levels.number(child);
                    here.copy_from_slice(&sums[below]);
                    let mut weighted = counts[below].clone();
                    let is_counted = numbers(level, view.tag + offset as u32, &mut |group, number| {
                        here[group] += number;
                        if number > 0 && number < here[group] {
                            weighted *= binomials.get(here[group], number);
                        }
                    });
                    if is_counted {
                        count += weighted;
                        sum = here.as_slice().into();
                    }
                }
                let number = levels.number(node);
                (counts[number], sums[number]) = (count, sum);
            }
            // Only the level above asks for these.
            for &below in levels.level(level - 1) {
                counts[levels.number(below)] = BigUint::ZERO;
                sums[levels.number(below)] = Box::default();
            }
        }
        Ok(std::mem::take(&mut counts[levels.number(set)]))
    }
}

/// Binomial coefficients, row by row: those of one row come one after the other.
#[derive(Default)]
struct Binomials {
    /// By `n`, the coefficients of `k` from 0 on, as far as they were asked for.
    rows: FxHashMap<u64, Vec<BigUint>>,
    /// The bytes of all coefficients, about.
    bytes: u64,
}

impl Binomials {
    /// More than this is forgotten.
    const MOST_BYTES: u64 = 64 << 20;

    /// `n! / (k! (n - k)!)`, for `k` up to `n`.
    fn get(&mut self, n: u64, k: u64) -> &BigUint {
        let k = k.min(n - k) as usize;
        if self.bytes > Binomials::MOST_BYTES {
            self.rows.clear();
            self.bytes = 0;
        }
        let row = self.rows.entry(n).or_insert_with(|| vec![BigUint::from(1_u32)]);
        while row.len() <= k {
            let index = row.len() as u64;
            let next = &row[row.len() - 1] * (n - index + 1) / index;
            self.bytes += next.bits() / 8 + 32;
            row.push(next);
        }
        &row[k]
    }
}
