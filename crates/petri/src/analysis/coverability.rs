//! Karp and Miller's tree: what can be covered, for nets that may be unbounded.
//!
//! From the initial marking every transition is fired. Where a marking is reached that is at least
//! as large as one of its ancestors everywhere, and larger somewhere, the way between them can be
//! repeated forever, and the places where it is larger get [`OMEGA`], "as many as you like" (Karp
//! and Miller, *Parallel program schemata*, 1969). Each marking `M` of the tree stands for
//! reachable markings: forevery `n` there is one that equals `M` where `M` is finite and has at
//! least `n` tokens elsewhere. When the tree is complete, every reachable marking is below one of
//! its markings; so the largest value of a sum of places over the tree is its least upper bound.
//!
//! This needs that more tokens never disable anything: nets with inhibitor or reset arcs are
//! declined ([`is_monotone`]). A marking that was met before, anywhere in the tree, is not followed
//! again: what can be covered from equal markings is equal. (Leaving out *smaller* markings as well
//! is the well-known trap: it loses markings.)
//!
//! When a marking with more omegas is found that is nowhere below the root, it becomes the root of
//! a tree that starts afresh: what can be covered from the old root can be covered from it, and
//! usually with far fewer markings. If the tree becomes too large all the same, the marking with
//! most omegas is a last root: its tree can be covered, but is not all.

use crate::arc::Arc;
use crate::net::{Net, Transition};
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
    net.transitions.iter().flat_map(|transition| &transition.arcs).all(|arc| match arc {
        Arc::Input { .. } | Arc::Read { .. } | Arc::Output { .. } => true,
        Arc::Inhibitor { .. } | Arc::Reset { .. } => false,
    })
}

/// Visits the markings of the tree, depth first. Nets that are not monotone are declined: nothing
/// is visited.
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
    let mut meter = Meter::with_step_limit(budget.clone(), limits.steps / 2);
    let mut root: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
    let mut richest = root.clone();
    loop {
        visit(&root);
        let mut tree = Tree::new(net, root, &mut meter);
        match tree.grow(most, &mut richest, &mut visit) {
            Ok(Grown::Whole) => return Ok(Covered::All),
            Ok(Grown::BetterRoot(marking)) => root = marking,
            Ok(Grown::Full) | Err(Interrupted::Steps) => break,
            Err(why) => return Err(why),
        }
    }
    // From here on nothing is complete; each tree starts where the last one found most omegas.
    let mut meter = Meter::with_step_limit(budget.clone(), limits.steps / 2);
    let mut omegas = 0;
    while omega_count(&richest) > omegas {
        omegas = omega_count(&richest);
        let mut tree = Tree::new(net, richest.clone(), &mut meter);
        match tree.grow(most, &mut richest, &mut visit) {
            Ok(_) | Err(Interrupted::Steps) => {}
            Err(why) => return Err(why),
        }
    }
    Ok(Covered::Some)
}

fn omega_count(marking: &[u64]) -> usize {
    marking.iter().filter(|&&tokens| tokens == OMEGA).count()
}

/// What became of a tree.
enum Grown {
    /// It is complete.
    Whole,
    /// It has as many markings as it may.
    Full,
    /// This marking is a better root.
    BetterRoot(Vec<u64>),
}

struct Tree<'a> {
    net: &'a Net,
    meter: &'a mut Meter,
    /// From the root to the marking at hand.
    path: Vec<Stop>,
    seen: FxHashSet<Vec<u64>>,
}

struct Stop {
    marking: Vec<u64>,
    /// The transition to try next.
    next: usize,
}

impl<'a> Tree<'a> {
    fn new(net: &'a Net, root: Vec<u64>, meter: &'a mut Meter) -> Self {
        let seen = FxHashSet::from_iter([root.clone()]);
        Tree { net, meter, path: vec![Stop { marking: root, next: 0 }], seen }
    }

    /// Adds markings until there are no more, or `most`, or one is a better root. `richest` becomes
    /// the marking with most omegas.
    fn grow(
        &mut self,
        most: usize,
        richest: &mut Vec<u64>,
        visit: &mut impl FnMut(&[u64]),
    ) -> Result<Grown, Interrupted> {
        let net = self.net;
        while let Some(stop) = self.path.last_mut() {
            let Some(transition) = net.transitions.get(stop.next) else {
                self.path.pop();
                continue;
            };
            stop.next += 1;
            let Some(marking) = self.successor(transition)? else { continue };
            if self.seen.contains(&marking) {
                continue;
            }
            if self.seen.len() == most {
                return Ok(Grown::Full);
            }
            visit(&marking);
            if omega_count(&marking) > omega_count(richest) {
                richest.clone_from(&marking);
            }
            let root = &self.path[0].marking;
            let is_above = root.iter().zip(&marking).all(|(old, new)| old <= new);
            if is_above && omega_count(&marking) > omega_count(root) {
                return Ok(Grown::BetterRoot(marking));
            }
            self.seen.insert(marking.clone());
            self.path.push(Stop { marking, next: 0 });
        }
        Ok(Grown::Whole)
    }

    /// The marking after `transition` from the end of the path, with what can be pumped; `None` if
    /// it is not enabled (or a number of tokens leaves the range, which only a limit could lead
    /// to).
    fn successor(&mut self, transition: &Transition) -> Result<Option<Vec<u64>>, Interrupted> {
        self.meter.step()?;
        let Some(last) = self.path.last() else { return Ok(None) };
        if !transition.is_enabled(&last.marking) {
            return Ok(None);
        }
        let mut marking = last.marking.clone();
        for arc in &transition.arcs {
            let tokens = &mut marking[arc.place().index()];
            if *tokens == OMEGA {
                continue;
            }
            match *arc {
                Arc::Input { weight, .. } => *tokens -= weight,
                Arc::Output { weight, .. } => match tokens.checked_add(weight).filter(|&sum| sum < OMEGA) {
                    Some(sum) => *tokens = sum,
                    None => return Err(Interrupted::Steps),
                },
                Arc::Read { .. } => {}
                Arc::Inhibitor { .. } | Arc::Reset { .. } => unreachable!("monotone nets have no such arc"),
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
    use crate::net::{Place, PlaceId};

    fn arcs(list: &[(u32, u64)]) -> impl Iterator<Item = (PlaceId, u64)> {
        list.iter().map(|&(place, weight)| (PlaceId(place), weight))
    }

    /// Inputs and outputs of a transition.
    type Arcs<'a> = (&'a [(u32, u64)], &'a [(u32, u64)]);

    fn check(initial: &[u64], transitions: &[Arcs], markings: usize, covered: Covered, largest: &[u64]) {
        let net = Net {
            places: initial.iter().map(|&initial| Place { initial, ..Place::default() }).collect(),
            transitions: transitions
                .iter()
                .map(|(inputs, outputs)| Transition::moving("t", arcs(inputs), arcs(outputs)))
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
