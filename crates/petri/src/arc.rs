//! The arcs of a net.
//!
//! There is one list of arcs per transition, and every analysis, reader and writer matches on the
//! kinds of arcs without a catch-all. A new kind is therefore a list of compiler errors: each is a
//! place that must say what the kind means there. Where several arcs between one transition and one
//! place act together, [`Access`](crate::Access) combines them first; an analysis that is written
//! on accesses asks again only if the new kind does not fit an access.

use crate::ids::PlaceId;

/// An arc between a transition and a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arc {
    /// The transition needs `weight` tokens, and takes them.
    Input {
        /// Where the tokens are.
        place: PlaceId,
        /// How many.
        weight: u64,
    },
    /// The transition needs `weight` tokens, which stay.
    Read {
        /// Where the tokens are.
        place: PlaceId,
        /// How many.
        weight: u64,
    },
    /// The transition needs *fewer* than `weight` tokens.
    Inhibitor {
        /// The place that must not hold more.
        place: PlaceId,
        /// The number of tokens from which on the transition is disabled.
        weight: u64,
    },
    /// The transition empties the place. What an output arc puts there arrives afterwards.
    Reset {
        /// The place that is emptied.
        place: PlaceId,
    },
    /// The transition puts `weight` tokens.
    Output {
        /// Where the tokens go.
        place: PlaceId,
        /// How many.
        weight: u64,
    },
}

impl Arc {
    /// The place at the other end.
    pub fn place(self) -> PlaceId {
        match self {
            Arc::Input { place, .. }
            | Arc::Read { place, .. }
            | Arc::Inhibitor { place, .. }
            | Arc::Reset { place }
            | Arc::Output { place, .. } => place,
        }
    }

    /// The weight, if arcs of this kind have one.
    pub fn weight(self) -> Option<u64> {
        match self {
            Arc::Input { weight, .. }
            | Arc::Read { weight, .. }
            | Arc::Inhibitor { weight, .. }
            | Arc::Output { weight, .. } => Some(weight),
            Arc::Reset { .. } => None,
        }
    }

    /// The same arc with another place at its end.
    pub fn at(self, place: PlaceId) -> Arc {
        match self {
            Arc::Input { weight, .. } => Arc::Input { place, weight },
            Arc::Read { weight, .. } => Arc::Read { place, weight },
            Arc::Inhibitor { weight, .. } => Arc::Inhibitor { place, weight },
            Arc::Reset { .. } => Arc::Reset { place },
            Arc::Output { weight, .. } => Arc::Output { place, weight },
        }
    }

    /// The tokens that the arc needs at its place.
    pub fn needed(self) -> u64 {
        match self {
            Arc::Input { weight, .. } | Arc::Read { weight, .. } => weight,
            Arc::Inhibitor { .. } | Arc::Reset { .. } | Arc::Output { .. } => 0,
        }
    }

    /// Whether the arc lets its transition fire while its place holds `tokens`.
    pub fn admits(self, tokens: u64) -> bool {
        match self {
            Arc::Input { weight, .. } | Arc::Read { weight, .. } => tokens >= weight,
            Arc::Inhibitor { weight, .. } => tokens < weight,
            Arc::Reset { .. } | Arc::Output { .. } => true,
        }
    }

    /// The position in a list of arcs (PETRI-P2): by place, and at one place in the order in which
    /// a firing works through them, tests and takes first, then emptying, then puts.
    pub fn position(self) -> (PlaceId, u8) {
        let rank = match self {
            Arc::Input { .. } => 0,
            Arc::Read { .. } => 1,
            Arc::Inhibitor { .. } => 2,
            Arc::Reset { .. } => 3,
            Arc::Output { .. } => 4,
        };
        (self.place(), rank)
    }

    /// The one arc that acts as two arcs of one kind at one place do: what is taken and put adds
    /// up, and of two conditions the stricter one decides. `None` if they differ in kind or place.
    fn combined_with(self, other: Arc) -> Option<Arc> {
        if self.position() != other.position() {
            return None;
        }
        // The other arc is of the same kind, so it has a weight if this one has.
        let combined =
            |mine: u64, combine: fn(u64, u64) -> u64| combine(mine, other.weight().unwrap_or(mine));
        Some(match self {
            Arc::Input { place, weight } => {
                Arc::Input { place, weight: combined(weight, u64::saturating_add) }
            }
            Arc::Read { place, weight } => Arc::Read { place, weight: combined(weight, u64::max) },
            Arc::Inhibitor { place, weight } => Arc::Inhibitor { place, weight: combined(weight, u64::min) },
            Arc::Reset { place } => Arc::Reset { place },
            Arc::Output { place, weight } => {
                Arc::Output { place, weight: combined(weight, u64::saturating_add) }
            }
        })
    }
}

/// Puts `arcs` into the order of PETRI-P2, and combines those of one kind at one place. Sums beyond
/// 64 bits stay at the largest number, which PETRI-P3 forbids.
pub fn tidy_arcs(arcs: &mut Vec<Arc>) {
    if arcs.is_sorted_by(|a, b| a.position() < b.position()) {
        return;
    }
    arcs.sort_unstable_by_key(|arc| arc.position());
    arcs.dedup_by(|later, kept| match kept.combined_with(*later) {
        Some(combined) => {
            *kept = combined;
            true
        }
        None => false,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: PlaceId = PlaceId(0);
    const Q: PlaceId = PlaceId(1);

    #[test]
    fn an_arc_takes_two_words() {
        // A net may have millions of them.
        assert_eq!(size_of::<Arc>(), 16);
    }

    #[test]
    fn arcs_of_one_kind_at_one_place_become_one() {
        let mut arcs = vec![
            Arc::Output { place: P, weight: 2 },
            Arc::Reset { place: Q },
            Arc::Inhibitor { place: Q, weight: 5 },
            Arc::Read { place: Q, weight: 2 },
            Arc::Input { place: P, weight: 1 },
            Arc::Inhibitor { place: Q, weight: 4 },
            Arc::Input { place: P, weight: 3 },
            Arc::Read { place: Q, weight: 3 },
            Arc::Output { place: P, weight: u64::MAX },
            Arc::Reset { place: Q },
        ];
        tidy_arcs(&mut arcs);
        assert_eq!(
            arcs,
            [
                Arc::Input { place: P, weight: 4 },
                Arc::Output { place: P, weight: u64::MAX },
                Arc::Read { place: Q, weight: 3 },
                Arc::Inhibitor { place: Q, weight: 4 },
                Arc::Reset { place: Q },
            ]
        );
    }

    #[test]
    fn conditions_of_arcs() {
        let check = |arc: Arc, admitted: [bool; 4]| {
            assert_eq!([0, 1, 2, 3].map(|tokens| arc.admits(tokens)), admitted, "{arc:?}");
        };
        check(Arc::Input { place: P, weight: 2 }, [false, false, true, true]);
        check(Arc::Read { place: P, weight: 1 }, [false, true, true, true]);
        check(Arc::Inhibitor { place: P, weight: 2 }, [true, true, false, false]);
        check(Arc::Reset { place: P }, [true; 4]);
        check(Arc::Output { place: P, weight: 2 }, [true; 4]);
    }
}
