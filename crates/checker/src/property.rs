//! Properties: formulas whose names are resolved in a model.

use crate::error::{Error, Excerpt, InputError};
use crate::examination::FormulaFile;
use crate::load::{Loaded, input_error, unknown};
use crate::report::{Outcome, PartialReport};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use symbolon_budget::Budget;
use symbolon_logic::{
    Formula, FormulaError, FormulaId, Fragment, LinearExpr, Name, NamedAtom, Paths, parse_formula,
    read_properties,
};
use symbolon_model::{Atom, Comparison, EventId, Expr, Predicate, VariableId};
use symbolon_source::{ReadFailure, likely, shown};

/// A formula about a model.
#[derive(Clone, Debug)]
pub struct Property {
    /// How it is called.
    pub name: String,
    /// The formula as text.
    pub text: String,
    /// The formula as it was written, if somebody wrote it.
    named: Option<Formula<NamedAtom>>,
    /// The formula, about the variables and events of the model.
    pub formula: Formula<Atom>,
    /// What paths it speaks about.
    pub paths: Paths,
}

impl Property {
    /// A property that nobody wrote.
    pub fn new(name: impl Into<String>, formula: Formula<Atom>, paths: Paths) -> Property {
        Property { name: name.into(), text: String::new(), named: None, formula, paths }
    }

    /// A property that came with a model.
    pub(crate) fn written(
        name: String,
        text: String,
        named: Formula<NamedAtom>,
        formula: Formula<Atom>,
        paths: Paths,
    ) -> Property {
        Property { name, text, named: Some(named), formula, paths }
    }

    /// A subformula as text.
    pub(crate) fn subformula_text(&self, id: FormulaId) -> String {
        // Different words may mean the same, so that parts which were written differently became one.
        match &self.named {
            Some(named) if named.size() == self.formula.size() => named.subformula(id).to_string(),
            _ => format!("subformula {}", id.index() + 1),
        }
    }
}

