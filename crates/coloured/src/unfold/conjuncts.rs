//! The conjuncts of a guard, so that each can be tested as soon as its variables are bound.

use crate::guard::Guard;

/// Guards that all hold where, and only where, `guard` does.
pub(super) fn conjuncts(guard: &Guard) -> Vec<Guard> {
    let mut found = Vec::new();
    split(guard, false, &mut found);
    found
}

/// Adds the conjuncts of a guard, or of its negation.
fn split(guard: &Guard, is_negated: bool, found: &mut Vec<Guard>) {
    match (guard, is_negated) {
        (Guard::Constant(truth), _) if *truth != is_negated => {}
        (Guard::Constant(_), _) => found.push(Guard::Constant(false)),
        (Guard::And(guards), false) | (Guard::Or(guards), true) => {
            guards.iter().for_each(|guard| split(guard, is_negated, found));
        }
        (Guard::Implies(both), true) => {
            split(&both[0], false, found);
            split(&both[1], true, found);
        }
        (Guard::Not(inner), _) => split(inner, !is_negated, found),
        (Guard::Compare { left, relation, right }, true) => {
            found.push(Guard::Compare { left: *left, relation: relation.negated(), right: *right });
        }
        (_, false) => found.push(guard.clone()),
        (_, true) => found.push(Guard::Not(Box::new(guard.clone()))),
    }
}
