//! Paths that a given automaton accepts, as `product.rs` finds those of a formula.

use super::product::Graph;
use super::witness::Witness;
use super::{Question, TemporalChecker, Unanswered};
use crate::sets::core::StateSets;
use symbolon_automata::PathAutomaton;
use symbolon_budget::Interrupted;
use symbolon_logic::Paths;
use symbolon_model::Atom;

/// The product with an automaton, in which the beginnings of accepted paths are known.
pub struct AcceptedPaths<T> {
    graph: Graph<T>,
    /// The initial states of the automaton.
    initial: Vec<usize>,
    /// The initial states of the model in which an accepted path begins.
    begins: T,
}

impl<S: StateSets> TemporalChecker<'_, S> {
    /// The paths from initial states that count and that the automaton accepts.
    ///
    /// An automaton reads infinite words, so `Maximal` is read as `Stutter`.
    pub fn accepted_paths(
        &mut self,
        automaton: &PathAutomaton<Atom>,
        paths: Paths,
    ) -> Result<AcceptedPaths<S::Set>, Unanswered> {
        let mut question = Question::new(self, automaton.formula(), paths)?;
        let mut propositions = Vec::with_capacity(automaton.propositions().len());
        for &id in automaton.propositions() {
            propositions.push(question.state(id)?);
        }
        let graph = self.product(automaton.automaton(), &propositions, paths)?;
        let initial = automaton.automaton().initial().to_vec();
        let mut begins = self.sets.none();
        for &state in &initial {
            begins = self.sets.union(&begins, &graph.good[state])?;
        }
        let begins = self.sets.intersection(&begins, &self.initial)?;
        Ok(AcceptedPaths { graph, initial, begins })
    }

    /// Whether there is any accepted path.
    pub fn is_any_accepted(&self, accepted: &AcceptedPaths<S::Set>) -> bool {
        !self.sets.is_empty(&accepted.begins)
    }

    /// An accepted path; `None` if there is none, or if the search takes more than `steps` steps.
    pub fn accepted_path(
        &mut self,
        automaton: &PathAutomaton<Atom>,
        accepted: &AcceptedPaths<S::Set>,
        steps: u64,
    ) -> Result<Option<Witness>, Interrupted> {
        let Some(start) = self.sets.choose(&accepted.begins) else { return Ok(None) };
        let walk = self.lasso(&accepted.graph, &accepted.initial, &start, steps)?;
        Ok(walk.map(|walk| walk.into_witness(automaton.formula().root())))
    }
}
