//! Binary diagrams as [`Functions`]: every method is the one of the same name of [`Bdd`].

use crate::bdd::Bdd;
use crate::variables::{Renaming, VariableSet};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Function, Functions, Root, SumDecision, Variable};

impl Functions for Bdd {
    type Set = VariableSet;
    type Renaming = Renaming;

    fn known_set(&mut self, variables: &[Variable]) -> VariableSet {
        self.variable_set(variables.iter().copied())
    }

    fn known_renaming(&mut self, pairs: &[(Variable, Variable)]) -> Renaming {
        self.renaming(pairs.iter().copied())
    }

    fn constant(&mut self, value: bool) -> Root {
        Bdd::constant(self, value)
    }

    fn variable(&mut self, variable: Variable) -> Function {
        Bdd::variable(self, variable)
    }

    fn cube(&mut self, literals: &[(Variable, bool)]) -> Function {
        Bdd::cube(self, literals)
    }

    fn sum_test(&mut self, weights: &[(Variable, i128)], decided: SumDecision) -> Function {
        Bdd::sum_test(self, weights, decided)
    }

    fn not(&mut self, a: &Root) -> Root {
        Bdd::not(self, a)
    }

    fn and(&mut self, a: &Root, b: &Root) -> Function {
        Bdd::and(self, a, b)
    }

    fn or(&mut self, a: &Root, b: &Root) -> Function {
        Bdd::or(self, a, b)
    }

    fn xor(&mut self, a: &Root, b: &Root) -> Function {
        Bdd::xor(self, a, b)
    }

    fn ite(&mut self, condition: &Root, then: &Root, otherwise: &Root) -> Function {
        Bdd::ite(self, condition, then, otherwise)
    }

    fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted> {
        Bdd::and_within(self, a, b, most_nodes)
    }

    fn exists(&mut self, a: &Root, set: VariableSet) -> Function {
        Bdd::exists(self, a, set)
    }

    fn and_exists(&mut self, a: &Root, b: &Root, set: VariableSet) -> Function {
        Bdd::and_exists(self, a, b, set)
    }

    fn and_exists_within(
        &mut self,
        a: &Root,
        b: &Root,
        set: VariableSet,
        most_nodes: usize,
    ) -> Result<Option<Root>, Interrupted> {
        Bdd::and_exists_within(self, a, b, set, most_nodes)
    }

    fn rename(&mut self, a: &Root, renaming: Renaming) -> Function {
        Bdd::rename(self, a, renaming)
    }

    fn image(&mut self, from: &Root, relation: &Root, set: VariableSet, renaming: Renaming) -> Function {
        Bdd::image(self, from, relation, set, renaming)
    }

    fn preimage(&mut self, target: &Root, relation: &Root, set: VariableSet, renaming: Renaming) -> Function {
        Bdd::preimage(self, target, relation, set, renaming)
    }

    fn simplify(&mut self, a: &Root, care: &Root) -> Function {
        Bdd::simplify(self, a, care)
    }

    fn support(&self, a: &Root) -> Vec<Variable> {
        Bdd::support(self, a)
    }

    fn iff(&mut self, a: &Root, b: &Root) -> Function {
        Bdd::iff(self, a, b)
    }

    fn minus(&mut self, a: &Root, b: &Root) -> Function {
        Bdd::minus(self, a, b)
    }
}
