//! Verdicts of `check`, and what is shown for them.

use super::{Outcome, Output, count_unknown, number};
use crate::case::{Asked, Case, Dialect};
use crate::compare::Ending;
use crate::formulas::Style;
use serde_json::Value;
use symbolon_referee::judge::judge;
use symbolon_referee::witness::Run;
use symbolon_referee::{Checker, Formula, Graph, Question, Semantics, contest, parse};

/// The formulas of the case, read from their text, each with its path semantics. They speak of what
/// is in the model.
pub(super) fn formulas(case: &Case, graph: &Graph<'_>) -> Result<Vec<(Formula, Semantics)>, String> {
    let formulas = read(case, graph)?;
    let seen = Checker::of_seen_states(graph);
    for (formula, _) in &formulas {
        let mut waiting = vec![formula];
        while let Some(part) = waiting.pop() {
            waiting.extend(part.operands());
            if matches!(part, Formula::Name(_) | Formula::Compare(..) | Formula::Fireable(_)) {
                seen.label(part)?;
            }
        }
    }
    Ok(formulas)
}

fn read(case: &Case, graph: &Graph<'_>) -> Result<Vec<(Formula, Semantics)>, String> {
    let question = Question {
        paths: case.paths,
        is_ispl: graph.model.is_synchronous(),
        has_fairness: !graph.model.fairness().is_empty(),
    };
    match &case.asked {
        Asked::Check { formulas, style, .. } => {
            let read = |formula: &Formula| {
                let read = parse::formula(&style.text(formula))?;
                let semantics = question.semantics(&read);
                Ok((read, semantics))
            };
            formulas.iter().map(read).collect()
        }
        Asked::CheckContest { examination, .. } => {
            let name = format!("{examination}.xml");
            let files = case.files();
            let text = files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
            let semantics = contest_semantics(examination);
            Ok(contest::formulas(text)?.into_iter().map(|(_, formula)| (formula, semantics)).collect())
        }
        Asked::CheckFile { formulas, .. } => {
            let read = |(dialect, formula): &(Dialect, Formula)| {
                let style = if graph.model.is_synchronous() { Style::of_ispl() } else { Style::default() };
                let read = parse::formula(&style.text(formula))?;
                // LTL and CTL* speak about infinite paths, LTL about all of them.
                Ok(match dialect {
                    Dialect::Ctl => {
                        let semantics = question.semantics(&read);
                        (read, semantics)
                    }
                    Dialect::Ltl => (Formula::All(Box::new(read)), Semantics::Infinite),
                    Dialect::CtlStar => (read, Semantics::Infinite),
                })
            };
            formulas.iter().map(read).collect()
        }
        _ => Ok(Vec::new()),
    }
}

/// What paths are in an examination.
pub(super) fn contest_semantics(examination: &str) -> Semantics {
    if examination.starts_with("LTL") { Semantics::Stutter } else { Semantics::Maximal }
}

/// Compares every property of the report.
pub(super) fn compare(
    case: &Case,
    graph: &Graph<'_>,
    formulas: &[(Formula, Semantics)],
    (report, output): (&Value, &Output),
    outcome: &mut Outcome,
) {
    let properties = report["properties"].as_array().cloned().unwrap_or_default();
    if properties.len() != formulas.len() {
        return outcome
            .complain("count", format!("{} answers to {} formulas", properties.len(), formulas.len()));
    }
    let verdicts: Vec<&str> = properties.iter().filter_map(|property| property["verdict"].as_str()).collect();
    let status = if verdicts.contains(&"fails") {
        1
    } else if verdicts.contains(&"unknown") {
        3
    } else {
        0
    };
    if output.ending != Ending::Exit(status) {
        outcome.complain("exit status", format!("{:?} with verdicts {verdicts:?}", output.ending));
    }
    for (property, (formula, semantics)) in properties.iter().zip(formulas) {
        one(case, graph, property, formula, *semantics, outcome);
    }
}

