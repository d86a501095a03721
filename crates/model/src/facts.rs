//! What is proven of every reachable state before exploring. Encodings use it to need less memory.

use crate::VariableId;

/// Proven knowledge about the reachable states (M3). All of it may be absent.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Weighted sums that never change.
    pub invariants: Vec<LinearInvariant>,
    /// Sets of variables of which at most one is not 0, and that one is 1.
    pub exclusive: Vec<ExclusiveSet>,
    /// For each variable, a value that it never exceeds, where one is known. Empty: nothing is
    /// known.
    pub upper_bounds: Vec<Option<u64>>,
}

/// A weighted sum of variables with the same value in every reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearInvariant {
    /// Variables and their positive weights, ascending by variable.
    pub terms: Vec<(VariableId, u64)>,
    /// The constant value of the sum.
    pub value: u64,
}

/// Variables of which at most one is 1 while all others are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusiveSet {
    /// The variables, ascending.
    pub variables: Vec<VariableId>,
    /// Whether one of them always is 1.
    pub exactly_one: bool,
}
