//! Declarations: constants, enumerations, variables and processes get their meaning.

use super::initial::Start;
use super::scope::{Around, Copies, Declared, Listing, Meaning};
use super::{Lowering, Override, around_copy, copy_name};
use crate::mistakes::Made;
use crate::tree::{Constant, Domain, Initial, Item, Name, Process, Variables};
use std::sync::Arc;
use symbolon_model::{Expr, Source, Values, Variable, VariableId};
use symbolon_source::{likely, shown};

/// The ends of ranges lie within ±2^62, so that distances between them are numbers of states.
const FARTHEST: i64 = 1 << 62;

/// The most variables of a model.
const MOST_VARIABLES: u64 = 10_000_000;

impl Lowering<'_> {
    pub(super) fn declare(&mut self, item: &Item, overrides: &[Override], describes_start: bool) -> Made<()> {
        match item {
            Item::Constant(constant) => self.declare_constant(constant, overrides),
            Item::Enumeration(enumeration) => {
                let listing = self.listing(&enumeration.values)?;
                self.give_meaning(&enumeration.name, Meaning::Enumeration(listing))
            }
            Item::Variables(variables) => {
                let around = Around::default();
                for (name, declared) in self.declare_variables(variables, "", &around, describes_start)? {
                    self.give_meaning(&name, Meaning::Variable(declared))?;
                }
                Ok(())
            }
            Item::Process(process) => self.declare_process(process, describes_start),
            Item::Initially(_)
            | Item::Command(_)
            | Item::Loop(_)
            | Item::Component(_)
            | Item::Property(_) => Ok(()),
        }
    }

    fn declare_constant(&mut self, constant: &Constant, overrides: &[Override]) -> Made<()> {
        let value = self.value(&constant.value, &Around::default(), None)?;
        let is_truth = value.kind == super::scope::Kind::Truth;
        let number = match value.cases.as_slice() {
            [case] if case.when.is_empty() => match case.value {
                Expr::Constant(number) => number,
                _ => self.constant(&constant.value, &Around::default())?,
            },
            _ => self.constant(&constant.value, &Around::default())?,
        };
        let mut number = number;
        if constant.is_parameter {
            if let Some(other) = overrides.iter().rev().find(|one| one.name == constant.name.text) {
                number = other.value;
            }
            if is_truth && !(0..=1).contains(&number) {
                let message =
                    format!("'{}' is a truth value and cannot be {number}", shown(&constant.name.text));
                return self.mistakes.broken(constant.name.at.0, message, Some("give it 0 or 1".to_string()));
            }
            self.parameters.push((constant.name.text.clone(), number));
        }
        let meaning = if is_truth { Meaning::Truth(number != 0) } else { Meaning::Number(number) };
        self.give_meaning(&constant.name, meaning)
    }

    fn give_meaning(&mut self, name: &Name, meaning: Meaning) -> Made<()> {
        if let Some(earlier) = self.scope.meanings.get(&name.text) {
            let message = format!("'{}' is declared twice", shown(&name.text));
            let hint = format!("it is {} already", earlier.described());
            return self.mistakes.broken(name.at.0, message, Some(hint));
        }
        self.scope.meanings.insert(name.text.clone(), meaning);
        Ok(())
    }

    /// The values of an enumeration, each once.
    fn listing(&mut self, values: &[Name]) -> Made<Listing> {
        let mut seen = rustc_hash::FxHashSet::default();
        for value in values {
            if !seen.insert(value.text.as_str()) {
                let message = format!("'{}' is listed twice", shown(&value.text));
                return self.mistakes.broken(value.at.0, message, None);
            }
        }
        Ok(self.scope.list(values))
    }

    fn declare_process(&mut self, process: &Process, describes_start: bool) -> Made<()> {
        let (low, count) = match &process.binder {
            None => (None, 1),
            Some(binder) => {
                let around = Around::default();
                let (from, to) = (self.constant(&binder.from, &around)?, self.constant(&binder.to, &around)?);
                let count = (i128::from(to) - i128::from(from) + 1).max(0);
                let count = u64::try_from(count).unwrap_or(u64::MAX);
                if count == 0 || count > MOST_VARIABLES {
                    let message = format!("a family of {count} processes");
                    let hint = Some(format!("expected 1 to {MOST_VARIABLES}"));
                    return self.mistakes.broken(binder.from.at.0, message, hint);
                }
                (Some(from), count)
            }
        };
        let mut copies = Copies { low, count, ..Copies::default() };
        // The copies are declared before they are complete, so that initial values can see the
        // binder and nothing else.
        for copy in 0..count {
            let prefix = format!("{}.", copy_name(&process.name.text, low, copy));
            let around = Around { process: None, ..around_copy(process, low, copy) };
            for item in &process.items {
                let Item::Variables(variables) = item else { continue };
                for (name, declared) in
                    self.declare_variables(variables, &prefix, &around, describes_start)?
                {
                    let of_name = copies.variables.entry(name.text.clone()).or_default();
                    if of_name.len() as u64 > copy {
                        let message = format!("'{}' is declared twice", shown(&name.text));
                        return self.mistakes.broken(name.at.0, message, None);
                    }
                    of_name.push(declared);
                }
            }
        }
        self.give_meaning(&process.name, Meaning::Process(copies))
    }

    /// The variables of one declaration, made in the model.
    fn declare_variables(
        &mut self,
        variables: &Variables,
        prefix: &str,
        around: &Around,
        describes_start: bool,
    ) -> Made<Vec<(Name, Declared)>> {
        let (values, listing) = self.domain(&variables.domain, around)?;
        let values = Arc::new(values);
        let mut declared_here = Vec::new();
        for (name, length) in &variables.names {
            let length = match length {
                None => None,
                Some(tree) => {
                    let length = self.constant(tree, around)?;
                    match u64::try_from(length).ok().filter(|length| (1..=MOST_VARIABLES).contains(length)) {
                        Some(length) => Some(length),
                        None => {
                            let message = format!("an array of length {length}");
                            let hint = Some(format!("expected 1 to {MOST_VARIABLES}"));
                            return self.mistakes.broken(tree.at.0, message, hint);
                        }
                    }
                }
            };
            if self.model.variables.len() as u64 + length.unwrap_or(1) > MOST_VARIABLES {
                return self.mistakes.broken(name.at.0, "there are too many variables", None);
            }
            let declared = Declared {
                first: self.model.variables.len() as u32,
                length,
                values: Arc::clone(&values),
                listing: listing.clone(),
            };
            if let Some(length) = length {
                let array = Source::Array { name: format!("{prefix}{}", name.text) };
                self.model.origins.add(VariableId(declared.first), length as u32, array);
            }
            for index in 0..length.unwrap_or(1) {
                self.charge(1, name.at.0)?;
                let full = match length {
                    Some(_) => format!("{prefix}{}.{index}", name.text),
                    None => format!("{prefix}{}", name.text),
                };
                self.model.variables.push(Variable { name: full });
                Arc::make_mut(&mut self.values).push((*values).clone());
            }
            let starts = self.starts(variables.initial.as_ref(), &declared, name, around, describes_start)?;
            self.starts.extend(starts);
            declared_here.push((name.clone(), declared));
        }
        Ok(declared_here)
    }

    fn domain(&mut self, domain: &Domain, around: &Around) -> Made<(Values, Option<Listing>)> {
        let named = |listing: Listing| (Values::Named(listing.to_vec()), Some(listing));
        Ok(match domain {
            Domain::Natural => (Values::Natural, None),
            Domain::Boolean => (Values::Boolean, None),
            Domain::Values(values) => named(self.listing(values)?),
            Domain::Named(name) => match self.scope.meanings.get(&name.text) {
                Some(Meaning::Enumeration(listing)) => named(listing.clone()),
                _ => {
                    let message = format!("no enumeration '{}' was declared before", shown(&name.text));
                    let enumerations = self.scope.meanings.iter().filter_map(|(known, meaning)| {
                        matches!(meaning, Meaning::Enumeration(_)).then_some(known.as_str())
                    });
                    let near = likely(&name.text, enumerations.chain(["nat", "bool"]));
                    let hint = near.map(|near| format!("did you mean '{near}'?"));
                    return self.mistakes.broken(name.at.0, message, hint);
                }
            },
            Domain::Range(from, to) => {
                let (least, largest) = (self.constant(from, around)?, self.constant(to, around)?);
                if least > largest {
                    let message = format!("the range {least}..{largest} is empty");
                    return self.mistakes.broken(from.at.0, message, None);
                }
                if least < -FARTHEST || largest > FARTHEST {
                    let hint = Some("use `nat` for natural numbers without limits".to_string());
                    return self.mistakes.broken(from.at.0, "this range is too large", hint);
                }
                (Values::Range { least, largest }, None)
            }
        })
    }

    /// What each element of a variable may be in the beginning.
    fn starts(
        &mut self,
        initial: Option<&Initial>,
        declared: &Declared,
        name: &Name,
        around: &Around,
        describes_start: bool,
    ) -> Made<Vec<Start>> {
        let count = declared.length.unwrap_or(1);
        let same = |start: Start| (0..count).map(|_| start.clone()).collect();
        Ok(match initial {
            None if describes_start => same(Start::Any),
            None => {
                let message = format!("'{}' has no initial value", shown(&name.text));
                let hint =
                    Some("write `= 0` after it, or `= any` if it may start with any value".to_string());
                return self.mistakes.broken(name.at.0, message, hint);
            }
            Some(Initial::Any) => same(Start::Any),
            Some(Initial::Value(tree)) => {
                let value = self.initial_value(tree, declared, around)?;
                same(Start::OneOf(vec![value]))
            }
            Some(Initial::OneOf(trees)) => {
                let mut values = Vec::with_capacity(trees.len());
                for tree in trees {
                    values.push(self.initial_value(tree, declared, around)?);
                }
                values.sort_unstable();
                values.dedup();
                same(Start::OneOf(values))
            }
            Some(Initial::Range(from, to)) => {
                let (least, largest) =
                    (self.initial_value(from, declared, around)?, self.initial_value(to, declared, around)?);
                if least > largest {
                    return self.mistakes.broken(from.at.0, "this range is empty", None);
                }
                same(Start::Range(least, largest))
            }
            Some(Initial::Each(trees)) => {
                if declared.length != Some(trees.len() as u64) {
                    let message = format!("{} values for '{}'", trees.len(), shown(&name.text));
                    let hint = match declared.length {
                        Some(length) => format!("the array has {length} elements"),
                        None => "it is not an array".to_string(),
                    };
                    return self.mistakes.broken(trees[0].at.0, message, Some(hint));
                }
                let mut starts = Vec::with_capacity(trees.len());
                for tree in trees {
                    starts.push(Start::OneOf(vec![self.initial_value(tree, declared, around)?]));
                }
                starts
            }
        })
    }
}
