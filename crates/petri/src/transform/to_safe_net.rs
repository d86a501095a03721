//! A bounded net as a safe one: places become binary numbers.
//!
//! A place with a proven bound above 1 becomes one pair of places per bit, of which exactly one is
//! marked:
//!
//! ```text
//! cards, at most 3      2 tokens      cards_bit1 ●   cards_bit1_not ○      (1)
//!                                     cards_bit0 ○   cards_bit0_not ●      (0)
//! ```
//!
//! A transition becomes one for each combination of [patterns](super::bit_patterns) on the places
//! it touches, and exactly one of these is enabled where the transition is. So the reachable
//! markings correspond one to one, as do the edges between them: everything is preserved, and a
//! place reads as the sum of its weighted bits. Weights, read, inhibitor and reset arcs disappear;
//! what is left are ordinary arcs of weight 1. A place that never holds two tokens stays as it is,
//! with a second place for "empty" only where an inhibitor or a reset arc needs to know. Places
//! that are never marked vanish, and so do transitions that would need more tokens than a bound
//! allows.
//!
//! A. J. Yu, G. Ciardo and G. Lüttgen name this translation ("Decision-diagram-based techniques for
//! bounded reachability checking of asynchronous systems", footnote 1: "binary encoding
//! (bit-blasting) of its non-safe places with safe places") without its details. Patterns instead
//! of values are our choice: they keep the number of copies of a transition logarithmic in the
//! bounds.

use super::bit_patterns::{Demand, Pattern, bit_count, patterns};
use crate::arc::{Arc, tidy_arcs};
use crate::ids::variable_of;
use crate::lower::parts_of;
use crate::net::{LARGEST_COUNT, Net, Place, PlaceId, Transition, Unit, UnitClaim};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::sync::Arc as Shared;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{EventId, Linear, Part};
use symbolon_reduction::{OneToOne, Preserves, Reduction};

/// A safe net with more transitions is not written.
pub const MOST_TRANSITIONS: u64 = 200_000;

/// Why there is no safe net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SafeFailure {
    /// It would have too many transitions.
    #[error(
        "the safe net would have {}{count} transitions, more than {most}; transition '{worst}' alone becomes {copies}",
        if *.is_least { "at least " } else { "" }
    )]
    TooManyTransitions {
        /// How many.
        count: u128,
        /// It may be more.
        is_least: bool,
        /// How many it may have.
        most: u64,
        /// The transition that becomes most of them.
        worst: String,
        /// How many it becomes.
        copies: u128,
    },
    /// The budget ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The safe net of `net`, whose places never hold more tokens than `bounds` says, one entry each.
///
/// # Panics
///
/// If a bound is below the initial marking.
pub fn to_safe_net(
    net: &Net,
    bounds: &[u64],
    most: u64,
    budget: &Budget,
) -> Result<Reduction<Net>, SafeFailure> {
    for (place, bound) in net.places.iter().zip(bounds) {
        assert!(place.initial <= *bound, "the bound of '{}' is below its initial marking", place.id);
    }
    // No marking above the largest can be reached: it counts as an overflow.
    let bounds: &[u64] = &bounds.iter().map(|&bound| bound.min(LARGEST_COUNT)).collect::<Vec<_>>();
    let mut meter = Meter::new(budget.clone());
    let touched = touched_places(net, bounds, most, &mut meter)?;
    check_size(net, &touched, most)?;

    let mut names = Names::of(net);
    let mut safe = Net { name: net.name.clone(), ..Net::default() };
    let coded = code_places(net, bounds, &mut names, &mut safe, &mut meter)?;
    let mut copies_of = Vec::with_capacity(net.transitions.len());
    for (transition, touched) in net.transitions.iter().zip(&touched) {
        let first = safe.transitions.len() as u32;
        add_copies(net, transition, touched, &coded, &mut names, &mut safe, &mut meter)?;
        copies_of.push((first..safe.transitions.len() as u32).map(EventId).collect());
    }
    let is_same = coded.iter().all(|coded| coded.bits == 1 && !coded.has_opposite);
    safe.unit_claim = if is_same { net.unit_claim } else { UnitClaim::Nothing };
    safe.units = net.units.iter().map(|unit| coded_unit(unit, &coded)).collect();
    let values = coded.iter().map(|coded| coded.value()).collect();
    let table = Shared::new(OneToOne::new(values, copies_of, safe.transitions.len()));
    Ok(Reduction { result: safe, preserves: Preserves::everything(), lift: table.clone(), weigh: table })
}

