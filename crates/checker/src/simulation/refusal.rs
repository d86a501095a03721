//! Why an event cannot happen, in words.

use std::fmt;
use symbolon_model::{EventId, Model, Part};

/// The largest number of obstacles listed in one message.
const OBSTACLES_TOLD: usize = 3;

/// Why an event did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The model has no event of this name.
    NoSuchEvent {
        /// The name.
        name: String,
    },
    /// The event is not enabled.
    NotEnabled {
        /// Its name.
        event: String,
        /// What keeps it from happening.
        obstacles: Vec<Obstacle>,
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
    /// A test over several variables does not hold.
    Guard,
}

impl fmt::Display for Refusal {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSuchEvent { name } => write!(text, "there is no transition '{name}'"),
            Refusal::NotEnabled { event, obstacles } => {
                write!(text, "transition '{event}' is not enabled")?;
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
            Refusal::OutOfRange { event, variable } => {
                write!(
                    text,
                    "transition '{event}' cannot fire: place '{variable}' would hold more than 2^63 - 1 tokens"
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
            Obstacle::Guard => write!(text, "its guard does not hold"),
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
                if value < *at_least {
                    found.push(Obstacle::TooFew { variable: name(), value, needed: *at_least });
                }
                // Both may hold: an event may ask for more tokens than it allows.
                if value > *at_most {
                    found.push(Obstacle::TooMany { variable: name(), value, allowed: *at_most });
                }
            }
            Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => found.push(Obstacle::Guard),
        }
    }
    found
}
