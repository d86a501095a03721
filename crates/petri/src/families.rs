//! Built-in families of nets: benchmark models by name and size, such as `philosophers:100`.
//!
//! Each family lives in a file of its own, with a [`Family`] that describes it and a function that
//! writes its net. Where a family is also one of the Model Checking Contest, the net here has the
//! same structure, and the same names where they are regular. No variable order, unit or other
//! hint travels with these nets: places come kind by kind, and the explorer has to find a
//! good order as for any other net.

mod builder;
mod dekker;
mod elevator;
mod fms;
mod kanban;
mod pedestrian_light;
mod peterson;
mod philosophers;
mod philosophers_left_handed;
mod philosophers_left_right;
mod producer_consumer;
mod readers_writers;
mod round_robin;
mod shared_memory;
mod slotted_ring;
mod swimming_pool;
mod token_ring;
mod traffic_lights;
mod two_phase_commit;

use crate::net::Net;
use builder::Builder;
use symbolon_budget::{Budget, Interrupted};
use symbolon_source::likely;

/// A net forevery size.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name, which is how users call it.
    pub name: &'static str,
    /// What is modelled, in one line.
    pub summary: &'static str,
    /// What is modelled, and what is known of it.
    pub description: &'static str,
    /// Where the model comes from.
    pub origin: &'static str,
    /// The numbers that choose a member of the family.
    pub parameters: &'static [Parameter],
    /// Writes the net for parameters that are in range.
    build: fn(&mut Builder, &[u64]) -> Result<(), Interrupted>,
}

/// A number that chooses a member of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// A short name for it.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The smallest value for which the net makes sense.
    pub smallest: u64,
    /// The largest value for which the net can be written: its parts can be stored, about a hundred
    /// million at most, and its markings are numbers below 2^63.
    pub largest: u64,
    /// A value for a first try.
    pub example: u64,
}

/// Why there is no such net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyError {
    /// No family has this name.
    #[error("there is no built-in family '{name}'{}", suggest(.near))]
    UnknownFamily {
        /// What was asked for.
        name: String,
        /// The name that was perhaps meant.
        near: Option<&'static str>,
    },
    /// The family has another number of parameters.
    #[error("'{family}' takes {expected}, found {found}; write for instance '{example}'")]
    WrongParameterCount {
        /// The family.
        family: &'static str,
        /// The parameters it takes, in words.
        expected: String,
        /// How many were given.
        found: usize,
        /// A call that works.
        example: String,
    },
    /// A parameter is larger than any number of a model.
    #[error("{parameter} of '{family}' must lie between {smallest} and {largest}, found {text}")]
    TooLarge {
        /// The family.
        family: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
        /// Its smallest value.
        smallest: u64,
        /// Its largest value.
        largest: u64,
        /// What was found.
        text: String,
    },
    /// A parameter is not a natural number.
    #[error("'{text}' is not a number; '{family}' takes {expected}, for instance '{example}'")]
    NotANumber {
        /// The family.
        family: &'static str,
        /// What was found.
        text: String,
        /// The parameters it takes, in words.
        expected: String,
        /// A call that works.
        example: String,
    },
    /// A parameter is too small or too large.
    #[error("{parameter} of '{family}' must lie between {smallest} and {largest}, found {found}")]
    OutOfRange {
        /// The family.
        family: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
        /// Its smallest value.
        smallest: u64,
        /// Its largest value.
        largest: u64,
        /// What was given.
        found: u64,
    },
    /// The budget ran out while the net was written.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// All families, in alphabetical order.
pub fn families() -> &'static [Family] {
    const ALL: &[Family] = &[
        dekker::FAMILY,
        elevator::FAMILY,
        fms::FAMILY,
        kanban::FAMILY,
        pedestrian_light::FAMILY,
        peterson::FAMILY,
        philosophers::FAMILY,
        philosophers_left_handed::FAMILY,
        philosophers_left_right::FAMILY,
        producer_consumer::FAMILY,
        readers_writers::FAMILY,
        round_robin::FAMILY,
        shared_memory::FAMILY,
        slotted_ring::FAMILY,
        swimming_pool::FAMILY,
        token_ring::FAMILY,
        traffic_lights::FAMILY,
        two_phase_commit::FAMILY,
    ];
    ALL
}

