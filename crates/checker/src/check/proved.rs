//! Atoms that have one value in all reachable states, by what is proved of the net, or by the values
//! that the variables of a program may have.

use crate::bounds::{Structure, sum_of_bounds};
use crate::loaded::Loaded;
use symbolon_logic::{Builder, Formula, Operator};
use symbolon_model::{Atom, Comparison, Event, Linear, LinearInvariant, Part, Predicate, VariableId};
use symbolon_petri::PlaceId;

/// What is proved of a model, as far as atoms need it.
pub(super) struct Proved<'a> {
    loaded: &'a Loaded,
    structure: Option<Structure<'a>>,
    is_dead: Vec<bool>,
}

impl<'a> Proved<'a> {
    pub(super) fn new(loaded: &'a Loaded) -> Proved<'a> {
        let is_dead = match loaded.structure() {
            Some(net) => loaded.analysis.dead.transition_flags(net),
            None => vec![false; loaded.model.events.len()],
        };
        Proved { loaded, structure: Structure::new(loaded), is_dead }
    }

    /// The formula with every atom that is decided replaced by its value.
    pub(super) fn apply(&self, formula: &Formula<Atom>) -> Formula<Atom> {
        formula.rewrite(|builder: &mut Builder<Atom>, _, operator| {
            let value = match &operator {
                Operator::Atom(atom) => self.atom(atom),
                _ => None,
            };
            builder.add(match value {
                Some(true) => Operator::True,
                Some(false) => Operator::False,
                None => operator,
            })
        })
    }

    fn atom(&self, atom: &Atom) -> Option<bool> {
        match atom {
            Atom::Holds(predicate) => self.predicate(predicate),
            Atom::Fireable(events) => {
                let model = &self.loaded.model;
                if events.iter().any(|&event| model.event(event).parts.is_empty()) {
                    return Some(true);
                }
                let never = events
                    .iter()
                    .all(|&event| self.is_dead[event.index()] || self.asks_too_much(model.event(event)));
                never.then_some(false)
            }
        }
    }

    /// Whether an event asks for more than a variable ever holds.
    fn asks_too_much(&self, event: &Event) -> bool {
        event.parts.iter().any(|part| match part {
            Part::Local { variable, at_least, .. } => {
                let bound = self.loaded.analysis.upper_bounds.get(variable.index()).copied().flatten();
                bound.is_some_and(|bound| bound < *at_least)
            }
            Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => false,
        })
    }

    fn predicate(&self, predicate: &Predicate) -> Option<bool> {
        match predicate {
            Predicate::True => Some(true),
            Predicate::False => Some(false),
            Predicate::Not(inner) => self.predicate(inner).map(|value| !value),
            Predicate::And(parts) => {
                let values: Vec<_> = parts.iter().map(|part| self.predicate(part)).collect();
                match values.contains(&Some(false)) {
                    true => Some(false),
                    false => values.iter().all(Option::is_some).then_some(true),
                }
            }
            Predicate::Or(parts) => {
                let values: Vec<_> = parts.iter().map(|part| self.predicate(part)).collect();
                match values.contains(&Some(true)) {
                    true => Some(true),
                    false => values.iter().all(Option::is_some).then_some(false),
                }
            }
            Predicate::Compare(left, comparison, right) => {
                let (terms, constant) = Linear::of_comparison(left, right)?;
                decided(*comparison, self.range(&terms), i128::from(constant))
            }
        }
    }

    /// The least and the largest value that a sum can have, as far as they are proved.
    fn range(&self, terms: &[(VariableId, i64)]) -> (Option<i128>, Option<i128>) {
        if let Some(value) = self.constant_sum(terms) {
            return (Some(value), Some(value));
        }
        let part = |is_wanted: fn(i64) -> bool| -> Vec<(PlaceId, u64)> {
            let wanted = terms.iter().filter(|(_, coefficient)| is_wanted(*coefficient));
            wanted.map(|&(variable, coefficient)| (PlaceId(variable.0), coefficient.unsigned_abs())).collect()
        };
        let largest = |terms: Vec<(PlaceId, u64)>| match terms.is_empty() {
            true => Some(0),
            false => self.largest(&terms).and_then(|bound| i128::try_from(bound).ok()),
        };
        (
            largest(part(|coefficient| coefficient < 0)).map(|bound| -bound),
            largest(part(|coefficient| coefficient > 0)),
        )
    }

    /// A value that a sum never exceeds.
    fn largest(&self, terms: &[(PlaceId, u64)]) -> Option<u128> {
        match &self.structure {
            Some(structure) => structure.bound(terms).map(|(bound, _)| bound),
            None => sum_of_bounds(self.loaded, terms),
        }
    }

    /// The value of a sum that an invariant keeps.
    fn constant_sum(&self, terms: &[(VariableId, i64)]) -> Option<i128> {
        let Some(&(first, factor)) = terms.first() else { return Some(0) };
        let is_multiple = |invariant: &&LinearInvariant| {
            let Some(&(other, weight)) = invariant.terms.first() else { return false };
            let times = |a: i64, b: u64| i128::from(a) * i128::from(b);
            other == first
                && invariant.terms.len() == terms.len()
                && invariant.terms.iter().zip(terms).all(|(&(variable, w), &(same, coefficient))| {
                    variable == same && times(coefficient, weight) == times(factor, w)
                })
        };
        let invariant = self.loaded.analysis.invariants.iter().find(is_multiple)?;
        let (_, weight) = *invariant.terms.first()?;
        // The sum is `factor / weight` times the invariant, which is a whole number as both sums
        // are.
        Some(i128::from(factor) * i128::from(invariant.value) / i128::from(weight))
    }
}

/// Whether a value in the range compares with a constant in one way only.
fn decided(
    comparison: Comparison,
    (least, largest): (Option<i128>, Option<i128>),
    constant: i128,
) -> Option<bool> {
    let above = least.is_some_and(|least| least > constant);
    let at_least = least.is_some_and(|least| least >= constant);
    let below = largest.is_some_and(|largest| largest < constant);
    let at_most = largest.is_some_and(|largest| largest <= constant);
    let (always, never) = match comparison {
        Comparison::Less => (below, at_least),
        Comparison::LessOrEqual => (at_most, above),
        Comparison::Greater => (above, at_most),
        Comparison::GreaterOrEqual => (at_least, below),
        Comparison::Equal => (at_least && at_most, above || below),
        Comparison::NotEqual => (above || below, at_least && at_most),
    };
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}
