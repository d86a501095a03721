//! Karp and Miller's tree: what can be covered, for nets that may be unbounded.
//!
//! From the initial marking every transition is fired. Where a marking is reached that is at least as large as
//! one of its ancestors everywhere, and larger somewhere, the way between them can be repeated for ever,
//! and the places where it is larger get [`OMEGA`], "as many as you like" (Karp and Miller, *Parallel
//! program schemata*, 1969). Each marking `M` of the tree stands for reachable markings: for every
//! `n` there is one that equals `M` where `M` is finite and has at least `n` tokens elsewhere. When the tree is
//! complete, every reachable marking is below one of its markings; so the largest value of a sum of
//! places over the tree is its least upper bound.
//!
//! This needs that more tokens never disable anything: nets with inhibitor or reset arcs are declined
//! ([`is_monotone`]). A marking that was met before, anywhere in the tree, is not followed again: what
//! can be covered from equal markings is equal. (Leaving out *smaller* markings as well is the well-known
//! trap: it loses markings.)

use crate::net::{Net, PlaceId, Transition};
use rustc_hash::FxHashSet;
use symbolon_budget::{Budget, Interrupted, Meter};

/// "As many tokens as you like".
pub const OMEGA: u64 = u64::MAX;

/// How large a tree may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverLimits {
    /// Markings in all.
    pub markings: usize,
    /// Steps (a transition tried, 16 places compared).
    pub steps: u64,
}

/// Whether the tree is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Every reachable marking is below one that was visited.
    All,
    /// Limits were reached: what was visited can be covered, but there may be more.
    Some,
}

/// Whether more tokens never disable a transition and every firing adds the same to every place.
pub fn is_monotone(net: &Net) -> bool {
    net.transitions.iter().all(|transition| transition.inhibitors.is_empty() && transition.resets.is_empty())
}

/// Visits the markings of the tree, depth first. Nets that are not monotone are declined: nothing is visited.
pub fn cover(
    net: &Net,
    limits: CoverLimits,
    budget: &Budget,
    mut visit: impl FnMut(&[u64]),
) -> Result<Covered, Interrupted> {
    /// Numbers of tokens that may be kept.
    const LARGEST_TREE: usize = 1 << 24;
    if !is_monotone(net) {
        return Ok(Covered::Some);
    }
    let most = limits.markings.min(LARGEST_TREE / net.places.len().max(1)).max(1);
    let mut tree =
        Tree { net, meter: Meter::with_step_limit(budget.clone(), limits.steps), path: Vec::new() };
    let initial: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    visit(&initial);
    seen.insert(initial.clone());
    tree.path.push(Stop { marking: initial, next: 0 });
    while let Some(stop) = tree.path.last_mut() {
        let Some(transition) = net.transitions.get(stop.next) else {
            tree.path.pop();
            continue;
        };
        stop.next += 1;
        let successor = match tree.successor(transition) {
            Ok(successor) => successor,
            Err(Interrupted::Steps) => return Ok(Covered::Some),
            Err(why) => return Err(why),
        };
        let Some(marking) = successor else { continue };
        if seen.contains(&marking) {
            continue;
        }
        if seen.len() == most {
            return Ok(Covered::Some);
        }
        visit(&marking);
        seen.insert(marking.clone());
        tree.path.push(Stop { marking, next: 0 });
    }
    Ok(Covered::All)
}

struct Tree<'a> {
    net: &'a Net,
    meter: Meter,
    /// From the root to the marking at hand.
    path: Vec<Stop>,
}

struct Stop {
    marking: Vec<u64>,
    /// The transition to try next.
    next: usize,
}

impl Tree<'_> {
    /// The marking after `transition` from the end of the path, with what can be pumped; `None` if it is
    /// not enabled (or a number of tokens leaves the range, which only a limit could lead to).
    fn successor(&mut self, transition: &Transition) -> Result<Option<Vec<u64>>, Interrupted> {
        self.meter.step()?;
        let Some(last) = self.path.last() else { return Ok(None) };
        let meets = |&(place, weight): &(PlaceId, u64)| last.marking[place.index()] >= weight;
        if !transition.inputs.iter().all(meets) || !transition.reads.iter().all(meets) {
            return Ok(None);
        }
        let mut marking = last.marking.clone();
        for &(place, weight) in &transition.inputs {
            let tokens = &mut marking[place.index()];
            if *tokens != OMEGA {
                *tokens -= weight;
            }
        }
        for &(place, weight) in &transition.outputs {
            let tokens = &mut marking[place.index()];
            if *tokens != OMEGA {
                match tokens.checked_add(weight).filter(|&sum| sum < OMEGA) {
                    Some(sum) => *tokens = sum,
                    None => return Err(Interrupted::Steps),
                }
            }
        }
        for ancestor in (0..self.path.len()).rev() {
            (0..=self.net.places.len() / 16).try_for_each(|_| self.meter.step())?;
            let earlier = &self.path[ancestor].marking;
            if earlier.iter().zip(&marking).all(|(old, new)| old <= new) {
                for (old, new) in earlier.iter().zip(&mut marking) {
                    if *old < *new {
                        *new = OMEGA;
                    }
                }
            }
        }
        Ok(Some(marking))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Place;

    fn arcs(list: &[(u32, u64)]) -> Vec<(PlaceId, u64)> {
        list.iter().map(|&(place, weight)| (PlaceId(place), weight)).collect()
    }

    /// Inputs and outputs of a transition.
    type Arcs<'a> = (&'a [(u32, u64)], &'a [(u32, u64)]);

    fn check(initial: &[u64], transitions: &[Arcs], markings: usize, covered: Covered, largest: &[u64]) {
        let net = Net {
            places: initial.iter().map(|&initial| Place { initial, ..Place::default() }).collect(),
            transitions: transitions
                .iter()
                .map(|(inputs, outputs)| Transition {
                    inputs: arcs(inputs),
                    outputs: arcs(outputs),
                    ..Transition::default()
                })
                .collect(),
            ..Net::default()
        };
        let mut found = vec![0; initial.len()];
        let limits = CoverLimits { markings, steps: 100_000 };
        let outcome = cover(&net, limits, &Budget::unlimited(), |marking| {
            found.iter_mut().zip(marking).for_each(|(most, &tokens)| *most = tokens.max(*most));
        });
        assert_eq!(outcome, Ok(covered), "{transitions:?}");
        assert_eq!(found, largest, "{transitions:?}");
    }

    #[test]
    fn places_that_grow_and_places_that_do_not() {
        // p keeps its token, q fills.
        check(&[1, 0], &[(&[(0, 1)], &[(0, 1), (1, 1)])], 100, Covered::All, &[1, OMEGA]);
        // q fills, then r fills from q; s gets one token that moves there for good.
        let transitions: &[Arcs] =
            &[(&[(0, 1)], &[(0, 1), (1, 1)]), (&[(0, 1)], &[(3, 1)]), (&[(3, 1), (1, 1)], &[(3, 1), (2, 2)])];
        check(&[1, 0, 0, 0], transitions, 1000, Covered::All, &[1, OMEGA, OMEGA, 1]);
        // Bounded: two tokens go round.
        check(&[2, 0], &[(&[(0, 1)], &[(1, 1)]), (&[(1, 2)], &[(0, 2)])], 100, Covered::All, &[2, 2]);
        // Not enough room to see it all.
        check(&[9, 0], &[(&[(0, 1)], &[(1, 1)])], 3, Covered::Some, &[9, 2]);
    }
}
