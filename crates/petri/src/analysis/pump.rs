//! Proofs that a net is unbounded: a way to a marking, and a way from there to a larger one that
//! can be taken again and again.
//!
//! Let `σ` lead from `m` to `m' ≥ m`, `m'` larger at `p`. If
//!
//! - no transition of `σ` resets `p`, and
//! - `m'` and `m` agree on every place that inhibits a transition of `σ`,
//!
//! then `σ` can be repeated forever and adds to `p` each time. For places that `σ` does not reset
//! change by the same amount in each round, never downwards; a place that it resets ends each round
//! with what was put after the last reset, so from the second round on it starts and ends with
//! `m'`; inputs and reads ask no more than in the first round; and inhibiting places pass through
//! the same values as in the first round. (Without resets and inhibitors this is the observation of
//! Karp and Miller, 1969.)

use crate::arc::Arc;
use crate::net::{Net, PlaceId, TransitionId};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_random::Random;

/// A proof that `place` is unbounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    /// The place that grows with each round.
    pub place: PlaceId,
    /// Transitions from the initial marking to where the rounds start.
    pub prefix: Vec<TransitionId>,
    /// One round.
    pub cycle: Vec<TransitionId>,
}

impl Pump {
    /// Replays the proof: whether it holds for `net`.
    pub fn verify(&self, net: &Net) -> bool {
        let mut marking: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
        if !self.prefix.iter().all(|&transition| fire(net, &mut marking, transition)) {
            return false;
        }
        let before = marking.clone();
        if !self.cycle.iter().all(|&transition| fire(net, &mut marking, transition)) {
            return false;
        }
        is_pump(net, &before, &marking, &self.cycle) == Some(self.place)
    }

    /// All places that grow with each round, ascending; none if the proof does not hold for `net`.
    pub fn growing_places(&self, net: &Net) -> Vec<PlaceId> {
        let mut marking: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
        let replayed = self.verify(net) && self.prefix.iter().all(|&t| fire(net, &mut marking, t));
        let before = marking.clone();
        if !replayed || !self.cycle.iter().all(|&transition| fire(net, &mut marking, transition)) {
            return Vec::new();
        }
        growing(net, &before, &marking, &self.cycle).collect()
    }
}

/// The first place that grows forever if `cycle`, which leads from `before` to `after`, is
/// repeated.
fn is_pump(net: &Net, before: &[u64], after: &[u64], cycle: &[TransitionId]) -> Option<PlaceId> {
    if before.iter().zip(after).any(|(old, new)| new < old) {
        return None;
    }
    let mut arcs = cycle.iter().flat_map(|transition| &net.transitions[transition.index()].arcs);
    let can_be_repeated = arcs.all(|arc| match *arc {
        Arc::Inhibitor { place, .. } => before[place.index()] == after[place.index()],
        Arc::Input { .. } | Arc::Read { .. } | Arc::Reset { .. } | Arc::Output { .. } => true,
    });
    if !can_be_repeated {
        return None;
    }
    growing(net, before, after, cycle).next()
}

/// The places that `cycle` adds to and does not reset.
fn growing(
    net: &Net,
    before: &[u64],
    after: &[u64],
    cycle: &[TransitionId],
) -> impl Iterator<Item = PlaceId> {
    let mut is_reset = vec![false; net.places.len()];
    for arc in cycle.iter().flat_map(|transition| &net.transitions[transition.index()].arcs) {
        match *arc {
            Arc::Reset { place } => is_reset[place.index()] = true,
            Arc::Input { .. } | Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Output { .. } => {}
        }
    }
    net.place_ids()
        .filter(move |&place| after[place.index()] > before[place.index()] && !is_reset[place.index()])
}

/// Fires `transition`, if it is enabled and no number leaves 64 bits.
pub(crate) fn fire(net: &Net, marking: &mut [u64], transition: TransitionId) -> bool {
    net.transitions.get(transition.index()).is_some_and(|transition| transition.fire(marking))
}

/// How far a search for a pump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PumpLimits {
    /// Steps in all (a transition tried, two markings compared by their sums, 16 places looked at).
    pub steps: u64,
    /// Firings of one walk.
    pub walk_length: usize,
    /// Seed of the walks.
    pub seed: u64,
}

impl Default for PumpLimits {
    fn default() -> Self {
        PumpLimits { steps: 20_000_000, walk_length: 400, seed: 1 }
    }
}

