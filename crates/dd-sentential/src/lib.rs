//! Sentential decision diagrams: Boolean functions under a tree of variables.
//!
//! A binary diagram decides one variable after another. A sentential diagram decides one *sentence*
//! after another: at a node of the **vtree**, a binary tree with the variables at its leaves, it
//! splits by what holds of the variables in the left subtree, and says for each case what must hold
//! of those in the right one:
//!
//! ```text
//!   vtree      3          node at 3:   ┌───────┬───┐ ┌───────┬───┐ ┌─────────┬───┐
//!            ╱   ╲                     │ a ∧ b │ ⊤ │ │ a ∧ ¬b│ c │ │   ¬a    │ d │
//!           1     2                    └───────┴───┘ └───────┴───┘ └─────────┴───┘
//!          ╱ ╲   ╱ ╲                   prime    sub   prime    sub   prime     sub
//!         a   b c   d
//!
//!   ⟦node⟧ = ⋁ prime ∧ sub,   where primes exclude one another and together are true (a partition)
//! ```
//!
//! Where every left child is a leaf the primes are a variable and its negation, and the diagram is a
//! binary one. Where the tree follows the structure of what is described, a sentential diagram can
//! be exponentially smaller; A. Darwiche (IJCAI 2011) has the definition, this crate deviates in
//! the signs on its edges and in what it counts as an element ([`Sdd::signed_size`] counts as he
//! does).
//!
//! # Signs
//!
//! An edge is a node and a sign, and a function and its negation are one node. The node is that of
//! the two that is **true where all variables are true**; the lowest bit of an edge says which one
//! is meant, so it *is* the value of the function there. Exactly one prime of a node is true there,
//! and so is its sub. The rule does not mention the vtree, so nodes keep their sign when the tree
//! turns.
//!
//! # Invariants
//!
//! - **SDD-K1 in place** – primes of a node lie in the left subtree of its vtree node, subs in the
//!   right one.
//! - **SDD-K2 a partition** – the primes of a node are not false, exclude one another, and are true
//!   together.
//! - **SDD-K3 compressed** – the subs of a node differ.
//! - **SDD-K4 trimmed** – no node is `{(⊤, f)}` or `{(p, ⊤), (¬p, ⊥)}`: those are `f` and `p`.
//! - **SDD-K5 regular** – a stored node is true where all variables are.
//! - **SDD-K6 unique** – equal functions are equal edges, and the unique table finds every node. It
//!   follows from K1 to K5 that a function has one node.
//! - **SDD-K7 rooted** – a node survives a collection if and only if a [`Root`] reaches it, or a
//!   closure that a running saturation has found. Collections start in the outermost call alone,
//!   before its operation.
//! - **SDD-K8 weak cache** – the cache keeps nothing alive and mentions no dead node.
//!
//! # Cost
//!
//! Conjunction, condition and quantification are exponential in the worst case, already for two
//! small diagrams, because of K3 (G. Van den Broeck and A. Darwiche, AAAI 2015), and the size of the
//! answer does not tell how long it takes. Every pair of elements is a step that is charged, so
//! everything can be interrupted.
//!
//! ```
//! use symbolon_budget::{Budget, Meter};
//! use symbolon_dd_sentential::{Limits, Sdd, Variable, Vtree};
//!
//! # fn main() -> Result<(), symbolon_budget::Interrupted> {
//! let variables: Vec<Variable> = (0..4).map(Variable).collect();
//! let mut sdd = Sdd::new(Vtree::balanced(&variables), Meter::new(Budget::unlimited()), Limits::default())?;
//! let [a, b, c, d] = [0, 1, 2, 3].map(|v| sdd.variable(Variable(v)));
//! let (ab, bc, cd) = (sdd.and(&a, &b)?, sdd.and(&b, &c)?, sdd.and(&c, &d)?);
//! let some = sdd.or(&ab, &bc)?;
//! let f = sdd.or(&some, &cd)?;
//! assert_eq!(sdd.count(&f, &variables), 8_u32.into());
//! # Ok(())
//! # }
//! ```
//!
//! # Threads
//!
//! A manager belongs to one thread at a time and may move between threads whole. Recursions are as
//! deep as the vtree is high: run them on a stack that is sized for that.

mod assignments;
mod cnf;
mod collect;
mod dot;
mod edge;
mod elimination;
mod functions;
mod minimise;
mod moves;
mod ops;
mod outline;
mod quantification;
mod register;
mod sdd;
mod search;
mod store;
mod text;
mod validate;
mod vtree;

pub use assignments::Assignments;
pub use cnf::{Cnf, CnfError};
pub use elimination::InteractionGraph;
pub use moves::Move;
pub use ops::Counter;
pub use outline::{Diagram, DiagramEdge, DiagramNode};
pub use quantification::Quantification;
pub use register::{Renaming, VariableSet};
pub use sdd::{Limits, Sdd};
pub use search::{Minimisation, Search, Turn};
pub use symbolon_dd_core::{NodeId, Partition, Relation, Root, Statistics, SumDecision, Variable, Violation};
pub use text::TextError;
pub use vtree::{Part, Vtree, VtreeBuilder, VtreeError, VtreeNode};

#[cfg(test)]
mod tests;
