//! Multi-agent systems in ISPL, the Interpreted Systems Programming Language: reader, printer,
//! meaning, families.
//!
//! A file declares agents with variables, actions, a protocol (which actions are on offer in which
//! local state) and an evolution (how variables change with the actions of all); then atoms,
//! initial states, groups of agents, fairness, and formulas that are asked. [`load`] reads a file
//! and finds out what its names mean:
//!
//! ```text
//! bytes ──parse──▶ System (tree, as written) ──lower──▶ Loaded: Model, atoms, fairness, formulas
//!                      └──print──▶ text, normalised
//! ```
//!
//! The agents become the components of one synchronous step: a choice for each protocol, a reaction
//! for each evolution (or for each variable, with single assignment). What an agent observes
//! becomes an observer of the model.
//!
//! Invariants:
//! - **ISPL-I1** a tree that is printed and read again is equal to itself.
//! - **ISPL-I2** no bytes make the reader panic, and it needs no more stack than a fixed depth of
//!   brackets takes.
//! - **I3** every error and warning has a place in the text, as far as one can be named.

pub mod families;
mod lower;
mod print;
mod read;
pub mod tree;

pub use lower::{Asked, LineSource, Loaded, at_dead_states, load, load_tree};
pub use read::parse;
pub use tree::System;

/// What the agent is called that comes first and owns what everyone may see.
pub const ENVIRONMENT: &str = "Environment";
