//! Why an event cannot happen, in words.

use crate::loaded::Language;
use std::fmt;
use symbolon_model::{EventId, Model, Origin, Part, Predicate, Values};

/// The largest number of obstacles listed in one message.
const OBSTACLES_TOLD: usize = 3;

/// Why an event did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The model has no event of this name.
    NoSuchEvent {
        /// The name.
        name: String,
        /// What the model was written as, which says what an event is called.
        language: Language,
    },
    /// The event is not enabled.
    NotEnabled {
        /// Its name.
        event: String,
        /// What keeps it from happening.
        obstacles: Vec<Obstacle>,
        /// What the model was written as.
        language: Language,
    },
    /// The agents cannot do this now.
    NotPossible {
        /// What was asked for.
        action: String,
        /// Why not, in sentences.
        why: Vec<String>,
    },
    /// No initial state is the one that is meant.
    NoSuchStart {
        /// What was asked for.
        text: String,
        /// How many can be chosen by number.
        count: usize,
    },
    /// The event would give this variable a value that no state can hold.
    OutOfRange {
        /// The name of the event.
        event: String,
        /// The name of the variable.
        variable: String,
        /// What the model was written as.
        language: Language,
    },
}

/// One thing that keeps an event from happening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The variable is too small.
    TooFew {
        /// Its name.
        variable: String,
        /// Its value.
        value: u64,
        /// The least value with which the event is enabled.
        needed: u64,
    },
    /// The variable is too large.
    TooMany {
        /// Its name.
        variable: String,
        /// Its value.
        value: u64,
        /// The greatest value with which the event is enabled.
        allowed: u64,
    },
    /// The variable, which is no place, has another value than it must have.
    Value {
        /// Its name.
        variable: String,
        /// Its value, as the source writes it.
        value: String,
        /// What it must be, in words.
        needed: String,
    },
    /// A test over several variables does not hold.
    Guard {
        /// The parts of it that do not, as programs write them; none where that says nothing.
        failing: Vec<String>,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSuchEvent { name, language } => {
                write!(text, "there is no {} '{name}'", language.event())
            }
            Refusal::NotEnabled { event, obstacles, language } => {
                write!(text, "{} '{event}' is not enabled", language.event())?;
                for (index, obstacle) in obstacles.iter().take(OBSTACLES_TOLD).enumerate() {
                    write!(text, "{}{obstacle}", if index == 0 { ": " } else { "; " })?;
                }
                match obstacles.len().saturating_sub(OBSTACLES_TOLD) {
                    0 => Ok(()),
                    1 => write!(text, "; and one more reason"),
                    more => write!(text, "; and {more} more reasons"),
                }
            }
            Refusal::NotPossible { action, why } => {
                write!(text, "'{action}' is not possible here: {}", why.join("; "))
            }
            Refusal::NoSuchStart { text: wanted, count: 1 } => {
                write!(text, "there is no initial state '{wanted}', but only one")
            }
            Refusal::NoSuchStart { text: wanted, count } => {
                write!(text, "there is no initial state '{wanted}'; they have the numbers 1 to {count}")
            }
            Refusal::OutOfRange { event, variable, language: Language::Net } => {
                write!(
                    text,
                    "transition '{event}' cannot fire: place '{variable}' would hold more than 2^63 - 1 tokens"
                )
            }
            Refusal::OutOfRange { event, variable, language } => {
                write!(
                    text,
                    "{} '{event}' cannot happen: '{variable}' would leave the numbers from 0 to 2^63 - 1",
                    language.event()
                )
            }
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = |count: u64| if count == 1 { "1 token".into() } else { format!("{count} tokens") };
        match self {
            Obstacle::TooFew { variable, value, needed } => {
                write!(text, "place '{variable}' has {}, needs {needed}", tokens(*value))
            }
            Obstacle::TooMany { variable, value, allowed: 0 } => {
                write!(text, "place '{variable}' has {}, must have none", tokens(*value))
            }
            Obstacle::TooMany { variable, value, allowed } => {
                write!(text, "place '{variable}' has {}, may have at most {allowed}", tokens(*value))
            }
            Obstacle::Value { variable, value, needed } => {
                write!(text, "{variable} is {value}, must be {needed}")
            }
            Obstacle::Guard { failing } if failing.is_empty() => write!(text, "its guard does not hold"),
            Obstacle::Guard { failing } => {
                let does = if failing.len() == 1 { "does" } else { "do" };
                write!(text, "{} {does} not hold", failing.join(" and "))
            }
        }
    }
}

