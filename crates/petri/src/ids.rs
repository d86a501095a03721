//! The numbers of places and transitions, and those of the variables and events that they become.

use symbolon_model::{EventId, VariableId};

/// The number of a place in its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// The number of a transition in its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The number as an index into tables with one entry per place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The number as an index into tables with one entry per transition.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The variable that stands for `place`.
pub fn variable_of(place: PlaceId) -> VariableId {
    VariableId(place.0)
}

/// The event that stands for `transition`.
pub fn event_of(transition: TransitionId) -> EventId {
    EventId(transition.0)
}
