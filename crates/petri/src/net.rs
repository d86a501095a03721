//! A place/transition net, as read: the typed source that analysis works on and that is lowered.

use crate::arc::{Arc, tidy_arcs};
pub use crate::ids::{PlaceId, TransitionId};

/// The largest marking and weight that a net may mention: 2^63 − 1.
pub const LARGEST_COUNT: u64 = i64::MAX as u64;

/// A place/transition net with weighted, inhibitor, read and reset arcs, and nested units.
///
/// Invariants, established by [`Net::check`] and by every reader:
/// - **PETRI-P1** ids of places are distinct, ids of transitions are distinct.
/// - **PETRI-P2** the arcs of a transition ascend by [`Arc::position`]: by place, and at one place
///   by kind. So a transition has at most one arc of each kind at a place.
/// - **PETRI-P3** weights are at least 1; weights and markings are at most [`LARGEST_COUNT`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// The name of the net, or its id where it has no name.
    pub name: String,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions with their arcs.
    pub transitions: Vec<Transition>,
    /// Nested units (NUPN) or pages, parents before children; empty if the net has neither.
    pub units: Vec<Unit>,
    /// What the source claims about its units; see [`UnitClaim`].
    pub unit_claim: UnitClaim,
}

/// A place with its initial marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The identifier, by which users and formulas name the place.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The initial number of tokens.
    pub initial: u64,
}

/// A transition with its arcs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// The identifier.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The arcs of all kinds, in the order of PETRI-P2.
    pub arcs: Vec<Arc>,
}

/// A unit of a nested-unit net, or a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The identifier.
    pub id: String,
    /// The unit around it, by index in [`Net::units`].
    pub parent: Option<u32>,
    /// Places that belong to it directly.
    pub places: Vec<PlaceId>,
}

/// What a source claims about its units. A claim is not a proof: nothing relies on it unchecked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitClaim {
    /// Units only group places (pages).
    #[default]
    Nothing,
    /// NUPN: the net is said to be unit safe (no two places of one unit, or of a unit and a unit
    /// inside it, are ever marked together, and no place ever holds two tokens).
    UnitSafe,
    /// NUPN whose author does not claim unit safety.
    NestedUnits,
}

impl Net {
    /// All place ids, in order.
    pub fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// All transition ids, in order.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// The number of arcs of all kinds.
    pub fn arc_count(&self) -> usize {
        self.transitions.iter().map(Transition::arc_count).sum()
    }

    /// Whether all arcs are ordinary: only input and output arcs.
    pub fn is_ordinary(&self) -> bool {
        let mut arcs = self.transitions.iter().flat_map(|transition| &transition.arcs);
        arcs.all(|arc| match arc {
            Arc::Input { .. } | Arc::Output { .. } => true,
            Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } => false,
        })
    }
}

impl Transition {
    /// A transition without label. The arcs may come in any order; those of one kind at one place
    /// are combined.
    pub fn new(id: impl Into<String>, mut arcs: Vec<Arc>) -> Transition {
        tidy_arcs(&mut arcs);
        Transition { id: id.into(), label: None, arcs }
    }

    /// A transition that takes tokens from some places, as many as stand beside them, and puts
    /// tokens to others.
    pub fn moving<I, O>(id: impl Into<String>, inputs: I, outputs: O) -> Transition
    where
        I: IntoIterator<Item = (PlaceId, u64)>,
        O: IntoIterator<Item = (PlaceId, u64)>,
    {
        let inputs = inputs.into_iter().map(|(place, weight)| Arc::Input { place, weight });
        let outputs = outputs.into_iter().map(|(place, weight)| Arc::Output { place, weight });
        Transition::new(id, inputs.chain(outputs).collect())
    }

    /// Adds an arc, where PETRI-P2 wants it.
    pub fn add(&mut self, arc: Arc) {
        self.arcs.push(arc);
        tidy_arcs(&mut self.arcs);
    }

    /// The number of arcs of all kinds.
    pub fn arc_count(&self) -> usize {
        self.arcs.len()
    }

    /// Whether it has no arc of any kind; then it can always fire, and changes nothing.
    pub fn is_isolated(&self) -> bool {
        self.arcs.is_empty()
    }

    /// The place of every arc of every kind; one with several arcs comes several times.
    pub fn arc_places(&self) -> impl Iterator<Item = PlaceId> {
        self.arcs.iter().map(|arc| arc.place())
    }
}
