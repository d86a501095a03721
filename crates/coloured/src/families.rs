//! Built-in families of coloured nets: benchmark models by name and size, such as
//! `client-server:5,2`.
//!
//! Each family lives in a file of its own, with a [`Family`] that describes it and a function that
//! writes its net as text (see [`text`](crate::text)), so that what is built in is what a user could
//! write. The families of place/transition nets are in `symbolon_petri`, and so are the types that
//! both have in common.

mod client_server;
mod cs_wave;
mod distributed_db;
mod peterson;
mod philosophers;

use crate::Net;
use crate::text::read_text;
use symbolon_budget::Budget;
use symbolon_petri::families::{FamilyError, Parameter};
use symbolon_source::{ReadFailure, likely};

/// A coloured net for every size.
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
    /// Words that may follow the numbers and choose another form of the net.
    pub variants: &'static [Variant],
    /// The text of the net for parameters that are in range.
    write: fn(&[u64], Option<&str>) -> String,
}

/// Another form of the nets of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The word that chooses it.
    pub name: &'static str,
    /// What is different.
    pub meaning: &'static str,
}

/// What chooses a member of a family: numbers, and maybe the word for a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The values of the parameters, in order.
    pub parameters: Vec<u64>,
    /// The variant, if it is not the usual one.
    pub variant: Option<&'static str>,
}

/// All families, in alphabetical order.
pub fn families() -> &'static [Family] {
    const ALL: &[Family] = &[
        client_server::FAMILY,
        cs_wave::FAMILY,
        distributed_db::FAMILY,
        peterson::FAMILY,
        philosophers::FAMILY,
    ];
    ALL
}

/// The family of this name.
pub fn family_named(name: &str) -> Result<&'static Family, FamilyError> {
    families().iter().find(|family| family.name == name).ok_or_else(|| FamilyError::UnknownFamily {
        name: name.to_string(),
        near: likely(name, families().iter().map(|family| family.name)),
    })
}

/// The net that a text such as `distributed-db:5,pairs` asks for.
pub fn generate(text: &str, budget: &Budget) -> Result<Net, FamilyError> {
    let (family, choice) = parse(text)?;
    family.generate(&choice, budget)
}

/// Reads `name:1,2` as a family and its choice, without looking at ranges.
pub fn parse(text: &str) -> Result<(&'static Family, Choice), FamilyError> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let family = family_named(name.trim())?;
    let mut words: Vec<&str> = rest.map_or(Vec::new(), |rest| rest.split(',').map(str::trim).collect());
    let variant = words.last().and_then(|last| family.variants.iter().find(|variant| variant.name == *last));
    if variant.is_some() {
        words.pop();
    }
    let number = |(place, text): (usize, &&str)| {
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
    let parameters = words.iter().enumerate().map(number).collect::<Result<_, _>>()?;
    Ok((family, Choice { parameters, variant: variant.map(|variant| variant.name) }))
}

impl Family {
    /// The net with these parameters.
    pub fn generate(&self, choice: &Choice, budget: &Budget) -> Result<Net, FamilyError> {
        let text = self.text(choice)?;
        match read_text(text.as_bytes(), budget) {
            Ok(reading) => Ok(reading.net),
            Err(ReadFailure::Interrupted(why)) => Err(FamilyError::Interrupted(why)),
            Err(ReadFailure::Invalid(error)) => {
                panic!("the text of '{}' is wrong: {error}\n{text}", self.name)
            }
        }
    }

    /// The text of the net with these parameters.
    pub fn text(&self, choice: &Choice) -> Result<String, FamilyError> {
        let parameters = &choice.parameters;
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
        let call = self.call(choice);
        Ok(format!("net \"{call}\"\n{}", (self.write)(parameters, choice.variant)))
    }

    /// A call that works, such as `client-server:5,2`.
    pub fn example(&self) -> String {
        let parameters = self.parameters.iter().map(|parameter| parameter.example).collect();
        self.call(&Choice { parameters, variant: None })
    }

    /// How a member of the family is called.
    fn call(&self, choice: &Choice) -> String {
        let numbers = choice.parameters.iter().map(u64::to_string);
        let words: Vec<String> = numbers.chain(choice.variant.map(str::to_string)).collect();
        format!("{}:{}", self.name, words.join(","))
    }

    /// The parameters in words: `2 parameters (C: clients, S: servers)`.
    fn expected(&self) -> String {
        let words: Vec<_> = self.parameters.iter().map(|p| format!("{}: {}", p.name, p.meaning)).collect();
        let plural = if words.len() == 1 { "" } else { "s" };
        let variants: Vec<_> =
            self.variants.iter().map(|v| format!(", and maybe '{}': {}", v.name, v.meaning)).collect();
        format!("{} parameter{plural} ({}){}", words.len(), words.join(", "), variants.concat())
    }
}
