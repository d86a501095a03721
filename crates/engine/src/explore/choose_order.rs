//! Which variables share a level, and in which order the levels stand.
//!
//! `auto` takes the candidates of [`crate::order`], best metric first, and lets them *race*: each
//! explores under a limit of steps. A candidate that finishes with few steps for the size of the
//! model wins at once. Otherwise those that found most states go on with more steps, until one is
//! left that may take as many as it likes. Models with large initial values race on scaled-down
//! copies ([`crate::explore::scaled`]): all on a small one, where the winner is improved further,
//! and the best few on a larger one. No metric predicts saturation well enough to save this; races
//! are counted in steps, so they always end the same way.

mod in_turns;

use crate::explore::race::{Ended, RacePolicy, Run, race};
use crate::explore::scaled::scaled_down;
use crate::explore::strategy::{Strategy, StrategyRun, StrategyStopped, reach};
use crate::order::{self, Blocks, Candidate, Effort, Heuristic, Interaction, Order, OrderName};
use crate::policy::order_race::{
    FINALISTS, FIRST_STEPS, GOOD_STEPS, LATER_ROUNDS, LATER_ROUNDS_UNMERGED, MEDIUM, MOST_LEVELS_TO_SEARCH,
    MOST_PARTS_TO_RACE, MOST_REARRANGEMENTS, RACE_CACHE_BITS, SEARCH_STEPS, SMALL, UNMERGED_PART,
};
use crate::sets::core::StateSets;
use crate::sets::setup::{DiagramSetup, SetupError};
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
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

impl OrderChoice {
    /// The heuristic that was asked for by name.
    pub fn heuristic(&self) -> Option<Heuristic> {
        match self {
            OrderChoice::Named(name) | OrderChoice::Merged(name) => Some(name.heuristic),
            OrderChoice::Auto | OrderChoice::AutoWith { .. } | OrderChoice::Given { .. } => None,
        }
    }
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
pub(crate) struct Finished<S: StateSets> {
    pub(crate) sets: S,
    pub(crate) run: StrategyRun<S::Set>,
}

/// How much effort to spend on the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// What follows may take long: candidates that cost something take part, and the best is
    /// improved.
    Full,
    /// What follows is short unless the order is bad: candidates that cost little, as they come.
    Little,
}

/// What each run of a race of orders computes.
pub(crate) trait RaceTask<S: StateSets> {
    /// Runs the task on state sets of `model`, which may be a scaled-down copy.
    fn run(&self, sets: &mut S, model: &Model) -> Result<StrategyRun<S::Set>, StrategyStopped>;

    /// How much effort to spend on the order.
    fn care(&self) -> Care {
        Care::Full
    }
}

/// The task of finding all reachable states with a strategy.
pub(crate) struct AllStates(pub(crate) Strategy);

impl<S: StateSets> RaceTask<S> for AllStates {
    fn run(&self, sets: &mut S, _model: &Model) -> Result<StrategyRun<S::Set>, StrategyStopped> {
        reach(sets, self.0)
    }
}

/// A plan, and what its race may have left behind.
pub(crate) type Chosen<K> = (Plan, Option<FinishedRun<K>>);

/// A finished exploration by a kind of diagram.
pub(crate) type FinishedRun<K> = Box<Finished<<K as DiagramSetup>::Sets>>;

/// Tried before all candidates are computed, in one variant: cheap, and often good enough.
const FIRST_GUESSES: [Heuristic; 2] = [Heuristic::Greedy, Heuristic::SloanBipartite];
/// The order on unmerged variables that joins a race on merged ones; the number of later rounds in
/// which it runs whatever it found before, and what part of the steps it gets there.
const UNMERGED_GUESS: Heuristic = Heuristic::SloanBipartite;

