//! Several computations take turns; the first that ends gives the answer.
//!
//! Saturation with distances costs about what saturation costs, on most models. Two families are
//! known on which it once cost far more. On Dekker's algorithm the reason was that events fired one
//! by one: since all events of a level fire as one group (`dd-mdd`, `relation.rs`), 15 processes
//! make 315 nodes instead of 574 186. On slotted rings groups change nothing; distances are larger
//! functions there than the set is, and merged levels make them bearable (`bench/distances.md` has
//! the figures). Other models may still be of the first sort, so chaining, which did Dekker at
//! once, is kept. Where states are infinitely many, neither ends, but bounded saturation does.
//! Which one is best cannot be known beforehand, so they race: each gets some steps, then each gets
//! more. A computation that was interrupted starts again, but finds much of its work in the cache.

use super::{Found, Method, Reached, Search, answer, in_target, run_method};
use crate::explore::race::{Ended, RacePolicy, Run, race};
use crate::policy::distance_race::{
    BOUNDED_PART, CHAINING_PART, FIRST_BOUND, FIRST_STEPS, MORE_BOUND, MORE_STEPS,
};
use crate::sets::distances::{DistanceSearch, Distances};
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_model::Model;

/// What was found of the target, whether all states were met, and the method and the bound that did
/// it.
type Answer = (Option<Found>, bool, Method, Option<u64>);

/// A way to compute an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The distances of all states, by saturation and, if that does not end, by chaining.
    AllDistances,
    /// Saturation with a bound that grows from turn to turn.
    Bounded,
}

/// Turns with more and more steps for every way, without end.
struct Turns {
    first_steps: u64,
}

impl Turns {
    fn of<S: Distances>(sets: &S) -> Turns {
        Turns { first_steps: FIRST_STEPS.of(sets.event_count() as u64) }
    }
}

impl RacePolicy<Way> for Turns {
    fn steps(&self, round: usize) -> Option<u64> {
        Some(self.first_steps.saturating_mul(MORE_STEPS.saturating_pow(round as u32)))
    }

    fn allowed(&self, _round: usize, _number: usize, steps: u64, _least: Option<u64>) -> u64 {
        steps
    }

    fn is_decided(&self, _round: usize, _used: u64) -> bool {
        true
    }

    fn next(&self, _round: usize, ranked: Vec<(BigUint, Way)>) -> Vec<Way> {
        ranked.into_iter().map(|(_, way)| way).collect()
    }

    fn runs_alone(&self, _round: usize) -> bool {
        true
    }
}

/// Answers a search, with a bound or without. `known` has all reachable states, if these are known.
pub(super) fn search<S: Distances>(
    sets: &mut S,
    model: &Model,
    search: &Search<'_>,
    known: Option<&S::Set>,
) -> Result<Answer, Interrupted> {
    // If no state is in the target, no distance matters.
    if let Some(states) = known {
        let goal = in_target(sets, search.target, states)?;
        if sets.is_empty(&goal) {
            return Ok((None, true, Method::Auto, None));
        }
    }
    // Where states may be infinitely many, what is bounded comes first.
    let ways =
        if search.is_finite { [Way::AllDistances, Way::Bounded] } else { [Way::Bounded, Way::AllDistances] };
    first_answer(sets, &ways, |sets, way, round, steps| match way {
        Way::Bounded => by_bounded(sets, model, search, round, steps),
        Way::AllDistances => by_all_distances(sets, model, search, steps),
    })
}

/// The distances of all reachable states, of which there must be finitely many.
pub(super) fn distances<S: Distances>(sets: &mut S) -> Result<S::Function, Interrupted> {
    first_answer(sets, &[Way::AllDistances], |sets, _, _, steps| all_distances(sets, steps))
}

/// Lets the ways race until one of them answers.
fn first_answer<S: Distances, T>(
    sets: &mut S,
    ways: &[Way],
    attempt: impl Fn(&mut S, Way, usize, u64) -> Result<Option<T>, Interrupted>,
) -> Result<T, Interrupted> {
    let turns = Turns::of(sets);
    let mut states_found = BigUint::ZERO;
    let ended = race(&turns, ways.to_vec(), &mut states_found, |&way, round, steps| {
        let answer = attempt(sets, way, round, steps)?;
        Ok(answer.map_or(Run::Stopped(BigUint::ZERO), |answer| Run::Finished(answer, 0)))
    })?;
    match ended {
        Ended::Won { finished, .. } => Ok(finished),
        Ended::Leads(_) => unreachable!("turns never end without an answer"),
    }
}

/// The answer of a computation, unless it takes more than `steps`.
fn within<S: Distances, T>(
    sets: &mut S,
    steps: u64,
    compute: impl FnOnce(&mut S) -> Result<T, Interrupted>,
) -> Result<Option<T>, Interrupted> {
    let limit = sets.meter().grant_at_most(steps);
    let answer = compute(sets);
    sets.meter().restore(limit);
    match answer {
        Ok(answer) => Ok(Some(answer)),
        // Unless it is the steps of the caller that are used up.
        Err(Interrupted::Steps) if !sets.meter().is_exhausted() => Ok(None),
        Err(why) => Err(why),
    }
}

/// All distances, by saturation or by chaining.
fn all_distances<S: Distances>(sets: &mut S, steps: u64) -> Result<Option<S::Function>, Interrupted> {
    let initial = sets.initial()?;
    let saturated = within(sets, steps, |sets| sets.distances(&initial, DistanceSearch::Saturation))?;
    if saturated.is_some() {
        return Ok(saturated);
    }
    within(sets, steps / CHAINING_PART, |sets| sets.distances(&initial, DistanceSearch::Chaining))
}

/// The answer by the distances of all states.
fn by_all_distances<S: Distances>(
    sets: &mut S,
    model: &Model,
    search: &Search<'_>,
    steps: u64,
) -> Result<Option<Answer>, Interrupted> {
    let Some(values) = all_distances(sets, steps)? else { return Ok(None) };
    let (found, _) = answer(sets, model, search, u64::MAX, &Reached::Valued(values))?;
    // What lies further away does not answer a question with a bound, but the model is not free of
    // it.
    let most = search.bound.unwrap_or(u64::MAX);
    let is_far = found.as_ref().is_some_and(|found| found.distance.is_none_or(|distance| distance > most));
    Ok(Some((if is_far { None } else { found }, !is_far, Method::Auto, search.bound)))
}

/// The answer by saturation with a bound, if that is all that was asked for, or if it finds
/// something.
fn by_bounded<S: Distances>(
    sets: &mut S,
    model: &Model,
    search: &Search<'_>,
    round: usize,
    steps: u64,
) -> Result<Option<Answer>, Interrupted> {
    let most = search.bound.unwrap_or(u64::MAX);
    // Where a bound was given and states may be infinitely many, that bound is tried at once: all
    // others are detours.
    let bound = if round == 0 && !search.is_finite && search.bound.is_some() {
        most
    } else {
        FIRST_BOUND.saturating_mul(MORE_BOUND.saturating_pow(round as u32)).min(most)
    };
    let reached = within(sets, steps / BOUNDED_PART, |sets| run_method(sets, Method::EddExact, bound))?;
    let Some(reached) = reached else { return Ok(None) };
    let (found, is_complete) = answer(sets, model, search, bound, &reached)?;
    let is_answer = found.is_some() || is_complete || bound == most;
    Ok(is_answer.then_some((found, is_complete, Method::Auto, Some(bound))))
}
