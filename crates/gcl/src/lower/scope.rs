//! What names mean: constants, enumerations, variables, processes and the names that loops bind.

use crate::tree::Name;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use symbolon_model::{Values, VariableId};

/// The values of an enumeration. Two are the same if they list the same names.
pub(super) type Listing = Arc<[String]>;

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Truth,
    Named(Listing),
}

impl Kind {
    /// How messages speak of it.
    pub(super) fn described(&self) -> String {
        match self {
            Kind::Number => "a number".to_string(),
            Kind::Truth => "a truth value".to_string(),
            Kind::Named(values) => {
                const MOST: usize = 4;
                let mut listed = values.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
                if values.len() > MOST {
                    listed.push_str(", …");
                }
                format!("a value of {{{listed}}}")
            }
        }
    }
}

/// A declared variable, or array of them.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The first element; the others follow.
    pub(super) first: u32,
    /// How many elements there are; `None` for a single variable.
    pub(super) length: Option<u64>,
    /// What each may be.
    pub(super) values: Arc<Values>,
    /// The names of the values, if they have names.
    pub(super) listing: Option<Listing>,
}

impl Declared {
    /// What its elements are.
    pub(super) fn kind(&self) -> Kind {
        match (&*self.values, &self.listing) {
            (Values::Boolean, _) => Kind::Truth,
            (Values::Named(_), Some(listing)) => Kind::Named(listing.clone()),
            _ => Kind::Number,
        }
    }

    /// What is added to the number in a state to get the value.
    pub(super) fn offset(&self) -> i64 {
        match &*self.values {
            Values::Range { least, .. } => *least,
            _ => 0,
        }
    }

    /// One of its elements.
    pub(super) fn element(&self, index: u64) -> VariableId {
        VariableId(self.first + index as u32)
    }
}

/// A process, or a family of copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// The number of the first copy, for a family.
    pub(super) low: Option<i64>,
    /// How many copies there are.
    pub(super) count: u64,
    /// Their variables: those of one name, a copy each.
    pub(super) variables: FxHashMap<String, Vec<Declared>>,
}

/// What a name of the program means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Number(i64),
    Truth(bool),
    Enumeration(Listing),
    Variable(Declared),
    Process(Copies),
}

impl Meaning {
    /// How messages speak of it.
    pub(super) fn described(&self) -> &'static str {
        match self {
            Meaning::Number(_) | Meaning::Truth(_) => "a constant",
            Meaning::Enumeration(_) => "an enumeration",
            Meaning::Variable(_) => "a variable",
            Meaning::Process(_) => "a process",
        }
    }
}

/// All names of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) meanings: FxHashMap<String, Meaning>,
    /// The enumerations that a name is a value of.
    pub(super) values: FxHashMap<String, Vec<Listing>>,
}

/// Where an expression stands: what is bound around it, and in which copy of which process.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub(super) bound: Vec<(String, i64)>,
    pub(super) process: Option<(String, u64)>,
}

impl Around {
    /// The value that a name is bound to.
    pub(super) fn bound(&self, name: &str) -> Option<i64> {
        self.bound.iter().rev().find(|(bound, _)| bound == name).map(|(_, value)| *value)
    }
}

impl Scope {
    /// A variable of the process around, or of the program.
    pub(super) fn variable(&self, name: &str, around: &Around) -> Option<&Declared> {
        if let Some((process, copy)) = &around.process
            && let Some(Meaning::Process(copies)) = self.meanings.get(process)
            && let Some(found) = copies.variables.get(name)
        {
            return found.get(*copy as usize);
        }
        match self.meanings.get(name) {
            Some(Meaning::Variable(declared)) => Some(declared),
            _ => None,
        }
    }

    /// Remembers the values of an enumeration.
    pub(super) fn list(&mut self, values: &[Name]) -> Listing {
        let listing: Listing = values.iter().map(|value| value.text.clone()).collect();
        for value in listing.iter() {
            let known = self.values.entry(value.clone()).or_default();
            if !known.contains(&listing) {
                known.push(listing.clone());
            }
        }
        listing
    }

    /// The known name that is most like this one.
    pub(super) fn likely(&self, name: &str, around: &Around) -> Option<String> {
        let bound = around.bound.iter().map(|(bound, _)| bound.as_str());
        let own = around.process.iter().filter_map(|(process, _)| match self.meanings.get(process) {
            Some(Meaning::Process(copies)) => Some(copies.variables.keys().map(String::as_str)),
            _ => None,
        });
        let all = self.meanings.keys().chain(self.values.keys()).map(String::as_str);
        symbolon_source::likely(name, all.chain(bound).chain(own.flatten())).map(str::to_string)
    }
}
