//! Bounded search for a deadlock, and distances: what `--bound`, `--method` and `--distances` ask for.

use crate::deadlock::dead_witness;
use crate::error::{Error, InputError};
use crate::hierarchies::check_choices;
use crate::load::Loaded;
use crate::options::{Diagram, Options, StrategyChoice};
use crate::orders::order_choice;
use crate::report::{DeadlockReport, Outcome, PartialReport, Reason, StatesReport, Unknown};
use crate::states::{infinite, on_stack_for, report};
use symbolon_budget::Budget;
use symbolon_engine::bounded::{Method, Search, Searched, Target, distances, search};
use symbolon_engine::{Explored, StateSets};
use symbolon_petri::analysis::Boundedness;

/// Functions with weights recurse with larger frames than sets do.
const STACKS: usize = 2;

/// Looks for a deadlock within so many steps, by one of the methods of bounded search; `auto` can do without a bound.
pub fn deadlock_within(
    loaded: &Loaded,
    options: &Options,
    method: Method,
    bound: Option<u64>,
    budget: &Budget,
) -> Result<Outcome<DeadlockReport>, Error> {
    demand_mdd(loaded, options, "a bounded search")?;
    if bound.is_none() && method != Method::Auto {
        let message = format!("method '{method}' needs a bound");
        return Err(Error::Input(vec![
            InputError::plain(message).with_hint("say '--bound B', or '--method auto'"),
        ]));
    }
    let question = Search {
        target: Target::Dead,
        bound,
        method,
        is_finite: loaded.analysis.boundedness == Boundedness::Bounded,
        order: order_choice(loaded, &options.variable_order)?,
    };
    let searched = on_stack_for(
        STACKS * loaded.model.variables.len(),
        budget,
        || search(&loaded.model, &question, budget),
        Ok,
    );
    Ok(match searched {
        Outcome::Unknown(unknown) => Outcome::Unknown(unknown),
        Outcome::Done(searched) => told(loaded, method, searched),
    })
}

fn told(loaded: &Loaded, method: Method, searched: Searched) -> Outcome<DeadlockReport> {
    let Searched { found, is_complete, bound, statistics, .. } = searched;
    let report = DeadlockReport {
        deadlock: found.is_some(),
        method: method.name().into(),
        bound,
        distance: found.as_ref().and_then(|found| found.distance),
        witness: None,
        no_witness: None,
        dead_states: None,
    };
    match found {
        Some(found) => {
            let (witness, why) = match found.trace {
                Ok(trace) => (dead_witness(loaded, trace.initial, trace.events, trace.is_shortest), None),
                Err(why) => (None, Some(why.to_string())),
            };
            let no_witness = witness
                .is_none()
                .then(|| why.unwrap_or_else(|| "no run to it could be replayed".to_string()));
            Outcome::Done(DeadlockReport { witness, no_witness, ..report })
        }
        None if is_complete => Outcome::Done(DeadlockReport { dead_states: Some(0_u32.into()), ..report }),
        None => Outcome::Unknown(Unknown {
            reason: Reason::Bound,
            detail: match bound {
                Some(bound) => format!("no deadlock within {bound} steps; there may be one further away"),
                None => "no deadlock was found".to_string(),
            },
            partial: PartialReport {
                states_at_least: None,
                nodes: statistics.nodes as u64,
                steps: statistics.steps,
            },
        }),
    }
}

/// Reports on all reachable states, with the number of states at each distance.
pub fn states_with_distances(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome<StatesReport>, Error> {
    demand_mdd(loaded, options, "'--distances'")?;
    if let Some(place) = loaded.unbounded_place() {
        return Ok(Outcome::Done(infinite(place)));
    }
    let order = order_choice(loaded, &options.variable_order)?;
    Ok(on_stack_for(
        STACKS * loaded.model.variables.len(),
        budget,
        || distances(&loaded.model, &order, budget),
        |mut found| {
            let (depth, histogram) = (found.depth(), found.histogram()?);
            let states = found.states()?;
            found.sets.breathe();
            let mut explored =
                Explored { sets: found.sets, reached: states, plan: found.plan, hierarchy: None, depth };
            let report = report(loaded, options, &mut explored)?;
            Ok(StatesReport { distances: Some(histogram), ..report })
        },
    ))
}

/// Refuses other diagrams and strategies: these would be ignored.
fn demand_mdd(loaded: &Loaded, options: &Options, what: &str) -> Result<(), Error> {
    check_choices(loaded, options)?;
    let refused =
        |message: String, hint: &str| Err(Error::Input(vec![InputError::plain(message).with_hint(hint)]));
    if !matches!(options.diagram, Diagram::Auto | Diagram::Mdd) {
        return refused(format!("{what} goes with '--diagram mdd' alone"), "leave '--diagram' out");
    }
    if !matches!(options.strategy, StrategyChoice::Auto | StrategyChoice::Saturation) {
        return refused(format!("{what} has strategies of its own"), "leave '--strategy' out");
    }
    Ok(())
}
