//! The proof that a set of places is exclusive: at most one of them is marked, and with one token.
//!
//! Everything that proposes a set (semiflows, the search for state machines, units of the source)
//! is proved here, by code that knows nothing of where the set came from. The proof is an
//! induction over firings of "the set holds at most one token":
//!
//! - initially the set holds at most one token;
//! - a transition that needs two tokens of the set cannot fire, by the hypothesis;
//! - every other transition that touches the set and is not known to be dead puts no more into it
//!   than it takes. A reset place loses at least what the transition needs of it.
//!
//! If the sum is 1 at first and all these transitions keep it exactly, the set always holds one
//! token.

use super::lists::Lists;
use crate::access::{Access, TokenChange};
use crate::arc::Arc;
use crate::ids::variable_of;
use crate::net::{Net, PlaceId, TransitionId};
use symbolon_budget::{Interrupted, Meter};
use symbolon_model::ExclusiveSet;

/// Proves sets of places of one net exclusive.
pub(crate) struct ExclusiveProver<'a> {
    net: &'a Net,
    /// For each place the transitions with an input, output, read or reset arc to it.
    touching: Lists,
    is_dead: Vec<bool>,
    in_set: Vec<bool>,
    seen: Vec<u32>,
    round: u32,
}

impl<'a> ExclusiveProver<'a> {
    /// A prover that relies on the transitions in `is_dead` (one entry each, or empty) never
    /// firing.
    pub(crate) fn new(net: &'a Net, is_dead: &[bool]) -> Self {
        let mut is_dead = is_dead.to_vec();
        is_dead.resize(net.transitions.len(), false);
        let touching = Lists::new(net.places.len(), |visit| {
            for_each_touch(net, |place, transition| visit(place.index(), transition.0));
        });
        ExclusiveProver {
            net,
            touching,
            is_dead,
            in_set: vec![false; net.places.len()],
            seen: vec![0; net.transitions.len()],
            round: 0,
        }
    }

    /// The fact that `places`, which ascend, are exclusive, if the induction of the module comment
    /// proves it. A step is a transition looked at.
    pub(crate) fn prove(
        &mut self,
        places: &[PlaceId],
        meter: &mut Meter,
    ) -> Result<Option<ExclusiveSet>, Interrupted> {
        debug_assert!(places.is_sorted_by(|a, b| a < b), "places ascend");
        places.iter().for_each(|place| self.in_set[place.index()] = true);
        let exactly_one = self.prove_marked(places, meter);
        places.iter().for_each(|place| self.in_set[place.index()] = false);
        let variables = places.iter().copied().map(variable_of).collect();
        Ok(exactly_one?.map(|exactly_one| ExclusiveSet { variables, exactly_one }))
    }

    /// With `in_set` marking `places`: `None` without proof, else whether the sum is always 1.
    fn prove_marked(&mut self, places: &[PlaceId], meter: &mut Meter) -> Result<Option<bool>, Interrupted> {
        let sum: u128 = places.iter().map(|place| u128::from(self.net.places[place.index()].initial)).sum();
        if sum > 1 {
            return Ok(None);
        }
        let mut is_conserved = true;
        self.round += 1;
        for place in places {
            for &transition in self.touching.of(place.index()) {
                meter.step()?;
                let transition = transition as usize;
                if std::mem::replace(&mut self.seen[transition], self.round) == self.round
                    || self.is_dead[transition]
                {
                    continue;
                }
                match self.effect(transition) {
                    Effect::CannotFire | Effect::Keeps => {}
                    Effect::MayLose => is_conserved = false,
                    Effect::MayGain => return Ok(None),
                }
            }
        }
        Ok(Some(sum == 1 && is_conserved))
    }

    /// What one firing does to the number of tokens in the set, if that number is at most 1 before.
    fn effect(&self, transition: usize) -> Effect {
        let transition = &self.net.transitions[transition];
        // If sums do not fit, `needed` is more than 1 or `put` more than `taken`, as it should be.
        let (mut needed, mut taken, mut put, mut resets) = (0_u64, 0_u64, 0_u64, false);
        for access in transition.accesses().filter(|access| self.in_set[access.place.index()]) {
            // An upper limit (`at_most`) only forbids firings.
            let Access { place: _, at_least, at_most: _, change } = access;
            needed = needed.saturating_add(at_least);
            let (takes, puts) = match change {
                TokenChange::Move { taken, put } => (taken, put),
                // All tokens are taken: at least those that are needed.
                TokenChange::Refill { put } => {
                    resets = true;
                    (at_least, put)
                }
            };
            taken = taken.saturating_add(takes);
            put = put.saturating_add(puts);
        }
        if needed > 1 {
            return Effect::CannotFire;
        }
        match put.cmp(&taken) {
            std::cmp::Ordering::Greater => Effect::MayGain,
            std::cmp::Ordering::Equal if !resets => Effect::Keeps,
            _ => Effect::MayLose,
        }
    }
}

enum Effect {
    CannotFire,
    Keeps,
    MayLose,
    MayGain,
}

fn for_each_touch(net: &Net, mut visit: impl FnMut(PlaceId, TransitionId)) {
    for (index, transition) in net.transitions.iter().enumerate() {
        let id = TransitionId(index as u32);
        for arc in &transition.arcs {
            match *arc {
                Arc::Input { place, .. }
                | Arc::Read { place, .. }
                | Arc::Reset { place }
                | Arc::Output { place, .. } => visit(place, id),
                // It only forbids firings.
                Arc::Inhibitor { .. } => {}
            }
        }
    }
}
