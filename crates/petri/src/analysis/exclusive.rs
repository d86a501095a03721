//! Exclusive sets of a net: where candidates come from, and in which order they are tried.
//!
//! 1. The units of the source, each alone and each with its ancestors (which is what nesting means:
//!    a parent's token becomes the child's). What a source claims of them is never believed, only
//!    tried.
//! 2. State machines that keep their token, searched from places that no set covers yet.
//! 3. State machines that may lose it, for what is still uncovered.
//! 4. Once a disjoint choice is made, places that it leaves alone start a search of their own.
//!
//! Places that are never marked are exclusive for a simple reason, and proposed first.
//!
//! Every candidate passes [`super::exclusive_proof`]; this module only proposes.

use super::dead_parts::dead_parts;
use super::disjoint_cover::disjoint_cover;
use super::exclusive_proof::ExclusiveProver;
use super::state_machines::{Balance, StateMachines};
use crate::incidence::Incidence;
use crate::net::{Net, PlaceId, Unit};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::ExclusiveSet;

/// Sets of places of which at most one is marked, with one token, in every reachable marking. They
/// may overlap; [`disjoint_cover`] chooses among them.
pub fn exclusive_sets(net: &Net, budget: &Budget) -> Result<Vec<ExclusiveSet>, Interrupted> {
    let dead = dead_parts(net, &[]);
    let is_dead = dead.transition_flags(net);
    let incidence = Incidence::without(net, &is_dead);
    find_exclusive_sets(net, &dead.places, &is_dead, &incidence, budget).map(|found| found.sets)
}

/// Exclusive sets, and a disjoint choice among them.
pub(crate) struct FoundSets {
    pub(crate) sets: Vec<ExclusiveSet>,
    pub(crate) cover: Vec<ExclusiveSet>,
}

/// As [`exclusive_sets`], where the places in `unmarked` are never marked, the transitions in
/// `is_dead` never fire, and `incidence` is that of the others.
pub(crate) fn find_exclusive_sets(
    net: &Net,
    unmarked: &[PlaceId],
    is_dead: &[bool],
    incidence: &Incidence,
    budget: &Budget,
) -> Result<FoundSets, Interrupted> {
    let steps = STEPS + STEPS_PER_ENTRY * incidence.entry_count() as u64;
    let mut finder = ExclusiveSets::new(net, is_dead);
    let meter = || Meter::with_step_limit(budget.clone(), steps);
    as_far_as_it_got(finder.propose(unmarked.to_vec(), &mut meter()))?;
    as_far_as_it_got(finder.try_units(&mut meter()))?;
    as_far_as_it_got(finder.search(incidence, &mut meter()))?;
    let cover = match finder.cover {
        Some((count, cover)) if count == finder.sets.len() => cover,
        _ => disjoint_cover(&finder.sets, net.places.len()),
    };
    Ok(FoundSets { sets: finder.sets, cover })
}

/// A phase that used up its steps has found what it has found.
fn as_far_as_it_got(phase: Result<(), Interrupted>) -> Result<(), Interrupted> {
    match phase {
        Err(Interrupted::Steps) => Ok(()),
        other => other,
    }
}

/// Collects proven sets.
struct ExclusiveSets<'a> {
    net: &'a Net,
    prover: ExclusiveProver<'a>,
    sets: Vec<ExclusiveSet>,
    known: FxHashSet<u64>,
    is_covered: Vec<bool>,
    /// A disjoint choice among a prefix of the sets.
    cover: Option<(usize, Vec<ExclusiveSet>)>,
}

/// Dead ends that one search may meet before it gives up.
const CONFLICTS_PER_START: usize = 60;

/// Steps of each phase: a constant, and a number for each entry of the matrix.
const STEPS: u64 = 2_000_000;
const STEPS_PER_ENTRY: u64 = 40;

/// A search for leftovers is repeated at most so often.
const LEFTOVER_ROUNDS: usize = 3;

