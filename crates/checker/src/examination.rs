//! The examinations of the Model Checking Contest.
//!
//! Cheap methods come first: structural proofs, then random walks, then diagrams.
//! Each line names the techniques that really gave its answer.

mod by_formulas;
mod formulas;
mod state_space;
mod upper_bounds;
mod yes_or_no;

use crate::ask::ask;
use crate::error::Error;
use crate::examination_name::Examination;
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use crate::property::FormulaFile;
use crate::report::{Amount, Reason, Unknown};
use crate::stop::settle;
use crate::technique::Technique;
use by_formulas::by_formulas;
use formulas::formulas;
use state_space::state_space;
use std::fmt;
use symbolon_budget::Budget;
use upper_bounds::upper_bounds;
use yes_or_no::Question;

/// One line of the contest's protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExaminationLine {
    /// `FORMULA <id> <answer> TECHNIQUES …`
    Formula {
        /// The formula, or the examination where it has no formulas.
        id: String,
        /// The answer.
        answer: Answer,
        /// What gave it.
        techniques: Vec<Technique>,
    },
    /// `STATE_SPACE <figure> <number> TECHNIQUES …`
    StateSpace {
        /// Which figure.
        figure: &'static str,
        /// Its value.
        value: Amount,
        /// What gave it.
        techniques: Vec<Technique>,
    },
    /// `FORMULA <id> CANNOT_COMPUTE`: the answer to one formula was not found within the limits.
    FormulaUnknown {
        /// The formula.
        id: String,
    },
    /// The answer was not found within the limits.
    CannotCompute,
    /// The examination is not supported yet.
    DoNotCompete,
}

/// An answer to a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    True,
    /// It does not.
    False,
    /// This many.
    Number(Amount),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True => f.write_str("TRUE"),
            Answer::False => f.write_str("FALSE"),
            Answer::Number(amount) => write_amount(f, amount),
        }
    }
}

/// A number, or the contest's word for no bound.
fn write_amount(f: &mut fmt::Formatter<'_>, amount: &Amount) -> fmt::Result {
    match amount {
        Amount::Finite(number) => write!(f, "{number}"),
        Amount::Infinite => f.write_str("+inf"),
    }
}

impl ExaminationLine {
    fn add_technique(&mut self, technique: Technique) {
        match self {
            ExaminationLine::Formula { techniques, .. } | ExaminationLine::StateSpace { techniques, .. } => {
                if !techniques.contains(&technique) {
                    techniques.push(technique);
                }
            }
            ExaminationLine::FormulaUnknown { .. }
            | ExaminationLine::CannotCompute
            | ExaminationLine::DoNotCompete => {}
        }
    }
}

impl fmt::Display for ExaminationLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let techniques = match self {
            ExaminationLine::Formula { id, answer, techniques } => {
                write!(f, "FORMULA {id} {answer}")?;
                techniques
            }
            ExaminationLine::StateSpace { figure, value, techniques } => {
                write!(f, "STATE_SPACE {figure} ")?;
                write_amount(f, value)?;
                techniques
            }
            ExaminationLine::FormulaUnknown { id } => return write!(f, "FORMULA {id} CANNOT_COMPUTE"),
            ExaminationLine::CannotCompute => return f.write_str("CANNOT_COMPUTE"),
            ExaminationLine::DoNotCompete => return f.write_str("DO_NOT_COMPETE"),
        };
        f.write_str(" TECHNIQUES")?;
        techniques.iter().try_for_each(|technique| write!(f, " {technique}"))
    }
}

/// Answers an examination, line by line. Where a line says `CANNOT_COMPUTE`, the reason is
/// returned. `file` is the one that [`Examination::formula_file`] names; without it, an examination
/// that needs it is declined.
pub(crate) fn examine(
    loaded: &Loaded,
    examination: Examination,
    file: Option<&FormulaFile>,
    options: &Options,
    budget: &Budget,
    emit: &mut (dyn FnMut(ExaminationLine) + Send),
) -> Result<Option<Unknown>, Error> {
    check_choices(loaded, options)?;
    let mut with_symmetry = |mut line: ExaminationLine| {
        if loaded.is_folded() {
            line.add_technique(Technique::Symmetries);
        }
        emit(line);
    };
    let emit: &mut (dyn FnMut(ExaminationLine) + Send) = &mut with_symmetry;
    match (examination, examination.paths(), file) {
        (Examination::UpperBounds, _, Some(file)) => {
            return upper_bounds(loaded, file, options, budget, emit);
        }
        (_, Some(paths), Some(file)) => return formulas(loaded, paths, file, options, budget, emit),
        _ => {}
    }
    let question = match examination {
        Examination::StateSpace => return state_space(loaded, options, budget, emit),
        Examination::ReachabilityDeadlock => Question::Deadlock,
        Examination::OneSafe => Question::OneSafe,
        Examination::StableMarking => Question::StableMarking,
        Examination::QuasiLiveness => Question::QuasiLiveness,
        Examination::Liveness => Question::Liveness,
        _ => {
            emit(ExaminationLine::DoNotCompete);
            return Ok(None);
        }
    };
    let mut give = |answer: bool, techniques: &[Technique]| {
        emit(ExaminationLine::Formula {
            id: examination.name().to_string(),
            answer: if answer { Answer::True } else { Answer::False },
            techniques: techniques.to_vec(),
        });
    };
    if let Some(colours) = loaded.colours.as_deref()
        && question != Question::Deadlock
    {
        return match by_formulas(question, loaded, colours, options, budget)? {
            Ok((answer, techniques)) => {
                give(answer, &techniques);
                Ok(None)
            }
            Err(unknown) => {
                emit(ExaminationLine::CannotCompute);
                Ok(Some(unknown))
            }
        };
    }
    if !options.no_shortcuts && loaded.quotient().is_none() {
        if let Some(answer) = question.by_structure(loaded) {
            give(answer, &[Technique::StructuralAnalysis]);
            return Ok(None);
        }
        if loaded.unbounded_place().is_none()
            && let Some(answer) = question.by_few_states(loaded, budget)
        {
            give(answer, &[Technique::Explicit]);
            return Ok(None);
        }
        if let Some(answer) = question.by_walks(loaded, options, budget) {
            give(answer, &[Technique::RandomWalk]);
            return Ok(None);
        }
    }
    let explored = match loaded.unbounded_place() {
        None if options.diagram == Diagram::Explicit && loaded.quotient().is_none() => {
            question.by_explicit(loaded, budget)
        }
        None => settle(ask(loaded, options, budget, question))?,
        Some(_) => {
            let unbounded = loaded.unboundedness().unwrap_or_default();
            let detail = format!("{unbounded}, and nothing else gave an answer");
            Err(Unknown::because(Reason::Unbounded, detail))
        }
    };
    match explored {
        Ok(answer) => {
            give(answer, &Technique::of_exploring(loaded, options));
            Ok(None)
        }
        Err(unknown) => {
            emit(ExaminationLine::CannotCompute);
            Ok(Some(unknown))
        }
    }
}
