//! Guarded commands: what a GCL file describes and asks.

use crate::error::Error;
use crate::loaded::{Loaded, Questions, Written, input_error};
use crate::resolve::properties_of_program;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_gcl::{self as gcl, Override};
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
    let gcl::Loaded { model, properties, text, warnings, .. } = program;
    let mut loaded = Loaded::of_model(name, Written::Commands, model, Questions::default());
    loaded.warnings = warnings.iter().map(|finding| input_error(&loaded.name, finding)).collect();
    let own = properties_of_program(&loaded, properties, &text)?;
    loaded.warnings.extend(own.warnings);
    loaded.questions.properties = own.properties;
    Ok(loaded)
}
