//! What kinds of diagrams for Boolean functions have in common.
//!
//! A kernel is a concrete type with methods of its own. [`Functions`] lists those that code over any
//! such kernel needs: relations as partitions ([`crate::Partition`]), and models written on bits.
//! Nothing in a kernel depends on it.

use crate::Root;
use symbolon_budget::Interrupted;

/// A Boolean variable of a manager: numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

impl Variable {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A test of a sum: whether all sums from the first to the second number pass, or none does; open
/// otherwise. Decided at the latest when both are equal.
pub type SumDecision<'a> = &'a dyn Fn(i128, i128) -> Option<bool>;

/// What an operation gives.
pub type Function = Result<Root, Interrupted>;

/// A manager of Boolean functions.
pub trait Functions {
    /// A set of variables known to the manager.
    type Set: Copy + std::fmt::Debug;
    /// A simultaneous replacement of variables known to the manager.
    type Renaming: Copy + std::fmt::Debug;

    /// Makes a set of variables known.
    fn known_set(&mut self, variables: &[Variable]) -> Self::Set;
    /// Makes a renaming known: pairs of a variable and what replaces it.
    fn known_renaming(&mut self, pairs: &[(Variable, Variable)]) -> Self::Renaming;

    /// Everywhere this value.
    fn constant(&mut self, value: bool) -> Root;
    /// True where the variable is.
    fn variable(&mut self, variable: Variable) -> Function;
    /// True where every variable has the given value.
    fn cube(&mut self, literals: &[(Variable, bool)]) -> Function;
    /// True where the weighted sum of variables, each 1 or 0, passes the test.
    fn sum_test(&mut self, weights: &[(Variable, i128)], decided: SumDecision) -> Function;

    /// The negation.
    fn not(&mut self, a: &Root) -> Root;
    /// The conjunction.
    fn and(&mut self, a: &Root, b: &Root) -> Function;
    /// The disjunction.
    fn or(&mut self, a: &Root, b: &Root) -> Function;
    /// True where exactly one is.
    fn xor(&mut self, a: &Root, b: &Root) -> Function;
    /// `then` where the condition holds, `otherwise` elsewhere.
    fn ite(&mut self, condition: &Root, then: &Root, otherwise: &Root) -> Function;
    /// The conjunction, unless it takes more new nodes than allowed.
    fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted>;

    /// True where some values of the variables of `set` make the function true.
    fn exists(&mut self, a: &Root, set: Self::Set) -> Function;
    /// [`Functions::exists`] of the conjunction.
    fn and_exists(&mut self, a: &Root, b: &Root, set: Self::Set) -> Function;
    /// [`Functions::and_exists`], unless it takes more new nodes than allowed.
    fn and_exists_within(
        &mut self,
        a: &Root,
        b: &Root,
        set: Self::Set,
        most_nodes: usize,
    ) -> Result<Option<Root>, Interrupted>;
    /// The function with variables replaced, all at once.
    fn rename(&mut self, a: &Root, renaming: Self::Renaming) -> Function;
    /// [`Functions::and_exists`], renamed: a step of a relation forwards.
    fn image(&mut self, from: &Root, relation: &Root, set: Self::Set, renaming: Self::Renaming) -> Function;
    /// The conjunction of `target`, renamed, with `relation`, without the variables of `set`: a
    /// step backwards. The target depends on no variable that the renaming leads to.
    fn preimage(
        &mut self,
        target: &Root,
        relation: &Root,
        set: Self::Set,
        renaming: Self::Renaming,
    ) -> Function;
    /// Some function that is `a` where `care` holds, and small if possible.
    fn simplify(&mut self, a: &Root, care: &Root) -> Function;
    /// The variables that a function depends on.
    fn support(&self, a: &Root) -> Vec<Variable>;

    /// True where both are equal.
    fn iff(&mut self, a: &Root, b: &Root) -> Function {
        let differ = self.xor(a, b)?;
        Ok(self.not(&differ))
    }
    /// True where `a` is and `b` is not.
    fn minus(&mut self, a: &Root, b: &Root) -> Function {
        let not_b = self.not(b);
        self.and(a, &not_b)
    }
}
