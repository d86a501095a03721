//! The invariants PETRI-P1 to PETRI-P3 of a net, checked in one pass.

use crate::net::{LARGEST_COUNT, Net};
use rustc_hash::FxHashSet;

/// Which invariant of [`Net`] is broken, and by what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenNet {
    /// PETRI-P1: two places, or two transitions, have the same id.
    #[error("PETRI-P1: the id \"{0}\" occurs twice")]
    DuplicateId(String),
    /// PETRI-P2: the arcs of the transition are not in order, or one leads to no place of the net.
    #[error("PETRI-P2: the arcs of transition \"{0}\" do not ascend over the places of the net")]
    ArcOrder(String),
    /// PETRI-P3: an arc of the transition has weight 0 or one that is too large.
    #[error("PETRI-P3: an arc of transition \"{0}\" has a weight outside 1 to {LARGEST_COUNT}")]
    Weight(String),
    /// PETRI-P3: the place holds too many tokens.
    #[error("PETRI-P3: the initial marking of place \"{0}\" is larger than {LARGEST_COUNT}")]
    Marking(String),
    /// Units: the unit comes before its parent, or holds a place of another unit or of none.
    #[error("unit \"{0}\" does not follow its parent, or shares a place")]
    Unit(String),
}

impl Net {
    /// Checks PETRI-P1 to PETRI-P3, that units follow their parents, and that no place lies in two
    /// of them.
    pub fn check(&self) -> Result<(), BrokenNet> {
        distinct(self.places.iter().map(|place| place.id.as_str()))?;
        distinct(self.transitions.iter().map(|transition| transition.id.as_str()))?;
        for place in &self.places {
            if place.initial > LARGEST_COUNT {
                return Err(BrokenNet::Marking(place.id.clone()));
            }
        }
        for transition in &self.transitions {
            let is_ascending = transition.arcs.is_sorted_by(|a, b| a.position() < b.position());
            let last = transition.arcs.last();
            if !is_ascending || last.is_some_and(|arc| arc.place().index() >= self.places.len()) {
                return Err(BrokenNet::ArcOrder(transition.id.clone()));
            }
            let mut weights = transition.arcs.iter().filter_map(|arc| arc.weight());
            if weights.any(|weight| !(1..=LARGEST_COUNT).contains(&weight)) {
                return Err(BrokenNet::Weight(transition.id.clone()));
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
    use crate::arc::Arc;
    use crate::net::{Place, PlaceId, Transition, Unit};

    /// Two places and a transition that breaks nothing, after `change`.
    fn check(change: impl FnOnce(&mut Net)) -> Result<(), BrokenNet> {
        let place = |id: &str| Place { id: id.into(), label: None, initial: 1 };
        let mut transition = Transition::moving("t", [(PlaceId(0), 1), (PlaceId(1), 2)], []);
        transition.add(Arc::Reset { place: PlaceId(1) });
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
        let first = |arc| move |net: &mut Net| net.transitions[0].arcs[0] = arc;
        let input = |place, weight| Arc::Input { place: PlaceId(place), weight };
        assert_eq!(check(|net| net.transitions[0].arcs.reverse()), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(|net| net.transitions[0].arcs.swap(1, 2)), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(first(input(1, 1))), Err(BrokenNet::ArcOrder(t())));
        let outside = Arc::Reset { place: PlaceId(2) };
        assert_eq!(check(|net| net.transitions[0].add(outside)), Err(BrokenNet::ArcOrder(t())));
        assert_eq!(check(first(input(0, 0))), Err(BrokenNet::Weight(t())));
        assert_eq!(check(first(input(0, 1 << 63))), Err(BrokenNet::Weight(t())));
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
