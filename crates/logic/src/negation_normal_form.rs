//! Negation normal form: negations stand on atoms alone, implications and equivalences are gone.

use crate::formula::{Builder, Formula, FormulaId, Operator};
use std::hash::Hash;

/// The formula in negation normal form: `->` and `<->` are gone, and `!` stands only directly above
/// atoms, `deadlock`, knowledge and strategies, which have no dual.
///
/// This preserves the meaning under every path semantics, because that is how they are defined:
/// `! X f` becomes `X ! f`, which is how [`Paths`](crate::Paths) wants it read, also where a path
/// ends. The table grows at most four times, since a subformula below `<->` is needed both as it is
/// and negated, but once each.
pub fn negation_normal_form<A: Eq + Hash + Clone>(formula: &Formula<A>) -> Formula<A> {
    let needed = needed_polarities(formula);
    let mut builder = Builder::default();
    let mut made: Vec<[Option<FormulaId>; 2]> = Vec::with_capacity(formula.size());
    for (id, operator) in formula.subformulas() {
        let mut both = [None; 2];
        for polarity in [Polarity::Kept, Polarity::Negated] {
            if needed[id.index()][polarity as usize] {
                both[polarity as usize] = Some(normal(&mut builder, &made, operator, polarity));
            }
        }
        made.push(both);
    }
    let root = made[formula.root().index()][Polarity::Kept as usize];
    builder.finish(root.expect("the formula itself is needed"))
}

/// Whether a subformula or its negation is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Kept,
    Negated,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Kept => Polarity::Negated,
            Polarity::Negated => Polarity::Kept,
        }
    }
}

/// In which polarities each subformula is needed. Subformulas are shared, so it may be both.
fn needed_polarities<A>(formula: &Formula<A>) -> Vec<[bool; 2]> {
    let mut needed = vec![[false; 2]; formula.size()];
    needed[formula.root().index()][Polarity::Kept as usize] = true;
    for (id, operator) in formula.subformulas().rev() {
        for polarity in [Polarity::Kept, Polarity::Negated] {
            if !needed[id.index()][polarity as usize] {
                continue;
            }
            let mut need = |operand: FormulaId, polarity: Polarity| {
                needed[operand.index()][polarity as usize] = true;
            };
            match *operator {
                Operator::Not(f) => need(f, polarity.flipped()),
                Operator::Implies(f, g) => {
                    need(f, polarity.flipped());
                    need(g, polarity);
                }
                Operator::Equivalent(f, g) => {
                    for operand in [f, g] {
                        need(operand, polarity);
                        need(operand, polarity.flipped());
                    }
                }
                Operator::Knows(_, _, f) | Operator::CanForce(_, f) => need(f, Polarity::Kept),
                ref operator => operator.operands().for_each(|operand| need(operand, polarity)),
            }
        }
    }
    needed
}

/// One subformula, or its negation, over operands that were made before.
fn normal<A: Eq + Hash + Clone>(
    builder: &mut Builder<A>,
    made: &[[Option<FormulaId>; 2]],
    operator: &Operator<A>,
    polarity: Polarity,
) -> FormulaId {
    let get = |f: FormulaId, polarity: Polarity| {
        made[f.index()][polarity as usize].expect("needed_polarities foresaw this")
    };
    let same = |f: FormulaId| get(f, polarity);
    let flipped = |f: FormulaId| get(f, polarity.flipped());
    let is_kept = polarity == Polarity::Kept;
    let answer = match *operator {
        Operator::Not(f) => return flipped(f),
        Operator::Implies(f, g) if is_kept => Operator::Or(flipped(f), same(g)),
        Operator::Implies(f, g) => Operator::And(flipped(f), same(g)),
        // f <-> g is (f & g) | (!f & !g), and its negation (f & !g) | (!f & g).
        Operator::Equivalent(f, g) => {
            let first = builder.add(Operator::And(get(f, Polarity::Kept), same(g)));
            let second = builder.add(Operator::And(get(f, Polarity::Negated), flipped(g)));
            Operator::Or(first, second)
        }
        // f ends before or without g: !(f W g) is !g U (!f & !g).
        Operator::WeakUntil(f, g) if !is_kept => {
            let neither = builder.add(Operator::And(same(f), same(g)));
            Operator::Until(same(g), neither)
        }
        Operator::Deadlock | Operator::Atom(_) | Operator::Knows(..) | Operator::CanForce(..) => {
            let Ok(operator) = operator.map(|f| get(f, Polarity::Kept), crate::rewrite::kept);
            let kept = builder.add(operator);
            if is_kept {
                return kept;
            }
            Operator::Not(kept)
        }
        ref operator => {
            let dual = (!is_kept).then(|| operator.dual().expect("all other operators have a dual"));
            let Ok(operator) = dual.as_ref().unwrap_or(operator).map(same, crate::rewrite::kept);
            operator
        }
    };
    builder.add(answer)
}