/// Looks for a proof that `net` is unbounded, on walks from the initial marking: after each firing
/// the marking is compared with all those before it. `Ok(None)` says only that none was found.
pub fn find_pump(net: &Net, limits: PumpLimits, budget: &Budget) -> Result<Option<Pump>, Interrupted> {
    let mut meter = Meter::with_step_limit(budget.clone(), limits.steps);
    let mut random = Random::new(limits.seed);
    // All markings of a walk are kept, which must not become gigabytes.
    let longest = limits.walk_length.min(LARGEST_WALK / net.places.len().max(1)).max(1);
    let mut length = longest.min(32);
    loop {
        match walk(net, length, &mut random, &mut meter) {
            Ok(Walk::Found(pump)) => return Ok(Some(pump).filter(|pump| pump.verify(net))),
            Ok(Walk::Stuck { at: 0 }) | Err(Interrupted::Steps) => return Ok(None),
            Ok(_) => {}
            Err(interrupted) => return Err(interrupted),
        }
        length = (length + length / 4 + 1).min(longest);
    }
}

/// Numbers of tokens that one walk may keep.
const LARGEST_WALK: usize = 1 << 23;

enum Walk {
    Found(Pump),
    /// No transition was enabled after `at` firings.
    Stuck {
        at: usize,
    },
    Ended,
}

/// A marking on a walk, with what makes comparisons quick.
struct Stop {
    marking: Vec<u64>,
    tokens: u128,
    /// One bit for each marked place, modulo 64.
    mask: u64,
}

impl Stop {
    fn new(marking: Vec<u64>) -> Self {
        let tokens = marking.iter().map(|&count| u128::from(count)).sum();
        let marked = marking.iter().enumerate().filter(|(_, count)| **count > 0);
        let mask = marked.fold(0, |mask, (place, _)| mask | 1 << (place % 64));
        Stop { marking, tokens, mask }
    }

    fn may_be_below(&self, later: &Stop) -> bool {
        self.tokens < later.tokens && self.mask & !later.mask == 0
    }
}

fn walk(net: &Net, length: usize, random: &mut Random, meter: &mut Meter) -> Result<Walk, Interrupted> {
    let initial: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
    let mut stops = vec![Stop::new(initial)];
    let mut fired: Vec<TransitionId> = Vec::new();
    let mut times = vec![0_u32; net.transitions.len()];
    while fired.len() < length {
        (0..net.places.len() / 16).try_for_each(|_| meter.step())?;
        let mut marking = stops[fired.len()].marking.clone();
        let Some(transition) = choose(net, &marking, &times, random, meter)? else {
            return Ok(Walk::Stuck { at: fired.len() });
        };
        if !fire(net, &mut marking, transition) {
            return Ok(Walk::Ended);
        }
        times[transition.index()] += 1;
        fired.push(transition);
        let stop = Stop::new(marking);
        for (index, earlier) in stops.iter().enumerate().rev() {
            meter.step()?;
            if !earlier.may_be_below(&stop) {
                continue;
            }
            (0..net.places.len() / 16).try_for_each(|_| meter.step())?;
            if let Some(place) = is_pump(net, &earlier.marking, &stop.marking, &fired[index..]) {
                let cycle = fired.split_off(index);
                return Ok(Walk::Found(Pump { place, prefix: fired, cycle }));
            }
        }
        stops.push(stop);
    }
    Ok(Walk::Ended)
}

/// An enabled transition: of a few found from a random start, the one fired least often, and of
/// equals the one that adds most tokens.
fn choose(
    net: &Net,
    marking: &[u64],
    times: &[u32],
    random: &mut Random,
    meter: &mut Meter,
) -> Result<Option<TransitionId>, Interrupted> {
    const COMPARED: usize = 4;
    let count = net.transitions.len();
    if count == 0 {
        return Ok(None);
    }
    let start = random.below(count);
    let mut enabled = 0;
    let mut best = None;
    for offset in 0..count {
        meter.step()?;
        let index = (start + offset) % count;
        let transition = &net.transitions[index];
        if !transition.is_enabled(marking) {
            continue;
        }
        let gains = transition.arcs.iter().map(|arc| match *arc {
            Arc::Output { weight, .. } => i128::from(weight),
            Arc::Input { weight, .. } => -i128::from(weight),
            Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } => 0,
        });
        let gain: i128 = gains.sum();
        let rank = (times[index], -gain);
        if best.is_none_or(|(other, _)| rank < other) {
            best = Some((rank, TransitionId(index as u32)));
        }
        enabled += 1;
        if enabled == COMPARED {
            break;
        }
    }
    Ok(best.map(|(_, transition)| transition))
}
