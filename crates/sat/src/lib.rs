//! Bounded model checking by satisfiability.
//!
//! Is there a state of a certain kind within k steps? The runs of k steps are written as a
//! propositional formula, and a solver looks for one that ends in such a state; k grows until one
//! is found, the bound is met, or no run is that long.
//!
//! ```text
//! Model ──Actions──▶ Unrolling ──Circuit──▶ clauses ──Solver──▶ a solution ──▶ events ──replay──▶ Trace
//!            │           │
//!            │           └─ interleaving, joint steps, chained steps, all agents at once; numbers unary or binary
//!            └─ who can swap with whom, who waits for whom: the normal forms
//! ```
//!
//! What makes it fast is not the solver but the normal forms: of all runs that differ only in the
//! order of independent events one is enough, and saying so spares the solver to refute all the
//! others ([`Semantics`] has three notions of a step, each with a normal form of its own;
//! `unrolling` and `action` say why nothing is lost).
//!
//! - **SAT-S1** whatever is reported as found was walked step by step by the explicit simulator.
//! - **SAT-S2** bounds are tried from 0 upwards, so the first one with an answer is the least.
//! - **SAT-S3** no value is cut off: numbers are as wide as the steps can make them, and what would
//!   exceed the range of values is reported, never wrapped.
//!
//! [`prove`] shows by induction that no such state can be reached at all.

mod action;
mod circuit;
mod dimacs;
mod error;
mod expression;
mod goal;
mod induction;
mod literal;
mod number;
mod run;
mod search;
mod solver;
mod unrolling;

pub use dimacs::ClauseList;
pub use error::{Error, Stopped};
pub use goal::Goal;
pub use induction::{prove, prove_with};
pub use literal::Literal;
pub use run::Run;
pub use search::{Found, Options, Outcome, Proof, Report, formula, search, search_with};
#[cfg(feature = "cadical")]
pub use solver::Cadical;
pub use solver::{Answer, Batsat, Clauses, Effort, Minimisation, Solver, SolverName, WrongSolver};
pub use unrolling::{NormalForms, Semantics};
