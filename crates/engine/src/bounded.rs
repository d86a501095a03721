//! Bounded search: is there a deadlock, or a state that satisfies a predicate, within a number of
//! steps?
//!
//! Eight methods on diagrams, each as the paper means it (Yu, Ciardo, Lüttgen, STTT; the kernels
//! say where they correct its figures). *Exact* ones find precisely the states within the bound,
//! with their distances; the others find these, and others that are reachable. So what any of them
//! finds is a proof; what none finds is one only where all reachable states were met, which
//! [`Searched::is_complete`] says.
//!
//! [`Method::Auto`] needs no bound. If states are finitely many, the target is looked for in all of
//! them, and distances are computed only if it was found there. Three computations take turns, with
//! more and more steps each: distances by saturation, distances by chaining, and bounded saturation
//! with a bound that grows; the first that ends gives the answer (`auto.rs`).

mod auto;
mod binary;
mod distances;
mod method;

pub use distances::{AllDistances, distances};
pub use method::{Method, WrongMethod};

use crate::explore::choose_order::{Care, Finished, OrderChoice, Plan, RaceTask, care_matters, choose_order};
use crate::explore::strategy::{Strategy, StrategyRun, StrategyStopped, reach};
use crate::explore::{Failure, PartialAnswer, setup_failure};
use crate::policy::bounded::{CARELESS_STEPS, RACE_BOUND, TRACE_STEPS};
use crate::sets::core::StateSets;
use crate::sets::distances::{BoundedRounds, DistanceSearch, Distances, Nearest};
use crate::sets::found_trace::FoundTrace;
use crate::sets::mdd::MddSetup;
use crate::sets::setup::{DiagramSetup, Unsupported};
use crate::trace::trace_by_search;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::{Limits, Statistics};
use symbolon_model::{Model, Predicate};

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A state in which no event is enabled.
    Dead,
    /// A state that satisfies a predicate.
    Holds(&'a Predicate),
}

/// A question to bounded search.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// What is searched for.
    pub target: Target<'a>,
    /// The number of steps; only [`Method::Auto`] can do without.
    pub bound: Option<u64>,
    /// How.
    pub method: Method,
    /// Whether the model has finitely many states; `false` if that is not known.
    pub is_finite: bool,
    /// Which variables share a level, and in which order levels stand.
    pub order: OrderChoice,
}

/// The answer to a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// What was found, if anything was.
    pub found: Option<Found>,
    /// Whether all reachable states were met, so that nothing found means that there is nothing.
    pub is_complete: bool,
    /// The method that gave the answer.
    pub method: Method,
    /// The bound with which it did; `None` if it had none.
    pub bound: Option<u64>,
    /// The order that was used, and why.
    pub plan: Plan,
    /// Levels of the diagrams.
    pub levels: usize,
    /// What was done.
    pub statistics: Statistics,
}

/// A state of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The length of a shortest trace to the target, where the method is exact.
    pub distance: Option<u64>,
    /// A trace to the target, or why there is none.
    pub trace: Result<FoundTrace, Interrupted>,
}

/// Searches a model. Call it on a stack that is deep enough ([`crate::deep_stack`]).
pub fn search(model: &Model, search: &Search<'_>, budget: &Budget) -> Result<Searched, Failure> {
    if search.method == Method::EvbddApprox {
        return binary::search(model, search, budget);
    }
    let (prepared, answer) = prepare_and_run(model, &search.order, race_bound(search), budget, |prepared| {
        let Prepared { sets, reached, .. } = prepared;
        match (search.method, search.bound) {
            (Method::Auto, _) => auto::search(sets, model, search, reached.as_ref()),
            (method, bound) => {
                let bound = bound.unwrap_or(u64::MAX);
                let reached = run_method(sets, method, bound)?;
                let (found, is_complete) = answer(sets, model, search, bound, &reached)?;
                Ok((found, is_complete, method, Some(bound)))
            }
        }
    })?;
    let (found, is_complete, method, bound) = answer;
    let Prepared { sets, plan, .. } = prepared;
    let (levels, statistics) = (sets.level_count(), sets.statistics());
    Ok(Searched { found, is_complete, method, bound, plan, levels, statistics })
}

/// The bound within which orders race; none where they race for all states.
fn race_bound(search: &Search<'_>) -> Option<u64> {
    (!search.is_finite).then(|| search.bound.map_or(RACE_BOUND, |bound| bound.min(RACE_BOUND)))
}

/// The kind of diagram that bounded search runs on.
type SearchSetup = MddSetup;
const SEARCH_SETUP: SearchSetup = MddSetup;

/// Its state sets.
type SearchSets = <SearchSetup as DiagramSetup>::Sets;

