//! Multi-agent systems: what an ISPL file describes and asks.

use super::{Language, Loaded, Questions, input_error, unknown};
use crate::error::Error;
use crate::property::Property;
use crate::report::{Outcome, PartialReport};
use symbolon_budget::Budget;
use symbolon_ispl as ispl;
use symbolon_logic::Paths;
use symbolon_source::ReadFailure;

/// Reads a system of agents.
pub(super) fn load_agents(name: String, bytes: &[u8], budget: &Budget) -> Result<Outcome<Loaded>, Error> {
    match ispl::load(bytes, &name, budget) {
        Ok(system) => Ok(Outcome::Done(loaded(name, system))),
        Err(ReadFailure::Interrupted(why)) => Ok(Outcome::Unknown(unknown(why, PartialReport::default()))),
        Err(ReadFailure::Invalid(error)) => {
            Err(Error::Input(error.diagnostics.iter().map(|finding| input_error(&name, finding)).collect()))
        }
    }
}

fn loaded(name: String, system: ispl::Loaded) -> Loaded {
    let ispl::Loaded { model, atoms, fairness, formulae, warnings, .. } = system;
    let reference_texts = formulae.iter().map(|asked| asked.reference_text.clone()).collect();
    // A path through a dead state is none: that is how the established checker reads the language.
    let property = |(number, asked): (usize, ispl::Asked)| {
        Property::written(
            format!("formula-{}", number + 1),
            asked.text,
            asked.named,
            asked.formula,
            Paths::Infinite,
        )
    };
    let properties = formulae.into_iter().enumerate().map(property).collect();
    let warnings = warnings.iter().map(|finding| input_error(&name, finding)).collect();
    let questions = Questions { atoms, fairness, properties, reference_texts };
    Loaded { warnings, ..Loaded::of_model(name, Language::Agents, model, questions) }
}