/// Decides on blocks and order. A race on the model itself may already have explored it, or else
/// raises `states_found` to the most states that a run has found.
pub(crate) fn choose_order<K: DiagramSetup, T: RaceTask<K::Sets>>(
    kind: &K,
    task: &T,
    model: &Model,
    choice: &OrderChoice,
    limits: Limits,
    budget: &Budget,
    states_found: &mut BigUint,
) -> Result<Chosen<K>, SetupError> {
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
        OrderChoice::Auto | OrderChoice::AutoWith { .. } if !kind.proven_orders(model).is_empty() => {
            let blocks = Blocks::single(model);
            let race = OrderRace { kind, task, model, blocks: &blocks, limits, budget, part_count: 0 };
            let winner = race.in_turns(kind.proven_orders(model), states_found)?;
            let Winner { name, order, why, finished, .. } = winner;
            Ok((Plan { blocks, order, name: name.to_string(), why }, finished))
        }
        OrderChoice::Auto | OrderChoice::AutoWith { .. } => {
            let is_merged = !matches!(choice, OrderChoice::AutoWith { merge: false });
            let blocks = if is_merged { Blocks::merged(model) } else { Blocks::single(model) };
            let with_unmerged = K::RACES_UNMERGED && matches!(choice, OrderChoice::Auto);
            let part_count: usize = model.events.iter().map(|event| event.parts.len()).sum();
            let limits = Limits { cache_bits: RACE_CACHE_BITS, ..limits };
            let part_count = part_count as u64;
            let race = OrderRace { kind, task, model, blocks: &blocks, limits, budget, part_count };
            let winner = race.winner(with_unmerged, states_found)?;
            let Winner { blocks: other_blocks, name, order, why, finished } = winner;
            let blocks = other_blocks.unwrap_or(blocks);
            let prefix = if blocks.len() < model.variables.len() { "merged:" } else { "" };
            Ok((Plan { blocks, order, name: format!("{prefix}{name}"), why }, finished))
        }
    }
}

/// Whether an order that is chosen with little care may be another than one chosen with all.
pub(crate) fn care_matters(model: &Model, choice: &OrderChoice) -> bool {
    matches!(choice, OrderChoice::Auto | OrderChoice::AutoWith { .. }) && scaled_down(model, SMALL).is_some()
}

/// An entrant of a race: an order of the blocks it was found for.
struct Entrant<'b> {
    name: OrderName,
    order: Order,
    blocks: &'b Blocks,
}

/// What won a race, and why.
struct Winner<S: StateSets> {
    /// Which variables share a level, if it won with other blocks than those of the race.
    blocks: Option<Blocks>,
    name: OrderName,
    order: Order,
    why: String,
    /// The exploration of the model itself, if that was the race.
    finished: Option<Box<Finished<S>>>,
}

/// Rounds of a race of orders: [`LATER_ROUNDS`] says how many stay, and how many times the steps
/// they may take then. An order of unmerged variables starts slowly: it stays for a while with a
/// part of the steps.
struct OrderRounds<'b> {
    first_steps: u64,
    /// A run in the first round that takes no more steps wins at once.
    good_steps: u64,
    /// The blocks of the race; an entrant with others is unmerged.
    blocks: &'b Blocks,
}

impl<'b> RacePolicy<Entrant<'b>> for OrderRounds<'b> {
    fn steps(&self, round: usize) -> Option<u64> {
        let factors = LATER_ROUNDS.get(..round)?.iter().map(|(_, factor)| factor);
        Some(self.first_steps * factors.product::<u64>())
    }

    fn allowed(&self, round: usize, number: usize, steps: u64, least: Option<u64>) -> u64 {
        let is_guest = round > 0 && number == LATER_ROUNDS[round - 1].0;
        let most = if is_guest { steps / UNMERGED_PART } else { steps };
        least.map_or(most, |least| least.saturating_sub(1))
    }

    fn is_decided(&self, round: usize, used: u64) -> bool {
        // In later rounds the candidates are much alike, and a run costs more than it can save.
        round > 0 || used <= self.good_steps
    }

    fn next(&self, round: usize, ranked: Vec<(BigUint, Entrant<'b>)>) -> Vec<Entrant<'b>> {
        let mut field: Vec<Entrant<'b>> = ranked.into_iter().map(|(_, entrant)| entrant).collect();
        let Some(&(survivors, _)) = LATER_ROUNDS.get(round) else { return field };
        let is_unmerged = |entrant: &Entrant<'_>| !std::ptr::eq(entrant.blocks, self.blocks);
        let place = field.iter().position(is_unmerged).filter(|&place| place >= survivors);
        let guest = place.filter(|_| round < LATER_ROUNDS_UNMERGED).map(|place| field.swap_remove(place));
        field.truncate(survivors);
        field.extend(guest);
        field
    }
}

/// What all runs of a race share.
struct OrderRace<'a, K, T> {
    kind: &'a K,
    task: &'a T,
    model: &'a Model,
    blocks: &'a Blocks,
    limits: Limits,
    budget: &'a Budget,
    part_count: u64,
}

