//! The questions that cells are asked, and what of an answer must be the same in all of them.

use serde_json::Value;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// How many states are reachable?
    States,
    /// Is a deadlock reachable?
    Deadlock,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answered {
    /// The answer in full, for tables.
    pub(super) text: String,
    /// Everything that another cell may not contradict, by name. A cell need not know all of it.
    pub(super) facts: Vec<(&'static str, String)>,
}

impl Question {
    /// The command that answers it.
    pub(super) fn command(self) -> &'static str {
        match self {
            Question::States => "states",
            Question::Deadlock => "deadlock",
        }
    }

    /// The answer in what the command printed.
    pub(super) fn answer(self, report: &Value) -> Option<Answered> {
        let names: &[&'static str] = match self {
            Question::States => &["states", "edges", "max_tokens_in_place", "max_tokens_per_marking"],
            Question::Deadlock => &["deadlock", "dead_states", "distance"],
        };
        let facts = names.iter().filter_map(|name| Some((*name, plain(&report[*name])?))).collect();
        let text = match self {
            Question::States => report["states"].as_str()?.to_string(),
            Question::Deadlock if report["deadlock"].as_bool()? => "deadlock".to_string(),
            Question::Deadlock => "no deadlock".to_string(),
        };
        Some(Answered { text, facts })
    }
}

/// A number or a truth value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// An integer of the JSON contract, which is a string above 2^53.
pub(super) fn integer(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
