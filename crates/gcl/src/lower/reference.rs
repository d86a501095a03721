//! What references mean: names with indices and parts.
//!
//! An index that is computed may mean several elements; each is a case of its own, see
//! [`super::meaning`].

use super::Lowering;
use super::algebra::{Bounds, compare, sum};
use super::meaning::{Case, MOST_CASES, Value, join};
use super::scope::{Around, Copies, Declared, Kind, Listing, Meaning};
use crate::mistakes::Made;
use crate::tree::{Expr as Tree, ExprKind, Quantifier, Reference};
use symbolon_model::{Comparison, Expr, Predicate, VariableId};
use symbolon_source::{likely, shown};

/// A variable that a reference means, where some conditions hold.
pub(super) type Target = (Vec<Predicate>, VariableId);

/// What a reference means.
enum Referred {
    Number(i64),
    Truth(bool),
    Literal(String),
    Variable(Vec<Target>, Declared),
}

impl Lowering<'_> {
    pub(super) fn value_of_reference(
        &mut self,
        reference: &Reference,
        around: &Around,
        listing: Option<&Listing>,
    ) -> Made<Value> {
        Ok(match self.refer(reference, around)? {
            Referred::Number(number) => Value::constant(number, Kind::Number),
            Referred::Truth(truth) => Value::constant(i64::from(truth), Kind::Truth),
            Referred::Variable(targets, declared) => {
                let offset = Expr::Constant(declared.offset());
                let value = |variable| sum(vec![Expr::Variable(variable), offset.clone()]);
                let cases = targets
                    .into_iter()
                    .map(|(when, variable)| Case { when, value: value(variable) })
                    .collect();
                Value { cases, kind: declared.kind() }
            }
            Referred::Literal(name) => {
                let known = self.scope.values.get(&name);
                let only = known.filter(|known| known.len() == 1).map(|known| known[0].clone());
                let Some(listing) = listing.cloned().or(only) else {
                    let message = format!("several enumerations have a value '{}'", shown(&name));
                    let hint = Some("compare it with a variable".to_string());
                    return self.mistakes.broken(reference.at(), message, hint);
                };
                match listing.iter().position(|value| *value == name) {
                    Some(position) => Value::constant(position as i64, Kind::Named(listing)),
                    None => {
                        let message = format!(
                            "expected {}, found '{}'",
                            Kind::Named(listing.clone()).described(),
                            shown(&name)
                        );
                        let near = likely(&name, listing.iter().map(String::as_str));
                        let hint = near.map(|near| format!("did you mean '{near}'?"));
                        return self.mistakes.broken(reference.at(), message, hint);
                    }
                }
            }
        })
    }

    /// The variables that a reference on the left of an assignment may mean.
    pub(super) fn targets(
        &mut self,
        reference: &Reference,
        around: &Around,
    ) -> Made<(Vec<Target>, Declared)> {
        match self.refer(reference, around)? {
            Referred::Variable(targets, declared) => Ok((targets, declared)),
            _ => {
                let message =
                    format!("'{}' is not a variable and cannot be assigned", shown(&reference.to_string()));
                self.mistakes.broken(reference.at(), message, None)
            }
        }
    }

    fn refer(&mut self, reference: &Reference, around: &Around) -> Made<Referred> {
        let first = &reference.parts[0];
        let (name, at) = (first.name.text.as_str(), first.name.at.0);
        let simple = match around.bound(name) {
            Some(number) => Some(Referred::Number(number)),
            None => match self.scope.meanings.get(name) {
                _ if self.scope.variable(name, around).is_some() => None,
                Some(Meaning::Number(number)) => Some(Referred::Number(*number)),
                Some(Meaning::Truth(truth)) => Some(Referred::Truth(*truth)),
                Some(_) => None,
                None => self.scope.values.contains_key(name).then(|| Referred::Literal(name.to_string())),
            },
        };
        if let Some(simple) = simple {
            if reference.parts.len() > 1 || first.index.is_some() {
                let message = format!("'{}' is neither an array nor a process", shown(name));
                return self.mistakes.broken(at, message, None);
            }
            return Ok(simple);
        }
        if let Some(declared) = self.scope.variable(name, around).cloned() {
            if reference.parts.len() > 1 {
                let message = format!("'{}' is a variable and has no parts", shown(name));
                return self.mistakes.broken(reference.parts[1].name.at.0, message, None);
            }
            let targets = self.elements(&declared, first.index.as_deref(), name, at, around)?;
            return Ok(Referred::Variable(targets, declared));
        }
        match self.scope.meanings.get(name).cloned() {
            Some(Meaning::Process(copies)) => self.refer_to_process(reference, &copies, around),
            Some(other) => {
                let message = format!("'{}' is {}, expected a value", shown(name), other.described());
                self.mistakes.broken(at, message, None)
            }
            None => {
                let hint = self.scope.likely(name, around).map(|near| format!("did you mean '{near}'?"));
                self.mistakes.broken(at, format!("unknown name '{}'", shown(name)), hint)
            }
        }
    }

    /// A variable of a process.
    fn refer_to_process(
        &mut self,
        reference: &Reference,
        copies: &Copies,
        around: &Around,
    ) -> Made<Referred> {
        let first = &reference.parts[0];
        let (name, at) = (first.name.text.as_str(), first.name.at.0);
        let [_, part] = reference.parts.as_slice() else {
            let message = format!("'{}' is a process, expected one of its variables", shown(name));
            let known = copies.variables.keys().min();
            let hint = known.map(|variable| {
                format!("such as {name}{}.{variable}", if copies.low.is_some() { "[…]" } else { "" })
            });
            return self.mistakes.broken(at, message, hint);
        };
        let chosen = match (copies.low, &first.index) {
            (None, None) => vec![(Vec::new(), 0)],
            (Some(low), Some(index)) => self.positions(index, low, copies.count, name, around)?,
            (Some(_), None) => {
                let message = format!("'{}' is a family of processes, expected an index", shown(name));
                return self.mistakes.broken(at, message, Some(format!("such as {name}[0]")));
            }
            (None, Some(index)) => {
                let message = format!("'{}' is a single process and takes no index", shown(name));
                return self.mistakes.broken(index.at.0, message, None);
            }
        };
        let (part_name, part_at) = (part.name.text.as_str(), part.name.at.0);
        let Some(variables) = copies.variables.get(part_name) else {
            let message = format!("process '{}' has no variable '{}'", shown(name), shown(part_name));
            let near = likely(part_name, copies.variables.keys().map(String::as_str));
            let hint = near.map(|near| format!("did you mean '{near}'?"));
            return self.mistakes.broken(part_at, message, hint);
        };
        let mut targets = Vec::new();
        for (when, copy) in chosen {
            let Some(declared) = variables.get(copy as usize) else { continue };
            for (more, variable) in
                self.elements(declared, part.index.as_deref(), part_name, part_at, around)?
            {
                if let Some(when) = join(when.clone(), &more) {
                    targets.push((when, variable));
                }
            }
        }
        match variables.first() {
            Some(declared) => Ok(Referred::Variable(targets, declared.clone())),
            None => self.mistakes.broken(at, format!("'{}' has no copies", shown(name)), None),
        }
    }

    /// The elements of a variable that an index may mean.
    fn elements(
        &mut self,
        declared: &Declared,
        index: Option<&Tree>,
        name: &str,
        at: usize,
        around: &Around,
    ) -> Made<Vec<Target>> {
        match (declared.length, index) {
            (None, None) => Ok(vec![(Vec::new(), declared.element(0))]),
            (Some(length), Some(index)) => {
                let positions = self.positions(index, 0, length, name, around)?;
                Ok(positions.into_iter().map(|(when, position)| (when, declared.element(position))).collect())
            }
            (None, Some(index)) => {
                let message = format!("'{}' is not an array and takes no index", shown(name));
                self.mistakes.broken(index.at.0, message, None)
            }
            (Some(_), None) => {
                let message = format!("'{}' is an array, expected an index", shown(name));
                self.mistakes.broken(at, message, Some(format!("such as {name}[0]")))
            }
        }
    }

    /// The positions among `count`, the first of which is called `low`, that an index may mean.
    fn positions(
        &mut self,
        index: &Tree,
        low: i64,
        count: u64,
        name: &str,
        around: &Around,
    ) -> Made<Vec<(Vec<Predicate>, u64)>> {
        let cases = self.number(index, around)?;
        let (first, last) = (i128::from(low), i128::from(low) + i128::from(count) - 1);
        let mut positions = Vec::new();
        for Case { when, value } in cases {
            if let Expr::Constant(number) = value {
                let number = i128::from(number);
                if number < first || number > last {
                    let message = format!("{number} is not an index of '{}'", shown(name));
                    let hint = Some(format!("its indices are {first}..{last}"));
                    return self.mistakes.broken(index.at.0, message, hint);
                }
                positions.push((when, (number - first) as u64));
                continue;
            }
            let interval = Bounds::under(&self.values, &when).of_expr(&value);
            let (from, to) = (interval.low.max(first), interval.high.min(last));
            self.charge((to - from).clamp(0, MOST_CASES as i128 + 1) as usize, index.at.0)?;
            if to - from >= MOST_CASES as i128 || positions.len() > MOST_CASES {
                return self.too_many_cases(index.at.0);
            }
            if interval.low < first || interval.high > last {
                self.mistakes.warn(
                    index.at.0,
                    "index",
                    format!("this index may leave {first}..{last}, the indices of '{}'", shown(name)),
                    "the command is disabled there; add the condition to its guard",
                );
            }
            for number in from..=to {
                let bounds = Bounds::new(&self.values);
                let is = compare(value.clone(), Comparison::Equal, Expr::Constant(number as i64), &bounds);
                if let Some(when) = join(when.clone(), &[is]) {
                    positions.push((when, (number - first) as u64));
                }
            }
        }
        Ok(positions)
    }

    /// The enumeration that an expression has its values from, as far as it is easily seen.
    pub(super) fn listing_of(&self, tree: &Tree, around: &Around) -> Option<Listing> {
        match &tree.kind {
            ExprKind::Reference(reference) => self.declared(reference, around)?.listing.clone(),
            ExprKind::If(_, yes, no) => self.listing_of(yes, around).or_else(|| self.listing_of(no, around)),
            _ => None,
        }
    }

    /// Whether an expression is a condition, as far as its outermost operator tells.
    pub(super) fn is_condition(&self, tree: &Tree, around: &Around) -> bool {
        match &tree.kind {
            ExprKind::Truth(_)
            | ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Implies(_)
            | ExprKind::Equivalent(_)
            | ExprKind::Compare(..)
            | ExprKind::Quantified(Quantifier::Forall | Quantifier::Exists, ..) => true,
            ExprKind::If(_, yes, _) => self.is_condition(yes, around),
            ExprKind::Reference(reference) => match self.declared(reference, around) {
                Some(declared) => declared.kind() == Kind::Truth,
                None => match reference.parts.as_slice() {
                    [part] if around.bound(&part.name.text).is_none() => {
                        matches!(self.scope.meanings.get(&part.name.text), Some(Meaning::Truth(_)))
                    }
                    _ => false,
                },
            },
            _ => false,
        }
    }

    /// The declaration that a reference leads to, if it does.
    fn declared(&self, reference: &Reference, around: &Around) -> Option<&Declared> {
        match reference.parts.as_slice() {
            [part] if around.bound(&part.name.text).is_none() => self.scope.variable(&part.name.text, around),
            [process, part] => match self.scope.meanings.get(&process.name.text)? {
                Meaning::Process(copies) => copies.variables.get(&part.name.text)?.first(),
                _ => None,
            },
            _ => None,
        }
    }
}
