//! Constant places: those to which every transition gives back what it takes.
//!
//! The tokens of such a place never change. An arc there is a condition on the binding: either it
//! holds in every marking or in none. Instances under whose binding it fails are dropped, and the
//! others need no arc. The place itself is kept, with its tokens.

use crate::arc::Arc;
use crate::ids::PlaceId;
use crate::net::{Net, Transition};
use crate::term::MultisetTerm;
use rustc_hash::FxHashMap;

/// Which places are constant.
pub(super) struct ConstantPlaces {
    is_constant: Vec<bool>,
}

impl ConstantPlaces {
    /// The places of `net` that are seen to be constant: in every transition, the terms of input and
    /// output arcs at the place are the same, up to order.
    pub(super) fn of(net: &Net) -> ConstantPlaces {
        let mut is_constant = vec![true; net.places.len()];
        for transition in &net.transitions {
            for place in changed_places(transition) {
                is_constant[place.index()] = false;
            }
        }
        ConstantPlaces { is_constant }
    }

    pub(super) fn is_constant(&self, place: PlaceId) -> bool {
        self.is_constant[place.index()]
    }
}

/// The places that a transition may change.
fn changed_places(transition: &Transition) -> Vec<PlaceId> {
    let mut changed = Vec::new();
    // COL-6: the arcs at one place follow each other.
    for arcs in transition.arcs.chunk_by(|a, b| a.place() == b.place()) {
        let mut balance: FxHashMap<&MultisetTerm, i128> = FxHashMap::default();
        let mut is_reset = false;
        for arc in arcs {
            match arc {
                Arc::Input { tokens, .. } => add_terms(tokens, -1, &mut balance),
                Arc::Output { tokens, .. } => add_terms(tokens, 1, &mut balance),
                Arc::Read { .. } | Arc::Inhibitor { .. } => {}
                Arc::Reset { .. } => is_reset = true,
            }
        }
        if is_reset || balance.values().any(|count| *count != 0) {
            changed.push(arcs[0].place());
        }
    }
    changed
}

/// Adds the terms of which `term` is the sum, `times` times each.
fn add_terms<'n>(term: &'n MultisetTerm, times: i128, balance: &mut FxHashMap<&'n MultisetTerm, i128>) {
    match term {
        MultisetTerm::Sum(terms) => terms.iter().for_each(|term| add_terms(term, times, balance)),
        MultisetTerm::Scaled { count, term } => {
            add_terms(term, times.saturating_mul(i128::from(*count)), balance);
        }
        MultisetTerm::Empty(_) => {}
        _ => {
            let sum = balance.entry(term).or_default();
            *sum = sum.saturating_add(times);
        }
    }
}
