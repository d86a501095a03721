//! A coloured net without its colours: a place/transition net that proves what holds of totals.
//!
//! The *total* of a place is the number of its tokens, whatever their colours. The [`Skeleton`] of a
//! net has its places and its transitions, and its tokens have no colours. Whatever happens in the
//! coloured net happens in the skeleton:
//!
//! - **COL-S1** for every reachable marking of the coloured net, the marking of the skeleton that
//!   holds the totals is reachable.
//! - **COL-S2** where a transition is enabled under some binding, it is enabled in the skeleton at the
//!   totals.
//! - **COL-S3** where [`Skeleton::decides`] a transition, the converse of COL-S2 holds, too.
//!
//! So a sum of tokens that is bounded, constant or never reached in the skeleton is so in the
//! coloured net, and a transition that is dead there is dead. Nothing follows from what *can* happen
//! in the skeleton: neither deadlocks nor liveness, nor anything about single colours.
//!
//! **Why.** Under a binding, the multiset on an arc has a number of tokens in an interval that the
//! term gives (`strip/cardinality.rs`); mostly it is one number, because one member is one token
//! whatever the binding. Consider a firing of transition `t` in a marking, the tokens of a place `p`
//! in it, and what the transition of the skeleton does at the totals:
//!
//! | arcs at `p` | in the skeleton | |
//! | --- | --- | --- |
//! | input, read | at least as many tokens as the low ends | each colour has as many as are needed, so the total has |
//! | inhibitor | kept if every colour surely occurs: at most the high end, less one per colour | of each colour there are fewer than its multiplicity |
//! | input, output | the change is at its high end | terms that stand on both sides cancel |
//! | reset | kept if every colour surely occurs | it leaves nothing of any colour |
//!
//! So the transition is enabled (COL-S2), and afterwards `p` holds at least the total that it has in
//! the coloured net. Where it may hold more (the change was no single number, or a reset arc was left
//! out), `p` has a *drain*: a transition that takes one token from `p`. Firing drains gives exactly
//! the totals, and by induction COL-S1 holds. Drains are no transitions of the user.
//!
//! Guards are left out, but what a conjunction says of unequal variables makes intervals smaller.

mod cardinality;
mod decided;

use self::cardinality::{Cardinalities, Interval};
use crate::arc::Arc;
use crate::ids::TransitionId;
use crate::net::{Net, Place};
use crate::term::MultisetTerm;
use crate::unfold::{fold_sums, listed_total};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_petri as petri;
use symbolon_petri::net::LARGEST_COUNT;

/// A coloured net without its colours; see the comment of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The net. Its places are those of the coloured net, in the same order. So are its first
    /// transitions; the others are drains.
    pub net: petri::Net,
    /// For each transition of the coloured net, whether the totals alone decide if it is enabled.
    is_decided: Vec<bool>,
}

impl Skeleton {
    /// Whether totals decide a transition: under some binding it is enabled exactly where it is
    /// enabled in the skeleton at the totals (COL-S3).
    pub fn decides(&self, transition: TransitionId) -> bool {
        self.is_decided[transition.index()]
    }

    /// The number of transitions of the coloured net; what comes behind them are drains.
    pub fn transition_count(&self) -> usize {
        self.is_decided.len()
    }
}

/// Strips a net of its colours. `None` if some arc or initial marking has more than 2^63 − 1 tokens,
/// or a multiset of too many colours to be listed.
pub fn strip(net: &Net) -> Option<Skeleton> {
    // "All but one" is seen where `all` is written as a sum of constants, too.
    let net = &fold_sums(net);
    let mut skeleton = petri::Net { name: net.name.clone(), ..petri::Net::default() };
    for place in &net.places {
        let initial = initial_total(net, place)?;
        skeleton.places.push(petri::Place { id: place.id.clone(), label: place.label.clone(), initial });
    }
    let mut needs_drain = vec![false; net.places.len()];
    for transition in &net.transitions {
        let mut arcs = Vec::new();
        let cardinalities = Cardinalities::of(net, transition);
        // COL-6: the arcs at one place follow each other.
        for at_place in transition.arcs.chunk_by(|a, b| a.place() == b.place()) {
            let place = at_place[0].place();
            let stripped = Stripped::of(net, &cardinalities, at_place)?;
            stripped.add_to(petri::PlaceId(place.0), &mut arcs);
            needs_drain[place.index()] |= stripped.may_be_less;
        }
        skeleton.transitions.push(petri::Transition::new(transition.id.clone(), arcs));
    }
    add_drains(&mut skeleton, &needs_drain);
    let is_decided = net.transitions.iter().map(|transition| decided::by_totals(net, transition)).collect();
    Some(Skeleton { net: skeleton, is_decided })
}

/// The number of initial tokens of a place.
fn initial_total(net: &Net, place: &Place) -> Option<u64> {
    match Cardinalities::without_guard(net).interval(&place.initial)? {
        Interval { low, high } if low == high => Some(low),
        // There are no variables in it, so it can be listed.
        _ => listed_total(net, &place.initial).filter(|total| *total <= LARGEST_COUNT),
    }
}

