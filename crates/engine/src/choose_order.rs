//! Which variables share a level, and in which order the levels stand.
//!
//! `auto` takes the candidates of [`crate::order`], best metric first, and lets them *race*: each
//! explores under a limit of steps, rounds grow in length and halve the field, and the first
//! round in which somebody finishes decides, by fewest steps. Models with large initial values race
//! on a scaled-down copy ([`crate::scaled`]); small ones go on improving the winner there. No
//! metric predicts saturation well enough to save this, and races are counted in steps, so they
//! always end the same way.

use crate::mdd_sets::{MddSets, SetupError};
use crate::order::{self, Blocks, Candidate, Effort, Interaction, Order, OrderName};
use crate::scaled::scaled_down;
use crate::strategy::{Strategy, StrategyRun, reach};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_mdd::{Limits, Root};
use symbolon_model::Model;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub enum OrderChoice {
    /// The best that can be found with moderate effort.
    #[default]
    Auto,
    /// A heuristic on the variables as they are.
    Named(OrderName),
    /// A heuristic on blocks of merged exclusive variables.
    Merged(OrderName),
    /// `auto` with exclusive variables merged (`true`) or never merged.
    AutoWith {
        /// Whether exclusive variables share levels.
        merge: bool,
    },
    /// An order from a file.
    Given {
        /// Which variables share a level.
        blocks: Blocks,
        /// The order of the blocks.
        order: Order,
    },
}

/// A choice of blocks and order, with its reason.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which variables share a level.
    pub blocks: Blocks,
    /// The order of the blocks.
    pub order: Order,
    /// The name of the order, as `--variable-order` takes it.
    pub name: String,
    /// Why this one.
    pub why: String,
}

/// What a race may leave behind: a finished exploration of the model itself.
pub(crate) struct Finished {
    pub(crate) sets: MddSets,
    pub(crate) run: StrategyRun<Root>,
}

/// Candidates in the first round, and the steps each may take in it.
const FIRST_FIELD: usize = 16;
const FIRST_STEPS: u64 = 20_000;
/// Each round grants so many times the steps, to half the field.
const ROUND_FACTOR: u64 = 5;
/// Models with more parts than this do not race: setting up costs too much.
const MOST_PARTS_TO_RACE: usize = 150_000;
/// Scaled-down models with at most this many levels search on from the winner.
const MOST_LEVELS_TO_SEARCH: usize = 48;
/// Steps that this search may take in all.
const SEARCH_STEPS: u64 = 150_000;

/// Decides on blocks and order. A race on the model itself may already have explored it.
pub(crate) fn choose_order(
    model: &Model,
    choice: &OrderChoice,
    limits: Limits,
    budget: &Budget,
) -> Result<(Plan, Option<Finished>), SetupError> {
    let heuristic = |blocks: Blocks, name: OrderName, prefix: &str| -> Result<Plan, SetupError> {
        let interaction = Interaction::new(model, &blocks);
        let order = order::compute(&interaction, name, Effort::Normal, budget)?;
        drop(interaction);
        let why =
            if order.is_some() { "as asked for" } else { "this heuristic declines the model: as given" };
        let order = order.unwrap_or_else(|| Order::as_given(blocks.len()));
        Ok(Plan { order, blocks, name: format!("{prefix}{name}"), why: why.into() })
    };
    match choice {
        OrderChoice::Named(name) => Ok((heuristic(Blocks::single(model), *name, "")?, None)),
        OrderChoice::Merged(name) => Ok((heuristic(Blocks::merged(model), *name, "merged:")?, None)),
        OrderChoice::Given { blocks, order } => {
            let plan = Plan {
                blocks: blocks.clone(),
                order: order.clone(),
                name: "given".into(),
                why: "as asked for".into(),
            };
            Ok((plan, None))
        }
        OrderChoice::Auto => race(model, Blocks::merged(model), limits, budget),
        OrderChoice::AutoWith { merge: true } => race(model, Blocks::merged(model), limits, budget),
        OrderChoice::AutoWith { merge: false } => race(model, Blocks::single(model), limits, budget),
    }
}

