//! The lines of `mcc`.

use super::verdicts::contest_semantics;
use super::{Outcome, Output};
use crate::case::Case;
use crate::compare::Ending;
use std::collections::BTreeMap;
use symbolon_referee::paths::can_reach;
use symbolon_referee::{Checker, Graph, contest};

/// Compares the lines that an examination printed.
pub(super) fn compare(
    case: &Case,
    examination: &str,
    graph: &Graph<'_>,
    output: &Output,
    outcome: &mut Outcome,
) {
    if output.ending != Ending::Exit(0) {
        let first = output.stderr.lines().next().unwrap_or_default();
        return outcome.complain("exit status", format!("{:?}: {first}", output.ending));
    }
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    for line in output.stdout.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["FORMULA" | "STATE_SPACE", id, answer, "TECHNIQUES", ..] => {
                if given.insert(id.to_string(), answer.to_string()).is_some() {
                    outcome.complain("lines", format!("{id} is answered twice"));
                }
            }
            ["CANNOT_COMPUTE"] | ["FORMULA", _, "CANNOT_COMPUTE"] => {
                outcome.tally.count(match graph.is_complete && !case.has_large_numbers() {
                    true => format!("lost: {examination}: CANNOT_COMPUTE"),
                    false => "unknown: CANNOT_COMPUTE".to_string(),
                })
            }
            ["DO_NOT_COMPETE"] => outcome.tally.count("unsupported: DO_NOT_COMPETE"),
            _ => outcome.complain("lines", format!("not a line of the contest: {line}")),
        }
    }
    if !graph.is_complete {
        outcome.tally.count("very many states");
        return;
    }
    let expected = match expected(case, examination, graph) {
        Ok(expected) => expected,
        Err(why) => return outcome.tally.count(format!("referee gave up: {why}")),
    };
    for (id, answer) in &given {
        let Some(expected) = expected.get(id) else {
            outcome.complain("lines", format!("{id} was not asked for"));
            continue;
        };
        let is_truth = ["TRUE", "FALSE"].contains(&expected.as_str());
        outcome.tally.count(if is_truth { "verdicts" } else { "figures" });
        if is_truth {
            outcome.tally.count(if expected == "TRUE" { "holds" } else { "fails" });
        }
        if answer != expected {
            outcome.complain("verdict", format!("{id} is {answer}, but the referee says {expected}"));
        }
    }
    let missing = expected.keys().filter(|id| !given.contains_key(*id)).count();
    if missing > 0 && !output.stdout.contains("CANNOT_COMPUTE") && !output.stdout.contains("DO_NOT_COMPETE") {
        outcome.complain("lines", format!("{missing} answers are missing, without a word"));
    }
}

/// The answer to each question of an examination.
fn expected(case: &Case, examination: &str, graph: &Graph<'_>) -> Result<BTreeMap<String, String>, String> {
    let files = case.files();
    let text =
        files.iter().find(|(name, _)| *name == format!("{examination}.xml")).map_or("", |(_, text)| text);
    let truth = |truth: bool| if truth { "TRUE".to_string() } else { "FALSE".to_string() };
    let one = |answer: bool| Ok(BTreeMap::from([(examination.to_string(), truth(answer))]));
    let all: Vec<usize> = (0..graph.model.variables().len()).collect();
    // A coloured place counts as one, with all its tokens.
    let places: Vec<Vec<usize>> = graph.model.places().into_iter().map(|(_, place)| place).collect();
    match examination {
        "StateSpace" => {
            let most = all.iter().map(|&place| graph.largest(&[place])).max().unwrap_or(0);
            let figures = [
                ("STATES", graph.states.len() as i128),
                ("TRANSITIONS", graph.edge_count() as i128),
                ("MAX_TOKEN_PER_MARKING", graph.largest(&all)),
                ("MAX_TOKEN_IN_PLACE", most),
            ];
            Ok(figures.into_iter().map(|(name, number)| (name.to_string(), number.to_string())).collect())
        }
        "ReachabilityDeadlock" => one(graph.dead().next().is_some()),
        "OneSafe" => one(places.iter().all(|place| graph.largest(place) <= 1)),
        "StableMarking" => {
            let total = |state: &[i128], place: &[usize]| place.iter().map(|&one| state[one]).sum::<i128>();
            let first = &graph.states[0];
            let is_stable = |place: &Vec<usize>| {
                graph.states.iter().all(|state| total(state, place) == total(first, place))
            };
            one(places.iter().any(is_stable))
        }
        "QuasiLiveness" => {
            let events = events(case);
            one(events.iter().all(|event| fires(graph, event).contains(&true)))
        }
        "Liveness" => {
            // From every state a state is reachable in which the transition can fire.
            let next = graph.next();
            let reaches =
                |event: &String| can_reach(&next, fires(graph, event)).into_iter().all(|reaches| reaches);
            one(events(case).iter().all(reaches))
        }
        "UpperBounds" => {
            let sum = |names: &[String]| {
                let places = graph.model.places();
                let place =
                    |name: &String| places.iter().find(|(known, _)| known == name).map(|(_, place)| place);
                let places = names.iter().map(|name| place(name).ok_or("no such place"));
                let places = places.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().copied();
                Ok::<_, String>(graph.largest(&places.collect::<Vec<usize>>()).to_string())
            };
            contest::bounds(text)?.into_iter().map(|(id, places)| Ok((id, sum(&places)?))).collect()
        }
        _ => {
            let checker = Checker::new(graph, contest_semantics(examination), false)?;
            let formulas = contest::formulas(text)?.into_iter();
            formulas.map(|(id, formula)| Ok((id, truth(checker.holds(&formula)?)))).collect()
        }
    }
}

fn events(case: &Case) -> Vec<String> {
    case.events()
}

/// In which states a transition can fire.
fn fires(graph: &Graph<'_>, event: &str) -> Vec<bool> {
    let fires = |state: &Vec<i128>| graph.model.is_fireable(event, state).unwrap_or(false);
    graph.states.iter().map(fires).collect()
}
