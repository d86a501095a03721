//! The distance of every reachable state.

use super::{Prepared, SearchSets, auto, prepare_and_run};
use crate::explore::Failure;
use crate::explore::choose_order::{OrderChoice, Plan};
use crate::sets::core::StateSets;
use crate::sets::distances::Distances;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_model::Model;

/// The least number of steps that lead to each reachable state.
pub struct AllDistances<S: Distances = SearchSets> {
    /// The state sets, for further questions.
    pub sets: S,
    /// The distances.
    pub function: S::Function,
    /// The order that was used, and why.
    pub plan: Plan,
}

/// The distances of all reachable states of a model that has finitely many. Call it on a stack that
/// is deep enough ([`crate::deep_stack`]).
pub fn distances(model: &Model, order: &OrderChoice, budget: &Budget) -> Result<AllDistances, Failure> {
    let (prepared, function) =
        prepare_and_run(model, order, None, budget, |prepared| auto::distances(&mut prepared.sets))?;
    let Prepared { sets, plan, .. } = prepared;
    Ok(AllDistances { sets, function, plan })
}

impl<S: Distances> AllDistances<S> {
    /// The largest distance: how deep the state space is.
    pub fn depth(&mut self) -> Option<u64> {
        self.sets.largest_distance(&self.function)
    }

    /// For each distance, the number of states that have it.
    pub fn histogram(&mut self) -> Result<Vec<BigUint>, Interrupted> {
        self.sets.histogram(&self.function)
    }

    /// The reachable states.
    pub fn states(&mut self) -> Result<<S as StateSets>::Set, Interrupted> {
        self.sets.support(&self.function)
    }

    /// The number of nodes of the diagram.
    pub fn node_count(&mut self) -> usize {
        self.sets.function_node_count(&self.function)
    }
}
