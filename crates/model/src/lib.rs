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
//! - **M3** what [`Facts`] state holds in every reachable state; whoever lowers a language proves it.

mod atom;
mod component;
mod event;
mod expr;
mod facts;
mod linear;

pub use atom::Atom;
pub use component::{Component, ComponentId};
pub use event::{Change, Event, EventId, OutOfRange, Part};
pub use expr::{Comparison, Expr, Predicate};
pub use facts::{ExclusiveSet, Facts, LinearInvariant};
pub use linear::Linear;

/// One assignment: the value of each variable, in the order of [`Model::variables`].
pub type State = Box<[u64]>;

/// The number of a variable in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The number as an index into tables with one entry a variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component of the state: a natural number below 2^63.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unique in the model.
    pub name: String,
}

/// A system to be explored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What the system is called.
    pub name: String,
    /// The components of a state.
    pub variables: Vec<Variable>,
    /// The initial states; at least one.
    pub initial: Vec<State>,
    /// What may happen.
    pub events: Vec<Event>,
    /// The tree of components, parents before children; the first, if any, is the root.
    pub components: Vec<Component>,
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

    /// The variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<VariableId> {
        self.variable_ids().find(|id| self.variables[id.index()].name == name)
    }
}
