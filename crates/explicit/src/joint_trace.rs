//! Runs of models that move in synchronous steps: what every agent does, and the state that
//! follows.
//!
//! A step may lead to several states, so a run names both. Like all witnesses, a run is walked here
//! before it is shown.

use crate::initial_states::is_initial;
use crate::replay::ReplayError;
use symbolon_model::{EventId, Model, State, Step};

/// A run: an initial state, and steps one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointTrace {
    /// Where the run starts.
    pub initial: State,
    /// What happens, in order.
    pub steps: Vec<JointStep>,
}

/// What all agents do, and where that leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointStep {
    /// The event that the step is.
    pub event: EventId,
    /// A value for each action variable of the model.
    pub action: Box<[u64]>,
    /// The state that follows.
    pub state: State,
}

impl JointTrace {
    /// The state in which the run ends.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// Walks along `trace`: it starts in an initial state, and each step is one that the agents can
/// take.
pub fn replay_joint(model: &Model, trace: &JointTrace) -> Result<(), ReplayError> {
    if !is_initial(model, &trace.initial) {
        return Err(ReplayError::NotInitial);
    }
    walk_joint(model, trace)
}

/// Walks along `trace`, wherever it starts.
pub(crate) fn walk_joint(model: &Model, trace: &JointTrace) -> Result<(), ReplayError> {
    let mut before = &trace.initial;
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(event) = model.events.get(step.event.index()) else {
            return Err(ReplayError::UnknownEvent { step: number });
        };
        if !Step::new(model, event).leads(before, &step.action, &step.state) {
            return Err(ReplayError::NotEnabled { step: number, event: step.event });
        }
        before = &step.state;
    }
    Ok(())
}

/// The run through these states, with a joint action for each step; `None` where no action leads
/// from one to the next.
pub fn joint_trace_along(
    model: &Model,
    initial: State,
    states: impl IntoIterator<Item = (EventId, State)>,
) -> Option<JointTrace> {
    let mut trace = JointTrace { initial, steps: Vec::new() };
    for (event, state) in states {
        let step = Step::new(model, model.event(event));
        let action = step.action_between(trace.last(), &state)?;
        trace.steps.push(JointStep { event, action, state });
    }
    Some(trace)
}
