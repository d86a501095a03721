//! Bounded search: is there a deadlock, or a state that satisfies a predicate, within so many steps?
//!
//! Eight methods on diagrams, each as the paper means it (Yu, Ciardo, Lüttgen, STTT; where the kernels correct its figures is told
//! there). *Exact* ones find precisely the states within the bound, with their distances; the others find these, and others that
//! are reachable. So what any of them finds is a proof; what none finds is one only where all reachable states were met, which is
//! told by [`Searched::is_complete`].
//!
//! [`Method::Auto`] needs no bound. If states are finitely many, the target is looked for in all of them, and distances are
//! computed only if it was found there. Three computations take turns, with more and more steps each: distances by saturation,
//! distances by chaining, and bounded saturation with a bound that grows; whoever ends first, answers (`auto.rs`).

mod auto;
mod binary;
mod distances;
mod method;

pub use distances::{Distances, distances};
pub use method::{Method, WrongMethod};

use crate::explore::choose_order::{
    Care, Finished, Kind, OrderChoice, Plan, RunOf, care_matters, choose_order,
};
use crate::explore::strategy::{Strategy, StrategyRun, StrategyStopped, reach};
use crate::explore::{Failure, PartialAnswer, setup_failure};
use crate::order::{Blocks, Order};
use crate::sets::core::Unsupported;
use crate::sets::core::{SetupError, StateSets};
use crate::sets::found_trace::FoundTrace;
use crate::sets::mdd::MddSets;
use crate::trace::trace_by_search;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::{Limits, Root, Statistics};
use symbolon_dd_mdd::Rounds;
use symbolon_dd_weighted::{Edge, Function};
use symbolon_model::{EventId, Model, Predicate};

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
    /// Within so many steps; only [`Method::Auto`] can do without.
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

/// Steps that a trace may take for a method that gives none itself: so many a step of the search, and so many more.
const TRACE_STEPS_PER_STEP: u64 = 20;
const TRACE_STEPS: u64 = 1_000_000;

/// Where states may be infinitely many, orders race for what lies within the bound, or within this if it is smaller.
const RACE_BOUND: u64 = 6;

/// Where care for the order is spared at first, the computation may take so many steps, and so many an event. If it takes more,
/// it starts again under an order that is chosen with all care.
const CARELESS_STEPS: u64 = 50_000;
const CARELESS_STEPS_PER_EVENT: u64 = 200;

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
                let reached = sets.run(method, bound)?;
                let (found, is_complete) = sets.answer(model, search, bound, &reached)?;
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

/// State sets under a chosen order, and all reachable states if a race has found them.
struct Prepared {
    sets: MddSets,
    reached: Option<Root>,
    plan: Plan,
}

/// Chooses an order, sets up and computes. Most of what is asked here takes milliseconds under any order that is not bad, so
/// that choosing a good one would be most of the work: that is done only where the computation turns out to be long.
/// Orders race for all states, or for those within a bound.
fn prepare_and_run<T>(
    model: &Model,
    order: &OrderChoice,
    race_bound: Option<u64>,
    budget: &Budget,
    compute: impl Fn(&mut Prepared) -> Result<T, Interrupted>,
) -> Result<(Prepared, T), Failure> {
    if care_matters(model, order) {
        let kind = NearKind { bound: race_bound, care: Care::Little };
        let mut prepared = prepare(&kind, model, order, budget)?;
        prepared.sets.meter().grant_steps(Some(careless_steps(model)));
        let answer = compute(&mut prepared);
        // Something may have been left out of an answer for want of steps.
        let is_cut = prepared.sets.meter().is_exhausted();
        prepared.sets.meter().grant_steps(None);
        if !is_cut {
            return finish(prepared, answer);
        }
    }
    let kind = NearKind { bound: race_bound, care: Care::Full };
    let mut prepared = prepare(&kind, model, order, budget)?;
    let answer = compute(&mut prepared);
    finish(prepared, answer)
}

/// Steps that a computation may take under an order that was chosen with little care.
fn careless_steps(model: &Model) -> u64 {
    CARELESS_STEPS + CARELESS_STEPS_PER_EVENT * model.events.len() as u64
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
    kind: &NearKind,
    model: &Model,
    order: &OrderChoice,
    budget: &Budget,
) -> Result<Prepared, Failure> {
    // The methods count events of the diagram, and a synchronous step is several relations.
    if let Some(step) = model.events.iter().find(|event| event.is_synchronous()) {
        let construct = "a synchronous step, in bounded search";
        return Err(Failure::Unsupported(Unsupported { event: step.name.clone(), construct }));
    }
    let limits = Limits::default();
    let mut states_found = BigUint::from(1_u32);
    let chosen = choose_order(kind, model, order, limits, budget, &mut states_found);
    let (plan, finished) = chosen.map_err(|error| setup_failure(error, &states_found, budget))?;
    match finished {
        Some(finished) if kind.bound.is_none() => {
            let Finished { mut sets, run } = *finished;
            sets.meter().grant_steps(None);
            Ok(Prepared { sets, reached: Some(run.reached), plan })
        }
        _ => {
            let meter = Meter::new(budget.clone());
            let sets = MddSets::new(model, &plan.blocks, &plan.order, meter, limits);
            let sets = sets.map_err(|error| setup_failure(error, &states_found, budget))?;
            Ok(Prepared { sets, reached: None, plan })
        }
    }
}

