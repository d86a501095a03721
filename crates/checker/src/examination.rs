//! The examinations of the Model Checking Contest.
//!
//! Cheap answers first: what the structure proves, then what random walks run into, then diagrams.
//! Each line names the techniques that really gave its answer.

mod state_space;
mod yes_or_no;

use crate::error::{Error, InputError};
use crate::load::Loaded;
use crate::options::Options;
use crate::report::{Amount, Outcome, PartialReport, Reason, Unknown};
use crate::states::with_explored;
use state_space::state_space;
use std::fmt;
use std::str::FromStr;
use symbolon_budget::Budget;
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
    /// The answer was not found within the limits.
    CannotCompute,
    /// The examination is not supported yet.
    DoNotCompete,
}

/// An answer to a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds.
    True,
    /// It does not.
    False,
}

/// What gave an answer; the names are the contest's, or ours where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Decision diagrams.
    DecisionDiagrams,
    /// Multi-valued ones, by saturation.
    Saturation,
    /// A proof from the structure of the net.
    StructuralAnalysis,
    /// A random walk.
    RandomWalk,
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Technique::DecisionDiagrams => "DECISION_DIAGRAMS",
            Technique::Saturation => "SATURATION",
            Technique::StructuralAnalysis => "STRUCTURAL_ANALYSIS",
            Technique::RandomWalk => "RANDOM_WALK",
        })
    }
}

impl fmt::Display for ExaminationLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let techniques = match self {
            ExaminationLine::Formula { id, answer, techniques } => {
                let answer = if *answer == Answer::True { "TRUE" } else { "FALSE" };
                write!(f, "FORMULA {id} {answer}")?;
                techniques
            }
            ExaminationLine::StateSpace { figure, value, techniques } => {
                write!(f, "STATE_SPACE {figure} ")?;
                match value {
                    Amount::Finite(number) => write!(f, "{number}")?,
                    Amount::Infinite => f.write_str("+inf")?,
                }
                techniques
            }
            ExaminationLine::CannotCompute => return f.write_str("CANNOT_COMPUTE"),
            ExaminationLine::DoNotCompete => return f.write_str("DO_NOT_COMPETE"),
        };
        f.write_str(" TECHNIQUES")?;
        techniques.iter().try_for_each(|technique| write!(f, " {technique}"))
    }
}

const DIAGRAMS: [Technique; 2] = [Technique::DecisionDiagrams, Technique::Saturation];

/// Answers an examination, line by line. Where the last line is `CANNOT_COMPUTE`, the reason is returned.
pub fn examine(
    loaded: &Loaded,
    examination: Examination,
    options: &Options,
    budget: &Budget,
    emit: &mut dyn FnMut(ExaminationLine),
) -> Result<Option<Unknown>, Error> {
    let question = match examination {
        Examination::StateSpace => return state_space(loaded, options, budget, emit),
        Examination::ReachabilityDeadlock => Question::Deadlock,
        Examination::OneSafe => Question::OneSafe,
        Examination::StableMarking => Question::StableMarking,
        Examination::QuasiLiveness => Question::QuasiLiveness,
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
        if let Some(answer) = question.by_walks(loaded, options, budget) {
            give(answer, &[Technique::RandomWalk]);
            return Ok(None);
        }
    }
    let explored = match loaded.unbounded_place() {
        None => with_explored(loaded, options, budget, |explored| question.by_diagrams(explored))?,
        Some(place) => Outcome::Unknown(Unknown {
            reason: Reason::Unbounded,
            detail: format!("place '{place}' is unbounded, and nothing else gave an answer"),
            partial: PartialReport::default(),
        }),
    };
    match explored {
        Outcome::Done(answer) => {
            give(answer, &DIAGRAMS);
            Ok(None)
        }
        Outcome::Unknown(unknown) => {
            emit(ExaminationLine::CannotCompute);
            Ok(Some(unknown))
        }
    }
}
