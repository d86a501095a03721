//! Structural analysis: what can be proved of a net without exploring it.

mod disjoint_cover;
mod exclusive;
mod exclusive_proof;
mod state_machines;

pub use disjoint_cover::disjoint_cover;
pub use exclusive::exclusive_sets;