/// Multi-valued diagrams that race for all states or, where these may be infinitely many so that no run for all of them would
/// end, for what lies near.
struct NearKind {
    bound: Option<u64>,
    care: Care,
}

impl Kind for NearKind {
    type Sets = MddSets;
    const RACES_UNMERGED: bool = true;

    fn set_up(
        &self,
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        meter: Meter,
        limits: Limits,
    ) -> Result<MddSets, SetupError> {
        MddSets::new(model, blocks, order, meter, limits)
    }

    fn reach(&self, sets: &mut MddSets, model: &Model) -> Result<RunOf<NearKind>, StrategyStopped> {
        let Some(bound) = self.bound else { return reach(sets, Strategy::for_model(model)) };
        let run = sets.initial().and_then(|initial| {
            let near = sets.distances_within(&initial, bound)?;
            let reached = sets.edd().support(near)?;
            Ok(StrategyRun { reached: sets.mdd_mut().root(reached), depth: None })
        });
        run.map_err(|why| StrategyStopped { why, states_at_least: None })
    }

    fn care(&self) -> Care {
        self.care
    }
}

/// What a method has found.
enum Reached {
    /// States alone.
    States(Root),
    /// States with values on edges; those up to the bound are distances.
    Valued(Function),
    /// States within the bound with their distances, at terminals.
    Numbered(Root),
}

impl MddSets {
    /// Runs one of the methods; again, if it fails because too few values of an open domain are tried.
    fn run(&mut self, method: Method, bound: u64) -> Result<Reached, Interrupted> {
        loop {
            match self.run_once(method, bound) {
                Err(Interrupted::Overflow) if self.tries_more_values() => {}
                answer => return answer,
            }
        }
    }

    fn run_once(&mut self, method: Method, bound: u64) -> Result<Reached, Interrupted> {
        let initial = self.initial()?;
        let node = match method {
            Method::Chain => {
                self.mdd_mut().chain(symbolon_dd_mdd::ChainFrom::Everything, bound, initial.node())?
            }
            Method::Local => self.mdd_mut().saturate_bounded(Rounds::Local, bound, initial.node())?,
            Method::Global => self.mdd_mut().saturate_bounded(Rounds::Global, bound, initial.node())?,
            Method::EddApprox | Method::EvbddApprox | Method::EddExact | Method::Auto => {
                let found = self.distances_within(&initial, bound)?;
                let mut edd = self.edd();
                let is_rough = matches!(method, Method::EddApprox | Method::EvbddApprox);
                let cut = if is_rough { found } else { edd.truncate(found, bound)? };
                return Ok(Reached::Valued(edd.function(cut)));
            }
            Method::AddExact => {
                let mut add = self.add();
                add.set_bound(Some(bound));
                let start = add.of_set(initial.node(), 0)?;
                let found = add.saturate(start);
                add.set_bound(None);
                return Ok(Reached::Numbered(add.root(found?)));
            }
        };
        Ok(Reached::States(self.mdd_mut().root(node)))
    }

    /// The distances of all states within a bound, and values above it for some others.
    fn distances_within(&mut self, initial: &Root, bound: u64) -> Result<Edge, Interrupted> {
        loop {
            let mut edd = self.edd();
            edd.set_bound(Some(bound));
            let start = edd.of_set(initial.node())?;
            let found = edd.saturate(start);
            edd.set_bound(None);
            match found {
                Err(Interrupted::Overflow) if self.tries_more_values() => {}
                answer => return answer,
            }
        }
    }

    /// The states of a set in the target.
    fn in_target(&mut self, target: Target<'_>, set: &Root) -> Result<Root, Interrupted> {
        match target {
            Target::Dead => self.dead(set),
            Target::Holds(predicate) => self.select(set, predicate),
        }
    }