impl<S: StateSets> Winner<S> {
    fn new(candidate: Candidate, why: String, finished: Option<Box<Finished<S>>>) -> Winner<S> {
        Winner { blocks: None, name: candidate.name, order: candidate.order, why, finished }
    }
}

impl<K: DiagramSetup, T: RaceTask<K::Sets>> OrderRace<'_, K, T> {
    /// The best order of the candidates, found by whatever race suits the model.
    fn winner(&self, with_unmerged: bool, states_found: &mut BigUint) -> Result<Winner<K::Sets>, SetupError> {
        let (model, blocks, budget) = (self.model, self.blocks, self.budget);
        let interaction = Interaction::new(model, blocks);
        if self.part_count > MOST_PARTS_TO_RACE {
            let mut field = order::candidates(&interaction, Effort::Quick, budget)?;
            let why = format!("best metric of {} candidates", field.len());
            return Ok(Winner::new(field.swap_remove(0), why, None));
        }
        if let Some(small) = scaled_down(model, SMALL) {
            // Such a race is short, and the order matters the more.
            let effort = if self.task.care() == Care::Full { Effort::Normal } else { Effort::Quick };
            let field = order::candidates(&interaction, effort, budget)?;
            return self.on_copies(field, &small);
        }
        let unmerged = (with_unmerged && blocks.len() < model.variables.len()).then(|| Blocks::single(model));
        if let Some(winner) = self.first_guess(&interaction, unmerged.as_ref())? {
            return Ok(winner);
        }
        let field = order::candidates(&interaction, Effort::Quick, budget)?;
        self.in_rounds(field, unmerged.as_ref(), states_found)
    }

    /// Steps with which a run on the model itself is good enough.
    fn good_steps(&self) -> u64 {
        GOOD_STEPS.of(self.part_count)
    }

    /// A cheap order that is good enough; the last to be tried is one of the blocks `unmerged`, if
    /// there are such blocks.
    fn first_guess(
        &self,
        interaction: &Interaction,
        unmerged: Option<&Blocks>,
    ) -> Result<Option<Winner<K::Sets>>, SetupError> {
        let good = |order: &Order, blocks: &Blocks| {
            let run = self.run(self.model, blocks, order, self.good_steps())?;
            Ok::<_, SetupError>(match run {
                Run::Finished(finished, used) => {
                    Some((format!("good enough at the first guess, with {used} steps"), Some(finished)))
                }
                Run::Stopped(_) => None,
            })
        };
        for heuristic in FIRST_GUESSES {
            let name = OrderName { variant: Some(1), ..OrderName::from(heuristic) };
            let Some(order) = order::compute(interaction, name, Effort::Quick, self.budget)? else {
                continue;
            };
            if let Some((why, finished)) = good(&order, self.blocks)? {
                return Ok(Some(Winner { blocks: None, name, order, why, finished }));
            }
        }
        let Some(blocks) = unmerged else { return Ok(None) };
        let Some(Entrant { name, order, .. }) = self.unmerged(blocks)? else { return Ok(None) };
        let found = good(&order, blocks)?;
        Ok(found.map(|(why, finished)| Winner { blocks: Some(blocks.clone()), name, order, why, finished }))
    }

    /// The order on unmerged variables that joins a race on merged ones. Merging nearly always
    /// pays, so that more of them would not be worth their steps; but where it does not, it may
    /// cost a hundred times the work.
    fn unmerged<'b>(&self, blocks: &'b Blocks) -> Result<Option<Entrant<'b>>, SetupError> {
        let interaction = Interaction::new(self.model, blocks);
        let name = OrderName::from(UNMERGED_GUESS);
        let order = order::compute(&interaction, name, Effort::Quick, self.budget)?;
        Ok(order.map(|order| Entrant { name, order, blocks }))
    }

    /// Rounds on the model itself, with more and more steps for fewer and fewer candidates. An
    /// order of the blocks `unmerged` takes part, if there are such blocks.
    fn in_rounds(
        &self,
        candidates: Vec<Candidate>,
        unmerged: Option<&Blocks>,
        states_found: &mut BigUint,
    ) -> Result<Winner<K::Sets>, SetupError> {
        let entrant = |Candidate { name, order, .. }| Entrant { name, order, blocks: self.blocks };
        let mut field: Vec<Entrant<'_>> = candidates.into_iter().map(entrant).collect();
        if let Some(blocks) = unmerged {
            field.extend(self.unmerged(blocks)?);
        }
        let win = |entrant: Entrant<'_>, why: String, finished| {
            let blocks = (!std::ptr::eq(entrant.blocks, self.blocks)).then(|| entrant.blocks.clone());
            Winner { blocks, name: entrant.name, order: entrant.order, why, finished }
        };
        let candidate_count = field.len();
        let policy = OrderRounds {
            first_steps: FIRST_STEPS.of(self.part_count),
            good_steps: self.good_steps(),
            blocks: self.blocks,
        };
        let ended = race(&policy, field, states_found, |entrant, _, steps| {
            self.run(self.model, entrant.blocks, &entrant.order, steps)
        })?;
        Ok(match ended {
            Ended::Won { entrant, steps, finished } => {
                let why = format!("won a race of {candidate_count} candidates with {steps} steps");
                win(entrant, why, Some(finished))
            }
            Ended::Leads(entrant) => {
                let why = format!("found most states in a race of {candidate_count} candidates");
                win(entrant, why, None)
            }
        })
    }

    /// All candidates on the small copy; the winner improved there; the best few on the larger
    /// copy.
    fn on_copies(&self, field: Vec<Candidate>, small: &Model) -> Result<Winner<K::Sets>, SetupError> {
        let candidate_count = field.len();
        let most_steps = FIRST_STEPS.of(self.part_count);
        let mut ranked: Vec<(u64, Candidate)> = Vec::with_capacity(field.len());
        let mut least = most_steps;
        for candidate in field {
            let used = match self.run(
                small,
                self.blocks,
                &candidate.order,
                most_steps.min(least.saturating_mul(2)),
            )? {
                Run::Finished(_, used) => used,
                Run::Stopped(_) => u64::MAX,
            };
            least = least.min(used);
            ranked.push((used, candidate));
        }
        ranked.sort_by_key(|(used, _)| *used);
        ranked.truncate(FINALISTS);
        let (used, best) = &ranked[0];
        let may_search = self.task.care() == Care::Full && self.blocks.len() <= MOST_LEVELS_TO_SEARCH;
        if may_search && *used <= most_steps {
            let improved = Candidate { order: self.improve(&best.order, small, *used)?, ..best.clone() };
            ranked.push((*used, improved));
        }
        let medium = scaled_down(self.model, MEDIUM);
        let medium = medium.as_ref().unwrap_or(self.model);
        let mut winner = 0;
        let mut allowed = most_steps.saturating_mul(MEDIUM);
        for (number, (_, candidate)) in ranked.iter().enumerate() {
            if let Run::Finished(_, used) = self.run(medium, self.blocks, &candidate.order, allowed)? {
                winner = number;
                allowed = used.saturating_sub(1);
            }
        }
        let (used, best) = ranked.swap_remove(winner);
        let why =
            format!("won a race of {candidate_count} candidates on scaled-down copies, with {used} steps");
        Ok(Winner::new(best, why, None))
    }

    /// A better order than one that takes `steps` on the small copy, if rearranging finds one.
    fn improve(&self, order: &Order, small: &Model, steps: u64) -> Result<Order, SetupError> {
        let evaluations = (SEARCH_STEPS / steps.max(1)).min(MOST_REARRANGEMENTS) as u32;
        if evaluations < 2 {
            return Ok(order.clone());
        }
        let mut unsupported = None;
        let found = order::improve_by(order, evaluations, 0, |order, bound| {
            let allowed = if bound.is_finite() { bound as u64 } else { steps };
            match self.run(small, self.blocks, order, allowed) {
                Ok(Run::Finished(_, used)) => Ok(used as f64),
                Ok(Run::Stopped(_)) => Ok(f64::INFINITY),
                Err(SetupError::Interrupted(why)) => Err(why),
                Err(error) => {
                    unsupported = Some(error);
                    Err(Interrupted::Steps)
                }
            }
        });
        match unsupported {
            Some(error) => Err(error),
            None => Ok(found?.0),
        }
    }

    /// Explores `model` under a step limit.
    fn run(
        &self,
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        steps: u64,
    ) -> Result<Run<FinishedRun<K>>, SetupError> {
        run_under(self.kind, self.task, model, (blocks, order), self.limits, self.budget, steps)
    }
}

