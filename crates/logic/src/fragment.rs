//! Which logic a formula belongs to.

use crate::formula::{Formula, FormulaId, Operator};

/// The smallest logic that a formula belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fragment {
    /// About one state: no temporal operator.
    Propositional,
    /// Every temporal operator stands directly below a quantifier, and every quantifier directly
    /// above one.
    Ctl,
    /// One quantifier, `A` or `E`, above everything else.
    Ltl,
    /// Everything else.
    CtlStar,
}

/// Which subformulas speak about a state alone, and which about a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorts {
    is_path: Vec<bool>,
    misplaced: Option<FormulaId>,
}

impl Sorts {
    /// The sorts of all subformulas.
    pub fn of<A>(formula: &Formula<A>) -> Sorts {
        let mut is_path: Vec<bool> = Vec::with_capacity(formula.size());
        let mut misplaced = None;
        for (_, operator) in formula.subformulas() {
            let path_operand = operator.operands().find(|operand| is_path[operand.index()]);
            is_path.push(match operator {
                Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) => false,
                Operator::Knows(..) => {
                    misplaced = misplaced.or(path_operand);
                    false
                }
                operator => operator.is_temporal() || path_operand.is_some(),
            });
        }
        Sorts { is_path, misplaced }
    }

    /// Whether the subformula speaks about a path: a quantifier is missing above it if it is to
    /// hold in a state.
    pub fn is_path(&self, id: FormulaId) -> bool {
        self.is_path[id.index()]
    }

    /// A subformula that speaks about a path where one about a state is expected: below a knowledge
    /// operator.
    pub fn misplaced(&self) -> Option<FormulaId> {
        self.misplaced
    }
}

impl<A> Formula<A> {
    /// The smallest logic that the formula belongs to, if it speaks about states; strategies count
    /// as quantifiers. A formula that speaks about paths counts as if `A` stood before it.
    pub fn fragment(&self) -> Fragment {
        let mut temporal_count = 0;
        let mut quantifier_count = 0;
        let mut is_ctl = true;
        for (id, operator) in self.subformulas() {
            let quantifies =
                matches!(operator, Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..));
            quantifier_count += usize::from(quantifies);
            temporal_count += usize::from(operator.is_temporal());
            is_ctl &= operator.operands().all(|operand| self.operator(operand).is_temporal() == quantifies);
            is_ctl &= id != self.root() || !operator.is_temporal();
        }
        let is_quantified = matches!(self.operator(self.root()), Operator::Exists(_) | Operator::ForAll(_));
        match (temporal_count, quantifier_count) {
            (0, 0) => Fragment::Propositional,
            _ if is_ctl => Fragment::Ctl,
            (_, 0) => Fragment::Ltl,
            (_, 1) if is_quantified => Fragment::Ltl,
            _ => Fragment::CtlStar,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Builder;

    #[test]
    fn fragments() {
        let mut b = Builder::default();
        let p = b.atom("p");
        let q = b.atom("q");
        let f_p = b.add(Operator::Finally(p));
        let ef_p = b.add(Operator::Exists(f_p));
        let g_ef_p = b.add(Operator::Globally(ef_p));
        let ag_ef_p = b.add(Operator::ForAll(g_ef_p));
        let gf_p = b.add(Operator::Globally(f_p));
        let a_gf_p = b.add(Operator::ForAll(gf_p));
        let both = b.add(Operator::And(a_gf_p, ef_p));
        let p_and_q = b.add(Operator::And(p, q));
        let e_p = b.add(Operator::Exists(p));
        let known = b.add(Operator::Knows(crate::Knowledge::Agent, "a".into(), f_p));
        let check = |id, fragment, is_path| {
            let formula = b.finish(id);
            assert_eq!(formula.fragment(), fragment, "{formula:?}");
            assert_eq!(Sorts::of(&formula).is_path(formula.root()), is_path, "{formula:?}");
        };
        check(p_and_q, Fragment::Propositional, false);
        check(ef_p, Fragment::Ctl, false);
        check(ag_ef_p, Fragment::Ctl, false);
        check(f_p, Fragment::Ltl, true);
        check(gf_p, Fragment::Ltl, true);
        check(a_gf_p, Fragment::Ltl, false);
        check(both, Fragment::CtlStar, false);
        check(e_p, Fragment::Ltl, false);
        let sorts = Sorts::of(&b.finish(known));
        assert!(sorts.misplaced().is_some());
    }
}
