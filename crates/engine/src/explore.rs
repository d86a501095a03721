//! From a model to its reachable set: choose an order, encode, run a strategy.

pub(crate) mod choose_hierarchy;
pub(crate) mod choose_order;
pub(crate) mod choose_vtree;
pub(crate) mod kinds;
pub(crate) mod race;
pub(crate) mod scaled;
pub(crate) mod strategy;

use crate::sets::bdd::{BddSets, BddSetup, Reordering};
use crate::sets::core::StateSets;
use crate::sets::hierarchical::{DddSetup, HierarchySets};
use crate::sets::mdd::{MddSets, MddSetup};
use crate::sets::sentential::shape::VtreeChoice;
use crate::sets::setup::{DiagramSetup, SetupError, Unsupported};
use choose_hierarchy::{ChosenHierarchy, HierarchyChoice, HierarchyPlan, choose_hierarchy};
use choose_order::{AllStates, Finished, OrderChoice, Plan, choose_order};
use choose_vtree::VtreePlan;
use num_bigint::BigUint;
use strategy::{Strategy, StrategyRun, StrategyStopped, reach};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_dd_sentential::Quantification;
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
    /// Whether bits are moved while sets grow; for binary and sentential diagrams.
    pub reordering: Reordering,
    /// How blocks are grouped into components; for set diagrams.
    pub hierarchy: HierarchyChoice,
    /// How bits are arranged in a tree; for sentential diagrams.
    pub vtree: VtreeChoice,
    /// How steps quantify; for measurements of sentential diagrams.
    pub quantification: Quantification,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            order: OrderChoice::Auto,
            strategy: Strategy::Saturation,
            limits: Limits::default(),
            reordering: Reordering::default(),
            hierarchy: HierarchyChoice::default(),
            vtree: VtreeChoice::default(),
            quantification: Quantification::default(),
        }
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
    /// The hierarchy that was used, and why; for hierarchical diagrams.
    pub hierarchy: Option<HierarchyPlan>,
    /// The vtree that was used, and why; for sentential diagrams.
    pub vtree: Option<VtreePlan>,
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
    /// There are at least this many states.
    pub states_at_least: Option<BigUint>,
    /// Nodes stored at the end.
    pub nodes: u64,
    /// Steps taken.
    pub steps: u64,
}

/// All reachable states of a model, as multi-valued decision diagrams.
pub fn explore(model: &Model, options: &ExploreOptions, budget: &Budget) -> Result<Explored, Failure> {
    explore_with(&MddSetup, model, options, budget)
}

/// All reachable states of a model, as binary decision diagrams. A synchronous step touches every
/// level, so that saturation has nothing to gain there: breadth-first search is the strategy to ask
/// for.
pub fn explore_binary(
    model: &Model,
    options: &ExploreOptions,
    reordering: Reordering,
    budget: &Budget,
) -> Result<Explored<BddSets>, Failure> {
    explore_with(&BddSetup::new(model, options.order.heuristic(), reordering), model, options, budget)
}

