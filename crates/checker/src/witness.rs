//! Witnesses: replayed, then described by what each step changed.

use crate::replay_failure::ReplayFailure;
use crate::report::{Shape, ShownState, Witness, WitnessStep};
use crate::seeded_fault::steps_to_replay;
use crate::value_names::{joint_action_label, shown_actions, shown_changes, shown_state};
use symbolon_explicit::{JointTrace, Lasso, Trace, replay_each, replay_joint, replay_lasso};
use symbolon_model::{Component, Model, State, VariableId};

/// Replays a trace (C2) and describes it.
pub(crate) fn trace_witness(
    model: &Model,
    trace: &Trace,
    shortest: bool,
    ends_well: impl FnOnce(&State) -> bool,
) -> Result<Witness, ReplayFailure> {
    let mut steps = Vec::with_capacity(trace.events.len());
    let failed = |why: String| ReplayFailure::of_trace(model, trace, why);
    let events = steps_to_replay(&trace.events).to_vec();
    let replayed = Trace { initial: trace.initial.clone(), events };
    let last = replay_each(model, &replayed, |event, before, after| {
        let event = model.event(event);
        let changes = shown_changes(model, event.variables(), before, after);
        steps.push(WitnessStep { event: event.name.clone(), actions: Vec::new(), changes });
    })
    .map_err(|why| failed(why.to_string()))?;
    if !ends_well(&last) {
        return Err(failed("it does not end where it should".to_string()));
    }
    let (initial, last) = (shown_state(model, &trace.initial), shown_state(model, &last));
    let shortest = shortest || steps.is_empty();
    Ok(Witness { shortest, initial, steps, last, ..Witness::default() })
}

/// Replays a run of synchronous steps (C2) and describes it, with what every agent does.
pub(crate) fn joint_witness(
    model: &Model,
    trace: &JointTrace,
    shortest: bool,
    ends_well: impl FnOnce(&State) -> bool,
) -> Result<Witness, ReplayFailure> {
    let failed = |why: String| ReplayFailure::of_joint_trace(model, trace, why);
    let steps = steps_to_replay(&trace.steps).to_vec();
    let replayed = JointTrace { initial: trace.initial.clone(), steps };
    replay_joint(model, &replayed).map_err(|why| failed(why.to_string()))?;
    if !ends_well(replayed.last()) {
        return Err(failed("it does not end where it should".to_string()));
    }
    let before = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state));
    let steps = trace.steps.iter().zip(before).map(|(step, before)| WitnessStep {
        event: joint_action_label(model, &step.action),
        actions: shown_actions(model, &step.action),
        changes: shown_changes(model, model.variable_ids(), before, &step.state),
    });
    Ok(Witness {
        shortest: shortest || trace.steps.is_empty(),
        initial: shown_state(model, &trace.initial),
        steps: steps.collect(),
        last: shown_state(model, trace.last()),
        ..Witness::default()
    })
}

/// A state by its components; variables named after theirs are called by the rest of their name.
pub(crate) fn state_by_components(model: &Model, state: &[u64]) -> ShownState {
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

/// Replays a run that may come back to one of its states (C2), and describes it.
pub(crate) fn run_witness(
    model: &Model,
    trace: &Trace,
    loop_start: Option<usize>,
) -> Result<Witness, ReplayFailure> {
    let Some(start) = loop_start else { return trace_witness(model, trace, false, |_| true) };
    replay_lasso(model, &Lasso { trace: trace.clone(), loop_start: Some(start) })
        .map_err(|why| ReplayFailure::of_trace(model, trace, why))?;
    let witness = trace_witness(model, trace, false, |_| true)?;
    Ok(Witness { shape: Shape::Lasso, loop_start: Some(start), ..witness })
}
