//! Unfolding: the place/transition net that means the same.
//!
//! Each colour that a place can hold becomes a place, and each binding under which a transition can
//! fire becomes a transition; the result knows the way back. *Can* is meant as if tokens were never
//! used up: the join (`unfold/join.rs`) finds the least set of colours that contains the initial
//! ones and what every transition puts whose needs are in the set. Other colours are never marked,
//! and other bindings never enabled, so markings, edges and deadlocks are those of the coloured net.
//!
//! ```text
//!  Net ─ fold_sums ─▶ PreparedTransition: components, patterns, plans ─ join ─▶ colours, bindings
//!                                                                                │
//!                                      Unfolded: petri::Net, tables ◀── build ───┘
//! ```
//!
//! Names: the instance of place `p` for colour (3, a) is `p[3,a]`, that of transition `t` under the
//! binding x = 1, y = 2 is `t(x=1,y=2)`, with variables in the order of their declaration. Places of
//! black tokens and transitions without variables keep their names. See
//! [`MemberNames`](crate::MemberNames) for the texts of members.

mod build;
mod conjuncts;
mod constant_places;
mod fold_sums;
mod join;
mod pattern;
mod plan;
mod slot_guard;
pub(crate) mod slot_term;
mod tokens;
mod transition;

pub use fold_sums::fold_sums;

use self::constant_places::ConstantPlaces;
use self::join::{InitialTokens, Join, Joined, Rows};
use self::slot_term::{SlotTerm, TooManyColours};
use self::tokens::TokenTable;
use self::transition::PreparedTransition;
use crate::colour::ColourNames;
use crate::ids::{PlaceId, TransitionId, VariableId};
use crate::net::Net;
use crate::term::MultisetTerm;
use std::ops::Range;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{Origins, Source, VariableId as ModelVariableId};
use symbolon_petri as petri;

/// How large an unfolding may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnfoldLimits {
    /// The most transitions, the most places, and the most bindings of dependent variables.
    pub instances: u64,
    /// The most arcs.
    pub arcs: u64,
}

impl UnfoldLimits {
    /// The limit, such that numbers of instances have 32 bits.
    fn instances(self) -> u64 {
        self.instances.min(u64::from(u32::MAX) - 1)
    }
}

impl Default for UnfoldLimits {
    fn default() -> Self {
        // About three gigabytes of nodes, and as much of arcs.
        UnfoldLimits { instances: 12_000_000, arcs: 200_000_000 }
    }
}

/// Why a net was not unfolded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfoldError {
    /// Time or memory ran out, or the work was cancelled.
    #[error(transparent)]
    Interrupted(Interrupted),
    /// The unfolded net would be too large.
    #[error("unfolding gives {}{count} {what}, too many to list", if *.is_exact { "" } else { "at least " })]
    TooLarge {
        /// What there would be too many of.
        what: Instances,
        /// How many.
        count: u128,
        /// Whether that is the number, rather than a lower bound.
        is_exact: bool,
    },
    /// A place or a transition needs or holds more tokens of a colour than can be counted.
    #[error("\"{0}\" holds, takes or puts more than 2^63 - 1 tokens of one colour")]
    TooManyTokens(String),
}

/// Parts of an unfolded net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// Places.
    Places,
    /// Transitions.
    Transitions,
    /// Bindings of dependent variables, of which transitions are made.
    Bindings,
    /// Arcs.
    Arcs,
}

impl std::fmt::Display for Instances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Instances::Places => "places",
            Instances::Transitions => "transitions",
            Instances::Bindings => "bindings",
            Instances::Arcs => "arcs",
        })
    }
}

impl UnfoldError {
    fn too_many_transitions(count: u128) -> UnfoldError {
        UnfoldError::TooLarge { what: Instances::Transitions, count, is_exact: true }
    }

    /// More bindings than the limit.
    fn too_many_bindings(limit: u64) -> UnfoldError {
        UnfoldError::TooLarge { what: Instances::Bindings, count: u128::from(limit) + 1, is_exact: false }
    }

    fn too_many_places(count: u128) -> UnfoldError {
        UnfoldError::TooLarge { what: Instances::Places, count, is_exact: false }
    }
}

