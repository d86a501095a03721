//! The meeting point of languages and diagrams.
//!
//! A [`Model`] is what every input language is lowered to and what every kind of state set is built
//! from. It knows neither PNML nor decision diagrams:
//!
//! ```text
//! net, agents, commands ──lower──▶ Model ──encode──▶ state sets in some kind of diagram
//! ```
//!
//! A **state** gives each variable a natural number. The next-state relation is a disjunction of
//! asynchronous events, each a conjunction of parts over the few variables it reads and writes:
//! `R = ⋁_event ⋀_part C(event, part)`. A variable that no part of an event writes keeps its value.
//!
//! Invariants:
//! - **M1** no variable is written by two parts of one event.
//! - **M2** every id in a model is an index into that model's own tables.
//! - **M3** what [`Facts`] state holds in every reachable state; the lowering of a language proves
//!   it.
//! - **M4** where initial states are described by a predicate, every variable has finitely many
//!   [`Values`].
//! - **M5** an event with a [`Choice`] or a [`Reaction`] has no parts of other kinds, one choice
//!   for each action variable, and every variable that it writes has finitely many values.

mod assume;
mod atom;
mod choice;
mod component;
mod event;
mod expr;
mod facts;
mod linear;
mod observer;
mod origin;
mod trace;

pub use atom::Atom;
pub use choice::{ActionVariable, Choice, Line, Reaction, Step};
pub use component::{Component, ComponentId};
pub use event::{Change, Event, EventId, OutOfRange, Part};
pub use expr::{Comparison, Expr, Predicate};
pub use facts::{ExclusiveSet, Facts, LinearInvariant};
pub use linear::Linear;
pub use observer::{Group, Observer, ObserverId, Observers};
pub use origin::{Origin, Origins, Source};
pub use trace::Trace;

/// One assignment: the value of each variable, in the order of [`Model::variables`].
pub type State = Box<[u64]>;

/// The number of a variable in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The number as an index into tables with one entry per variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component of the state: a natural number below 2^63.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unique in the model.
    pub name: String,
}

/// Which values a variable may have. States hold them as natural numbers from 0 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// Any natural number below 2^63, called by itself.
    #[default]
    Natural,
    /// The integers from `least` to `largest`; a state holds the distance from `least`.
    Range {
        /// The smallest.
        least: i64,
        /// The largest; not smaller.
        largest: i64,
    },
    /// `false` (0) and `true` (1).
    Boolean,
    /// One name each, at least one.
    Named(Vec<String>),
}

impl Values {
    /// How many values there are; `None` where any natural number is one.
    pub fn count(&self) -> Option<u64> {
        match self {
            Values::Natural => None,
            Values::Range { least, largest } => Some(largest.abs_diff(*least).saturating_add(1)),
            Values::Boolean => Some(2),
            Values::Named(names) => Some(names.len() as u64),
        }
    }

    /// What the number `value` of a state stands for, as users write it.
    pub fn text(&self, value: u64) -> String {
        match self {
            Values::Natural => value.to_string(),
            Values::Range { least, .. } => (i128::from(*least) + i128::from(value)).to_string(),
            Values::Boolean => (value != 0).to_string(),
            Values::Named(names) => {
                names.get(value as usize).map_or_else(|| value.to_string(), String::clone)
            }
        }
    }
}

/// A system to be explored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What the system is called.
    pub name: String,
    /// The components of a state.
    pub variables: Vec<Variable>,
    /// Where the variables come from in the source.
    pub origins: Origins,
    /// Which numbers each variable may be. Empty, as for nets, which have millions of variables:
    /// any.
    pub values: Vec<Values>,
    /// The initial states, one by one; at least one, unless `initially` describes them.
    pub initial: Vec<State>,
    /// The initial states, described (M4): all that satisfy this. Then `initial` is empty.
    pub initially: Option<Box<Predicate>>,
    /// What agents do in a synchronous step; their ids follow those of the variables.
    pub actions: Vec<ActionVariable>,
    /// What may happen.
    pub events: Vec<Event>,
    /// The tree of components, parents before children; the first, if any, is the root.
    pub components: Vec<Component>,
    /// Who observes what, for questions of knowledge and strategy.
    pub observers: Observers,
    /// What is known of every reachable state before exploring.
    pub facts: Facts,
}

impl Model {
    /// All variable ids, in order.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// All event ids, in order.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len() as u32).map(EventId)
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// Which numbers the variable with this id may be, and what they are called.
    pub fn values_of(&self, id: VariableId) -> &Values {
        self.values.get(id.index()).unwrap_or(&Values::Natural)
    }

    /// All ids of action variables, in order.
    pub fn action_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        let first = self.variables.len() as u32;
        (first..first + self.actions.len() as u32).map(VariableId)
    }

    /// What the action variable with this id is; `None` for a variable of the state.
    pub fn action(&self, id: VariableId) -> Option<&ActionVariable> {
        id.index().checked_sub(self.variables.len()).and_then(|index| self.actions.get(index))
    }

    /// Whether the model moves in synchronous steps.
    pub fn is_synchronous(&self) -> bool {
        self.events.iter().any(Event::is_synchronous)
    }

    /// Whether an event can happen in `state`: a synchronous step, whether it leads anywhere.
    pub fn can_happen(&self, event: EventId, state: &[u64]) -> bool {
        let event = self.event(event);
        if !event.is_synchronous() {
            return event.is_enabled(state);
        }
        let mut leads_somewhere = false;
        Step::new(self, event).for_each(state, |_, _| {
            leads_somewhere = true;
            false
        });
        leads_somewhere
    }

    /// The variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<VariableId> {
        self.variable_ids().find(|id| self.variables[id.index()].name == name)
    }
}