fn one(
    case: &Case,
    graph: &Graph<'_>,
    property: &Value,
    formula: &Formula,
    semantics: Semantics,
    outcome: &mut Outcome,
) {
    let name = property["formula"].as_str().unwrap_or_default().to_string();
    let paths = match semantics {
        Semantics::Maximal => Some("maximal"),
        Semantics::Stutter => Some("stutter"),
        Semantics::Infinite => Some("infinite"),
        // The report names one of the others.
        Semantics::Steps => None,
    };
    let is_temporal = formula.any(&Formula::is_temporal);
    if is_temporal && paths.is_some_and(|paths| property["paths"] != paths) {
        outcome.complain(
            "paths",
            format!("{name}: paths are said to be {}, and are {semantics:?}", property["paths"]),
        );
    }
    if !graph.is_complete {
        return endless(graph, property, formula, outcome);
    }
    let is_uniform = case.options.iter().any(|option| option.iter().any(|word| word == "uniform"));
    let checked = Checker::new(graph, semantics, is_uniform).and_then(|checker| {
        let holds = checker.holds(formula)?;
        Ok((checker, holds))
    });
    let (checker, expected) = match checked {
        Ok(checked) => checked,
        Err(why) => {
            outcome.tally.count(format!("referee gave up: {why}"));
            return;
        }
    };
    let holds = match property["verdict"].as_str() {
        Some("holds") => true,
        Some("fails") => false,
        _ => {
            is_within_bound(case, &checker, formula, expected, property, outcome);
            return count_unknown(case, graph, property, outcome);
        }
    };
    outcome.tally.count("verdicts");
    outcome.tally.count(if holds { "holds" } else { "fails" });
    if holds != expected {
        return outcome.complain(
            "verdict",
            format!("{name}: {} ({semantics:?}), but the referee says {}", word(holds), word(expected)),
        );
    }
    match printed(&name).and_then(|printed| checker.holds(&printed)) {
        Ok(same) if same == expected => (),
        Ok(_) => outcome.complain("printed", format!("{name}: what is printed is {}", word(!expected))),
        Err(why) => outcome.complain("printed", format!("{name}: what is printed cannot be read: {why}")),
    }
    satisfied(&checker, property, outcome);
    distance(&checker, formula, property, outcome);
    witness(case, &checker, formula, holds, property, outcome);
}

/// A formula that the program printed; a line of an ISPL file has its dialect before it.
fn printed(text: &str) -> Result<Formula, String> {
    match (text.strip_prefix("LTL "), text.strip_prefix("CTL* ")) {
        (Some(path), _) => Ok(Formula::All(Box::new(parse::formula(path)?))),
        (None, Some(formula)) => parse::formula(formula),
        (None, None) => parse::formula(text),
    }
}

fn word(holds: bool) -> &'static str {
    if holds { "holds" } else { "fails" }
}

/// The run that is shown.
fn witness(
    case: &Case,
    checker: &Checker<'_>,
    formula: &Formula,
    holds: bool,
    property: &Value,
    outcome: &mut Outcome,
) {
    let name = property["formula"].as_str().unwrap_or_default();
    let shown = &property["witness"];
    let wants_none = case.options.iter().any(|option| option[0] == "--no-witness");
    if shown.is_null() {
        // Where no path is fair, everything holds, and there is nothing to show.
        let is_empty = checker.initial().is_empty();
        if !wants_none && !is_empty && is_due(formula, holds) && property["detail"].is_null() {
            outcome.tally.count("witness missing");
            let techniques = &property["techniques"];
            outcome.complain(
                "missing witness",
                format!("{name}: {}, and nothing shows it ({techniques})", word(holds)),
            );
        }
        return;
    }
    outcome.tally.count("witnesses");
    let shape = shown["shape"].as_str().unwrap_or("none");
    outcome.tally.count(format!("shape: {shape}"));
    let run = match Run::replay(checker.graph.model, shown) {
        Ok(run) => run,
        Err(why) => return outcome.complain("witness", format!("{name}: {}: {why}", word(holds))),
    };
    if run.is_shortest {
        outcome.tally.count("claims of shortest");
    } else if run.length() == 0 && run.branches.is_empty() && run.strategy.is_none() {
        outcome.complain("modest", format!("{name}: 0 steps are said not to be shortest"));
    }
    match judge(checker, formula, holds, &run) {
        Ok(judgement) => {
            if judgement.is_shortest_checked {
                outcome.tally.count("claims compared");
            }
        }
        Err(why) => {
            let class = if why.contains("shortest") { "shortest" } else { "witness" };
            outcome.complain(class, format!("{name}: {}: {why}", word(holds)));
        }
    }
}

/// Whether a verdict is one that comes with a witness.
fn is_due(formula: &Formula, holds: bool) -> bool {
    match formula {
        path if path.is_path() => !holds,
        Formula::Not(f) => is_due(f, !holds),
        Formula::Exists(_) => holds,
        Formula::All(_) => !holds,
        _ => false,
    }
}

/// With `-v`: in how many states each part holds.
fn satisfied(checker: &Checker<'_>, property: &Value, outcome: &mut Outcome) {
    // On steps, parts are printed as they were rewritten, on other paths.
    if checker.semantics == Semantics::Steps {
        return;
    }
    for part in property["satisfied"].as_array().into_iter().flatten() {
        let text = part["formula"].as_str().unwrap_or_default();
        // A part that was made while the formula was simplified has no text of its own.
        if text.starts_with("subformula ") {
            outcome.tally.count("parts without a text");
            continue;
        }
        let label = match printed(text).and_then(|formula| checker.label(&formula)) {
            Ok(label) => label,
            Err(why) => {
                outcome.complain("printed", format!("{text}: a part cannot be read: {why}"));
                continue;
            }
        };
        outcome.tally.count("figures");
        // Where there is fairness, only states with a fair path count.
        let counts = label.iter().zip(&checker.universe).filter(|(truth, counts)| **truth && **counts);
        let count = counts.count() as i128;
        if number(&part["states"]) != Some(count) {
            outcome.complain(
                "satisfied",
                format!("{text}: {} states satisfy it, not {}", count, part["states"]),
            );
        }
    }
}

