//! Deadlocks: whether a reachable state has no successor, and runs that lead to such states.
//!
//! Random walks come first, because a walk that ends in a dead state is already an answer. Then
//! diagrams compute the set of all dead states, and traces are found inside the reachable set. A
//! deadlock is reported as soon as it is proved to exist; a shorter run is searched for afterwards,
//! for a grace time only. A net that is proved unbounded has no such set; there plain states are
//! explored up to a limit.

use crate::ask::ask;
use crate::folded::{count_markings, trace_of_quotient, unfolded_witness};
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use crate::phase::Phase;
use crate::policy;
use crate::policy::check::SHORTENING_TIME;
use crate::policy::deadlock::{MOST_STATES_IF_UNBOUNDED, STEPS_PER_WALK, WALK_STEPS};
use crate::replay_failure::ReplayFailure;
use crate::report::{DeadlockReport, Outcome, Reason, Unknown, Witness};
use crate::stop::Stop;
use crate::witness::{is_dead, joint_witness, trace_witness};
use num_bigint::BigUint;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    DiagramKind, Explored, FoundTrace, Look, Question, RunTarget, StateSets, WalkOptions, random_walks,
    shorten, trace_to,
};
use symbolon_explicit::{self as explicit, JointTrace, Trace};
use symbolon_model::{EventId, Model, State};

/// What is wanted besides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadlockOptions {
    /// How many runs, each to another dead state; 0 for the verdict alone.
    pub traces: usize,
}

impl Default for DeadlockOptions {
    fn default() -> DeadlockOptions {
        DeadlockOptions { traces: 1 }
    }
}

/// Looks for a deadlock and for a trace to it, shortest where breadth-first layers are affordable.
pub(crate) fn deadlock(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<DeadlockReport, Stop> {
    deadlock_reporting(loaded, DeadlockOptions::default(), options, budget, |_| {})
}

/// The same; `on_found` is called as soon as a deadlock is proved to exist, before a trace, or a
/// shorter one, is searched for, so that a caller that cannot wait has the verdict.
pub(crate) fn deadlock_reporting(
    loaded: &Loaded,
    wanted: DeadlockOptions,
    options: &Options,
    budget: &Budget,
    on_found: impl Fn(&DeadlockReport) + Sync,
) -> Result<DeadlockReport, Stop> {
    check_choices(loaded, options)?;
    let is_quotient = loaded.quotient().is_some();
    if options.diagram == Diagram::Explicit && !is_quotient {
        return Ok(by_explicit(loaded, wanted, None, budget)??);
    }
    // A walk that happens to end is kept for the case that nothing better comes.
    let walk = if options.no_shortcuts || is_quotient { None } else { walk(loaded, options, budget) };
    let mut walked = None;
    if let Some((initial, events)) = walk {
        let witness = dead_witness(loaded, initial.clone(), events.clone(), false)?;
        let is_enough = wanted.traces == 0 || witness.steps.is_empty() && wanted.traces == 1;
        let report = found_by_walk(witness);
        if is_enough {
            return Ok(report);
        }
        on_found(&report);
        let time = budget.slice(SHORTENING_TIME.min(options.grace));
        let target = &mut EndsDead { model: &loaded.model };
        let events = shorten(&loaded.model, &initial, &events, target, &time);
        walked = Some(dead_witness(loaded, initial, events, false)?);
    }
    if loaded.unbounded_place().is_some() {
        return Ok(unbounded(loaded, wanted, walked, budget)?);
    }
    let on_first = |report: &DeadlockReport| {
        if walked.is_none() {
            on_found(report);
        }
    };
    // With a run at hand, a shorter one is worth some time, and several are worth all of it.
    let grace = (walked.is_some() && wanted.traces == 1).then_some(options.grace);
    let for_search = grace.map_or_else(|| budget.clone(), |grace| budget.slice(grace));
    let question = DeadlockQuestion { loaded, wanted, grace: options.grace, on_found: on_first };
    let explored = ask(loaded, options, &for_search, question).and_then(|answer| Ok(answer?));
    match (explored, walked) {
        (Err(Stop::Unknown(why)), _) if why.reason == Reason::Internal => Err(why.into()),
        (Err(Stop::Unknown(_)), Some(witness)) => Ok(found_by_walk(witness)),
        (Ok(report), walked) if report.deadlock && report.witness.is_none() && walked.is_some() => {
            Ok(DeadlockReport { witness: walked, no_witness: None, ..report })
        }
        (explored, _) => explored,
    }
}

/// A run into a deadlock, if random walks meet one.
fn walk(loaded: &Loaded, options: &Options, budget: &Budget) -> Option<(State, Vec<EventId>)> {
    let walk = WalkOptions { steps: WALK_STEPS, steps_per_walk: STEPS_PER_WALK, seed: options.seed };
    // Where walks are interrupted, the search that follows them is, too.
    random_walks(&loaded.model, walk, budget, |walked| walked.dead.is_some()).ok()?.dead
}

/// A run that ends in a dead state.
struct EndsDead<'a> {
    model: &'a Model,
}

