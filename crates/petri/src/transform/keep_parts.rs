//! A net with some of its places and transitions, the others left out.

use crate::net::{Net, PlaceId, Transition, TransitionId};

/// The parts that are kept, with their new numbers, which ascend as the old ones do.
pub(super) struct Kept {
    places: Vec<Option<PlaceId>>,
    transitions: Vec<Option<TransitionId>>,
}

impl Kept {
    /// The parts of `net` that satisfy the conditions.
    pub(super) fn new(
        net: &Net,
        keeps_place: impl Fn(PlaceId) -> bool,
        keeps_transition: impl Fn(TransitionId) -> bool,
    ) -> Kept {
        let mut place_count = 0;
        let places = net.place_ids().map(|place| {
            keeps_place(place).then(|| {
                place_count += 1;
                PlaceId(place_count - 1)
            })
        });
        let places = places.collect();
        let mut transition_count = 0;
        let transitions = net.transition_ids().map(|transition| {
            keeps_transition(transition).then(|| {
                transition_count += 1;
                TransitionId(transition_count - 1)
            })
        });
        Kept { places, transitions: transitions.collect() }
    }

    /// The new number of a place that is kept.
    pub(super) fn place(&self, place: PlaceId) -> Option<PlaceId> {
        self.places[place.index()]
    }

    /// The new number of a transition that is kept.
    pub(super) fn transition(&self, transition: TransitionId) -> Option<TransitionId> {
        self.transitions[transition.index()]
    }

    /// `net` without the parts that are not kept, and without the arcs to them.
    pub(super) fn net(&self, net: &Net) -> Net {
        let is_kept = |transition: &TransitionId| self.transition(*transition).is_some();
        let transitions = net.transition_ids().filter(is_kept).map(|id| {
            let transition = &net.transitions[id.index()];
            Transition {
                id: transition.id.clone(),
                label: transition.label.clone(),
                arcs: transition
                    .arcs
                    .iter()
                    .filter_map(|arc| Some(arc.at(self.place(arc.place())?)))
                    .collect(),
            }
        });
        let mut units = net.units.clone();
        for unit in &mut units {
            unit.places = unit.places.iter().filter_map(|&place| self.place(place)).collect();
        }
        let places = net.place_ids().filter(|&place| self.place(place).is_some());
        Net {
            name: net.name.clone(),
            places: places.map(|place| net.places[place.index()].clone()).collect(),
            transitions: transitions.collect(),
            units,
            unit_claim: net.unit_claim,
        }
    }
}