/// The names of a model.
pub(crate) struct Names<'a> {
    variables: FxHashMap<&'a str, VariableId>,
    events: FxHashMap<&'a str, EventId>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(loaded: &'a Loaded) -> Names<'a> {
        let model = &loaded.model;
        Names {
            variables: model
                .variable_ids()
                .map(|id| (model.variables[id.index()].name.as_str(), id))
                .collect(),
            events: model.event_ids().map(|id| (model.event(id).name.as_str(), id)).collect(),
        }
    }

    /// The formula about the model itself, or what is wrong with its names.
    pub(crate) fn resolve(&self, formula: &Formula<NamedAtom>) -> Result<Formula<Atom>, Vec<FormulaError>> {
        let mut errors = Vec::new();
        let resolved = formula.map_atoms(|_, atom| {
            // A formula with a wrong atom is not used.
            let nothing = Atom::Fireable(Vec::new());
            Ok::<Atom, Infallible>(self.atom(atom, &mut errors).unwrap_or(nothing))
        });
        let Ok(resolved) = resolved;
        if errors.is_empty() { Ok(resolved) } else { Err(errors) }
    }

    fn atom(&self, atom: &NamedAtom, errors: &mut Vec<FormulaError>) -> Option<Atom> {
        match atom {
            // A place alone means that it is marked.
            NamedAtom::Named(name) => {
                let (value, zero) = (Expr::Variable(self.variable(name, errors)?), Expr::Constant(0));
                Some(Atom::Holds(Predicate::Compare(value, Comparison::Greater, zero)))
            }
            NamedAtom::Compare(left, comparison, right) => {
                let (left, right) = (self.sum(left, errors), self.sum(right, errors));
                Some(Atom::Holds(Predicate::Compare(left?, *comparison, right?)))
            }
            NamedAtom::Fireable(names) => {
                let events: Vec<Option<EventId>> =
                    names.iter().map(|name| self.event(name, errors)).collect();
                let mut events: Vec<EventId> = events.into_iter().collect::<Option<_>>()?;
                events.sort_unstable();
                events.dedup();
                Some(Atom::Fireable(events))
            }
        }
    }

    fn sum(&self, sum: &LinearExpr, errors: &mut Vec<FormulaError>) -> Option<Expr> {
        let term = |(factor, name): &(i64, Name)| {
            let variable = Expr::Variable(self.variable(name, errors)?);
            Some(match factor {
                1 => variable,
                _ => Expr::Product(Box::new(Expr::Constant(*factor)), Box::new(variable)),
            })
        };
        let terms: Vec<Option<Expr>> = sum.terms.iter().map(term).collect();
        let mut terms: Vec<Expr> = terms.into_iter().collect::<Option<_>>()?;
        if sum.constant != 0 || terms.is_empty() {
            terms.push(Expr::Constant(sum.constant));
        }
        Some(if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) })
    }

    fn variable(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<VariableId> {
        let found = self.variables.get(&*name.text).copied();
        if found.is_none() {
            let is_event = self.events.contains_key(&*name.text);
            let other = is_event
                .then(|| format!("\"{}\" is a transition: write fireable({name})", shown(&name.text)));
            errors.push(unknown_name("place", name, other, self.variables.keys().copied()));
        }
        found
    }

    fn event(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<EventId> {
        let found = self.events.get(&*name.text).copied();
        if found.is_none() {
            let is_place = self.variables.contains_key(&*name.text);
            let other = is_place.then(|| format!("\"{}\" is a place: write {name} >= 1", shown(&name.text)));
            errors.push(unknown_name("transition", name, other, self.events.keys().copied()));
        }
        found
    }
}

fn unknown_name<'a>(
    what: &str,
    name: &Name,
    other: Option<String>,
    known: impl Iterator<Item = &'a str>,
) -> FormulaError {
    let error = FormulaError::new(name.span, format!("the net has no {what} \"{}\"", shown(&name.text)));
    let near = || likely(&name.text, known).map(|near| format!("did you mean \"{}\"?", shown(near)));
    match other.or_else(near) {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Formulas as somebody wrote them on the command line; `paths` overrides what they would speak about.
pub fn properties_of_texts(
    loaded: &Loaded,
    texts: &[String],
    paths: Option<Paths>,
) -> Result<Vec<Property>, Error> {
    let names = Names::new(loaded);
    let mut properties = Vec::with_capacity(texts.len());
    let mut mistakes = Vec::new();
    for text in texts {
        let parsed = parse_formula(text).and_then(|parsed| {
            let formula = names.resolve(&parsed.formula)?;
            Ok(property(String::new(), &parsed.formula, formula, paths))
        });
        match parsed {
            Ok(property) => properties.push(property),
            Err(errors) => mistakes.extend(errors.iter().map(|error| mistake(None, text, error))),
        }
    }
    if mistakes.is_empty() { Ok(properties) } else { Err(Error::Input(mistakes)) }
}

fn property(
    name: String,
    named: &Formula<NamedAtom>,
    formula: Formula<Atom>,
    paths: Option<Paths>,
) -> Property {
    let paths = paths.unwrap_or_else(|| usual_paths(&formula));
    Property { name, text: named.to_string(), named: Some(named.clone()), formula, paths }
}

/// A mistake at a place of a text, which is a file or what was typed.
fn mistake(file: Option<&str>, text: &str, error: &FormulaError) -> InputError {
    let start = floor_boundary(text, error.span.start);
    let end = floor_boundary(text, error.span.end.max(start));
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let line = text[..line_start].matches('\n').count() as u32 + 1;
    let column = text[line_start..start].chars().count() as u32 + 1;
    let width = text[start..end.min(line_end).max(start)].chars().count().max(1) as u32;
    InputError {
        message: error.message.clone(),
        file: file.map(str::to_string),
        line: Some(line),
        column: Some(column),
        hint: error.hint.clone(),
        excerpt: Some(Box::new(Excerpt { line: text[line_start..line_end].to_string(), column, width })),
        is_warning: false,
        is_unsupported: false,
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
}

/// What paths a formula of no other source speaks about: LTL as in the contest, the rest as CTL of the contest.
pub(crate) fn usual_paths<A>(formula: &Formula<A>) -> Paths {
    match formula.fragment() {
        Fragment::Ltl => Paths::Stutter,
        Fragment::Propositional | Fragment::Ctl | Fragment::CtlStar => Paths::Maximal,
    }
}

/// The properties of a file, and what is odd about it.
#[derive(Clone, Debug)]
pub struct PropertyFile {
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
    /// What its reader wants to say.
    pub warnings: Vec<InputError>,
}

/// The formulas of a file; `paths` overrides what they would speak about.
pub fn properties_of_file(
    loaded: &Loaded,
    file: &FormulaFile,
    paths: Option<Paths>,
    budget: &Budget,
) -> Result<Outcome<PropertyFile>, Error> {
    let read = match read_properties(&file.bytes, budget) {
        Ok(read) => read,
        Err(ReadFailure::Interrupted(why)) => {
            return Ok(Outcome::Unknown(unknown(why, PartialReport::default())));
        }
        Err(ReadFailure::Invalid(error)) => {
            let findings = error.diagnostics.iter().map(|finding| input_error(&file.name, finding));
            return Err(Error::Input(findings.collect()));
        }
    };
    let names = Names::new(loaded);
    let mut properties = Vec::with_capacity(read.properties.len());
    let mut mistakes = Vec::new();
    for one in read.properties {
        match names.resolve(&one.formula.formula) {
            Ok(formula) => properties.push(property(one.id, &one.formula.formula, formula, paths)),
            Err(errors) => {
                mistakes.extend(errors.iter().map(|error| mistake(Some(&file.name), &read.text, error)));
            }
        }
    }
    if mistakes.is_empty() {
        let warnings = read.warnings.iter().map(|finding| input_error(&file.name, finding)).collect();
        Ok(Outcome::Done(PropertyFile { properties, warnings }))
    } else {
        Err(Error::Input(mistakes))
    }
}
