//! Traps: sets of places that, once marked, stay marked.
//!
//! A set `Q` of places is a trap if every transition that can fire and takes tokens from `Q` leaves
//! some in it. If `Q` is marked initially, `Σ_{q ∈ Q} m(q) ≥ 1` holds in every reachable marking,
//! which the state equation cannot say (Esparza and Melzer, *Verification of safety properties
//! using integer programming*, Formal Methods in System Design 16, 2000). Here transitions have
//! more kinds of arcs than there: inhibitor arcs only forbid firings; a reset takes tokens, before
//! the outputs arrive; a token that a read arc asks for and that nothing takes stays.

use crate::access::{Access, TokenChange};
use crate::net::{Net, PlaceId, Transition};

/// Whether `places`, ascending, are a trap of `net` that is marked initially. Transitions in
/// `is_dead` (one entry each, or empty) never fire.
pub(crate) fn is_marked_trap(net: &Net, is_dead: &[bool], places: &[PlaceId]) -> bool {
    let is_in_net = places.iter().all(|place| place.index() < net.places.len());
    let is_member = |place: PlaceId| places.binary_search(&place).is_ok();
    is_in_net
        && places.windows(2).all(|pair| pair[0] < pair[1])
        && places.iter().any(|place| net.places[place.index()].initial > 0)
        && net.transitions.iter().enumerate().all(|(index, transition)| {
            is_dead.get(index).copied().unwrap_or(false)
                || !taken_from(transition).any(is_member)
                || left_marked(transition).any(is_member)
        })
}

/// The largest trap inside `places` (ascending), if it is marked initially.
pub(crate) fn largest_marked_trap(net: &Net, is_dead: &[bool], places: &[PlaceId]) -> Option<Vec<PlaceId>> {
    let mut is_member = vec![false; net.places.len()];
    places.iter().for_each(|place| is_member[place.index()] = true);
    // For each transition, how many members it leaves marked; when none is left, what it takes from
    // goes.
    let mut left: Vec<u32> = Vec::with_capacity(net.transitions.len());
    let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); net.places.len()];
    let mut empty: Vec<u32> = Vec::new();
    for (index, transition) in net.transitions.iter().enumerate() {
        let mut count = 0;
        for place in left_marked(transition).filter(|place| is_member[place.index()]) {
            leaving[place.index()].push(index as u32);
            count += 1;
        }
        left.push(count);
        if count == 0 && !is_dead.get(index).copied().unwrap_or(false) {
            empty.push(index as u32);
        }
    }
    while let Some(index) = empty.pop() {
        for place in taken_from(&net.transitions[index as usize]) {
            if !std::mem::replace(&mut is_member[place.index()], false) {
                continue;
            }
            for &other in &leaving[place.index()] {
                left[other as usize] -= 1;
                if left[other as usize] == 0 && !is_dead.get(other as usize).copied().unwrap_or(false) {
                    empty.push(other);
                }
            }
        }
    }
    let trap: Vec<PlaceId> = places.iter().copied().filter(|place| is_member[place.index()]).collect();
    trap.iter().any(|place| net.places[place.index()].initial > 0).then_some(trap)
}

/// A small trap that is marked initially, inside such a `trap`: fewer places say more. Places are
/// left out one by one while that leaves a marked trap, and while `steps` arcs, or a few more, have
/// been looked at.
pub(crate) fn shrunk(net: &Net, is_dead: &[bool], mut trap: Vec<PlaceId>, mut steps: usize) -> Vec<PlaceId> {
    let arcs = net.arc_count() + net.places.len();
    let mut position = 0;
    while position < trap.len() && steps > 0 {
        let mut rest = trap.clone();
        rest.remove(position);
        match largest_marked_trap(net, is_dead, &rest) {
            // Those before the position were needed in the larger trap, so they are in the smaller.
            Some(smaller) => trap = smaller,
            None => position += 1,
        }
        steps = steps.saturating_sub(arcs);
    }
    trap
}

/// The places that a firing takes tokens from.
fn taken_from(transition: &Transition) -> impl Iterator<Item = PlaceId> {
    let takes = |access: &Access| match access.change {
        TokenChange::Move { taken, put: _ } => taken > 0,
        TokenChange::Refill { put: _ } => true,
    };
    transition.accesses().filter(takes).map(|access| access.place)
}

/// The places that surely hold a token after each firing.
fn left_marked(transition: &Transition) -> impl Iterator<Item = PlaceId> {
    let leaves = |access: &Access| match access.change {
        TokenChange::Move { taken, put } => put > 0 || taken < access.at_least,
        TokenChange::Refill { put } => put > 0,
    };
    transition.accesses().filter(leaves).map(|access| access.place)
}
