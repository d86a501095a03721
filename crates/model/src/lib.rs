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
mod model;
mod observer;
mod origin;
mod step;
mod trace;
mod variable;

pub use atom::Atom;
pub use choice::{ActionVariable, Choice, Line, Reaction};
pub use component::{Component, ComponentId};
pub use event::{Change, Event, EventId, OutOfRange, Part};
pub use expr::{Comparison, Expr, Predicate};
pub use facts::{ExclusiveSet, Facts, LinearInvariant};
pub use linear::Linear;
pub use model::Model;
pub use observer::{Group, Observer, ObserverId, Observers};
pub use origin::{Origin, Origins, Source};
pub use step::Step;
pub use trace::Trace;
pub use variable::{State, Values, Variable, VariableId};
