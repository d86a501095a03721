//! That no member can have a profile that is not known.
//!
//! The counters have the events between known profiles. If in some marking that these reach an event
//! is enabled that leads to another profile, that profile becomes known, and everything is done again;
//! if there is none, the counters are exact (COUNT-2).

use crate::discover::Discovery;
use crate::lower::{Escape, Form, Lowered, lower};
use crate::refusal::Refusal;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{ExploreOptions, Failure, StateSets, deep_stack, explore};
use symbolon_model::{Event, Model};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;

/// The counters of a discovery, once all profiles are known.
pub(crate) fn verified(discovery: &mut Discovery<'_>, budget: &Budget) -> Result<Lowered, Refusal> {
    loop {
        let lowered = lower(discovery)?;
        if discovery.is_complete || lowered.escapes.is_empty() {
            return Ok(lowered);
        }
        let mut model = model_of(&lowered.form, budget)?;
        let own = model.events.len();
        // They change nothing, so what is reached stays the same.
        let escape = |(number, escape): (usize, &Escape)| Event {
            name: format!("escape {number}"),
            parts: escape.tests.clone(),
        };
        model.events.extend(lowered.escapes.iter().enumerate().map(escape));
        let possible = deep_stack::run(model.variables.len(), budget, || enabled_events(&model, budget))?;
        let possible: Vec<usize> =
            (0..lowered.escapes.len()).filter(|&escape| possible[own + escape]).collect();
        if possible.is_empty() {
            return Ok(lowered);
        }
        discovery.learn_profiles(possible.into_iter().map(|escape| lowered.escapes[escape].to))?;
    }
}

fn model_of(form: &Form, budget: &Budget) -> Result<Model, Interrupted> {
    Ok(match form {
        Form::Net(net) => lower_with(net, &analyse(net, &AnalysisOptions::default(), budget)?),
        Form::Model(model) => (**model).clone(),
    })
}

/// For each event, whether it is enabled in some reachable marking.
fn enabled_events(model: &Model, budget: &Budget) -> Result<Vec<bool>, Interrupted> {
    match explore(model, &ExploreOptions::default(), budget) {
        Ok(mut explored) => explored.sets.ever_enabled(&explored.reached),
        Err(Failure::Interrupted(why, _)) => Err(why),
        // Counters have no construct that multi-valued diagrams do not express.
        Err(Failure::Unsupported(_)) => Err(Interrupted::Steps),
    }
}
