//! Coloured (symmetric) nets: the typed source, its PNML, and its unfolding.
//!
//! Tokens of a coloured net carry colours: tuples of members of finite classes. A transition has
//! variables; each binding of them under which its guard holds is one way to fire, and arcs say, as
//! terms over the variables, which multisets of colours are taken and put.
//!
//! ```text
//!  PNML ──read──▶ Net ──unfold──▶ Unfolded: a petri::Net, and the way back
//!                  │                        Think[3]       is place Think, colour 3
//!                  └──write──▶ PNML         take(x=1,y=2)  is transition take, binding x=1, y=2
//! ```
//!
//! ```
//! use symbolon_budget::Budget;
//! use symbolon_coloured::{
//!     Arc, Class, Domain, Guard, MemberTerm, MultisetTerm, Net, Transition, UnfoldLimits, unfold,
//! };
//!
//! // Three seats in a circle, and a guest who moves on to the next one.
//! let mut net = Net::default();
//! let seats = net.add_class(Class::range("Seat", 1, 3));
//! let x = net.add_variable("x", seats);
//! let first = MultisetTerm::Member(MemberTerm::Constant { class: seats, member: 0 });
//! let guest = net.add_place("guest", Domain::of(seats), first);
//! let here = MemberTerm::variable(x);
//! let arcs = vec![
//!     Arc::Input { place: guest, tokens: MultisetTerm::Member(here) },
//!     Arc::Output { place: guest, tokens: MultisetTerm::Member(here.shifted(3, 1)) },
//! ];
//! net.add_transition(Transition::new("move", Guard::Constant(true), arcs));
//! net.check()?;
//!
//! let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited())?;
//! assert_eq!(unfolded.net.places[2].id, "guest[3]");
//! assert_eq!(unfolded.net.transitions[0].id, "move(x=1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Products are flat everywhere: a [`Domain`] is a list of classes, a colour a list of members.
//! Domains are never listed, because products of large classes have more colours than fit into
//! memory, of which few are ever marked.
//!
//! Invariants of a [`Net`], checked by [`Net::check`] and established by every reader:
//!
//! - **COL-1** ids are distinct: those of classes, products and partitions together, those of the
//!   constants of one class, of all parts, of variables, of places, of transitions.
//! - **COL-2** a class has 1 to [`LARGEST_CLASS_SIZE`] members, and at most one class is that of black
//!   tokens. The domain of a place has 1 to
//!   [`LARGEST_FACTOR_COUNT`] factors, and at most 2^63 − 1 colours.
//! - **COL-3** a partition has every member of its class in exactly one part; the members of a part
//!   ascend, and there is at least one.
//! - **COL-4** a term has the domain of its place; a comparison is between members of one class, or
//!   parts of one partition.
//! - **COL-5** shifts of variables are smaller than their class, and 0 if the class has no
//!   successors; constants are members; counts are at most 2^63 − 1; initial markings contain no
//!   variables. Tuples, sums, conjunctions and disjunctions have at least two operands; no operand
//!   of a tuple is a tuple, none of a sum a sum.
//! - **COL-6** the arcs of a transition ascend by [`Arc::position`]; there may be several of one
//!   kind at one place. Pages follow their parents.

mod arc;
mod check;
mod class;
mod colour;
mod domain;
mod evaluate;
pub mod families;
mod firing;
mod guard;
mod ids;
pub mod net;
pub mod read;
mod regroup;
mod singles;
mod strip;
mod term;
pub mod text;
pub mod unfold;
pub mod write;

pub use arc::Arc;
pub use check::{BrokenNet, TypeProblem};
pub use class::{Class, Constant, LARGEST_CLASS_SIZE, Members, Part, PartId, Partition};
pub use colour::{ColourNames, MemberNames};
pub use domain::{Domain, LARGEST_FACTOR_COUNT};
pub use firing::{Marking, NotFired, codes_of};
pub use guard::{Guard, PartTerm, Relation};
pub use ids::{ClassId, PageId, PartitionId, PlaceId, TransitionId, VariableId};
pub use net::{Net, Page, Place, Position, Product, Transition, Variable};
pub use regroup::{Belonging, Colouring, Regrouped, regroup};
pub use singles::{PartialBinding, PlaceColour, Singles};
pub use strip::{Skeleton, strip};
pub use term::{MemberTerm, MultisetTerm};
pub use unfold::{
    Instances, UnfoldError, UnfoldLimits, Unfolded, UnfoldedSizes, fold_sums, unfold, unfolded_sizes,
};
