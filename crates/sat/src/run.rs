//! Runs of models of both kinds.

use symbolon_explicit::{JointTrace, Trace};
use symbolon_model::State;

/// A run of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// One event after the other.
    Events(Trace),
    /// All agents step at once.
    Joint(JointTrace),
}

impl Run {
    /// The number of events.
    pub fn event_count(&self) -> usize {
        match self {
            Run::Events(trace) => trace.events.len(),
            Run::Joint(trace) => trace.steps.len(),
        }
    }

    /// Where it starts.
    pub fn initial(&self) -> &State {
        match self {
            Run::Events(trace) => &trace.initial,
            Run::Joint(trace) => &trace.initial,
        }
    }
}
