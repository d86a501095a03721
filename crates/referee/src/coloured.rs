//! Coloured (symmetric) nets, read from PNML and played by their own firing rule, without unfolding.
//!
//! A marking gives a number of tokens to every pair of a place and a colour of its domain. A
//! transition is tried under every binding of its variables, the whole product of their classes, one
//! binding after the other. Under a binding each arc is a multiset of colours, and the transition is
//! enabled if
//!
//! - the guard is true,
//! - the place of each input arc holds that multiset; several input arcs of one place add up,
//! - the place of each read arc holds that multiset,
//! - the place of each inhibitor arc holds, of every colour in the multiset, fewer tokens than the
//!   multiset has.
//!
//! Firing takes the multisets of the input arcs, then takes all tokens of the colours in the
//! multisets of the reset arcs, and then puts the multisets of the output arcs. A reset arc without
//! an inscription empties its place.
//!
//! The variables of a transition are those that occur in its guard or on its arcs; every binding of
//! them is a step of its own, even if two bindings lead to the same marking.
//!
//! # Names
//!
//! A variable of the model is called `p[a,b]`, with the names of the colours; a place of the domain
//! `dot` has its plain name. In a formula `p` alone stands for all tokens of the place. A step is
//! called `t(x=a,y=b)`, with the variables in the order in which the file declares them, or `t` if
//! the transition has none. In a formula `fireable(t)` means some binding, and `fireable(t(x=a))`
//! some binding with these values. The colours of a class go by their `name` in the file if names
//! are different and have no signs that separate colours, and by their `id` otherwise; so do the
//! variables of the file.

mod read;
mod term;
#[cfg(test)]
mod tests;

use crate::model::{Agents, Kind, Model, State, Step, Variable};
use std::collections::BTreeMap;
use term::{Bag, Colour, Guard, Term};

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arc {
    Input,
    Output,
    Inhibitor,
    Read,
    Reset,
}

/// A place, and where its colours stand in a marking.
#[derive(Clone, Debug)]
struct Place {
    id: String,
    positions: BTreeMap<Colour, usize>,
}

/// A variable of transitions: its name, and the names of the values that it ranges over.
#[derive(Clone, Debug)]
struct Unknown {
    name: String,
    values: Vec<String>,
}

/// A transition: its guard, its arcs, and its variables, which are numbers of [`Unknown`]s.
#[derive(Clone, Debug)]
struct Transition {
    id: String,
    guard: Guard,
    arcs: Vec<(Arc, usize, Term)>,
    variables: Vec<usize>,
}

/// A value for each variable of the file; only those of one transition matter.
type Binding = Vec<usize>;

/// A coloured net.
#[derive(Clone, Debug)]
pub struct ColouredNet {
    tokens: Vec<Variable>,
    places: Vec<Place>,
    unknowns: Vec<Unknown>,
    transitions: Vec<Transition>,
    initial: State,
    agents: Agents,
}

/// The colours that all places together may have; a file with more is refused.
const MOST_COLOURS: usize = 200_000;

impl ColouredNet {
    /// Reads PNML.
    pub fn read(text: &str) -> Result<ColouredNet, String> {
        read::net(text)
    }

    /// The names of the transitions.
    pub fn transitions(&self) -> impl Iterator<Item = &str> {
        self.transitions.iter().map(|transition| transition.id.as_str())
    }

    /// Every name of a step that some binding gives, whether or not the guard allows it.
    pub fn bindings(&self) -> Vec<String> {
        let of =
            |transition| self.bindings_of(transition).into_iter().map(|one| self.label(transition, &one));
        self.transitions.iter().flat_map(of).collect()
    }

    /// The whole product of the classes of a transition's variables.
    fn bindings_of(&self, transition: &Transition) -> Vec<Binding> {
        let mut bindings = vec![vec![0; self.unknowns.len()]];
        for &variable in &transition.variables {
            let values = 0..self.unknowns[variable].values.len();
            let with = |binding: Binding| {
                values.clone().map(move |value| {
                    let mut binding = binding.clone();
                    binding[variable] = value;
                    binding
                })
            };
            bindings = bindings.into_iter().flat_map(with).collect();
        }
        bindings
    }

    /// `x=a` for each variable of a transition.
    fn values(&self, transition: &Transition, binding: &Binding) -> Vec<String> {
        let value = |&variable: &usize| {
            let unknown = &self.unknowns[variable];
            format!("{}={}", unknown.name, unknown.values[binding[variable]])
        };
        transition.variables.iter().map(value).collect()
    }

    /// The name of a step.
    fn label(&self, transition: &Transition, binding: &Binding) -> String {
        match self.values(transition, binding).join(",") {
            values if values.is_empty() => transition.id.clone(),
            values => format!("{}({values})", transition.id),
        }
    }

