//! Upper bounds from what the analysis of the net proved, each with the proof that gives it.

use super::proof::Proof;
use crate::loaded::Loaded;
use symbolon_model::{ExclusiveSet, LinearInvariant, VariableId};
use symbolon_petri::analysis::ShrinkingSum;
use symbolon_petri::lower::variable_of;
use symbolon_petri::{Net, PlaceId};

/// How many of the sets and sums that a place occurs in are looked at.
const LOOKED_AT: usize = 64;

/// A value that a sum never exceeds, by the values that its variables may have.
pub(crate) fn sum_of_bounds(loaded: &Loaded, terms: &[(PlaceId, u64)]) -> Option<u128> {
    terms.iter().try_fold(0_u128, |sum, &(place, weight)| {
        let bound = loaded.analysis.upper_bounds.get(place.index()).copied().flatten()?;
        sum.checked_add(u128::from(weight).checked_mul(u128::from(bound))?)
    })
}

/// The analysis of a net, by place.
pub(crate) struct Structure<'a> {
    loaded: &'a Loaded,
    net: &'a Net,
    sets_of: Vec<Vec<u32>>,
    invariants_of: Vec<Vec<u32>>,
    /// Whether some transition adds to the place.
    grows: Vec<bool>,
}

impl<'a> Structure<'a> {
    /// What the structure proves of a model that is a net.
    pub(crate) fn new(loaded: &'a Loaded) -> Option<Self> {
        let net = loaded.structure()?;
        let mut sets_of = vec![Vec::new(); net.places.len()];
        for (index, set) in loaded.analysis.exclusive.iter().enumerate() {
            set.variables.iter().for_each(|variable| note(&mut sets_of, *variable, index));
        }
        let mut invariants_of = vec![Vec::new(); net.places.len()];
        for (index, invariant) in loaded.analysis.invariants.iter().enumerate() {
            invariant.terms.iter().for_each(|(variable, _)| note(&mut invariants_of, *variable, index));
        }
        let mut grows = vec![false; net.places.len()];
        for (transition, is_dead) in net.transitions.iter().zip(loaded.analysis.dead.transition_flags(net)) {
            for access in transition.accesses().filter(|access| access.put() > 0) {
                grows[access.place.index()] |= !is_dead;
            }
        }
        Some(Structure { loaded, net, sets_of, invariants_of, grows })
    }

    /// The best bound that the analysis gives for a sum.
    pub(crate) fn bound(&self, terms: &[(PlaceId, u64)]) -> Option<(u128, Proof)> {
        let candidates = match *terms {
            [(place, weight)] => {
                let own = self.of_place(place);
                [own.map(|(bound, proof)| (u128::from(weight) * u128::from(bound), proof)), None]
            }
            _ => [self.by_cover(terms), self.by_one_invariant(terms)],
        };
        candidates.into_iter().flatten().min_by_key(|(bound, _)| *bound)
    }

    fn of_place(&self, place: PlaceId) -> Option<(u64, Proof)> {
        let analysis = &self.loaded.analysis;
        let bound = analysis.upper_bounds.get(place.index()).copied().flatten()?;
        if analysis.dead.places.binary_search(&place).is_ok() {
            return Some((bound, Proof::NeverMarked));
        }
        if !self.grows[place.index()] && bound == self.net.places[place.index()].initial {
            return Some((bound, Proof::NothingAdds));
        }
        let smallest = self.sets_of[place.index()].iter().map(|&set| &analysis.exclusive[set as usize]);
        if bound == 1
            && let Some(set) = smallest.min_by_key(|set| set.variables.len())
        {
            return Some((bound, Proof::Exclusive { sets: vec![self.names(set)] }));
        }
        let gives = |invariant: &&LinearInvariant| {
            invariant
                .terms
                .iter()
                .any(|&(variable, weight)| variable.0 == place.0 && invariant.value / weight == bound)
        };
        let invariants = self.invariants_of[place.index()].iter();
        if let Some(invariant) = invariants
            .map(|&index| &analysis.invariants[index as usize])
            .filter(gives)
            .min_by_key(|invariant| invariant.terms.len())
        {
            return Some((bound, self.invariant(invariant)));
        }
        let declared = self.loaded.model.values_of(variable_of(place)).count();
        let is_declared = declared.is_some_and(|count| count - 1 == bound);
        Some((bound, if is_declared { Proof::Declaration } else { Proof::Analysis }))
    }

