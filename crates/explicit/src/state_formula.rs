//! State formulas in one state, without looking at any other.

use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::{Atom, Model};

/// Some state subformulas of a formula, ready to be evaluated in one state after the other.
#[derive(Debug)]
pub(crate) struct StateFormulas<'a> {
    model: &'a Model,
    formula: &'a Formula<Atom>,
    /// What is asked for.
    wanted: Vec<FormulaId>,
    /// What has to be evaluated for that, operands first; quantified formulas are asked for as a whole.
    needed: Vec<FormulaId>,
}

/// Why a state formula has no truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTruth {
    /// A quantifier is in the way.
    Quantifier,
    /// A number in an atom left the range.
    OutOfRange,
}

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

    /// Whether each of them holds in `state`, in the order asked for. Where one stands in the way, `quantified` is
    /// asked whether a quantified subformula holds there.
    pub(crate) fn truths(
        &self,
        state: &[u64],
        mut quantified: impl FnMut(FormulaId, &[u64]) -> Option<bool>,
    ) -> Result<Vec<bool>, NoTruth> {
        let mut truth = vec![false; self.formula.size()];
        for &id in &self.needed {
            let of = |id: FormulaId| truth[id.index()];
            truth[id.index()] = match *self.formula.operator(id) {
                Operator::True => true,
                Operator::False => false,
                Operator::Deadlock => is_dead(self.model, state),
                Operator::Atom(ref atom) => atom.holds(self.model, state).ok_or(NoTruth::OutOfRange)?,
                Operator::Not(f) => !of(f),
                Operator::And(f, g) => of(f) && of(g),
                Operator::Or(f, g) => of(f) || of(g),
                Operator::Implies(f, g) => !of(f) || of(g),
                Operator::Equivalent(f, g) => of(f) == of(g),
                _ => quantified(id, state).ok_or(NoTruth::Quantifier)?,
            };
        }
        Ok(self.wanted.iter().map(|id| truth[id.index()]).collect())
    }
}

/// Whether this says something about a state by looking at more than the state.
fn is_quantifier(operator: &Operator<Atom>) -> bool {
    matches!(
        operator,
        Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
    )
}

/// Whether nothing can happen in `state`.
pub(crate) fn is_dead(model: &Model, state: &[u64]) -> bool {
    model.events.iter().all(|event| !event.is_enabled(state))
}