/// The family of this name.
pub fn family_named(name: &str) -> Result<&'static Family, FamilyError> {
    families()
        .iter()
        .find(|family| family.name == name)
        .ok_or_else(|| FamilyError::UnknownFamily { name: name.to_string(), near: nearest(name) })
}

/// The net of the family `name` with these parameters.
pub fn generate(name: &str, parameters: &[u64], budget: &Budget) -> Result<Net, FamilyError> {
    family_named(name)?.generate(parameters, budget)
}

/// Reads `name:1,2` as a family and its parameters, without looking at their ranges.
pub fn parse(text: &str) -> Result<(&'static Family, Vec<u64>), FamilyError> {
    let (name, numbers) = match text.split_once(':') {
        Some((name, numbers)) => (name, Some(numbers)),
        None => (text, None),
    };
    let family = family_named(name.trim())?;
    let number = |(place, text): (usize, &str)| {
        let text = text.trim();
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().map_err(|_| match family.parameters.get(place) {
            Some(parameter) if is_whole => FamilyError::TooLarge {
                family: family.name,
                parameter: parameter.name,
                smallest: parameter.smallest,
                largest: parameter.largest,
                text: text.to_string(),
            },
            _ => FamilyError::NotANumber {
                family: family.name,
                text: text.to_string(),
                expected: family.expected(),
                example: family.example(),
            },
        })
    };
    let numbers =
        numbers.map_or(Ok(Vec::new()), |numbers| numbers.split(',').enumerate().map(number).collect())?;
    Ok((family, numbers))
}

impl Family {
    /// The net with these parameters.
    pub fn generate(&self, parameters: &[u64], budget: &Budget) -> Result<Net, FamilyError> {
        if parameters.len() != self.parameters.len() {
            return Err(FamilyError::WrongParameterCount {
                family: self.name,
                expected: self.expected(),
                found: parameters.len(),
                example: self.example(),
            });
        }
        for (parameter, &found) in self.parameters.iter().zip(parameters) {
            if !(parameter.smallest..=parameter.largest).contains(&found) {
                return Err(FamilyError::OutOfRange {
                    family: self.name,
                    parameter: parameter.name,
                    smallest: parameter.smallest,
                    largest: parameter.largest,
                    found,
                });
            }
        }
        let mut builder = Builder::new(self.call(parameters), budget);
        (self.build)(&mut builder, parameters)?;
        Ok(builder.finish())
    }

    /// A call that works, such as `kanban:5`.
    pub fn example(&self) -> String {
        let values: Vec<_> = self.parameters.iter().map(|parameter| parameter.example).collect();
        self.call(&values)
    }

    /// How a member of the family is called.
    fn call(&self, parameters: &[u64]) -> String {
        let numbers: Vec<_> = parameters.iter().map(u64::to_string).collect();
        format!("{}:{}", self.name, numbers.join(","))
    }

    /// The parameters in words: `1 parameter (N: philosophers)`.
    fn expected(&self) -> String {
        let words: Vec<_> = self.parameters.iter().map(|p| format!("{}: {}", p.name, p.meaning)).collect();
        let plural = if words.len() == 1 { "" } else { "s" };
        format!("{} parameter{plural} ({})", words.len(), words.join(", "))
    }
}

/// The name that is most alike, if any is alike at all.
fn nearest(name: &str) -> Option<&'static str> {
    likely(name, families().iter().map(|family| family.name))
}

fn suggest(near: &Option<&'static str>) -> String {
    match near {
        Some(near) => format!("; did you mean '{near}'?"),
        None => "; 'symbolon models' lists them all".to_string(),
    }
}

#[cfg(test)]
mod tests;
