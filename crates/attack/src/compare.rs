//! What the program answered, compared with the referee.

mod contest;
mod figures;
mod verdicts;

use crate::case::{Asked, Case};
use crate::tally::Tally;
use serde_json::Value;
use symbolon_referee::{Graph, Model};

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Exit(i32),
    /// By a signal: a crash.
    Signal,
    /// It was killed for its time or memory, which it should have kept itself.
    Killed,
}

/// What a run of the program left.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// How it ended.
    pub ending: Ending,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What kind of mistake, in a word or two.
    pub class: String,
    /// The mistake, with both answers.
    pub text: String,
}

/// What came of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was compared.
    pub tally: Tally,
    /// What is wrong.
    pub complaints: Vec<Complaint>,
}

impl Outcome {
    fn complain(&mut self, class: &str, text: impl Into<String>) {
        self.complaints.push(Complaint { class: class.to_string(), text: text.into() });
    }
}

/// States that the referee looks at before it gives up.
const LIMIT: usize = 3000;

/// Compares what the program answered to a case.
pub fn compare(case: &Case, output: &Output) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.tally.count("runs");
    let model = match case.model() {
        Ok(model) => model,
        Err(why) => {
            outcome.complain("referee", format!("the referee cannot read the model: {why}"));
            return outcome;
        }
    };
    let model: &dyn Model = &*model;
    let graph = Graph::explore(model, LIMIT);
    describe(case, model, &graph, &mut outcome.tally);
    let formulas = match verdicts::formulas(case, &graph) {
        Ok(formulas) => formulas,
        Err(why) => {
            outcome.complain("referee", format!("the referee cannot read a formula: {why}"));
            return outcome;
        }
    };
    match output.ending {
        Ending::Exit(_) => (),
        Ending::Signal => {
            let last = output.stderr.lines().last().unwrap_or_default().to_string();
            outcome.complain("crash", format!("it was ended by a signal: {last}"));
            return outcome;
        }
        Ending::Killed => {
            outcome.complain("limit", "it did not keep its limits of time and memory");
            return outcome;
        }
    }
    if let Asked::Contest { examination, .. } = case.asked {
        contest::compare(case, examination, &graph, output, &mut outcome);
        return outcome;
    }
    if let Asked::CheckFile { with_mcmas: true, .. } = case.asked {
        verdicts::compare_lines(&graph, &formulas, output, &mut outcome);
        return outcome;
    }
    let report: Value = match serde_json::from_str(&output.stdout) {
        Ok(report) => report,
        Err(why) => {
            outcome.complain("json", format!("no JSON: {why}"));
            return outcome;
        }
    };
    if report["status"] == "error" {
        let message = report["error"]["message"].as_str().unwrap_or_default();
        outcome.complain("refused", format!("the question is refused: {message}"));
        return outcome;
    }
    match &case.asked {
        Asked::Check { .. } | Asked::CheckContest { .. } | Asked::CheckFile { .. } => {
            verdicts::compare(case, &graph, &formulas, (&report, output), &mut outcome);
        }
        Asked::States => figures::states(case, &graph, &report, &mut outcome),
        Asked::Deadlock => figures::deadlock(case, &graph, &report, output, &mut outcome),
        Asked::Bounds { sums } => figures::bounds(case, &graph, sums, &report, &mut outcome),
        Asked::Contest { .. } => (),
    }
    outcome
}

/// Counts what the model is like, so that the distribution can be seen.
fn describe(case: &Case, model: &dyn Model, graph: &Graph<'_>, tally: &mut Tally) {
    let most = graph.states.iter().flatten().max().copied().unwrap_or(0);
    if most > 1 {
        tally.count("model: not safe");
    }
    if graph.is_complete && graph.dead().next().is_some() {
        tally.count("model: dead states");
    }
    if graph.initial.len() > 1 {
        tally.count("model: several initial states");
    }
    if !model.fairness().is_empty() {
        tally.count("model: fairness");
    }
    if !graph.is_complete {
        tally.count("model: very many states");
    }
    if case.has_large_numbers() {
        tally.count("model: large numbers");
    }
}

/// Counts an unknown answer. On a small model without limits it is lost, and listed by its reason.
fn count_unknown(case: &Case, graph: &Graph<'_>, part: &Value, outcome: &mut Outcome) {
    let reason = part["reason"].as_str().unwrap_or("no reason").to_string();
    outcome.tally.count(format!("unknown: {reason}"));
    if reason == "internal" {
        let detail = part["detail"].as_str().unwrap_or_default();
        return outcome.complain("internal", detail);
    }
    let is_limited = reason == "timeout" || reason == "bound" && case.bound.is_some();
    if reason == "unsupported" {
        let detail = part["detail"].as_str().unwrap_or_default();
        outcome.tally.count(format!("unsupported: {detail}"));
    } else if graph.is_complete && !is_limited && !case.has_large_numbers() && !has_large_values(graph) {
        let detail = part["detail"].as_str().unwrap_or_default();
        let detail: String = detail.chars().take(90).collect();
        outcome.tally.count(format!("lost: {reason}: {detail}"));
    }
}

/// Whether values are so large that a representation of numbers may not have them.
fn has_large_values(graph: &Graph<'_>) -> bool {
    graph.states.iter().flatten().any(|&value| value > 1 << 31)
}

/// A number that may be written as a string.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}
