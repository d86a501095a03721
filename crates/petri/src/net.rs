//! A place/transition net, as read: the typed source that analysis works on and that is lowered.

use crate::rare::Rare;

/// The number of a place in its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// The number of a transition in its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionId(pub u32);

impl PlaceId {
    /// The number as an index into tables with one entry a place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The number as an index into tables with one entry a transition.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The largest marking and weight that a net may mention: 2^63 − 1.
pub const LARGEST_COUNT: u64 = i64::MAX as u64;

/// A place/transition net with weighted, inhibitor, read and reset arcs, and nested units.
///
/// Invariants, established by [`Net::check`] and by every reader:
/// - **P1** ids of places are distinct, ids of transitions are distinct.
/// - **P2** each list of arcs of a transition names a place at most once, ascending by place.
/// - **P3** weights are at least 1; weights and markings are at most [`LARGEST_COUNT`].
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
    /// The identifier, which is how users and formulas call it.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The initial number of tokens.
    pub initial: u64,
}

/// A transition with its arcs. Each list is ascending by place (P2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// The identifier.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// Tokens taken; the transition needs as many.
    pub inputs: Vec<(PlaceId, u64)>,
    /// Tokens put.
    pub outputs: Vec<(PlaceId, u64)>,
    /// Enabled only while the place holds *fewer* tokens than this.
    pub inhibitors: Rare<(PlaceId, u64)>,
    /// Enabled only while the place holds at least so many tokens, which stay.
    pub reads: Rare<(PlaceId, u64)>,
    /// Places that are emptied; what `outputs` puts arrives afterwards.
    pub resets: Rare<PlaceId>,
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

    /// Whether all arcs are ordinary: no inhibitor, read or reset arc.
    pub fn is_ordinary(&self) -> bool {
        self.transitions.iter().all(|t| t.inhibitors.is_empty() && t.reads.is_empty() && t.resets.is_empty())
    }
}

impl Transition {
    /// The number of arcs of all kinds.
    pub fn arc_count(&self) -> usize {
        self.inputs.len() + self.outputs.len() + self.inhibitors.len() + self.reads.len() + self.resets.len()
    }

    /// Whether it has no arc of any kind; then it can always fire, and changes nothing.
    pub fn is_isolated(&self) -> bool {
        self.arc_count() == 0
    }

    /// The place of every arc of every kind; one with several arcs comes several times.
    pub fn arc_places(&self) -> impl Iterator<Item = PlaceId> {
        let weighted = [&*self.inputs, &*self.outputs, &*self.inhibitors, &*self.reads];
        weighted.into_iter().flatten().map(|&(place, _)| place).chain(self.resets.iter().copied())
    }
}
