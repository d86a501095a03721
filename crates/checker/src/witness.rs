//! Witnesses: replayed, then told as what changed.

use crate::check::ToldState;
use crate::report::{Shape, Witness, WitnessBranch, WitnessStep};
use symbolon_engine as engine;
use symbolon_explicit::{Branch, Ending, Lasso, Trace, Tree, replay_each, replay_lasso, replay_tree};
use symbolon_model::{Component, EventId, Model, State, VariableId};

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
    let (initial, last) = (marking(model, &trace.initial), marking(model, &last));
    let branches = Vec::new();
    Some(Witness { shape: Shape::Trace, shortest, initial, steps, last, loop_start: None, branches })
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

/// The variables that are not 0.
fn marking(model: &Model, state: &[u64]) -> Vec<(String, u64)> {
    let marked = state.iter().enumerate().filter(|(_, value)| **value > 0);
    marked.map(|(variable, &value)| (model.variables[variable].name.clone(), value)).collect()
}

/// Replays what diagrams found as evidence (C2), and tells it. `None` if it is no evidence, which would be our mistake.
pub(crate) fn tree_witness(model: &Model, found: &engine::Witness) -> Option<Witness> {
    replay_tree(model, &tree(found)).ok()?;
    Some(told(model, found))
}

fn tree(found: &engine::Witness) -> Tree {
    let branches = found.branches.iter().map(|branch| Branch {
        position: branch.position,
        formula: branch.witness.formula,
        tree: tree(&branch.witness),
    });
    Tree {
        trace: Trace { initial: found.states[0].clone(), events: found.events.clone() },
        ending: match found.ending {
            engine::Ending::Open => Ending::Open,
            engine::Ending::Dead => Ending::Dead,
            engine::Ending::Loop(start) => Ending::Loop(start),
        },
        branches: branches.collect(),
    }
}

fn told(model: &Model, found: &engine::Witness) -> Witness {
    let changes = |event: EventId, before: &State, after: &State| {
        let changed = model.event(event).variables().into_iter().map(VariableId::index);
        let changed = changed.filter(|&variable| before[variable] != after[variable]);
        changed
            .map(|variable| (model.variables[variable].name.clone(), before[variable], after[variable]))
            .collect()
    };
    let steps = found.events.iter().zip(found.states.windows(2)).map(|(&event, pair)| WitnessStep {
        event: model.event(event).name.clone(),
        changes: changes(event, &pair[0], &pair[1]),
    });
    let loop_start = match found.ending {
        engine::Ending::Loop(start) => Some(start),
        engine::Ending::Open | engine::Ending::Dead => None,
    };
    let branches: Vec<WitnessBranch> = found
        .branches
        .iter()
        .map(|branch| WitnessBranch { position: branch.position, witness: told(model, &branch.witness) })
        .collect();
    Witness {
        shape: match (branches.is_empty(), loop_start) {
            (false, _) => Shape::Tree,
            (true, Some(_)) => Shape::Lasso,
            (true, None) => Shape::Trace,
        },
        shortest: found.is_shortest,
        initial: marking(model, &found.states[0]),
        last: marking(model, &found.states[found.states.len() - 1]),
        steps: steps.collect(),
        loop_start,
        branches,
    }
}

/// Whether no event is enabled in a state.
pub(crate) fn is_dead(model: &Model, state: &State) -> bool {
    !model.event_ids().any(|event| model.can_happen(event, state))
}

/// Replays a run that may come back to one of its states (C2), and tells it.
pub(crate) fn run_witness(model: &Model, trace: &Trace, loop_start: Option<usize>) -> Option<Witness> {
    let Some(start) = loop_start else { return trace_witness(model, trace, false, |_| true) };
    replay_lasso(model, &Lasso { trace: trace.clone(), loop_start: Some(start) }).ok()?;
    let witness = trace_witness(model, trace, false, |_| true)?;
    Some(Witness { shape: Shape::Lasso, loop_start: Some(start), ..witness })
}