/// What keeps an event from happening in a state.
pub(super) fn obstacles(model: &Model, event: EventId, state: &[u64]) -> Vec<Obstacle> {
    let mut found = Vec::new();
    for part in model.event(event).parts.iter().filter(|part| !part.is_enabled(state)) {
        match part {
            Part::Local { variable, at_least, at_most, .. } => {
                let name = || model.variables[variable.index()].name.clone();
                let value = state[variable.index()];
                if model.origins.of(*variable) != Origin::Place {
                    let values = model.values_of(*variable);
                    let (value, needed) = (values.text(value), allowed(values, *at_least, *at_most));
                    found.push(Obstacle::Value { variable: name(), value, needed });
                    continue;
                }
                if value < *at_least {
                    found.push(Obstacle::TooFew { variable: name(), value, needed: *at_least });
                }
                // Both may hold: an event may ask for more tokens than it allows.
                if value > *at_most {
                    found.push(Obstacle::TooMany { variable: name(), value, allowed: *at_most });
                }
            }
            Part::General { guard, .. } => {
                let failing = failing_parts(guard, state).into_iter();
                let failing = failing.map(|part| symbolon_gcl::condition_text(model, part)).collect();
                found.push(Obstacle::Guard { failing });
            }
            Part::Choice(_) | Part::Reaction(_) => found.push(Obstacle::Guard { failing: Vec::new() }),
        }
    }
    found
}

/// The parts of a conjunction that do not hold, few and short ones.
fn failing_parts<'a>(guard: &'a Predicate, state: &[u64]) -> Vec<&'a Predicate> {
    let mut failing = Vec::new();
    let mut open = vec![guard];
    while let Some(part) = open.pop() {
        match part {
            Predicate::And(parts) => open.extend(parts.iter().rev()),
            part if part.holds(state) != Some(true) => failing.push(part),
            _ => {}
        }
    }
    let mut read = Vec::new();
    failing.iter().for_each(|part| part.collect_variables(&mut read));
    if read.len() > LONGEST_CONDITION { Vec::new() } else { failing }
}

/// Conditions that mention variables more often are not shown.
const LONGEST_CONDITION: usize = 8;

/// The values from one number of a state to another, in words.
fn allowed(values: &Values, least: u64, most: u64) -> String {
    let largest = values.count().map_or(u64::MAX, |count| count - 1);
    let text = |value: u64| values.text(value);
    if let Values::Boolean | Values::Named(_) = values {
        let all: Vec<String> = (least..=most.min(largest)).take(MOST_VALUES + 1).map(text).collect();
        return match all.as_slice() {
            [] => "what it never is".to_string(),
            [only] => only.clone(),
            some if some.len() <= MOST_VALUES => some.join(" or "),
            some => format!("{} or another", some[..MOST_VALUES].join(", ")),
        };
    }
    match (least, most.min(largest)) {
        (least, most) if least > most => "what it never is".to_string(),
        (least, most) if least == most => text(least),
        (0, most) => format!("at most {}", text(most)),
        (least, most) if most == largest => format!("at least {}", text(least)),
        (least, most) => format!("from {} to {}", text(least), text(most)),
    }
}

/// The largest number of values that are listed.
const MOST_VALUES: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_values_are_told_as_the_source_writes_them() {
        let check = |values: &Values, least, most, wanted: &str| {
            assert_eq!(allowed(values, least, most), wanted);
        };
        let named = Values::Named(["idle", "tested", "crit"].map(String::from).to_vec());
        check(&named, 1, 1, "tested");
        check(&named, 1, 2, "tested or crit");
        check(&Values::Boolean, 0, 0, "false");
        let range = Values::Range { least: -2, largest: 3 };
        check(&range, 0, 1, "at most -1");
        check(&range, 3, 5, "at least 1");
        check(&range, 2, 3, "from 0 to 1");
        check(&Values::Natural, 4, u64::MAX, "at least 4");
        check(&Values::Natural, 2, 1, "what it never is");
    }
}
