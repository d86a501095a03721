//! Evidence as text: runs, what branches off them, states that an agent cannot distinguish, and
//! strategies as tables.

use super::trace_text::{trace_text, wrapped};
use crate::console;
use crate::numbers::counted;
use crate::table::{FAINT, printable};
use std::fmt::Write as _;
use symbolon_checker::{ShownValue, StrategyTable, Verdict, Witness, WitnessBranch, WitnessLink};

/// The largest number of branches of a tree shown without -v.
const MOST_BRANCHES: usize = 6;
/// The largest number of rows of a strategy shown without -v.
const MOST_ROWS: usize = 20;
/// Runs stand so far from the left, below the formula.
const INDENT: usize = 8;
/// How wide lines may be where there is no terminal.
const USUAL_WIDTH: usize = 80;

/// What shows a verdict.
pub(super) fn witness_text(verdict: &Verdict, witness: &Witness, everything: bool) -> String {
    let does = if *verdict == Verdict::Fails { "violates" } else { "shows" };
    let mut text = match &witness.strategy {
        Some(strategy) => strategy_text(strategy, "from this initial state on", witness, everything),
        None if witness.steps.is_empty() && !witness.branches.is_empty() => {
            state_text("it is decided in this initial state", witness, everything)
        }
        None => {
            let run = if witness.loop_start.is_some() { "a run with a loop" } else { "a run" };
            run_text(&format!("{run} that {does} it"), witness, everything)
        }
    };
    let mut open: Vec<(&WitnessBranch, usize)> =
        witness.branches.iter().rev().map(|branch| (branch, 1)).collect();
    let mut shown = 0;
    while let Some((branch, depth)) = open.pop() {
        shown += 1;
        if shown > MOST_BRANCHES && !everything {
            let _ = writeln!(text, "        … more branches; -v shows all");
            break;
        }
        text.push_str(&branch_text(branch, depth, everything));
        open.extend(branch.witness.branches.iter().rev().map(|branch| (branch, depth + 1)));
    }
    text
}

fn branch_text(branch: &WitnessBranch, depth: usize, everything: bool) -> String {
    let place = match branch.position {
        0 => "the first state".to_string(),
        position => format!("the state after step {position}"),
    };
    let inner = if depth > 1 { " of that run" } else { "" };
    let witness = &branch.witness;
    match &branch.link {
        WitnessLink::Alike(agents) => {
            let (who, cannot) = named(agents, "cannot", "together cannot");
            state_text(
                &format!("{who} {cannot} tell {place}{inner} from {}", end_of(witness)),
                witness,
                everything,
            )
        }
        WitnessLink::Correct(agent) => {
            let what = format!("{} behaves as it should in {}", printable(agent), end_of(witness));
            state_text(&what, witness, everything)
        }
        WitnessLink::Path => match &witness.strategy {
            Some(strategy) => {
                strategy_text(strategy, &format!("from {place}{inner} on"), witness, everything)
            }
            // What fails right there needs no run.
            None if witness.steps.is_empty() => String::new(),
            None => run_text(&format!("from {place}{inner}, another run"), witness, everything),
        },
    }
}

/// Where a run leads.
fn end_of(witness: &Witness) -> String {
    match witness.steps.len() {
        0 => "this initial state".to_string(),
        length => format!("the end of this run ({})", counted(length as u64, "step")),
    }
}

/// One run, with a line before it.
fn run_text(what: &str, witness: &Witness, everything: bool) -> String {
    let length = counted(witness.steps.len() as u64, "step");
    let shortest = if witness.shortest { "no shorter one exists" } else { "a shorter one may exist" };
    let mut text = format!("        {what}: {length}; {shortest}\n");
    if let Some(start) = witness.loop_start {
        let back = if start == 0 {
            "the initial state".to_string()
        } else {
            format!("the state after step {start}")
        };
        let _ = writeln!(text, "        then it is back in {back}, and so on for ever");
    }
    text.push_str(&indented(&trace_text(witness, "finally", everything, INDENT)));
    text
}

/// The same without saying how long it is.
fn state_text(what: &str, witness: &Witness, everything: bool) -> String {
    format!("        {what}\n{}", indented(&trace_text(witness, "finally", everything, INDENT)))
}

/// A table of what a group does, and the state where it begins.
fn strategy_text(strategy: &StrategyTable, since: &str, witness: &Witness, everything: bool) -> String {
    let (who, _) = named(&strategy.members, "", "");
    let rows = &strategy.rows;
    let states = counted(strategy.state_count as u64, "state");
    let does = match rows.is_empty() {
        true => "nothing has to be done".to_string(),
        false => format!("it leads to {states}"),
    };
    let mut text = format!("        a strategy of {who}, {since}: {does}\n");
    text.push_str(&indented(&trace_text(witness, "finally", everything, INDENT)));
    let shown = if everything { rows.len() } else { rows.len().min(MOST_ROWS) };
    let actions: Vec<String> = rows[..shown]
        .iter()
        .map(|row| {
            let one =
                |(agent, action): &(String, String)| format!("{}={}", printable(agent), printable(action));
            row.actions.iter().map(one).collect::<Vec<_>>().join(", ")
        })
        .collect();
    let width = console::columns().unwrap_or(USUAL_WIDTH);
    let longest = actions.iter().map(|action| action.chars().count()).max().unwrap_or(0).min(width / 2);
    for (row, action) in rows.iter().zip(&actions) {
        let when: Vec<String> = row.when.iter().map(condition).collect();
        let (word, when) = if when.is_empty() { ("always", vec![String::new()]) } else { ("where", when) };
        let room = width.saturating_sub(INDENT + 4 + longest + 7).max(24);
        for (number, line) in wrapped(&when, room).into_iter().enumerate() {
            let (action, word) = if number == 0 { (action.as_str(), word) } else { ("", "") };
            let line = if line.is_empty() { line } else { format!(" {line}") };
            let _ = writeln!(text, "{:INDENT$}    {action:longest$}  {FAINT}{word:5}{FAINT:#}{line}", "");
        }
    }
    if shown < rows.len() {
        let _ = writeln!(
            text,
            "            … {} more; -v shows all",
            counted((rows.len() - shown) as u64, "row")
        );
    }
    text
}

fn condition((name, values): &(String, Vec<ShownValue>)) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{}={}", printable(name), values.join("|"))
}

/// Names of agents, and the word that fits one or several.
fn named<'w>(agents: &[String], one: &'w str, several: &'w str) -> (String, &'w str) {
    let names: Vec<String> = agents.iter().map(|agent| printable(agent).to_string()).collect();
    let word = if names.len() == 1 { one } else { several };
    match names.split_last() {
        None => ("nobody".to_string(), one),
        Some((last, [])) => (last.clone(), word),
        Some((last, rest)) => (format!("{} and {last}", rest.join(", ")), word),
    }
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{:INDENT$}{line}", "");
        text
    })
}
