//! Structural analysis: what can be proved of a net without exploring it.
//!
//! ```text
//! dead parts ──▶ exclusive sets ──▶ upper bounds ◀── semiflows, linear programs
//!                      │                  │
//!               disjoint cover       boundedness ◀── pump
//! ```
//!
//! Everything stated here is a proof, or carries one that can be checked again: exclusive sets by
//! induction ([`exclusive_sets`]), bounds by sums of tokens that never grow ([`ShrinkingSum`]),
//! unboundedness by a cycle that can be repeated forever ([`Pump`]), unreachability by sums that
//! would be negative ([`Refutation`]). What a source claims of itself is tried, never believed.
//! Effort is bounded everywhere; where it does not suffice, the answer is smaller, not wrong.

mod combination;
mod coverability;
mod dead_parts;
mod disjoint_cover;
mod exclusive;
mod exclusive_proof;
mod flow_basis;
mod interval_proof;
mod known_facts;
mod linear_constraint;
mod linear_program;
mod lists;
mod net_class;
mod pump;
mod redundant_parts;
mod refutation;
mod relaxation;
mod rounding;
mod semiflows;
mod shrinking_sum;
mod state_equation;
mod state_machines;
mod traps;

pub use coverability::{CoverLimits, Covered, OMEGA, cover, is_monotone};
pub use dead_parts::{DeadParts, dead_parts};
pub use disjoint_cover::disjoint_cover;
pub use exclusive::exclusive_sets;
pub use flow_basis::{Flow, FlowBasis};
pub use known_facts::{Fact, Reason};
pub use linear_constraint::LinearConstraint;
pub use linear_program::{LARGEST_PROGRAM, LinearPrograms};
pub use net_class::NetClass;
pub use pump::{Pump, PumpLimits, find_pump};
pub use redundant_parts::{ImpliedPlace, RedundantParts, redundant_parts};
pub use refutation::{Contradiction, Proof, Refutation};
pub use semiflows::{
    Completeness, SemiflowLimits, Semiflows, place_semiflows, some_place_semiflows,
    some_transition_semiflows, transition_semiflows,
};
pub use shrinking_sum::ShrinkingSum;
pub use state_equation::{Attempt, Extreme, Potential, Range};

use crate::access::Access;
use crate::ids::variable_of;
use crate::incidence::Incidence;
use crate::net::{Net, PlaceId};
use dead_parts::dead_parts_given;
use exclusive::{FoundSets, find_exclusive_sets};
use lists::Lists;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_model::{ExclusiveSet, LinearInvariant};

/// How much [`analyse`] does. The default is what lowering needs: milliseconds for nets of usual
/// size.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisOptions {
    /// When P-semiflows are computed.
    pub semiflow_use: SemiflowUse,
    /// Limits of the elimination for P-semiflows.
    pub semiflows: SemiflowLimits,
    /// Nets with more entries in their incidence matrix get no elimination and no linear program.
    pub largest_elimination: usize,
    /// When linear programs are solved.
    pub linear_programs: LinearProgramUse,
    /// Time for one linear program.
    pub linear_program_time: Duration,
    /// Limits of the search for a proof that the net is unbounded, where no bound is known.
    pub pump: PumpLimits,
}

/// When P-semiflows are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemiflowUse {
    /// Where some place has no bound otherwise.
    ForMissingBounds,
    /// Always, and with a basis of all flows if they are too many.
    Always,
}

/// When linear programs are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearProgramUse {
    /// Never.
    Never,
    /// One, where some place has no bound otherwise: is the net bounded by its structure?
    Boundedness,
    /// One for each place besides, for the tightest bounds.
    EveryPlace,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        AnalysisOptions {
            semiflow_use: SemiflowUse::ForMissingBounds,
            semiflows: SemiflowLimits { rows: 2_000, steps: 500_000 },
            largest_elimination: 100_000,
            linear_programs: LinearProgramUse::Boundedness,
            linear_program_time: Duration::from_millis(500),
            pump: PumpLimits { steps: 2_000_000, ..PumpLimits::default() },
        }
    }
}

