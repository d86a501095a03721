//! Coloured nets as users name their parts, and the instances that these names mean in the unfolded
//! net.
//!
//! A question about a coloured net is put to its unfolding. A place stands for all of its colours,
//! so its tokens are the sum over its instances; a transition can fire if it can under some binding.
//! `p[c1,s2]` is one colour of a place, and `t(x=c1)` are the bindings of a transition in which `x`
//! is `c1`. These are the names of instances, so runs and formulas use the same words.

use crate::error::InputError;
use crate::report::{Reason, Unknown};
use crate::stop::Stop;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::time::{Duration, Instant};
use symbolon_budget::Budget;
use symbolon_coloured::{
    ClassId, ColourNames, Net, PlaceId, TransitionId, UnfoldError, UnfoldLimits, Unfolded,
};
use symbolon_model::{EventId, Expr, VariableId};
use symbolon_petri as petri;
use symbolon_source::{likely, shown};

/// The most members of a class that a hint lists.
const MOST_LISTED: usize = 8;

/// A coloured net, and the way back to it from its unfolding.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    /// The net as it was written.
    pub(crate) net: Net,
    /// The tables of the unfolding; its net was taken out.
    unfolded: Unfolded,
    names: ColourNames,
    places: FxHashMap<String, PlaceId>,
    transitions: FxHashMap<String, TransitionId>,
    /// What unfolding took.
    pub(crate) time: Duration,
}

/// What is wrong with the name of a colour or of a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColourMistake {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl From<ColourMistake> for InputError {
    fn from(mistake: ColourMistake) -> InputError {
        InputError { hint: mistake.hint, ..InputError::plain(mistake.message) }
    }
}

