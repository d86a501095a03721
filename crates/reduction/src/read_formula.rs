//! Atoms and formulas about the original, as they read in the result.

use crate::Reduction;
use crate::weigh::Weigh;
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, EventId, Expr, Linear, Predicate};

impl<T> Reduction<T> {
    /// `formula` about the original, as a formula about the result with the same verdict; `None` if
    /// the reduction does not claim that, or an atom cannot be read in the result.
    pub fn read_formula(
        &self,
        formula: &Formula<Atom>,
        paths: Paths,
        is_fair: bool,
    ) -> Option<Formula<Atom>> {
        if !self.preserves.claims_formula(formula, paths, is_fair) {
            return None;
        }
        formula.map_atoms(|_, atom| read_atom(&*self.weigh, atom).ok_or(())).ok()
    }

    /// `atom` about an original state, as an atom about the state of the result that stands for it.
    pub fn read_atom(&self, atom: &Atom) -> Option<Atom> {
        read_atom(&*self.weigh, atom)
    }
}

/// How an atom reads in the result.
pub(crate) fn read_atom(weigh: &dyn Weigh, atom: &Atom) -> Option<Atom> {
    match atom {
        Atom::Holds(predicate) => read_predicate(weigh, predicate).map(Atom::Holds),
        Atom::Fireable(events) => read_fireable(weigh, events),
    }
}

/// "One of these events is enabled". Atoms of one kind are one atom; of both kinds there is none
/// that says "this or that".
fn read_fireable(weigh: &dyn Weigh, events: &[EventId]) -> Option<Atom> {
    let (mut enabled, mut conditions) = (Vec::new(), Vec::new());
    for &event in events {
        match weigh.fireable(event)? {
            Atom::Fireable(list) => enabled.extend(list),
            Atom::Holds(condition) => conditions.push(condition),
        }
    }
    enabled.sort_unstable();
    enabled.dedup();
    match (enabled.is_empty(), conditions.is_empty()) {
        (_, true) => Some(Atom::Fireable(enabled)),
        (true, false) => Some(Atom::Holds(Predicate::any(conditions))),
        (false, false) => None,
    }
}

fn read_predicate(weigh: &dyn Weigh, predicate: &Predicate) -> Option<Predicate> {
    let all =
        |list: &[Predicate]| list.iter().map(|one| read_predicate(weigh, one)).collect::<Option<Vec<_>>>();
    Some(match predicate {
        Predicate::True => Predicate::True,
        Predicate::False => Predicate::False,
        Predicate::Compare(a, comparison, b) => {
            Predicate::Compare(read_expression(weigh, a)?, *comparison, read_expression(weigh, b)?)
        }
        Predicate::Not(operand) => Predicate::Not(Box::new(read_predicate(weigh, operand)?)),
        Predicate::And(list) => Predicate::And(all(list)?),
        Predicate::Or(list) => Predicate::Or(all(list)?),
    })
}

/// A sum is read as a whole, because a quotient knows sums over whole orbits and not their terms;
/// anything else operand by operand.
fn read_expression(weigh: &dyn Weigh, expression: &Expr) -> Option<Expr> {
    if let Some(sum) = Linear::of(expression)
        && let Some(read) = weigh.sum(&sum)
    {
        return Some(read.to_expr());
    }
    if let Expr::Constant(_) | Expr::Variable(_) = expression {
        return None;
    }
    let is_readable = std::cell::Cell::new(true);
    let read = expression.with_operands(|operand| {
        read_expression(weigh, operand).unwrap_or_else(|| {
            is_readable.set(false);
            Expr::Constant(0)
        })
    });
    is_readable.get().then_some(read)
}