/// State sets under a chosen order, and all reachable states if a race has found them.
struct Prepared {
    sets: SearchSets,
    reached: Option<<SearchSets as StateSets>::Set>,
    plan: Plan,
}

/// Chooses an order, sets up and computes. Most of what is asked here takes milliseconds under any
/// order that is not bad, so that choosing a good one would be most of the work: that is done only
/// where the computation turns out to be long. Orders race for all states, or for those within a
/// bound.
fn prepare_and_run<T>(
    model: &Model,
    order: &OrderChoice,
    race_bound: Option<u64>,
    budget: &Budget,
    compute: impl Fn(&mut Prepared) -> Result<T, Interrupted>,
) -> Result<(Prepared, T), Failure> {
    if care_matters(model, order) {
        let task = NearStates { bound: race_bound, care: Care::Little };
        let mut prepared = prepare(&task, model, order, budget)?;
        prepared.sets.meter().grant_steps(Some(careless_steps(model)));
        let answer = compute(&mut prepared);
        // Something may have been left out of an answer for want of steps.
        let is_cut = prepared.sets.meter().is_exhausted();
        prepared.sets.meter().grant_steps(None);
        if !is_cut {
            return finish(prepared, answer);
        }
    }
    let task = NearStates { bound: race_bound, care: Care::Full };
    let mut prepared = prepare(&task, model, order, budget)?;
    let answer = compute(&mut prepared);
    finish(prepared, answer)
}

/// Steps that a computation may take under an order that was chosen with little care.
fn careless_steps(model: &Model) -> u64 {
    CARELESS_STEPS.of(model.events.len() as u64)
}

fn finish<T>(prepared: Prepared, answer: Result<T, Interrupted>) -> Result<(Prepared, T), Failure> {
    match answer {
        Ok(answer) => Ok((prepared, answer)),
        Err(why) => {
            let statistics = prepared.sets.statistics();
            let (nodes, steps) = (statistics.nodes as u64, statistics.steps);
            Err(Failure::Interrupted(why, PartialAnswer { states_at_least: None, nodes, steps }))
        }
    }
}

/// Chooses an order and sets up.
fn prepare(
    task: &NearStates,
    model: &Model,
    order: &OrderChoice,
    budget: &Budget,
) -> Result<Prepared, Failure> {
    // The methods count events of the diagram, and a synchronous step is several relations.
    if let Some(step) = model.events.iter().find(|event| event.is_synchronous()) {
        let construct = "a synchronous step, in bounded search";
        return Err(Failure::Unsupported(Unsupported::Construct { event: step.name.clone(), construct }));
    }
    let limits = Limits::default();
    let mut states_found = BigUint::from(1_u32);
    let chosen = choose_order(&SEARCH_SETUP, task, model, order, limits, budget, &mut states_found);
    let (plan, finished) = chosen.map_err(|error| setup_failure(error, &states_found, budget))?;
    match finished {
        Some(finished) if task.bound.is_none() => {
            let Finished { mut sets, run } = *finished;
            sets.meter().grant_steps(None);
            Ok(Prepared { sets, reached: Some(run.reached), plan })
        }
        _ => {
            let meter = Meter::new(budget.clone());
            let sets = SEARCH_SETUP.set_up(model, &plan.blocks, &plan.order, meter, limits);
            let sets = sets.map_err(|error| setup_failure(error, &states_found, budget))?;
            Ok(Prepared { sets, reached: None, plan })
        }
    }
}

/// The task of a race of orders: all states or, where these may be infinitely many so that no run
/// for all of them would end, those within a bound.
struct NearStates {
    bound: Option<u64>,
    care: Care,
}

impl<S: Distances> RaceTask<S> for NearStates {
    fn run(&self, sets: &mut S, model: &Model) -> Result<StrategyRun<S::Set>, StrategyStopped> {
        let Some(bound) = self.bound else { return reach(sets, Strategy::for_model(model)) };
        let run = sets.initial().and_then(|initial| {
            let near = sets.distances(&initial, DistanceSearch::Within(bound))?;
            Ok(StrategyRun { reached: sets.support(&near)?, depth: None })
        });
        run.map_err(|why| StrategyStopped { why, states_at_least: None })
    }

    fn care(&self) -> Care {
        self.care
    }
}

/// What a method has found.
enum Reached<S: Distances> {
    /// States alone.
    States(S::Set),
    /// States with values; those up to the bound are distances.
    Valued(S::Function),
    /// States within the bound with their distances, at terminals.
    Numbered(S::TerminalFunction),
}

