//! The capability of computing distances: functions from states to numbers of steps.

use crate::sets::core::StateSets;
use crate::sets::found_trace::FoundTrace;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;

/// How sets of states within a bound are found. A step backwards or forwards is one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundedRounds {
    /// Rounds of chaining, one per step of the bound.
    Chaining,
    /// Saturation that counts rounds at every node.
    Local,
    /// Saturation that counts rounds along every path.
    Global,
}

/// How distances are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceSearch {
    /// Of all states, by saturation.
    Saturation,
    /// Of all states, by chaining.
    Chaining,
    /// Of the states within a bound, by saturation; some other states get values above it.
    Within(u64),
    /// Of the states within a bound, by saturation, and of no others.
    ExactlyWithin(u64),
}

/// The nearest state of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Its distance.
    pub distance: u64,
    /// A shortest trace to it, or why it could not be followed.
    pub trace: Result<FoundTrace, Interrupted>,
}

/// State sets that compute distances: the least numbers of steps that lead to states.
///
/// Where too few values of an open domain are tried, an operation starts again with more by itself.
pub trait Distances: StateSets {
    /// A function from some states to numbers.
    type Function;
    /// A function whose numbers stand at the terminals of its diagram.
    type TerminalFunction;

    /// States that are reached from `from` within `bound` rounds: all that are reached within
    /// `bound` steps, and maybe others that are reachable.
    fn states_within(
        &mut self,
        from: &Self::Set,
        rounds: BoundedRounds,
        bound: u64,
    ) -> Result<Self::Set, Interrupted>;

    /// The distances of states from `from`.
    fn distances(&mut self, from: &Self::Set, search: DistanceSearch) -> Result<Self::Function, Interrupted>;

    /// The states that have a value.
    fn support(&mut self, values: &Self::Function) -> Result<Self::Set, Interrupted>;

    /// The state of `goal` with the least value, if that is at most `bound`.
    fn nearest(
        &mut self,
        values: &Self::Function,
        goal: &Self::Set,
        bound: u64,
    ) -> Result<Option<Nearest>, Interrupted>;

    /// The distances from `from` of the states within a bound, and of no others, at terminals.
    fn distances_at_terminals(
        &mut self,
        from: &Self::Set,
        bound: u64,
    ) -> Result<Self::TerminalFunction, Interrupted>;

    /// The states that have a value.
    fn terminal_support(&mut self, values: &Self::TerminalFunction) -> Result<Self::Set, Interrupted>;

    /// The least value on `goal`; `None` if no state of it has one.
    fn smallest_on(
        &mut self,
        values: &Self::TerminalFunction,
        goal: &Self::Set,
    ) -> Result<Option<u64>, Interrupted>;

    /// The largest value; `None` if no state has one.
    fn largest_distance(&mut self, values: &Self::Function) -> Option<u64>;

    /// For each distance, the number of states that have it.
    fn histogram(&mut self, values: &Self::Function) -> Result<Vec<BigUint>, Interrupted>;

    /// The number of nodes of a function.
    fn function_node_count(&mut self, values: &Self::Function) -> usize;
}