impl AnalysisOptions {
    /// Everything, for those who ask about the structure itself.
    pub fn thorough() -> Self {
        AnalysisOptions {
            semiflow_use: SemiflowUse::Always,
            semiflows: SemiflowLimits::default(),
            largest_elimination: 10_000_000,
            linear_programs: LinearProgramUse::EveryPlace,
            linear_program_time: Duration::from_secs(10),
            pump: PumpLimits::default(),
        }
    }
}

/// What was proved of a net; by default, nothing.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Exclusive sets, as found; they overlap.
    pub exclusive: Vec<ExclusiveSet>,
    /// A choice of exclusive sets and subsets of them without common places.
    pub merged: Vec<ExclusiveSet>,
    /// P-semiflows over the transitions that can fire; `None` if they were not needed, or the net
    /// was too large.
    pub place_semiflows: Option<Semiflows>,
    /// These P-semiflows as sums with their values.
    pub invariants: Vec<LinearInvariant>,
    /// For each place, a number of tokens that it never exceeds, where one is known.
    pub upper_bounds: Vec<Option<u64>>,
    /// Whether all places are bounded.
    pub boundedness: Boundedness,
    /// What can never happen.
    pub dead: DeadParts,
}

/// Whether the number of tokens in every place is bounded over all reachable markings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Boundedness {
    /// It is: every place has a bound in [`Analysis::upper_bounds`].
    Bounded,
    /// It is not, and this is why.
    Unbounded(Pump),
    /// Neither was proved.
    #[default]
    Unknown,
}

/// Analyses `net`.
pub fn analyse(net: &Net, options: &AnalysisOptions, budget: &Budget) -> Result<Analysis, Interrupted> {
    analyse_knowing(net, &[], options, budget)
}

/// The same where some bounds are known already: for each place a number of tokens that it never
/// exceeds, or nothing.
pub fn analyse_knowing(
    net: &Net,
    known: &[Option<u64>],
    options: &AnalysisOptions,
    budget: &Budget,
) -> Result<Analysis, Interrupted> {
    let (FoundSets { sets: exclusive, cover: merged }, dead, incidence) = exclusive_and_dead(net, budget)?;
    let mut bounds = UpperBounds::new(net, &incidence, &exclusive, &dead);
    for (place, bound) in net.place_ids().zip(known) {
        bound.iter().for_each(|&bound| bounds.lower(place, bound));
    }

    let is_small = incidence.entry_count() <= options.largest_elimination;
    let place_semiflows = match options.semiflow_use {
        SemiflowUse::Always if is_small => Some(place_semiflows(&incidence, options.semiflows, budget)?),
        SemiflowUse::ForMissingBounds if is_small && !bounds.missing().is_empty() => {
            Some(some_place_semiflows(&incidence, options.semiflows, budget)?)
        }
        _ => None,
    };
    let flows = place_semiflows.iter().flat_map(|found| &found.minimal);
    let invariants: Vec<LinearInvariant> = flows.filter_map(|flow| invariant_of(net, flow)).collect();
    invariants.iter().for_each(|invariant| bounds.apply(invariant));
    if is_small && options.linear_programs != LinearProgramUse::Never {
        let programs = || LinearPrograms::new(net, &incidence, options.linear_program_time);
        let missing = bounds.missing();
        if !missing.is_empty()
            && let Some(sum) = programs().structural_bound(&missing, budget)?
        {
            bounds.apply_sum(net, &sum);
        }
        if options.linear_programs == LinearProgramUse::EveryPlace {
            let programs = programs();
            for place in net.place_ids() {
                if bounds.0[place.index()] != Some(0)
                    && let Some(sum) = programs.bound(place, budget)?
                {
                    bounds.apply_sum(net, &sum);
                }
            }
        }
    }
    let boundedness = if bounds.missing().is_empty() {
        Boundedness::Bounded
    } else {
        find_pump(net, options.pump, budget)?.map_or(Boundedness::Unknown, Boundedness::Unbounded)
    };
    Ok(Analysis { exclusive, merged, place_semiflows, invariants, upper_bounds: bounds.0, boundedness, dead })
}

