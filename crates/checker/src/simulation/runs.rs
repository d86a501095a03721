//! Many steps at once: walks by chance, and runs that were saved.

use super::{Refusal, START, Simulation, joint};
use crate::report::{PartialReport, Unknown};
use symbolon_budget::{Budget, Interrupted};
use symbolon_model::Model;

/// The number of steps between two looks at the budget.
const STEPS_PER_LOOK: u64 = 256;

/// How a random walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The steps it took.
    pub taken: u64,
    /// Why it took no more.
    pub end: WalkEnd,
}

/// Why a random walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// All steps were taken.
    Done,
    /// No event is enabled.
    Dead,
    /// The event that chance picked drives a value out of range.
    Refused(Refusal),
    /// The budget ran out.
    Interrupted(Unknown),
}

/// Why a run could not be replayed to its end. The simulation stands where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// This step, counted from 1, is not possible.
    Refused {
        /// The step.
        step: usize,
        /// Why not.
        refusal: Refusal,
    },
    /// The budget ran out.
    Interrupted(Unknown),
}

impl Simulation {
    /// Takes up to that many random steps: each time one of the enabled events, all equally likely.
    pub fn walk(&mut self, steps: u64, budget: &Budget) -> Walk {
        self.walk_while(steps, budget, |_, _| true)
    }

    /// The same, as long as `goes_on` says so of the state.
    pub(super) fn walk_while(
        &mut self,
        steps: u64,
        budget: &Budget,
        goes_on: impl Fn(&Model, &[u64]) -> bool,
    ) -> Walk {
        for taken in 0..steps {
            if !goes_on(&self.model, &self.state) {
                return Walk { taken, end: WalkEnd::Done };
            }
            if taken.is_multiple_of(STEPS_PER_LOOK)
                && let Err(why) = budget.check()
            {
                return Walk { taken, end: WalkEnd::Interrupted(self.interrupted(why)) };
            }
            if self.is_joint() {
                let Some(chosen) = joint::by_chance(&self.model, &self.state, &mut self.random) else {
                    return Walk { taken, end: WalkEnd::Dead };
                };
                self.act(chosen);
                continue;
            }
            if self.is_dead() {
                return Walk { taken, end: WalkEnd::Dead };
            }
            let choice = self.random.below(self.enabled.count());
            let event = self.enabled.at(choice).expect("below the number of enabled events");
            if let Err(refusal) = self.fire(event) {
                return Walk { taken, end: WalkEnd::Refused(refusal) };
            }
        }
        Walk { taken: steps, end: WalkEnd::Done }
    }

    /// Goes back to the initial state, forgets the run, and lets these events happen in turn.
    pub fn replay<'a>(
        &mut self,
        events: impl IntoIterator<Item = &'a str>,
        budget: &Budget,
    ) -> Result<(), ReplayStop> {
        self.go_to(0);
        self.steps.clear();
        self.changes.clear();
        for (index, name) in events.into_iter().enumerate() {
            if let (0, Some(start)) = (index, name.strip_prefix(START))
                && self.names().find(&self.model, name).is_none()
            {
                self.begin(start).map_err(|refusal| ReplayStop::Refused { step: 1, refusal })?;
                continue;
            }
            if (index as u64).is_multiple_of(STEPS_PER_LOOK)
                && let Err(why) = budget.check()
            {
                return Err(ReplayStop::Interrupted(self.interrupted(why)));
            }
            let fired = match self.event_named(name) {
                Some(event) => self.fire(event),
                None if self.is_joint() => {
                    Err(Refusal::NotPossible { action: name.to_string(), why: self.why_not(name) })
                }
                None => Err(Refusal::NoSuchEvent { name: name.to_string(), language: self.language() }),
            };
            fired.map_err(|refusal| ReplayStop::Refused { step: index + 1, refusal })?;
        }
        Ok(())
    }

    fn interrupted(&self, why: Interrupted) -> Unknown {
        Unknown::interrupted(why, PartialReport { steps: self.position as u64, ..PartialReport::default() })
    }
}
