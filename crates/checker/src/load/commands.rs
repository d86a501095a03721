//! Guarded commands: what a GCL file describes and asks.

use crate::error::{Error, InputError};
use crate::loaded::{Loaded, ProgramSource, Questions, Written, input_error};
use crate::policy::programs::{GROWTH, SUSPICION_STEPS, SUSPICIOUS_GROWTH};
use crate::resolve::properties_of_program;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_engine::{WalkOptions, find_growth, random_walks};
use symbolon_gcl::{self as gcl, Override};
use symbolon_model::{Values, VariableId};
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
    loaded.warnings.extend(may_grow(&loaded, budget)?);
    let own = properties_of_program(&loaded, properties, &text)?;
    loaded.warnings.extend(own.warnings);
    loaded.questions.properties = own.properties;
    Ok(loaded)
}

/// A warning about a variable that walks make large, and of which nothing is proved: exploring may
/// never end because of it.
fn may_grow(loaded: &Loaded, budget: &Budget) -> Result<Option<InputError>, Stop> {
    let model = &loaded.model;
    let is_open = |id: &VariableId| {
        model.values_of(*id).count().is_none()
            && loaded.analysis.upper_bounds.get(id.index()).copied().flatten().is_none()
    };
    if loaded.unbounded_place().is_some() || !model.variable_ids().any(|id| is_open(&id)) {
        return Ok(None);
    }
    let options = WalkOptions { steps: SUSPICION_STEPS, steps_per_walk: SUSPICION_STEPS, seed: 1 };
    let walked = random_walks(model, options, budget, |_| false)?;
    let met = model.variable_ids().filter(is_open).map(|id| (walked.largest[id.index()], id));
    let Some((largest, id)) = met.max_by_key(|(largest, id)| (*largest, std::cmp::Reverse(*id))) else {
        return Ok(None);
    };
    let at_first = model.initial.iter().map(|state| state[id.index()]).max().unwrap_or(0);
    if largest < SUSPICIOUS_GROWTH.saturating_add(at_first.saturating_mul(2)) {
        return Ok(None);
    }
    let name = &model.variables[id.index()].name;
    let message = format!(
        "variable '{name}' may grow without bound: it came to {largest} within {SUSPICION_STEPS} steps at random"
    );
    let hint = "if it should not, give it a range, such as 0..9, and the program never leaves that";
    Ok(Some(InputError { is_warning: true, ..InputError::plain(message).with_hint(hint) }))
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
