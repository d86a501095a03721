//! Formulas made from formulas, operands first.

use crate::formula::{Builder, Formula, FormulaId, Operator};
use std::convert::Infallible;
use std::hash::Hash;

impl<A: Eq + Hash + Clone> Formula<A> {
    /// The formula that `step` makes, subformula by subformula, operands first. It is given where
    /// to add, the number of the subformula in the old formula, and its operator with what was made
    /// of its operands; it returns what was made. To keep a subformula, add the operator as it is.
    ///
    /// Each subformula is given once, however often it occurs: what is made of it must not depend
    /// on where it stands.
    pub fn rewrite(
        &self,
        mut step: impl FnMut(&mut Builder<A>, FormulaId, Operator<A>) -> FormulaId,
    ) -> Formula<A> {
        let mut builder = Builder::default();
        let mut made: Vec<FormulaId> = Vec::with_capacity(self.size());
        for (id, operator) in self.subformulas() {
            let Ok(operator) = operator.map(|operand| made[operand.index()], kept);
            made.push(step(&mut builder, id, operator));
        }
        builder.finish(made[self.root().index()])
    }

    /// The formula with other formulas in the place of some atoms.
    pub fn substitute(&self, mut replacement: impl FnMut(&A) -> Option<Formula<A>>) -> Formula<A> {
        self.rewrite(|builder, _, operator| {
            let other = match &operator {
                Operator::Atom(atom) => replacement(atom),
                _ => None,
            };
            match other {
                Some(formula) => builder.add_formula(&formula),
                None => builder.add(operator),
            }
        })
    }
}

/// The same atom; for [`Operator::map`].
pub(crate) fn kept<A: Clone>(atom: &A) -> Result<A, Infallible> {
    Ok(atom.clone())
}

impl<A: Eq + Hash + Clone> Builder<A> {
    /// `! f`, without a second negation above a first.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        match *self.operator(f) {
            Operator::Not(operand) => operand,
            Operator::True => self.add(Operator::False),
            Operator::False => self.add(Operator::True),
            _ => self.add(Operator::Not(f)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_give_way_to_formulas() {
        let mut builder = Builder::default();
        let (p, q) = (builder.atom("p"), builder.atom("q"));
        let not_q = builder.add(Operator::Not(q));
        let replacement = builder.finish(not_q);
        let both = builder.add(Operator::And(p, q));
        let expected = builder.add(Operator::And(not_q, q));
        let answer = builder.finish(both).substitute(|&atom| (atom == "p").then(|| replacement.clone()));
        assert_eq!(answer, builder.finish(expected));
    }
}
