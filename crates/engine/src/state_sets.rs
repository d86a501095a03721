//! The trait that every kind of state set implements.

use num_bigint::BigUint;
use symbolon_budget::{Interrupted, Meter};
use symbolon_model::{EventId, State, VariableId};

/// Sets of states of one model, in some kind of diagram.
///
/// Every operation that can take long can be interrupted by the budget; the sets that exist stay
/// valid then.
pub trait StateSets {
    /// A set. Equal sets are `==`, which costs nothing.
    type Set: Clone + PartialEq;

    /// The empty set.
    fn none(&mut self) -> Self::Set;
    /// The initial states.
    fn initial(&mut self) -> Result<Self::Set, Interrupted>;
    /// The set of one state.
    fn singleton(&mut self, state: &[u64]) -> Result<Self::Set, Interrupted>;

    /// All successors of `from` under one event.
    fn image(&mut self, event: EventId, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `within` from which one event leads into `target`.
    fn preimage(
        &mut self,
        event: EventId,
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;

    /// The states in `a` or in `b`.
    fn union(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states in `a` and in `b`.
    fn intersection(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states in `a` but not in `b`.
    fn difference(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;

    /// The states of `set` in which `event` is enabled.
    fn enabled(&mut self, event: EventId, set: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `set` in which no event is enabled.
    fn dead(&mut self, set: &Self::Set) -> Result<Self::Set, Interrupted>;

    /// Whether the set has no state.
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// Whether the state lies in the set.
    fn contains(&mut self, set: &Self::Set, state: &[u64]) -> bool;
    /// The exact number of states.
    fn count(&mut self, set: &Self::Set) -> Result<BigUint, Interrupted>;
    /// The exact number of states, without asking the budget; `None` if that would take long.
    fn count_if_quick(&mut self, set: &Self::Set) -> Option<BigUint>;
    /// Some state of the set, always the same one.
    fn choose(&mut self, set: &Self::Set) -> Option<State>;
    /// The largest value of a weighted sum of variables over the set; `None` for the empty set.
    fn largest(
        &mut self,
        set: &Self::Set,
        weights: &[(VariableId, i64)],
    ) -> Result<Option<i128>, Interrupted>;

    /// The number of events of the model.
    fn event_count(&self) -> usize;
    /// The order in which chaining fires events.
    fn events_for_chaining(&self) -> Vec<EventId>;
    /// Called between operations, where garbage may go.
    fn breathe(&mut self);
    /// The meter that all operations charge.
    fn meter(&mut self) -> &mut Meter;
}

/// State sets that can saturate.
pub trait Saturation: StateSets {
    /// All states reachable from `from`, by saturation.
    fn saturate(&mut self, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// After an interrupted saturation: how many states it had found at least.
    fn found_until_interrupted(&mut self) -> Option<BigUint>;
}
