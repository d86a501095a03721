//! Bounded search by satisfiability: from 0 steps on, with one solver that keeps what it learnt.

use super::method::SatMethod;
use super::reachability::Goal;
use super::{Hit, SearchResult};
use crate::loaded::Loaded;
use crate::report::{Outcome, PartialReport, Unknown};
use crate::witness::{joint_witness, trace_witness};
use symbolon_budget::Budget;
use symbolon_sat as sat;

/// Looks for a state of the goal; without a bound until one is found, or it is shown that there is
/// none.
pub(super) fn by_sat(
    loaded: &Loaded,
    goal: &Goal,
    method: SatMethod,
    solver: sat::SolverName,
    bound: Option<u64>,
    budget: &Budget,
) -> Outcome<SearchResult> {
    let options = sat::Options { solver, ..sat_options(method, bound) };
    let target = sat_goal(goal);
    let answer = match method {
        SatMethod::Induction => sat::prove(&loaded.model, &target, &options, budget),
        SatMethod::Step | SatMethod::Interleaving | SatMethod::Chain => {
            sat::search(&loaded.model, &target, &options, budget)
        }
    };
    let sat::Report { outcome, effort } = answer.map_err(|stopped| stopped_early(&stopped))?;
    let work = PartialReport { states_at_least: None, nodes: effort.clauses, steps: effort.conflicts };
    let result = |found, is_complete, bound: usize| {
        Ok(SearchResult { found, is_complete, bound: Some(bound as u64), work: work.clone() })
    };
    match outcome {
        sat::Outcome::NoneWithin(steps) => result(None, false, steps),
        sat::Outcome::Unreachable(sat::Proof::RunsEnd { steps: depth } | sat::Proof::Induction { depth }) => {
            result(None, true, depth)
        }
        sat::Outcome::Found(found) => {
            let sat::Found { run, steps, is_shortest } = found;
            let ends_well = |last: &symbolon_model::State| goal.contains(&loaded.model, last);
            let distance = is_shortest.then_some(run.event_count() as u64);
            let witness = match run {
                sat::Run::Events(trace) => trace_witness(&loaded.model, &trace, is_shortest, ends_well)?,
                sat::Run::Joint(trace) => joint_witness(&loaded.model, &trace, is_shortest, ends_well)?,
            };
            result(Some(Hit { distance, witness: Some(witness), no_witness: None }), false, steps)
        }
    }
}

/// The question for the solver.
pub(super) fn sat_goal(goal: &Goal) -> sat::Goal {
    match goal {
        Goal::Dead => sat::Goal::Deadlock,
        Goal::Holds(predicate) => sat::Goal::Holds(predicate.clone()),
    }
}

/// What the solver is to do.
pub(super) fn sat_options(method: SatMethod, bound: Option<u64>) -> sat::Options {
    let semantics = match method {
        SatMethod::Step => sat::Semantics::Step,
        SatMethod::Interleaving | SatMethod::Induction => sat::Semantics::Interleaving,
        SatMethod::Chain => sat::Semantics::Chained,
    };
    let bound = bound.map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    sat::Options { semantics, bound, ..sat::Options::default() }
}

/// How far a search came that has no answer.
fn stopped_early(stopped: &sat::Stopped) -> Unknown {
    let partial = PartialReport { states_at_least: None, nodes: 0, steps: stopped.clear as u64 };
    match &stopped.error {
        sat::Error::Interrupted(why) => {
            let interrupted = Unknown::interrupted(*why, partial);
            match stopped.clear.checked_sub(1) {
                None => interrupted,
                Some(steps) => Unknown {
                    detail: format!("{}; nothing within {steps} steps", interrupted.detail),
                    ..interrupted
                },
            }
        }
        error => Unknown { partial, ..Unknown::unsupported(error.to_string()) },
    }
}