/// An unfolded net, and the way back to the coloured one.
///
/// The instances of one place have consecutive numbers, and so have those of one transition; places
/// and transitions are in the order of the coloured net, colours and bindings in lexical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded {
    /// The place/transition net.
    pub net: petri::Net,
    /// The first instance of each place; one more at the end.
    first_places: Vec<u32>,
    /// The code of the colour of each instance of a place.
    codes: Vec<u64>,
    /// The first instance of each transition; one more at the end.
    first_transitions: Vec<u32>,
    /// The variables of each transition, in the order of a binding.
    variables: Vec<Vec<VariableId>>,
    /// The bindings of each transition, one after the other.
    bindings: Vec<Vec<u32>>,
    is_constant: Vec<bool>,
    colour_count: u128,
}

/// How large an unfolded net is, part by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedSizes {
    /// The number of instances of each place: of its colours that can be marked.
    pub places: Vec<u64>,
    /// The number of instances of each transition.
    pub transitions: Vec<u128>,
    /// Whether each place is constant; see [`Unfolded::is_constant`].
    pub is_constant: Vec<bool>,
    /// The number of colours of all places together, whether they can be marked or not.
    pub colour_count: u128,
}

/// Unfolds a coloured net, which must obey COL-1 to COL-6.
pub fn unfold(net: &Net, limits: UnfoldLimits, budget: &Budget) -> Result<Unfolded, UnfoldError> {
    let found = InstancesFound::of(net, limits, budget)?;
    let count = found.transition_counts().into_iter().fold(0, u128::saturating_add);
    if count > u128::from(limits.instances()) {
        return Err(UnfoldError::too_many_transitions(count));
    }
    build::build(found, limits.arcs, budget)
}

/// Finds out how large the unfolded net would be, without listing it. Bindings of independent
/// variables are multiplied, not listed, so this answers for nets that are hopeless to unfold.
pub fn unfolded_sizes(
    net: &Net,
    limits: UnfoldLimits,
    budget: &Budget,
) -> Result<UnfoldedSizes, UnfoldError> {
    let found = InstancesFound::of(net, limits, budget)?;
    Ok(UnfoldedSizes {
        places: found.joined.codes.iter().map(|codes| codes.len() as u64).collect(),
        transitions: found.transition_counts(),
        is_constant: found.is_constant,
        colour_count: colour_count(net),
    })
}

/// What the join finds, with all that is needed to build the net.
struct InstancesFound {
    /// The net, with sums over whole classes folded.
    net: Net,
    prepared: Vec<PreparedTransition>,
    initial: InitialTokens,
    is_constant: Vec<bool>,
    joined: Joined,
}

impl InstancesFound {
    fn of(net: &Net, limits: UnfoldLimits, budget: &Budget) -> Result<InstancesFound, UnfoldError> {
        budget.progress().enter("unfolding");
        let net = fold_sums::fold_whole_sums(net);
        let limit = limits.instances();
        let constant = ConstantPlaces::of(&net);
        let initial = initial_tokens(&net, limit)?;
        let mut tokens = TokenTable::new(&net, budget);
        let mut meter = Meter::new(budget.clone());
        let mut prepared = Vec::with_capacity(net.transitions.len());
        for transition in &net.transitions {
            meter.step()?;
            prepared.push(PreparedTransition::new(&net, transition, &constant, &mut tokens));
        }
        let join = Join::new(&prepared, &initial, tokens, limit, budget);
        let joined = join.run(|place| constant.is_constant(place))?;
        let is_constant = net.place_ids().map(|place| constant.is_constant(place)).collect();
        Ok(InstancesFound { net, prepared, initial, is_constant, joined })
    }

    /// The number of instances of each transition: bindings of independent components combine
    /// freely.
    fn transition_counts(&self) -> Vec<u128> {
        let product = |components: &Vec<Rows>| {
            components.iter().fold(1_u128, |product, rows| product.saturating_mul(u128::from(rows.count)))
        };
        self.joined.rows.iter().map(product).collect()
    }
}

fn colour_count(net: &Net) -> u128 {
    net.places.iter().map(|place| u128::from(place.domain.size(net).unwrap_or(u64::MAX))).sum()
}

/// The initial tokens of each place.
fn initial_tokens(net: &Net, limit: u64) -> Result<InitialTokens, UnfoldError> {
    let mut initial = Vec::new();
    let mut count = 0_u64;
    for place in &net.places {
        let term = SlotTerm::new(net, &place.initial, &[]);
        let mut codes =
            term.codes(&[], limit).map_err(|TooManyColours(count)| UnfoldError::too_many_places(count))?;
        codes.retain(|(_, count)| *count > 0);
        if codes.iter().any(|(_, count)| *count > petri::net::LARGEST_COUNT) {
            return Err(UnfoldError::TooManyTokens(place.id.clone()));
        }
        count = count.saturating_add(codes.len() as u64);
        if count > limit {
            return Err(UnfoldError::too_many_places(u128::from(count)));
        }
        initial.push(codes);
    }
    Ok(initial)
}