impl RunTarget for EndsDead<'_> {
    fn restart(&mut self) {}

    fn look(&mut self, state: &[u64], _: usize) -> Look {
        if is_dead(self.model, state) { Look::Shown } else { Look::Open }
    }
}

/// The replayed witness of a run into a deadlock.
pub(crate) fn dead_witness(
    loaded: &Loaded,
    initial: State,
    events: Vec<EventId>,
    shortest: bool,
) -> Result<Witness, ReplayFailure> {
    let trace = Trace { initial, events };
    let witness = trace_witness(&loaded.model, &trace, shortest, |last| is_dead(&loaded.model, last))?;
    unfolded_witness(loaded, witness)
}

/// The same of synchronous steps.
fn dead_joint_witness(loaded: &Loaded, trace: &JointTrace, shortest: bool) -> Result<Witness, ReplayFailure> {
    joint_witness(&loaded.model, trace, shortest, |last| is_dead(&loaded.model, last))
}

struct DeadlockQuestion<'a, T> {
    loaded: &'a Loaded,
    wanted: DeadlockOptions,
    /// How long a shortest trace is looked for.
    grace: Duration,
    /// Called with a deadlock before a trace is searched for.
    on_found: T,
}

impl<T: FnOnce(&DeadlockReport) + Send> Question for DeadlockQuestion<'_, T> {
    type Answer = Result<DeadlockReport, ReplayFailure>;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        let Explored { sets, reached, .. } = &mut explored;
        let dead = sets.dead(reached)?;
        let dead_states = count_markings(sets, &dead, self.loaded)?;
        let deadlock = !sets.is_empty(&dead);
        let report = DeadlockReport {
            deadlock,
            method: sets.kind().map_or("symbolic-markings", DiagramKind::name).into(),
            no_witness: deadlock.then(|| "none was searched".to_string()),
            dead_states,
            ..DeadlockReport::default()
        };
        let DeadlockQuestion { loaded, wanted, grace, on_found } = self;
        if !deadlock || wanted.traces == 0 {
            return Ok(Ok(report));
        }
        on_found(&report);
        sets.meter().budget().progress().enter(Phase::Witnessing.name());
        // Running out of time for traces does not take back the verdict.
        let mut found = Vec::new();
        let stopped = match traces(sets, loaded, (reached, dead), (wanted, grace), &mut found) {
            Ok(Ok(())) => None,
            Ok(Err(failure)) => return Ok(Err(failure)),
            Err(why) => Some(why),
        };
        let mut witnesses = found.into_iter();
        let witness = witnesses.next();
        let distance =
            witness.as_ref().filter(|witness| witness.shortest).map(|witness| witness.steps.len() as u64);
        let no_witness = witness.is_none().then(|| match stopped {
            Some(why) => why.to_string(),
            None => "what the agents do on the way was not found out".to_string(),
        });
        let more_witnesses = witnesses.collect();
        Ok(Ok(DeadlockReport { distance, witness, more_witnesses, no_witness, ..report }))
    }
}

/// Finds traces to dead states, as many as are wanted, each to another one, the nearest first.
fn traces<S: StateSets>(
    sets: &mut S,
    loaded: &Loaded,
    (reached, mut dead): (&S::Set, S::Set),
    (wanted, grace): (DeadlockOptions, Duration),
    found: &mut Vec<Witness>,
) -> Result<Result<(), ReplayFailure>, Interrupted> {
    while found.len() < wanted.traces && !sets.is_empty(&dead) {
        let Some(trace) = trace(sets, loaded, reached, &dead, grace)? else { return Ok(Ok(())) };
        let (witness, last) = match replayed(loaded, trace) {
            Ok(Some(replayed)) => replayed,
            Ok(None) => return Ok(Ok(())),
            Err(failure) => return Ok(Err(failure)),
        };
        found.push(witness);
        let last = sets.singleton(&last)?;
        dead = sets.difference(&dead, &last)?;
    }
    Ok(Ok(()))
}

/// A trace to a state of `dead`: a shortest one if that is found within the grace.
fn trace<S: StateSets>(
    sets: &mut S,
    loaded: &Loaded,
    reached: &S::Set,
    dead: &S::Set,
    grace: Duration,
) -> Result<Option<FoundTrace>, Interrupted> {
    let steps = layer_steps(sets);
    let whole = sets.meter().budget().clone();
    sets.meter().replace_budget(whole.slice(grace));
    let found = trace_to(sets, &loaded.model, reached, dead, steps);
    sets.meter().replace_budget(whole.clone());
    match found {
        Err(Interrupted::Timeout) => {
            whole.check()?;
            trace_to(sets, &loaded.model, reached, dead, 0)
        }
        found => found,
    }
}