/// What a transition does to one place.
struct Touched {
    place: PlaceId,
    patterns: Vec<Pattern>,
}

/// For each transition, what it does to each place; a last one without patterns if it can never
/// fire.
fn touched_places(
    net: &Net,
    bounds: &[u64],
    most: u64,
    meter: &mut Meter,
) -> Result<Vec<Vec<Touched>>, SafeFailure> {
    let mut all = Vec::with_capacity(net.transitions.len());
    for transition in &net.transitions {
        let mut list = Vec::new();
        for part in parts_of(transition) {
            let Part::Local { variable, at_least, at_most, change } = part else {
                unreachable!("each part of a transition is about one place");
            };
            meter.step()?;
            let place = PlaceId(variable.0);
            let demand = Demand { at_least, at_most, change, bound: bounds[place.index()] };
            let patterns =
                patterns(&demand, most as usize).ok_or_else(|| SafeFailure::TooManyTransitions {
                    count: u128::from(most) + 1,
                    is_least: true,
                    most,
                    worst: transition.id.clone(),
                    copies: u128::from(most) + 1,
                })?;
            let never = patterns.is_empty();
            list.push(Touched { place, patterns });
            if never {
                break;
            }
        }
        all.push(list);
    }
    Ok(all)
}

/// How many transitions one becomes.
fn copies(touched: &[Touched]) -> u128 {
    if touched.last().is_some_and(|last| last.patterns.is_empty()) {
        return 0;
    }
    touched.iter().fold(1, |product: u128, touched| product.saturating_mul(touched.patterns.len() as u128))
}

fn check_size(net: &Net, touched: &[Vec<Touched>], most: u64) -> Result<(), SafeFailure> {
    let count = touched.iter().fold(0, |sum: u128, touched| sum.saturating_add(copies(touched)));
    if count <= u128::from(most) {
        return Ok(());
    }
    let each = net.transitions.iter().zip(touched).map(|(t, touched)| (copies(touched), &t.id));
    let (copies, worst) = each.max_by_key(|(copies, _)| *copies).unzip();
    Err(SafeFailure::TooManyTransitions {
        count,
        is_least: count == u128::MAX,
        most,
        worst: worst.cloned().unwrap_or_default(),
        copies: copies.unwrap_or(0),
    })
}

/// The places that stand for one place: bit by bit, each followed by its opposite where it has one.
#[derive(Clone, Copy)]
struct Coded {
    first: u32,
    bits: u32,
    has_opposite: bool,
}

impl Coded {
    fn bit(self, bit: u32) -> PlaceId {
        PlaceId(self.first + bit * (1 + u32::from(self.has_opposite)))
    }

    /// The number that the bits stand for. There are at most 63 of them, by PETRI-P3.
    fn value(self) -> Linear {
        let terms = (0..self.bits).map(|bit| (variable_of(self.bit(bit)), 1_i64 << bit));
        Linear { terms: terms.collect(), constant: 0 }
    }

    /// The place that is marked while the bit is 0.
    fn opposite(self, bit: u32) -> Option<PlaceId> {
        self.has_opposite.then(|| PlaceId(self.bit(bit).0 + 1))
    }
}

fn code_places(
    net: &Net,
    bounds: &[u64],
    names: &mut Names,
    safe: &mut Net,
    meter: &mut Meter,
) -> Result<Vec<Coded>, Interrupted> {
    // Whether a place is empty must be known where an inhibitor arc asks, or where a reset arc may
    // find it empty.
    let mut asked = vec![false; net.places.len()];
    for transition in &net.transitions {
        for arc in &transition.arcs {
            match *arc {
                Arc::Inhibitor { place, .. } | Arc::Reset { place } => asked[place.index()] = true,
                Arc::Input { .. } | Arc::Read { .. } | Arc::Output { .. } => {}
            }
        }
    }
    let mut coded = Vec::with_capacity(net.places.len());
    for ((place, &bound), &asked) in net.places.iter().zip(bounds).zip(&asked) {
        let first = safe.places.len() as u32;
        let bits = bit_count(bound);
        let has_opposite = bits > 1 || (bits == 1 && asked);
        coded.push(Coded { first, bits, has_opposite });
        for bit in 0..bits {
            meter.step()?;
            let is_set = place.initial >> bit & 1;
            if bits == 1 {
                safe.places.push(Place { initial: is_set, ..place.clone() });
            } else {
                let label = place.label.as_ref().map(|label| format!("{label} bit {bit}").into());
                let id = names.place(format!("{}_bit{bit}", place.id));
                safe.places.push(Place { id, label, initial: is_set });
            }
            if has_opposite {
                let (id, label) = {
                    let bit = &safe.places[safe.places.len() - 1];
                    (format!("{}_not", bit.id), bit.label.as_ref().map(|label| format!("not {label}").into()))
                };
                safe.places.push(Place { id: names.place(id), label, initial: 1 - is_set });
            }
        }
    }
    Ok(coded)
}