    /// What was found of the target, and whether all reachable states were met.
    fn answer(
        &mut self,
        model: &Model,
        search: &Search<'_>,
        bound: u64,
        reached: &Reached,
    ) -> Result<(Option<Found>, bool), Interrupted> {
        let support = match reached {
            Reached::States(states) => states.node(),
            Reached::Valued(values) => self.edd().support(values.edge())?,
            Reached::Numbered(values) => self.add().support(values.node())?,
        };
        let states = self.mdd_mut().root(support);
        let goal = self.in_target(search.target, &states)?;
        if self.is_empty(&goal) {
            let is_complete = self.is_closed(&states)?;
            return Ok((None, is_complete));
        }
        let found = match reached {
            Reached::Valued(values) => self.nearest(values, &goal, bound)?,
            Reached::States(_) | Reached::Numbered(_) => None,
        };
        let found = match found {
            Some(found) => found,
            None => {
                let distance = match reached {
                    Reached::Numbered(values) => self.add().smallest_on(values.node(), goal.node())?,
                    Reached::States(_) | Reached::Valued(_) => None,
                };
                let distance = distance.and_then(|distance| u64::try_from(distance).ok());
                let mut trace = self.trace_by_distances(model, search, bound, &states, &goal);
                if let Ok(trace) = &mut trace {
                    // Nothing nearer was missed within the bound; beyond it, something may have been.
                    trace.is_shortest &= trace.events.len() as u64 <= bound;
                }
                Found { distance, trace }
            }
        };
        Ok((Some(found), false))
    }

    /// A trace to `goal` for a method that gives none itself: distances are not much dearer than the search was, so they are
    /// computed. If they are dearer, layers inside the states that were found must do.
    fn trace_by_distances(
        &mut self,
        model: &Model,
        search: &Search<'_>,
        bound: u64,
        states: &Root,
        goal: &Root,
    ) -> Result<FoundTrace, Interrupted> {
        let steps = self.statistics().steps.saturating_mul(TRACE_STEPS_PER_STEP).saturating_add(TRACE_STEPS);
        let limit = self.meter().grant_at_most(steps);
        let found = self.trace_within_steps(search, bound, goal);
        self.meter().restore(limit);
        match found {
            Err(Interrupted::Steps) => {}
            other => return other,
        }
        trace_by_search(self, model, states, goal, steps)?.ok_or(Interrupted::Steps)
    }

    fn trace_within_steps(
        &mut self,
        search: &Search<'_>,
        bound: u64,
        goal: &Root,
    ) -> Result<FoundTrace, Interrupted> {
        let initial = self.initial()?;
        // Where states are finitely many no bound is needed; elsewhere one is found by doubling.
        let mut bound = if search.is_finite { u64::MAX } else { bound.max(1) };
        loop {
            let values = self.distances_within(&initial, bound)?;
            let values = self.edd().function(values);
            if let Some(found) = self.nearest(&values, goal, bound)? {
                return found.trace;
            }
            if bound == u64::MAX {
                return Err(Interrupted::Steps);
            }
            bound = bound.saturating_mul(2);
        }
    }

    /// A shortest trace to `goal`, by the distances of all states; `None` if it is not reachable.
    pub(crate) fn trace_by_all_distances(&mut self, goal: &Root) -> Result<Option<FoundTrace>, Interrupted> {
        let initial = self.initial()?;
        let values = self.distances_within(&initial, u64::MAX)?;
        let values = self.edd().function(values);
        self.nearest(&values, goal, u64::MAX)?.map(|found| found.trace).transpose()
    }

    /// The state of `goal` with the least value, if that is at most `bound`, and a trace to it.
    fn nearest(&mut self, values: &Function, goal: &Root, bound: u64) -> Result<Option<Found>, Interrupted> {
        let mut edd = self.edd();
        let near = edd.restrict(values.edge(), goal.node())?;
        let Some(distance) = edd.smallest(near).filter(|&distance| distance <= bound) else {
            return Ok(None);
        };
        let vector = edd.nearest(near);
        let trace = match vector.map(|vector| edd.trace_to(values.edge(), &vector)) {
            Some(Ok(Some(trace))) => {
                let events = trace.events.iter().map(|&event| EventId(event as u32)).collect();
                let initial = self.encoding().decode(&trace.initial);
                Ok(FoundTrace { initial, events, is_shortest: true, states: Vec::new() })
            }
            Some(Err(why)) => Err(why),
            // Cannot be, as long as values are distances.
            Some(Ok(None)) | None => Err(Interrupted::Steps),
        };
        Ok(Some(Found { distance: Some(distance), trace }))
    }

    /// Whether no event leads out of a set.
    fn is_closed(&mut self, set: &Root) -> Result<bool, Interrupted> {
        let next = self.image_of_any(set)?;
        let new = self.difference(&next, set)?;
        Ok(self.is_empty(&new))
    }
}
