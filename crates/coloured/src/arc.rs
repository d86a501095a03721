//! The arcs of a coloured net: those of a place/transition net, with a multiset of colours for a
//! weight.
//!
//! Under a binding an arc means one arc of a place/transition net per colour of its multiset, with
//! the multiplicity as weight.

use crate::ids::PlaceId;
use crate::term::MultisetTerm;

/// An arc between a transition and a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arc {
    /// The transition needs these tokens, and takes them.
    Input {
        /// Where the tokens are.
        place: PlaceId,
        /// Which tokens.
        tokens: MultisetTerm,
    },
    /// The transition needs these tokens, which stay.
    Read {
        /// Where the tokens are.
        place: PlaceId,
        /// Which tokens.
        tokens: MultisetTerm,
    },
    /// Of each colour in the multiset the transition needs *fewer* tokens than its multiplicity.
    Inhibitor {
        /// The place that must not hold more.
        place: PlaceId,
        /// From how many tokens of which colours on the transition is disabled.
        tokens: MultisetTerm,
    },
    /// The transition takes all tokens of the colours in the multiset, however many there are. What
    /// an output arc puts there arrives afterwards.
    Reset {
        /// The place.
        place: PlaceId,
        /// Which colours; multiplicities do not matter.
        tokens: MultisetTerm,
    },
    /// The transition puts these tokens.
    Output {
        /// Where the tokens go.
        place: PlaceId,
        /// Which tokens.
        tokens: MultisetTerm,
    },
}

impl Arc {
    /// The place at the other end.
    pub fn place(&self) -> PlaceId {
        match self {
            Arc::Input { place, .. }
            | Arc::Read { place, .. }
            | Arc::Inhibitor { place, .. }
            | Arc::Reset { place, .. }
            | Arc::Output { place, .. } => *place,
        }
    }

    /// The multiset.
    pub fn tokens(&self) -> &MultisetTerm {
        match self {
            Arc::Input { tokens, .. }
            | Arc::Read { tokens, .. }
            | Arc::Inhibitor { tokens, .. }
            | Arc::Reset { tokens, .. }
            | Arc::Output { tokens, .. } => tokens,
        }
    }

    /// The same arc with another multiset.
    pub fn with_tokens(&self, tokens: MultisetTerm) -> Arc {
        match *self {
            Arc::Input { place, .. } => Arc::Input { place, tokens },
            Arc::Read { place, .. } => Arc::Read { place, tokens },
            Arc::Inhibitor { place, .. } => Arc::Inhibitor { place, tokens },
            Arc::Reset { place, .. } => Arc::Reset { place, tokens },
            Arc::Output { place, .. } => Arc::Output { place, tokens },
        }
    }

    /// The position in a list of arcs (COL-6), as for place/transition nets.
    pub fn position(&self) -> (PlaceId, u8) {
        let rank = match self {
            Arc::Input { .. } => 0,
            Arc::Read { .. } => 1,
            Arc::Inhibitor { .. } => 2,
            Arc::Reset { .. } => 3,
            Arc::Output { .. } => 4,
        };
        (self.place(), rank)
    }

    /// The arc of a place/transition net that this one means for one colour.
    pub fn instance(&self, place: symbolon_petri::PlaceId, weight: u64) -> symbolon_petri::Arc {
        match self {
            Arc::Input { .. } => symbolon_petri::Arc::Input { place, weight },
            Arc::Read { .. } => symbolon_petri::Arc::Read { place, weight },
            Arc::Inhibitor { .. } => symbolon_petri::Arc::Inhibitor { place, weight },
            Arc::Reset { .. } => symbolon_petri::Arc::Reset { place },
            Arc::Output { .. } => symbolon_petri::Arc::Output { place, weight },
        }
    }
}
