//! Formulas decided by the few states that matter.
//!
//! A diagram answers once it holds all reachable states. Many formulas need a handful: `EF p` one way to
//! a state with `p`, `AG (p -> EX q)` no more than the states around the first counterexample. This crate
//! visits states one by one, from the initial one, and only those that the formula asks for.
//!
//! ```text
//! Model ──▶ Successors   which events are enabled, found from the marked variables
//!             │
//!         States         every state that was met, packed into bits, each once
//!             │
//!         LocalSearch    the values of subformulas in states, as far as they were asked for
//! ```
//!
//! ```
//! use symbolon_budget::Budget;
//! use symbolon_local::LocalSearch;
//! use symbolon_logic::{Builder, Operator, Paths};
//! use symbolon_model::{Atom, Comparison, Expr, Predicate, VariableId};
//! use symbolon_petri::{families, lower};
//!
//! let net = families::generate("philosophers", &[1000], &Budget::unlimited())?;
//! let model = lower(&net);
//! // Some place loses its token: EF (p0 = 0).
//! let mut builder = Builder::default();
//! let is_empty = Predicate::Compare(Expr::Variable(VariableId(0)), Comparison::Equal, Expr::Constant(0));
//! let p = builder.atom(Atom::Holds(is_empty));
//! let eventually = builder.add(Operator::Finally(p));
//! let exists = builder.add(Operator::Exists(eventually));
//! let formula = builder.finish(exists);
//! let mut search = LocalSearch::new(&model, &Budget::unlimited())?;
//! assert_eq!(search.check(&formula, Paths::Maximal, u64::MAX), Ok(true));
//! assert!(search.state_count() < 3000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants:
//!
//! - **LOCAL-1** a state is stored once, and whole: no hash stands for a state.
//! - **LOCAL-2** a value is written down only when it is certain; those of a search that was cut off are
//!   thrown away together.
//! - **LOCAL-3** each pair of a state and a subformula is decided once: a search is linear in what it
//!   visits.

mod ctl;
mod formula;
mod search;
mod states;
mod successors;
mod visits;

pub use search::{LocalSearch, Refused};
pub use visits::Stopped;
