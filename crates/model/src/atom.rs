//! What a formula says about one state of a model.

use crate::{EventId, Model, Predicate};

/// A statement about one state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The values of variables satisfy this.
    Holds(Predicate),
    /// One of these events is enabled.
    Fireable(Vec<EventId>),
}

impl Atom {
    /// Whether it is true in `state`; `None` where something is divided by 0.
    pub fn holds(&self, model: &Model, state: &[u64]) -> Option<bool> {
        match self {
            Atom::Holds(predicate) => predicate.holds(state),
            Atom::Fireable(events) => Some(events.iter().any(|&event| model.can_happen(event, state))),
        }
    }
}
