//! From a formula to a term: negations are driven inwards, and `F`, `G`, `W`, `->`, `<->` are
//! expressed by the others.

use rustc_hash::FxHashSet;
use symbolon_budget::{Interrupted, Meter};
use symbolon_logic::{Formula, FormulaId, Operator};

use crate::terms::{TermId, Terms};

/// The term of a path formula.
///
/// # Panics
/// If there is a quantifier, a knowledge or strategy operator, or `deadlock` in the formula: all of
/// these speak about states, and `path_formula` makes propositions of them.
pub(crate) fn normalise(
    terms: &mut Terms,
    formula: &Formula<u32>,
    meter: &mut Meter,
) -> Result<TermId, Interrupted> {
    let is_needed = needed(formula, meter)?;
    // What each subformula and its negation became.
    let mut made = vec![(TermId::TRUE, TermId::FALSE); formula.size()];
    for (id, operator) in formula.subformulas() {
        if !is_needed[id.index()] {
            continue;
        }
        meter.step()?;
        let yes = |f: FormulaId| made[f.index()].0;
        let no = |f: FormulaId| made[f.index()].1;
        let (positive, negative) = match *operator {
            Operator::True => (TermId::TRUE, TermId::FALSE),
            Operator::False => (TermId::FALSE, TermId::TRUE),
            Operator::Atom(proposition) => {
                (terms.literal(proposition, true), terms.literal(proposition, false))
            }
            Operator::Not(f) => (no(f), yes(f)),
            Operator::And(..) | Operator::Or(..) => {
                let leaves = leaves(formula, id, meter)?;
                let positive: Vec<_> = leaves.iter().map(|&leaf| yes(leaf)).collect();
                let negative: Vec<_> = leaves.iter().map(|&leaf| no(leaf)).collect();
                match operator {
                    Operator::And(..) => (terms.and(&positive), terms.or(&negative)),
                    _ => (terms.or(&positive), terms.and(&negative)),
                }
            }
            Operator::Implies(f, g) => (terms.or(&[no(f), yes(g)]), terms.and(&[yes(f), no(g)])),
            Operator::Equivalent(f, g) => {
                let (both, neither) = (terms.and(&[yes(f), yes(g)]), terms.and(&[no(f), no(g)]));
                let (left, right) = (terms.and(&[yes(f), no(g)]), terms.and(&[no(f), yes(g)]));
                (terms.or(&[both, neither]), terms.or(&[left, right]))
            }
            Operator::Next(f) => (terms.next(yes(f)), terms.next(no(f))),
            Operator::Finally(f) => (terms.finally(yes(f)), terms.globally(no(f))),
            Operator::Globally(f) => (terms.globally(yes(f)), terms.finally(no(f))),
            Operator::Until(f, g) => (terms.until(yes(f), yes(g)), terms.release(no(f), no(g))),
            Operator::Release(f, g) => (terms.release(yes(f), yes(g)), terms.until(no(f), no(g))),
            // f W g = g R (f | g)
            Operator::WeakUntil(f, g) => {
                let (either, neither) = (terms.or(&[yes(f), yes(g)]), terms.and(&[no(f), no(g)]));
                (terms.release(yes(g), either), terms.until(no(g), neither))
            }
            Operator::Deadlock
            | Operator::Exists(_)
            | Operator::ForAll(_)
            | Operator::Knows(..)
            | Operator::CanForce(..) => panic!("a path formula speaks about states by propositions alone"),
        };
        terms.set_opposites(positive, negative);
        made[id.index()] = (positive, negative);
    }
    Ok(made[formula.root().index()].0)
}

/// Which subformulas become terms of their own: not those in the midst of a long conjunction or
/// disjunction, whose terms would take memory quadratic in its length.
fn needed(formula: &Formula<u32>, meter: &mut Meter) -> Result<Vec<bool>, Interrupted> {
    let mut is_needed = vec![false; formula.size()];
    is_needed[formula.root().index()] = true;
    for (id, operator) in formula.subformulas().rev() {
        if !is_needed[id.index()] {
            continue;
        }
        match operator {
            Operator::And(..) | Operator::Or(..) => {
                leaves(formula, id, meter)?.iter().for_each(|leaf| is_needed[leaf.index()] = true);
            }
            _ => operator.operands().for_each(|operand| is_needed[operand.index()] = true),
        }
    }
    Ok(is_needed)
}

/// The operands of a conjunction, also those of conjunctions directly below it; likewise for a
/// disjunction.
fn leaves(formula: &Formula<u32>, root: FormulaId, meter: &mut Meter) -> Result<Vec<FormulaId>, Interrupted> {
    let kind = std::mem::discriminant(formula.operator(root));
    let mut leaves = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        meter.step()?;
        if !seen.insert(id) {
            continue;
        }
        let operator = formula.operator(id);
        if std::mem::discriminant(operator) == kind {
            stack.extend(operator.operands());
        } else {
            leaves.push(id);
        }
    }
    Ok(leaves)
}