/// Adds a transition that takes a token from each of these places.
fn add_drains(skeleton: &mut petri::Net, needs_drain: &[bool]) {
    let mut taken: FxHashSet<String> =
        skeleton.transitions.iter().map(|transition| transition.id.clone()).collect();
    for (number, _) in needs_drain.iter().enumerate().filter(|(_, needed)| **needed) {
        let mut id = format!("drain of {}", skeleton.places[number].id);
        while !taken.insert(id.clone()) {
            id.push('\'');
        }
        let place = petri::PlaceId(number as u32);
        skeleton.transitions.push(petri::Transition::new(id, vec![petri::Arc::Input { place, weight: 1 }]));
    }
}

/// What the arcs between a transition and a place become.
struct Stripped {
    /// The tokens that are taken.
    input: u64,
    /// The tokens that must be there, taken or not.
    at_least: u64,
    /// From this number of tokens on the transition is disabled.
    inhibitor: Option<u64>,
    is_reset: bool,
    output: u64,
    /// Whether the total after a firing may be less than it is in the skeleton.
    may_be_less: bool,
}

impl Stripped {
    /// `None` if a number is too large.
    fn of(net: &Net, cardinalities: &Cardinalities<'_>, arcs: &[Arc]) -> Option<Stripped> {
        let mut taken = Interval::ZERO;
        let mut put = Interval::ZERO;
        let mut balance = Balance::default();
        let mut at_least = 0;
        let mut inhibitor: Option<u64> = None;
        let (mut is_reset, mut is_part_reset) = (false, false);
        let colours = net.places[arcs[0].place().index()].domain.size(net)?;
        for arc in arcs {
            let tokens = cardinalities.interval(arc.tokens())?;
            match arc {
                Arc::Input { tokens: term, .. } => {
                    taken = taken.plus(tokens)?;
                    balance.add(term, -1);
                }
                Arc::Read { .. } => at_least = at_least.max(tokens.low),
                Arc::Inhibitor { tokens: term, .. } => {
                    let least = cardinalities.least_everywhere(term);
                    if least > 0 {
                        // Below its multiplicity in each colour, so one less at least.
                        let most = tokens.high.saturating_sub(colours);
                        inhibitor = Some(inhibitor.unwrap_or(u64::MAX).min(most + 1));
                    }
                }
                Arc::Reset { tokens: term, .. } => match cardinalities.least_everywhere(term) {
                    0 => is_part_reset = true,
                    _ => is_reset = true,
                },
                Arc::Output { tokens: term, .. } => {
                    put = put.plus(tokens)?;
                    balance.add(term, 1);
                }
            }
        }
        let at_least = at_least.max(taken.low);
        let input = taken.low;
        if is_reset {
            let may_be_less = put.low < put.high;
            return Some(Stripped { input, at_least, inhibitor, is_reset, output: put.high, may_be_less });
        }
        let (gone, come) = balance.rest(cardinalities)?;
        // `gone` is part of what is taken, so this is no less than 0.
        let output = (input + come.high).checked_sub(gone.low).filter(|tokens| *tokens <= LARGEST_COUNT)?;
        let may_be_less = is_part_reset || gone.low < gone.high || come.low < come.high;
        Some(Stripped { input, at_least, inhibitor, is_reset, output, may_be_less })
    }

    fn add_to(&self, place: petri::PlaceId, arcs: &mut Vec<petri::Arc>) {
        let Stripped { input, at_least, inhibitor, is_reset, output, may_be_less: _ } = *self;
        if input > 0 {
            arcs.push(petri::Arc::Input { place, weight: input });
        }
        if at_least > input {
            arcs.push(petri::Arc::Read { place, weight: at_least });
        }
        if let Some(weight) = inhibitor {
            arcs.push(petri::Arc::Inhibitor { place, weight });
        }
        if is_reset {
            arcs.push(petri::Arc::Reset { place });
        }
        if output > 0 {
            arcs.push(petri::Arc::Output { place, weight: output });
        }
    }
}

/// Terms on output arcs less those on input arcs at one place: equal terms cancel, whatever they
/// denote.
#[derive(Default)]
struct Balance<'n> {
    counts: FxHashMap<&'n MultisetTerm, i128>,
    is_too_large: bool,
}

impl<'n> Balance<'n> {
    /// Adds the terms of which `term` is the sum, `times` times each.
    fn add(&mut self, term: &'n MultisetTerm, times: i128) {
        match term {
            MultisetTerm::Sum(terms) => terms.iter().for_each(|term| self.add(term, times)),
            MultisetTerm::Scaled { count, term } => match times.checked_mul(i128::from(*count)) {
                Some(times) => self.add(term, times),
                None => self.is_too_large = true,
            },
            MultisetTerm::Empty(_) => {}
            _ => {
                let sum = self.counts.entry(term).or_default();
                match sum.checked_add(times) {
                    Some(next) => *sum = next,
                    None => self.is_too_large = true,
                }
            }
        }
    }

    /// How many tokens go and how many come, of the terms that do not cancel. `None` if they are too
    /// many.
    fn rest(&self, cardinalities: &Cardinalities<'_>) -> Option<(Interval, Interval)> {
        let (mut gone, mut come) = (Interval::ZERO, Interval::ZERO);
        for (term, times) in self.counts.iter().filter(|(_, times)| **times != 0) {
            let count = u64::try_from(times.unsigned_abs()).ok()?;
            let tokens = cardinalities.interval(term)?.times(Interval::exactly(count))?;
            let side = if *times < 0 { &mut gone } else { &mut come };
            *side = side.plus(tokens)?;
        }
        (!self.is_too_large).then_some((gone, come))
    }
}
