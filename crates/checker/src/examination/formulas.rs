//! The examinations with a file of temporal formulas.

use super::{Answer, Examination, ExaminationLine, FormulaFile};
use crate::check::{CheckOptions, PropertyReport, Verdict, check};
use crate::error::Error;
use crate::load::Loaded;
use crate::options::Options;
use crate::property::properties_of_file;
use crate::report::{Outcome, Unknown};
use symbolon_budget::Budget;
use symbolon_logic::Paths;

/// What paths the formulas of an examination speak about; `None` if it has none.
pub(super) fn paths_of(examination: Examination) -> Option<Paths> {
    match examination {
        Examination::ReachabilityCardinality
        | Examination::ReachabilityFireability
        | Examination::CtlCardinality
        | Examination::CtlFireability => Some(Paths::Maximal),
        Examination::LtlCardinality | Examination::LtlFireability => Some(Paths::Stutter),
        _ => None,
    }
}

/// Answers each formula as soon as its verdict is known.
pub(super) fn formulas(
    loaded: &Loaded,
    paths: Paths,
    file: &FormulaFile,
    options: &Options,
    budget: &Budget,
    emit: &mut (dyn FnMut(ExaminationLine) + Send),
) -> Result<Option<Unknown>, Error> {
    let properties = match properties_of_file(loaded, file, Some(paths), budget)? {
        Outcome::Done(file) => file.properties,
        Outcome::Unknown(unknown) => {
            emit(ExaminationLine::CannotCompute);
            return Ok(Some(unknown));
        }
    };
    let mut tell = |_: usize, report: &PropertyReport| {
        let answer = match report.verdict {
            Verdict::Holds => Answer::True,
            Verdict::Fails => Answer::False,
            Verdict::Unknown => return,
        };
        let techniques = report.techniques.clone();
        emit(ExaminationLine::Formula { id: report.name.clone(), answer, techniques });
    };
    let reports = check(loaded, &properties, CheckOptions::default(), options, budget, &mut tell)?;
    let open = reports.into_iter().filter(|report| report.verdict == Verdict::Unknown);
    let mut reason = None;
    for report in open {
        emit(ExaminationLine::FormulaUnknown { id: report.name });
        reason = reason.or(report.unknown);
    }
    Ok(reason)
}
