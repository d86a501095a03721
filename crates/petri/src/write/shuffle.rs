//! The same net with its places and transitions in another order: what an author happened to write
//! first must not decide how fast a net is explored.

use symbolon_random::Random;

use crate::arc::tidy_arcs;
use crate::net::{Net, PlaceId};

impl Net {
    /// This net with places and transitions permuted; equal seeds give equal orders.
    pub fn shuffled(&self, seed: u64) -> Net {
        let mut random = Random::new(seed);
        let place_order = permutation(self.places.len(), &mut random);
        let transition_order = permutation(self.transitions.len(), &mut random);
        let mut new_place = vec![PlaceId(0); self.places.len()];
        for (new, old) in place_order.iter().enumerate() {
            new_place[*old] = PlaceId(new as u32);
        }
        let mut net = Net {
            name: self.name.clone(),
            places: place_order.iter().map(|old| self.places[*old].clone()).collect(),
            transitions: transition_order.iter().map(|old| self.transitions[*old].clone()).collect(),
            units: self.units.clone(),
            unit_claim: self.unit_claim,
        };
        for transition in &mut net.transitions {
            transition.arcs.iter_mut().for_each(|arc| *arc = arc.at(new_place[arc.place().index()]));
            tidy_arcs(&mut transition.arcs);
        }
        for unit in &mut net.units {
            rename(&mut unit.places, &new_place);
        }
        net
    }
}

fn permutation(length: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    random.shuffle(&mut order);
    order
}

fn rename(places: &mut [PlaceId], new_place: &[PlaceId]) {
    for place in places.iter_mut() {
        *place = new_place[place.index()];
    }
    places.sort_unstable();
}
