//! The distance of every reachable state.

use super::{Prepared, auto, prepare_and_run};
use crate::explore::Failure;
use crate::explore::choose_order::{OrderChoice, Plan};
use crate::sets::mdd::MddSets;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_core::Root;
use symbolon_dd_weighted::Function;
use symbolon_model::Model;

/// The least number of steps that lead to each reachable state.
pub struct Distances {
    /// The state sets, for further questions.
    pub sets: MddSets,
    /// The distances.
    pub function: Function,
    /// The order that was used, and why.
    pub plan: Plan,
}

/// The distances of all reachable states of a model that has finitely many. Call it on a stack that is deep enough
/// ([`crate::deep_stack`]).
pub fn distances(model: &Model, order: &OrderChoice, budget: &Budget) -> Result<Distances, Failure> {
    let (prepared, function) =
        prepare_and_run(model, order, None, budget, |prepared| auto::distances(&mut prepared.sets))?;
    let Prepared { sets, plan, .. } = prepared;
    Ok(Distances { sets, function, plan })
}

impl Distances {
    /// The largest distance: how deep the state space is.
    pub fn depth(&mut self) -> Option<u64> {
        let function = self.function.edge();
        self.sets.edd().largest(function)
    }

    /// For each distance the number of states that have it.
    pub fn histogram(&mut self) -> Result<Vec<BigUint>, Interrupted> {
        let function = self.function.edge();
        self.sets.edd().histogram(function)
    }

    /// The reachable states.
    pub fn states(&mut self) -> Result<Root, Interrupted> {
        let function = self.function.edge();
        let mut edd = self.sets.edd();
        let states = edd.support(function)?;
        Ok(edd.mdd.root(states))
    }

    /// The number of nodes of the diagram.
    pub fn node_count(&mut self) -> usize {
        let function = self.function.edge();
        self.sets.edd().node_count(function)
    }
}
