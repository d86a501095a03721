//! From a model to its reachable set: choose an order, encode, run a strategy.

use crate::choose_order::{Finished, Kind, MddKind, OrderChoice, Plan, choose_order};
use crate::encoding::Unsupported;
use crate::mdd_sets::MddSets;
use crate::state_sets::{SetupError, StateSets};
use crate::strategy::{Strategy, reach};
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_model::Model;

/// How to explore.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Which variables share a level, and in which order levels stand.
    pub order: OrderChoice,
    /// How the reachable set is computed.
    pub strategy: Strategy,
    /// Sizes of the kernel's tables.
    pub limits: Limits,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions { order: OrderChoice::Auto, strategy: Strategy::Saturation, limits: Limits::default() }
    }
}

/// A finished exploration.
pub struct Explored<S: StateSets = MddSets> {
    /// The state sets, for further questions.
    pub sets: S,
    /// All reachable states.
    pub reached: S::Set,
    /// The order that was used, and why.
    pub plan: Plan,
    /// For breadth-first search, the largest distance of a state from the initial ones.
    pub depth: Option<u64>,
}

/// Why there is no reachable set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The budget ran out; this is how far it got.
    Interrupted(Interrupted, PartialAnswer),
    /// The model has a construct that this kind of diagram does not express.
    Unsupported(Unsupported),
}

/// What an interrupted exploration can say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialAnswer {
    /// There are at least so many states.
    pub states_at_least: Option<BigUint>,
    /// Nodes stored at the end.
    pub nodes: u64,
    /// Steps taken.
    pub steps: u64,
}

/// All reachable states of a model, as multi-valued decision diagrams.
pub fn explore(model: &Model, options: &ExploreOptions, budget: &Budget) -> Result<Explored, Failure> {
    explore_kind(&MddKind, model, options, budget)
}

/// All reachable states of a model, as state sets of some kind.
pub(crate) fn explore_kind<K: Kind>(
    kind: &K,
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Explored<K::Sets>, Failure> {
    let mut states_found = BigUint::from(1_u32);
    let stop = |error: SetupError, states_found: &BigUint| match error {
        SetupError::Interrupted(why) => {
            let progress = budget.progress();
            let partial = PartialAnswer {
                states_at_least: Some(states_found.clone()),
                nodes: progress.nodes(),
                steps: progress.steps(),
            };
            Failure::Interrupted(why, partial)
        }
        SetupError::Unsupported(what) => Failure::Unsupported(what),
    };
    let (plan, finished) = choose_order(kind, model, &options.order, options.limits, budget, &mut states_found)
        .map_err(|error| stop(error, &states_found))?;
    if let (Some(finished), Strategy::Saturation) = (finished, options.strategy) {
        let Finished { mut sets, run } = *finished;
        sets.meter().grant_steps(None);
        return Ok(Explored { sets, reached: run.reached, plan, depth: run.depth });
    }
    let meter = Meter::new(budget.clone());
    let mut sets = kind
        .set_up(model, &plan.blocks, &plan.order, meter, options.limits)
        .map_err(|error| stop(error, &states_found))?;
    match reach(&mut sets, options.strategy) {
        Ok(run) => Ok(Explored { sets, reached: run.reached, plan, depth: run.depth }),
        Err(stopped) => {
            let statistics = sets.statistics();
            let partial = PartialAnswer {
                states_at_least: stopped.states_at_least.max(Some(states_found)),
                nodes: statistics.nodes as u64,
                steps: statistics.steps,
            };
            Err(Failure::Interrupted(stopped.why, partial))
        }
    }
}
