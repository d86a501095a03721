//! Formulas about one marking as alternatives of linear constraints.
//!
//! A *cube* is a list of constraints that hold together; a formula is covered by cubes if every
//! marking that satisfies it satisfies one of them. Covering may be too large, never too small: a
//! constraint that cannot be written, or would make too many cubes, is left out. So if no reachable
//! marking lies in any cube, none satisfies the formula.

use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::{Atom, Comparison, EventId, Linear, Model, Part, Predicate, VariableId};
use symbolon_petri::PlaceId;
use symbolon_petri::analysis::LinearConstraint;

/// Constraints that hold together.
pub(super) type Cube = Vec<LinearConstraint>;

/// More cubes are not worth a linear program each.
const MOST_CUBES: usize = 32;
/// Longer cubes lose what comes later.
const MOST_CONSTRAINTS: usize = 400;

/// Cubes that cover the markings in which subformula `id`, which speaks about one marking, has the
/// value `value`. `None` if they would be too many, or cover everything.
pub(super) fn cubes(model: &Model, formula: &Formula<Atom>, id: FormulaId, value: bool) -> Option<Vec<Cube>> {
    let cubes = Cover { model, formula, depth: 0, looked_at: 0 }.of(id, value)?;
    cubes.iter().all(|cube| !cube.is_empty()).then_some(cubes)
}

struct Cover<'a> {
    model: &'a Model,
    formula: &'a Formula<Atom>,
    depth: u32,
    looked_at: u32,
}

/// Formulas may be nested deeper than a stack, and a shared subformula is met on many ways: what
/// lies deeper, or comes later, is left out.
const DEEPEST: u32 = 400;
const MOST_LOOKED_AT: u32 = 20_000;

impl Cover<'_> {
    /// `None` stands for too many; the whole of all markings is one cube without constraints.
    fn of(&mut self, id: FormulaId, value: bool) -> Option<Vec<Cube>> {
        self.looked_at += 1;
        if self.depth > DEEPEST || self.looked_at > MOST_LOOKED_AT {
            return Some(everything());
        }
        self.depth += 1;
        let cubes = match (self.formula.operator(id), value) {
            (Operator::True, true) | (Operator::False, false) => Some(everything()),
            (Operator::True, false) | (Operator::False, true) => Some(Vec::new()),
            (Operator::Atom(Atom::Holds(predicate)), _) => predicate_cubes(predicate, value),
            (Operator::Atom(Atom::Fireable(events)), true) => {
                any(events.iter().map(|&event| Some(vec![self.enabled(event)])))
            }
            (Operator::Atom(Atom::Fireable(events)), false) => {
                Some(all(events.iter().map(|&event| self.disabled(event))))
            }
            (Operator::Deadlock, true) => {
                let events: Vec<EventId> = self.model.event_ids().collect();
                Some(all(events.into_iter().map(|event| self.disabled(event))))
            }
            (Operator::Not(f), _) => self.of(*f, !value),
            (Operator::And(f, g), true) | (Operator::Or(f, g), false) => {
                let parts = [self.of(*f, value), self.of(*g, value)];
                Some(all(parts.into_iter()))
            }
            (Operator::And(f, g), false) | (Operator::Or(f, g), true) => {
                let parts = [self.of(*f, value), self.of(*g, value)];
                any(parts.into_iter())
            }
            (Operator::Implies(f, g), true) => any([self.of(*f, false), self.of(*g, true)].into_iter()),
            (Operator::Implies(f, g), false) => {
                Some(all([self.of(*f, true), self.of(*g, false)].into_iter()))
            }
            _ => Some(everything()),
        };
        self.depth -= 1;
        cubes
    }

    fn enabled(&self, event: EventId) -> Cube {
        let mut cube = Vec::new();
        for part in &self.model.event(event).parts {
            let Part::Local { variable, at_least, at_most, .. } = part else { continue };
            cube.extend(bounds(*variable, *at_least, *at_most));
        }
        cube
    }

    /// A cube for each part that may be the obstacle.
    fn disabled(&self, event: EventId) -> Option<Vec<Cube>> {
        let parts = self.model.event(event).parts.iter().map(|part| match part {
            Part::Local { variable, at_least, at_most, .. } => {
                let mut cubes = Vec::new();
                if let Some(most) = at_least.checked_sub(1) {
                    cubes.push(bounds(*variable, 0, most).collect());
                }
                if *at_most < u64::MAX {
                    cubes.push(bounds(*variable, at_most + 1, u64::MAX).collect());
                }
                Some(cubes)
            }
            Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => Some(everything()),
        });
        any(parts)
    }
}

