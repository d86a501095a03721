//! Step-by-step replay of traces. No witness is shown before it was walked here.

use crate::initial_states::is_initial;
use symbolon_model::{EventId, Model, OutOfRange, State, Trace, VariableId};

/// Why a trace is not a run of the model. Steps are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first state is not an initial state of the model.
    #[error("the trace does not start in an initial state")]
    NotInitial,
    /// The model has no event of this number.
    #[error("step {step} names an event that the model does not have")]
    UnknownEvent {
        /// The step.
        step: usize,
    },
    /// The event cannot happen in the state reached so far.
    #[error("the event of step {step} is not enabled")]
    NotEnabled {
        /// The step.
        step: usize,
        /// The event.
        event: EventId,
    },
    /// The event would give the variable a value that no state can hold.
    #[error("the event of step {step} drives a variable out of range")]
    OutOfRange {
        /// The step.
        step: usize,
        /// The event.
        event: EventId,
        /// The variable.
        variable: VariableId,
    },
    /// The state where the loop starts is not the last one, or nothing happens in the loop.
    #[error("the loop that starts after {start} steps does not close")]
    LoopOpen {
        /// The number of steps before the loop.
        start: usize,
    },
    /// A path that claims to be over ends where something can still happen.
    #[error("the path ends in a state that is not dead")]
    NotDead,
    /// A state that is claimed to look the same to an agent does not, or one that is claimed to be
    /// correct is not.
    #[error("the state that a branch leads to is not what it is said to be")]
    NotAlike {
        /// The number of steps of the path before the branch.
        position: usize,
    },
    /// A branch starts in another state than the one that it leaves the path at.
    #[error("a branch does not start where it leaves the path")]
    BranchElsewhere {
        /// The number of steps of the path before the branch.
        position: usize,
    },
}

/// Walks along `trace`. The answer holds every state on the way: one more than there are events.
pub fn replay(model: &Model, trace: &Trace) -> Result<Vec<State>, ReplayError> {
    let mut states = vec![trace.initial.clone()];
    replay_each(model, trace, |_, _, after| states.push(after.into()))?;
    Ok(states)
}

/// Walks along `trace` and shows each step as its event and the states before and after it. Holds
/// two states at a time, however long the trace is. Returns the last state.
pub fn replay_each(
    model: &Model,
    trace: &Trace,
    visit: impl FnMut(EventId, &[u64], &[u64]),
) -> Result<State, ReplayError> {
    if !is_initial(model, &trace.initial) {
        return Err(ReplayError::NotInitial);
    }
    walk_each(model, trace, visit)
}

/// Walks along `trace`, wherever it starts, and returns every state on the way.
pub(crate) fn walk(model: &Model, trace: &Trace) -> Result<Vec<State>, ReplayError> {
    let mut states = vec![trace.initial.clone()];
    walk_each(model, trace, |_, _, after| states.push(after.into()))?;
    Ok(states)
}

fn walk_each(
    model: &Model,
    trace: &Trace,
    mut visit: impl FnMut(EventId, &[u64], &[u64]),
) -> Result<State, ReplayError> {
    let mut before = trace.initial.clone();
    let mut after = before.clone();
    for (step, &event) in trace.events.iter().enumerate() {
        let Some(definition) = model.events.get(event.index()) else {
            return Err(ReplayError::UnknownEvent { step });
        };
        if !definition.is_enabled(&before) {
            return Err(ReplayError::NotEnabled { step, event });
        }
        // Only what is written is touched: a long trace of a large net costs no copy per step.
        definition
            .each_write(&before, |variable, value| after[variable.index()] = value)
            .map_err(|OutOfRange(variable)| ReplayError::OutOfRange { step, event, variable })?;
        visit(event, &before, &after);
        for variable in definition.variables() {
            before[variable.index()] = after[variable.index()];
        }
    }
    Ok(after)
}
