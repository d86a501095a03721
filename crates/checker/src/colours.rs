//! Coloured nets as users name their parts, and the instances that these names mean in the unfolded
//! net.
//!
//! A question about a coloured net is put to its unfolding. A place stands for all of its colours,
//! so its tokens are the sum over its instances; a transition can fire if it can under some binding.
//! `p[c1,s2]` is one colour of a place, and `t(x=c1)` are the bindings of a transition in which `x`
//! is `c1`. These are the names of instances, so runs and formulas use the same words.

mod written;

pub(crate) use written::{ColourMistake, WrittenNames};

use crate::report::{Reason, Unknown};
use crate::stop::Stop;
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use symbolon_budget::Budget;
use symbolon_coloured::{
    Net, PartialBinding, PlaceColour, PlaceId, TransitionId, UnfoldError, UnfoldLimits, Unfolded,
    VariableId as VariableOfNet,
};
use symbolon_counters::Counters;
use symbolon_model::{EventId, Expr, VariableId};
use symbolon_petri as petri;
use symbolon_source::shown;
use symbolon_symmetry::{
    MarkingOutline, Quotient, SpelledFigures, binding_event, colour_variable, place_variable,
    transition_event,
};
use written::{WrittenPlace, WrittenTransition};

/// A coloured net, and the way back to it from its unfolding.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    /// The net as it was written.
    pub(crate) net: Net,
    /// What its places and transitions are in the model.
    meaning: Meaning,
    names: WrittenNames,
    /// What unfolding took.
    pub(crate) time: Duration,
}

/// What the places and transitions of a coloured net are in the model that is explored.
#[derive(Clone, Debug)]
enum Meaning {
    /// Instances: the tables of the unfolding, whose net was taken out.
    Unfolded(Box<Unfolded>),
    /// Sums of counters, and groups of events.
    Counted(Box<Counters>),
    /// Totals and events of the same numbers: the graph of symbolic markings.
    Quotient(Arc<Quotient>),
    /// Nothing: symbolic markings were counted in diagrams, for a question about their number alone.
    Diagrams(Box<MarkingDiagrams>),
}

/// What is known of symbolic markings that were counted in diagrams.
#[derive(Clone, Debug)]
pub(crate) struct MarkingDiagrams {
    pub(crate) symbolic: BigUint,
    pub(crate) markings: BigUint,
    pub(crate) nodes: usize,
    pub(crate) levels: usize,
    pub(crate) rounds: u64,
    pub(crate) spelled: SpelledFigures,
    /// The diagram, if it is small enough for a picture.
    pub(crate) outline: Option<MarkingOutline>,
}

/// Unfolds a net: the place/transition net, and the way back.
pub(crate) fn unfold_net(net: Net, budget: &Budget) -> Result<(petri::Net, Colours), Stop> {
    let start = Instant::now();
    let mut unfolded = symbolon_coloured::unfold(&net, UnfoldLimits::default(), budget).map_err(too_large)?;
    let plain = std::mem::take(&mut unfolded.net);
    Ok((plain, Colours::new(net, Meaning::Unfolded(Box::new(unfolded)), start.elapsed())))
}

fn too_large(why: UnfoldError) -> Stop {
    let reason = match why {
        UnfoldError::Interrupted(why) => return why.into(),
        UnfoldError::TooLarge { .. } => Reason::Memory,
        UnfoldError::TooManyTokens(_) => Reason::Overflow,
    };
    Unknown::because(reason, why.to_string()).into()
}

/// The tokens of all instances together.
fn tokens_of(instances: Range<u32>) -> Expr {
    let mut terms: Vec<Expr> = instances.map(|place| Expr::Variable(VariableId(place))).collect();
    match terms.len() {
        0 => Expr::Constant(0),
        1 => terms.remove(0),
        _ => Expr::Sum(terms),
    }
}

/// A weighted sum of counters.
fn weighted_sum(terms: Vec<(VariableId, u64)>) -> Expr {
    let term = |(variable, weight)| match weight {
        1 => Expr::Variable(variable),
        _ => {
            let weight = Expr::Constant(i64::try_from(weight).unwrap_or(i64::MAX));
            Expr::Product(Box::new(weight), Box::new(Expr::Variable(variable)))
        }
    };
    let mut terms: Vec<Expr> = terms.into_iter().map(term).collect();
    match terms.len() {
        0 => Expr::Constant(0),
        1 => terms.remove(0),
        _ => Expr::Sum(terms),
    }
}

/// The tokens of a place in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlaceTokens {
    /// Those of these places together.
    Instances(Range<u32>),
    /// A weighted sum.
    Weighted(Vec<(VariableId, u64)>),
}

