//! A net without the parts that were proved never to do anything.
//!
//! The reachable markings are the same, but for places that are always empty, and so are the edges:
//! everything is preserved. A transition that was left out reads as "never enabled", an empty place
//! as 0.

use super::keep_parts::Kept;
use crate::analysis::DeadParts;
use crate::ids::{event_of, variable_of};
use crate::net::Net;
use std::sync::Arc;
use symbolon_model::Linear;
use symbolon_reduction::{OneToOne, Preserves, Reduction};

/// `net` without its `dead` parts.
pub fn drop_dead_parts(net: &Net, dead: &DeadParts) -> Reduction<Net> {
    let mut is_unmarked = vec![false; net.places.len()];
    dead.places.iter().for_each(|place| is_unmarked[place.index()] = true);
    let is_dead = dead.transition_flags(net);
    let kept = Kept::new(
        net,
        |place| !is_unmarked[place.index()],
        // A transition that needs a token from a place that never has one is dead, even if `dead`
        // does not list it.
        |transition| {
            let mut arcs = net.transitions[transition.index()].arcs.iter();
            !is_dead[transition.index()]
                && arcs.all(|arc| arc.needed() == 0 || !is_unmarked[arc.place().index()])
        },
    );
    let values = net.place_ids().map(|place| match kept.place(place) {
        Some(place) => Linear::variable(variable_of(place)),
        None => Linear::constant(0),
    });
    let copies = net.transition_ids().map(|t| kept.transition(t).map(event_of).into_iter().collect());
    let smaller = kept.net(net);
    let table = Arc::new(OneToOne::new(values.collect(), copies.collect(), smaller.transitions.len()));
    Reduction { result: smaller, preserves: Preserves::everything(), lift: table.clone(), weigh: table }
}
