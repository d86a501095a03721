//! Bounded search: is a state with a property reachable within a number of steps?
//!
//! A deadlock, or a state that a formula asks for (`reachability.rs`), is looked for by diagrams
//! or by satisfiability (`by_sat.rs`). Everything found was replayed (C2). If nothing is found
//! within a bound, the answer is unknown.

mod by_sat;
mod dimacs;
mod method;
mod reachability;
mod within;

pub(crate) use dimacs::dimacs;
pub use method::{BoundedMethod, SatMethod, WrongMethod};
pub(crate) use reachability::state_predicate;
pub use within::Within;
pub(crate) use within::check_within;

use crate::ask::{is_mdd_or_open, on_stack_for};
use crate::distances::STACKS;
use crate::error::{Error, InputError};
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options, StrategyChoice, VariableOrder};
use crate::orders::order_choice;
use crate::property::Property;
use crate::report::{DeadlockReport, Outcome, PartialReport, Reason, Unknown, Witness};
use crate::stop::Stop;
use crate::witness::trace_witness;
use by_sat::by_sat;
use reachability::{Asked, Goal, asked};
use symbolon_budget::Budget;
use symbolon_engine::binary_level_count;
use symbolon_engine::bounded::{self as engine_bounded, Method, Search, Searched, Target};
use symbolon_explicit::Trace;
use symbolon_petri::analysis::Boundedness;
use symbolon_sat::SolverName;

/// Looks for a deadlock within a number of steps, by one of the methods of bounded search; `auto`
/// and the SAT methods can do without a bound.
pub(crate) fn deadlock_within(
    loaded: &Loaded,
    options: &Options,
    within: Within,
    budget: &Budget,
) -> Result<DeadlockReport, Stop> {
    Ok(to_report(within.method, search(loaded, options, &Goal::Dead, within, budget)?)?)
}

/// The states that a property asks for, if it asks for states.
pub(crate) fn goal_of(loaded: &Loaded, property: &Property) -> Option<Goal> {
    match asked(loaded, property) {
        Ok(Asked::Some(goal) | Asked::None(goal)) => Some(goal),
        Ok(Asked::Constant(_)) | Err(_) => None,
    }
}

/// Whether a property asks for states that can be reached, so that bounded search can answer it.
pub fn asks_for_states(loaded: &Loaded, property: &Property) -> bool {
    goal_of(loaded, property).is_some()
}

/// A shortest run to a state of the goal, where exact distances find one within the budget and with
/// these options. An error is a run that does not replay.
pub(crate) fn shortest_run(
    loaded: &Loaded,
    options: &Options,
    goal: &Goal,
    budget: &Budget,
) -> Result<Option<Witness>, Unknown> {
    match search(loaded, options, goal, Within::default(), budget) {
        Ok(SearchResult { found: Some(Hit { witness, .. }), .. }) => Ok(witness.filter(|one| one.shortest)),
        Err(Stop::Unknown(why)) if why.reason == Reason::Internal => Err(why),
        Ok(SearchResult { found: None, .. }) | Err(_) => Ok(None),
    }
}

/// What came of a search.
struct SearchResult {
    /// What was found, if anything was.
    found: Option<Hit>,
    /// Whether nothing found means that there is nothing.
    is_complete: bool,
    /// The bound that was sufficient, or that was not; of a proof by induction, its depth.
    bound: Option<u64>,
    /// Nodes and steps; by satisfiability, clauses and dead ends.
    work: PartialReport,
}

/// A state that was looked for.
struct Hit {
    /// The length of a shortest run to such a state, where the method is exact.
    distance: Option<u64>,
    /// A run to it.
    witness: Option<Witness>,
    /// Why there is none.
    no_witness: Option<String>,
}

/// Looks for a state of the goal.
fn search(
    loaded: &Loaded,
    options: &Options,
    goal: &Goal,
    within: Within,
    budget: &Budget,
) -> Result<SearchResult, Stop> {
    let Within { method, bound, solver } = within;
    if bound.is_none() && method.needs_bound() {
        let message = format!("method '{method}' needs a bound");
        return Err(InputError::plain(message)
            .with_hint("give option ‹bound B›, or option ‹method auto›")
            .into());
    }
    match method {
        BoundedMethod::Sat(_) => demand_no_diagram(loaded, options, method)?,
        BoundedMethod::Diagrams(_) => demand_mdd(loaded, options, "a bounded search")?,
    }
    demand_solver(method, solver)?;
    if loaded.model.is_synchronous() && (*goal == Goal::Dead || matches!(method, BoundedMethod::Diagrams(_)))
    {
        let detail = match goal {
            Goal::Dead => {
                "deadlocks of agents, which all step at once, are not supported by bounded search: \
                 leave out option ‹bound› and option ‹method›"
            }
            Goal::Holds(_) => {
                "all agents step at once, and this method knows events that happen one by one: \
                 use option ‹method sat-interleaving›, or leave out option ‹bound› and option ‹method›"
            }
        };
        return Err(Stop::Unknown(Unknown::unsupported(detail)));
    }
    match method {
        BoundedMethod::Sat(method) => {
            Ok(by_sat(loaded, goal, method, solver.unwrap_or_default(), bound, budget)?)
        }
        BoundedMethod::Diagrams(method) => by_diagrams(loaded, options, goal, method, bound, budget),
    }
}

