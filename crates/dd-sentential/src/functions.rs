//! Sentential diagrams as [`Functions`]: every method is the one of the same name of [`Sdd`].

use crate::register::{Renaming, VariableSet};
use crate::sdd::Sdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Function, Functions, Root, SumDecision, Variable};

impl Functions for Sdd {
    type Set = VariableSet;
    type Renaming = Renaming;

    fn known_set(&mut self, variables: &[Variable]) -> VariableSet {
        self.variable_set(variables.iter().copied())
    }

    fn known_renaming(&mut self, pairs: &[(Variable, Variable)]) -> Renaming {
        self.renaming(pairs.iter().copied())
    }

    fn constant(&mut self, value: bool) -> Root {
        Sdd::constant(self, value)
    }

    fn variable(&mut self, variable: Variable) -> Function {
        Ok(Sdd::variable(self, variable))
    }

    fn cube(&mut self, literals: &[(Variable, bool)]) -> Function {
        Sdd::cube(self, literals)
    }

    fn sum_test(&mut self, weights: &[(Variable, i128)], decided: SumDecision) -> Function {
        Sdd::sum_test(self, weights, decided)
    }

    fn not(&mut self, a: &Root) -> Root {
        Sdd::not(self, a)
    }

    fn and(&mut self, a: &Root, b: &Root) -> Function {
        Sdd::and(self, a, b)
    }

    fn or(&mut self, a: &Root, b: &Root) -> Function {
        Sdd::or(self, a, b)
    }

    fn xor(&mut self, a: &Root, b: &Root) -> Function {
        Sdd::xor(self, a, b)
    }

    fn ite(&mut self, condition: &Root, then: &Root, otherwise: &Root) -> Function {
        Sdd::ite(self, condition, then, otherwise)
    }

    fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted> {
        Sdd::and_within(self, a, b, most_nodes)
    }

    fn exists(&mut self, a: &Root, set: VariableSet) -> Function {
        Sdd::exists(self, a, set)
    }

    fn and_exists(&mut self, a: &Root, b: &Root, set: VariableSet) -> Function {
        Sdd::and_exists(self, a, b, set)
    }

    fn and_exists_within(
        &mut self,
        a: &Root,
        b: &Root,
        set: VariableSet,
        most_nodes: usize,
    ) -> Result<Option<Root>, Interrupted> {
        Sdd::and_exists_within(self, a, b, set, most_nodes)
    }

    fn rename(&mut self, a: &Root, renaming: Renaming) -> Function {
        Sdd::rename(self, a, renaming)
    }

    fn image(&mut self, from: &Root, relation: &Root, set: VariableSet, renaming: Renaming) -> Function {
        Sdd::image(self, from, relation, set, renaming)
    }

    fn preimage(&mut self, target: &Root, relation: &Root, set: VariableSet, renaming: Renaming) -> Function {
        Sdd::preimage(self, target, relation, set, renaming)
    }

    fn simplify(&mut self, a: &Root, care: &Root) -> Function {
        Sdd::simplify(self, a, care)
    }

    fn support(&self, a: &Root) -> Vec<Variable> {
        Sdd::support(self, a)
    }

    fn minus(&mut self, a: &Root, b: &Root) -> Function {
        Sdd::minus(self, a, b)
    }
}