/// Unfolds a net: the place/transition net, and the way back.
pub(crate) fn unfold_net(net: Net, budget: &Budget) -> Result<(petri::Net, Colours), Stop> {
    let start = Instant::now();
    let mut unfolded = symbolon_coloured::unfold(&net, UnfoldLimits::default(), budget).map_err(too_large)?;
    let plain = std::mem::take(&mut unfolded.net);
    let places = net.place_ids().map(|id| (net.places[id.index()].id.clone(), id)).collect();
    let transitions = net.transition_ids().map(|id| (net.transitions[id.index()].id.clone(), id)).collect();
    let names = ColourNames::of(&net);
    Ok((plain, Colours { net, unfolded, names, places, transitions, time: start.elapsed() }))
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
pub(crate) fn tokens_of(instances: Range<u32>) -> Expr {
    let mut terms: Vec<Expr> = instances.map(|place| Expr::Variable(VariableId(place))).collect();
    match terms.len() {
        0 => Expr::Constant(0),
        1 => terms.remove(0),
        _ => Expr::Sum(terms),
    }
}

impl Colours {
    /// The places as they were written, with their instances.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&symbolon_coloured::Place, Range<u32>)> {
        self.net.place_ids().map(|id| (&self.net.places[id.index()], self.unfolded.places_of(id)))
    }

    /// The transitions as they were written, with their instances.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = (&symbolon_coloured::Transition, Range<u32>)> {
        self.net
            .transition_ids()
            .map(|id| (&self.net.transitions[id.index()], self.unfolded.transitions_of(id)))
    }

    /// The ids of the places as they were written.
    pub(crate) fn place_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.net.places.iter().map(|place| place.id.as_str())
    }

    /// The ids of the transitions as they were written.
    pub(crate) fn transition_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.net.transitions.iter().map(|transition| transition.id.as_str())
    }

    /// The tables of the unfolding.
    pub(crate) fn unfolded(&self) -> &Unfolded {
        &self.unfolded
    }

    /// The transition as it was written that an event of the model is a binding of.
    pub(crate) fn transition_of(&self, event: EventId) -> TransitionId {
        self.unfolded.transition_and_binding(petri::TransitionId(event.0)).0
    }

    /// The instances of a place, or of a place and a colour; `None` if no place has this name.
    pub(crate) fn place_instances(&self, text: &str) -> Option<Result<Range<u32>, ColourMistake>> {
        if let Some(&place) = self.places.get(text) {
            return Some(Ok(self.unfolded.places_of(place)));
        }
        let (base, index) = text.strip_suffix(']')?.rsplit_once('[')?;
        let place = *self.places.get(base)?;
        Some(self.colour_instance(place, index))
    }

    fn colour_instance(&self, place: PlaceId, index: &str) -> Result<Range<u32>, ColourMistake> {
        let written = &self.net.places[place.index()];
        let items: Vec<&str> = index.split(',').map(str::trim).collect();
        let classes = &written.domain.0;
        if self.net.is_dot(&written.domain) {
            let message = format!("the tokens of '{}' have no colour", written.id);
            return Err(ColourMistake { message, hint: Some(format!("write {}", written.id)) });
        }
        if items.len() != classes.len() {
            let domain = self.net.domain_text(&written.domain);
            let message = match classes.len() {
                1 => format!(
                    "a colour of '{}' is a member of {domain}, but {} were given",
                    written.id,
                    items.len()
                ),
                count => format!(
                    "a colour of '{}' has {count} components, {domain}, but {} {} given",
                    written.id,
                    items.len(),
                    if items.len() == 1 { "was" } else { "were" },
                ),
            };
            return Err(ColourMistake { message, hint: None });
        }
        let colour: Vec<u32> = items
            .iter()
            .zip(classes)
            .map(|(item, &class)| self.member(class, item))
            .collect::<Result<_, _>>()?;
        let code = written.domain.code(&self.net, &colour);
        // A colour without an instance can never be marked.
        Ok(self.unfolded.find_place(place, code).map_or(0..0, |instance| instance.0..instance.0 + 1))
    }

    /// The instances of a transition, or those under which some variables have these colours; `None`
    /// if no transition has this name.
    pub(crate) fn transition_instances(&self, text: &str) -> Option<Result<Vec<u32>, ColourMistake>> {
        if let Some(&transition) = self.transitions.get(text) {
            return Some(Ok(self.unfolded.transitions_of(transition).collect()));
        }
        let (base, binding) = text.strip_suffix(')')?.rsplit_once('(')?;
        let transition = *self.transitions.get(base)?;
        Some(self.bound_instances(transition, binding))
    }

    fn bound_instances(&self, transition: TransitionId, binding: &str) -> Result<Vec<u32>, ColourMistake> {
        let written = &self.net.transitions[transition.index()];
        let variables = self.unfolded.variables_of(transition);
        let variable_name = |position: usize| self.net.variables[variables[position].index()].name();
        let mut wanted: Vec<(usize, u32)> = Vec::new();
        for pair in binding.split(',') {
            let Some((variable, colour)) = pair.split_once('=') else {
                let message = format!("'{}' is not a binding of '{}'", shown(pair.trim()), written.id);
                return Err(ColourMistake { message, hint: Some("a binding is written x=c1,y=c2".into()) });
            };
            let (variable, colour) = (variable.trim(), colour.trim());
            let Some(position) = (0..variables.len()).find(|&position| variable_name(position) == variable)
            else {
                let message = format!("transition '{}' has no variable '{}'", written.id, shown(variable));
                let known: Vec<&str> = (0..variables.len()).map(variable_name).collect();
                let hint = match (likely(variable, known.iter().copied()), &known[..]) {
                    (Some(near), _) => format!("did you mean '{near}'?"),
                    (None, []) => "it has no variables".to_string(),
                    (None, _) => format!("its variables are {}", known.join(", ")),
                };
                return Err(ColourMistake { message, hint: Some(hint) });
            };
            let class = self.net.variables[variables[position].index()].class;
            wanted.push((position, self.member(class, colour)?));
        }
        let fits = |instance: &u32| {
            let (_, binding) = self.unfolded.transition_and_binding(petri::TransitionId(*instance));
            wanted.iter().all(|&(position, member)| binding[position] == member)
        };
        Ok(self.unfolded.transitions_of(transition).filter(fits).collect())
    }

    /// The member of a class with this name.
    fn member(&self, class: ClassId, text: &str) -> Result<u32, ColourMistake> {
        if let Some(member) = self.names.find(&self.net, class, text) {
            return Ok(member);
        }
        let written = &self.net.classes[class.index()];
        let message = format!("class '{}' has no member '{}'", written.name(), shown(text));
        let count = written.size() as usize;
        let members: Vec<String> = (0..count.min(1000))
            .map(|member| self.names.member(&self.net, class, member as u32).into_owned())
            .collect();
        let hint = match likely(text, members.iter().map(String::as_str)) {
            Some(near) => format!("did you mean '{near}'?"),
            None if count <= MOST_LISTED => format!("its members are {}", members.join(", ")),
            None => {
                let last = self.names.member(&self.net, class, count as u32 - 1);
                format!("it has {count} members, from '{}' to '{last}'", members[0])
            }
        };
        Err(ColourMistake { message, hint: Some(hint) })
    }
}