impl PlaceTokens {
    /// The number of tokens.
    pub(crate) fn into_expr(self) -> Expr {
        match self {
            PlaceTokens::Instances(instances) => tokens_of(instances),
            PlaceTokens::Weighted(terms) => weighted_sum(terms),
        }
    }

    /// The number of tokens in a state.
    pub(crate) fn count(&self, state: &[u64]) -> u64 {
        self.terms().fold(0, |sum: u64, (variable, weight)| {
            sum.saturating_add(state[variable.index()].saturating_mul(weight))
        })
    }

    /// Variables with their weights.
    pub(crate) fn terms(&self) -> Box<dyn Iterator<Item = (VariableId, u64)> + '_> {
        match self {
            PlaceTokens::Instances(instances) => {
                Box::new(instances.clone().map(|instance| (VariableId(instance), 1)))
            }
            PlaceTokens::Weighted(terms) => Box::new(terms.iter().copied()),
        }
    }
}

impl Colours {
    fn new(net: Net, meaning: Meaning, time: Duration) -> Colours {
        let names = WrittenNames::of(&net);
        Colours { net, meaning, names, time }
    }

    /// A coloured net that was folded into counters.
    pub(crate) fn counted(net: Net, counters: Counters, time: Duration) -> Colours {
        Colours::new(net, Meaning::Counted(Box::new(counters)), time)
    }

    /// The counters, if the net was folded into some.
    pub(crate) fn counters(&self) -> Option<&Counters> {
        match &self.meaning {
            Meaning::Counted(counters) => Some(counters),
            Meaning::Unfolded(_) | Meaning::Quotient(_) | Meaning::Diagrams(_) => None,
        }
    }

    /// A coloured net whose symbolic markings were explored.
    pub(crate) fn of_quotient(net: Net, quotient: Quotient, time: Duration) -> Colours {
        Colours::new(net, Meaning::Quotient(Arc::new(quotient)), time)
    }

    /// A coloured net whose symbolic markings were counted in diagrams.
    pub(crate) fn of_diagrams(net: Net, found: MarkingDiagrams, time: Duration) -> Colours {
        Colours::new(net, Meaning::Diagrams(Box::new(found)), time)
    }

    /// What was counted in diagrams, if that was asked for.
    pub(crate) fn marking_diagrams(&self) -> Option<&MarkingDiagrams> {
        match &self.meaning {
            Meaning::Diagrams(found) => Some(found),
            Meaning::Unfolded(_) | Meaning::Counted(_) | Meaning::Quotient(_) => None,
        }
    }

    /// The symbolic markings, if the net was folded into these.
    pub(crate) fn quotient(&self) -> Option<&Arc<Quotient>> {
        match &self.meaning {
            Meaning::Quotient(quotient) => Some(quotient),
            Meaning::Unfolded(_) | Meaning::Counted(_) | Meaning::Diagrams(_) => None,
        }
    }

    /// The net as it was written.
    pub(crate) fn net(&self) -> &symbolon_coloured::Net {
        &self.net
    }

