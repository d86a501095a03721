//! The names of the contest's examinations, and the formulas that belong to each.

use crate::error::InputError;
use std::str::FromStr;
use symbolon_logic::Paths;

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

    /// What paths the formulas of the examination are about; `None` if it has no formulas of that
    /// kind.
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
