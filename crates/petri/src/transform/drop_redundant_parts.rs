//! A net without the parts that add nothing: equal transitions, places that never change, and
//! places that another place implies.
//!
//! The reachability graph stays as it is, so everything is preserved:
//!
//! - Of transitions with the same arcs the first is kept. It stands for all of them, and an edge
//!   counts once for each.
//! - A place that never changes is a constant. Where a transition asks for something that the
//!   constant does not fulfil, the transition is never enabled and goes, too; the other arcs to the
//!   place go.
//! - A place that another place implies holds a constant number of tokens more than that one, and
//!   never decides whether a transition is enabled ([`ImpliedPlace`]). It reads as a sum.
//!
//! Numbers of tokens beyond [`LARGEST_COUNT`](crate::net::LARGEST_COUNT) are an overflow of a
//! place; a place that is left out cannot overflow any more.

use super::keep_parts::Kept;
use crate::analysis::{ImpliedPlace, RedundantParts};
use crate::ids::{event_of, variable_of};
use crate::net::{Net, PlaceId, TransitionId};
use std::sync::Arc;
use symbolon_model::{Linear, VariableId};
use symbolon_reduction::{OneToOne, Preserves, Reduction};

/// What becomes of a place.
#[derive(Clone, Copy)]
enum Fate {
    Stays,
    IsConstant(u64),
    IsImplied { by: PlaceId, surplus: u64 },
}

/// `net` without its `redundant` parts.
pub fn drop_redundant_parts(net: &Net, redundant: &RedundantParts) -> Reduction<Net> {
    let mut fates = vec![Fate::Stays; net.places.len()];
    for &place in &redundant.constant_places {
        fates[place.index()] = Fate::IsConstant(net.places[place.index()].initial);
    }
    for &ImpliedPlace { place, by, surplus } in &redundant.implied_places {
        fates[place.index()] = Fate::IsImplied { by, surplus };
    }
    let mut stands_for: Vec<TransitionId> = net.transition_ids().collect();
    for group in &redundant.parallel_transitions {
        group.iter().for_each(|transition| stands_for[transition.index()] = group[0]);
    }
    let can_be_enabled = |transition: TransitionId| {
        net.transitions[transition.index()].arcs.iter().all(|arc| match fates[arc.place().index()] {
            Fate::IsConstant(tokens) => arc.admits(tokens),
            Fate::Stays | Fate::IsImplied { .. } => true,
        })
    };
    let kept = Kept::new(
        net,
        |place| matches!(fates[place.index()], Fate::Stays),
        |transition| stands_for[transition.index()] == transition && can_be_enabled(transition),
    );
    let value = |place: PlaceId| match fates[place.index()] {
        Fate::Stays => Linear::variable(new_variable(&kept, place)),
        // At most LARGEST_COUNT (PETRI-P3).
        Fate::IsConstant(tokens) => Linear::constant(tokens as i64),
        Fate::IsImplied { by, surplus } => {
            Linear { terms: vec![(new_variable(&kept, by), 1)], constant: surplus as i64 }
        }
    };
    let values = net.place_ids().map(value).collect();
    let copy = |transition: TransitionId| kept.transition(stands_for[transition.index()]).map(event_of);
    let copies = net.transition_ids().map(|transition| copy(transition).into_iter().collect()).collect();
    let smaller = kept.net(net);
    let table = Arc::new(OneToOne::new(values, copies, smaller.transitions.len()));
    Reduction { result: smaller, preserves: Preserves::everything(), lift: table.clone(), weigh: table }
}

/// The variable of a place that stays. A place that implies another one does.
fn new_variable(kept: &Kept, place: PlaceId) -> VariableId {
    variable_of(kept.place(place).expect("a place that implies others stays"))
}
