//! Evidence as text: runs, what branches off them, states that an agent cannot distinguish, and
//! strategies as tables.

use super::trace_text::{numbered_trace_text, trace_text, wrapped};
use crate::console;
use crate::numbers::counted;
use crate::table::{FAINT, printable};
use std::fmt::Write as _;
use symbolon_checker::{ShownValue, StrategyTable, Verdict, Witness, WitnessBranch, WitnessLink};

/// The largest number of branches of a tree shown without -v.
const MOST_BRANCHES: usize = 6;
/// The largest number of variables that an agent sees, or that differ, shown without -v.
const MOST_SEEN: usize = 16;
/// The largest number of rows of a strategy shown without -v.
const MOST_ROWS: usize = 20;
/// Runs stand so far from the left, below the formula.
const INDENT: usize = 8;
/// How wide lines may be where there is no terminal.
const USUAL_WIDTH: usize = 80;

/// What shows a verdict.
pub(super) fn witness_text(verdict: &Verdict, witness: &Witness, everything: bool) -> String {
    let does = if *verdict == Verdict::Fails { "violates" } else { "shows" };
    // What an agent sees comes first: it is the explanation, and the runs are its proof.
    let first = first_alike(witness);
    let mut text = first.map_or(String::new(), |branch| alike_text(branch, everything));
    text += &match &witness.strategy {
        Some(strategy) => strategy_text(strategy, "from this initial state on", witness, everything),
        None if witness.steps.is_empty() && !witness.branches.is_empty() => {
            state_text("it is decided in this initial state", witness, everything)
        }
        None => {
            let run = if witness.loop_start.is_some() { "a run with a loop" } else { "a run" };
            run_text(&format!("{run} that {does} it"), witness, everything, 0)
        }
    };
    let mut open: Vec<(&WitnessBranch, usize, usize)> =
        witness.branches.iter().rev().map(|branch| (branch, 1, 0)).collect();
    let mut shown = 0;
    while let Some((branch, depth, begin)) = open.pop() {
        shown += 1;
        if shown > MOST_BRANCHES && !everything {
            let _ = writeln!(text, "        … more branches; -v shows all");
            break;
        }
        if first.is_none_or(|first| !std::ptr::eq(first, branch)) {
            text.push_str(&alike_text(branch, everything));
        }
        // States of a run that goes on from another one are numbered on.
        let begin = match branch.link {
            WitnessLink::Path => begin + branch.position,
            WitnessLink::Alike(_) | WitnessLink::Correct(_) => 0,
        };
        text.push_str(&branch_text(branch, depth, begin, everything));
        open.extend(branch.witness.branches.iter().rev().map(|branch| (branch, depth + 1, begin)));
    }
    text
}

/// The first pair of states that agents cannot distinguish, in the order of the text.
fn first_alike(witness: &Witness) -> Option<&WitnessBranch> {
    witness.branches.iter().find_map(|branch| match branch.link {
        WitnessLink::Alike(_) => Some(branch),
        WitnessLink::Path | WitnessLink::Correct(_) => first_alike(&branch.witness),
    })
}

/// What agents cannot distinguish, and why not.
fn alike_text(branch: &WitnessBranch, everything: bool) -> String {
    let WitnessLink::Alike(agents) = &branch.link else { return String::new() };
    let (who, see) = named(agents, "sees", "together see");
    let mut seen: Vec<String> =
        branch.seen.iter().map(|(name, value)| format!("{}={value}", printable(name))).collect();
    let mut differing: Vec<String> =
        branch.differing.iter().map(|name| printable(name).into_owned()).collect();
    for (list, noun) in [(&mut seen, "variable"), (&mut differing, "variable")] {
        let more = list.len().saturating_sub(MOST_SEEN);
        if more > 0 && !everything {
            list.truncate(MOST_SEEN);
            list.push(format!("{} more", counted(more as u64, noun)));
        }
    }
    let same = match (branch.seen.is_empty(), seen.join(", ")) {
        (true, _) => format!("{who} {see} nothing"),
        (false, seen) => format!("{who} {see} {seen} in both"),
    };
    let differ = match differing.is_empty() {
        true => "they are the same state".to_string(),
        false => format!("they differ in {}", differing.join(", ")),
    };
    let width = console::columns().unwrap_or(USUAL_WIDTH).saturating_sub(INDENT).max(MOST_SEEN);
    let words: Vec<String> = format!("{same}; {differ}").split(' ').map(str::to_string).collect();
    let mut text = String::new();
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            let _ = writeln!(text, "{:INDENT$}{line}", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    let _ = writeln!(text, "{:INDENT$}{line}", "");
    text
}

fn branch_text(branch: &WitnessBranch, depth: usize, begin: usize, everything: bool) -> String {
    let is_numbered_on = branch.link == WitnessLink::Path && begin > 0;
    let place = match branch.position {
        _ if is_numbered_on => format!("state {begin}"),
        0 => "the first state".to_string(),
        position => format!("the state after step {position}"),
    };
    let inner = if depth > 1 && !is_numbered_on { " of that run" } else { "" };
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
            None => run_text(&format!("from {place}{inner}, another run"), witness, everything, begin),
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

/// One run, with a line before it; its states are numbered from `begin` on.
fn run_text(what: &str, witness: &Witness, everything: bool, begin: usize) -> String {
    let length = counted(witness.steps.len() as u64, "step");
    let shortest = if witness.shortest { "no shorter one exists" } else { "a shorter one may exist" };
    let mut text = format!("        {what}: {length}; {shortest}\n");
    if let Some(start) = witness.loop_start {
        let back = match begin + start {
            0 => "the initial state".to_string(),
            state => format!("state {state}"),
        };
        let _ = writeln!(text, "        then it is back in {back}, and so on for ever");
    }
    text.push_str(&indented(&numbered_trace_text(witness, "finally", everything, INDENT, begin)));
    text
}

/// The same without saying how long it is.
fn state_text(what: &str, witness: &Witness, everything: bool) -> String {
    format!("        {what}\n{}", indented(&trace_text(witness, "finally", everything, INDENT)))
}

/// A table of what a group does, and the state where it begins.
fn strategy_text(strategy: &StrategyTable, since: &str, witness: &Witness, everything: bool) -> String {
    let (who, _) = named(&strategy.members, "", "");
    let is_counter = !strategy.against.is_empty();
    let who = match is_counter {
        true => format!("{who} against {}", named(&strategy.against, "", "").0),
        false => who,
    };
    let rows = &strategy.rows;
    let states = counted(strategy.state_count as u64, "state");
    let does = match rows.is_empty() {
        true if is_counter => "nothing has to be answered".to_string(),
        true => "nothing has to be done".to_string(),
        false if strategy.is_fair && is_counter => {
            format!("it leads to {states}, and a fair path violates the formula")
        }
        false if strategy.is_fair => format!("it leads to {states}, and wins on every fair path"),
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
