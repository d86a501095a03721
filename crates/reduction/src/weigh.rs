//! What a state of a result stands for.

use num_bigint::BigUint;
use std::fmt;
use symbolon_model::{Atom, EventId, Linear};

/// The number of original states and edges that a state of the result stands for, and how what is
/// said about the original reads in the result.
pub trait Weigh: fmt::Debug + Send + Sync {
    /// The number of variables of the original.
    fn variable_count(&self) -> usize;

    /// The number of events of the original.
    fn event_count(&self) -> usize;

    /// Whether every state of the result stands for one original state. A plain count will do then.
    fn is_one_to_one(&self) -> bool;

    /// The number of original states that `state` stands for: 1, the size of an orbit, a binomial.
    fn states(&self, state: &[u64]) -> BigUint;

    /// The number of pairs of an original state that `state` stands for and an original event that
    /// is enabled there. `is_enabled` says which events of the result are enabled in `state`.
    fn edges(&self, state: &[u64], is_enabled: &dyn Fn(EventId) -> bool) -> BigUint;

    /// Whether [`Weigh::edges`] is the number of enabled events of the result, in every state.
    fn counts_events(&self) -> bool;

    /// How a sum of original variables reads in the result; `None` if it does not. The value is the
    /// same in every original state that a state of the result stands for.
    fn sum(&self, sum: &Linear) -> Option<Linear>;

    /// How "this original event is enabled" reads in the result; `None` if it does not.
    fn fireable(&self, event: EventId) -> Option<Atom>;
}
