//! From formulas about paths to automata that accept exactly the paths that satisfy them.
//!
//! ```text
//!  E f ──path_formula──▶ Formula<u32> ──translate──▶ Automaton ──▶ engine: product with states
//!        (state formulas become      terms ▶ moves ▶     ▲
//!         propositions 0, 1, …)      states ▶ reduced    └── read_hoa: other translators
//! ```
//!
//! An [`Automaton`] is a generalised Büchi automaton with marks on its edges; its runs are defined
//! there, and everything that uses this crate follows that convention. Words are infinite: what
//! happens at a dead state, the caller has expressed by a formula already
//! (`symbolon_logic::Paths`).
//!
//! [`translate`] works in three steps: `terms.rs` brings the formula into a normal form and
//! simplifies it, `cover.rs` takes terms apart into what they ask of now and of later, and
//! `reduce.rs` makes the automaton smaller.
//!
//! ```
//! use symbolon_automata::translate;
//! use symbolon_budget::Budget;
//! use symbolon_logic::{Builder, Operator};
//!
//! let mut builder = Builder::default();
//! let p = builder.atom(0);
//! let finally = builder.add(Operator::Finally(p));
//! let again_and_again = builder.add(Operator::Globally(finally));
//! let automaton = translate(&builder.finish(again_and_again), &Budget::unlimited())?;
//! assert_eq!((automaton.state_count(), automaton.mark_count()), (1, 1));
//! # Ok::<(), symbolon_budget::Interrupted>(())
//! ```

mod automaton;
mod components;
mod cover;
mod emptiness;
mod hoa;
mod implication;
mod label;
mod normalise;
mod path_automaton;
mod path_formula;
mod reduce;
mod sorted;
mod terms;
mod translate;

pub use automaton::{Automaton, Edge};
pub use emptiness::{AcceptedWord, accepted_word, is_satisfiable};
pub use hoa::{NamedAutomaton, ltl_text, proposition_name, read_hoa, write_hoa};
pub use label::{Label, Marks};
pub use path_automaton::PathAutomaton;
pub use path_formula::{PathFormula, path_formula};
pub use reduce::reduce;
pub use translate::translate;
