//! A run that was found, as lines that lead to the very same run when they are replayed.
//!
//! A joint action may lead to several states, and a system may begin in several: where it does,
//! lines say in which one the run goes on, in the words that [`crate::Simulation::replay`] reads.

use crate::loaded::Loaded;
use crate::report::Witness;
use crate::simulation::{START, outcome_label};
use crate::value_names::{ShownValue, value_of};
use symbolon_model::{Model, State};

/// The steps of a run, each as one line; before them where it begins, if it could begin elsewhere.
pub fn replayable(loaded: &Loaded, witness: &Witness) -> Vec<String> {
    let model = &loaded.model;
    let mut lines = Vec::with_capacity(witness.steps.len() + 1);
    if model.initially.is_some() || model.initial.len() > 1 {
        let values = witness.initial.iter().map(|(name, value)| format!("{name}={value}"));
        lines.push(format!("{START}{}", values.collect::<Vec<_>>().join(" ")));
    }
    let mut state = model.is_synchronous().then(|| state_of(model, &witness.initial)).flatten();
    for step in &witness.steps {
        let changes = step.changes.iter().map(|(name, _, new)| (name.clone(), new.clone()));
        let next = state.as_ref().and_then(|state| changed(model, state, changes));
        let label = match (&state, &next) {
            (Some(state), Some(next)) => outcome_label(model, state, &step.actions, next),
            _ => None,
        };
        lines.push(label.unwrap_or_else(|| step.event.clone()));
        state = next;
    }
    lines
}

/// The state in which variables have these values, and all others 0.
fn state_of(model: &Model, values: &[(String, ShownValue)]) -> Option<State> {
    changed(model, &vec![0; model.variables.len()].into(), values.iter().cloned())
}

fn changed(
    model: &Model,
    state: &State,
    values: impl Iterator<Item = (String, ShownValue)>,
) -> Option<State> {
    let mut state = state.clone();
    for (name, value) in values {
        let id = model.variable_named(&name)?;
        state[id.index()] = value_of(model, id, &value)?;
    }
    Some(state)
}