fn race(
    model: &Model,
    blocks: Blocks,
    limits: Limits,
    budget: &Budget,
) -> Result<(Plan, Option<Finished>), SetupError> {
    let part_count: usize = model.events.iter().map(|event| event.parts.len()).sum();
    let may_race = part_count <= MOST_PARTS_TO_RACE;
    let effort = if may_race { Effort::Normal } else { Effort::Quick };
    let mut field = order::candidates(&Interaction::new(model, &blocks), effort, budget)?;
    let prefix = if blocks.len() < model.variables.len() { "merged:" } else { "" };
    let candidate_count = field.len();
    let plan = |candidate: &Candidate, blocks: Blocks, why: String| Plan {
        order: candidate.order.clone(),
        blocks,
        name: format!("{prefix}{}", candidate.name),
        why,
    };
    if !may_race || candidate_count == 1 {
        let why = format!("best metric of {candidate_count} candidates");
        return Ok((plan(&field[0], blocks, why), None));
    }

    let small = scaled_down(model);
    let arena = small.as_ref().unwrap_or(model);
    field.truncate(FIRST_FIELD);
    let mut steps = FIRST_STEPS;
    while field.len() > 1 {
        let mut winner: Option<(usize, u64, Finished)> = None;
        for (number, candidate) in field.iter().enumerate() {
            let allowed = winner.as_ref().map_or(steps, |(_, least, _)| *least - 1);
            if let Some((finished, used)) = run(arena, &blocks, &candidate.order, allowed, limits, budget)? {
                winner = Some((number, used, finished));
            }
        }
        if let Some((number, used, finished)) = winner {
            let candidate = &field[number];
            let Some(small) = &small else {
                let why = format!("fewest steps ({used}) of {candidate_count} candidates in a race");
                return Ok((plan(candidate, blocks, why), Some(finished)));
            };
            let why = format!("fewest steps ({used}) of {candidate_count} candidates on a scaled-down copy");
            let mut plan = plan(candidate, blocks, why);
            if plan.blocks.len() <= MOST_LEVELS_TO_SEARCH {
                improve(&mut plan, small, used, limits, budget)?;
            }
            return Ok((plan, None));
        }
        field.truncate(field.len().div_ceil(2));
        steps *= ROUND_FACTOR;
    }
    let why = format!("best metric of {candidate_count} candidates; nobody finished a race");
    Ok((plan(&field[0], blocks, why), None))
}

/// Searches for a better order from the winner of a race on the scaled-down copy.
fn improve(
    plan: &mut Plan,
    small: &Model,
    steps: u64,
    limits: Limits,
    budget: &Budget,
) -> Result<(), SetupError> {
    let evaluations = (SEARCH_STEPS / steps.max(1)).min(150) as u32;
    if evaluations < 2 {
        return Ok(());
    }
    let mut unsupported = None;
    let found = order::improve_by(&plan.order, evaluations, 0, |order, bound| {
        let allowed = if bound.is_finite() { bound as u64 } else { steps };
        match run(small, &plan.blocks, order, allowed, limits, budget) {
            Ok(Some((_, used))) => Ok(used as f64),
            Ok(None) => Ok(f64::INFINITY),
            Err(SetupError::Interrupted(why)) => Err(why),
            Err(error) => {
                unsupported = Some(error);
                Err(Interrupted::Steps)
            }
        }
    });
    if let Some(error) = unsupported {
        return Err(error);
    }
    let (order, best) = found?;
    if best < steps as f64 {
        plan.order = order;
        plan.why = format!("{}, then {evaluations} rearrangements down to {best} steps", plan.why);
    }
    Ok(())
}

/// Explores under a step limit; `None` if the limit was reached.
fn run(
    model: &Model,
    blocks: &Blocks,
    order: &Order,
    steps: u64,
    limits: Limits,
    budget: &Budget,
) -> Result<Option<(Finished, u64)>, SetupError> {
    // Setting up takes a step an event, which is no merit of an order.
    let steps = steps.saturating_add(model.events.len() as u64);
    let meter = Meter::with_step_limit(budget.clone(), steps);
    let mut sets = match MddSets::new(model, blocks, order, meter, limits) {
        Err(SetupError::Interrupted(Interrupted::Steps)) => return Ok(None),
        other => other?,
    };
    match reach(&mut sets, Strategy::Saturation) {
        Ok(run) => {
            let used = sets.statistics().steps - model.events.len() as u64;
            Ok(Some((Finished { sets, run }, used)))
        }
        Err(stopped) if stopped.why == Interrupted::Steps => Ok(None),
        Err(stopped) => Err(stopped.why.into()),
    }
}
