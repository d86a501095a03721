//! States and actions in the words of the source: `true` and `red` instead of 1 and 3.
//!
//! States hold natural numbers. Reports show them as the source writes them: booleans as truths,
//! ranges by their own numbers, which may be negative, enumerations and actions by name. Every
//! report that shows a value gets it here.

use std::fmt;
use symbolon_model::{Model, Origin, Values, VariableId};

/// A value as the source writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShownValue {
    /// A number.
    Number(i128),
    /// `true` or `false`.
    Truth(bool),
    /// One of the names of an enumeration.
    Word(String),
}

impl From<u64> for ShownValue {
    fn from(number: u64) -> ShownValue {
        ShownValue::Number(i128::from(number))
    }
}

impl fmt::Display for ShownValue {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShownValue::Number(number) => number.fmt(text),
            ShownValue::Truth(truth) => truth.fmt(text),
            ShownValue::Word(word) => word.fmt(text),
        }
    }
}

/// The value that the number `value` of a state is for this variable.
pub(crate) fn shown_value(model: &Model, variable: VariableId, value: u64) -> ShownValue {
    match model.values_of(variable) {
        Values::Natural => value.into(),
        Values::Range { least, .. } => ShownValue::Number(i128::from(*least) + i128::from(value)),
        Values::Boolean => ShownValue::Truth(value != 0),
        named @ Values::Named(_) => ShownValue::Word(named.text(value)),
    }
}

/// The number that a state holds where this variable has this value; `None` if it never has.
pub(crate) fn value_of(model: &Model, variable: VariableId, shown: &ShownValue) -> Option<u64> {
    match (model.values_of(variable), shown) {
        (Values::Natural, ShownValue::Number(number)) => u64::try_from(*number).ok(),
        (Values::Range { least, .. }, ShownValue::Number(number)) => {
            u64::try_from(number - i128::from(*least)).ok()
        }
        (Values::Boolean, ShownValue::Truth(truth)) => Some(u64::from(*truth)),
        (Values::Named(names), ShownValue::Word(word)) => {
            names.iter().position(|name| name == word).map(|number| number as u64)
        }
        _ => None,
    }
}

/// Of more variables, those that are 0 are left out.
const FEW_VARIABLES: usize = 24;

/// A state: every variable with its value. Places without tokens are left out; so are, of many
/// variables, natural numbers that are 0.
pub fn shown_state(model: &Model, state: &[u64]) -> Vec<(String, ShownValue)> {
    let shown = model.variable_ids().zip(state).filter(|(id, value)| {
        let is_variable = *model.values_of(*id) != Values::Natural
            || model.variables.len() <= FEW_VARIABLES && model.origins.of(*id) == Origin::Variable;
        **value > 0 || is_variable
    });
    shown
        .map(|(id, &value)| (model.variables[id.index()].name.clone(), shown_value(model, id, value)))
        .collect()
}

/// What differs between two states: variable, value before, value after.
pub(crate) fn shown_changes(
    model: &Model,
    variables: impl IntoIterator<Item = VariableId>,
    before: &[u64],
    after: &[u64],
) -> Vec<(String, ShownValue, ShownValue)> {
    let state = |id: &VariableId| id.index() < model.variables.len();
    let changed = variables.into_iter().filter(state).filter(|id| before[id.index()] != after[id.index()]);
    let shown = |id: VariableId| {
        let value = |state: &[u64]| shown_value(model, id, state[id.index()]);
        (model.variables[id.index()].name.clone(), value(before), value(after))
    };
    changed.map(shown).collect()
}

/// What each agent does in a joint action, which has a value for each action variable: agent and
/// action. Agents that have no actions do nothing.
pub(crate) fn shown_actions(model: &Model, action: &[u64]) -> Vec<(String, String)> {
    let agents = model.actions.iter().zip(action);
    let shown = agents.filter_map(|(agent, &value)| {
        let component = model.components.get(agent.agent.0 as usize)?;
        Some((component.name.clone(), agent.names.get(value as usize)?.clone()))
    });
    shown.collect()
}

/// A joint action in one word, agents in the order of the source: `<wait; send; none>`.
pub(crate) fn joint_action_label(model: &Model, action: &[u64]) -> String {
    let names: Vec<String> = shown_actions(model, action).into_iter().map(|(_, name)| name).collect();
    format!("<{}>", names.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::{ActionVariable, Component, ComponentId, Variable};

    /// A variable of each kind, and two agents with actions.
    fn model() -> Model {
        let variable = |name: &str| Variable { name: name.into() };
        let component = |name: &str| Component { name: name.into(), parent: None, variables: Vec::new() };
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        Model {
            variables: ["tokens", "level", "lamp", "shows"].map(variable).into(),
            values: vec![
                Values::Natural,
                Values::Range { least: -2, largest: 3 },
                Values::Boolean,
                Values::Named(names(&["red", "green"])),
            ],
            components: vec![component("all"), component("a"), component("b")],
            actions: vec![
                ActionVariable { agent: ComponentId(1), names: names(&["wait", "go"]) },
                ActionVariable { agent: ComponentId(2), names: names(&["none"]) },
            ],
            ..Model::default()
        }
    }

    #[track_caller]
    fn check(state: [u64; 4], wanted: &str) {
        let shown: Vec<String> =
            shown_state(&model(), &state).iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(shown.join(" "), wanted);
    }

    #[test]
    fn states_are_shown_in_the_words_of_the_source() {
        check([0, 0, 0, 0], "tokens=0 level=-2 lamp=false shows=red");
        check([7, 5, 1, 1], "tokens=7 level=3 lamp=true shows=green");
    }

    #[test]
    fn changes_leave_out_what_stays_and_what_is_no_part_of_a_state() {
        let model = model();
        let all = model.variable_ids().chain(model.action_ids());
        let changes = shown_changes(&model, all, &[1, 2, 0, 0], &[1, 2, 1, 0]);
        assert_eq!(changes, [("lamp".to_string(), ShownValue::Truth(false), ShownValue::Truth(true))]);
    }

    #[test]
    fn joint_actions_have_names() {
        let shown: Vec<String> = shown_actions(&model(), &[1, 0])
            .iter()
            .map(|(agent, action)| format!("{agent}: {action}"))
            .collect();
        assert_eq!(shown, ["a: go", "b: none"]);
        assert_eq!(joint_action_label(&model(), &[1, 0]), "<go; none>");
    }
}
