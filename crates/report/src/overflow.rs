//! The keys of `--overflow`.

use crate::check::Check;
use crate::states::States;
use crate::values::Pairs;
use crate::witness::Witness;
use serde::Serialize;

/// The keys of a command with `--overflow`.
#[derive(Serialize)]
pub struct WithOverflow {
    #[serde(flatten)]
    answer: OverflowBase,
    overflow: Option<OverflowReport>,
}

/// The keys of the commands that take `--overflow`.
#[derive(Serialize)]
#[serde(untagged)]
pub enum OverflowBase {
    /// Of `check`.
    Check(Check),
    /// Of `states`.
    States(Box<States>),
    /// Of a command without an answer.
    Nothing {},
}

impl WithOverflow {
    /// The keys of an answer, and the overflows that were found, unless these are unknown.
    pub fn new(answer: OverflowBase, overflow: Option<OverflowReport>) -> WithOverflow {
        WithOverflow { answer, overflow }
    }
}

/// The assignments that leave a range.
#[derive(Serialize)]
pub struct OverflowReport {
    lines: usize,
    overflows: Vec<Overflow>,
    dead_states: String,
}

#[derive(Serialize)]
struct Overflow {
    agent: String,
    line: usize,
    text: String,
    states: Option<String>,
    actions: Pairs<String>,
    witness: Option<Witness>,
}

impl OverflowReport {
    /// The keys of a report.
    pub fn new(report: &symbolon_checker::OverflowReport) -> OverflowReport {
        let overflows = report.overflows.iter().map(|overflow| Overflow {
            agent: overflow.agent.clone(),
            line: overflow.item,
            text: overflow.text.clone(),
            states: overflow.states.as_ref().map(ToString::to_string),
            actions: Pairs(overflow.actions.clone()),
            witness: overflow.witness.as_ref().map(Witness::new),
        });
        OverflowReport {
            lines: report.lines,
            overflows: overflows.collect(),
            dead_states: report.dead_states.to_string(),
        }
    }
}
