//! Which vtree sentential diagrams stand on.
//!
//! `auto` lets a few shapes *race*, as orders do: the right-linear one, under which sentential
//! diagrams are binary ones, and those that follow what events tie together or what the components
//! of the model are. Where the system is a tree, the latter are linear and the former is not; on
//! rings and chains the former is as small and faster. If the right-linear one leads, the orders of
//! variables race under it.

use super::choose_order::{AllStates, Finished, OrderChoice, Plan, choose_order, run_under};
use super::race::{Ended, RacePolicy, race};
use super::strategy::Strategy;
use super::{ExploreOptions, Explored, Failure, explore_with, finished_with, setup_failure};
use crate::order::{Blocks, Heuristic, OrderName};
use crate::policy::sentential::{CELLS_TRY_STEPS, FIRST_TRY_FACTOR, RACE_ROUNDS, RACE_STEPS};
use crate::sets::core::StateSets;
use crate::sets::sentential::shape::{VtreeChoice, VtreeShape};
use crate::sets::sentential::size::DiagramSize;
use crate::sets::sentential::{SententialSets, SententialSetup, has_cells};
use crate::sets::setup::DiagramSetup;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_model::Model;

/// A vtree, and why it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VtreePlan {
    /// Its name, as the option `vtree` takes it.
    pub name: String,
    /// Why this one.
    pub why: String,
    /// The tree as text that can be saved and loaded.
    pub text: String,
    /// How large the diagram of the reachable states is; nothing if that would take long to find
    /// out.
    pub size: Option<DiagramSize>,
}

/// The entrants of a race: all run with the same steps, fewer from round to round.
struct VtreeRounds {
    first_steps: u64,
}

impl RacePolicy<VtreeShape> for VtreeRounds {
    fn steps(&self, round: usize) -> Option<u64> {
        RACE_ROUNDS.get(round).map(|(factor, _)| self.first_steps * factor)
    }

    fn allowed(&self, _round: usize, _number: usize, steps: u64, least: Option<u64>) -> u64 {
        least.map_or(steps, |least| least.saturating_sub(1))
    }

    fn is_decided(&self, round: usize, _used: u64) -> bool {
        // Steps of different shapes do not take the same time, so a difference must be large to
        // matter; runs of later rounds cost more than that.
        round > 0
    }

    fn next(&self, round: usize, ranked: Vec<(BigUint, VtreeShape)>) -> Vec<VtreeShape> {
        let most = RACE_ROUNDS.get(round + 1).map_or(1, |(_, most)| *most);
        ranked.into_iter().take(most).map(|(_, shape)| shape).collect()
    }
}

/// One entrant that runs once, before a race.
struct FirstTry {
    steps: u64,
}

impl RacePolicy<VtreeShape> for FirstTry {
    fn steps(&self, round: usize) -> Option<u64> {
        (round == 0).then_some(self.steps)
    }

    fn allowed(&self, _round: usize, _number: usize, steps: u64, _least: Option<u64>) -> u64 {
        steps
    }

    fn is_decided(&self, _round: usize, _used: u64) -> bool {
        true
    }

    fn next(&self, _round: usize, ranked: Vec<(BigUint, VtreeShape)>) -> Vec<VtreeShape> {
        ranked.into_iter().map(|(_, shape)| shape).collect()
    }

    fn runs_alone(&self, _round: usize) -> bool {
        true
    }
}

/// The shapes that are tried for a model.
fn candidates(model: &Model) -> Vec<VtreeShape> {
    let mut shapes = vec![VtreeShape::RightLinear, VtreeShape::MinFill, VtreeShape::MinFillHubs];
    if has_cells(model) {
        shapes.push(VtreeShape::Cells);
    }
    if model.components.len() > 1 {
        shapes.push(VtreeShape::Components);
    }
    shapes.push(VtreeShape::Balanced);
    shapes
}

