//! A choice of exclusive sets without common places, so that each can become one variable.
//!
//! Sets overlap: a philosopher's states and the fork that some of them hold are both exclusive. A
//! place can be merged only once, so taking one set spoils others; what is left of them is still
//! exclusive, but smaller and no longer "exactly one". This is weighted independent set, which is
//! hard, with the usual greedy answer: take the set that saves most variables for each set that it
//! spoils.

use super::lists::Lists;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_model::{ExclusiveSet, VariableId};

/// Sets with at least two variables and no variable in common, chosen among `sets` and their
/// subsets; ascending by first variable. `variable_count` is that of the model.
pub fn disjoint_cover(sets: &[ExclusiveSet], variable_count: usize) -> Vec<ExclusiveSet> {
    let mut cover = Cover::new(sets, variable_count);
    let mut chosen = Vec::new();
    while let Some(set) = cover.take_best() {
        chosen.push(set);
    }
    chosen.sort_by_key(|set| set.variables.first().copied());
    chosen
}

struct Cover<'a> {
    sets: &'a [ExclusiveSet],
    is_free: Vec<bool>,
    /// The sets around each variable.
    around: Lists,
    /// The number of free variables in each set; 0 once it was taken.
    left: Vec<u32>,
    /// Sets by score, the best on top; stale entries are recognised by their score.
    queue: BinaryHeap<(u64, Reverse<u32>)>,
    score: Vec<u64>,
    seen: Vec<u32>,
    round: u32,
    /// The sets that lost a variable to the one just taken.
    touched: Vec<u32>,
}

/// The number of neighbours of a set beyond which the exact number no longer matters.
const NEIGHBOURS_COUNTED: u64 = 256;

impl<'a> Cover<'a> {
    fn new(sets: &'a [ExclusiveSet], variable_count: usize) -> Self {
        let around = Lists::new(variable_count, |visit| {
            for (index, set) in sets.iter().enumerate() {
                set.variables.iter().for_each(|variable| visit(variable.index(), index as u32));
            }
        });
        let mut cover = Cover {
            sets,
            is_free: vec![true; variable_count],
            around,
            left: sets.iter().map(|set| set.variables.len() as u32).collect(),
            queue: BinaryHeap::with_capacity(sets.len()),
            score: vec![0; sets.len()],
            seen: vec![0; sets.len()],
            round: 0,
            touched: Vec::new(),
        };
        (0..sets.len() as u32).for_each(|set| cover.rate(set));
        cover
    }

    /// Computes the score of `set`: variables saved, per set touched (itself included).
    fn rate(&mut self, set: u32) {
        let saved = u64::from(self.left[set as usize].saturating_sub(1));
        if saved == 0 {
            self.score[set as usize] = 0;
            return;
        }
        self.round += 1;
        let mut touched = 0_u64;
        'count: for variable in &self.sets[set as usize].variables {
            if !self.is_free[variable.index()] {
                continue;
            }
            for &other in self.around.of(variable.index()) {
                let is_new = std::mem::replace(&mut self.seen[other as usize], self.round) != self.round;
                touched += u64::from(is_new && self.left[other as usize] >= 2);
                if touched >= NEIGHBOURS_COUNTED {
                    break 'count;
                }
            }
        }
        // In thousandths, so that scores are ordered and deterministic.
        let score = saved.saturating_mul(1 << 20) / touched.max(1);
        if score != self.score[set as usize] {
            self.score[set as usize] = score;
            self.queue.push((score, Reverse(set)));
        }
    }

    /// Takes what is left of the best set, and rates the sets that it touched anew.
    fn take_best(&mut self) -> Option<ExclusiveSet> {
        loop {
            let (score, Reverse(set)) = self.queue.pop()?;
            if self.left[set as usize] < 2 || score != self.score[set as usize] {
                continue;
            }
            let whole = &self.sets[set as usize];
            let is_free = |variable: &&VariableId| self.is_free[variable.index()];
            let variables: Vec<VariableId> = whole.variables.iter().filter(is_free).copied().collect();
            let exactly_one = whole.exactly_one && variables.len() == whole.variables.len();

            let mut touched = std::mem::take(&mut self.touched);
            for variable in &variables {
                self.is_free[variable.index()] = false;
                for &other in self.around.of(variable.index()) {
                    self.left[other as usize] -= 1;
                    touched.push(other);
                }
            }
            touched.sort_unstable();
            touched.dedup();
            touched.drain(..).for_each(|other| self.rate(other));
            self.touched = touched;
            return Some(ExclusiveSet { variables, exactly_one });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(variables: &[u32], exactly_one: bool) -> ExclusiveSet {
        ExclusiveSet { variables: variables.iter().map(|&v| VariableId(v)).collect(), exactly_one }
    }

    fn check(sets: &[ExclusiveSet], expected: &[ExclusiveSet]) {
        assert_eq!(disjoint_cover(sets, 16), expected);
    }

    #[test]
    fn sets_are_chosen_and_rests_are_kept() {
        check(&[], &[]);
        check(&[set(&[3], true)], &[]);
        check(&[set(&[0, 1], true), set(&[2, 3], false)], &[set(&[0, 1], true), set(&[2, 3], false)]);
        // The larger set goes first; what is left of the other is only "at most one".
        check(
            &[set(&[0, 1, 2], true), set(&[2, 3, 4, 5], true)],
            &[set(&[0, 1], false), set(&[2, 3, 4, 5], true)],
        );
        check(&[set(&[0, 1], true), set(&[1, 2, 3], true)], &[set(&[1, 2, 3], true)]);
    }

    #[test]
    fn a_set_that_spoils_many_others_waits() {
        let spoiler = set(&[0, 3, 6, 9, 12], true);
        let mut sets = vec![spoiler];
        let machines = (0..5).map(|i| set(&[3 * i, 3 * i + 1, 3 * i + 2], true));
        let machines: Vec<_> = machines.collect();
        sets.extend(machines.iter().cloned());
        check(&sets, &machines);
    }
}