    /// The places as they were written, with their tokens.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&symbolon_coloured::Place, PlaceTokens)> {
        self.net.place_ids().map(|id| (&self.net.places[id.index()], self.tokens_of_place(id)))
    }

    fn tokens_of_place(&self, place: PlaceId) -> PlaceTokens {
        match &self.meaning {
            Meaning::Unfolded(unfolded) => PlaceTokens::Instances(unfolded.places_of(place)),
            Meaning::Counted(counters) => PlaceTokens::Weighted(counters.tokens_of(place)),
            Meaning::Quotient(_) | Meaning::Diagrams(_) => {
                PlaceTokens::Weighted(vec![(place_variable(place), 1)])
            }
        }
    }

    /// The events of each transition, in the order in which they were written.
    pub(crate) fn events_of_transitions(&self) -> impl Iterator<Item = Vec<EventId>> + '_ {
        self.net.transition_ids().map(|id| self.events_of_transition(id))
    }

    fn events_of_transition(&self, transition: TransitionId) -> Vec<EventId> {
        match &self.meaning {
            Meaning::Unfolded(unfolded) => unfolded.transitions_of(transition).map(EventId).collect(),
            Meaning::Counted(counters) => counters.events_of(transition),
            Meaning::Quotient(_) | Meaning::Diagrams(_) => vec![transition_event(transition)],
        }
    }

    /// The ids of the places as they were written.
    pub(crate) fn place_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.net.places.iter().map(|place| place.id.as_str())
    }

    /// The ids of the transitions as they were written.
    pub(crate) fn transition_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.net.transitions.iter().map(|transition| transition.id.as_str())
    }

    /// The tables of the unfolding, if the net was unfolded.
    pub(crate) fn unfolded(&self) -> Option<&Unfolded> {
        match &self.meaning {
            Meaning::Unfolded(unfolded) => Some(unfolded),
            Meaning::Counted(_) | Meaning::Quotient(_) | Meaning::Diagrams(_) => None,
        }
    }

    /// The transition as it was written that an event of the model stands for some bindings of.
    pub(crate) fn transition_of(&self, event: EventId) -> TransitionId {
        match &self.meaning {
            Meaning::Unfolded(unfolded) => unfolded.transition_and_binding(petri::TransitionId(event.0)).0,
            Meaning::Counted(counters) => counters.transition_of(event),
            Meaning::Quotient(_) | Meaning::Diagrams(_) => TransitionId(event.0),
        }
    }

    /// The tokens of a place, or of a place and a colour; `None` if no place has this name.
    pub(crate) fn place_tokens(&self, text: &str) -> Option<Result<PlaceTokens, ColourMistake>> {
        Some(self.names.place(&self.net, text)?.and_then(|place| match place {
            WrittenPlace::Whole(place) => Ok(self.tokens_of_place(place)),
            WrittenPlace::Colour(colour) => {
                self.tokens_of_colour(&colour).ok_or_else(|| not_told_apart(text))
            }
        }))
    }

    /// The tokens of one colour; `None` if it is not told apart from others.
    fn tokens_of_colour(&self, of: &PlaceColour) -> Option<PlaceTokens> {
        match &self.meaning {
            Meaning::Unfolded(unfolded) => {
                let code = self.net.places[of.place.index()].domain.code(&self.net, &of.colour);
                let instance = unfolded.find_place(of.place, code);
                // A colour without an instance can never be marked.
                Some(PlaceTokens::Instances(instance.map_or(0..0, |instance| instance.0..instance.0 + 1)))
            }
            Meaning::Counted(counters) => {
                let domain = &self.net.places[of.place.index()].domain.0;
                let mut members = domain.iter().zip(&of.colour);
                let is_apart = members.all(|(&class, &member)| counters.tells_apart(class, member));
                is_apart.then(|| PlaceTokens::Weighted(counters.tokens_of_colour(of)))
            }
            Meaning::Quotient(quotient) => {
                Some(PlaceTokens::Weighted(vec![(colour_variable(quotient, of)?, 1)]))
            }
            Meaning::Diagrams(_) => None,
        }
    }

    /// The events of a transition, or those under which some variables have these colours; `None`
    /// if no transition has this name.
    pub(crate) fn transition_events(&self, text: &str) -> Option<Result<Vec<EventId>, ColourMistake>> {
        Some(self.names.transition(&self.net, text)?.and_then(|transition| match transition {
            WrittenTransition::Whole(transition) => Ok(self.events_of_transition(transition)),
            WrittenTransition::Bound(binding) => {
                self.events_under(&binding).ok_or_else(|| not_told_apart(text))
            }
        }))
    }

    /// The events of a transition under a binding; `None` if it is not told apart from others.
    fn events_under(&self, wanted: &PartialBinding) -> Option<Vec<EventId>> {
        let class = |variable: VariableOfNet| self.net.variables[variable.index()].class;
        match &self.meaning {
            Meaning::Unfolded(unfolded) => {
                let variables = unfolded.variables_of(wanted.transition);
                let fits = |instance: &u32| {
                    let (_, binding) = unfolded.transition_and_binding(petri::TransitionId(*instance));
                    let has = |&(variable, member): &(VariableOfNet, u32)| {
                        variables.iter().zip(binding).any(|one| one == (&variable, &member))
                    };
                    wanted.members.iter().all(has)
                };
                Some(unfolded.transitions_of(wanted.transition).filter(fits).map(EventId).collect())
            }
            Meaning::Counted(counters) => {
                let mut members = wanted.members.iter();
                let is_apart =
                    members.all(|&(variable, member)| counters.tells_apart(class(variable), member));
                is_apart.then(|| counters.events_under(wanted))
            }
            Meaning::Quotient(quotient) => Some(vec![binding_event(quotient, wanted)?]),
            Meaning::Diagrams(_) => None,
        }
    }
}

/// The mistake that a question is about one of several members that are not told apart.
fn not_told_apart(text: &str) -> ColourMistake {
    let message = format!("'{}' is about single members, which symmetry does not tell apart", shown(text));
    ColourMistake { message, hint: Some("use option ‹symmetry off›".into()) }
}
