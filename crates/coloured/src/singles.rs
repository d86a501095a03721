//! Single colours and single bindings: what a question can be about besides whole places and whole
//! transitions.

use crate::ids::{ClassId, PlaceId, TransitionId, VariableId};
use crate::net::Net;

/// One colour of a place, as in `p[c1,s2]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlaceColour {
    /// The place.
    pub place: PlaceId,
    /// The members, in the order of its domain.
    pub colour: Vec<u32>,
}

/// The bindings of a transition under which some variables have these members, as in `t(x=c1)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartialBinding {
    /// The transition.
    pub transition: TransitionId,
    /// Variables of the transition with their members.
    pub members: Vec<(VariableId, u32)>,
}

/// The single colours and bindings that a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Singles {
    /// Colours of places.
    pub colours: Vec<PlaceColour>,
    /// Bindings of transitions.
    pub bindings: Vec<PartialBinding>,
}

impl Singles {
    /// The members that must be told apart from all others, each once.
    pub fn members(&self, net: &Net) -> Vec<(ClassId, u32)> {
        let of_colour = |one: &PlaceColour| {
            let domain = &net.places[one.place.index()].domain.0;
            domain.iter().copied().zip(one.colour.iter().copied()).collect::<Vec<_>>()
        };
        let of_binding = |one: &PartialBinding| {
            let class = |variable: VariableId| net.variables[variable.index()].class;
            one.members.iter().map(|&(variable, member)| (class(variable), member)).collect::<Vec<_>>()
        };
        let colours = self.colours.iter().flat_map(of_colour);
        let mut members: Vec<_> = colours.chain(self.bindings.iter().flat_map(of_binding)).collect();
        members.sort_unstable();
        members.dedup();
        members
    }
}