/// The states that `EF p` asks for, or that `AG p` forbids.
fn goal(formula: &Formula) -> Option<(&Formula, bool)> {
    match formula {
        Formula::Exists(path) => match &**path {
            Formula::Finally(goal) => Some((goal, true)),
            _ => None,
        },
        Formula::All(path) => match &**path {
            Formula::Globally(goal) => Some((goal, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The distance of the nearest state that a bounded search looks for.
fn nearest(checker: &Checker<'_>, formula: &Formula) -> Option<usize> {
    let (goal, truth) = goal(formula)?;
    let label = checker.label(goal).ok()?;
    (0..label.len()).filter(|&state| label[state] == truth).map(|state| checker.graph.distance[state]).min()
}

fn distance(checker: &Checker<'_>, formula: &Formula, property: &Value, outcome: &mut Outcome) {
    let Some(given) = number(&property["search"]["distance"]) else { return };
    outcome.tally.count("figures");
    let nearest = nearest(checker, formula);
    if nearest.map(|nearest| nearest as i128) != Some(given) {
        let name = property["formula"].as_str().unwrap_or_default();
        outcome
            .complain("distance", format!("{name}: the distance is said to be {given}, and is {nearest:?}"));
    }
}

/// Nothing within the bound: that must be true.
fn is_within_bound(
    case: &Case,
    checker: &Checker<'_>,
    formula: &Formula,
    expected: bool,
    property: &Value,
    outcome: &mut Outcome,
) {
    let Some((_, truth)) = goal(formula).filter(|_| property["reason"] == "bound") else { return };
    let (Some(bound), Some(nearest)) = (case.bound, nearest(checker, formula)) else { return };
    if truth == expected && nearest <= bound {
        let name = property["formula"].as_str().unwrap_or_default();
        outcome.complain("bound", format!("{name}: nothing within {bound} steps, but {nearest} are enough"));
    }
}

/// A model with too many states: a run is still legal or not, and a state that was seen decides
/// `EF` and `AG`.
fn endless(graph: &Graph<'_>, property: &Value, formula: &Formula, outcome: &mut Outcome) {
    let name = property["formula"].as_str().unwrap_or_default();
    let verdict = property["verdict"].as_str().unwrap_or_default();
    if verdict == "unknown" {
        let reason = property["reason"].as_str().unwrap_or_default();
        outcome.tally.count(format!("unknown: {reason}"));
        return;
    }
    outcome.tally.count("verdicts about very many states");
    if !property["witness"].is_null() {
        outcome.tally.count("witnesses");
        if let Err(why) = Run::replay(graph.model, &property["witness"]) {
            outcome.complain("witness", format!("{name}: {why}"));
        }
    }
    let Some((goal, truth)) = goal(formula) else { return };
    let is_plain = |formula: &Formula| {
        !formula.any(&|part| {
            part.is_temporal()
                || part.is_quantifier()
                || matches!(part, Formula::Knows(..) | Formula::Deadlock)
        })
    };
    // `EF p` holds only if each of several initial states leads to `p`.
    if !is_plain(goal) || truth && graph.initial.len() > 1 {
        return;
    }
    let Ok(label) = Checker::of_seen_states(graph).label(goal) else { return };
    let verdict_if_seen = if truth { "holds" } else { "fails" };
    if label.contains(&truth) && verdict != verdict_if_seen {
        outcome.complain("verdict", format!("{name}: {verdict}, but a reachable state decides it otherwise"));
    }
}

/// The lines of `mcmas`.
pub(super) fn compare_lines(
    graph: &Graph<'_>,
    formulas: &[(Formula, Semantics)],
    output: &Output,
    outcome: &mut Outcome,
) {
    let lines: Vec<&str> = output.stdout.lines().filter(|line| line.contains("Formula number ")).collect();
    if lines.len() != formulas.len() {
        if output.stdout.contains("has error(s)") || output.stdout.contains("has syntax error(s)") {
            let first = output.stdout.lines().next().unwrap_or_default();
            return outcome.complain("refused", format!("the question is refused: {first}"));
        }
        return outcome.complain("lines", format!("{} lines for {} formulas", lines.len(), formulas.len()));
    }
    for (line, (formula, semantics)) in lines.iter().zip(formulas) {
        let expected = match Checker::new(graph, *semantics, false).and_then(|checker| checker.holds(formula))
        {
            Ok(expected) => expected,
            Err(why) => {
                outcome.tally.count(format!("referee gave up: {why}"));
                continue;
            }
        };
        let given = match (line.contains("is TRUE in the model"), line.contains("is FALSE in the model")) {
            (true, false) => true,
            (false, true) => false,
            _ => {
                outcome.tally.count("lost: mcmas gives no answer");
                continue;
            }
        };
        outcome.tally.count("verdicts");
        outcome.tally.count(if expected { "holds" } else { "fails" });
        if given != expected {
            outcome.complain("verdict", format!("mcmas: {line}, but the referee says {}", word(expected)));
        }
    }
}