/// The number of tokens that a term without variables denotes. `None` if it has too many colours to
/// list them, or too many tokens.
pub(crate) fn listed_total(net: &Net, term: &MultisetTerm) -> Option<u64> {
    const MOST_COLOURS: u64 = 10_000_000;
    let codes = SlotTerm::new(net, term, &[]).codes(&[], MOST_COLOURS).ok()?;
    codes.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count))
}

impl Unfolded {
    /// The instances of a place.
    pub fn places_of(&self, place: PlaceId) -> Range<u32> {
        self.first_places[place.index()]..self.first_places[place.index() + 1]
    }

    /// The instances of a transition.
    pub fn transitions_of(&self, transition: TransitionId) -> Range<u32> {
        self.first_transitions[transition.index()]..self.first_transitions[transition.index() + 1]
    }

    /// The place that an instance belongs to, and the code of its colour; see
    /// [`Domain::colour`](crate::Domain::colour).
    pub fn place_and_code(&self, instance: petri::PlaceId) -> (PlaceId, u64) {
        let place = self.first_places.partition_point(|first| *first <= instance.0) - 1;
        (PlaceId(place as u32), self.codes[instance.index()])
    }

    /// The transition that an instance belongs to, and its binding: a member for each of
    /// [`Unfolded::variables_of`].
    pub fn transition_and_binding(&self, instance: petri::TransitionId) -> (TransitionId, &[u32]) {
        let transition = self.first_transitions.partition_point(|first| *first <= instance.0) - 1;
        let width = self.variables[transition].len();
        let position = (instance.0 - self.first_transitions[transition]) as usize;
        let binding = &self.bindings[transition][position * width..(position + 1) * width];
        (TransitionId(transition as u32), binding)
    }

    /// The variables of a binding.
    pub fn variables_of(&self, transition: TransitionId) -> &[VariableId] {
        &self.variables[transition.index()]
    }

    /// The instance of a place for a colour, given by its code; `None` if the colour can never be
    /// marked.
    pub fn find_place(&self, place: PlaceId, code: u64) -> Option<petri::PlaceId> {
        let range = self.places_of(place);
        let codes = &self.codes[range.start as usize..range.end as usize];
        let position = codes.binary_search(&code).ok()?;
        Some(petri::PlaceId(range.start + position as u32))
    }

    /// The instance of a transition under a binding; `None` if that is never enabled.
    pub fn find_transition(&self, transition: TransitionId, binding: &[u32]) -> Option<petri::TransitionId> {
        let range = self.transitions_of(transition);
        let width = self.variables[transition.index()].len();
        let bindings = &self.bindings[transition.index()];
        let (mut low, mut high) = (0, range.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match bindings[middle * width..(middle + 1) * width].cmp(binding) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(petri::TransitionId(range.start + middle as u32)),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Whether every transition gives back to this place what it takes. Its instances have no arcs.
    pub fn is_constant(&self, place: PlaceId) -> bool {
        self.is_constant[place.index()]
    }

    /// The number of instances of constant places.
    pub fn constant_place_count(&self) -> usize {
        let constant = (0..self.is_constant.len()).filter(|&place| self.is_constant[place]);
        constant.map(|place| self.places_of(PlaceId(place as u32)).len()).sum()
    }

    /// The number of colours of all places together, whether they can be marked or not.
    pub fn colour_count(&self) -> u128 {
        self.colour_count
    }

    /// The number of colours that can never be marked, and have no instance.
    pub fn unmarkable_count(&self) -> u128 {
        self.colour_count - self.codes.len() as u128
    }

    /// Where the variables of the lowered net come from. `net` is the coloured net.
    pub fn origins(&self, net: &Net) -> Origins {
        let names = ColourNames::of(net);
        let mut origins = Origins::default();
        for (place, coloured) in net.place_ids().zip(&net.places) {
            let range = self.places_of(place);
            let source = if net.is_dot(&coloured.domain) {
                Source::Places
            } else {
                let text = |instance: u32| {
                    let mut text = String::new();
                    let colour = coloured.domain.colour(net, self.codes[instance as usize]);
                    // Writing to a string cannot fail.
                    let _ = names.write_colour(net, &coloured.domain, &colour, &mut text);
                    text
                };
                Source::Colours { place: coloured.id.clone(), colours: range.clone().map(text).collect() }
            };
            origins.add(ModelVariableId(range.start), range.len() as u32, source);
        }
        origins
    }
}