fn by_diagrams(
    loaded: &Loaded,
    options: &Options,
    goal: &Goal,
    method: Method,
    bound: Option<u64>,
    budget: &Budget,
) -> Result<SearchResult, Stop> {
    let question = Search {
        target: match goal {
            Goal::Dead => Target::Dead,
            Goal::Holds(predicate) => Target::Holds(predicate),
        },
        bound,
        method,
        is_finite: loaded.analysis.boundedness == Boundedness::Bounded,
        order: order_choice(loaded, &options.variable_order)?,
    };
    let levels = match method {
        Method::EvbddApprox => binary_level_count(&loaded.model),
        _ => loaded.model.variables.len(),
    };
    let searched = on_stack_for(
        STACKS * levels,
        budget,
        || engine_bounded::search(&loaded.model, &question, budget),
        Ok,
    );
    let Searched { found, is_complete, bound, statistics, .. } = searched?;
    let hit = found.map(|found| -> Result<Hit, Stop> {
        let (witness, no_witness) = match found.trace {
            Ok(run) => {
                let trace = Trace { initial: run.initial, events: run.events };
                let ends_well = |last: &symbolon_model::State| goal.contains(&loaded.model, last);
                (Some(trace_witness(&loaded.model, &trace, run.is_shortest, ends_well)?), None)
            }
            Err(why) => (None, Some(why.to_string())),
        };
        // Other methods may happen to know it; the run is then reported as a shortest one.
        Ok(Hit { distance: found.distance.filter(|_| method.is_exact()), witness, no_witness })
    });
    let hit = hit.transpose()?;
    let work =
        PartialReport { states_at_least: None, nodes: statistics.nodes as u64, steps: statistics.steps };
    Ok(SearchResult { found: hit, is_complete, bound, work })
}

fn to_report(method: BoundedMethod, result: SearchResult) -> Outcome<DeadlockReport> {
    let SearchResult { found, is_complete, bound, work } = result;
    let report = DeadlockReport {
        deadlock: found.is_some(),
        method: method.name().into(),
        bound,
        ..DeadlockReport::default()
    };
    match found {
        Some(Hit { distance, witness, no_witness }) => {
            Ok(DeadlockReport { distance, witness, no_witness, ..report })
        }
        None if is_complete => Ok(DeadlockReport { dead_states: Some(0_u32.into()), ..report }),
        None => {
            let detail = match bound {
                Some(bound) => format!("no deadlock within {bound} steps; there may be one further away"),
                None => "no deadlock was found".to_string(),
            };
            Err(Unknown { partial: work, ..Unknown::because(Reason::Bound, detail) })
        }
    }
}

/// Refuses other diagrams and strategies: these would be ignored.
fn demand_mdd(loaded: &Loaded, options: &Options, what: &str) -> Result<(), Error> {
    check_choices(loaded, options)?;
    if !is_mdd_or_open(options.diagram) {
        return refused(format!("{what} requires option ‹diagram mdd›"), "leave option ‹diagram› out");
    }
    demand_no_strategy(options, what)
}

/// Refuses whatever is about diagrams, for methods that have none.
fn demand_no_diagram(loaded: &Loaded, options: &Options, method: BoundedMethod) -> Result<(), Error> {
    check_choices(loaded, options)?;
    let what = format!("method '{method}'");
    if options.diagram != Diagram::Auto {
        return refused(format!("{what} needs no diagram"), "leave option ‹diagram› out");
    }
    if options.variable_order != VariableOrder::Auto {
        return refused(format!("{what} has no variable order"), "leave option ‹variable-order› out");
    }
    demand_no_strategy(options, &what)
}

/// Refuses a solver where none is asked, and one that this program was built without.
fn demand_solver(method: BoundedMethod, solver: Option<SolverName>) -> Result<(), Error> {
    let Some(solver) = solver else { return Ok(()) };
    if let BoundedMethod::Diagrams(_) = method {
        let message = format!("method '{method}' asks no solver");
        return refused(message, "leave option ‹solver› out, or use option ‹method sat-interleaving›");
    }
    if !solver.is_built_in() {
        let message = format!("this program was built without the solver '{solver}'");
        return refused(message, "build it with the feature 'cadical'");
    }
    Ok(())
}

fn demand_no_strategy(options: &Options, what: &str) -> Result<(), Error> {
    if !matches!(options.strategy, StrategyChoice::Auto | StrategyChoice::Saturation) {
        return refused(format!("{what} has strategies of its own"), "leave option ‹strategy› out");
    }
    Ok(())
}

fn refused(message: String, hint: &str) -> Result<(), Error> {
    Err(InputError::plain(message).with_hint(hint).into())
}
