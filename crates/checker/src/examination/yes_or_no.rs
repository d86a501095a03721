//! The examinations with one yes-or-no answer, each by structure, by walks, by diagrams and by a
//! table of states.

use crate::loaded::{Language, Loaded};
use crate::options::Options;
use crate::policy::examinations::{
    FEW_STATES, LONGEST_WALK, MOST_TESTS, STEPS_PER_WALK, WALK_SHARE, WALK_STEPS,
};
use crate::report::{Outcome, Unknown};
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{self as engine, Explored, StateSets, WalkOptions, Walked, random_walks};
use symbolon_explicit as explicit;
use symbolon_model::EventId;

/// The examinations with one yes-or-no answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Deadlock,
    OneSafe,
    StableMarking,
    QuasiLiveness,
    Liveness,
}

impl Question {
    /// What the structure of the net proves.
    pub(super) fn by_structure(self, loaded: &Loaded) -> Option<bool> {
        let analysis = &loaded.analysis;
        let initial = &loaded.model.initial[0];
        match self {
            Question::Deadlock => {
                let always = loaded.model.events.iter().any(|event| event.parts.is_empty());
                always.then_some(false)
            }
            Question::OneSafe => {
                if initial.iter().any(|&tokens| tokens > 1) || loaded.unbounded_place().is_some() {
                    return Some(false);
                }
                let bounds = &analysis.upper_bounds;
                let is_safe =
                    bounds.len() == initial.len() && bounds.iter().all(|bound| bound.is_some_and(|b| b <= 1));
                is_safe.then_some(true)
            }
            Question::StableMarking if loaded.language() != Language::Net => None,
            Question::StableMarking => {
                let mut touched = vec![false; initial.len()];
                let is_dead = analysis.dead.transition_flags(loaded.net());
                for (transition, dead) in loaded.net().transitions.iter().zip(is_dead) {
                    if dead {
                        continue;
                    }
                    for access in transition.accesses().filter(|access| access.may_change()) {
                        touched[access.place.index()] = true;
                    }
                }
                touched.contains(&false).then_some(true)
            }
            Question::QuasiLiveness | Question::Liveness => {
                (!analysis.dead.transitions.is_empty()).then_some(false)
            }
        }
    }

    /// What random walks prove by what they meet.
    pub(super) fn by_walks(self, loaded: &Loaded, options: &Options, budget: &Budget) -> Option<bool> {
        let time = budget.time_left().map_or(LONGEST_WALK, |left| (left / WALK_SHARE).min(LONGEST_WALK));
        let walk = WalkOptions { steps: WALK_STEPS, steps_per_walk: STEPS_PER_WALK, seed: options.seed };
        let decided = |walked: &Walked| match self {
            // Where nothing can happen, nothing can happen again; unless there is nothing that
            // could.
            Question::Deadlock | Question::Liveness => walked.dead.is_some(),
            Question::OneSafe => walked.largest.iter().any(|&largest| largest > 1),
            Question::StableMarking => {
                walked.smallest.iter().zip(&walked.largest).all(|(low, high)| low < high)
            }
            Question::QuasiLiveness => walked.ever_enabled.iter().all(|&enabled| enabled),
        };
        let walked = random_walks(&loaded.model, walk, &budget.slice(time), decided).ok()?;
        if !decided(&walked) {
            return None;
        }
        match self {
            Question::Deadlock => {
                let (initial, events) = walked.dead?;
                crate::deadlock::dead_witness(loaded, initial, events, false).ok().map(|_| true)
            }
            Question::Liveness => {
                let (initial, events) = walked.dead?;
                let is_dead = crate::deadlock::dead_witness(loaded, initial, events, false).is_ok();
                (is_dead && !loaded.model.events.is_empty()).then_some(false)
            }
            Question::OneSafe | Question::StableMarking => Some(false),
            Question::QuasiLiveness => Some(true),
        }
    }

    /// What a table of all states says, if they are few.
    pub(super) fn by_few_states(self, loaded: &Loaded, budget: &Budget) -> Option<bool> {
        let state_limit = FEW_STATES.min(MOST_TESTS / loaded.model.events.len().max(1));
        self.by_table(loaded, &explicit::Options { state_limit: Some(state_limit) }, budget).ok()
    }

    /// What a table of all states says.
    pub(super) fn by_explicit(self, loaded: &Loaded, budget: &Budget) -> Outcome<bool> {
        self.by_table(loaded, &explicit::Options::default(), budget)
    }

    fn by_table(self, loaded: &Loaded, options: &explicit::Options, budget: &Budget) -> Outcome<bool> {
        let model = &loaded.model;
        let explored = explicit::explore(model, options, budget);
        let answer = explored.and_then(|states| {
            Ok(match self {
                Question::Deadlock => !states.dead_states().is_empty(),
                Question::OneSafe => states.max_in_variable() <= 1,
                Question::StableMarking => !states.constant_variables().is_empty(),
                Question::QuasiLiveness => states.quasi_live_events().len() == model.events.len(),
                Question::Liveness => {
                    let live = states.live_events(model, budget);
                    let stopped = |reason| explicit::Stopped { reason, states: states.state_count() };
                    live.map_err(stopped)?.len() == model.events.len()
                }
            })
        });
        answer.map_err(Unknown::from)
    }
}

/// What the reachable set says.
impl engine::Question for Question {
    type Answer = bool;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<bool, Interrupted> {
        let Explored { sets, reached, .. } = &mut explored;
        Ok(match self {
            Question::Deadlock => {
                let dead = sets.dead(reached)?;
                !sets.is_empty(&dead)
            }
            Question::OneSafe => sets.analyse(reached)?.largest.iter().all(|&largest| largest <= 1),
            Question::StableMarking => {
                let figures = sets.analyse(reached)?;
                figures.smallest.iter().zip(&figures.largest).any(|(low, high)| low == high)
            }
            Question::QuasiLiveness => sets.ever_enabled(reached)?.into_iter().all(|enabled| enabled),
            Question::Liveness => is_live(sets, reached)?,
        })
    }
}

/// Whether every event can happen again from every state.
fn is_live<S: StateSets>(sets: &mut S, reached: &S::Set) -> Result<bool, Interrupted> {
    let stuck = sets.dead(reached)?;
    if !sets.is_empty(&stuck) {
        return Ok(sets.event_count() == 0);
    }
    for event in (0..sets.event_count() as u32).map(EventId) {
        let enabled = sets.enabled(event, reached)?;
        if sets.is_empty(&enabled) {
            return Ok(false);
        }
        let can = sets.backward_closure(&enabled, reached)?;
        if can != *reached {
            return Ok(false);
        }
        sets.collect_if_due();
    }
    Ok(true)
}
