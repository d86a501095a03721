//! What a transition asks of one place and does to it: all arcs between the two, taken together.
//!
//! With `m` tokens at the place,
//!
//! ```text
//! enabled   at_least ≤ m ≤ at_most
//! change    m := m − taken + put      or, with a reset arc,  m := put
//! ```
//!
//! Analyses take an access apart by name, field by field, and match on [`TokenChange`]: an arc that
//! does not fit this form changes the form, and the compiler lists every argument that must be
//! looked at again.

use crate::arc::Arc;
use crate::ids::PlaceId;
use crate::net::Transition;

/// What a transition asks of one place and does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The place.
    pub place: PlaceId,
    /// The transition needs at least this many tokens here.
    pub at_least: u64,
    /// The transition needs at most this many; [`u64::MAX`] if it does not matter.
    pub at_most: u64,
    /// What becomes of the tokens.
    pub change: TokenChange,
}

/// What a firing does to the tokens of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenChange {
    /// Takes some, of those that are needed anyway, and puts some; both are 0 for a place that is
    /// only tested.
    Move {
        /// How many are taken, at most [`Access::at_least`].
        taken: u64,
        /// How many are put.
        put: u64,
    },
    /// Takes all, however many there are, and then puts some.
    Refill {
        /// How many are put.
        put: u64,
    },
}

impl Access {
    /// All `arcs` of one transition at one place; there is at least one.
    fn of(arcs: &[Arc]) -> Access {
        let mut access = Access {
            place: arcs[0].place(),
            at_least: 0,
            at_most: u64::MAX,
            change: TokenChange::Move { taken: 0, put: 0 },
        };
        for arc in arcs {
            match *arc {
                Arc::Input { weight, .. } => {
                    access.at_least = access.at_least.max(weight);
                    if let TokenChange::Move { taken, .. } = &mut access.change {
                        *taken = weight;
                    }
                }
                Arc::Read { weight, .. } => access.at_least = access.at_least.max(weight),
                // Weights are at least 1 (PETRI-P3).
                Arc::Inhibitor { weight, .. } => {
                    access.at_most = access.at_most.min(weight.saturating_sub(1));
                }
                // Before every output arc, by PETRI-P2.
                Arc::Reset { .. } => access.change = TokenChange::Refill { put: 0 },
                Arc::Output { weight, .. } => {
                    let (TokenChange::Move { put, .. } | TokenChange::Refill { put }) = &mut access.change;
                    *put = weight;
                }
            }
        }
        access
    }

    /// What a firing surely takes, at least.
    pub fn least_taken(&self) -> u64 {
        match self.change {
            TokenChange::Move { taken, .. } => taken,
            // All are taken, and as many as are needed are there.
            TokenChange::Refill { .. } => self.at_least,
        }
    }

    /// What a firing puts.
    pub fn put(&self) -> u64 {
        let (TokenChange::Move { put, .. } | TokenChange::Refill { put }) = self.change;
        put
    }

    /// Whether a firing takes all tokens, however many there are.
    pub fn is_reset(&self) -> bool {
        match self.change {
            TokenChange::Move { .. } => false,
            TokenChange::Refill { .. } => true,
        }
    }

    /// Whether a firing may leave the place with another number of tokens.
    pub fn may_change(&self) -> bool {
        match self.change {
            TokenChange::Move { taken, put } => taken != put,
            TokenChange::Refill { .. } => true,
        }
    }
}

impl Transition {
    /// What the transition asks of each place and does to it, ascending by place.
    pub fn accesses(&self) -> impl Iterator<Item = Access> {
        self.arcs.chunk_by(|a, b| a.place() == b.place()).map(Access::of)
    }

    /// Whether the transition is enabled in `marking`.
    pub fn is_enabled(&self, marking: &[u64]) -> bool {
        self.arcs.iter().all(|arc| arc.admits(marking[arc.place().index()]))
    }

    /// Fires the transition in `marking`. Returns whether it did: it does not where it is not
    /// enabled, or where a number of tokens would not fit 64 bits; `marking` is of no use then.
    pub fn fire(&self, marking: &mut [u64]) -> bool {
        self.is_enabled(marking)
            && self.arcs.iter().all(|arc| {
                let tokens = &mut marking[arc.place().index()];
                let after = match *arc {
                    Arc::Input { weight, .. } => Some(*tokens - weight),
                    Arc::Read { .. } | Arc::Inhibitor { .. } => Some(*tokens),
                    Arc::Reset { .. } => Some(0),
                    Arc::Output { weight, .. } => tokens.checked_add(weight),
                };
                after.map(|after| *tokens = after).is_some()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: PlaceId = PlaceId(0);
    const Q: PlaceId = PlaceId(1);

    fn transition(arcs: &[Arc]) -> Transition {
        Transition::new("t", arcs.to_vec())
    }

    #[test]
    fn all_arcs_at_one_place_are_one_access() {
        let all = [
            Arc::Input { place: P, weight: 2 },
            Arc::Read { place: P, weight: 3 },
            Arc::Inhibitor { place: P, weight: 9 },
            Arc::Reset { place: P },
            Arc::Output { place: P, weight: 4 },
        ];
        let change = TokenChange::Refill { put: 4 };
        let access = Access { place: P, at_least: 3, at_most: 8, change };
        assert_eq!(transition(&all).accesses().collect::<Vec<_>>(), [access]);
        assert_eq!((access.least_taken(), access.put(), access.is_reset()), (3, 4, true));

        let plain = transition(&[all[0], all[4], Arc::Output { place: Q, weight: 1 }]);
        let change = TokenChange::Move { taken: 2, put: 4 };
        let access = Access { place: P, at_least: 2, at_most: u64::MAX, change };
        assert_eq!(plain.accesses().next(), Some(access));
        assert_eq!(plain.accesses().count(), 2);
        assert_eq!((access.least_taken(), access.put(), access.is_reset()), (2, 4, false));
    }

    #[test]
    fn firing_takes_empties_and_puts_in_that_order() {
        let check = |arcs: &[Arc], before: u64, after: Option<u64>| {
            let mut marking = [before];
            let fired = transition(arcs).fire(&mut marking);
            assert_eq!(fired.then_some(marking[0]), after, "{arcs:?} at {before}");
        };
        let (take, read) = (Arc::Input { place: P, weight: 2 }, Arc::Read { place: P, weight: 3 });
        let (few, empty) = (Arc::Inhibitor { place: P, weight: 5 }, Arc::Reset { place: P });
        let put = Arc::Output { place: P, weight: 1 };
        check(&[take, put], 1, None);
        check(&[take, put], 2, Some(1));
        check(&[take, read, put], 2, None);
        check(&[take, few], 5, None);
        check(&[empty, put], 7, Some(1));
        check(&[take, empty, put], 7, Some(1));
        check(&[put], u64::MAX, None);
    }
}
