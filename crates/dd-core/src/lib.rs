//! The kernel that every kind of decision diagram stands on.
//!
//! A **node** is a short slice of 32-bit words with a small tag. What the words mean is the
//! business of a *kind* (multi-valued sets, edge-valued functions, …), which lives in its own
//! crate; this crate stores nodes, keeps them unique, remembers answers and collects garbage, once
//! for all kinds.
//!
//! ```text
//!                   ┌──────────────────────── Manager ────────────────────────┐
//!   words on the    │  unique table          store (arena of words)           │
//!   scratch stack ──┼─▶ hash ─▶ id  ───────▶ … [header|w w w] [header|w] …    │──▶ NodeId
//!                   │  computed cache (operation, a, b) ─▶ answer             │
//!                   └──────────────────────────────────────────────────────────┘
//! ```
//!
//! The id of a node *is* the offset of its header in the arena: no table of handles stands between.
//! Nodes never move; a collection threads dead slots into free lists.
//!
//! # Invariants
//!
//! K1 and K2 are stated per kind, in that kind's crate. The others hold here:
//!
//! - **K1 ordered** – a child lies where its kind allows.
//! - **K2 reduced** – no stored node breaks the reduction rule of its kind.
//! - **K3 unique** – equal kind, tag and words imply equal [`NodeId`]; so equality of sets is `==`.
//! - **K4 rooted** – a node survives a collection if and only if a [`Root`] or the scratch stack
//!   reaches it.
//! - **K5 weak cache** – the cache keeps nothing alive; a collection clears entries that mention a
//!   dead node before its slot is used again.
//! - **K6 safe points** – a collection starts only where an operation calls
//!   [`Manager::collect_if_due`]; whatever that operation and its callers still need lies on the
//!   scratch stack, or is reachable from what lies there.
//!
//! # Boolean functions
//!
//! Kinds whose nodes are Boolean functions share what is written over functions rather than nodes:
//! [`Functions`] says what they offer, [`Partition`] is a relation as a conjunction with early
//! quantification.
//!
//! # Threads and unsafe code
//!
//! A manager belongs to one thread at a time and may move between threads whole. The crate has no
//! unsafe code: a trial before this kernel put bounds checks on the arena at 1–3 % of instructions.

mod cache;
mod collect;
mod functions;
mod manager;
mod node;
mod partition;
mod root;
mod scratch;
mod statistics;
mod store;
mod unique;
mod validate;

pub use cache::{Cache, Key, Operation, OperationShape};
pub use functions::{Function, Functions, SumDecision, Variable};
pub use manager::{Limits, Manager, View};
pub use node::{Kind, NodeId, NodeShape};
pub use partition::{Partition, Relation};
pub use root::{Root, RootTable};
pub use scratch::Scratch;
pub use statistics::Statistics;
pub use validate::Violation;

#[cfg(test)]
mod tests;
