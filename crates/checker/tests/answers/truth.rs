//! The truth about a net: all its markings, found one by one with nothing but the rule of firing.

use std::collections::BTreeMap;
use symbolon_petri::{Arc, Net, Transition};

/// A marking: the tokens of each place.
pub(crate) type Marking = Vec<u64>;

/// What is true of a net.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    /// Markings with their distance from the initial one.
    pub(crate) distances: BTreeMap<Marking, u64>,
    /// Pairs (marking, enabled transition).
    pub(crate) edges: u64,
    /// The least distance of a dead marking, if there is one.
    pub(crate) nearest_dead: Option<u64>,
    /// The number of dead markings.
    pub(crate) dead: u64,
    /// Whether every transition is enabled somewhere.
    pub(crate) quasi_live: bool,
    /// Whether every transition can fire again from everywhere.
    pub(crate) live: bool,
    /// Whether some place keeps its tokens for ever.
    pub(crate) stable: bool,
    /// The most tokens in one place.
    pub(crate) most_in_place: u64,
    /// The most tokens in one marking.
    pub(crate) most_per_marking: u64,
}

/// The marking after `transition`, if it is enabled.
pub(crate) fn fire(transition: &Transition, marking: &Marking) -> Option<Marking> {
    let mut next = marking.clone();
    for arc in &transition.arcs {
        match *arc {
            Arc::Input { place, weight } => {
                next[place.index()] = marking[place.index()].checked_sub(weight)?;
            }
            Arc::Read { place, weight } if marking[place.index()] < weight => return None,
            Arc::Inhibitor { place, weight } if marking[place.index()] >= weight => return None,
            Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } | Arc::Output { .. } => {}
        }
    }
    for arc in &transition.arcs {
        if let Arc::Reset { place } = *arc {
            next[place.index()] = 0;
        }
    }
    for arc in &transition.arcs {
        if let Arc::Output { place, weight } = *arc {
            next[place.index()] += weight;
        }
    }
    Some(next)
}

/// The initial marking.
pub(crate) fn initial(net: &Net) -> Marking {
    net.places.iter().map(|place| place.initial).collect()
}

/// Explores a net, unless it has more than `limit` markings.
pub(crate) fn truth(net: &Net, limit: usize) -> Option<Truth> {
    let mut truth = Truth::default();
    let mut enabled = vec![false; net.transitions.len()];
    let mut layer = vec![initial(net)];
    truth.distances.insert(initial(net), 0);
    for distance in 1.. {
        let mut next_layer = Vec::new();
        for marking in &layer {
            let mut is_dead = true;
            for (number, transition) in net.transitions.iter().enumerate() {
                let Some(next) = fire(transition, marking) else { continue };
                truth.edges += 1;
                enabled[number] = true;
                is_dead = false;
                truth.distances.entry(next.clone()).or_insert_with(|| {
                    next_layer.push(next);
                    distance
                });
            }
            if is_dead {
                truth.dead += 1;
                truth.nearest_dead = truth.nearest_dead.or(Some(distance - 1));
            }
        }
        if truth.distances.len() > limit {
            return None;
        }
        if next_layer.is_empty() {
            break;
        }
        layer = next_layer;
    }
    let markings = || truth.distances.keys();
    truth.most_in_place = markings().flatten().copied().max().unwrap_or(0);
    truth.most_per_marking = markings().map(|marking| marking.iter().sum()).max().unwrap_or(0);
    truth.quasi_live = enabled.iter().all(|&enabled| enabled);
    let live = is_live(net, &truth.distances);
    truth.live = live;
    let markings = || truth.distances.keys();
    let keeps = |place: usize| markings().all(|marking| marking[place] == net.places[place].initial);
    truth.stable = (0..net.places.len()).any(keeps);
    Some(truth)
}

/// Whether every transition can fire again from every marking: from those that enable it,
/// backwards.
fn is_live(net: &Net, distances: &BTreeMap<Marking, u64>) -> bool {
    let number: BTreeMap<&Marking, usize> =
        distances.keys().enumerate().map(|(number, marking)| (marking, number)).collect();
    let mut before = vec![Vec::new(); number.len()];
    let mut enabling = vec![Vec::new(); net.transitions.len()];
    for (marking, &from) in &number {
        for (transition, enabling) in net.transitions.iter().zip(&mut enabling) {
            if let Some(next) = fire(transition, marking) {
                before[number[&next]].push(from);
                enabling.push(from);
            }
        }
    }
    enabling.into_iter().all(|mut open| {
        let mut can = vec![false; number.len()];
        open.iter().for_each(|&marking| can[marking] = true);
        while let Some(marking) = open.pop() {
            for &earlier in &before[marking] {
                if !std::mem::replace(&mut can[earlier], true) {
                    open.push(earlier);
                }
            }
        }
        can.iter().all(|&can| can)
    })
}
