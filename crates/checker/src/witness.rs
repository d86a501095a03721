//! Witnesses: replayed, then told as what changed.

use crate::report::{Shape, Witness, WitnessStep};
use symbolon_explicit::{Lasso, Trace, replay_each, replay_lasso};
use symbolon_model::{Model, State};

/// Replays a trace (C2) and tells it. `None` if it is no run of the model or does not end where it
/// should, which would be our mistake.
pub(crate) fn trace_witness(
    model: &Model,
    trace: &Trace,
    shortest: bool,
    ends_well: impl FnOnce(&State) -> bool,
) -> Option<Witness> {
    let name = |variable: usize| model.variables[variable].name.clone();
    let mut steps = Vec::with_capacity(trace.events.len());
    let last = replay_each(model, trace, |event, before, after| {
        let event = model.event(event);
        let changes = event
            .variables()
            .into_iter()
            .map(|variable| variable.index())
            .filter(|&variable| before[variable] != after[variable])
            .map(|variable| (name(variable), before[variable], after[variable]))
            .collect();
        steps.push(WitnessStep { event: event.name.clone(), changes });
    })
    .ok()?;
    if !ends_well(&last) {
        return None;
    }
    let told = |state: &State| {
        let marked = state.iter().enumerate().filter(|(_, value)| **value > 0);
        marked.map(|(variable, &value)| (name(variable), value)).collect()
    };
    let (initial, last) = (told(&trace.initial), told(&last));
    Some(Witness { shape: Shape::Trace, shortest, initial, steps, last, loop_start: None })
}

/// Whether no event is enabled in a state.
pub(crate) fn is_dead(model: &Model, state: &State) -> bool {
    !model.events.iter().any(|event| event.is_enabled(state))
}

/// Replays a run that may come back to one of its states (C2), and tells it.
pub(crate) fn run_witness(model: &Model, trace: &Trace, loop_start: Option<usize>) -> Option<Witness> {
    let Some(start) = loop_start else { return trace_witness(model, trace, false, |_| true) };
    replay_lasso(model, &Lasso { trace: trace.clone(), loop_start: Some(start) }).ok()?;
    let witness = trace_witness(model, trace, false, |_| true)?;
    Some(Witness { shape: Shape::Lasso, loop_start: Some(start), ..witness })
}
