//! Verdicts on properties, however they were found.

use crate::property::Property;
use crate::report::{Unknown, Witness};
use crate::technique::Technique;
use num_bigint::BigUint;
use std::time::Duration;
use symbolon_logic::Paths;

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds in every initial state; that is proved.
    Holds,
    /// It does not; that is proved.
    Fails,
    /// Neither was proved, for this reason.
    Unknown(Unknown),
}

impl Verdict {
    /// The verdict of a proof.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Fails }
    }

    /// Whether the property was proved or refuted.
    pub fn is_known(&self) -> bool {
        !matches!(self, Verdict::Unknown(_))
    }

    /// Why nothing is known.
    pub fn unknown(&self) -> Option<&Unknown> {
        match self {
            Verdict::Unknown(why) => Some(why),
            Verdict::Holds | Verdict::Fails => None,
        }
    }
}

/// The answer to one property.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The name of the property; empty if it has none.
    pub name: String,
    /// The formula as text.
    pub formula: String,
    /// The file of the automaton, where the property is one.
    pub automaton: Option<String>,
    /// What paths it speaks about.
    pub paths: Paths,
    /// What is known.
    pub verdict: Verdict,
    /// Whether no path satisfies the fairness constraints of the source; every formula holds then.
    pub has_no_fair_path: bool,
    /// A run that shows it, where one can and was found.
    pub witness: Option<Witness>,
    /// Why there is no witness, where that is known.
    pub no_witness: Option<String>,
    /// Subformulas about states, as text, and in how many reachable states each holds; if that was
    /// asked for, and all states were explored within the limits.
    pub satisfied: Option<Vec<(String, BigUint)>>,
    /// What gave the verdict.
    pub techniques: Vec<Technique>,
    /// The search within a bound, if that was asked for.
    pub search: Option<SearchReport>,
    /// When it was known, from the beginning.
    pub time: Duration,
}

/// A search within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The method by its name.
    pub method: &'static str,
    /// The bound that was sufficient, or that was not; of a proof by induction, its depth.
    pub bound: Option<u64>,
    /// The length of a shortest run to the state in question, where the method is exact.
    pub distance: Option<u64>,
}

impl PropertyReport {
    /// The report on a property of which nothing is known, for this reason.
    pub fn unknown(property: &Property, why: Unknown) -> PropertyReport {
        PropertyReport::open(property.name.clone(), property.text.clone(), property.paths, why)
    }

    /// The report on what is called so and says this, of which nothing is known.
    pub(crate) fn open(name: String, formula: String, paths: Paths, why: Unknown) -> PropertyReport {
        PropertyReport {
            name,
            formula,
            automaton: None,
            paths,
            verdict: Verdict::Unknown(why),
            has_no_fair_path: false,
            witness: None,
            no_witness: None,
            satisfied: None,
            techniques: Vec::new(),
            search: None,
            time: Duration::ZERO,
        }
    }
}
