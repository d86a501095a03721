//! A run that does not replay: the sign of a mistake in this program.
//!
//! Every witness is replayed by the explicit simulator before it is returned (C2). Where that
//! fails, the verdict that the run was to show is not believed either: it becomes `unknown` with
//! the reason *internal*, and the run is kept so that the user can send it.

use crate::report::{PartialReport, Reason, Unknown};
use crate::stop::Stop;
use std::fmt::Write as _;
use symbolon_explicit::{JointTrace, Trace};
use symbolon_model::{EventId, Model};

/// A run that is not a run of the model, or does not show what it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplayFailure {
    why: String,
    run: String,
}

impl ReplayFailure {
    /// A trace that does not replay.
    pub(crate) fn of_trace(model: &Model, trace: &Trace, why: impl ToString) -> ReplayFailure {
        let events = trace.events.iter().map(|event| name(model, *event));
        ReplayFailure::new(model, &trace.initial, events, why)
    }

    /// A run from the initial state that does not replay.
    pub(crate) fn of_events(model: &Model, events: &[EventId], why: &str) -> ReplayFailure {
        let initial = model.initial.first().map_or(&[][..], |initial| initial);
        ReplayFailure::new(model, initial, events.iter().map(|event| name(model, *event)), why)
    }

    /// A run of synchronous steps that does not replay.
    pub(crate) fn of_joint_trace(model: &Model, trace: &JointTrace, why: impl ToString) -> ReplayFailure {
        let steps = trace.steps.iter().map(|step| format!("{:?} -> {:?}", step.action, step.state));
        ReplayFailure::new(model, &trace.initial, steps, why)
    }

    /// A run by its states and its steps.
    pub(crate) fn new(
        model: &Model,
        initial: &[u64],
        steps: impl Iterator<Item = String>,
        why: impl ToString,
    ) -> ReplayFailure {
        let why = why.to_string();
        let mut run = format!("# {}: {why}\n# initial state:", model.name);
        for (variable, value) in model.variables.iter().zip(initial).filter(|(_, value)| **value != 0) {
            let _ = write!(run, " {}={value}", variable.name);
        }
        run.push('\n');
        for step in steps {
            run.push_str(&step);
            run.push('\n');
        }
        ReplayFailure { why, run }
    }
}

fn name(model: &Model, event: EventId) -> String {
    model.events.get(event.index()).map_or_else(|| format!("{event:?}"), |event| event.name.clone())
}

impl From<ReplayFailure> for Unknown {
    fn from(failure: ReplayFailure) -> Unknown {
        Unknown {
            reason: Reason::Internal,
            detail: format!(
                "this is a bug in symbolon: the run that shows the verdict does not replay: {}",
                failure.why
            ),
            partial: PartialReport::default(),
            failed_run: Some(failure.run),
        }
    }
}

impl From<ReplayFailure> for Stop {
    fn from(failure: ReplayFailure) -> Stop {
        Stop::Unknown(failure.into())
    }
}
