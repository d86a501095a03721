//! Which variables share a level, and in which order the levels stand.
//!
//! `auto` takes the candidates of [`crate::order`], best metric first, and lets them *race*: each
//! explores under a limit of steps. Whoever finishes with few steps for the size of the model wins at
//! once. Otherwise those that found most states go on with more steps, until one is left that
//! may take as many as it likes. Models with large initial values race on a scaled-down copy
//! ([`crate::scaled`]), and small ones go on improving the winner there. No metric predicts
//! saturation well enough to save this; races are counted in steps, so they always end the same way.

use crate::mdd_sets::{MddSets, SetupError};
use crate::order::{self, Blocks, Candidate, Effort, Heuristic, Interaction, Order, OrderName};
use crate::scaled::scaled_down;
use crate::strategy::{Strategy, StrategyRun, reach};
use num_bigint::BigUint;
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

/// Steps that each candidate may take in the first round: so many, and so many a part of the model.
const FIRST_STEPS: u64 = 10_000;
const FIRST_STEPS_PER_PART: u64 = 6;
/// Whoever finishes with so many steps, and so many a part of the model, wins at once.
const GOOD_STEPS: u64 = 2_000;
const GOOD_STEPS_PER_PART: u64 = 6;
/// Tried before all candidates are computed: cheap, and often good enough.
const FIRST_GUESSES: [Heuristic; 2] = [Heuristic::Greedy, Heuristic::SloanBipartite];
/// How many stay in the race after each round, and how many times the steps they may take then.
const LATER_ROUNDS: [(usize, u64); 5] = [(4, 5), (2, 10), (2, 10), (2, 10), (1, 1)];
/// Models with more parts than this do not race: setting up costs too much.
const MOST_PARTS_TO_RACE: usize = 150_000;
/// Scaled-down models with at most this many levels search on from the winner.
const MOST_LEVELS_TO_SEARCH: usize = 48;
/// Steps that this search may take in all, and how many orders it may try.
const SEARCH_STEPS: u64 = 150_000;
const MOST_REARRANGEMENTS: u64 = 150;
/// The cache of a race starts small: most runs end soon.
const RACE_CACHE_BITS: u32 = 12;

/// Decides on blocks and order. A race on the model itself may already have explored it, or else
/// raises `states_found` to the most states that a run has found.
pub(crate) fn choose_order(
    model: &Model,
    choice: &OrderChoice,
    limits: Limits,
    budget: &Budget,
    states_found: &mut BigUint,
) -> Result<(Plan, Option<Box<Finished>>), SetupError> {
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
        OrderChoice::Auto | OrderChoice::AutoWith { merge: true } => {
            race(model, Blocks::merged(model), limits, budget, states_found)
        }
        OrderChoice::AutoWith { merge: false } => {
            race(model, Blocks::single(model), limits, budget, states_found)
        }
    }
}

