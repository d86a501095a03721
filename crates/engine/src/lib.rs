//! State sets and what is computed with them.
//!
//! ```text
//! Model ──Blocks, Order──▶ Encoding ──▶ state sets ──strategy──▶ reachable set ──▶ answers
//! ```
//!
//! The modules stand on one another, from bottom to top, and `cargo xtask cycles` keeps it so:
//!
//! - `policy`, `components`: tuning constants, a graph algorithm.
//! - [`order`], [`hierarchy`]: which variables share a level, and how levels are arranged.
//! - `sets`: [`StateSets`], the trait that every kind of diagram implements, small traits for what
//!   only some kinds can do ([`Saturation`], [`Distances`] and others), [`DiagramSetup`], which
//!   sets a kind up for a model, and the kinds themselves.
//! - `explore`: strategies, written once over the trait, and the races that choose orders and
//!   trees. [`ask`] explores with a kind that is known by name ([`DiagramKind`]).
//! - `trace`, [`bounded`], `temporal`: what is asked of a reachable set, or of a part of it.
//! - `walk`, `climb`: runs without diagrams.
//!
//! Invariants:
//! - **E1** every set that leaves a [`StateSets`] contains states of the model only, never codes
//!   that stand for no state.
//! - **E2** nothing is complemented against "all states": the universe of a question is the
//!   reachable set.
//! - **E3** one cell (diagram, strategy, order) with equal options is deterministic to the step.

pub mod bounded;
mod climb;
mod compile;
mod components;
pub mod deep_stack;
mod explore;
mod growth;
pub mod hierarchy;
mod nearness;
pub mod order;
mod policy;
mod sets;
mod shorten;
mod temporal;
mod trace;
mod walk;

pub use climb::{Climber, Goal, Guide, Met, Watcher};
pub use compile::{Compiled, NotCompiled, SHAPES_OF_FORMULAS, compile_cnf};
pub use explore::choose_hierarchy::{HierarchyChoice, HierarchyPlan};
pub use explore::choose_order::{OrderChoice, Plan};
pub use explore::choose_vtree::VtreePlan;
pub use explore::kinds::{Question, ask, stack_levels, supports};
pub use explore::strategy::{Strategy, StrategyRun, layer_sizes, reach};
pub use explore::{
    ExploreOptions, Explored, Failure, PartialAnswer, explore, explore_binary, explore_flat,
    explore_hierarchy, explore_with, plan_hierarchy,
};
pub use growth::{Growth, GrowthLimits, find_growth};
pub use policy::Allowance;
pub use sets::bdd::{BddSets, BddSetup, Reordering, binary_level_count};
pub use sets::core::capabilities::{
    Capability, Forcing, GroupTerm, Numbers, Observation, Outlines, RelationSize, RelationStatistics,
    Saturation, ShortestTraces, WeightedCount,
};
pub use sets::core::{Analysed, Figures, StateSets};
pub use sets::distances::{BoundedRounds, DistanceSearch, Distances, Nearest};
pub use sets::encoding::Encoding;
pub use sets::found_trace::FoundTrace;
pub use sets::hierarchical::{DddSetup, HierarchySets};
pub use sets::kind::{DiagramKind, UnknownDiagram};
pub use sets::linear::LinearTest;
pub use sets::mdd::{MddSets, MddSetup};
pub use sets::outline::{
    BinaryChild, BinaryNode, BinaryOutline, BoxArc, BoxLabel, BoxNode, DiagramOutline, HierarchyOutline,
    Meaning, Outline, OutlineBit, OutlineBox, OutlineEdge, OutlineNode, OutlineSlot, OutlineVtreeKind,
    OutlineVtreeNode, SententialEdge, SententialNode, SententialOutline,
};
pub use sets::sentential::shape::{UnknownVtree, VtreeChoice, VtreeShape, read_vtree};
pub use sets::sentential::size::DiagramSize;
pub use sets::sentential::{SententialSets, SententialSetup};
pub use sets::setup::{DiagramSetup, SetupError, Unsupported};
pub use shorten::{Look, RunTarget, shorten};
pub use symbolon_dd_mdd::SumTest;
pub use symbolon_dd_sentential::{Cnf, CnfError, Quantification};
pub use temporal::{
    AcceptedPaths, Branch, Ending, Explained, FairOutcomes, GroupStrategy, LeftOut, Link, TemporalChecker,
    Unanswered, Witness, formula_needs,
};
pub use trace::trace_to;
pub use walk::{WalkOptions, Walked, random_walks};