    /// The multisets of a transition's arcs of one kind, with their places.
    fn bags(&self, transition: &Transition, kind: Arc, binding: &Binding) -> Vec<(&Place, Bag)> {
        let arcs = transition.arcs.iter().filter(|(arc, ..)| *arc == kind);
        arcs.map(|(_, place, term)| (&self.places[*place], term.bag(binding))).collect()
    }

    fn is_enabled(&self, transition: &Transition, binding: &Binding, marking: &[i128]) -> bool {
        if !transition.guard.is_true(binding) {
            return false;
        }
        let bags = |kind: Arc| self.bags(transition, kind, binding);
        let all = |place: &Place, bag: &Bag, test: &dyn Fn(i128, i128) -> bool| {
            bag.iter().all(|(colour, &number)| test(marking[place.positions[colour]], number))
        };
        // Several input arcs of one place add up.
        let mut needed: BTreeMap<usize, i128> = BTreeMap::new();
        for (place, bag) in bags(Arc::Input) {
            for (colour, number) in bag {
                *needed.entry(place.positions[&colour]).or_default() += number;
            }
        }
        needed.iter().all(|(&position, needed)| marking[position] >= *needed)
            && bags(Arc::Read).iter().all(|(place, bag)| all(place, bag, &|tokens, least| tokens >= least))
            && bags(Arc::Inhibitor).iter().all(|(place, bag)| all(place, bag, &|tokens, most| tokens < most))
    }

    fn fire(&self, transition: &Transition, binding: &Binding, marking: &[i128]) -> State {
        let mut next = marking.to_vec();
        for (kind, change) in [
            (Arc::Input, (|tokens, number| tokens - number) as fn(i128, i128) -> i128),
            (Arc::Reset, |_, _| 0),
            (Arc::Output, |tokens, number| tokens + number),
        ] {
            for (place, bag) in self.bags(transition, kind, binding) {
                for (colour, number) in bag {
                    let position = place.positions[&colour];
                    next[position] = change(next[position], number);
                }
            }
        }
        next
    }
}

impl Model for ColouredNet {
    fn variables(&self) -> &[Variable] {
        &self.tokens
    }

    fn initial_states(&self) -> Vec<State> {
        vec![self.initial.clone()]
    }

    fn steps(&self, state: &[i128]) -> Vec<Step> {
        let mut steps = Vec::new();
        for transition in &self.transitions {
            for binding in self.bindings_of(transition) {
                if self.is_enabled(transition, &binding, state) {
                    let label = vec![self.label(transition, &binding)];
                    steps.push(Step { label, to: self.fire(transition, &binding, state) });
                }
            }
        }
        steps
    }

    fn is_true(&self, name: &str, state: &[i128]) -> Result<bool, String> {
        self.value(name, state).map(|tokens| tokens > 0).ok_or_else(|| format!("no place {name}"))
    }

    fn is_fireable(&self, event: &str, state: &[i128]) -> Result<bool, String> {
        let (id, wanted) = match event.strip_suffix(')').and_then(|event| event.split_once('(')) {
            Some((id, values)) => (id, values.split(',').collect()),
            None => (event, Vec::new()),
        };
        let transition = self.transitions.iter().find(|transition| transition.id == id);
        let transition = transition.ok_or_else(|| format!("no transition {id}"))?;
        let mut is_binding = false;
        for binding in self.bindings_of(transition) {
            let values = self.values(transition, &binding);
            if wanted.iter().all(|wanted| values.iter().any(|value| value == wanted)) {
                is_binding = true;
                if self.is_enabled(transition, &binding, state) {
                    return Ok(true);
                }
            }
        }
        // A class without members has no bindings, and nobody asks for one then.
        if is_binding || wanted.is_empty() { Ok(false) } else { Err(format!("no binding {event}")) }
    }

    fn agents(&self) -> &Agents {
        &self.agents
    }

    fn value(&self, name: &str, state: &[i128]) -> Option<i128> {
        let whole = self.places.iter().find(|place| place.id == name);
        match whole {
            Some(place) => Some(place.positions.values().map(|&position| state[position]).sum()),
            None => self.position(name).map(|position| state[position]),
        }
    }

    fn places(&self) -> Vec<(String, Vec<usize>)> {
        let place = |place: &Place| (place.id.clone(), place.positions.values().copied().collect());
        self.places.iter().map(place).collect()
    }
}

/// The variable that holds the tokens of a colour.
fn token(place: &str, colours: &[String]) -> Variable {
    let name = match colours {
        [] => place.to_string(),
        colours => format!("{place}[{}]", colours.join(",")),
    };
    Variable { name, kind: Kind::Number }
}
