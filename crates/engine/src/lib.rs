//! State sets and what is computed with them.
//!
//! ```text
//! Model ──Blocks, Order──▶ Encoding ──▶ state sets (MDD, BDD, DDD, set diagram) ──strategy──▶ reachable set ──▶ answers
//! ```
//!
//! [`StateSets`] is the one trait of its size: every kind of diagram implements it, and breadth-first
//! search, chaining and witnesses are each written once over it. What a diagram can do better,
//! it offers through smaller traits ([`Saturation`]).
//!
//! Invariants:
//! - **E1** every set that leaves a [`StateSets`] contains states of the model only, never codes that
//!   stand for no state.
//! - **E2** nothing is complemented against "all states": the universe of a question is the reachable set.
//! - **E3** one cell (diagram, strategy, order) with equal options is deterministic to the step.

mod bdd_sets;
pub mod bounded;
mod choose_order;
mod climb;
mod closure;
pub mod deep_stack;
mod encoding;
mod explore;
pub mod hierarchy;
mod hierarchy_sets;
mod linear;
mod mdd_sets;
pub mod order;
mod outline;
mod residual;
mod scaled;
mod select;
mod state_sets;
mod strategy;
mod synchronous;
mod temporal;
mod trace;
mod walk;

pub use bdd_sets::{BddSets, BinaryChild, BinaryNode, BinaryOutline, Reordering, binary_level_count};
pub use choose_order::{OrderChoice, Plan};
pub use climb::{Climber, Goal, Guide, Met, Watcher};
pub use encoding::{Encoding, Unsupported};
pub use explore::{
    ExploreOptions, Explored, Failure, PartialAnswer, explore, explore_binary, explore_flat,
    explore_hierarchy, plan_hierarchy,
};
pub use hierarchy::auto::{HierarchyChoice, HierarchyPlan};
pub use hierarchy_sets::{
    BoxArc, BoxLabel, BoxNode, HierarchyOutline, HierarchySets, OutlineBox, OutlineSlot,
};
pub use linear::LinearTest;
pub use mdd_sets::MddSets;
pub use outline::{Meaning, Outline, OutlineEdge, OutlineNode};
pub use state_sets::{Analysed, Figures, RelationSize, Saturation, SetupError, StateSets};
pub use strategy::{Strategy, StrategyRun, layer_sizes, reach};
pub use temporal::{
    Branch, Ending, Explained, GroupStrategy, LeftOut, Link, TemporalChecker, Unanswered, Witness,
};
pub use trace::{FoundTrace, trace_to};
pub use walk::{WalkOptions, Walked, next_random, random_walks};
