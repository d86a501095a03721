//! Multi-valued decision diagrams: sets of vectors of natural numbers, events on them, saturation.
//!
//! A diagram has levels 1 to K; the terminals stand at level 0. A node at level k stands for a set
//! of vectors of k numbers, by one equation:
//!
//! ```text
//! ⟦node⟧ = { (v_k, …, v_1) | (v_{k−1}, …, v_1) ∈ ⟦child of node for v_k⟧ },   ⟦ONE⟧ = { () }
//! ```
//!
//! ```text
//! level 2          ┌─ 0 ─ 1 ─ 2 ─┐          a node: [window starts at 0 | child child child]
//!                  └──┼───┼───┼──┘
//! level 1          ┌─ 0 ┐ └─┬─┘             children of 1 and 2 are one shared node (K3)
//!                  └──┼─┘ ┌─3─┐
//! level 0            ONE ◀──┘
//! ```
//!
//! The words of a node are the children of a *window* of consecutive values; its tag is the first
//! value of the window. Against pairs (value, child) this halves the memory of wide nodes, against
//! windows that always start at 0 it saves the empty lower end that token counts often have.
//!
//! - **MDD-K1 ordered** – a child of a node at level k is EMPTY or stands at level k − 1: diagrams
//!   are quasi-reduced, no level is skipped, and domains may grow at any time. Nodes do not store
//!   their level: equal nodes stand at equal heights.
//! - **MDD-K2 reduced** – the first and the last child of a window are not EMPTY.
//!
//! Events are not diagrams. They stay lists of *actions*, one a level, arranged as hash-consed
//! groups ([`Relation`]); for nets, building the relation as a diagram costs more than exploring.

mod action;
mod domain;
mod frame;
mod lazy;
mod mdd;
mod ops;
mod paths;
mod relation;
mod validate;

pub use action::Action;
pub use domain::Domain;
pub use lazy::{DONE, LazyEvent, LazySteps, NOWHERE};
pub use mdd::{EventActions, Mdd, Partial, Side};
pub use ops::chain::ChainFrom;
pub use ops::count::EdgeCount;
pub use ops::figures::Figures;
pub use ops::saturate_bounded::Rounds;
pub use ops::select::{LevelWeight, SumTest};
pub use ops::summary::{LevelSummary, NodesByLevel};
pub use relation::{GroupId, Relation, Row};
pub use symbolon_dd_core::{Limits, NodeId, Root, Statistics, Violation};

#[cfg(test)]
mod tests;
