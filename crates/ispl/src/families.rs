//! Built-in families of multi-agent systems, such as `dining-cryptographers:9` or
//! `prisoners:5,enum`.
//!
//! Each family lives in a file of its own, with a [`Family`] that describes it and a function that
//! writes its text, from the description of its protocol. The text is what users would write: the
//! other readers of ISPL read it too, and no variable order or other hint travels with it.

mod bit_transmission;
mod dining_cryptographers;
mod muddy_children;
mod needham_schroeder;
mod pedestrian_crossing;
mod prisoners;
mod two_automata;

use crate::read::parse as parse_text;
use crate::tree::System;
use symbolon_budget::{Budget, Interrupted};
use symbolon_source::{ReadFailure, likely};

/// A system forevery size.
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
    /// Other ways of writing the same system; the first is the default.
    pub variants: &'static [Variant],
    /// Writes the text for parameters that are in range.
    write: fn(&[u64], &'static str) -> String,
}

/// A number that chooses a member of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// A short name for it.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The smallest value for which the system makes sense.
    pub smallest: u64,
    /// The largest value for which the text is written.
    pub largest: u64,
    /// A value for a first try.
    pub example: u64,
    /// What it is where nothing is written, if that is allowed.
    pub default: Option<u64>,
}

/// A way of writing a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The word behind the numbers.
    pub name: &'static str,
    /// How it differs.
    pub meaning: &'static str,
    /// The largest first parameter, where this way of writing allows less.
    pub largest: Option<u64>,
}

/// A member of a family.
#[derive(Clone, Debug)]
pub struct Member {
    /// How it is called, such as `prisoners:5,enum`.
    pub call: String,
    /// Its text.
    pub text: String,
}

/// Why there is no such system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyError {
    /// No family has this name.
    #[error("there is no built-in family '{name}'{}", near.map_or(String::new(), |near| format!("; did you mean '{near}'?")))]
    UnknownFamily {
        /// What was asked for.
        name: String,
        /// The name that was perhaps meant.
        near: Option<&'static str>,
    },
    /// The family takes other things behind its name.
    #[error("'{family}' takes {expected}, found '{found}'; write for instance '{example}'")]
    WrongCall {
        /// The family.
        family: &'static str,
        /// What it takes, in words.
        expected: String,
        /// What was found.
        found: String,
        /// A call that works.
        example: String,
    },
    /// A parameter is too small or too large.
    #[error("{parameter} of '{call}' must lie between {smallest} and {largest}, found {found}")]
    OutOfRange {
        /// The family, with its variant.
        call: String,
        /// The name of the parameter.
        parameter: &'static str,
        /// Its smallest value.
        smallest: u64,
        /// Its largest value.
        largest: u64,
        /// What was given.
        found: u64,
    },
}

/// All families, in alphabetical order.
pub fn families() -> &'static [Family] {
    const ALL: &[Family] = &[
        bit_transmission::FAMILY,
        dining_cryptographers::FAMILY,
        muddy_children::FAMILY,
        needham_schroeder::FAMILY,
        pedestrian_crossing::FAMILY,
        prisoners::FAMILY,
        two_automata::FAMILY,
    ];
    ALL
}

/// The family of this name.
pub fn family_named(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name == name)
}

/// The member that `name:1,2,variant` calls.
pub fn generate(text: &str) -> Result<Member, FamilyError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let name = name.trim();
    let family = family_named(name).ok_or_else(|| FamilyError::UnknownFamily {
        name: name.to_string(),
        near: likely(name, families().iter().map(|family| family.name)),
    })?;
    family.generate(rest)
}

impl Family {
    /// The member with these parameters, as written behind the colon.
    pub fn generate(&self, written: &str) -> Result<Member, FamilyError> {
        let wrong = || FamilyError::WrongCall {
            family: self.name,
            expected: self.expected(),
            found: written.to_string(),
            example: self.example(),
        };
        let mut words: Vec<&str> =
            written.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let mut variant = self.variants.first();
        if let Some(named) =
            words.last().and_then(|word| self.variants.iter().find(|known| known.name == *word))
        {
            variant = Some(named);
            words.pop();
        }
        let mut numbers: Vec<u64> =
            words.iter().map(|word| word.parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let missing = self.parameters.get(numbers.len()..).ok_or_else(wrong)?;
        for parameter in missing {
            numbers.push(parameter.default.ok_or_else(wrong)?);
        }
        let call = self.call(&numbers, variant);
        for (number, parameter) in self.parameters.iter().enumerate() {
            let limited = variant.and_then(|variant| variant.largest).filter(|_| number == 0);
            let largest = limited.unwrap_or(parameter.largest);
            if !(parameter.smallest..=largest).contains(&numbers[number]) {
                return Err(FamilyError::OutOfRange {
                    call,
                    parameter: parameter.name,
                    smallest: parameter.smallest,
                    largest,
                    found: numbers[number],
                });
            }
        }
        let text = (self.write)(&numbers, variant.map_or("", |variant| variant.name));
        Ok(Member { call, text })
    }

    /// A call that works, such as `prisoners:5`.
    pub fn example(&self) -> String {
        let numbers: Vec<u64> = self.parameters.iter().map(|parameter| parameter.example).collect();
        self.call(&numbers, None)
    }

    /// How a member is called; the default variant goes without saying.
    fn call(&self, numbers: &[u64], variant: Option<&Variant>) -> String {
        let mut words: Vec<String> = numbers.iter().map(u64::to_string).collect();
        words.extend(
            variant.filter(|variant| Some(*variant) != self.variants.first()).map(|v| v.name.to_string()),
        );
        if words.is_empty() { self.name.to_string() } else { format!("{}:{}", self.name, words.join(",")) }
    }

    /// What comes after the colon, in words.
    fn expected(&self) -> String {
        let mut words: Vec<String> =
            self.parameters.iter().map(|p| format!("{} ({})", p.name, p.meaning)).collect();
        if let [_, _, ..] = self.variants {
            let names: Vec<&str> = self.variants.iter().map(|variant| variant.name).collect();
            words.push(format!("perhaps one of {}", names.join(", ")));
        }
        if words.is_empty() { "no parameters".to_string() } else { words.join(", and ") }
    }
}

impl Member {
    /// The member as a tree.
    pub fn tree(&self, budget: &Budget) -> Result<System, Interrupted> {
        match parse_text(self.text.as_bytes(), budget) {
            Ok(tree) => Ok(tree),
            Err(ReadFailure::Interrupted(reason)) => Err(reason),
            Err(ReadFailure::Invalid(error)) => {
                unreachable!("a family writes what the reader reads: {} {error}", self.call)
            }
        }
    }
}

/// `word` between the texts of the numbers from 1 to `count`.
fn joined(count: u64, word: &str, text: impl Fn(u64) -> String) -> String {
    (1..=count).map(text).collect::<Vec<_>>().join(word)
}
