//! A second opinion about everything that the product answers: a reference semantics in plain code.
//!
//! The referee works from the *text* of a model and the text of a formula. It depends on no other
//! crate of this workspace, so a mistake in a reader, in the lowering, in the engine or in
//! `explicit` cannot repeat itself here. It is slow on purpose: a state is a vector of numbers, a
//! state space is a list of them, and every operator is computed from its definition. Models have
//! at most a few thousand states.
//!
//! ```text
//! model text ── net.rs, coloured.rs, … ──▶ Model ── graph.rs ──▶ Graph ─┐
//! formula text ── parse.rs, contest.rs ──▶ Formula ───────────────────────────┴─ check.rs ──▶ truth
//! JSON ── witness.rs ──▶ Run, every step legal ── judge.rs ──▶ does it show the verdict?
//! ```
//!
//! | file | one idea |
//! | --- | --- |
//! | `model.rs` | what a model is: variables, initial states, steps, agents |
//! | `net.rs`, `xml.rs` | place/transition nets in PNML |
//! | `coloured.rs` | coloured nets in PNML, played without unfolding |
//! | `program.rs` | guarded commands |
//! | `agents.rs` | multi-agent systems in ISPL |
//! | `formula.rs`, `parse.rs`, `contest.rs` | formulas and their two notations |
//! | `graph.rs` | the reachable states, breadth first |
//! | `paths.rs` | whether a path with certain obligations exists; the three notions of a path |
//! | `check.rs` | in which states a formula holds |
//! | `knowledge.rs`, `strategy.rs` | what agents know, what groups can force |
//! | `witness.rs`, `judge.rs` | runs in JSON: legal, convincing, shortest |
//!
//! Only tests and `cargo xtask attack` use this crate. The product never depends on it.

pub mod agents;
pub mod check;
pub mod coloured;
pub mod contest;
pub mod formula;
pub mod graph;
pub mod judge;
mod knowledge;
mod lexer;
pub mod model;
pub mod net;
pub mod parse;
pub mod paths;
pub mod program;
mod strategy;
pub mod witness;
pub mod xml;

pub use check::{Checker, Question, Semantics};
pub use formula::Formula;
pub use graph::Graph;
pub use model::{Kind, Model, State, Step, Variable};