/// Explores `model` under an order and a step limit.
pub(crate) fn run_under<K: DiagramSetup, T: RaceTask<K::Sets>>(
    kind: &K,
    task: &T,
    model: &Model,
    (blocks, order): (&Blocks, &Order),
    limits: Limits,
    budget: &Budget,
    steps: u64,
) -> Result<Run<FinishedRun<K>>, SetupError> {
    // Setting up takes a step an event, which is no merit of an order.
    let steps = steps.saturating_add(model.events.len() as u64);
    loop {
        let meter = Meter::with_step_limit(budget.clone(), steps);
        let mut sets = match kind.set_up(model, blocks, order, meter, limits) {
            Err(SetupError::Interrupted(Interrupted::Steps)) => return Ok(Run::Stopped(BigUint::ZERO)),
            other => other?,
        };
        match task.run(&mut sets, model) {
            Ok(run) => {
                let used = sets.statistics().steps.saturating_sub(model.events.len() as u64);
                return Ok(Run::Finished(Box::new(Finished { sets, run }), used));
            }
            // Another order may do with less memory.
            Err(stopped) if matches!(stopped.why, Interrupted::Steps | Interrupted::Memory) => {
                return Ok(Run::Stopped(stopped.states_at_least.unwrap_or_default()));
            }
            Err(_) if kind.widen(model, &sets) => {}
            Err(stopped) => return Err(stopped.why.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::mdd::MddSetup;
    use symbolon_petri::analysis::{AnalysisOptions, analyse};
    use symbolon_petri::{families, lower_with};

    #[test]
    fn unmerged_orders_bring_their_own_blocks() {
        let budget = Budget::unlimited();
        let net = families::generate("peterson", &[2], &budget).expect("a net");
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
        let model = lower_with(&net, &analysis);
        let (merged, single) = (Blocks::merged(&model), Blocks::single(&model));
        assert!(merged.len() < single.len(), "exclusive places can be merged");
        let race = OrderRace {
            kind: &MddSetup,
            task: &AllStates(Strategy::Saturation),
            model: &model,
            blocks: &merged,
            limits: Limits::default(),
            budget: &budget,
            part_count: 1_000,
        };
        // It is the only entrant, so it wins.
        let mut states_found = BigUint::ZERO;
        let winner = race.in_rounds(Vec::new(), Some(&single), &mut states_found).expect("nothing stops it");
        assert_eq!(winner.blocks.as_ref(), Some(&single));
        let count = |blocks: &Blocks, order: &Order| {
            let run = race.run(&model, blocks, order, u64::MAX / 2).expect("nothing stops it");
            let Run::Finished(finished, _) = run else { panic!("there are steps enough") };
            let Finished { mut sets, run } = *finished;
            sets.count(&run.reached).expect("nothing stops it")
        };
        let states = count(&merged, &Order::as_given(merged.len()));
        assert_eq!(count(&single, &winner.order), states);
    }
}
