//! Refutations at a glance: by upper bounds and exclusive sets alone, without a linear program.
//!
//! In the box of upper bounds, and with disjoint exclusive sets, the least value of a sum is found
//! by looking at each place or set on its own. This is tried for each constraint, and for the sum
//! of every two, which is what `p ≥ 1 ∧ q ≥ 1` with `p` and `q` exclusive needs.

use super::known_facts::{KnownFacts, Reason};
use super::linear_constraint::LinearConstraint;
use super::refutation::Contradiction;
use crate::net::PlaceId;
use std::collections::{BTreeMap, BTreeSet};

/// With more constraints than this, pairs of them are not tried.
const MOST_PAIRED: usize = 40;

/// A contradiction (not yet verified) from one or two of the constraints of `cube` and facts alone.
pub(crate) fn contradiction_at_a_glance(
    known: &KnownFacts,
    cube: &[LinearConstraint],
) -> Option<Contradiction> {
    let single = (0..cube.len()).find_map(|index| facts_against(known, cube, &[index]));
    single.or_else(|| {
        let count = if cube.len() <= MOST_PAIRED { cube.len() } else { 0 };
        let mut pairs = (0..count).flat_map(|second| (0..second).map(move |first| [first, second]));
        pairs.find_map(|pair| facts_against(known, cube, &pair))
    })
}

/// Facts that contradict the sum of the constraints with these indices.
fn facts_against(known: &KnownFacts, cube: &[LinearConstraint], chosen: &[usize]) -> Option<Contradiction> {
    let mut factors: BTreeMap<PlaceId, i64> = BTreeMap::new();
    let mut at_most = 0_i128;
    for &index in chosen {
        at_most += i128::from(cube[index].at_most);
        for &(place, factor) in &cube[index].terms {
            let sum = factors.entry(place).or_default();
            *sum = sum.checked_add(factor)?;
        }
    }
    let mut reasons = Vec::new();
    // The least that the sum can be.
    let mut least = 0_i128;
    let mut seen = BTreeSet::new();
    for (&place, &factor) in &factors {
        if let Some((index, set)) = known.merged_set(place) {
            if seen.insert(index) {
                let members = set.variables.iter().map(|variable| PlaceId(variable.0));
                let smallest = members.map(|member| factors.get(&member).copied().unwrap_or(0)).min()?;
                let contribution = if set.exactly_one { smallest } else { smallest.min(0) };
                if contribution != 0 {
                    let is_positive = contribution > 0;
                    let reason =
                        if is_positive { Reason::AtLeastOne(index) } else { Reason::AtMostOne(index) };
                    reasons.push((reason, contribution.unsigned_abs()));
                    least += i128::from(contribution);
                }
            }
        } else if factor < 0 {
            let bound = known.upper_bound(place)?;
            reasons.push((Reason::UpperBound(place), factor.unsigned_abs()));
            least += i128::from(factor) * i128::from(bound);
        }
    }
    if least <= at_most {
        return None;
    }
    let facts = reasons.into_iter().map(|(reason, times)| Some((known.fact(reason)?, times)));
    let mut times = vec![0; cube.len()];
    chosen.iter().for_each(|&index| times[index] = 1);
    Some(Contradiction { weights: Vec::new(), facts: facts.collect::<Option<_>>()?, times })
}
