//! A run that is to be drawn: found as a way to a deadlock, or given by the names of its
//! transitions.

use crate::deadlock::deadlock;
use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::report::{Reason, Unknown, Witness};
use crate::simulation::{ReplayStop, Simulation};
use crate::stop::Stop;
use std::collections::HashMap;
use symbolon_budget::Budget;
use symbolon_explicit::{ReplayError, Trace, replay_each};
use symbolon_model::{EventId, State};
use symbolon_source::likely;

/// A run given by the names of what happens, from the initial state on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedRun {
    /// The file it comes from, for messages.
    pub file: Option<String>,
    /// What happens.
    pub steps: Vec<NamedStep>,
}

/// One step of a [`NamedRun`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedStep {
    /// The transition.
    pub name: String,
    /// The line of the file, from 1.
    pub line: Option<u32>,
}

/// A state on the way, as one picture of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShownMarking {
    /// The number of steps before it.
    pub(super) number: usize,
    /// The last of these steps.
    pub(super) event: Option<EventId>,
    /// The state before that step.
    pub(super) before: State,
    /// The state.
    pub(super) state: State,
    /// The number of states left out just before this one.
    pub(super) left_out: usize,
}

/// A way to a deadlock, by the names of what happens.
pub(super) fn deadlock_run(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<NamedRun, Stop> {
    let witness = way_to_deadlock(loaded, options, budget)?;
    let steps = witness.steps.into_iter().map(|step| NamedStep { name: step.event, line: None });
    Ok(NamedRun { file: None, steps: steps.collect() })
}

/// A way to a deadlock.
pub(super) fn way_to_deadlock(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<Witness, Stop> {
    let report = deadlock(loaded, options, budget)?;
    let hint =
        "option ‹trace FILE› draws a saved run: one step per line, or the JSON report of command ‹deadlock›";
    match report.witness {
        Some(witness) => Ok(witness),
        None if report.deadlock => Err(Stop::Unknown(Unknown::because(
            Reason::Timeout,
            "there is a deadlock, but a way to it was not found within the limits",
        ))),
        None => {
            let message = "no deadlock can be reached, so there is no run to draw";
            Err(InputError::plain(message).with_hint(hint).into())
        }
    }
}

/// A run of any model, replayed by the simulator (C2).
pub(super) fn replayed(loaded: &Loaded, run: &NamedRun, budget: &Budget) -> Result<Witness, Stop> {
    let mut simulation = Simulation::new(loaded.clone(), 0, budget)?;
    match simulation.replay(run.steps.iter().map(|step| step.name.as_str()), budget) {
        Ok(()) => Ok(simulation.witness()),
        Err(ReplayStop::Interrupted(unknown)) => Err(Stop::Unknown(unknown)),
        Err(ReplayStop::Refused { step, refusal }) => {
            Err(at(run, &run.steps[step - 1], format!("line {step} of the run: {refusal}")).into())
        }
    }
}

/// Replays a run (C2) and keeps at most `most` of its states: all, or the first and the last ones.
pub(super) fn stops(loaded: &Loaded, run: &NamedRun, most: usize) -> Result<Vec<ShownMarking>, Error> {
    let model = &loaded.model;
    let trace = Trace { initial: model.initial[0].clone(), events: resolved(loaded, run)? };
    let count = trace.events.len() + 1;
    let most = most.max(2);
    let (first, last) = if count <= most { (count, 0) } else { (most.div_ceil(2), most / 2) };
    let mut stops = vec![ShownMarking {
        number: 0,
        event: None,
        before: trace.initial.clone(),
        state: trace.initial.clone(),
        left_out: 0,
    }];
    let mut number = 0;
    let mut left_out = 0;
    let replayed = replay_each(model, &trace, |event, before, after| {
        number += 1;
        if number < first || number >= count - last {
            let left_out = std::mem::take(&mut left_out);
            stops.push(ShownMarking {
                number,
                event: Some(event),
                before: before.into(),
                state: after.into(),
                left_out,
            });
        } else {
            left_out += 1;
        }
    });
    match replayed {
        Ok(_) => Ok(stops),
        Err(why) => Err(cannot_happen(loaded, run, &trace, why).into()),
    }
}

/// The events that the names mean, or every name that means none.
fn resolved(loaded: &Loaded, run: &NamedRun) -> Result<Vec<EventId>, Error> {
    let events: HashMap<&str, EventId> =
        loaded.model.event_ids().map(|id| (loaded.model.event(id).name.as_str(), id)).collect();
    let mut mistakes = Vec::new();
    let mut found = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        match events.get(step.name.as_str()) {
            Some(event) => found.push(*event),
            None => {
                let mut mistake = at(run, step, format!("there is no transition '{}'", step.name));
                mistake.hint =
                    likely(&step.name, events.keys().copied()).map(|near| format!("did you mean '{near}'?"));
                mistakes.push(mistake);
            }
        }
    }
    if mistakes.is_empty() { Ok(found) } else { Err(Error::Input(mistakes)) }
}

fn cannot_happen(loaded: &Loaded, run: &NamedRun, trace: &Trace, why: ReplayError) -> InputError {
    let (ReplayError::NotEnabled { step, .. } | ReplayError::OutOfRange { step, .. }) = why else {
        return InputError::plain(why.to_string());
    };
    let named = &run.steps[step];
    let message = format!("step {}: transition '{}' is not enabled there", step + 1, named.name);
    let before = Trace { initial: trace.initial.clone(), events: trace.events[..step].to_vec() };
    let reached = replay_each(&loaded.model, &before, |_, _, _| {});
    let enabled = reached.map(|state| {
        let enabled = loaded.model.events.iter().filter(|event| event.is_enabled(&state));
        enabled.map(|event| event.name.as_str()).collect::<Vec<_>>()
    });
    const MOST_NAMES: usize = 6;
    let mut mistake = at(run, named, message);
    mistake.hint = Some(match enabled.unwrap_or_default() {
        names if names.is_empty() => "no transition is enabled there".to_string(),
        names if names.len() <= MOST_NAMES => format!("enabled there: {}", names.join(", ")),
        names => {
            format!("enabled there: {} and {} more", names[..MOST_NAMES].join(", "), names.len() - MOST_NAMES)
        }
    });
    mistake
}

/// A mistake in a step.
fn at(run: &NamedRun, step: &NamedStep, message: String) -> InputError {
    let mut mistake = InputError::plain(message);
    mistake.file = run.file.clone();
    mistake.line = step.line;
    mistake
}
