//! From a quantified formula to a formula about one path, whose atoms are numbered propositions.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Sorts};

/// What stands below a quantifier, with its largest state formulas replaced by numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFormula {
    /// The formula about a path: no quantifier inside, atoms are numbers of propositions.
    pub formula: Formula<u32>,
    /// The state subformula that each proposition stands for, in the formula that this was made
    /// from.
    pub propositions: Vec<FormulaId>,
}

/// The path formula below `E` or `A`, if `id` is one of them, and else `id` read as a path formula
/// itself.
///
/// Nothing is negated: a caller that asks for `A f` negates before or after. Propositions are never
/// `true`, `false` or a negation: these stay in the path formula, where the translation sees them.
/// State formulas that are each other's negation, as far as De Morgan's laws tell, are one
/// proposition and its negation.
pub fn path_formula<A: Eq + Hash + Clone>(formula: &Formula<A>, id: FormulaId) -> PathFormula {
    let root = match *formula.operator(id) {
        Operator::Exists(f) | Operator::ForAll(f) => f,
        _ => id,
    };
    let sorts = Sorts::of(formula);

    // Which subformulas are part of the path formula, from the root down (LOGIC-F1: operands have
    // smaller numbers).
    let mut is_part = vec![false; root.index() + 1];
    is_part[root.index()] = true;
    for (id, operator) in formula.subformulas().rev().skip(formula.size() - 1 - root.index()) {
        let descends = sorts.is_path(id) || matches!(operator, Operator::Not(_));
        if is_part[id.index()] && descends {
            operator.operands().for_each(|operand| is_part[operand.index()] = true);
        }
    }

    let shapes = shapes(formula, root);
    let mut builder = Builder::default();
    let mut made: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    let mut propositions: Vec<FormulaId> = Vec::new();
    let mut numbers: FxHashMap<FormulaId, u32> = FxHashMap::default();
    for (id, operator) in formula.subformulas().take(root.index() + 1) {
        if !is_part[id.index()] {
            continue;
        }
        let stays =
            sorts.is_path(id) || matches!(operator, Operator::Not(_) | Operator::True | Operator::False);
        let part = if stays {
            let no_atom = |_: &A| Err(());
            let part = operator.map(|operand| made[&operand], no_atom).expect("atoms speak about states");
            builder.add(part)
        } else {
            let Shape { yes, no } = shapes[id.index()];
            let number = *numbers.entry(yes.min(no)).or_insert_with(|| {
                propositions.push(id);
                u32::try_from(propositions.len() - 1).expect("a formula has fewer than 2^32 parts")
            });
            let atom = builder.atom(number);
            let is_same = shapes[propositions[number as usize].index()].yes == yes;
            if is_same { atom } else { builder.add(Operator::Not(atom)) }
        };
        made.insert(id, part);
    }
    PathFormula { formula: builder.finish(made[&root]), propositions }
}

/// A subformula and its negation, with negations driven inwards through boolean operators.
#[derive(Clone, Copy, Debug)]
struct Shape {
    yes: FormulaId,
    no: FormulaId,
}

/// The shapes of all subformulas up to `root`, numbered by one builder.
fn shapes<A: Eq + Hash + Clone>(formula: &Formula<A>, root: FormulaId) -> Vec<Shape> {
    let mut builder: Builder<A> = Builder::default();
    let mut shapes: Vec<Shape> = Vec::with_capacity(root.index() + 1);
    for (_, operator) in formula.subformulas().take(root.index() + 1) {
        let of = |f: FormulaId| shapes[f.index()];
        let mut and = |f, g| builder.add(Operator::And(f, g));
        let shape = match *operator {
            Operator::Not(f) => Shape { yes: of(f).no, no: of(f).yes },
            Operator::And(f, g) => {
                let yes = and(of(f).yes, of(g).yes);
                Shape { yes, no: builder.add(Operator::Or(of(f).no, of(g).no)) }
            }
            Operator::Or(f, g) => {
                let no = and(of(f).no, of(g).no);
                Shape { yes: builder.add(Operator::Or(of(f).yes, of(g).yes)), no }
            }
            Operator::Implies(f, g) => {
                let no = and(of(f).yes, of(g).no);
                Shape { yes: builder.add(Operator::Or(of(f).no, of(g).yes)), no }
            }
            _ => {
                let same = |atom: &A| Ok::<_, std::convert::Infallible>(atom.clone());
                let Ok(operator) = operator.map(|operand| of(operand).yes, same);
                let yes = builder.add(operator);
                Shape { yes, no: builder.add(Operator::Not(yes)) }
            }
        };
        shapes.push(shape);
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_state_formulas_become_propositions() {
        // E (G (p & q) U !(EF p) | true)
        let mut b = Builder::default();
        let (p, q) = (b.atom("p"), b.atom("q"));
        let p_and_q = b.add(Operator::And(p, q));
        let g = b.add(Operator::Globally(p_and_q));
        let f_p = b.add(Operator::Finally(p));
        let ef_p = b.add(Operator::Exists(f_p));
        let not_ef_p = b.add(Operator::Not(ef_p));
        let until = b.add(Operator::Until(g, not_ef_p));
        let yes = b.add(Operator::True);
        let either = b.add(Operator::Or(until, yes));
        let root = b.add(Operator::Exists(either));
        let formula = b.finish(root);
        let path = path_formula(&formula, formula.root());

        let mut b = Builder::default();
        let first = b.atom(0);
        let g = b.add(Operator::Globally(first));
        let second = b.atom(1);
        let not_second = b.add(Operator::Not(second));
        let until = b.add(Operator::Until(g, not_second));
        let yes = b.add(Operator::True);
        let expected = b.add(Operator::Or(until, yes));
        assert_eq!(path.formula, b.finish(expected));
        let operators: Vec<_> = path.propositions.iter().map(|&id| formula.operator(id)).collect();
        assert!(matches!(operators[..], [Operator::And(..), Operator::Exists(_)]), "{operators:?}");

        // A state formula is its own and only proposition.
        let atom = path_formula(&formula, path.propositions[0]);
        assert_eq!((atom.formula.size(), atom.propositions), (1, vec![path.propositions[0]]));
    }

    #[test]
    fn de_morgan_saves_propositions() {
        // F (p & !q) | G (!p | q) | X (p -> q)
        let mut b = Builder::default();
        let (p, q) = (b.atom("p"), b.atom("q"));
        let (not_p, not_q) = (b.add(Operator::Not(p)), b.add(Operator::Not(q)));
        let and = b.add(Operator::And(p, not_q));
        let or = b.add(Operator::Or(not_p, q));
        let implies = b.add(Operator::Implies(p, q));
        let (f, g, x) =
            (b.add(Operator::Finally(and)), b.add(Operator::Globally(or)), b.add(Operator::Next(implies)));
        let first = b.add(Operator::Or(f, g));
        let root = b.add(Operator::Or(first, x));
        let formula = b.finish(root);
        let path = path_formula(&formula, formula.root());
        assert_eq!(path.propositions.len(), 1);
        assert!(matches!(formula.operator(path.propositions[0]), Operator::And(..)));
        let negation_count =
            path.formula.subformulas().filter(|(_, operator)| matches!(operator, Operator::Not(_))).count();
        assert_eq!(negation_count, 1, "{:?}", path.formula);
    }
}
