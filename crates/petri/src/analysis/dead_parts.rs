//! Parts of a net that can never do anything: transitions that never fire, places that are never
//! marked.
//!
//! An over-approximation of what can happen is computed as a fixpoint: tokens are never consumed,
//! and a place that some possible transition increases may hold any number. A place that none
//! increases holds at most its initial marking. A transition that even then lacks a token can never
//! fire. Known upper bounds of places sharpen this: a transition that needs more than the bound can
//! never fire either.

use crate::access::{Access, TokenChange};
use crate::net::{Net, PlaceId, TransitionId};

/// What can never happen, proven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadParts {
    /// Transitions that never fire, ascending.
    pub transitions: Vec<TransitionId>,
    /// Places that never hold a token, ascending.
    pub places: Vec<PlaceId>,
}

impl DeadParts {
    /// For each transition of `net`, whether it is dead.
    pub fn transition_flags(&self, net: &Net) -> Vec<bool> {
        let mut is_dead = vec![false; net.transitions.len()];
        self.transitions.iter().for_each(|transition| is_dead[transition.index()] = true);
        is_dead
    }
}

/// The dead parts of `net`. `upper_bounds` are proven bounds of places, one entry each, or empty.
pub fn dead_parts(net: &Net, upper_bounds: &[Option<u64>]) -> DeadParts {
    dead_parts_given(net, upper_bounds, &vec![false; net.transitions.len()])
}

/// As [`dead_parts`], where some transitions are already known to be dead.
pub(crate) fn dead_parts_given(net: &Net, upper_bounds: &[Option<u64>], is_dead: &[bool]) -> DeadParts {
    let bound_of = |place: PlaceId| upper_bounds.get(place.index()).copied().flatten().unwrap_or(u64::MAX);

    // For each transition the number of needs that the initial marking does not meet; for each
    // place the transitions that wait for it, as lists chained through one array.
    const END: u32 = u32::MAX;
    let mut missing = vec![0_u32; net.transitions.len()];
    let mut waiting: Vec<u32> = vec![END; net.places.len()];
    let mut links: Vec<(u32, u32)> = Vec::new();
    let mut ready = Vec::new();
    for (index, transition) in net.transitions.iter().enumerate() {
        let mut is_hopeless = is_dead[index];
        // An upper limit (`at_most`) may be met again later: it says nothing here.
        for Access { place, at_least, at_most: _, change: _ } in transition.accesses() {
            is_hopeless |= at_least > bound_of(place);
            if at_least > net.places[place.index()].initial {
                missing[index] += 1;
                links.push((index as u32, waiting[place.index()]));
                waiting[place.index()] = links.len() as u32 - 1;
            }
        }
        if is_hopeless {
            missing[index] = u32::MAX;
        } else if missing[index] == 0 {
            ready.push(index as u32);
        }
    }

    let mut can_fire = vec![false; net.transitions.len()];
    let mut can_grow = vec![false; net.places.len()];
    while let Some(index) = ready.pop() {
        can_fire[index as usize] = true;
        for Access { place, at_least: _, at_most: _, change } in net.transitions[index as usize].accesses() {
            let grows = match change {
                TokenChange::Move { taken, put } => put > taken,
                // The place may have held fewer tokens than are put.
                TokenChange::Refill { put } => put > 0,
            };
            if !grows || std::mem::replace(&mut can_grow[place.index()], true) {
                continue;
            }
            let mut link = waiting[place.index()];
            while link != END {
                let (waiter, next) = links[link as usize];
                link = next;
                let missing = &mut missing[waiter as usize];
                if *missing != u32::MAX {
                    *missing -= 1;
                    if *missing == 0 {
                        ready.push(waiter);
                    }
                }
            }
        }
    }
    let is_unmarked = |place: &PlaceId| {
        bound_of(*place) == 0 || (net.places[place.index()].initial == 0 && !can_grow[place.index()])
    };
    DeadParts {
        transitions: net.transition_ids().filter(|transition| !can_fire[transition.index()]).collect(),
        places: net.place_ids().filter(is_unmarked).collect(),
    }
}
