//! States from which a path stays in a set for ever: `E G p`, with and without fairness.
//!
//! Paths that end in dead states are dealt with first, by one closure backwards. Without fairness,
//! the rest is *trimmed*: states without a successor in the set leave it until none does. That is
//! quick where every state has a successor, and slow where long chains run out. So now and then a
//! state is tried, after 1, 2, 4, … rounds: if it lies on a cycle, all that reaches it inside the
//! set belongs to the answer and need not be trimmed any more. One closure by saturation often
//! settles everything, since the states of most models form few strongly connected components.
//!
//! With fairness: Emerson and Lei (LICS 1986), whose least fixpoints are closures by saturation
//! here, with trimming in between.

use super::{TemporalChecker, stutters};
use crate::policy::temporal::WALK_STEPS;
use crate::sets::core::StateSets;
use crate::trace::successor_in;
use rustc_hash::FxHashSet;
use symbolon_budget::Interrupted;
use symbolon_logic::Paths;
use symbolon_model::{EventId, State};
use symbolon_random::Random;

impl<S: StateSets> TemporalChecker<'_, S> {
    /// The states of `within` from which a path that counts stays in `within` for ever, and meets
    /// each set of `again` again and again.
    pub(super) fn cycles(
        &mut self,
        within: &S::Set,
        again: &[S::Set],
        paths: Paths,
    ) -> Result<S::Set, Interrupted> {
        let mut constraints: Vec<S::Set> = Vec::new();
        for constraint in self.fairness.clone().iter().chain(again) {
            let missing = self.sets.difference(within, constraint)?;
            if !self.sets.is_empty(&missing) && !constraints.contains(constraint) {
                constraints.push(constraint.clone());
            }
        }
        let mut found = self.sets.none();
        let mut open = within.clone();
        if stutters(paths) {
            let dead = self.dead()?;
            let mut ends = self.sets.intersection(&dead, within)?;
            for constraint in &constraints {
                ends = self.sets.intersection(&ends, constraint)?;
            }
            if !self.sets.is_empty(&ends) {
                found = self.sets.backward_closure(&ends, within)?;
                open = self.sets.difference(within, &found)?;
            }
        }
        self.sets.collect_if_due();
        let rest = if constraints.is_empty() {
            self.staying(open)?
        } else {
            self.staying_fairly(open, &constraints)?
        };
        self.sets.collect_if_due();
        self.sets.union(&found, &rest)
    }

    /// The states of `open` from which an infinite path stays in it.
    fn staying(&mut self, mut open: S::Set) -> Result<S::Set, Interrupted> {
        let mut found = self.sets.none();
        let (mut round, mut next_trial) = (0_u64, 1);
        while !self.sets.is_empty(&open) {
            let kept = self.sets.preimage_of_any(&open, &open)?;
            self.sets.collect_if_due();
            if kept == open {
                return self.sets.union(&found, &open);
            }
            open = kept;
            round += 1;
            if round == next_trial {
                next_trial *= 2;
                if let Some(reaching) = self.reaching_a_cycle(&open, round)? {
                    found = self.sets.union(&found, &reaching)?;
                    open = self.sets.difference(&open, &reaching)?;
                    self.sets.collect_if_due();
                }
            }
        }
        Ok(found)
    }

    /// A cycle inside `open` is looked for around one state. If there is one, what reaches it
    /// inside `open`.
    fn reaching_a_cycle(&mut self, open: &S::Set, seed: u64) -> Result<Option<S::Set>, Interrupted> {
        let Some(start) = self.sets.choose(open) else { return Ok(None) };
        let mut numbers = Random::new(seed);
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut state = start;
        for _ in 0..WALK_STEPS {
            if !seen.insert(state.clone()) {
                break;
            }
            match self.some_successor(&state, open, numbers.next_u64())? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        let target = self.sets.singleton(&state)?;
        let reaching = self.sets.backward_closure(&target, open)?;
        let next = self.sets.image_of_any(&target)?;
        let closing = self.sets.intersection(&next, &reaching)?;
        Ok((!self.sets.is_empty(&closing)).then_some(reaching))
    }

    /// A successor inside `within`, the first one found from the event with number `first` on, and
    /// around.
    fn some_successor(
        &mut self,
        state: &State,
        within: &S::Set,
        first: u64,
    ) -> Result<Option<State>, Interrupted> {
        let count = self.model.events.len();
        for step in 0..count {
            let event = EventId(((first as usize % count + step) % count) as u32);
            let next = successor_in(self.sets, self.model, event, state, within)?;
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    /// The states of `open` from which an infinite path stays in it and meets each constraint again
    /// and again.
    fn staying_fairly(&mut self, mut open: S::Set, constraints: &[S::Set]) -> Result<S::Set, Interrupted> {
        loop {
            let before = open.clone();
            for constraint in constraints {
                let goal = self.sets.intersection(&open, constraint)?;
                let goal = self.sets.preimage_of_any(&open, &goal)?;
                if self.sets.is_empty(&goal) {
                    return Ok(goal);
                }
                open = self.sets.backward_closure(&goal, &open)?;
                self.sets.collect_if_due();
            }
            // Whatever has no successor left would cost a whole round of closures otherwise.
            loop {
                let kept = self.sets.preimage_of_any(&open, &open)?;
                self.sets.collect_if_due();
                if kept == open {
                    break;
                }
                open = kept;
            }
            if open == before {
                return Ok(open);
            }
        }
    }
}
