//! The examinations of the Model Checking Contest.
//!
//! Cheap answers first: what the structure proves, then what random walks run into, then diagrams.
//! Each line names the techniques that really gave its answer.

mod formulas;
mod state_space;
mod upper_bounds;
mod yes_or_no;

use crate::ask::ask;
use crate::error::{Error, InputError};
use crate::hierarchies::check_choices;
use crate::load::Loaded;
use crate::options::{Diagram, Options};
use crate::report::{Amount, PartialReport, Reason, Unknown};
use crate::stop::settle;
use crate::technique::Technique;
use formulas::formulas;
use state_space::state_space;
use std::fmt;
use std::str::FromStr;
use symbolon_budget::Budget;
use symbolon_logic::Paths;
use upper_bounds::upper_bounds;
use yes_or_no::Question;

/// A question of the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Examination {
    /// The size of the state space.
    StateSpace,
    /// Is a dead marking reachable?
    ReachabilityDeadlock,
    /// Sixteen reachability formulas over token counts.
    ReachabilityCardinality,
    /// Sixteen reachability formulas over fireability.
    ReachabilityFireability,
    /// Sixteen CTL formulas over token counts.
    CtlCardinality,
    /// Sixteen CTL formulas over fireability.
    CtlFireability,
    /// Sixteen LTL formulas over token counts.
    LtlCardinality,
    /// Sixteen LTL formulas over fireability.
    LtlFireability,
    /// Sixteen bounds.
    UpperBounds,
    /// Does no place ever hold two tokens?
    OneSafe,
    /// Does some place keep its marking for ever?
    StableMarking,
    /// Can every transition fire from some reachable marking?
    QuasiLiveness,
    /// Can every transition always fire again?
    Liveness,
}

const NAMES: [(Examination, &str); 13] = [
    (Examination::StateSpace, "StateSpace"),
    (Examination::ReachabilityDeadlock, "ReachabilityDeadlock"),
    (Examination::ReachabilityCardinality, "ReachabilityCardinality"),
    (Examination::ReachabilityFireability, "ReachabilityFireability"),
    (Examination::CtlCardinality, "CTLCardinality"),
    (Examination::CtlFireability, "CTLFireability"),
    (Examination::LtlCardinality, "LTLCardinality"),
    (Examination::LtlFireability, "LTLFireability"),
    (Examination::UpperBounds, "UpperBounds"),
    (Examination::OneSafe, "OneSafe"),
    (Examination::StableMarking, "StableMarking"),
    (Examination::QuasiLiveness, "QuasiLiveness"),
    (Examination::Liveness, "Liveness"),
];

impl Examination {
    /// All of them, in the order of the contest.
    pub fn all() -> impl Iterator<Item = Examination> {
        NAMES.into_iter().map(|(examination, _)| examination)
    }

    /// The contest's name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(examination, _)| *examination == self).map_or("", |(_, name)| name)
    }

    /// What paths the formulas of the examination are about; `None` if it has no formulas of that kind.
    pub fn paths(self) -> Option<Paths> {
        match self {
            Examination::ReachabilityCardinality
            | Examination::ReachabilityFireability
            | Examination::CtlCardinality
            | Examination::CtlFireability => Some(Paths::Maximal),
            Examination::LtlCardinality | Examination::LtlFireability => Some(Paths::Stutter),
            _ => None,
        }
    }

    /// The file beside the model with the formulas of this examination, where it has some.
    pub fn formula_file(self) -> Option<&'static str> {
        match self {
            Examination::UpperBounds => Some("UpperBounds.xml"),
            Examination::ReachabilityCardinality => Some("ReachabilityCardinality.xml"),
            Examination::ReachabilityFireability => Some("ReachabilityFireability.xml"),
            Examination::CtlCardinality => Some("CTLCardinality.xml"),
            Examination::CtlFireability => Some("CTLFireability.xml"),
            Examination::LtlCardinality => Some("LTLCardinality.xml"),
            Examination::LtlFireability => Some("LTLFireability.xml"),
            Examination::StateSpace
            | Examination::ReachabilityDeadlock
            | Examination::OneSafe
            | Examination::StableMarking
            | Examination::QuasiLiveness
            | Examination::Liveness => None,
        }
    }
}

impl FromStr for Examination {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Examination, InputError> {
        let found = NAMES.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        found.map(|(examination, _)| *examination).ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
            InputError::plain(format!("there is no examination '{text}'"))
                .with_hint(format!("one of {}", names.join(", ")))
        })
    }
}

/// A file with the formulas of an examination.
#[derive(Clone, Debug)]
pub struct FormulaFile {
    /// Its name, for messages.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

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

/// Answers an examination, line by line. Where a line says `CANNOT_COMPUTE`, the reason is returned. `file` is
/// the one that [`Examination::formula_file`] names; without it, an examination that needs it is declined.
pub fn examine(
    loaded: &Loaded,
    examination: Examination,
    file: Option<&FormulaFile>,
    options: &Options,
    budget: &Budget,
    emit: &mut (dyn FnMut(ExaminationLine) + Send),
) -> Result<Option<Unknown>, Error> {
    check_choices(loaded, options)?;
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
    if !options.no_shortcuts {
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
        None if options.diagram == Diagram::Explicit => question.by_explicit(loaded, budget),
        None => settle(ask(loaded, options, budget, question))?,
        Some(place) => Err(Unknown {
            reason: Reason::Unbounded,
            detail: format!("place '{place}' is unbounded, and nothing else gave an answer"),
            partial: PartialReport::default(),
        }),
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
