//! From a quantified formula to a formula about one path, whose atoms are numbered propositions.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Sorts};

/// What stands below a quantifier, with its largest state formulas replaced by numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFormula {
    /// The formula about a path: no quantifier inside, atoms are numbers of propositions.
    pub formula: Formula<u32>,
    /// The state subformula that each proposition stands for, in the formula that this was made from.
    pub propositions: Vec<FormulaId>,
}

/// The path formula below `E` or `A`, if `id` is one of them, and else `id` read as a path formula itself.
///
/// Nothing is negated: whoever asks for `A f` negates before or after. Propositions are never `true`, `false` or a
/// negation: these stay in the path formula, where the translation sees them.
pub fn path_formula<A: Eq + Hash + Clone>(formula: &Formula<A>, id: FormulaId) -> PathFormula {
    let root = match *formula.operator(id) {
        Operator::Exists(f) | Operator::ForAll(f) => f,
        _ => id,
    };
    let sorts = Sorts::of(formula);

    // Which subformulas are part of the path formula, from the root down (F1: operands have smaller numbers).
    let mut is_part = vec![false; root.index() + 1];
    is_part[root.index()] = true;
    for (id, operator) in formula.subformulas().rev().skip(formula.size() - 1 - root.index()) {
        let descends = sorts.is_path(id) || matches!(operator, Operator::Not(_));
        if is_part[id.index()] && descends {
            operator.operands().for_each(|operand| is_part[operand.index()] = true);
        }
    }

    let mut builder = Builder::default();
    let mut made: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    let mut propositions = Vec::new();
    for (id, operator) in formula.subformulas().take(root.index() + 1) {
        if !is_part[id.index()] {
            continue;
        }
        let stays =
            sorts.is_path(id) || matches!(operator, Operator::Not(_) | Operator::True | Operator::False);
        let part = if stays {
            let no_atom = |_: &A| Err(());
            operator.map(|operand| made[&operand], no_atom).expect("atoms speak about states")
        } else {
            let number = u32::try_from(propositions.len()).expect("a formula has fewer than 2^32 parts");
            propositions.push(id);
            Operator::Atom(number)
        };
        made.insert(id, builder.add(part));
    }
    PathFormula { formula: builder.finish(made[&root]), propositions }
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
}