fn race(
    model: &Model,
    blocks: Blocks,
    limits: Limits,
    budget: &Budget,
    states_found: &mut BigUint,
) -> Result<(Plan, Option<Box<Finished>>), SetupError> {
    let interaction = Interaction::new(model, &blocks);
    let prefix = if blocks.len() < model.variables.len() { "merged:" } else { "" };
    let part_count: usize = model.events.iter().map(|event| event.parts.len()).sum();
    let may_race = part_count <= MOST_PARTS_TO_RACE;
    let small = if may_race { scaled_down(model) } else { None };
    let good_enough = GOOD_STEPS + GOOD_STEPS_PER_PART * part_count as u64;
    let limits = Limits { cache_bits: RACE_CACHE_BITS, ..limits };
    if may_race && small.is_none() {
        for name in FIRST_GUESSES.map(OrderName::from) {
            let Some(order) = order::compute(&interaction, name, Effort::Quick, budget)? else { continue };
            if let Run::Finished(finished, used) = run(model, &blocks, &order, good_enough, limits, budget)? {
                let why = format!("good enough at the first guess, with {used} steps");
                return Ok((Plan { blocks, order, name: format!("{prefix}{name}"), why }, Some(finished)));
            }
        }
    }

    // A race on a scaled-down copy is short, and the order matters the more.
    let effort = if small.is_some() { Effort::Normal } else { Effort::Quick };
    let mut field = order::candidates(&interaction, effort, budget)?;
    let candidate_count = field.len();
    drop(interaction);
    let plan = |candidate: Candidate, blocks: Blocks, why: String| Plan {
        order: candidate.order,
        blocks,
        name: format!("{prefix}{}", candidate.name),
        why,
    };
    if !may_race || candidate_count == 1 {
        let why = format!("best metric of {candidate_count} candidates");
        return Ok((plan(field.swap_remove(0), blocks, why), None));
    }

    let arena = small.as_ref().unwrap_or(model);
    let mut steps = FIRST_STEPS + FIRST_STEPS_PER_PART * part_count as u64;
    for (survivors, factor) in [(candidate_count, 1)].into_iter().chain(LATER_ROUNDS) {
        field.truncate(survivors);
        steps *= factor;
        let is_first_round = survivors == candidate_count;
        if field.len() == 1 {
            break;
        }
        let mut winner: Option<(usize, u64, Box<Finished>)> = None;
        let mut found: Vec<BigUint> = Vec::with_capacity(field.len());
        for (number, candidate) in field.iter().enumerate() {
            let allowed = winner.as_ref().map_or(steps, |(_, least, _)| *least - 1);
            match run(arena, &blocks, &candidate.order, allowed, limits, budget)? {
                Run::Finished(finished, used) => winner = Some((number, used, finished)),
                Run::Stopped(states) => {
                    if small.is_none() && states > *states_found {
                        states_found.clone_from(&states);
                    }
                    found.push(states);
                }
            }
            // In later rounds the candidates are much alike, and a run costs more than it can save.
            let is_decided = |used: u64| !is_first_round || small.is_none() && used <= good_enough;
            if winner.as_ref().is_some_and(|(_, used, _)| is_decided(*used)) {
                break;
            }
        }
        let Some((number, used, finished)) = winner else {
            // Those that found most states in equal steps go on.
            let mut ranked: Vec<(BigUint, Candidate)> = found.into_iter().zip(field).collect();
            ranked.sort_by(|a, b| b.0.cmp(&a.0));
            field = ranked.into_iter().map(|(_, candidate)| candidate).collect();
            continue;
        };
        let candidate = field.swap_remove(number);
        let Some(small) = &small else {
            let why = format!("won a race of {candidate_count} candidates with {used} steps");
            return Ok((plan(candidate, blocks, why), Some(finished)));
        };
        let why =
            format!("won a race of {candidate_count} candidates on a scaled-down copy with {used} steps");
        let mut plan = plan(candidate, blocks, why);
        if plan.blocks.len() <= MOST_LEVELS_TO_SEARCH {
            improve(&mut plan, small, used, limits, budget)?;
        }
        return Ok((plan, None));
    }
    let why = format!("found most states in a race of {candidate_count} candidates");
    Ok((plan(field.swap_remove(0), blocks, why), None))
}

/// Searches for a better order from the winner of a race on the scaled-down copy.
fn improve(
    plan: &mut Plan,
    small: &Model,
    steps: u64,
    limits: Limits,
    budget: &Budget,
) -> Result<(), SetupError> {
    let evaluations = (SEARCH_STEPS / steps.max(1)).min(MOST_REARRANGEMENTS) as u32;
    if evaluations < 2 {
        return Ok(());
    }
    let mut unsupported = None;
    let found = order::improve_by(&plan.order, evaluations, 0, |order, bound| {
        let allowed = if bound.is_finite() { bound as u64 } else { steps };
        match run(small, &plan.blocks, order, allowed, limits, budget) {
            Ok(Run::Finished(_, used)) => Ok(used as f64),
            Ok(Run::Stopped(_)) => Ok(f64::INFINITY),
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

/// How a run of a race ended.
enum Run {
    /// All states were found, with so many steps.
    Finished(Box<Finished>, u64),
    /// The steps were used up; so many states were found.
    Stopped(BigUint),
}

/// Explores under a step limit.
fn run(
    model: &Model,
    blocks: &Blocks,
    order: &Order,
    steps: u64,
    limits: Limits,
    budget: &Budget,
) -> Result<Run, SetupError> {
    // Setting up takes a step an event, which is no merit of an order.
    let steps = steps.saturating_add(model.events.len() as u64);
    let meter = Meter::with_step_limit(budget.clone(), steps);
    let mut sets = match MddSets::new(model, blocks, order, meter, limits) {
        Err(SetupError::Interrupted(Interrupted::Steps)) => return Ok(Run::Stopped(BigUint::ZERO)),
        other => other?,
    };
    match reach(&mut sets, Strategy::Saturation) {
        Ok(run) => {
            let used = sets.statistics().steps - model.events.len() as u64;
            Ok(Run::Finished(Box::new(Finished { sets, run }), used))
        }
        Err(stopped) if stopped.why == Interrupted::Steps => {
            Ok(Run::Stopped(stopped.states_at_least.unwrap_or_default()))
        }
        Err(stopped) => Err(stopped.why.into()),
    }
}
