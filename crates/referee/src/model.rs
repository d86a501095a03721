//! What a model is to the referee: variables, initial states, and the steps that each state allows.

use std::collections::BTreeMap;

/// The values of all variables. Sums and products of 64-bit values fit in the 128 bits.
pub type State = Vec<i128>;

/// How the values of a variable are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As numbers.
    Number,
    /// As `false` (0) and `true` (1).
    Truth,
    /// As words; the value is the position of its word.
    Words(Vec<String>),
}

impl Kind {
    /// The value that a word or number stands for.
    pub fn value(&self, text: &str) -> Option<i128> {
        match self {
            Kind::Number => text.parse().ok(),
            Kind::Truth => ["false", "true"].iter().position(|word| *word == text).map(|value| value as i128),
            Kind::Words(words) => words.iter().position(|word| word == text).map(|value| value as i128),
        }
    }
}

/// A variable of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in formulas and witnesses.
    pub name: String,
    /// How its values are written.
    pub kind: Kind,
}

/// One step from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the event, or the action of each agent in order.
    pub label: Vec<String>,
    /// The next state.
    pub to: State,
}

/// An agent: what it sees and which part of a step's label is its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// The positions of the variables that it sees.
    pub sees: Vec<usize>,
    /// Its position in the label of a step, if it acts.
    pub acts: Option<usize>,
}

/// The agents of a model; a model without agents has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agents {
    /// All of them, in the order of the label of a step.
    pub list: Vec<Agent>,
    /// The members of each group.
    pub groups: BTreeMap<String, Vec<String>>,
}

impl Agents {
    /// The positions of the agents that a name stands for: a group's members, or one agent.
    pub fn members(&self, name: &str) -> Result<Vec<usize>, String> {
        let one = |name: &str| {
            let position = self.list.iter().position(|agent| agent.name == name);
            position.ok_or_else(|| format!("no agent or group {name}"))
        };
        match self.groups.get(name) {
            Some(members) => members.iter().map(|member| one(member)).collect(),
            None => Ok(vec![one(name)?]),
        }
    }
}

/// A model that was read from text.
pub trait Model {
    /// Its variables, in the order of a state's values.
    fn variables(&self) -> &[Variable];

    /// The states in which it may begin, each once.
    fn initial_states(&self) -> Vec<State>;

    /// Every step that is possible in a state.
    fn steps(&self, state: &[i128]) -> Vec<Step>;

    /// Whether a name that stands alone in a formula is true: a marked place, a true variable, an
    /// atom of the file.
    fn is_true(&self, name: &str, state: &[i128]) -> Result<bool, String>;

    /// Whether an event is enabled.
    fn is_fireable(&self, event: &str, state: &[i128]) -> Result<bool, String>;

    /// Whether a step has this label; a command may have been split into cases.
    fn is_label(&self, step: &Step, label: &[String]) -> bool {
        step.label == label
    }

    /// Whether agents move all at once, so a step is a joint action.
    fn is_synchronous(&self) -> bool {
        false
    }

    /// The agents.
    fn agents(&self) -> &Agents;

    /// Whether a state is red for an agent: it behaves as it should not.
    fn is_red(&self, _agent: usize, _state: &[i128]) -> bool {
        false
    }

    /// The formulas that must hold again and again on a path that counts.
    fn fairness(&self) -> &[crate::Formula] {
        &[]
    }

    /// The number that a name stands for in a sum: a variable, or all tokens of a coloured place.
    fn value(&self, name: &str, state: &[i128]) -> Option<i128> {
        self.position(name).map(|position| state[position])
    }

    /// The places of a net as the contest counts them: a name, and the positions of the variables
    /// that hold its tokens.
    fn places(&self) -> Vec<(String, Vec<usize>)> {
        let place = |(position, variable): (usize, &Variable)| (variable.name.clone(), vec![position]);
        self.variables().iter().enumerate().map(place).collect()
    }

    /// The position of a variable.
    fn position(&self, name: &str) -> Option<usize> {
        self.variables().iter().position(|variable| variable.name == name)
    }
}