/// The witness that a trace to a dead state is, and that state; `None` if it takes too long to find
/// out what the agents did.
fn replayed(loaded: &Loaded, found: FoundTrace) -> Result<Option<(Witness, State)>, ReplayFailure> {
    let model = &loaded.model;
    if let Some(witness) = trace_of_quotient(loaded, &found) {
        let last = found.states.last().unwrap_or(&found.initial).clone();
        return witness.map(|witness| Some((witness, last)));
    }
    if model.is_synchronous() {
        let last = found.states.last().unwrap_or(&found.initial).clone();
        let states = found.events.into_iter().zip(found.states);
        let Some(trace) = explicit::joint_trace_along(model, found.initial, states) else { return Ok(None) };
        return Ok(Some((dead_joint_witness(loaded, &trace, found.is_shortest)?, last)));
    }
    let trace = Trace { initial: found.initial, events: found.events };
    let states =
        explicit::replay(model, &trace).map_err(|why| ReplayFailure::of_trace(model, &trace, why))?;
    let last = states.last().unwrap_or(&trace.initial).clone();
    Ok(Some((dead_witness(loaded, trace.initial, trace.events, found.is_shortest)?, last)))
}

/// Steps that the layers of a shortest trace may take, after what exploring took.
pub(crate) fn layer_steps<S: StateSets>(sets: &S) -> u64 {
    policy::SHORTEST_TRACE.after(sets.statistics().steps)
}

/// Breadth-first search over plain states, which finds shortest traces.
fn by_explicit(
    loaded: &Loaded,
    wanted: DeadlockOptions,
    state_limit: Option<usize>,
    budget: &Budget,
) -> Result<Result<DeadlockReport, ReplayFailure>, explicit::Stopped> {
    let model = &loaded.model;
    let limits = explicit::Options { state_limit };
    let mut witnesses = Vec::new();
    let (deadlock, dead_states) = if wanted.traces > 1 {
        let explored = explicit::explore(model, &limits, budget)?;
        // States are numbered as the search met them, so the nearest come first.
        for &number in explored.dead_states().iter().take(wanted.traces) {
            witnesses.push(match model.is_synchronous() {
                true => dead_joint_witness(loaded, &explored.joint_trace_to(model, number), true),
                false => {
                    let Trace { initial, events } = explored.trace_to(number);
                    dead_witness(loaded, initial, events, true)
                }
            });
        }
        let count = explored.dead_states().len();
        (count > 0, Some(BigUint::from(count)))
    } else {
        let is_dead = |state: &[u64]| is_dead(model, state);
        let is_found = if model.is_synchronous() {
            let found = explicit::find_joint(model, &limits, budget, is_dead)?;
            witnesses.extend(found.as_ref().map(|trace| dead_joint_witness(loaded, trace, true)));
            found.is_some()
        } else {
            let found = explicit::find(model, &limits, budget, is_dead)?;
            let is_found = found.is_some();
            let witness = |trace: Trace| dead_witness(loaded, trace.initial, trace.events, true);
            witnesses.extend(found.map(witness));
            is_found
        };
        (is_found, (!is_found).then(BigUint::default))
    };
    let mut witnesses = match witnesses.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(witnesses) => witnesses.into_iter(),
        Err(failure) => return Ok(Err(failure)),
    };
    let witness = witnesses.next();
    Ok(Ok(DeadlockReport {
        deadlock,
        method: "explicit".into(),
        distance: witness.as_ref().filter(|one| one.shortest).map(|one| one.steps.len() as u64),
        witness,
        more_witnesses: witnesses.collect(),
        dead_states,
        ..DeadlockReport::default()
    }))
}

/// An unbounded net has infinitely many states: a search may find a deadlock, never its absence.
fn unbounded(
    loaded: &Loaded,
    wanted: DeadlockOptions,
    walked: Option<Witness>,
    budget: &Budget,
) -> Outcome<DeadlockReport> {
    if let Some(witness) = walked {
        return Ok(found_by_walk(witness));
    }
    let one = DeadlockOptions { traces: wanted.traces.min(1) };
    match by_explicit(loaded, one, Some(MOST_STATES_IF_UNBOUNDED), budget) {
        Ok(report) => Ok(report?),
        Err(stopped) => {
            let unbounded = loaded.unboundedness().unwrap_or_default();
            let detail =
                format!("{unbounded}, and none of the first {} states is a deadlock", stopped.states);
            let partial = Unknown::from(stopped).partial;
            Err(Unknown { partial, ..Unknown::because(Reason::Unbounded, detail) })
        }
    }
}

fn found_by_walk(witness: Witness) -> DeadlockReport {
    DeadlockReport {
        deadlock: true,
        method: "random-walk".into(),
        distance: witness.shortest.then_some(witness.steps.len() as u64),
        witness: Some(witness),
        ..DeadlockReport::default()
    }
}
