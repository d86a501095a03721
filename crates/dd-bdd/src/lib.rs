//! Binary decision diagrams: Boolean functions, with complement edges and dynamic reordering.
//!
//! A node has a level and two children; the variable that stands at its level decides which of them
//! to follow. With a sign on edges, one equation says what a node and an edge mean:
//!
//! ```text
//! ⟦node⟧ = if variable at level then ⟦high⟧ else ⟦low⟧,    ⟦signed edge⟧ = not ⟦its node⟧,    ⟦terminal⟧ = false
//! ```
//!
//! # The table of the textbooks
//!
//! Lectures on ROBDDs tell them as two tables: `T`, which gives for the number of a node its
//! variable and children, and `H`, which gives the number back, so that no node is made twice. Here
//! is (a ⇔ b) ∧ (c ⇔ d), six inner nodes without signs:
//!
//! ```text
//!         a                 T   u  i  l  h
//!       ╱   ╲                   7  a  5  6     Mk(i, l, h):      l = h?          → l, the node would decide nothing
//!      b     b                  6  b  0  4                       (i, l, h) in H? → the node that is there
//!     ╱ ╲   ╱ ╲                 5  b  4  0                       otherwise       → a new row of T, and of H
//!    c ← ┼─┼ → 0                4  c  2  3
//!   ╱ ╲                         3  d  0  1     Build(f):         Mk of Build(f[0/x]) and Build(f[1/x])
//!  d   d                        2  d  1  0     Apply(op, f, g):  Mk of op on the low and on the high children, through a
//!  │ ╳ │                                                         cache G of what was computed before
//!  1   0                                       Restrict(f, x, b): follow b at x, Mk above
//! ```
//!
//! All four are found under their names: `T` is the store, `H` the unique tables (one a level), `G`
//! the computed cache; `mk` is the only door to a new node, [`Bdd::build`], [`Bdd::apply`] and
//! [`Bdd::restrict`] are the operations. What signs change: rows 2 and 3 are negations of one
//! another and become one node, as do 5 and 6 up to their children; so does every function with its
//! negation, and `not` costs nothing ([`Bdd::plain_node_count`] counts as the lecture does).
//!
//! # Invariants
//!
//! - **BDD-K1 ordered** – a child stands at a lower level than its node, the terminal at 0; levels
//!   may be skipped.
//! - **BDD-K2 reduced** – the children of a node differ, and its high edge has no sign.
//! - **BDD-K3 unique** – equal level and children imply the same node, and the table of the level
//!   finds it (while an operation runs, it may still wait to be entered there); so equality of
//!   functions is equality of edges.
//! - **BDD-K4 rooted** – a node survives a collection if and only if a [`Root`] or the scratch
//!   stack reaches it.
//! - **BDD-K5 weak cache** – the cache keeps nothing alive and mentions no dead node.
//! - **BDD-K6 safe points** – a collection may start at every step of a recursion. So the caller of
//!   a recursion has put on the scratch stack what it still needs and its operands do not reach.
//!   Reordering starts in the outermost call alone: a recursion that finds too many live nodes
//!   unwinds, the outermost call collects, moves variables, forgets the cache and starts the same
//!   operation again; after two such restarts it runs to its end.
//! - **BDD-K7 one place each** – variables and levels correspond one to one.
//!
//! # Relations and steps
//!
//! A relation between states speaks of current variables and primed twins. A [`Partition`] holds
//! one as a conjunction of clusters, and quantifies each variable as early as it can while it
//! computes images and preimages.
//!
//! ```
//! use symbolon_budget::{Budget, Meter};
//! use symbolon_dd_bdd::{Bdd, Limits, Partition, Relation, Variable};
//!
//! # fn main() -> Result<(), symbolon_budget::Interrupted> {
//! // One bit that is flipped by every step.
//! let (bit, primed) = (Variable(0), Variable(1));
//! let mut bdd = Bdd::new(2, Meter::new(Budget::unlimited()), Limits::default())?;
//! let (now, next) = (bdd.variable(bit)?, bdd.variable(primed)?);
//! let flip = bdd.xor(&now, &next)?;
//! let relation = Relation { parts: &[flip], twins: &[(bit, primed)], choices: &[], cluster_nodes: 2000 };
//! let steps = Partition::new(&mut bdd, &relation)?;
//! let off = bdd.not(&now);
//! assert_eq!(steps.image(&mut bdd, &off)?, now);
//! assert_eq!(steps.preimage(&mut bdd, &off)?, now);
//! # Ok(())
//! # }
//! ```
//!
//! Asynchronous events need no primed variables: they are groups of chains of arcs ([`Bdd::arc`]),
//! which are fired ([`Bdd::fire`]) or saturated with ([`Bdd::saturate`]).
//!
//! # Threads
//!
//! A manager belongs to one thread at a time and may move between threads whole. Recursions
//! are as deep as there are levels: run them on a stack that is sized for that.

mod assignments;
mod bdd;
mod collect;
mod dot;
mod functions;
mod lines;
mod moves;
mod node;
mod ops;
mod reorder;
mod store;
mod unique;
mod validate;
mod variables;
mod waiting;

pub use assignments::Assignments;
pub use bdd::{Bdd, Limits};
pub use dot::Drawing;
pub use moves::{Group, Split};
pub use ops::{Operator, PlainNode};
pub use symbolon_dd_core::{NodeId, Partition, Relation, Root, Statistics, SumDecision, Variable, Violation};
pub use variables::{Method, Renaming, VariableSet};

#[cfg(test)]
mod tests;
