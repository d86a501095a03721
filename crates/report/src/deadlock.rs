//! The keys of `deadlock`.

use crate::values::Integer;
use crate::witness::Witness;
use serde::Serialize;
use symbolon_checker::DeadlockReport;

/// The keys of `deadlock`, which are there also when the answer is unknown.
#[derive(Default, Serialize)]
pub struct Deadlock {
    deadlock: Option<bool>,
    method: Option<String>,
    bound: Option<Integer>,
    distance: Option<Integer>,
    dead_states: Option<String>,
    witness: Option<Witness>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_witnesses: Vec<Witness>,
}

impl Deadlock {
    /// The keys of a report.
    pub fn new(report: &DeadlockReport) -> Deadlock {
        Deadlock {
            deadlock: Some(report.deadlock),
            method: Some(report.method.clone()),
            bound: report.bound.map(Integer),
            distance: report.distance.map(Integer),
            dead_states: report.dead_states.as_ref().map(ToString::to_string),
            witness: report.witness.as_ref().map(Witness::new),
            more_witnesses: report.more_witnesses.iter().map(Witness::new).collect(),
        }
    }
}
