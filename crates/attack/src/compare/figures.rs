//! Numbers: states, edges, tokens, distances, deadlocks, bounds.

use super::{Outcome, Output, count_unknown, number};
use crate::case::{Case, sum_text};
use crate::compare::Ending;
use serde_json::Value;
use symbolon_referee::witness::Run;
use symbolon_referee::{Graph, Kind};

/// Compares one number, if the program gives it.
fn figure(name: &str, given: &Value, expected: i128, outcome: &mut Outcome) {
    if given.is_null() {
        return;
    }
    outcome.tally.count("figures");
    if number(given) != Some(expected) {
        outcome.complain("figure", format!("{name} is said to be {given}, and is {expected}"));
    }
}

fn places(graph: &Graph<'_>) -> Vec<usize> {
    (0..graph.model.variables().len()).collect()
}

/// `states`
pub(super) fn states(case: &Case, graph: &Graph<'_>, report: &Value, outcome: &mut Outcome) {
    if report["status"] == "unknown" {
        return count_unknown(case, graph, report, outcome);
    }
    if !graph.is_complete {
        outcome.tally.count("very many states");
        return;
    }
    figure("states", &report["states"], graph.states.len() as i128, outcome);
    if !graph.model.is_synchronous() {
        figure("edges", &report["edges"], graph.edge_count() as i128, outcome);
    }
    if graph.model.variables().iter().all(|variable| variable.kind == Kind::Number)
        && !graph.model.is_synchronous()
    {
        let most = places(graph).iter().map(|&place| graph.largest(&[place])).max().unwrap_or(0);
        figure("max_tokens_in_place", &report["max_tokens_in_place"], most, outcome);
        figure(
            "max_tokens_per_marking",
            &report["max_tokens_per_marking"],
            graph.largest(&places(graph)),
            outcome,
        );
    }
    let layers = graph.layers();
    figure("depth", &report["depth"], layers.len() as i128 - 1, outcome);
    if let Some(given) = report["distances"].as_array() {
        outcome.tally.count("figures");
        let given: Vec<i128> = given.iter().filter_map(number).collect();
        if given != layers.iter().map(|&count| count as i128).collect::<Vec<_>>() {
            outcome.complain("figure", format!("distances are said to be {given:?}, and are {layers:?}"));
        }
    }
}

/// `deadlock`
pub(super) fn deadlock(
    case: &Case,
    graph: &Graph<'_>,
    report: &Value,
    output: &Output,
    outcome: &mut Outcome,
) {
    let given = report["deadlock"].as_bool();
    let status = match given {
        Some(true) => 1,
        Some(false) => 0,
        None => 3,
    };
    if output.ending != Ending::Exit(status) {
        outcome.complain("exit status", format!("{:?} where deadlock is {given:?}", output.ending));
    }
    let shown = &report["witness"];
    let run = match (!shown.is_null()).then(|| Run::replay(graph.model, shown)) {
        None => None,
        Some(Ok(run)) => Some(run),
        Some(Err(why)) => return outcome.complain("witness", format!("deadlock: {why}")),
    };
    if let Some(run) = &run {
        outcome.tally.count("witnesses");
        if !graph.model.steps(run.last()).is_empty() {
            outcome.complain("witness", "the run does not end in a dead state");
        }
    }
    if !graph.is_complete {
        outcome.tally.count("very many states");
        return;
    }
    let dead: Vec<usize> = graph.dead().collect();
    let nearest = dead.iter().map(|&state| graph.distance[state]).min();
    let Some(given) = given else {
        if let (Some(bound), Some(nearest), true) = (case.bound, nearest, report["reason"] == "bound")
            && nearest <= bound
        {
            outcome.complain("bound", format!("no deadlock within {bound} steps, but one after {nearest}"));
        }
        return count_unknown(case, graph, report, outcome);
    };
    outcome.tally.count("verdicts");
    outcome.tally.count(if given { "fails" } else { "holds" });
    if given == dead.is_empty() {
        return outcome
            .complain("verdict", format!("deadlock is said to be {given}, and there are {}", dead.len()));
    }
    figure("dead_states", &report["dead_states"], dead.len() as i128, outcome);
    if let Some(nearest) = nearest {
        figure("distance", &report["distance"], nearest as i128, outcome);
        match run {
            None => outcome.complain("missing witness", "a deadlock without a run to it"),
            Some(run) if run.is_shortest => {
                outcome.tally.count("claims of shortest");
                outcome.tally.count("claims compared");
                if run.length() != nearest {
                    let length = run.length();
                    outcome.complain(
                        "shortest",
                        format!(
                            "the run has {length} steps and is said to be shortest; {nearest} are enough"
                        ),
                    );
                }
            }
            Some(_) => (),
        }
    }
}

/// `bounds`
pub(super) fn bounds(
    case: &Case,
    graph: &Graph<'_>,
    sums: &[Vec<(u64, String)>],
    report: &Value,
    outcome: &mut Outcome,
) {
    // Each place by itself, unless sums were asked for.
    let asked: Vec<(String, Vec<(u64, String)>)> = match sums.is_empty() {
        true => graph.model.places().into_iter().map(|(name, _)| (name.clone(), vec![(1, name)])).collect(),
        false => sums.iter().map(|sum| (sum_text(sum), sum.clone())).collect(),
    };
    let mut list = report["bounds"].as_array().cloned().unwrap_or_default();
    // What memory cut off in the middle of an allocation has no list.
    if list.is_empty() && report["reason"] == "memory" {
        return count_unknown(case, graph, report, outcome);
    }
    // Of a coloured net, those of single colours follow; each is looked at by its name.
    list.retain(|bound| {
        let colour = bound["place"].as_str().filter(|name| name.ends_with(']')).map(str::to_string);
        let seen = |name: &str| graph.states.iter().filter_map(|state| graph.model.value(name, state)).max();
        if let Some(name) = &colour
            && graph.is_complete
            && !bound["bound"].is_null()
        {
            figure(name, &bound["bound"], seen(name).unwrap_or(-1), outcome);
        }
        colour.is_none()
    });
    if list.len() != asked.len() {
        return outcome.complain("count", format!("{} bounds of {} places or sums", list.len(), asked.len()));
    }
    for (bound, (name, sum)) in list.iter().zip(&asked) {
        if bound["place"] != name.as_str() {
            outcome.complain("figure", format!("a bound of {} instead of {name}", bound["place"]));
            continue;
        }
        let value = |state: &Vec<i128>| {
            let term = |(factor, place): &(u64, String)| {
                i128::from(*factor) * graph.model.value(place, state).unwrap_or(0)
            };
            sum.iter().map(term).sum::<i128>()
        };
        let seen = graph.states.iter().map(value).max().unwrap_or(0);
        if let Some(at_most) = number(&bound["at_most"])
            && at_most < seen
        {
            outcome.complain("figure", format!("{name} holds at most {at_most}, it says, and holds {seen}"));
        }
        if !graph.is_complete {
            continue;
        }
        if bound["bound"].is_null() {
            count_unknown(case, graph, report, outcome);
            continue;
        }
        figure(name, &bound["bound"], seen, outcome);
        if number(&bound["at_least"]).is_some_and(|at_least| at_least > seen) {
            let given = &bound["at_least"];
            outcome.complain("figure", format!("{name} is said to reach {given}, but no more than {seen}"));
        }
    }
}