/// Adds one copy of `transition` for each combination of patterns.
fn add_copies(
    net: &Net,
    transition: &Transition,
    touched: &[Touched],
    coded: &[Coded],
    names: &mut Names,
    safe: &mut Net,
    meter: &mut Meter,
) -> Result<(), Interrupted> {
    let count = copies(touched);
    // The pattern chosen for each place; the last place changes fastest.
    let mut choice = vec![0; touched.len()];
    for number in 1..=count {
        let mut copy = Transition {
            id: transition.id.clone(),
            label: transition.label.clone(),
            ..Transition::default()
        };
        for (touched, &index) in touched.iter().zip(&choice) {
            meter.step()?;
            add_arcs(&mut copy, touched.patterns[index], coded[touched.place.index()]);
        }
        tidy_arcs(&mut copy.arcs);
        if count > 1 {
            copy.id = names.transition(format!("{}__{number}", transition.id));
            let name = transition.label.as_deref().unwrap_or(&transition.id);
            copy.label = Some(format!("{name} [{}]", described(net, touched, &choice, coded)).into());
        }
        safe.transitions.push(copy);
        for (index, touched) in choice.iter_mut().zip(touched).rev() {
            *index += 1;
            if *index < touched.patterns.len() {
                break;
            }
            *index = 0;
        }
    }
    Ok(())
}

/// Adds the arcs of one pattern, in any order.
fn add_arcs(copy: &mut Transition, pattern: Pattern, coded: Coded) {
    for bit in (0..coded.bits).filter(|bit| pattern.known >> bit & 1 == 1) {
        let place_of = |value: u64| {
            if value >> bit & 1 == 1 { Some(coded.bit(bit)) } else { coded.opposite(bit) }
        };
        copy.arcs.extend(place_of(pattern.old).map(|place| Arc::Input { place, weight: 1 }));
        copy.arcs.extend(place_of(pattern.new).map(|place| Arc::Output { place, weight: 1 }));
    }
}

/// What tells one copy from the others: `cards 1x→0x`, for the places with a choice.
fn described(net: &Net, touched: &[Touched], choice: &[usize], coded: &[Coded]) -> String {
    let mut text = String::new();
    for (touched, &index) in touched.iter().zip(choice).filter(|(touched, _)| touched.patterns.len() > 1) {
        let pattern = touched.patterns[index];
        let digits = |value: u64| -> String {
            let digit = |bit: u32| match (pattern.known >> bit & 1, value >> bit & 1) {
                (0, _) => 'x',
                (_, 0) => '0',
                _ => '1',
            };
            (0..coded[touched.place.index()].bits).rev().map(digit).collect()
        };
        let gap = if text.is_empty() { "" } else { ", " };
        let place = &net.places[touched.place.index()].id;
        // Writing to a string cannot fail.
        let _ = write!(text, "{gap}{place} {}→{}", digits(pattern.old), digits(pattern.new));
    }
    text
}

fn coded_unit(unit: &Unit, coded: &[Coded]) -> Unit {
    let places = unit.places.iter().flat_map(|place| {
        let coded = coded[place.index()];
        (0..coded.bits).flat_map(move |bit| [Some(coded.bit(bit)), coded.opposite(bit)]).flatten()
    });
    Unit { id: unit.id.clone(), parent: unit.parent, places: places.collect() }
}

/// The ids that are taken; names that we make up avoid all of the original net (PETRI-P1).
struct Names {
    places: FxHashSet<String>,
    transitions: FxHashSet<String>,
}

impl Names {
    fn of(net: &Net) -> Names {
        Names {
            places: net.places.iter().map(|place| place.id.clone()).collect(),
            transitions: net.transitions.iter().map(|transition| transition.id.clone()).collect(),
        }
    }

    fn place(&mut self, id: String) -> String {
        fresh(&mut self.places, id)
    }

    fn transition(&mut self, id: String) -> String {
        fresh(&mut self.transitions, id)
    }
}

fn fresh(taken: &mut FxHashSet<String>, mut id: String) -> String {
    while !taken.insert(id.clone()) {
        id.push('_');
    }
    id
}
