//! Guarded commands: what a GCL file describes and asks.

use crate::error::Error;
use crate::loaded::{Loaded, ProgramSource, Questions, Written, input_error};
use crate::policy::programs::GROWTH;
use crate::resolve::properties_of_program;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_engine::find_growth;
use symbolon_gcl::{self as gcl, Override};
use symbolon_model::Values;
use symbolon_petri::analysis::{AnalysisOptions, analyse_knowing};
use symbolon_petri::lower::facts_of;
use symbolon_petri::net_of;
use symbolon_source::ReadFailure;

/// Reads a program of guarded commands, with other values for some of its parameters.
pub(super) fn load_commands(
    name: String,
    bytes: &[u8],
    overrides: &[Override],
    budget: &Budget,
) -> Result<Loaded, Stop> {
    let program = match gcl::load(bytes, overrides, budget) {
        Ok(program) => program,
        Err(ReadFailure::Interrupted(why)) => {
            return Err(why.into());
        }
        Err(ReadFailure::Invalid(error)) => {
            let findings = error.diagnostics.iter().map(|finding| input_error(&name, finding));
            return Err(Error::Input(findings.collect()).into());
        }
    };
    let gcl::Loaded { model, properties, text, warnings, parameters, vocabulary } = program;
    let source = ProgramSource { parameters, vocabulary, ..ProgramSource::default() };
    let mut loaded = Loaded::of_model(name, Written::Commands(Box::default()), model, Questions::default());
    loaded.source = Written::Commands(Box::new(with_structure(source, &mut loaded, budget)?));
    loaded.warnings = warnings.iter().map(|finding| input_error(&loaded.name, finding)).collect();
    let own = properties_of_program(&loaded, properties, &text)?;
    loaded.warnings.extend(own.warnings);
    loaded.questions.properties = own.properties;
    Ok(loaded)
}

/// Finds out what the structure of a program proves, as [`symbolon_petri::analysis`] does of a net, and
/// whether a variable grows without end.
fn with_structure(
    source: ProgramSource,
    loaded: &mut Loaded,
    budget: &Budget,
) -> Result<ProgramSource, Stop> {
    let Ok(mut net) = net_of(&loaded.model) else {
        let growth = find_growth(&loaded.model, GROWTH, budget)?;
        return Ok(ProgramSource { growth, ..source });
    };
    // Places count from 0: a variable whose values begin elsewhere is its distance from there.
    for (place, id) in net.places.iter_mut().zip(loaded.model.variable_ids()) {
        match loaded.model.values_of(id) {
            Values::Range { least: least @ 1.., .. } => place.id = format!("({} - {least})", place.id),
            Values::Range { least: least @ ..=-1, .. } => {
                place.id = format!("({} + {})", place.id, least.unsigned_abs());
            }
            _ => {}
        }
    }
    let known = std::mem::take(&mut loaded.analysis.upper_bounds);
    loaded.analysis = analyse_knowing(&net, &known, &AnalysisOptions::default(), budget)?;
    loaded.model.facts = facts_of(&loaded.analysis);
    Ok(ProgramSource { net: Some(net), ..source })
}
