//! Sixteen bounds, read from the contest's formula file.

use super::{Answer, ExaminationLine};
use crate::bounds::{BoundMethod, BoundReport, BoundTarget, bounds};
use crate::error::Error;
use crate::loaded::{Loaded, NetPlace, input_error};
use crate::options::Options;
use crate::property::FormulaFile;
use crate::report::Unknown;
use crate::technique::Technique;
use symbolon_budget::Budget;
use symbolon_petri::ReadFailure;
use symbolon_petri::read::{PlaceBound, read_place_bounds};

/// Answers each formula as soon as its bound is known.
pub(super) fn upper_bounds(
    loaded: &Loaded,
    file: &FormulaFile,
    options: &Options,
    budget: &Budget,
    emit: &mut dyn FnMut(ExaminationLine),
) -> Result<Option<Unknown>, Error> {
    loaded.demand_net("bounds of places")?;
    let places: Vec<NetPlace<'_>> = loaded.places().collect();
    let ids: Vec<&str> = places.iter().map(|place| place.id).collect();
    let formulas = match read_place_bounds(&file.bytes, &ids, budget) {
        Ok(read) => read.formulas,
        Err(ReadFailure::Interrupted(why)) => {
            emit(ExaminationLine::CannotCompute);
            return Ok(Some(Unknown::from(why)));
        }
        Err(ReadFailure::Invalid(error)) => {
            let findings = error.diagnostics.iter().map(|finding| input_error(&file.name, finding));
            return Err(Error::Input(findings.collect()));
        }
    };
    let target = |formula: PlaceBound| {
        let terms = formula.terms.into_iter().flat_map(|(position, times)| {
            places[position].terms().into_iter().map(move |(place, weight)| (place, weight * times))
        });
        BoundTarget { name: formula.id, terms: terms.collect() }
    };
    let targets: Vec<BoundTarget> = formulas.into_iter().map(target).collect();
    let report = bounds(loaded, targets, options, budget, &mut |_, found| {
        if let Some(bound) = &found.bound {
            emit(ExaminationLine::Formula {
                id: found.name.clone(),
                answer: Answer::Number(bound.clone()),
                techniques: techniques(found, loaded, options),
            });
        }
    })?;
    for open in report.bounds.iter().filter(|found| found.bound.is_none()) {
        emit(ExaminationLine::FormulaUnknown { id: open.name.clone() });
    }
    Ok(report.unknown)
}

fn techniques(found: &BoundReport, loaded: &Loaded, options: &Options) -> Vec<Technique> {
    let proof = match &found.proof {
        Some(proof) if proof.is_from_state_equation() => Technique::StateEquation,
        _ => Technique::StructuralAnalysis,
    };
    match found.method {
        Some(BoundMethod::Structure) => vec![proof],
        Some(BoundMethod::StructureAndWalk) => vec![proof, Technique::RandomWalk],
        Some(BoundMethod::Coverability) => vec![Technique::Coverability],
        Some(BoundMethod::Explicit | BoundMethod::Diagram(_)) | None => {
            Technique::of_exploring(loaded, options)
        }
    }
}
