//! The invariants P1–P3 of a net, checked in one pass.

use crate::net::{LARGEST_COUNT, Net, PlaceId};
use rustc_hash::FxHashSet;

/// Which invariant of [`Net`] is broken, and by what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenNet {
    /// P1: two places, or two transitions, have the same id.
    #[error("P1: the id \"{0}\" occurs twice")]
    DuplicateId(String),
    /// P2: a list of arcs names a place twice, or is not sorted, or names no place of the net.
    #[error("P2: an arc list of transition \"{0}\" is not ascending over the places of the net")]
    ArcOrder(String),
    /// P3: an arc of the transition has weight 0 or one that is too large.
    #[error("P3: an arc of transition \"{0}\" has a weight outside 1 to {LARGEST_COUNT}")]
    Weight(String),
    /// P3: the place holds too many tokens.
    #[error("P3: the initial marking of place \"{0}\" is larger than {LARGEST_COUNT}")]
    Marking(String),
    /// Units: the unit comes before its parent, or holds a place of another unit or of none.
    #[error("unit \"{0}\" does not follow its parent, or shares a place")]
    Unit(String),
}

impl Net {
    /// Checks P1–P3, that units follow their parents, and that no place lies in two of them.
    pub fn check(&self) -> Result<(), BrokenNet> {
        distinct(self.places.iter().map(|place| place.id.as_str()))?;
        distinct(self.transitions.iter().map(|transition| transition.id.as_str()))?;
        for place in &self.places {
            if place.initial > LARGEST_COUNT {
                return Err(BrokenNet::Marking(place.id.clone()));
            }
        }
        for transition in &self.transitions {
            let weighted =
                [&*transition.inputs, &*transition.outputs, &*transition.inhibitors, &*transition.reads];
            for arcs in weighted {
                if !self.is_ascending(arcs.iter().map(|(place, _)| *place)) {
                    return Err(BrokenNet::ArcOrder(transition.id.clone()));
                }
                if arcs.iter().any(|(_, weight)| !(1..=LARGEST_COUNT).contains(weight)) {
                    return Err(BrokenNet::Weight(transition.id.clone()));
                }
            }
            if !self.is_ascending(transition.resets.iter().copied()) {
                return Err(BrokenNet::ArcOrder(transition.id.clone()));
            }
        }
        let mut taken = vec![false; self.places.len()];
        for (number, unit) in self.units.iter().enumerate() {
            let parent_first = unit.parent.is_none_or(|parent| (parent as usize) < number);
            let alone = unit
                .places
                .iter()
                .all(|place| taken.get_mut(place.index()).is_some_and(|slot| !std::mem::replace(slot, true)));
            if !parent_first || !alone {
                return Err(BrokenNet::Unit(unit.id.clone()));
            }
        }
        Ok(())
    }

    fn is_ascending(&self, places: impl Iterator<Item = PlaceId> + Clone) -> bool {
        let shifted = places.clone().skip(1);
        places.clone().zip(shifted).all(|(a, b)| a < b)
            && places.last().is_none_or(|p| p.index() < self.places.len())
    }
}

fn distinct<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), BrokenNet> {
    let mut seen = FxHashSet::default();
    for id in ids {
        if !seen.insert(id) {
            return Err(BrokenNet::DuplicateId(id.to_string()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Place, Transition, Unit};

    /// Two places and a transition that breaks nothing, after `change`.
    fn check(change: impl FnOnce(&mut Net)) -> Result<(), BrokenNet> {
        let place = |id: &str| Place { id: id.into(), label: None, initial: 1 };
        let transition = Transition {
            id: "t".into(),
            inputs: vec![(PlaceId(0), 1), (PlaceId(1), 2)],
            resets: vec![PlaceId(1)].into(),
            ..Transition::default()
        };
        let mut net =
            Net { places: vec![place("p"), place("q")], transitions: vec![transition], ..Net::default() };
        change(&mut net);
        net.check()
    }

    #[test]
    fn each_invariant_is_checked() {
        assert_eq!(check(|_| {}), Ok(()));
        assert_eq!(check(|net| net.places[1].id = "p".into()), Err(BrokenNet::DuplicateId("p".into())));
        let t = || "t".to_string();
        assert_eq!(check(|net| net.transitions[0].inputs.reverse()), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(|net| net.transitions[0].inputs[0].0 = PlaceId(1)), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(|net| net.transitions[0].resets[0] = PlaceId(2)), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(|net| net.transitions[0].inputs[0].1 = 0), Err(BrokenNet::Weight(t())));
        assert_eq!(check(|net| net.transitions[0].inputs[0].1 = 1 << 63), Err(BrokenNet::Weight(t())));
        assert_eq!(check(|net| net.places[0].initial = 1 << 63), Err(BrokenNet::Marking("p".into())));
        let unit = |parent, places: &[u32]| Unit {
            id: "u".into(),
            parent,
            places: places.iter().copied().map(PlaceId).collect(),
        };
        assert_eq!(check(|net| net.units = vec![unit(None, &[0]), unit(Some(0), &[1])]), Ok(()));
        let broken = Err(BrokenNet::Unit("u".into()));
        assert_eq!(check(|net| net.units = vec![unit(Some(0), &[])]), broken);
        assert_eq!(check(|net| net.units = vec![unit(None, &[0, 1]), unit(Some(0), &[1])]), broken);
        assert_eq!(check(|net| net.units = vec![unit(None, &[2])]), broken);
    }
}