/// Runs one of the methods. `auto` and what runs on bits are not run here; their place is that of
/// exact distances.
fn run_method<S: Distances>(sets: &mut S, method: Method, bound: u64) -> Result<Reached<S>, Interrupted> {
    let initial = sets.initial()?;
    let rounds = match method {
        Method::Chain => BoundedRounds::Chaining,
        Method::Local => BoundedRounds::Local,
        Method::Global => BoundedRounds::Global,
        Method::EddApprox | Method::EvbddApprox => {
            return sets.distances(&initial, DistanceSearch::Within(bound)).map(Reached::Valued);
        }
        Method::EddExact | Method::Auto => {
            return sets.distances(&initial, DistanceSearch::ExactlyWithin(bound)).map(Reached::Valued);
        }
        Method::AddExact => return sets.distances_at_terminals(&initial, bound).map(Reached::Numbered),
    };
    sets.states_within(&initial, rounds, bound).map(Reached::States)
}

/// The states of a set in the target.
fn in_target<S: StateSets>(sets: &mut S, target: Target<'_>, set: &S::Set) -> Result<S::Set, Interrupted> {
    match target {
        Target::Dead => sets.dead(set),
        Target::Holds(predicate) => sets.select(set, predicate),
    }
}

/// All states that a method has found.
fn states_of<S: Distances>(sets: &mut S, reached: &Reached<S>) -> Result<S::Set, Interrupted> {
    match reached {
        Reached::States(states) => Ok(states.clone()),
        Reached::Valued(values) => sets.support(values),
        Reached::Numbered(values) => sets.terminal_support(values),
    }
}

/// What was found of the target, and whether all reachable states were met.
fn answer<S: Distances>(
    sets: &mut S,
    model: &Model,
    search: &Search<'_>,
    bound: u64,
    reached: &Reached<S>,
) -> Result<(Option<Found>, bool), Interrupted> {
    let states = states_of(sets, reached)?;
    let goal = in_target(sets, search.target, &states)?;
    if sets.is_empty(&goal) {
        let is_complete = is_closed(sets, &states)?;
        return Ok((None, is_complete));
    }
    let nearest = match reached {
        Reached::Valued(values) => sets.nearest(values, &goal, bound)?,
        Reached::States(_) | Reached::Numbered(_) => None,
    };
    if let Some(Nearest { distance, trace }) = nearest {
        return Ok((Some(Found { distance: Some(distance), trace }), false));
    }
    let distance = match reached {
        Reached::Numbered(values) => sets.smallest_on(values, &goal)?,
        Reached::States(_) | Reached::Valued(_) => None,
    };
    let mut trace = trace_by_distances(sets, model, search, bound, &states, &goal);
    if let Ok(trace) = &mut trace {
        // Nothing nearer was missed within the bound; beyond it, something may have been.
        trace.is_shortest &= trace.events.len() as u64 <= bound;
    }
    Ok((Some(Found { distance, trace }), false))
}

/// A trace to `goal` for a method that gives none itself: computing distances costs little more
/// than the search. Where it does cost more, layers inside the states that were found must do.
fn trace_by_distances<S: Distances>(
    sets: &mut S,
    model: &Model,
    search: &Search<'_>,
    bound: u64,
    states: &S::Set,
    goal: &S::Set,
) -> Result<FoundTrace, Interrupted> {
    let steps = TRACE_STEPS.of(sets.statistics().steps);
    let limit = sets.meter().grant_at_most(steps);
    let found = trace_within_steps(sets, search, bound, goal);
    sets.meter().restore(limit);
    match found {
        Err(Interrupted::Steps) => {}
        other => return other,
    }
    trace_by_search(sets, model, states, goal, steps)?.ok_or(Interrupted::Steps)
}

fn trace_within_steps<S: Distances>(
    sets: &mut S,
    search: &Search<'_>,
    bound: u64,
    goal: &S::Set,
) -> Result<FoundTrace, Interrupted> {
    let initial = sets.initial()?;
    // Where states are finitely many no bound is needed; elsewhere one is found by doubling.
    let mut bound = if search.is_finite { u64::MAX } else { bound.max(1) };
    loop {
        let values = sets.distances(&initial, DistanceSearch::Within(bound))?;
        if let Some(nearest) = sets.nearest(&values, goal, bound)? {
            return nearest.trace;
        }
        if bound == u64::MAX {
            return Err(Interrupted::Steps);
        }
        bound = bound.saturating_mul(2);
    }
}

/// Whether no event leads out of a set.
fn is_closed<S: StateSets>(sets: &mut S, set: &S::Set) -> Result<bool, Interrupted> {
    let next = sets.image_of_any(set)?;
    let new = sets.difference(&next, set)?;
    Ok(sets.is_empty(&new))
}
