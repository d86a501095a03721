//! Markings of a coloured net, and firing in them, by the definition: terms are evaluated under a
//! binding, nothing is unfolded. Runs that were found elsewhere are replayed here.

use crate::arc::Arc;
use crate::ids::{PlaceId, TransitionId, VariableId};
use crate::net::Net;
use crate::term::MultisetTerm;
use crate::unfold::slot_term::SlotTerm;
use std::collections::BTreeMap;
use std::ops::Bound::Included;
use symbolon_petri::net::LARGEST_COUNT;

/// How many tokens of each colour a place holds, for all places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marking {
    /// Places with codes of colours ([`Domain::code`](crate::Domain::code)); no count is 0.
    tokens: BTreeMap<(PlaceId, u64), u64>,
}

/// The most colours that a term may have.
const MOST_COLOURS: u64 = 50_000_000;

/// Why a transition was not fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFired {
    /// It is not enabled under the binding.
    #[error("the transition is not enabled under this binding")]
    NotEnabled,
    /// An arc has more colours than can be listed, or the marking after it would hold more tokens of a
    /// colour than can be counted.
    #[error("the transition has too many colours or tokens")]
    TooLarge,
}

impl Marking {
    /// The initial marking of a net; `None` if it holds too many tokens to be stored.
    pub fn initial(net: &Net) -> Option<Marking> {
        let mut marking = Marking::default();
        for place in net.place_ids() {
            for (code, count) in codes_of(net, &net.places[place.index()].initial)? {
                marking.set(place, code, count);
            }
        }
        Some(marking)
    }

    /// The number of tokens of a colour.
    pub fn tokens(&self, place: PlaceId, code: u64) -> u64 {
        self.tokens.get(&(place, code)).copied().unwrap_or(0)
    }

    /// The number of tokens of each colour in a place, ascending by code; colours without tokens are
    /// left out.
    pub fn tokens_in(&self, place: PlaceId) -> impl Iterator<Item = (u64, u64)> + '_ {
        let range = self.tokens.range((Included((place, 0)), Included((place, u64::MAX))));
        range.map(|(&(_, code), &count)| (code, count))
    }

    /// All tokens, ascending by place and code.
    pub fn all_tokens(&self) -> impl Iterator<Item = (PlaceId, u64, u64)> + '_ {
        self.tokens.iter().map(|(&(place, code), &count)| (place, code, count))
    }

    fn set(&mut self, place: PlaceId, code: u64, count: u64) {
        match count {
            0 => self.tokens.remove(&(place, code)),
            _ => self.tokens.insert((place, code), count),
        };
    }

    /// The marking after a transition fires under a binding, which has a member for each of
    /// [`Transition::variables`](crate::Transition::variables).
    pub fn fire(&self, net: &Net, transition: TransitionId, binding: &[u32]) -> Result<Marking, NotFired> {
        let definition = &net.transitions[transition.index()];
        let variables = definition.variables();
        let member = |variable: VariableId| match variables.binary_search(&variable) {
            Ok(position) => binding[position],
            Err(_) => 0,
        };
        if !definition.guard.holds(net, &member) {
            return Err(NotFired::NotEnabled);
        }
        let mut taken: BTreeMap<(PlaceId, u64), u64> = BTreeMap::new();
        for arc in &definition.arcs {
            let place = arc.place();
            let term = SlotTerm::new(net, arc.tokens(), &variables);
            match arc {
                Arc::Input { .. } | Arc::Read { .. } => {
                    for (code, count) in term.codes(binding, MOST_COLOURS).map_err(|_| NotFired::TooLarge)? {
                        if matches!(arc, Arc::Input { .. }) {
                            let sum = taken.entry((place, code)).or_default();
                            *sum = sum.saturating_add(count);
                        } else if self.tokens(place, code) < count {
                            return Err(NotFired::NotEnabled);
                        }
                    }
                }
                Arc::Inhibitor { .. } => {
                    for (code, count) in self.tokens_in(place) {
                        let limit = term.multiplicity(code, binding);
                        if limit > 0 && count >= limit {
                            return Err(NotFired::NotEnabled);
                        }
                    }
                }
                Arc::Reset { .. } | Arc::Output { .. } => {}
            }
        }
        if taken.iter().any(|(&(place, code), &count)| self.tokens(place, code) < count) {
            return Err(NotFired::NotEnabled);
        }
        let mut next = self.clone();
        for ((place, code), count) in taken {
            next.set(place, code, self.tokens(place, code) - count);
        }
        // Arcs at one place stand in the order of a firing: resets before outputs (COL-6).
        for arc in &definition.arcs {
            let place = arc.place();
            let term = SlotTerm::new(net, arc.tokens(), &variables);
            match arc {
                Arc::Input { .. } | Arc::Read { .. } | Arc::Inhibitor { .. } => {}
                Arc::Reset { .. } => {
                    let marked: Vec<u64> = next.tokens_in(place).map(|(code, _)| code).collect();
                    for code in marked.into_iter().filter(|&code| term.multiplicity(code, binding) > 0) {
                        next.set(place, code, 0);
                    }
                }
                Arc::Output { .. } => {
                    let codes = term.codes(binding, MOST_COLOURS).map_err(|_| NotFired::TooLarge)?;
                    for (code, count) in codes {
                        let sum = next.tokens(place, code).checked_add(count);
                        let sum = sum.filter(|&sum| sum <= LARGEST_COUNT).ok_or(NotFired::TooLarge)?;
                        next.set(place, code, sum);
                    }
                }
            }
        }
        Ok(next)
    }
}