    /// Exclusive sets that cover much of the sum, one after the other; the rest place by place.
    fn by_cover(&self, terms: &[(PlaceId, u64)]) -> Option<(u128, Proof)> {
        let analysis = &self.loaded.analysis;
        let weight_of = |variable: VariableId| {
            let position = terms.binary_search_by_key(&PlaceId(variable.0), |&(place, _)| place);
            position.ok().map(|index| (index, terms[index].1))
        };
        let mut candidates: Vec<u32> =
            terms.iter().flat_map(|(place, _)| &self.sets_of[place.index()]).copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut is_open = vec![true; terms.len()];
        let mut total = 0_u128;
        let mut sets = Vec::new();
        let mut is_by_place = false;
        loop {
            // The set that saves most: what it covers, less what it costs.
            let saved = |set: u32| {
                let weights = analysis.exclusive[set as usize]
                    .variables
                    .iter()
                    .filter_map(|&variable| weight_of(variable))
                    .filter(|&(index, _)| is_open[index])
                    .map(|(_, weight)| u128::from(weight));
                let (sum, most) =
                    weights.fold((0, 0), |(sum, most), weight| (sum + weight, weight.max(most)));
                (sum - most, most)
            };
            let best = candidates
                .iter()
                .map(|&set| (saved(set), set))
                .max_by_key(|((saved, _), set)| (*saved, std::cmp::Reverse(*set)));
            let Some(((saved, cost), set)) = best.filter(|((saved, _), _)| *saved > 0) else { break };
            debug_assert!(saved > 0);
            total += cost;
            for &variable in &analysis.exclusive[set as usize].variables {
                if let Some((index, _)) = weight_of(variable) {
                    is_open[index] = false;
                }
            }
            sets.push(self.names(&analysis.exclusive[set as usize]));
            candidates.retain(|&other| other != set);
        }
        for (index, &(place, weight)) in terms.iter().enumerate() {
            if is_open[index] {
                let bound = analysis.upper_bounds.get(place.index()).copied().flatten()?;
                total += u128::from(weight) * u128::from(bound);
                is_by_place |= bound > 0;
            }
        }
        Some(match (sets.is_empty(), is_by_place) {
            (false, false) => (total, Proof::Exclusive { sets }),
            (true, false) => (total, Proof::NeverMarked),
            (_, true) => (total, Proof::PlaceByPlace),
        })
    }

    /// One invariant in which every place of the sum has weight.
    fn by_one_invariant(&self, terms: &[(PlaceId, u64)]) -> Option<(u128, Proof)> {
        let (first, _) = terms.first()?;
        let invariants = self.invariants_of[first.index()].iter();
        let bounds = invariants.filter_map(|&index| {
            let invariant = &self.loaded.analysis.invariants[index as usize];
            // As a sum that no firing increases: one that none changes is one.
            let weights = invariant.terms.iter().map(|&(variable, weight)| (PlaceId(variable.0), weight));
            let sum = ShrinkingSum { weights: weights.collect() };
            Some((sum.bound_of_sum(self.net, terms)?, index))
        });
        let (bound, index) = bounds.min()?;
        Some((bound, self.invariant(&self.loaded.analysis.invariants[index as usize])))
    }

    fn names(&self, set: &ExclusiveSet) -> Vec<String> {
        set.variables.iter().map(|variable| self.name(PlaceId(variable.0))).collect()
    }

    fn invariant(&self, invariant: &LinearInvariant) -> Proof {
        let terms =
            invariant.terms.iter().map(|&(variable, weight)| (self.name(PlaceId(variable.0)), weight));
        Proof::Invariant { terms: terms.collect(), value: invariant.value.into() }
    }

    /// The proof that a verified sum is.
    pub(super) fn certificate(&self, sum: &ShrinkingSum) -> Proof {
        let terms = sum.weights.iter().map(|&(place, weight)| (self.name(place), weight));
        Proof::ShrinkingSum { terms: terms.collect(), value: sum.value(self.net).unwrap_or(u128::MAX) }
    }

    fn name(&self, place: PlaceId) -> String {
        self.net.places[place.index()].id.clone()
    }
}

fn note(of_place: &mut [Vec<u32>], variable: VariableId, index: usize) {
    let list = &mut of_place[variable.index()];
    if list.len() < LOOKED_AT {
        list.push(index as u32);
    }
}
