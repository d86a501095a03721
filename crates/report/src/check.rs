//! The keys of `check`.

use crate::values::Integer;
use crate::witness::Witness;
use serde::Serialize;
use symbolon_checker::{PropertyReport, Verdict};

/// The keys of `check`, which are there also when some verdict is unknown.
#[derive(Serialize)]
pub struct Check {
    properties: Vec<Property>,
}

#[derive(Serialize)]
struct Property {
    name: String,
    formula: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    automaton: Option<String>,
    paths: &'static str,
    verdict: &'static str,
    reason: Option<&'static str>,
    detail: Option<String>,
    witness: Option<Witness>,
    satisfied: Vec<Satisfied>,
    techniques: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Search>,
    seconds: f64,
}

#[derive(Serialize)]
struct Search {
    method: &'static str,
    bound: Option<Integer>,
    distance: Option<Integer>,
}

#[derive(Serialize)]
struct Satisfied {
    formula: String,
    states: String,
}

impl Check {
    /// The keys of these reports.
    pub fn new(reports: &[PropertyReport]) -> Check {
        let property = |report: &PropertyReport| Property {
            name: report.name.clone(),
            formula: report.formula.clone(),
            automaton: report.automaton.clone(),
            paths: report.paths.name(),
            verdict: verdict_word(&report.verdict),
            reason: report.verdict.unknown().map(|unknown| unknown.reason.word()),
            detail: report
                .verdict
                .unknown()
                .map(|unknown| &unknown.detail)
                .or(report.no_witness.as_ref())
                .cloned(),
            witness: report.witness.as_ref().map(Witness::new),
            satisfied: report
                .satisfied
                .iter()
                .flatten()
                .map(|(formula, states)| Satisfied { formula: formula.clone(), states: states.to_string() })
                .collect(),
            techniques: report.techniques.iter().map(ToString::to_string).collect(),
            search: report.search.map(|search| Search {
                method: search.method,
                bound: search.bound.map(Integer),
                distance: search.distance.map(Integer),
            }),
            seconds: report.time.as_secs_f64(),
        };
        Check { properties: reports.iter().map(property).collect() }
    }
}

/// The word of the contract.
pub fn verdict_word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(_) => "unknown",
    }
}
