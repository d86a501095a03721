//! Automata that read the paths of a model.

use crate::automaton::Automaton;
use std::hash::Hash;
use symbolon_logic::{Builder, Formula, FormulaId, Operator};

/// An automaton whose propositions are formulas about states. It accepts a path if it accepts the
/// word of the propositions that hold in the states of the path, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathAutomaton<A> {
    automaton: Automaton,
    formula: Formula<A>,
    propositions: Vec<FormulaId>,
}

impl<A: Eq + Hash + Clone> PathAutomaton<A> {
    /// The automaton whose proposition `i` is `propositions[i]`, a formula about states.
    ///
    /// # Panics
    /// If there are fewer formulas than propositions.
    pub fn new(automaton: Automaton, propositions: &[Formula<A>]) -> PathAutomaton<A> {
        let count = automaton.proposition_count() as usize;
        assert!(propositions.len() >= count, "every proposition has a formula");
        let mut builder = Builder::default();
        let mut root = builder.add(Operator::True);
        let mut ids = Vec::with_capacity(propositions.len());
        for proposition in propositions {
            let id = builder.add_formula(proposition);
            root = builder.add(Operator::And(root, id));
            ids.push(id);
        }
        let (formula, numbers) = builder.finish_with_numbers(root);
        let is_kept = "the conjunction contains every proposition";
        let propositions = ids.iter().map(|id| numbers[id.index()].expect(is_kept)).collect();
        PathAutomaton { automaton, formula, propositions }
    }

    /// The automaton itself.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// One formula that contains all propositions as subformulas.
    pub fn formula(&self) -> &Formula<A> {
        &self.formula
    }

    /// For each proposition of the automaton, its subformula of [`PathAutomaton::formula`].
    pub fn propositions(&self) -> &[FormulaId] {
        &self.propositions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn propositions_are_found_again() {
        let mut builder = Builder::default();
        let (p, q) = (builder.atom("p"), builder.atom("q"));
        let or = builder.add(Operator::Or(p, q));
        let formulas = [builder.finish(or), builder.finish(p), builder.finish(or)];
        let read = PathAutomaton::new(Automaton::new(0, 3, 0, vec![], vec![]), &formulas);
        let found = read.propositions().iter().map(|&id| read.formula().subformula(id));
        assert_eq!(found.collect::<Vec<_>>(), formulas);
        let none = PathAutomaton::<&str>::new(Automaton::new(0, 0, 0, vec![], vec![]), &[]);
        assert_eq!((none.propositions().len(), none.formula().size()), (0, 1));
    }
}
