//! Witnesses: replayed, then told as what changed.

use crate::check::ToldState;
use crate::report::{Shape, Witness, WitnessStep};
use crate::value_names::{joint_action_label, shown_actions, shown_changes, shown_state};
use symbolon_explicit::{JointTrace, Lasso, Trace, replay_each, replay_joint, replay_lasso};
use symbolon_model::{Component, Model, State, VariableId};

/// Replays a trace (C2) and tells it. `None` if it is no run of the model or does not end where it
/// should, which would be our mistake.
pub(crate) fn trace_witness(
    model: &Model,
    trace: &Trace,
    shortest: bool,
    ends_well: impl FnOnce(&State) -> bool,
) -> Option<Witness> {
    let mut steps = Vec::with_capacity(trace.events.len());
    let last = replay_each(model, trace, |event, before, after| {
        let event = model.event(event);
        let changes = shown_changes(model, event.variables(), before, after);
        steps.push(WitnessStep { event: event.name.clone(), actions: Vec::new(), changes });
    })
    .ok()?;
    if !ends_well(&last) {
        return None;
    }
    let (initial, last) = (shown_state(model, &trace.initial), shown_state(model, &last));
    let shortest = shortest || steps.is_empty();
    Some(Witness { shortest, initial, steps, last, ..Witness::default() })
}

/// Replays a run of synchronous steps (C2) and tells it, with what every agent does; `None` as for [`trace_witness`].
pub(crate) fn joint_witness(
    model: &Model,
    trace: &JointTrace,
    shortest: bool,
    ends_well: impl FnOnce(&State) -> bool,
) -> Option<Witness> {
    replay_joint(model, trace).ok()?;
    if !ends_well(trace.last()) {
        return None;
    }
    let before = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state));
    let steps = trace.steps.iter().zip(before).map(|(step, before)| WitnessStep {
        event: joint_action_label(model, &step.action),
        actions: shown_actions(model, &step.action),
        changes: shown_changes(model, model.variable_ids(), before, &step.state),
    });
    Some(Witness {
        shortest: shortest || trace.steps.is_empty(),
        initial: shown_state(model, &trace.initial),
        steps: steps.collect(),
        last: shown_state(model, trace.last()),
        ..Witness::default()
    })
}

/// A state by its components; variables named after theirs are called by the rest of their name.
pub(crate) fn told_state(model: &Model, state: &[u64]) -> ToldState {
    let of_component = |component: &Component| {
        let value = |id: &VariableId| {
            let name = model.variables[id.index()].name.as_str();
            let rest = name.strip_prefix(&component.name).and_then(|rest| rest.strip_prefix('.'));
            (rest.unwrap_or(name).to_string(), model.values_of(*id).text(state[id.index()]))
        };
        (component.name.clone(), component.variables.iter().map(value).collect::<Vec<_>>())
    };
    model.components.iter().map(of_component).filter(|(_, values)| !values.is_empty()).collect()
}

/// Whether no event is enabled in a state.
pub(crate) fn is_dead(model: &Model, state: &[u64]) -> bool {
    !model.event_ids().any(|event| model.can_happen(event, state))
}

/// Replays a run that may come back to one of its states (C2), and tells it.
pub(crate) fn run_witness(model: &Model, trace: &Trace, loop_start: Option<usize>) -> Option<Witness> {
    let Some(start) = loop_start else { return trace_witness(model, trace, false, |_| true) };
    replay_lasso(model, &Lasso { trace: trace.clone(), loop_start: Some(start) }).ok()?;
    let witness = trace_witness(model, trace, false, |_| true)?;
    Some(Witness { shape: Shape::Lasso, loop_start: Some(start), ..witness })
}
