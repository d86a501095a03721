//! Multi-agent systems: what an ISPL file describes and asks.

use crate::error::{Error, InputError};
use crate::loaded::{AgentSource, Loaded, Questions, Written, input_error};
use crate::property::Property;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_ispl::{self as ispl, families};
use symbolon_logic::{Formula, Paths};
use symbolon_model::Atom;
use symbolon_source::ReadFailure;

/// Reads a system of agents.
pub(super) fn load_agents(name: String, bytes: &[u8], budget: &Budget) -> Result<Loaded, Stop> {
    match ispl::load(bytes, &name, budget) {
        Ok(system) => Ok(loaded(name, system)),
        Err(ReadFailure::Interrupted(why)) => Err(why.into()),
        Err(ReadFailure::Invalid(error)) => {
            // What names mean is asked only where the grammar is right, so errors of both kinds do
            // not mix.
            let is_syntax = ispl::parse(bytes, budget).is_err();
            let mistake = |finding| InputError { is_syntax, ..input_error(&name, finding) };
            Err(Error::Input(error.diagnostics.iter().map(mistake).collect()).into())
        }
    }
}

/// Whether a text such as `prisoners:5` calls a member of a built-in family of multi-agent systems.
pub(super) fn is_family(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    families::family_named(name.trim()).is_some()
}

/// Writes and reads a member of a family.
pub(super) fn load_family(text: &str, budget: &Budget) -> Result<Loaded, Stop> {
    match families::generate(text) {
        Ok(member) => load_agents(member.call, member.text.as_bytes(), budget),
        Err(error) => {
            let hint = "command ‹models› lists the built-in families";
            Err(InputError::plain(error.to_string()).with_hint(hint).into())
        }
    }
}

fn loaded(name: String, system: ispl::Loaded) -> Loaded {
    let meant: Vec<(Formula<Atom>, Paths)> =
        system.formulae.iter().map(|asked| system.at_dead_states(asked)).collect();
    let ispl::Loaded { tree, model, atoms, fairness, formulae, lines, warnings } = system;
    let reference_texts = formulae.iter().map(|asked| asked.reference_text.clone()).collect();
    let property = |(number, (asked, meant)): (usize, (ispl::Asked, (Formula<Atom>, Paths)))| {
        Property::written(format!("formula-{}", number + 1), asked.text, asked.named, asked.formula, meant)
    };
    let properties = formulae.into_iter().zip(meant).enumerate().map(property).collect();
    let warnings = warnings.iter().map(|finding| input_error(&name, finding)).collect();
    let questions = Questions { atoms, fairness, properties, reference_texts };
    let source = Written::Agents(Box::new(AgentSource { tree, lines }));
    Loaded { warnings, ..Loaded::of_model(name, source, model, questions) }
}
