//! Parts of a net that only look at each other.
//!
//! Two places belong together if some transition changes both. What a transition only tests (reads,
//! or takes and puts back) may belong to another part: so the processes of a mutual exclusion
//! algorithm, which watch each other's flags, are one part each. A net in which everything is
//! connected by changes is one single part.

use symbolon_petri::{Net, PlaceId, Transition};
use symbolon_picture::Group;

/// The parts of a net, as boxes.
#[derive(Default)]
pub(super) struct Parts {
    /// One box per part; they are numbered.
    pub(super) groups: Vec<Group>,
    /// For each place, its box.
    pub(super) of_place: Vec<Option<usize>>,
    /// For each transition, its box.
    pub(super) of_transition: Vec<Option<usize>>,
}

impl Parts {
    /// The parts of a net; no boxes if there are less than two parts with several places.
    pub(super) fn new(net: &Net) -> Parts {
        let mut leaders: Vec<usize> = (0..net.places.len()).collect();
        let mut sizes = vec![1_usize; net.places.len()];
        let firsts: Vec<Option<usize>> = net
            .transitions
            .iter()
            .map(|transition| {
                let mut changed = changed_places(transition).map(|place| place.index());
                let first = changed.next()?;
                for place in changed {
                    let (a, b) = (leader(&mut leaders, first), leader(&mut leaders, place));
                    if a != b {
                        leaders[a.max(b)] = a.min(b);
                        sizes[a.min(b)] += sizes[a.max(b)];
                    }
                }
                Some(first)
            })
            .collect();
        // Boxes are numbered by their first place.
        let mut boxes = vec![None; net.places.len()];
        let mut count = 0;
        for place in 0..net.places.len() {
            if leader(&mut leaders, place) == place && sizes[place] > 1 {
                boxes[place] = Some(count);
                count += 1;
            }
        }
        if count < 2 {
            return Parts {
                groups: Vec::new(),
                of_place: vec![None; net.places.len()],
                of_transition: vec![None; net.transitions.len()],
            };
        }
        let of_place: Vec<Option<usize>> =
            (0..net.places.len()).map(|place| boxes[leader(&mut leaders, place)]).collect();
        let of_transition = firsts.iter().map(|first| first.and_then(|place| of_place[place])).collect();
        let groups = (1..=count).map(|number| Group { label: format!("part {number}"), parent: None });
        Parts { groups: groups.collect(), of_place, of_transition }
    }
}

/// The first place of a part, which all its places lead to.
fn leader(leaders: &mut [usize], mut place: usize) -> usize {
    while leaders[place] != place {
        leaders[place] = leaders[leaders[place]];
        place = leaders[place];
    }
    place
}

/// The places that a transition touches, each once for each of its arcs.
pub(super) fn places_of(transition: &Transition) -> impl Iterator<Item = PlaceId> + '_ {
    transition.arc_places()
}

/// The places whose tokens a transition changes, each once for each of its arcs.
pub(super) fn changed_places(transition: &Transition) -> impl Iterator<Item = PlaceId> + '_ {
    let changes = transition.accesses().filter(|access| access.may_change());
    let changed: Vec<PlaceId> = changes.map(|access| access.place).collect();
    places_of(transition).filter(move |place| changed.binary_search(place).is_ok())
}