/// All reachable states of a model, as data decision diagrams.
pub fn explore_flat(
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Explored<HierarchySets>, Failure> {
    explore_with(&DddSetup, model, options, budget)
}

/// All reachable states of a model, as hierarchical set diagrams.
pub fn explore_hierarchy(
    model: &Model,
    options: &ExploreOptions,
    choice: &HierarchyChoice,
    budget: &Budget,
) -> Result<Explored<HierarchySets>, Failure> {
    DddSetup.check(model, options.strategy.needs()).map_err(Failure::Unsupported)?;
    let mut states_found = BigUint::from(1_u32);
    let ChosenHierarchy { plan, hierarchy, finished } =
        choose_hierarchy(model, options, choice, budget, &mut states_found)
            .map_err(|error| setup_failure(error, &states_found, budget))?;
    if let Some(finished) = finished.filter(|_| options.strategy == Strategy::for_model(model)) {
        let Finished { mut sets, run } = *finished;
        sets.meter().grant_steps(None);
        let sets = sets.called_set();
        let hierarchy = Some(hierarchy);
        return Ok(Explored { sets, reached: run.reached, plan, hierarchy, vtree: None, depth: run.depth });
    }
    let meter = Meter::new(budget.clone());
    let sets = HierarchySets::new(model, &plan.blocks, &hierarchy.tree, meter, options.limits)
        .map_err(|error| setup_failure(error, &states_found, budget))?;
    run(sets.called_set(), plan, Some(hierarchy), options.strategy, states_found)
}

/// All reachable states of a model, as hierarchical set diagrams under the hierarchy of the
/// options.
pub(crate) fn explore_in_tree(
    _setup: &DddSetup,
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Explored<HierarchySets>, Failure> {
    explore_hierarchy(model, options, &options.hierarchy, budget)
}

/// The order and the hierarchy with which [`explore_hierarchy`] would explore. Finding out may take
/// as long as exploring.
pub fn plan_hierarchy(
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<(Plan, HierarchyPlan), Failure> {
    let mut states_found = BigUint::from(1_u32);
    let chosen = choose_hierarchy(model, options, &options.hierarchy, budget, &mut states_found)
        .map_err(|error| setup_failure(error, &states_found, budget))?;
    Ok((chosen.plan, chosen.hierarchy))
}

/// All reachable states of a model, in the kind of diagram that `kind` sets up.
pub fn explore_with<K: DiagramSetup>(
    kind: &K,
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Explored<K::Sets>, Failure> {
    kind.check(model, options.strategy.needs()).map_err(Failure::Unsupported)?;
    let mut states_found = BigUint::from(1_u32);
    let strategy = Strategy::for_kind(kind, model);
    let task = AllStates(strategy);
    let (plan, finished) =
        choose_order(kind, &task, model, &options.order, options.limits, budget, &mut states_found)
            .map_err(|error| setup_failure(error, &states_found, budget))?;
    if let Some(finished) = finished.filter(|_| options.strategy == strategy) {
        let Finished { mut sets, run } = *finished;
        sets.meter().grant_steps(None);
        return Ok(finished_with(kind, sets, run, plan));
    }
    loop {
        let meter = Meter::new(budget.clone());
        let mut sets = kind
            .set_up(model, &plan.blocks, &plan.order, meter, options.limits)
            .map_err(|error| setup_failure(error, &states_found, budget))?;
        match reach(&mut sets, options.strategy) {
            Ok(run) => return Ok(finished_with(kind, sets, run, plan)),
            Err(_) if kind.widen(model, &sets) => {}
            Err(stopped) => return Err(stopped_failure(&sets, stopped, states_found)),
        }
    }
}

/// What a finished run has found.
pub(crate) fn finished_with<K: DiagramSetup>(
    kind: &K,
    mut sets: K::Sets,
    run: StrategyRun<<K::Sets as StateSets>::Set>,
    plan: Plan,
) -> Explored<K::Sets> {
    kind.finish(&mut sets, &run.reached);
    Explored { sets, reached: run.reached, plan, hierarchy: None, vtree: None, depth: run.depth }
}

/// Runs a strategy under a plan; races before have found `states_found` states.
fn run<S: StateSets>(
    mut sets: S,
    plan: Plan,
    hierarchy: Option<HierarchyPlan>,
    strategy: Strategy,
    states_found: BigUint,
) -> Result<Explored<S>, Failure> {
    match reach(&mut sets, strategy) {
        Ok(run) => {
            Ok(Explored { sets, reached: run.reached, plan, hierarchy, vtree: None, depth: run.depth })
        }
        Err(stopped) => Err(stopped_failure(&sets, stopped, states_found)),
    }
}

fn stopped_failure<S: StateSets>(sets: &S, stopped: StrategyStopped, states_found: BigUint) -> Failure {
    let statistics = sets.statistics();
    let partial = PartialAnswer {
        states_at_least: stopped.states_at_least.max(Some(states_found)),
        nodes: statistics.nodes as u64,
        steps: statistics.steps,
    };
    Failure::Interrupted(stopped.why, partial)
}

pub(crate) fn setup_failure(error: SetupError, states_found: &BigUint, budget: &Budget) -> Failure {
    match error {
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
    }
}
