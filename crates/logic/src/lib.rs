//! Formulas: one type for CTL*, of which CTL and LTL are fragments, with knowledge and
//! strategies.
//!
//! A [`Formula`] is a table of subformulas, operands first, each stored once. Every pass over a
//! formula is therefore a loop over a table: a formula with ten thousand nested operators needs no
//! stack, and a subformula that occurs twice is worked on once. Formulas are generic over their
//! atoms: names as written in the source, or what they stand for in a model. Nothing is evaluated
//! here.
//!
//! ```text
//! text ──▶ Formula<names> ──resolved──▶ Formula<Atom> ──normal forms──▶ explicit, engine, automata
//! ```
//!
//! Invariants of a formula:
//! - **LOGIC-F1** the operands of a subformula have smaller numbers than it has; the last
//!   subformula is the formula itself.
//! - **LOGIC-F2** no two subformulas are equal.
//! - **LOGIC-F3** every subformula occurs in the formula.
//! - **LOGIC-F4** subformulas are numbered in the order in which a reader is done with them, left
//!   to right; so two formulas are equal if and only if they read the same.
//!
//! What a path is, and what happens where one ends, is defined by [`Paths`].

mod contest;
mod formula;
mod formula_file;
mod fragment;
mod name;
mod named_atom;
mod negation_normal_form;
mod parse;
mod paths;
mod print;
mod properties;
mod read_properties;
mod reduce_to_stutter;
mod rewrite;
mod simplify;

pub use contest::read_contest_properties;
pub use formula::{Builder, Formula, FormulaId, Knowledge, Operator};
pub use formula_file::read_formula_file;
pub use fragment::{Fragment, Sorts};
pub use name::{Name, Span};
pub use named_atom::{LinearExpr, NamedAtom};
pub use negation_normal_form::negation_normal_form;
pub use parse::{FormulaError, Parsed, meant_by_name, parse_formula};
pub use paths::{Paths, UnknownPaths};
pub use print::Shown;
pub use properties::Properties;
pub use read_properties::read_properties;
pub use reduce_to_stutter::reduce_to_stutter;
pub use simplify::simplify;
pub use symbolon_source::Property;
