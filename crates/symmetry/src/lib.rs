//! Symmetries of coloured nets, and the quotient of the state space under them.
//!
//! Processes that run the same program can be exchanged for one another: if a marking can be
//! reached, so can every marking in which the members of a class have changed places. This crate
//! finds out which permutations of colours a net does not notice, and explores the net with one
//! *symbolic marking* for each orbit of markings.
//!
//! ```text
//!  coloured::Net ──find_symmetry──▶ Symmetry: each class is free, rotating or fixed, and why
//!        └───────────────┬───────────────┘
//!                     explore
//!                        ▼
//!                    Quotient ──▶ counts of markings and edges, dead markings, totals of places
//!                     │  └─lift─▶ runs and lassos of the net
//!                     └─QuotientSets, quotient_model──▶ the engine: CTL*, bounds, traces, witnesses
//! ```
//!
//! ```
//! use symbolon_budget::Budget;
//! use symbolon_coloured::families::generate;
//! use symbolon_symmetry::{Kind, explore, find_symmetry};
//!
//! let budget = Budget::unlimited();
//! let net = generate("cs-wave:5", &budget)?;
//! let symmetry = find_symmetry(&net, &[], &budget)?;
//! // The first process has a transition of its own; the other four can be exchanged.
//! let Kind::Free(subclasses) = &symmetry.classes[0].kind else { panic!() };
//! let sizes: Vec<u64> = subclasses.iter().map(|subclass| subclass.size()).collect();
//! assert_eq!(sizes, [1, 4]);
//! let reason = symmetry.classes[0].reasons[0].text(&net);
//! assert_eq!(reason, "the guard of transition 'pass' tests 'p != p1'");
//!
//! let quotient = explore(&net, &symmetry, &budget)?;
//! assert_eq!(quotient.symbolic_count(), 90);
//! assert_eq!(quotient.figures().markings.to_string(), "648");
//! // A way to the farthest marking, with the members that take part.
//! let path = quotient.path_to(89);
//! let run = quotient.lift(&path, &budget)?;
//! assert_eq!(run.len(), path.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`QuotientSets`] are state sets whose states are symbolic markings, so `TemporalChecker` and
//! `trace_to` of the engine work on them as they are, together with the model that
//! [`quotient_model`] returns: its variables are the numbers of tokens in places, its events are
//! transitions. A witness becomes a run of the net by [`quotient_steps`] and [`Quotient::lift`], or
//! [`Quotient::lift_lasso`] if it ends in a loop.
//!
//! [`explore_in_diagrams`] finds the same symbolic markings as a data decision diagram, with one
//! value per class and place. It wins where sizes of blocks vary and structure does not, counts
//! symbolic markings and markings, and answers nothing else: for logic take the explicit quotient.
//!
//! A marking and its image under a symmetry satisfy the same *symmetric* atoms, those that speak of
//! whole places and transitions, and their successors are images of each other. So the quotient
//! preserves CTL*, deadlocks and bounds for symmetric atoms, under all path semantics. A question
//! about one member is answered by a quotient in which this member stands alone: give it to
//! [`find_symmetry`], and what the question is about to [`Quotient::about`]. What agents know and can
//! force, and fairness for single processes, is not preserved.
//!
//! After C. Dutheillet's and G. Chiola's symbolic markings and Y. Thierry-Mieg, J.-M. Ilié and
//! D. Poitrenaud, *A symbolic symbolic state space representation* (FORTE 2004), with these
//! differences: labels in tuples of blocks (SYM-3), an exact canonical form in place of their sort,
//! grouping that looks at diagonals, and orbit sizes that divide by automorphisms (SYM-4).
//!
//! Invariants:
//!
//! - **SYM-1** a symmetry is verified: each permutation that keeps every static subclass of free
//!   classes, rotates rotating classes and fixes fixed ones, leaves the initial marking and the
//!   meaning of every guard and arc as they are. So it maps reachable markings to reachable
//!   markings, and steps to steps of the same transition.
//! - **SYM-2** static subclasses of a class are disjoint and cover it. They are in the order of
//!   their first members, and at least one has two members.
//! - **SYM-3** in a tuple of blocks, equal block and label mean the same member, and one block with
//!   different labels means different members. Labels of a block count from 0 in the order in which
//!   they come. So different tuples of blocks have no tuple of members in common, and each tuple of
//!   members belongs to one of them.
//! - **SYM-4** stored markings are maximally grouped and canonical: two reachable markings have the
//!   same symbolic marking if and only if a symmetry maps one to the other. The symmetries that fix
//!   one are the products of permutations inside blocks and of its automorphisms, which permute
//!   blocks of equal size and rotate.

mod detect;
mod diagram;
mod kinship;
mod quotient;
mod reason;
mod sets;
mod symmetry;

pub use detect::find_symmetry;
pub use diagram::{DiagramQuotient, MarkingNode, MarkingOutline, SpelledFigures, explore_in_diagrams};
pub use kinship::find_members;
pub use quotient::{
    Figures, LiftError, LiftedLasso, LiftedStep, Quotient, QuotientStep, Subclass, SymbolicMarking,
    SymbolicMember, explore,
};
pub use reason::Reason;
pub use sets::{
    QuotientSet, QuotientSets, binding_event, colour_variable, place_variable, quotient_model,
    quotient_steps, transition_event,
};
pub use symmetry::{ClassSymmetry, Kind, StaticSubclass, Symmetry};
