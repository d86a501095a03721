//! The correspondence of transformations that keep the reachability graph as it is: every state of
//! the result stands for one original state, and every original variable is a sum of variables of
//! the result.

use crate::lift::{Lift, LiftedRun, NoLift};
use crate::weigh::Weigh;
use num_bigint::BigUint;
use symbolon_model::{Atom, EventId, Linear, State, Trace};

/// A table of what each original variable and event became.
///
/// An original event may have several copies in the result, of which at most one is enabled in a
/// state, or share one with other events that are enabled and act exactly as it does, or have none
/// if it can never happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneToOne {
    values: Vec<Linear>,
    copies: Vec<Vec<EventId>>,
    origins: Vec<EventId>,
    counts_events: bool,
}

impl OneToOne {
    /// The correspondence where original variable `v` has the value of the sum `values[v]`,
    /// original event `e` is enabled where one of `copies[e]` is, and the result has `event_count`
    /// events.
    ///
    /// # Panics
    ///
    /// If an event of the result is no copy of any original event.
    pub fn new(values: Vec<Linear>, copies: Vec<Vec<EventId>>, event_count: usize) -> OneToOne {
        let mut origins = vec![None; event_count];
        let mut counts_events = true;
        for (original, copies) in copies.iter().enumerate() {
            for copy in copies {
                let origin = &mut origins[copy.index()];
                counts_events &= origin.is_none();
                origin.get_or_insert(EventId(original as u32));
            }
        }
        let origins = origins.into_iter().map(|origin| origin.expect("RED-2: every event has an origin"));
        OneToOne { values, copies, origins: origins.collect(), counts_events }
    }

    /// The original event that an event of the result stands for; the first, if there are several.
    pub fn origin(&self, event: EventId) -> EventId {
        self.origins[event.index()]
    }
}

impl Lift for OneToOne {
    fn state(&self, state: &[u64]) -> State {
        // A value of an original state is a natural number of 64 bits (RED-3).
        self.values.iter().map(|sum| sum.value(state) as u64).collect()
    }

    fn run(&self, run: &Trace) -> Result<LiftedRun, NoLift> {
        let events = run.events.iter().map(|&event| self.origin(event)).collect();
        Ok(LiftedRun {
            run: Trace { initial: self.state(&run.initial), events },
            positions: (0..=run.events.len()).collect(),
        })
    }
}

impl Weigh for OneToOne {
    fn variable_count(&self) -> usize {
        self.values.len()
    }

    fn event_count(&self) -> usize {
        self.copies.len()
    }

    fn is_one_to_one(&self) -> bool {
        true
    }

    fn states(&self, _state: &[u64]) -> BigUint {
        BigUint::from(1_u32)
    }

    fn edges(&self, _state: &[u64], is_enabled: &dyn Fn(EventId) -> bool) -> BigUint {
        let enabled = self.copies.iter().filter(|copies| copies.iter().any(|&copy| is_enabled(copy)));
        BigUint::from(enabled.count())
    }

    fn counts_events(&self) -> bool {
        self.counts_events
    }

    fn sum(&self, sum: &Linear) -> Option<Linear> {
        sum.substitute(|variable| self.values.get(variable.index()).cloned())
    }

    fn fireable(&self, event: EventId) -> Option<Atom> {
        Some(Atom::Fireable(self.copies.get(event.index())?.clone()))
    }
}
