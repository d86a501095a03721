//! Data decision diagrams and hierarchical set diagrams: sets of sequences of values and of
//! components, relations and homomorphisms on them, automatic saturation.
//!
//! A **sequence** has slots; a slot is a value or a *component*, which is a sequence again. A node
//! stands for a set of sequences by one equation for each of its two kinds:
//!
//! ```text
//! leaf node   ⟦node⟧ = { v · rest | rest ∈ ⟦child for v⟧ }                            ⟦ONE⟧ = { () }
//! set node    ⟦node⟧ = { c · rest | c ∈ ⟦label⟧, rest ∈ ⟦child⟧, for some arc (label, child) }
//! ```
//!
//! ```text
//! two philosophers            ┌────────────────┐        set node: arcs lead down to the second philosopher, and
//!                             │ label ─┐ label │        are labelled by what the first one may do
//!                             └───┼────┼───┼───┘
//!                    ┌────────────┘    ▼   └──▶ …
//!                    ▼              ┌─────┐
//!                 ┌─ 0 ─ 1 ─┐       │ lbl │             labels and rest share nodes: both are philosophers
//!                 └──┼───┼──┘       └──┼──┘
//!                    └─┬─┘             ▼
//!                     ONE             ONE
//! ```
//!
//! A diagram of leaf nodes alone is a **data decision diagram** (Couvreur et al., 2002): leaf nodes
//! carry a variable, variables may repeat, sequences may have different lengths. With set nodes it
//! is a **hierarchical set diagram** (Couvreur and Thierry-Mieg, 2005). Inside hierarchies the
//! variable is 0 everywhere: *nodes know neither place nor level*, so that equal parts of a model
//! are the same node wherever they stand.
//!
//! - **HIER-K1 ordered** – a node stands for sequences of which each begins alike: with a value of
//!   one variable, with a component, or not at all. What would mix them (the union of `x := 1` and
//!   `y := 1`, or of ONE and anything else) is **⊤**, "any set", a node without arcs. Nodes that
//!   mention it carry the kernel's note, so that [`Hierarchy::is_well_defined`] is one look; a
//!   label is always well defined. Nothing is silently wrong: a number asked of such a set is
//!   `None`.
//! - **HIER-K2 reduced** – the codes of a leaf node ascend strictly, and no child is EMPTY. It is a
//!   *run* (first code and children) if its codes have no gap, and pairs (code, child) if they
//!   have; the first code of a run is its tag while the variable is 0, as with the windows of
//!   multi-valued diagrams, and costs nothing. The labels of a set node are not EMPTY and pairwise
//!   disjoint; its children are not EMPTY, distinct, and ascend.
//!
//! With these two, equal sets are equal nodes. For set nodes that takes more than for others: arcs
//! with equal children are joined, and meeting labels are split (`canonical.rs`), with signatures
//! that show most labels to be disjoint (`signature.rs`).
//!
//! # How to build state sets on it
//!
//! 1. Describe the tree of components: [`Hierarchy::shape`], bottom-up. Shapes are hash-consed.
//! 2. Encode the initial state: [`Hierarchy::singleton`].
//! 3. Turn events into relations: [`Hierarchy::action`] for each test and change of a value,
//!    [`Events::push`] for each event, [`Hierarchy::relation_of_events`] for their sum, and
//!    [`Hierarchy::relation_of_event`] for one alone. Relations mirror the tree, know no places,
//!    and are shared: this is where log-size diagrams get log time from.
//! 4. Explore: [`Hierarchy::closure`] saturates; [`Hierarchy::image`] is one step, and
//!    breadth-first search and chaining follow from it; [`Hierarchy::preimage`] goes back inside a
//!    known set.
//! 5. Ask: [`Hierarchy::count`], [`Hierarchy::count_edges`], [`Hierarchy::largest`],
//!    [`Hierarchy::contains`], [`Hierarchy::choose`], [`Hierarchy::states`]; where an event is
//!    enabled: the image under [`Hierarchy::guard`]; where none is: [`Hierarchy::dead`].
//!
//! ```
//! use symbolon_budget::{Budget, Meter};
//! use symbolon_dd_hierarchy::{Action, Events, Hierarchy, Limits, Slot};
//!
//! # fn main() -> Result<(), symbolon_budget::Interrupted> {
//! let mut sets = Hierarchy::new(Meter::new(Budget::unlimited()), Limits::default())?;
//! // Two machines, each with parts that wait and parts that are done; a part goes from the first to the second.
//! let machine = sets.shape(&[Slot::Value, Slot::Value])?;
//! let factory = sets.shape(&[Slot::Component(machine), Slot::Component(machine)])?;
//! let take = sets.action(Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 })?;
//! let give = sets.action(Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 })?;
//! let mut events = Events::default();
//! events.push([(0, take), (1, give)]);
//! events.push([(1, take), (2, give)]);
//! events.push([(2, take), (3, give)]);
//! let steps = sets.relation_of_events(factory, &events)?;
//! let initial = sets.singleton(factory, &[2, 0, 0, 0])?;
//! let reachable = sets.closure(steps, initial)?;
//! assert_eq!(sets.count(reachable)?, Some(10_u32.into()));
//! assert!(sets.contains(reachable, &[0, 1, 0, 1]));
//!
//! // The same set by a homomorphism: the fixpoint of one step.
//! let one_step = sets.by_relation(steps)?;
//! let all_steps = sets.fixpoint(one_step)?;
//! assert_eq!(sets.apply(all_steps, initial)?, reachable);
//! # Ok(())
//! # }
//! ```
//!
//! # Homomorphisms
//!
//! Relations are what events of models need. A **homomorphism** is any linear map on sets of
//! sequences: images, sums, compositions, fixpoints, maps of one component, and *inductive* ones,
//! which say arc by arc what becomes of a sequence, whatever its length. They are values of a
//! manager, so equal ones share every remembered answer. The state sets of `engine` do without
//! them; they are for programs whose sequences change their shape, such as symbolic markings of
//! coloured nets, sorted after every step. The table of all of them is in
//! `hierarchy/homomorphism.rs`, `tests/homomorphisms.rs` has examples of each.
//!
//! Nodes without a root ([`Hierarchy::root`]) vanish in collections. These run inside `closure`,
//! `image` and `apply`, never inside the set operations. Everything recurses once a slot and once a
//! depth: a sequence of a million slots wants a deep stack.

mod action;
mod canonical;
mod compose;
mod hierarchy;
mod inverse;
mod label_index;
mod listing;
mod ops;
mod paths;
mod values;

pub use action::Action;
pub use hierarchy::Hierarchy;
pub use hierarchy::homomorphism::{End, HomomorphismId, Inductive};
pub use hierarchy::relation::{ActionId, RelationId};
pub use hierarchy::shape::{Events, ShapeId, Slot, WeightId};
pub use listing::{Label, ListedNode, NodeCount};
pub use paths::States;
pub use symbolon_dd_core::{Limits, NodeId, Root, Statistics, Violation};

#[cfg(test)]
mod tests;
