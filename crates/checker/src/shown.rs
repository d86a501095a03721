//! Which verdicts a witness can show, and which part of a formula it is about.
//!
//! A run shows that `E φ` holds or that `A φ` fails; another state shows that an agent does not
//! know something; a table of actions shows that a group can force something, and one of answers that it
//! cannot. A verdict that needs the opposite of these, such as `AG p` holds, has no witness.

use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::Atom;

/// The quantified formula below negations that decides a formula this way, if a run can show it.
pub(crate) fn shown_by_run(formula: &Formula<Atom>, holds: bool) -> Option<FormulaId> {
    let (root, is_negated) = below_negations(formula);
    let can_be_shown = match formula.operator(root) {
        Operator::Exists(_) => holds != is_negated,
        Operator::ForAll(_) => holds == is_negated,
        _ => false,
    };
    can_be_shown.then_some(root)
}

/// The subformula below the negations at the root, and whether their number is odd.
pub(crate) fn below_negations(formula: &Formula<Atom>) -> (FormulaId, bool) {
    let (mut id, mut is_negated) = (formula.root(), false);
    while let Operator::Not(operand) = formula.operator(id) {
        (id, is_negated) = (*operand, !is_negated);
    }
    (id, is_negated)
}

/// Whether a formula that has this value may have a witness: some outermost quantified part, with
/// the value that makes the formula true or false, is of a kind that can be shown.
pub(crate) fn may_be_shown(formula: &Formula<Atom>, holds: bool) -> bool {
    // For each subformula, whether it may have to be true, and whether it may have to be false.
    let mut wanted = vec![(false, false); formula.size()];
    wanted[formula.root().index()] = (holds, !holds);
    for (id, operator) in formula.subformulas().rev() {
        let (to_hold, to_fail) = wanted[id.index()];
        if !to_hold && !to_fail {
            continue;
        }
        let mut add = |operand: FormulaId, (to_hold, to_fail): (bool, bool)| {
            let known = &mut wanted[operand.index()];
            *known = (known.0 || to_hold, known.1 || to_fail);
        };
        match *operator {
            Operator::Exists(_) if to_hold => return true,
            Operator::ForAll(_) | Operator::Knows(..) if to_fail => return true,
            // By what the group does, or by what the others answer.
            Operator::CanForce(..) => return true,
            Operator::Not(f) => add(f, (to_fail, to_hold)),
            Operator::And(f, g) | Operator::Or(f, g) => {
                add(f, (to_hold, to_fail));
                add(g, (to_hold, to_fail));
            }
            Operator::Implies(f, g) => {
                add(f, (to_fail, to_hold));
                add(g, (to_hold, to_fail));
            }
            Operator::Equivalent(f, g) => {
                add(f, (true, true));
                add(g, (true, true));
            }
            _ => {}
        }
    }
    false
}

/// The quantified part that alone decides a formula, where these values of subformulas in a state
/// decide it: following one operand that is enough at each `&` and `|`. `None` if it takes several
/// parts, if the part is of a kind that a run cannot show, or if no quantifier is needed at all.
pub(crate) fn decided_by(formula: &Formula<Atom>, holds: bool, values: &[Option<bool>]) -> Option<FormulaId> {
    let (mut id, mut wanted) = (formula.root(), holds);
    let has = |f: FormulaId, value: bool| values[f.index()] == Some(value);
    loop {
        if !has(id, wanted) {
            return None;
        }
        (id, wanted) = match *formula.operator(id) {
            Operator::Exists(_) if wanted => return Some(id),
            Operator::ForAll(_) if !wanted => return Some(id),
            Operator::Not(f) => (f, !wanted),
            Operator::And(f, g) if !wanted => (if has(f, false) { f } else { g }, false),
            Operator::Or(f, g) if wanted => (if has(f, true) { f } else { g }, true),
            Operator::Implies(f, _) if wanted && has(f, false) => (f, false),
            Operator::Implies(_, g) if wanted => (g, true),
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_logic::parse_formula;
    use symbolon_model::Predicate;

    fn formula(text: &str) -> Formula<Atom> {
        let parsed = parse_formula(text).expect("a formula");
        let mapped = parsed.formula.map_atoms(|_, _| Ok::<_, ()>(Atom::Holds(Predicate::True)));
        mapped.expect("atoms map")
    }

    #[test]
    fn verdicts_that_a_witness_can_show() {
        let check = |text: &str, holds: bool, is_shown: bool| {
            assert_eq!(may_be_shown(&formula(text), holds), is_shown, "{text} {holds}");
        };
        check("EF p", true, true);
        check("EF p", false, false);
        check("AG p", false, true);
        check("AG p", true, false);
        check("!AG p", true, true);
        check("AG p & EF q", true, true);
        check("AG p & AF q", true, false);
        check("AG p -> EF q", true, true);
        check("AG p -> AG q", true, true);
        check("EF p -> AG q", true, false);
        check("p <-> AG q", true, true);
        check("p | q", true, false);
        check("K(a, p)", false, true);
        check("K(a, p)", true, false);
        check("<g> F p", true, true);
        check("<g> F p", false, true);
    }
}
