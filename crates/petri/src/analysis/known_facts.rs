//! Facts about all reachable markings that were proved elsewhere, as linear constraints.
//!
//! Upper bounds and exclusive sets come from [`Analysis`], where they may have been proved by
//! induction, which the state equation cannot do; traps are found on the way and checked here.
//! Semiflows are not taken: the state equation implies them. Each fact names its [`Reason`], from
//! which it can be derived again, so a proof that uses facts can be checked without belief in who
//! wrote it.

use super::linear_constraint::LinearConstraint;
use super::traps::{is_marked_trap, largest_marked_trap, shrunk};
use super::{Analysis, DeadParts};
use crate::net::{Net, PlaceId};
use symbolon_model::ExclusiveSet;

/// Why a fact holds in every reachable marking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The upper bound of a place, from [`Analysis::upper_bounds`].
    UpperBound(PlaceId),
    /// At most one of the places of an exclusive set is marked. The number counts
    /// [`Analysis::merged`] first, then [`Analysis::exclusive`].
    AtMostOne(usize),
    /// One of the places of an exclusive set is always marked; numbered in the same way.
    AtLeastOne(usize),
    /// These places, ascending, are a trap that is marked initially, so one of them always is.
    Trap(Vec<PlaceId>),
}

/// A constraint that every reachable marking satisfies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// Why.
    pub reason: Reason,
    /// What.
    pub constraint: LinearConstraint,
}

/// What is known of the reachable markings of one net.
pub(crate) struct KnownFacts<'a> {
    net: &'a Net,
    upper_bounds: &'a [Option<u64>],
    merged: &'a [ExclusiveSet],
    exclusive: &'a [ExclusiveSet],
    is_dead: Vec<bool>,
    /// For each place the set in `merged` that holds it, or [`NO_SET`].
    set_of: Vec<u32>,
}

const NO_SET: u32 = u32::MAX;

/// How many facts are taken at once, the most violated first.
const FACTS_AT_ONCE: usize = 64;

/// How many traps without common places are taken at once.
const TRAPS_AT_ONCE: usize = 4;

/// How many arcs may be looked at to make a trap smaller.
const SHRINKING_STEPS: usize = 1_000_000;

/// What a marking of a relaxation must be beyond to count.
const TOLERANCE: f64 = 1e-6;

impl<'a> KnownFacts<'a> {
    /// Nothing but the net itself.
    pub(crate) fn none(net: &'a Net) -> Self {
        KnownFacts {
            net,
            upper_bounds: &[],
            merged: &[],
            exclusive: &[],
            is_dead: DeadParts::default().transition_flags(net),
            set_of: vec![NO_SET; net.places.len()],
        }
    }

    /// What `analysis` proved of `net`.
    pub(crate) fn of(net: &'a Net, analysis: &'a Analysis) -> Self {
        let mut set_of = vec![NO_SET; net.places.len()];
        for (index, set) in analysis.merged.iter().enumerate() {
            set.variables.iter().for_each(|variable| set_of[variable.index()] = index as u32);
        }
        KnownFacts {
            net,
            upper_bounds: &analysis.upper_bounds,
            merged: &analysis.merged,
            exclusive: &analysis.exclusive,
            is_dead: analysis.dead.transition_flags(net),
            set_of,
        }
    }

    /// The fact that `reason` gives; `None` if it gives none.
    pub(crate) fn fact(&self, reason: Reason) -> Option<Fact> {
        let constraint = match &reason {
            &Reason::UpperBound(place) => {
                let bound = self.upper_bound(place)?;
                LinearConstraint { terms: vec![(place, 1)], at_most: bound }
            }
            &Reason::AtMostOne(index) => sum_of(members(self.set(index)?), 1, 1),
            &Reason::AtLeastOne(index) => {
                sum_of(members(self.set(index).filter(|set| set.exactly_one)?), -1, -1)
            }
            Reason::Trap(places) => {
                is_marked_trap(self.net, &self.is_dead, places).then_some(())?;
                sum_of(places.iter().copied(), -1, -1)
            }
        };
        Some(Fact { reason, constraint })
    }

    /// The upper bound of `place`, if one is known and fits.
    pub(crate) fn upper_bound(&self, place: PlaceId) -> Option<i64> {
        let bound = self.upper_bounds.get(place.index()).copied().flatten()?;
        i64::try_from(bound).ok()
    }

    /// The set of the disjoint cover that holds `place`, with its number.
    pub(crate) fn merged_set(&self, place: PlaceId) -> Option<(usize, &'a ExclusiveSet)> {
        let index = self.set_of[place.index()] as usize;
        Some((index, self.merged.get(index)?))
    }

    fn set(&self, index: usize) -> Option<&'a ExclusiveSet> {
        match self.merged.get(index) {
            Some(set) => Some(set),
            None => self.exclusive.get(index - self.merged.len()),
        }
    }

    /// Facts that the marking `tokens`, with one entry per place, violates: the worst of those that
    /// are known, and traps.
    pub(crate) fn violated(&self, tokens: &[f64]) -> Vec<Fact> {
        let mut worst: Vec<(f64, Reason)> = Vec::new();
        for index in 0..self.merged.len() + self.exclusive.len() {
            let Some(set) = self.set(index) else { continue };
            let sum: f64 = set.variables.iter().map(|variable| tokens[variable.index()]).sum();
            if sum > 1.0 + TOLERANCE {
                worst.push((sum - 1.0, Reason::AtMostOne(index)));
            } else if set.exactly_one && sum < 1.0 - TOLERANCE {
                worst.push((1.0 - sum, Reason::AtLeastOne(index)));
            }
        }
        for place in self.net.place_ids() {
            if let Some(bound) = self.upper_bound(place) {
                let excess = tokens[place.index()] - bound as f64;
                if excess > TOLERANCE * (1.0 + bound as f64) {
                    worst.push((excess, Reason::UpperBound(place)));
                }
            }
        }
        // A stable sort: what is equally bad stays in order.
        worst.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        worst.truncate(FACTS_AT_ONCE);
        let mut reasons: Vec<Reason> = worst.into_iter().map(|(_, reason)| reason).collect();
        let mut empty: Vec<PlaceId> =
            self.net.place_ids().filter(|place| tokens[place.index()] < TOLERANCE).collect();
        for _ in 0..TRAPS_AT_ONCE {
            let Some(trap) = largest_marked_trap(self.net, &self.is_dead, &empty) else { break };
            let trap = shrunk(self.net, &self.is_dead, trap, SHRINKING_STEPS);
            empty.retain(|place| trap.binary_search(place).is_err());
            reasons.push(Reason::Trap(trap));
        }
        reasons.into_iter().filter_map(|reason| self.fact(reason)).collect()
    }
}

fn members(set: &ExclusiveSet) -> impl Iterator<Item = PlaceId> {
    set.variables.iter().map(|variable| PlaceId(variable.0))
}

fn sum_of(places: impl Iterator<Item = PlaceId>, factor: i64, at_most: i64) -> LinearConstraint {
    LinearConstraint { terms: places.map(|place| (place, factor)).collect(), at_most }
}