/// The codes of the colours of a term without variables, each with its multiplicity, which is not 0;
/// `None` if there are too many to list.
pub fn codes_of(net: &Net, term: &MultisetTerm) -> Option<Vec<(u64, u64)>> {
    let mut codes = SlotTerm::new(net, term, &[]).codes(&[], MOST_COLOURS).ok()?;
    codes.retain(|&(_, count)| count > 0);
    codes.iter().all(|&(_, count)| count <= LARGEST_COUNT).then_some(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UnfoldLimits, unfold};
    use symbolon_budget::Budget;

    /// The marking of the unfolded net that means the same.
    fn unfolded_marking(unfolded: &crate::Unfolded, marking: &Marking) -> Vec<u64> {
        let instances = unfolded.net.place_ids().map(|instance| {
            let (place, code) = unfolded.place_and_code(instance);
            marking.tokens(place, code)
        });
        instances.collect()
    }

    /// Fires every instance in the markings that are met first, in the net and in its unfolding.
    fn check(net: &Net) {
        let unfolded = unfold(net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let mut markings = vec![Marking::initial(net).expect("it is small")];
        let mut next = 0;
        while next < markings.len() && markings.len() < 200 {
            let marking = markings[next].clone();
            next += 1;
            let plain = unfolded_marking(&unfolded, &marking);
            for instance in unfolded.net.transition_ids() {
                let (transition, binding) = unfolded.transition_and_binding(instance);
                let fired = marking.fire(net, transition, binding);
                let mut expected = plain.clone();
                let is_constant_aware = unfolded.net.transitions[instance.index()].fire(&mut expected);
                assert_eq!(
                    fired.is_ok(),
                    is_constant_aware,
                    "{}",
                    unfolded.net.transitions[instance.index()].id
                );
                if let Ok(fired) = fired {
                    assert_eq!(unfolded_marking(&unfolded, &fired), expected);
                    if !markings.contains(&fired) {
                        markings.push(fired);
                    }
                }
            }
        }
        assert!(markings.len() > 1);
    }

    #[test]
    fn firing_agrees_with_the_unfolded_net() {
        for family in [
            "client-server:2,2",
            "distributed-db:3",
            "distributed-db:3,pairs",
            "cs-wave:3",
            "peterson-coloured:2",
        ] {
            check(&crate::families::generate(family, &Budget::unlimited()).expect("a family"));
        }
    }
}
