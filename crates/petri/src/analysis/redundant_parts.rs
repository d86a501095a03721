//! Parts of a net that add nothing: equal transitions, places that never change, places that
//! another place makes superfluous. They are reported, not removed.

use crate::access::Access;
use crate::incidence::Incidence;
use crate::net::{Net, PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// What could be left out of a net without changing which transitions can fire when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedundantParts {
    /// Groups of at least two transitions with the same arcs.
    pub parallel_transitions: Vec<Vec<TransitionId>>,
    /// Places that no transition changes, ascending.
    pub constant_places: Vec<PlaceId>,
    /// Places that change, but never alone decide whether a transition is enabled.
    pub implied_places: Vec<ImpliedPlace>,
}

/// `place` always holds `surplus` tokens more than `by`, and wherever a transition needs tokens of
/// `place` it needs as many of `by` (up to the surplus): it is enabled as if `place` were not
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImpliedPlace {
    /// The place that could be left out.
    pub place: PlaceId,
    /// The place that makes it superfluous.
    pub by: PlaceId,
    /// The constant difference of their markings.
    pub surplus: u64,
}

/// The redundant parts of `net`, by structure alone.
pub fn redundant_parts(net: &Net, incidence: &Incidence) -> RedundantParts {
    RedundantParts {
        parallel_transitions: parallel_transitions(net),
        constant_places: net.place_ids().filter(|&place| is_constant(incidence, place)).collect(),
        implied_places: implied_places(net, incidence),
    }
}

fn is_constant(incidence: &Incidence, place: PlaceId) -> bool {
    incidence.row(place).is_empty() && !incidence.is_reset(place)
}

fn parallel_transitions(net: &Net) -> Vec<Vec<TransitionId>> {
    let mut groups: FxHashMap<_, Vec<TransitionId>> = FxHashMap::default();
    for id in net.transition_ids() {
        groups.entry(&net.transitions[id.index()].arcs).or_default().push(id);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}

/// Among places with the same row, which keep their differences forever, finds those that a place
/// with a smaller or equal marking implies.
fn implied_places(net: &Net, incidence: &Incidence) -> Vec<ImpliedPlace> {
    let mut groups: FxHashMap<&[(u32, i64)], Vec<PlaceId>> = FxHashMap::default();
    for place in net.place_ids().filter(|&place| !incidence.is_reset(place)) {
        if !incidence.row(place).is_empty() {
            groups.entry(incidence.row(place)).or_default().push(place);
        }
    }
    let mut groups: Vec<Vec<PlaceId>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    if groups.is_empty() {
        return Vec::new();
    }
    let needs = Needs::new(net);
    let initial = |place: PlaceId| net.places[place.index()].initial;
    let mut implied = Vec::new();
    for mut group in groups {
        // The least marked place of the group is kept; of equals, the first.
        group.sort_by_key(|&place| (initial(place), place));
        let by = group[0];
        for &place in &group[1..] {
            let surplus = initial(place) - initial(by);
            let is_implied = !needs.inhibits[place.index()]
                && needs
                    .of(place)
                    .iter()
                    .all(|&(transition, need)| need <= needs.weight(by, transition).saturating_add(surplus));
            if is_implied {
                implied.push(ImpliedPlace { place, by, surplus });
            }
        }
    }
    implied.sort_unstable_by_key(|implied| implied.place);
    implied
}

/// For each place, the transitions that need tokens there and how many, ascending.
struct Needs {
    needs: Vec<Vec<(TransitionId, u64)>>,
    inhibits: Vec<bool>,
}

impl Needs {
    fn new(net: &Net) -> Self {
        let mut needs: Vec<Vec<(TransitionId, u64)>> = vec![Vec::new(); net.places.len()];
        let mut inhibits = vec![false; net.places.len()];
        for id in net.transition_ids() {
            let transition = &net.transitions[id.index()];
            for Access { place, at_least, at_most, change: _ } in transition.accesses() {
                if at_least > 0 {
                    needs[place.index()].push((id, at_least));
                }
                inhibits[place.index()] |= at_most != u64::MAX;
            }
        }
        Needs { needs, inhibits }
    }

    fn of(&self, place: PlaceId) -> &[(TransitionId, u64)] {
        &self.needs[place.index()]
    }

    fn weight(&self, place: PlaceId, transition: TransitionId) -> u64 {
        let list = self.of(place);
        list.binary_search_by_key(&transition, |&(other, _)| other).map_or(0, |index| list[index].1)
    }
}
