//! The reference kind: plain ordered sets of states.
//!
//! This file is all that a kind of state sets has to provide. It shares nothing with the diagrams,
//! takes its meaning of events from `symbolon_model` alone, and offers no capability beyond the
//! core.

use crate::kinds::Kind;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::sync::Arc;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::{Limits, Statistics};
use symbolon_engine::order::{Blocks, Order};
use symbolon_engine::{DiagramSetup, ExploreOptions, LinearTest, SetupError, StateSets, SumTest};
use symbolon_model::{EventId, Model, State, Step};

/// Sets up plain sets.
pub(crate) struct ReferenceSetup;

impl DiagramSetup for ReferenceSetup {
    type Sets = ReferenceSets;

    fn set_up(
        &self,
        model: &Model,
        _blocks: &Blocks,
        _order: &Order,
        meter: Meter,
        _limits: Limits,
    ) -> Result<ReferenceSets, SetupError> {
        Ok(ReferenceSets { model: model.clone(), meter })
    }
}

/// Sets of states of one model, as ordered sets.
pub(crate) struct ReferenceSets {
    model: Model,
    meter: Meter,
}

/// A set; clones share it.
type Plain = Arc<BTreeSet<State>>;

impl ReferenceSets {
    /// The states to which an event leads from `state`.
    fn successors(&mut self, event: EventId, state: &State) -> Result<Vec<State>, Interrupted> {
        self.meter.step()?;
        let event = self.model.event(event);
        if !event.is_synchronous() {
            let next = event.fire(state).map_err(|_| Interrupted::Overflow)?;
            return Ok(next.into_iter().collect());
        }
        let mut found = Vec::new();
        Step::new(&self.model, event).for_each(state, |_, next| {
            found.push(next.clone());
            true
        });
        Ok(found)
    }

    /// All states that the model describes as initial, out of all combinations of values.
    fn described(&mut self) -> Result<Vec<State>, Interrupted> {
        let Some(predicate) = &self.model.initially else { return Ok(self.model.initial.clone()) };
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for values in &self.model.values {
            let count = values.count().ok_or(Interrupted::Overflow)?;
            let longer = |state: Vec<u64>| (0..count).map(move |value| [state.as_slice(), &[value]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        let states = all.into_iter().map(Vec::into_boxed_slice);
        Ok(states.filter(|state| predicate.holds(state) == Some(true)).collect())
    }
}

impl StateSets for ReferenceSets {
    type Set = Plain;

    fn event_count(&self) -> usize {
        self.model.events.len()
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn statistics(&self) -> Statistics {
        Statistics { steps: self.meter.steps(), ..Statistics::default() }
    }

    fn none(&mut self) -> Plain {
        Plain::default()
    }

    fn initial(&mut self) -> Result<Plain, Interrupted> {
        Ok(Arc::new(self.described()?.into_iter().collect()))
    }

    fn singleton(&mut self, state: &[u64]) -> Result<Plain, Interrupted> {
        Ok(Arc::new(BTreeSet::from([state.into()])))
    }

    fn union(&mut self, a: &Plain, b: &Plain) -> Result<Plain, Interrupted> {
        Ok(Arc::new(&**a | &**b))
    }

    fn difference(&mut self, a: &Plain, b: &Plain) -> Result<Plain, Interrupted> {
        Ok(Arc::new(&**a - &**b))
    }

    fn select_sum(&mut self, set: &Plain, test: &LinearTest) -> Result<Plain, Interrupted> {
        let passes = |state: &&State| {
            let terms = test.terms.iter();
            let sum: i128 =
                terms.map(|(variable, weight)| weight * i128::from(state[variable.index()])).sum();
            match test.test {
                SumTest::AtMost => sum <= test.bound,
                SumTest::Exactly => sum == test.bound,
                SumTest::OtherThan => sum != test.bound,
            }
        };
        Ok(Arc::new(set.iter().filter(passes).cloned().collect()))
    }

    fn image(&mut self, event: EventId, from: &Plain) -> Result<Plain, Interrupted> {
        let mut image = BTreeSet::new();
        for state in from.iter() {
            image.extend(self.successors(event, state)?);
        }
        Ok(Arc::new(image))
    }

    fn preimage(&mut self, event: EventId, target: &Plain, within: &Plain) -> Result<Plain, Interrupted> {
        let mut preimage = BTreeSet::new();
        for state in within.iter() {
            if self.successors(event, state)?.iter().any(|next| target.contains(next)) {
                preimage.insert(state.clone());
            }
        }
        Ok(Arc::new(preimage))
    }

    fn is_empty(&self, set: &Plain) -> bool {
        set.is_empty()
    }

    fn contains(&mut self, set: &Plain, state: &[u64]) -> bool {
        set.contains(state)
    }

    fn count(&mut self, set: &Plain) -> Result<BigUint, Interrupted> {
        Ok(set.len().into())
    }

    fn choose(&mut self, set: &Plain) -> Option<State> {
        set.first().cloned()
    }

    fn node_count(&self, set: &Plain) -> usize {
        set.len()
    }

    fn count_edges(&mut self, set: &Plain) -> Result<Option<BigUint>, Interrupted> {
        if self.model.is_synchronous() {
            return Ok(None);
        }
        let enabled =
            |state: &State| self.model.events.iter().filter(|event| event.is_enabled(state)).count();
        Ok(Some(set.iter().map(enabled).sum::<usize>().into()))
    }
}

/// The reference in the suite.
pub(crate) struct Reference;

impl Kind for Reference {
    type Setup = ReferenceSetup;

    fn setup(_: &Model, _: &ExploreOptions, _: u64) -> ReferenceSetup {
        ReferenceSetup
    }
}
