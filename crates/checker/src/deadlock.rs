//! Is a state without successors reachable, and how?

use crate::error::Error;
use crate::hierarchies::check_choices;
use crate::load::Loaded;
use crate::options::{Diagram, Options};
use crate::report::{DeadlockReport, Outcome, Reason, Unknown, Witness};
use crate::states::{Question, ask, explicit_unknown};
use crate::witness::{is_dead, joint_witness, trace_witness};
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Explored, Saturation, StateSets, WalkOptions, random_walks, trace_to};
use symbolon_explicit::{self as explicit, JointTrace, Trace};
use symbolon_model::{EventId, State};

/// Steps of the walks that are tried before exploring.
const WALK_STEPS: u64 = 100_000;
const STEPS_PER_WALK: u64 = 20_000;

/// Steps that the layers of a shortest trace may take: so many a step of exploring, and so many more.
const LAYER_STEPS_PER_STEP: u64 = 20;
const LAYER_STEPS: u64 = 5_000_000;

/// States of an unbounded net that are searched for a deadlock.
const MOST_STATES_IF_UNBOUNDED: usize = 1_000_000;

/// Looks for a deadlock and for a trace to it, shortest where breadth-first layers are affordable.
pub fn deadlock(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome<DeadlockReport>, Error> {
    deadlock_telling(loaded, options, budget, |_| {})
}

/// The same; `tell` learns of a deadlock as soon as there provably is one, before a trace is searched, so that whoever
/// cannot wait for the trace has the verdict.
pub fn deadlock_telling(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    tell: impl Fn(&DeadlockReport) + Sync,
) -> Result<Outcome<DeadlockReport>, Error> {
    check_choices(loaded, options)?;
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, None, budget)
            .unwrap_or_else(|stopped| Outcome::Unknown(explicit_unknown(stopped))));
    }
    // A walk that happens to end is kept for the case that nothing better comes.
    let walked = if options.no_shortcuts { None } else { walk(loaded, options, budget) };
    if loaded.unbounded_place().is_some() {
        return Ok(unbounded(loaded, walked, budget));
    }
    if let Some(witness) = &walked {
        tell(&found_by_walk(witness.clone()));
    }
    let tell_first = |report: &DeadlockReport| {
        if walked.is_none() {
            tell(report);
        }
    };
    let explored = ask(loaded, options, budget, DeadlockQuestion { loaded, tell: tell_first })?;
    Ok(match (explored, walked) {
        (Outcome::Unknown(_), Some(witness)) => Outcome::Done(found_by_walk(witness)),
        (Outcome::Done(report), walked)
            if report.deadlock && report.witness.is_none() && walked.is_some() =>
        {
            Outcome::Done(DeadlockReport { witness: walked, no_witness: None, ..report })
        }
        (explored, _) => explored,
    })
}

/// A deadlock that random walks run into.
pub(crate) fn walk(loaded: &Loaded, options: &Options, budget: &Budget) -> Option<Witness> {
    let walk = WalkOptions { steps: WALK_STEPS, steps_per_walk: STEPS_PER_WALK, seed: options.seed };
    let walked = random_walks(&loaded.model, walk, budget, |walked| walked.dead.is_some()).ok()?;
    walked.dead.and_then(|(initial, events)| dead_witness(loaded, initial, events, false))
}

/// The replayed witness of a run into a deadlock.
pub(crate) fn dead_witness(
    loaded: &Loaded,
    initial: State,
    events: Vec<EventId>,
    shortest: bool,
) -> Option<Witness> {
    let trace = Trace { initial, events };
    trace_witness(&loaded.model, &trace, shortest, |last| is_dead(&loaded.model, last))
}

/// The same of synchronous steps.
fn dead_joint_witness(loaded: &Loaded, trace: &JointTrace, shortest: bool) -> Option<Witness> {
    joint_witness(&loaded.model, trace, shortest, |last| is_dead(&loaded.model, last))
}

struct DeadlockQuestion<'a, T> {
    loaded: &'a Loaded,
    /// Learns of a deadlock before a trace is searched.
    tell: T,
}

impl<T: FnOnce(&DeadlockReport) + Send> Question for DeadlockQuestion<'_, T> {
    type Answer = DeadlockReport;

    fn answer<S: Saturation>(self, explored: &mut Explored<S>) -> Result<DeadlockReport, Interrupted> {
        by_diagrams(self.loaded, explored, self.tell)
    }
}

