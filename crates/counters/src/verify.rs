//! That no member can have a profile that is not known.
//!
//! The counters have the events between known profiles. If in some marking that these reach an event
//! is enabled that leads to another profile, that profile becomes known, and everything is done again;
//! if there is none, the counters are exact (COUNT-2).

use crate::discover::Discovery;
use crate::lower::{Form, Lowered, lower};
use crate::refusal::Refusal;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{ExploreOptions, Failure, StateSets, deep_stack, explore};
use symbolon_model::Model;
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;

/// The counters of a discovery, once all profiles are known.
pub(crate) fn verified(discovery: &mut Discovery<'_>, budget: &Budget) -> Result<Lowered, Refusal> {
    loop {
        let lowered = lower(discovery)?;
        if discovery.is_complete || lowered.escapes.is_empty() {
            return Ok(lowered);
        }
        let model = model_of(&lowered.form, budget)?;
        let possible =
            deep_stack::run(model.variables.len(), budget, || possible_escapes(&lowered, &model, budget))?;
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

/// The escapes whose condition holds in some reachable marking.
fn possible_escapes(lowered: &Lowered, model: &Model, budget: &Budget) -> Result<Vec<usize>, Interrupted> {
    let explored = match explore(model, &ExploreOptions::default(), budget) {
        Ok(explored) => explored,
        Err(Failure::Interrupted(why, _)) => return Err(why),
        // Counters have no construct that multi-valued diagrams do not express.
        Err(Failure::Unsupported(_)) => return Err(Interrupted::Steps),
    };
    let mut sets = explored.sets;
    let mut possible = Vec::new();
    for (number, escape) in lowered.escapes.iter().enumerate() {
        let found = sets.select(&explored.reached, &escape.condition)?;
        if !sets.is_empty(&found) {
            possible.push(number);
        }
        sets.collect_if_due();
    }
    Ok(possible)
}
