//! A run as the program printed it, walked step by step.

use std::collections::HashMap;

use serde_json::Value;
use symbolon_explicit::{Trace, replay};
use symbolon_model::{EventId, Model, State};

/// The names of a model.
pub(super) struct Names<'m> {
    pub(super) variables: HashMap<&'m str, usize>,
    pub(super) events: HashMap<&'m str, EventId>,
}

impl<'m> Names<'m> {
    pub(super) fn new(model: &'m Model) -> Names<'m> {
        let variables = model.variables.iter().enumerate();
        Names {
            variables: variables.map(|(index, variable)| (variable.name.as_str(), index)).collect(),
            events: model.event_ids().map(|id| (model.event(id).name.as_str(), id)).collect(),
        }
    }
}

/// A run that is one of the model.
pub(super) struct Run {
    pub(super) trace: Trace,
    /// Every state on the way.
    pub(super) states: Vec<State>,
    pub(super) loop_start: Option<usize>,
}

/// Walks along a witness and the branches of it. `from` is the state where it must begin; `None` is an initial one.
pub(super) fn walk(
    model: &Model,
    names: &Names<'_>,
    witness: &Value,
    from: Option<&State>,
) -> Result<Run, String> {
    let mut initial: State = vec![0; model.variables.len()].into();
    for (name, value) in witness["initial"].as_object().into_iter().flatten() {
        let variable = names.variables.get(name.as_str()).ok_or_else(|| format!("no place '{name}'"))?;
        initial[*variable] = number(value).ok_or("a marking that is not a number")?;
    }
    let mut events = Vec::new();
    for step in witness["steps"].as_array().into_iter().flatten() {
        let name = step["event"].as_str().unwrap_or_default();
        events.push(*names.events.get(name).ok_or_else(|| format!("no transition '{name}'"))?);
    }
    if from.is_some_and(|from| *from != initial) {
        return Err("a branch begins in another state than the one it leaves its run in".to_string());
    }
    let trace = Trace { initial, events };
    // A branch begins anywhere: for it, the model has another initial state.
    let states = match from {
        None => replay(model, &trace),
        Some(from) => replay(&Model { initial: vec![from.clone()], ..model.clone() }, &trace),
    };
    let states = states.map_err(|error| error.to_string())?;
    check_changes(names, witness, &states)?;
    let loop_start = witness["loop_start"].as_u64().map(|start| start as usize);
    if let Some(start) = loop_start
        && (start + 1 >= states.len() || states[start] != states[states.len() - 1])
    {
        return Err(format!("the loop from step {start} does not close"));
    }
    for branch in witness["branches"].as_array().into_iter().flatten() {
        let position = branch["position"].as_u64().unwrap_or(u64::MAX) as usize;
        let from = states.get(position).ok_or("a branch behind the end of its run")?;
        walk(model, names, &branch["witness"], Some(from))?;
    }
    Ok(Run { trace, states, loop_start })
}

/// What is printed as changes is what changed, and nothing else did.
fn check_changes(names: &Names<'_>, witness: &Value, states: &[State]) -> Result<(), String> {
    let steps = witness["steps"].as_array().into_iter().flatten();
    for (number_of_step, (step, pair)) in steps.zip(states.windows(2)).enumerate() {
        let mut after = pair[0].clone();
        for (name, change) in step["changes"].as_object().into_iter().flatten() {
            let variable = *names.variables.get(name.as_str()).ok_or_else(|| format!("no place '{name}'"))?;
            if number(&change[0]) != Some(after[variable]) {
                return Err(format!("step {}: '{name}' was not {}", number_of_step + 1, change[0]));
            }
            after[variable] = number(&change[1]).ok_or("a marking that is not a number")?;
        }
        if after != pair[1] {
            return Err(format!("step {}: the changes are not what changed", number_of_step + 1));
        }
    }
    Ok(())
}

/// A number of the JSON contract: one above 2^53 is a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
