//! Variable orders: which block of variables stands at which level of a diagram.
//!
//! A **block** is what one level of a diagram holds: one variable, or several variables of an
//! exclusive set that were merged into one multi-valued level ([`Blocks`]). An [`Order`] lists all
//! blocks from the **top** level (the root) down to the **bottom** level (just above the
//! terminals).
//!
//! Heuristics do not look at a model but at its [`Interaction`]: which blocks each event touches.
//! Each heuristic is one file here, named as users name it; [`compute`] runs one, [`candidates()`]
//! runs many and sorts them by what the [`Metrics`] predict. No metric is always right (direction
//! matters apart from size, see `reverse:`), so a caller that can afford it tries the first few
//! candidates on a scaled-down model and lets the real node counts decide; [`improve_by`] goes on
//! searching from there with any cost function.
//!
//! Everything here is deterministic: ties are broken by block number, random searches have fixed
//! seeds, and effort is limited by counted steps, never by the clock alone.

mod agents;
mod blocks;
mod by_index;
mod candidates;
mod cells;
mod cuthill_mckee;
mod flow_rank;
mod force;
mod graph;
mod greedy;
mod hub;
mod hypergraph;
mod interaction;
mod lists;
mod metric;
mod name;
mod nupn;
mod search;
mod sloan;
mod sum_of_tops;
mod text;
mod with_actions;

pub(crate) use agents::ActionPlace;
pub use blocks::Blocks;
pub(crate) use by_index::index_groups;
pub use candidates::{Candidate, Effort, candidates, compute};
pub(crate) use cells::invariant_groups;
pub use interaction::Interaction;
pub use metric::Metrics;
pub use name::{Heuristic, OrderName, UnknownOrder};
pub use search::improve_by;
pub use text::{OrderFile, OrderFileError, OrderFileProblem, load, save};
pub(crate) use with_actions::{attached, order_with_actions};

/// All blocks of a model, from the top level (the root) to the bottom level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// Block numbers, top first; a permutation of `0..block_count`.
    pub blocks: Vec<u32>,
}

impl Order {
    /// The blocks as they are numbered: block 0 on top.
    pub fn as_given(block_count: usize) -> Self {
        Order { blocks: (0..block_count as u32).collect() }
    }

    /// An order from a list that starts at the bottom level.
    pub fn from_bottom(mut blocks: Vec<u32>) -> Self {
        blocks.reverse();
        Order { blocks }
    }

    /// The same order upside down.
    pub fn reversed(&self) -> Self {
        Order::from_bottom(self.blocks.clone())
    }

    /// For each block the place in [`Order::blocks`] where it stands: 0 is the top.
    pub fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.blocks.len()];
        for (place, &block) in self.blocks.iter().enumerate() {
            places[block as usize] = place as u32;
        }
        places
    }

    /// For each block its level: 1 is the bottom, the number of blocks is the top.
    pub fn levels(&self) -> Vec<u32> {
        let mut levels = self.places();
        let count = levels.len() as u32;
        levels.iter_mut().for_each(|place| *place = count - *place);
        levels
    }

    /// Whether each of `block_count` blocks occurs exactly once.
    pub fn is_permutation(&self, block_count: usize) -> bool {
        let mut seen = vec![false; block_count];
        self.blocks.len() == block_count
            && self
                .blocks
                .iter()
                .all(|&block| seen.get_mut(block as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
    }
}
