//! A net without the parts that were proved never to do anything.
//!
//! The reachable markings are the same, but for places that are always empty; so are the edges. What is
//! lost is the answer to "can this transition fire": it could not, and is gone.

use crate::analysis::DeadParts;
use crate::net::{Net, PlaceId, Transition};

/// `net` without its `dead` parts.
pub fn drop_dead(net: &Net, dead: &DeadParts) -> Net {
    let mut is_dropped = vec![false; net.places.len()];
    dead.places.iter().for_each(|place| is_dropped[place.index()] = true);
    let mut count = 0;
    let new_id: Vec<Option<PlaceId>> = is_dropped
        .iter()
        .map(|dropped| {
            let id = (!dropped).then_some(PlaceId(count));
            count += u32::from(!dropped);
            id
        })
        .collect();
    let kept = |place: PlaceId| new_id[place.index()];
    let is_dead = dead.transition_flags(net);
    let live = net.transitions.iter().zip(is_dead).filter(|(transition, is_dead)| {
        // A transition that needs a token from a place that never has one is dead, even if `dead` does not say so.
        !is_dead && transition.arcs.iter().all(|arc| arc.needed() == 0 || kept(arc.place()).is_some())
    });
    let transitions = live.map(|(transition, _)| Transition {
        id: transition.id.clone(),
        label: transition.label.clone(),
        // New numbers ascend as the old ones do (PETRI-P2).
        arcs: transition.arcs.iter().filter_map(|arc| Some(arc.at(kept(arc.place())?))).collect(),
    });
    let mut units = net.units.clone();
    for unit in &mut units {
        unit.places = unit.places.iter().copied().filter_map(kept).collect();
    }
    Net {
        name: net.name.clone(),
        places: net.places.iter().zip(&is_dropped).filter(|(_, d)| !**d).map(|(p, _)| p.clone()).collect(),
        transitions: transitions.collect(),
        units,
        unit_claim: net.unit_claim,
    }
}
