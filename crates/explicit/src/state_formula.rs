//! State formulas in one state, without looking at any other.

use crate::Truth;
use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::{Atom, Model};

/// Some state subformulas of a formula, ready to be evaluated in one state after the other.
#[derive(Debug)]
pub(crate) struct StateFormulas<'a> {
    model: &'a Model,
    formula: &'a Formula<Atom>,
    /// What is asked for.
    wanted: Vec<FormulaId>,
    /// What has to be evaluated for that, operands first; quantified formulas are asked for as a
    /// whole.
    needed: Vec<FormulaId>,
}

/// Something in an atom is divided by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AtomWithoutValue;

impl<'a> StateFormulas<'a> {
    /// These subformulas of `formula`, all of which speak about states.
    pub(crate) fn new(model: &'a Model, formula: &'a Formula<Atom>, wanted: Vec<FormulaId>) -> Self {
        let mut is_needed = vec![false; formula.size()];
        wanted.iter().for_each(|id| is_needed[id.index()] = true);
        for (id, operator) in formula.subformulas().rev() {
            if is_needed[id.index()] && !is_quantifier(operator) {
                operator.operands().for_each(|operand| is_needed[operand.index()] = true);
            }
        }
        let needed = formula.subformulas().map(|(id, _)| id).filter(|id| is_needed[id.index()]).collect();
        StateFormulas { model, formula, wanted, needed }
    }

    /// Whether each of them holds in `state`, in the order asked for. Where one stands in the way,
    /// `quantified` is asked about a quantified subformula; what it does not know may stay unknown.
    pub(crate) fn truths(
        &self,
        state: &[u64],
        mut quantified: impl FnMut(FormulaId) -> Truth,
    ) -> Result<Vec<Truth>, AtomWithoutValue> {
        let mut truth = vec![Truth::default(); self.formula.size()];
        for &id in &self.needed {
            let of = |id: FormulaId| truth[id.index()];
            truth[id.index()] = match *self.formula.operator(id) {
                Operator::True => Truth::of(true),
                Operator::False => Truth::of(false),
                Operator::Deadlock => Truth::of(is_dead(self.model, state)),
                Operator::Atom(ref atom) => Truth::of(atom.holds(self.model, state).ok_or(AtomWithoutValue)?),
                Operator::Not(f) => of(f).not(),
                Operator::And(f, g) => of(f).and(of(g)),
                Operator::Or(f, g) => of(f).or(of(g)),
                Operator::Implies(f, g) => of(f).implies(of(g)),
                Operator::Equivalent(f, g) => of(f).implies(of(g)).and(of(g).implies(of(f))),
                _ => quantified(id),
            };
        }
        Ok(self.wanted.iter().map(|id| truth[id.index()]).collect())
    }
}

/// Whether a formula says something about a state by looking at more than the state, anywhere
/// inside.
pub(crate) fn has_quantifier(formula: &Formula<Atom>) -> bool {
    formula.subformulas().any(|(_, operator)| is_quantifier(operator))
}

/// Whether an operator says something about a state by looking at more than the state.
pub(crate) fn is_quantifier(operator: &Operator<Atom>) -> bool {
    matches!(
        operator,
        Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
    )
}

/// Whether nothing can happen in `state`.
pub(crate) fn is_dead(model: &Model, state: &[u64]) -> bool {
    model.event_ids().all(|event| !model.can_happen(event, state))
}
