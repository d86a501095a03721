//! A small, slow, obvious explicit-state explorer.
//!
//! It visits the states of a [`Model`](symbolon_model::Model) one by one, breadth first, and keeps
//! them all in one table. It knows no decision diagrams and shares no algorithm with the engine,
//! so that the tests may believe it: what the clever engines say must agree with what is said
//! here. The same explorer answers users who ask for `--diagram explicit`, and [`replay`] walks
//! every witness step by step before it is shown.
//!
//! ```text
//! explore ──▶ Exploration ──▶ counts, maxima, dead states, shortest traces, live events
//!                 │
//!                 └─ StateTable: all states in one flat vector, plus a hash index
//!
//! check ────▶ Checked ──────▶ for each state and each state formula of CTL*, whether it holds
//!
//! find_path ▶ PathFound ────▶ a path that satisfies a formula of LTL, searched on the fly
//! ```
//!
//! Invariants:
//! - **EXPLICIT-X1** states are numbered in the order of a breadth-first search, so a smaller
//!   number never means a greater distance from the initial states.
//! - **EXPLICIT-X2** no state is stored twice.

mod accepts_run;
mod check;
mod digraph;
mod explore;
mod fair_strategy;
mod find_path;
mod initial_states;
mod joint_trace;
mod lasso;
mod liveness;
mod overflows;
mod path_formula;
mod replay;
mod state_formula;
mod state_graph;
mod strategy;
mod table;
mod tree;

pub use accepts_run::accepts_run;
pub use check::{CheckOptions, Checked, Checker, FoundRun, Method, check};
pub use explore::{Exploration, Options, Reason, Stopped, explore, find, find_joint};
pub use fair_strategy::{
    Challenge, FairCounterStrategy, FairPlay, Memory, begins_fair_path, follow_fair_counter_strategy,
    follow_fair_strategy,
};
pub use find_path::{PathFound, find_accepted_path, find_path};
pub use initial_states::initial_states;
pub use joint_trace::{JointStep, JointTrace, joint_trace_along, replay_joint};
pub use lasso::{Ending, Lasso, LassoError, holds_on_lasso, replay_lasso, truth_on_lasso};
pub use overflows::{Overflow, find_overflows};
pub use path_formula::Truth;
pub use replay::{ReplayError, replay, replay_each};
pub use strategy::{
    CounterAnswer, CounterStrategy, Goal, Strategy, StrategyError, follow_counter_strategy, follow_strategy,
};
pub use symbolon_model::Trace;
pub use tree::{Branch, Link, Run, Tree, replay_tree, shown_by_tree};
