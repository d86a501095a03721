//! Runs of a model that moves event by event.

use crate::{EventId, State};

/// A run of a model: an initial state, and the events that happen one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where the run starts.
    pub initial: State,
    /// What happens, in order.
    pub events: Vec<EventId>,
}