fn everything() -> Vec<Cube> {
    vec![Vec::new()]
}

/// One of these holds. What cannot be written covers everything.
fn any(parts: impl Iterator<Item = Option<Vec<Cube>>>) -> Option<Vec<Cube>> {
    let mut cubes = Vec::new();
    for part in parts {
        cubes.extend(part?);
        if cubes.len() > MOST_CUBES {
            return None;
        }
    }
    Some(cubes)
}

/// All of these hold. A part with too many alternatives is left out.
fn all(parts: impl Iterator<Item = Option<Vec<Cube>>>) -> Vec<Cube> {
    let mut parts: Vec<Vec<Cube>> = parts.flatten().collect();
    parts.sort_by_key(Vec::len);
    let mut cubes = everything();
    for part in parts {
        let too_long = cubes.iter().any(|cube| cube.len() >= MOST_CONSTRAINTS);
        if cubes.len().saturating_mul(part.len()) > MOST_CUBES || too_long && !part.is_empty() {
            break;
        }
        let pairs = cubes.iter().flat_map(|a| part.iter().map(move |b| [a.as_slice(), b].concat()));
        cubes = pairs.collect();
    }
    cubes
}

/// `at_least ≤ variable ≤ at_most`, as far as it says something.
fn bounds(variable: VariableId, at_least: u64, at_most: u64) -> impl Iterator<Item = LinearConstraint> {
    let place = [(PlaceId(variable.0), 1)];
    let low = i64::try_from(at_least).ok().filter(|&least| least > 0);
    let high = i64::try_from(at_most).ok();
    let low = low.and_then(|least| LinearConstraint::at_least(&place, least));
    let high = high.and_then(|most| LinearConstraint::at_most(&place, most));
    low.into_iter().chain(high)
}

fn predicate_cubes(predicate: &Predicate, value: bool) -> Option<Vec<Cube>> {
    match (predicate, value) {
        (Predicate::True, true) | (Predicate::False, false) => Some(everything()),
        (Predicate::True, false) | (Predicate::False, true) => Some(Vec::new()),
        (Predicate::Not(inner), _) => predicate_cubes(inner, !value),
        (Predicate::And(parts), true) | (Predicate::Or(parts), false) => {
            Some(all(parts.iter().map(|part| predicate_cubes(part, value))))
        }
        (Predicate::And(parts), false) | (Predicate::Or(parts), true) => {
            any(parts.iter().map(|part| predicate_cubes(part, value)))
        }
        (Predicate::Compare(left, comparison, right), _) => {
            let Some((terms, constant)) = Linear::of_comparison(left, right) else {
                return Some(everything());
            };
            let terms: Vec<(PlaceId, i64)> =
                terms.into_iter().map(|(variable, factor)| (PlaceId(variable.0), factor)).collect();
            let comparison = if value { *comparison } else { comparison.negated() };
            Some(comparison_cubes(&terms, comparison, constant))
        }
    }
}

fn comparison_cubes(terms: &[(PlaceId, i64)], comparison: Comparison, constant: i64) -> Vec<Cube> {
    let most = |bound: Option<i64>| bound.and_then(|bound| LinearConstraint::at_most(terms, bound));
    let least = |bound: Option<i64>| bound.and_then(|bound| LinearConstraint::at_least(terms, bound));
    let cube =
        |constraints: &[Option<LinearConstraint>]| constraints.iter().flatten().cloned().collect::<Cube>();
    match comparison {
        Comparison::Less => vec![cube(&[most(constant.checked_sub(1))])],
        Comparison::LessOrEqual => vec![cube(&[most(Some(constant))])],
        Comparison::Greater => vec![cube(&[least(constant.checked_add(1))])],
        Comparison::GreaterOrEqual => vec![cube(&[least(Some(constant))])],
        Comparison::Equal => vec![cube(&[most(Some(constant)), least(Some(constant))])],
        Comparison::NotEqual => {
            vec![cube(&[most(constant.checked_sub(1))]), cube(&[least(constant.checked_add(1))])]
        }
    }
}
