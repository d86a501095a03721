//! Symmetries of coloured nets.
//!
//! Processes that run the same program can be exchanged for one another: if a marking can be
//! reached, so can every marking in which the members of a class have changed places. This crate
//! finds out which permutations of colours a net does not notice.
//!
//! ```text
//!  coloured::Net ──find_symmetry──▶ Symmetry: each class is free, rotating or fixed, and why
//! ```
//!
//! ```
//! use symbolon_budget::Budget;
//! use symbolon_coloured::families::generate;
//! use symbolon_symmetry::{Kind, find_symmetry};
//!
//! let net = generate("cs-wave:5", &Budget::unlimited())?;
//! let symmetry = find_symmetry(&net, &[], &Budget::unlimited())?;
//! // The first process has a transition of its own; the other four can be exchanged.
//! let Kind::Free(subclasses) = &symmetry.classes[0].kind else { panic!() };
//! let sizes: Vec<u64> = subclasses.iter().map(|subclass| subclass.size()).collect();
//! assert_eq!(sizes, [1, 4]);
//! let reason = symmetry.classes[0].reasons[0].text(&net);
//! assert_eq!(reason, "the guard of transition 'pass' tests 'p != p1'");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants:
//!
//! - **SYM-1** a symmetry is verified: each permutation that keeps every static subclass of free
//!   classes, rotates rotating classes and fixes fixed ones, leaves the initial marking and the
//!   meaning of every guard and arc as they are. So it maps reachable markings to reachable
//!   markings, and steps to steps of the same transition.
//! - **SYM-2** static subclasses of a class are disjoint and cover it. They are in the order of their
//!   first members, and at least one has two members.

mod detect;
mod quotient;
mod reason;
mod symmetry;

pub use detect::find_symmetry;
pub use quotient::{
    Figures, LiftError, LiftedLasso, LiftedStep, Quotient, QuotientStep, Subclass, SymbolicMarking,
    SymbolicMember, explore,
};
pub use reason::Reason;
pub use symmetry::{ClassSymmetry, Kind, StaticSubclass, Symmetry};
