//! The keys of `--overflow`.

use super::{Body, Check, Pairs, States, Witness};
use serde::Serialize;

/// The keys of a command with `--overflow`.
#[derive(Serialize)]
pub(crate) struct WithOverflow {
    #[serde(flatten)]
    answer: Answered,
    overflow: Option<OverflowReport>,
}

/// The keys of the commands that take it.
#[derive(Serialize)]
#[serde(untagged)]
enum Answered {
    Check(Check),
    States(Box<States>),
    Nothing {},
}

impl WithOverflow {
    /// The keys of an answer, and what was found, unless that is not known.
    pub(crate) fn new(body: Body, report: Option<&symbolon_checker::OverflowReport>) -> WithOverflow {
        let answer = match body {
            Body::Check(check) => Answered::Check(check),
            Body::States(states) => Answered::States(states),
            _ => Answered::Nothing {},
        };
        WithOverflow { answer, overflow: report.map(OverflowReport::new) }
    }
}

/// What was found.
#[derive(Serialize)]
struct OverflowReport {
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
    fn new(report: &symbolon_checker::OverflowReport) -> OverflowReport {
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
