//! Several computations take turns; whoever ends first, answers.
//!
//! Saturation with distances costs about what saturation costs, on most models. A trial before this kernel met two families on which it was far dearer.
//! On Dekker's algorithm the reason was that events fired one by one: since all events of a level fire as one group (`dd-mdd`, `relation.rs`), 15 processes
//! make 315 nodes instead of 574 186. On slotted rings groups change nothing; distances are larger functions there than the set is, and merged levels
//! make them bearable (`bench/distances.md` has the figures). Other models may still be of the first sort, so chaining, which did Dekker at
//! once, is kept. Where states are infinitely many, neither
//! ends, but bounded saturation does. Nothing tells beforehand, so each gets some steps, then each gets more. A computation that was interrupted
//! starts again, but finds much of its work in the cache.

use super::{Found, Method, Reached, Search};
use crate::sets::core::StateSets;
use crate::sets::mdd::MddSets;
use symbolon_budget::Interrupted;
use symbolon_dd_core::Root;
use symbolon_dd_weighted::Function;
use symbolon_model::Model;

/// Steps of saturation in the first turn: so many, and so many an event.
const FIRST_STEPS: u64 = 300_000;
const STEPS_PER_EVENT: u64 = 40;
/// What part of them chaining gets, and bounded saturation: both are needed seldom.
const CHAINING_PART: u64 = 8;
const BOUNDED_PART: u64 = 4;
/// Every turn has so many times the steps of the one before …
const MORE_STEPS: u64 = 4;
/// … and bounded saturation a bound so many times as large.
const MORE_BOUND: u64 = 2;
const FIRST_BOUND: u64 = 16;

/// What was found of the target, whether all states were met, and the method and the bound that did it.
type Answer = (Option<Found>, bool, Method, Option<u64>);

/// Answers a search, with a bound or without. `known` has all reachable states, if these are known.
pub(super) fn search(
    sets: &mut MddSets,
    model: &Model,
    search: &Search<'_>,
    known: Option<&Root>,
) -> Result<Answer, Interrupted> {
    // If the target is nowhere, no distance matters.
    if let Some(states) = known {
        let goal = sets.in_target(search.target, states)?;
        if sets.is_empty(&goal) {
            return Ok((None, true, Method::Auto, None));
        }
    }
    let most = search.bound.unwrap_or(u64::MAX);
    let mut turn = Turn::first(sets);
    loop {
        // Where states may be infinitely many, what is bounded comes first.
        for is_bounded in [!search.is_finite, search.is_finite] {
            let answer = if is_bounded {
                turn.by_bounded(sets, model, search, most)?
            } else {
                turn.by_all_distances(sets, model, search, most)?
            };
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        turn = turn.next();
    }
}

/// The distances of all reachable states, of which there must be finitely many.
pub(super) fn distances(sets: &mut MddSets) -> Result<Function, Interrupted> {
    let mut turn = Turn::first(sets);
    loop {
        if let Some(values) = turn.distances(sets)? {
            return Ok(values);
        }
        turn = turn.next();
    }
}

/// What everybody may do in one turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    steps: u64,
    bound: u64,
}

impl Turn {
    fn first(sets: &MddSets) -> Turn {
        let events = sets.event_count() as u64;
        Turn { steps: FIRST_STEPS + STEPS_PER_EVENT * events, bound: FIRST_BOUND }
    }

    fn next(self) -> Turn {
        Turn { steps: self.steps.saturating_mul(MORE_STEPS), bound: self.bound.saturating_mul(MORE_BOUND) }
    }

    /// The answer of a computation, unless it takes more than so small a part of the steps.
    fn within<T>(
        self,
        sets: &mut MddSets,
        part: u64,
        compute: impl Fn(&mut MddSets) -> Result<T, Interrupted>,
    ) -> Result<Option<T>, Interrupted> {
        let limit = sets.meter().grant_at_most(self.steps / part);
        let answer = loop {
            match compute(sets) {
                Err(Interrupted::Overflow) if sets.tries_more_values() => {}
                answer => break answer,
            }
        };
        sets.meter().restore(limit);
        match answer {
            Ok(answer) => Ok(Some(answer)),
            // Unless it is the steps of whoever asked that are used up.
            Err(Interrupted::Steps) if !sets.meter().is_exhausted() => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The answer by the distances of all states.
    fn by_all_distances(
        self,
        sets: &mut MddSets,
        model: &Model,
        search: &Search<'_>,
        most: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        let Some(values) = self.distances(sets)? else { return Ok(None) };
        let (found, _) = sets.answer(model, search, u64::MAX, &Reached::Valued(values))?;
        // What lies further away is no answer to a question with a bound, but the model is not free of it.
        let is_far =
            found.as_ref().is_some_and(|found| found.distance.is_none_or(|distance| distance > most));
        Ok(Some((if is_far { None } else { found }, !is_far, Method::Auto, search.bound)))
    }

    /// The answer by saturation with a bound, if that is all that was asked for, or if it finds something.
    fn by_bounded(
        self,
        sets: &mut MddSets,
        model: &Model,
        search: &Search<'_>,
        most: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        // Where a bound was given and states may be infinitely many, that bound is tried at once: all others are detours.
        let is_first = self.bound == FIRST_BOUND && !search.is_finite;
        let bound = if is_first && search.bound.is_some() { most } else { self.bound.min(most) };
        let reached = self.within(sets, BOUNDED_PART, |sets| sets.run(Method::EddExact, bound))?;
        let Some(reached) = reached else { return Ok(None) };
        let (found, is_complete) = sets.answer(model, search, bound, &reached)?;
        let is_answer = found.is_some() || is_complete || bound == most;
        Ok(is_answer.then_some((found, is_complete, Method::Auto, Some(bound))))
    }

    /// All distances, by saturation or by chaining.
    fn distances(self, sets: &mut MddSets) -> Result<Option<Function>, Interrupted> {
        let initial = sets.initial()?;
        let saturated = self.within(sets, 1, |sets| {
            let mut edd = sets.edd();
            let start = edd.of_set(initial.node())?;
            let all = edd.saturate(start)?;
            Ok(edd.function(all))
        })?;
        if saturated.is_some() {
            return Ok(saturated);
        }
        self.within(sets, CHAINING_PART, |sets| {
            let mut edd = sets.edd();
            let start = edd.of_set(initial.node())?;
            let all = edd.chain(start)?;
            Ok(edd.function(all))
        })
    }
}