fn by_diagrams<S: Saturation>(
    loaded: &Loaded,
    explored: &mut Explored<S>,
    tell: impl FnOnce(&DeadlockReport),
) -> Result<DeadlockReport, Interrupted> {
    let Explored { sets, reached, .. } = explored;
    let dead = sets.dead(reached)?;
    let dead_states = sets.count(&dead)?;
    let deadlock = !sets.is_empty(&dead);
    let report = DeadlockReport {
        deadlock,
        method: sets.diagram().into(),
        bound: None,
        distance: None,
        witness: None,
        no_witness: deadlock.then(|| "none was searched".to_string()),
        dead_states: Some(dead_states),
    };
    if !deadlock {
        return Ok(report);
    }
    tell(&report);
    let steps = layer_steps(sets);
    // Running out of time for the trace does not take back the verdict.
    let (found, stopped) = match trace_to(sets, &loaded.model, reached, &dead, steps) {
        Ok(found) => (found, None),
        Err(why) => (None, Some(why.to_string())),
    };
    let witness = found.and_then(|found| match loaded.model.is_synchronous() {
        true => {
            let states = found.events.into_iter().zip(found.states);
            let trace = explicit::joint_trace_along(&loaded.model, found.initial, states)?;
            dead_joint_witness(loaded, &trace, found.is_shortest)
        }
        false => dead_witness(loaded, found.initial, found.events, found.is_shortest),
    });
    let distance =
        witness.as_ref().filter(|witness| witness.shortest).map(|witness| witness.steps.len() as u64);
    let no_witness =
        witness.is_none().then(|| stopped.unwrap_or_else(|| "no run to it could be replayed".to_string()));
    Ok(DeadlockReport { distance, witness, no_witness, ..report })
}

/// Steps that the layers of a shortest trace may take, after what exploring took.
pub(crate) fn layer_steps<S: StateSets>(sets: &S) -> u64 {
    sets.statistics().steps.saturating_mul(LAYER_STEPS_PER_STEP).saturating_add(LAYER_STEPS)
}

/// Breadth-first search over plain states, which finds a shortest trace.
fn by_explicit(
    loaded: &Loaded,
    state_limit: Option<usize>,
    budget: &Budget,
) -> Result<Outcome<DeadlockReport>, explicit::Stopped> {
    let wanted = |state: &[u64]| is_dead(&loaded.model, state);
    let limits = explicit::Options { state_limit };
    let (deadlock, witness) = if loaded.model.is_synchronous() {
        let found = explicit::find_joint(&loaded.model, &limits, budget, wanted)?;
        (found.is_some(), found.and_then(|trace| dead_joint_witness(loaded, &trace, true)))
    } else {
        let found = explicit::find(&loaded.model, &limits, budget, wanted)?;
        let witness = |trace: Trace| dead_witness(loaded, trace.initial, trace.events, true);
        (found.is_some(), found.and_then(witness))
    };
    Ok(Outcome::Done(DeadlockReport {
        deadlock,
        method: "explicit".into(),
        bound: None,
        distance: witness.as_ref().map(|witness| witness.steps.len() as u64),
        no_witness: (deadlock && witness.is_none()).then(|| "no run to it could be replayed".to_string()),
        witness,
        dead_states: (!deadlock).then(BigUint::default),
    }))
}

/// An unbounded net has infinitely many states: a search may find a deadlock, never its absence.
fn unbounded(loaded: &Loaded, walked: Option<Witness>, budget: &Budget) -> Outcome<DeadlockReport> {
    if let Some(witness) = walked {
        return Outcome::Done(found_by_walk(witness));
    }
    by_explicit(loaded, Some(MOST_STATES_IF_UNBOUNDED), budget).unwrap_or_else(|stopped| {
        let place = loaded.unbounded_place().unwrap_or_default();
        let detail = format!(
            "place '{place}' is unbounded, and none of the first {} states is a deadlock",
            stopped.states
        );
        Outcome::Unknown(Unknown {
            reason: Reason::Unbounded,
            detail,
            partial: explicit_unknown(stopped).partial,
        })
    })
}

fn found_by_walk(witness: Witness) -> DeadlockReport {
    DeadlockReport {
        deadlock: true,
        method: "random-walk".into(),
        bound: None,
        distance: None,
        witness: Some(witness),
        no_witness: None,
        dead_states: None,
    }
}