/// All reachable states of a model, as sentential diagrams under the vtree of the set-up.
pub(crate) fn explore_under_vtree(
    setup: &SententialSetup,
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Explored<SententialSets>, Failure> {
    let planned = |explored: Explored<SententialSets>, name: &str, why: String| {
        let text = explored.sets.vtree_text(model);
        let size = explored.sets.size_of(&explored.reached);
        let why = match explored.sets.sdd().minimising_count() {
            0 => why,
            _ => format!("{why}, and changed while sets grew or when they were known"),
        };
        Explored { vtree: Some(VtreePlan { name: name.into(), why, text, size }), ..explored }
    };
    match setup.vtree() {
        VtreeChoice::Auto => {}
        VtreeChoice::Named(shape) => {
            // A race of orders is about diagrams in which they decide on everything.
            let explored = match shape {
                VtreeShape::RightLinear => explore_with(setup, model, options, budget)?,
                _ => {
                    let plan = first_order(setup, model, options, budget)?;
                    under(setup, model, options, plan, budget)?
                }
            };
            return Ok(planned(explored, shape.name(), "as asked for".into()));
        }
        VtreeChoice::Given(_) => {
            let explored = explore_with(setup, model, options, budget)?;
            return Ok(planned(explored, "file", "as asked for".into()));
        }
    }
    setup.check(model, options.strategy.needs()).map_err(Failure::Unsupported)?;
    let strategy = Strategy::for_kind(setup, model);
    let task = AllStates(strategy);
    let mut states_found = BigUint::from(1_u32);
    let plan = first_order(setup, model, options, budget)?;
    let shapes = candidates(model);
    let count = shapes.len();
    let parts = model.events.iter().map(|event| event.parts.len() as u64).sum();
    let policy = VtreeRounds { first_steps: RACE_STEPS.of(parts) };
    setup.fix_vtrees(true);
    let run = |&shape: &VtreeShape, _: usize, steps: u64| {
        setup.use_vtree(shape);
        run_under(setup, &task, model, (&plan.blocks, &plan.order), options.limits, budget, steps)
    };
    // Agents have a good order mostly, and setting up many entrants takes longer than such a run.
    // Cells close one after the other, so that early on they have few states, good or bad.
    let first = if model.is_synchronous() {
        Some((VtreeShape::RightLinear, policy.first_steps * FIRST_TRY_FACTOR))
    } else {
        has_cells(model).then_some((VtreeShape::Cells, CELLS_TRY_STEPS))
    };
    let mut ended = Ended::Leads(VtreeShape::RightLinear);
    if let Some((shape, steps)) = first {
        ended = race(&FirstTry { steps }, vec![shape], &mut states_found, run)
            .map_err(|error| setup_failure(error, &states_found, budget))?;
    }
    let has_raced = matches!(ended, Ended::Leads(_));
    if has_raced {
        ended = race(&policy, shapes, &mut states_found, run)
            .map_err(|error| setup_failure(error, &states_found, budget))?;
    }
    setup.fix_vtrees(false);
    match ended {
        Ended::Won { entrant, steps, finished } => {
            setup.use_vtree(entrant);
            let why = match has_raced {
                true => format!("won a race of {count} vtrees with {steps} steps"),
                false => format!("needed {steps} steps, too few for a race"),
            };
            let explored = if options.strategy == strategy {
                let Finished { mut sets, run } = *finished;
                sets.meter().grant_steps(None);
                finished_with(setup, sets, run, plan)
            } else {
                under(setup, model, options, plan, budget)?
            };
            Ok(planned(explored, entrant.name(), why))
        }
        Ended::Leads(entrant) => {
            setup.use_vtree(entrant);
            let why = format!("found most states in a race of {count} vtrees");
            let explored = match entrant {
                VtreeShape::RightLinear => explore_with(setup, model, options, budget)?,
                _ => under(setup, model, options, plan, budget)?,
            };
            Ok(planned(explored, entrant.name(), why))
        }
    }
}

/// The order under which vtrees race: the one that was asked for, or the most promising one that is
/// found without a race.
fn first_order(
    setup: &SententialSetup,
    model: &Model,
    options: &ExploreOptions,
    budget: &Budget,
) -> Result<Plan, Failure> {
    let choice = match &options.order {
        OrderChoice::Auto | OrderChoice::AutoWith { .. } => {
            let heuristic = setup.proven_orders(model).first().copied().unwrap_or(Heuristic::Greedy);
            OrderChoice::Named(OrderName::from(heuristic))
        }
        asked => asked.clone(),
    };
    let task = AllStates(Strategy::for_kind(setup, model));
    let mut states_found = BigUint::from(1_u32);
    let chosen = choose_order(setup, &task, model, &choice, options.limits, budget, &mut states_found);
    chosen.map(|(plan, _)| plan).map_err(|error| setup_failure(error, &states_found, budget))
}

/// Explores under an order that is known.
fn under(
    setup: &SententialSetup,
    model: &Model,
    options: &ExploreOptions,
    plan: Plan,
    budget: &Budget,
) -> Result<Explored<SententialSets>, Failure> {
    let order = OrderChoice::Given { blocks: Blocks::clone(&plan.blocks), order: plan.order.clone() };
    let explored = explore_with(setup, model, &ExploreOptions { order, ..options.clone() }, budget)?;
    Ok(Explored { plan, ..explored })
}