/// Exclusive sets make transitions dead (those that need two tokens of one set), which makes places
/// unmarked, which makes more sets exclusive: two rounds of this. The matrix is that of the live
/// transitions.
fn exclusive_and_dead(net: &Net, budget: &Budget) -> Result<(FoundSets, DeadParts, Incidence), Interrupted> {
    let mut dead = dead_parts(net, &[]);
    let mut is_last = false;
    loop {
        let mut is_dead = dead.transition_flags(net);
        let incidence = Incidence::without(net, &is_dead);
        let found = find_exclusive_sets(net, &dead.places, &is_dead, &incidence, budget)?;
        if is_last || !mark_blocked(net, &found.sets, &mut is_dead) {
            return Ok((found, dead, incidence));
        }
        dead = dead_parts_given(net, &[], &is_dead);
        is_last = true;
    }
}

/// Marks transitions dead that need two tokens of one exclusive set; returns whether one was not
/// yet.
fn mark_blocked(net: &Net, sets: &[ExclusiveSet], is_dead: &mut [bool]) -> bool {
    // Of a place in very many sets a few will do; fewer transitions are then found.
    const SETS_PER_PLACE: usize = 64;
    let all_sets_of = Lists::new(net.places.len(), |visit| {
        for (index, set) in sets.iter().enumerate() {
            set.variables.iter().for_each(|variable| visit(variable.index(), index as u32));
        }
    });
    let sets_of = |place: PlaceId| {
        let sets = all_sets_of.of(place.index());
        &sets[..sets.len().min(SETS_PER_PLACE)]
    };
    let mut needed_of = Vec::new();
    let mut found = false;
    for (index, transition) in net.transitions.iter().enumerate() {
        if is_dead[index] {
            continue;
        }
        needed_of.clear();
        let mut needs_two = false;
        for Access { place, at_least, at_most: _, change: _ } in transition.accesses() {
            if at_least > 0 {
                needs_two |= at_least > 1 && !sets_of(place).is_empty();
                needed_of.extend_from_slice(sets_of(place));
            }
        }
        needed_of.sort_unstable();
        needs_two |= needed_of.windows(2).any(|pair| pair[0] == pair[1]);
        if needs_two {
            is_dead[index] = true;
            found = true;
        }
    }
    found
}

/// The sum with its value, if all weights are positive and it fits 64 bits.
pub fn invariant_of(net: &Net, flow: &Flow) -> Option<LinearInvariant> {
    let mut value = 0_u64;
    let mut terms = Vec::with_capacity(flow.weights.len());
    for &(place, weight) in &flow.weights {
        let weight = u64::try_from(weight).ok()?;
        value = value.checked_add(weight.checked_mul(net.places[place as usize].initial)?)?;
        terms.push((variable_of(PlaceId(place)), weight));
    }
    Some(LinearInvariant { terms, value })
}

/// The least upper bound known of each place.
struct UpperBounds(Vec<Option<u64>>);

impl UpperBounds {
    fn new(net: &Net, incidence: &Incidence, exclusive: &[ExclusiveSet], dead: &DeadParts) -> Self {
        let mut bounds = UpperBounds(vec![None; net.places.len()]);
        for place in net.place_ids() {
            // A place that nothing increases; a reset never puts more than its entry says
            // (PETRI-I1).
            if incidence.row(place).iter().all(|&(_, change)| change < 0) {
                bounds.lower(place, net.places[place.index()].initial);
            }
        }
        dead.places.iter().for_each(|&place| bounds.lower(place, 0));
        for variable in exclusive.iter().flat_map(|set| &set.variables) {
            bounds.lower(PlaceId(variable.0), 1);
        }
        bounds
    }

    fn lower(&mut self, place: PlaceId, bound: u64) {
        let known = &mut self.0[place.index()];
        *known = Some(known.map_or(bound, |known| known.min(bound)));
    }

    fn apply(&mut self, invariant: &LinearInvariant) {
        for &(variable, weight) in &invariant.terms {
            self.lower(PlaceId(variable.0), invariant.value / weight);
        }
    }

    /// Applies a sum that was verified.
    fn apply_sum(&mut self, net: &Net, sum: &ShrinkingSum) {
        sum.bounds(net).for_each(|(place, bound)| self.lower(place, bound));
    }

    fn missing(&self) -> Vec<PlaceId> {
        let indices = (0..self.0.len()).filter(|&index| self.0[index].is_none());
        indices.map(|index| PlaceId(index as u32)).collect()
    }
}
