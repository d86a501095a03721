//! Is a state without successors reachable, and how?

use crate::error::Error;
use crate::load::{Loaded, unknown};
use crate::options::{Diagram, Options};
use crate::report::{DeadlockReport, Outcome, PartialReport, Reason, Unknown, Witness};
use crate::states::{explicit_unknown, with_explored};
use crate::witness::{is_dead, trace_witness};
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Explored, StateSets, WalkOptions, random_walks, trace_to};
use symbolon_explicit::{self as explicit, Trace};
use symbolon_model::{EventId, State};

/// Steps of the walks that are tried before exploring.
const WALK_STEPS: u64 = 100_000;
const STEPS_PER_WALK: u64 = 20_000;

/// Steps that the layers of a shortest trace may take: so many a step of exploring, and so many more.
const LAYER_STEPS_PER_STEP: u64 = 20;
const LAYER_STEPS: u64 = 5_000_000;

/// Looks for a deadlock and for a trace to it, shortest where breadth-first layers are affordable.
pub fn deadlock(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome<DeadlockReport>, Error> {
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, budget, "explicit"));
    }
    // A walk that happens to end is kept for the case that nothing better comes.
    let walked = if options.no_shortcuts { None } else { walk(loaded, options, budget) };
    if loaded.unbounded_place().is_some() {
        return Ok(unbounded(loaded, walked, budget));
    }
    let explored = with_explored(loaded, options, budget, |explored| by_diagrams(loaded, explored))?;
    Ok(match (explored, walked) {
        (Outcome::Unknown(_), Some(witness)) => Outcome::Done(found_by_walk(witness)),
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

fn by_diagrams(loaded: &Loaded, explored: &mut Explored) -> Result<DeadlockReport, Interrupted> {
    let Explored { sets, reached, .. } = explored;
    let dead = sets.dead(reached)?;
    let dead_states = sets.count(&dead)?;
    if sets.is_empty(&dead) {
        return Ok(DeadlockReport {
            deadlock: false,
            method: "mdd".into(),
            distance: None,
            witness: None,
            dead_states: Some(dead_states),
        });
    }
    let steps = sets.statistics().steps.saturating_mul(LAYER_STEPS_PER_STEP).saturating_add(LAYER_STEPS);
    // Running out of time for the trace does not take back the verdict.
    let found = trace_to(sets, &loaded.model, reached, &dead, steps).ok().flatten();
    let witness =
        found.and_then(|found| dead_witness(loaded, found.initial, found.events, found.is_shortest));
    let distance =
        witness.as_ref().filter(|witness| witness.shortest).map(|witness| witness.steps.len() as u64);
    Ok(DeadlockReport {
        deadlock: true,
        method: "mdd".into(),
        distance,
        witness,
        dead_states: Some(dead_states),
    })
}

fn by_explicit(loaded: &Loaded, budget: &Budget, method: &str) -> Outcome<DeadlockReport> {
    let wanted = |state: &[u64]| !loaded.model.events.iter().any(|event| event.is_enabled(state));
    match explicit::find(&loaded.model, &explicit::Options::default(), budget, wanted) {
        Ok(Some(trace)) => {
            let witness = dead_witness(loaded, trace.initial, trace.events, true);
            let distance = witness.as_ref().map(|witness| witness.steps.len() as u64);
            Outcome::Done(DeadlockReport {
                deadlock: true,
                method: method.into(),
                distance,
                witness,
                dead_states: None,
            })
        }
        Ok(None) => Outcome::Done(DeadlockReport {
            deadlock: false,
            method: method.into(),
            distance: None,
            witness: None,
            dead_states: Some(0_u32.into()),
        }),
        Err(stopped) => Outcome::Unknown(explicit_unknown(stopped)),
    }
}

/// An unbounded net has infinitely many states: a search may find a deadlock, never its absence.
fn unbounded(loaded: &Loaded, walked: Option<Witness>, budget: &Budget) -> Outcome<DeadlockReport> {
    if let Some(witness) = walked {
        return Outcome::Done(found_by_walk(witness));
    }
    let options = explicit::Options { state_limit: Some(1_000_000) };
    let wanted = |state: &[u64]| !loaded.model.events.iter().any(|event| event.is_enabled(state));
    match explicit::find(&loaded.model, &options, budget, wanted) {
        Ok(Some(trace)) => {
            let witness = dead_witness(loaded, trace.initial, trace.events, true);
            let distance = witness.as_ref().map(|witness| witness.steps.len() as u64);
            Outcome::Done(DeadlockReport {
                deadlock: true,
                method: "explicit".into(),
                distance,
                witness,
                dead_states: None,
            })
        }
        Ok(None) => Outcome::Unknown(unknown(Interrupted::Steps, PartialReport::default())),
        Err(stopped) => {
            let place = loaded.unbounded_place().unwrap_or_default();
            let detail = format!(
                "place '{place}' is unbounded, and none of the first {} states is a deadlock",
                stopped.states
            );
            let partial = explicit_unknown(stopped).partial;
            Outcome::Unknown(Unknown { reason: Reason::Unbounded, detail, partial })
        }
    }
}

fn found_by_walk(witness: Witness) -> DeadlockReport {
    DeadlockReport {
        deadlock: true,
        method: "random-walk".into(),
        distance: None,
        witness: Some(witness),
        dead_states: None,
    }
}
