//! The step counter of one computation.

use crate::{Budget, Interrupted};

/// A meter consults its budget once in this many steps.
pub const STEPS_PER_LOOK: u64 = 1024;

/// Words that are handled in about the time of a step.
pub const WORDS_PER_STEP: usize = 1024;

/// Counts the steps of one computation and consults the budget now and then.
///
/// What a step is, each computation says for itself; it must be deterministic, so that equal runs
/// count equal steps and a step limit always cuts at the same place.
#[derive(Clone, Debug)]
pub struct Meter {
    budget: Budget,
    steps: u64,
    next_look: u64,
    step_limit: u64,
}

/// The limit of a meter at some time.
#[derive(Clone, Copy, Debug)]
pub struct StepLimit(u64);

impl Meter {
    /// A meter at zero.
    pub fn new(budget: Budget) -> Self {
        Meter::with_step_limit(budget, u64::MAX)
    }

    /// A meter that grants `step_limit` steps.
    pub fn with_step_limit(budget: Budget, step_limit: u64) -> Self {
        Meter { budget, steps: 0, next_look: STEPS_PER_LOOK.min(step_limit.saturating_add(1)), step_limit }
    }

    /// Counts one step.
    #[inline]
    pub fn step(&mut self) -> Result<(), Interrupted> {
        self.steps += 1;
        if self.steps >= self.next_look { self.look() } else { Ok(()) }
    }

    /// Charges work on something long: a step for each [`WORDS_PER_STEP`] words of it, so that the
    /// budget is consulted in time where single steps take long.
    #[inline]
    pub fn words(&mut self, count: usize) -> Result<(), Interrupted> {
        if count < WORDS_PER_STEP {
            return Ok(());
        }
        self.steps += (count / WORDS_PER_STEP) as u64;
        if self.steps >= self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Interrupted> {
        if self.steps > self.step_limit {
            return Err(Interrupted::Steps);
        }
        self.next_look = (self.steps + STEPS_PER_LOOK).min(self.step_limit.saturating_add(1));
        self.budget.check()
    }

    /// Grants `more` steps from here on, and no others; `None` takes the limit away.
    pub fn grant_steps(&mut self, more: Option<u64>) {
        self.set_limit(more.map_or(u64::MAX, |more| self.steps.saturating_add(more)));
    }

    /// Grants `more` steps from here on, but not more than were granted before. What comes back
    /// gives the limit of before to [`Meter::restore`].
    pub fn grant_at_most(&mut self, more: u64) -> StepLimit {
        let before = self.step_limit;
        let here = self.steps.saturating_add(more);
        self.set_limit(before.min(here));
        StepLimit(before)
    }

    /// Sets the limit that stood before [`Meter::grant_at_most`].
    pub fn restore(&mut self, before: StepLimit) {
        self.set_limit(before.0);
    }

    fn set_limit(&mut self, step_limit: u64) {
        self.step_limit = step_limit;
        self.next_look = (self.steps + STEPS_PER_LOOK).min(step_limit.saturating_add(1));
    }

    /// Whether all steps that were granted have been taken.
    pub fn is_exhausted(&self) -> bool {
        self.steps > self.step_limit
    }

    /// The steps counted so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Puts another budget behind this meter; returns the one before.
    pub fn replace_budget(&mut self, budget: Budget) -> Budget {
        std::mem::replace(&mut self.budget, budget)
    }

    /// The budget behind this meter.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }
}