impl<'a> ExclusiveSets<'a> {
    /// Nothing yet; proofs may rely on the transitions in `is_dead` never firing.
    fn new(net: &'a Net, is_dead: &[bool]) -> Self {
        ExclusiveSets {
            net,
            prover: ExclusiveProver::new(net, is_dead),
            sets: Vec::new(),
            known: FxHashSet::default(),
            is_covered: vec![false; net.places.len()],
            cover: None,
        }
    }

    /// Tries to prove `places` exclusive; sets of one place say nothing new about others and are
    /// dropped.
    fn propose(&mut self, mut places: Vec<PlaceId>, meter: &mut Meter) -> Result<(), Interrupted> {
        places.sort_unstable();
        places.dedup();
        let hash = FxBuildHasher.hash_one(&places);
        if places.len() < 2 || self.known.contains(&hash) {
            return Ok(());
        }
        if let Some(set) = self.prover.prove(&places, meter)? {
            self.known.insert(hash);
            set.variables.iter().for_each(|variable| self.is_covered[variable.index()] = true);
            self.sets.push(set);
        }
        Ok(())
    }

    /// Proposes each unit with all its ancestors and, where that fails, alone.
    fn try_units(&mut self, meter: &mut Meter) -> Result<(), Interrupted> {
        let units: &[Unit] = &self.net.units;
        let mut chain = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            chain.clear();
            chain.extend_from_slice(&unit.places);
            let mut child = index;
            while let Some(parent) = units[child].parent.map(|parent| parent as usize) {
                // Parents stand before children; a source that breaks this must not loop.
                if parent >= child {
                    break;
                }
                meter.step()?;
                chain.extend_from_slice(&units[parent].places);
                child = parent;
            }
            let known = self.sets.len();
            self.propose(chain.clone(), meter)?;
            if self.sets.len() == known && chain.len() > unit.places.len() {
                self.propose(unit.places.clone(), meter)?;
            }
        }
        Ok(())
    }

    /// Searches for state machines, and again for what a disjoint choice among them leaves alone.
    fn search(&mut self, incidence: &Incidence, meter: &mut Meter) -> Result<(), Interrupted> {
        let mut machines = StateMachines::new(self.net, incidence, Balance::Kept);
        self.search_uncovered(&mut machines, Balance::Kept, meter)?;
        if self.is_covered.iter().any(|covered| !covered) {
            let mut shrinking = StateMachines::new(self.net, incidence, Balance::NeverGrows);
            self.search_uncovered(&mut shrinking, Balance::NeverGrows, meter)?;
        }

        let mut fewest = usize::MAX;
        for _ in 0..LEFTOVER_ROUNDS {
            self.is_covered.fill(false);
            let cover = disjoint_cover(&self.sets, self.net.places.len());
            for variable in cover.iter().flat_map(|set| &set.variables) {
                self.is_covered[variable.index()] = true;
            }
            let left = self.is_covered.iter().filter(|&&covered| !covered).count() + cover.len();
            self.cover = Some((self.sets.len(), cover));
            if left >= fewest {
                break;
            }
            fewest = left;
            let known = self.sets.len();
            self.search_uncovered(&mut machines, Balance::Kept, meter)?;
            if self.sets.len() == known {
                break;
            }
        }
        Ok(())
    }

    /// One search from each uncovered place, marked places first.
    fn search_uncovered(
        &mut self,
        machines: &mut StateMachines<'_>,
        balance: Balance,
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        for wants_marked in [true, false] {
            for place in self.net.place_ids() {
                let is_marked = self.net.places[place.index()].initial > 0;
                if self.is_covered[place.index()] || is_marked != wants_marked || machines.is_settled(place) {
                    continue;
                }
                let found = machines.find(place, balance, &self.is_covered, CONFLICTS_PER_START, meter)?;
                if let Some(places) = found {
                    self.propose(places, meter)?;
                }
            }
        }
        Ok(())
    }
}
