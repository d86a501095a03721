//! A trace as state sets find it: an initial state and the events that lead on from there.

use symbolon_model::{EventId, Model, State};

/// A trace, and whether no shorter one exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTrace {
    /// The initial state.
    pub initial: State,
    /// The events, in order.
    pub events: Vec<EventId>,
    /// Whether no trace to the target is shorter.
    pub is_shortest: bool,
    /// The states after each event, in models with synchronous steps, whose events do not say where
    /// they lead. Otherwise none: events tell.
    pub states: Vec<State>,
}

impl FoundTrace {
    /// The state after the event with this number, which happens in `state`.
    pub(crate) fn state_after(&self, model: &Model, number: usize, state: &State) -> Option<State> {
        match self.states.get(number) {
            Some(state) => Some(state.clone()),
            None => model.event(self.events[number]).fire(state).ok()?,
        }
    }
}
