//! Formulas about states that can be reached, answered by bounded search.

use super::reachability::{Asked, Goal, Refused, asked};
use super::{BoundedMethod, SearchResult, search};
use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::policy::bounded_search::FIRST_TURN;
use crate::property::Property;
use crate::report::{Reason, Unknown, Witness};
use crate::shown::shown_by_run;
use crate::stop::settle;
use crate::technique::Technique;
use crate::verdict::{PropertyReport, SearchReport, Verdict};
use crate::witness::{joint_witness, trace_witness};
use std::time::Instant;
use symbolon_budget::{Budget, Interrupted};
use symbolon_explicit::{JointTrace, Trace, initial_states};
use symbolon_sat::SolverName;

/// A bounded search: how, and how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Within {
    /// The method.
    pub method: BoundedMethod,
    /// The largest number of steps, if there is one.
    pub bound: Option<u64>,
    /// The solver, for methods by satisfiability; `None` is the one that is always there.
    pub solver: Option<SolverName>,
}

/// Checks properties of the forms `EF p` and `AG p` by bounded search, in turns; `on_verdict` is
/// called with each verdict as soon as it is known. Other properties stay unknown; if all are of
/// other forms, that is an error.
pub(crate) fn check_within(
    loaded: &Loaded,
    properties: &[Property],
    within: Within,
    options: &Options,
    budget: &Budget,
    on_verdict: &mut dyn FnMut(usize, &PropertyReport),
) -> Result<Vec<PropertyReport>, Error> {
    let start = Instant::now();
    let questions: Vec<Result<Asked, Refused>> =
        properties.iter().map(|property| asked(loaded, property)).collect();
    if questions.iter().all(|question| question.as_ref().is_err_and(|refused| refused.is_form)) {
        let wrong = properties.iter().zip(&questions).filter_map(|(property, question)| {
            let why = &question.as_ref().err()?.why;
            let message = format!("bounded search cannot answer '{}': {why}", property.text);
            Some(InputError::plain(message).with_hint("leave out option ‹bound› and option ‹method›"))
        });
        return Err(Error::Input(wrong.collect()));
    }
    let mut reports: Vec<PropertyReport> = properties
        .iter()
        .map(|property| PropertyReport::unknown(property, Interrupted::Cancelled.into()))
        .collect();
    // Questions take turns that become longer, so one that never ends does not keep the others from
    // their answers.
    let mut open: Vec<usize> = (0..properties.len()).collect();
    let mut turn = FIRST_TURN;
    while !open.is_empty() {
        let mut late = Vec::new();
        for (position, &number) in open.iter().enumerate() {
            let is_alone = open.len() == 1;
            let slice = match budget.time_left() {
                _ if is_alone => budget.clone(),
                None => budget.slice(turn),
                Some(left) => budget.slice(turn.min(left / (open.len() - position) as u32)),
            };
            let report = &mut reports[number];
            match &questions[number] {
                Err(refused) => report.verdict = Verdict::Unknown(Unknown::unsupported(refused.why.clone())),
                Ok(Asked::Constant(value)) => {
                    report.verdict = Verdict::of(*value);
                    if shown_by_run(&properties[number].formula, *value).is_some() {
                        report.witness = initial_run(loaded, budget);
                    }
                }
                Ok(Asked::Some(goal)) => answer(report, loaded, goal, true, within, options, &slice)?,
                Ok(Asked::None(goal)) => answer(report, loaded, goal, false, within, options, &slice)?,
            }
            report.time = start.elapsed();
            let is_late = report.verdict.unknown().is_some_and(|why| why.reason == Reason::Timeout);
            if is_late && budget.check().is_ok() {
                late.push(number);
            } else {
                on_verdict(number, report);
            }
        }
        open = late;
        turn = turn.saturating_mul(2);
    }
    Ok(reports)
}

/// An initial state, as a run without steps.
fn initial_run(loaded: &Loaded, budget: &Budget) -> Option<Witness> {
    let model = &loaded.model;
    let (states, _) = initial_states(model, 1, budget).ok()?;
    let initial = states.into_iter().next()?;
    match model.is_synchronous() {
        true => joint_witness(model, &JointTrace { initial, steps: Vec::new() }, true, |_| true),
        false => trace_witness(model, &Trace { initial, events: Vec::new() }, true, |_| true),
    }
    .ok()
}

/// Searches, and writes down what that says of "such a state can be reached", or of the contrary.
fn answer(
    report: &mut PropertyReport,
    loaded: &Loaded,
    goal: &Goal,
    wants_some: bool,
    within: Within,
    options: &Options,
    budget: &Budget,
) -> Result<(), Error> {
    let Within { method, bound, .. } = within;
    report.techniques = match method {
        BoundedMethod::Diagrams(_) => vec![Technique::DecisionDiagrams],
        BoundedMethod::Sat(_) => vec![Technique::Satisfiability],
    };
    let mut search_report = SearchReport { method: method.name(), bound, distance: None };
    match settle(search(loaded, options, goal, within, budget))? {
        Err(unknown) => report.verdict = Verdict::Unknown(unknown),
        Ok(SearchResult { found: Some(hit), bound, .. }) => {
            (search_report.bound, search_report.distance) = (bound, hit.distance);
            report.witness = hit.witness;
            match (wants_some, has_one_initial_state(loaded, budget)) {
                (false, _) => report.verdict = Verdict::Fails,
                (true, true) => report.verdict = Verdict::Holds,
                // A run from one initial state says nothing of the others.
                (true, false) => {
                    report.verdict = Verdict::Unknown(Unknown::unsupported(
                        "such a state can be reached from one of several initial states; \
                         bounded search does not decide whether it can be from all of them",
                    ));
                }
            }
        }
        Ok(SearchResult { is_complete: true, bound, .. }) => {
            search_report.bound = bound;
            report.verdict = Verdict::of(!wants_some);
        }
        Ok(SearchResult { bound, work, .. }) => {
            search_report.bound = bound;
            let steps = bound.map_or("the steps taken".to_string(), |bound| format!("{bound} steps"));
            let detail = if wants_some {
                format!("no such state within {steps}; there may be one further away")
            } else {
                format!("nothing violates it within {steps}; something further away may")
            };
            report.verdict =
                Verdict::Unknown(Unknown { partial: work, ..Unknown::because(Reason::Bound, detail) });
        }
    }
    report.search = Some(search_report);
    Ok(())
}

fn has_one_initial_state(loaded: &Loaded, budget: &Budget) -> bool {
    initial_states(&loaded.model, 1, budget).is_ok_and(|(states, has_more)| states.len() == 1 && !has_more)
}
