//! `--overflow`: evolution lines of agents that can leave the range of a variable, printed after
//! the answer of a command.

use super::trace_text::trace_text;
use crate::answer::{Answer, Detail, ExitStatus};
use crate::numbers::{counted, readable};
use crate::table::{BOLD, ERROR, FAINT, GOOD, WARNING, printable};
use std::fmt::Write as _;
use symbolon_checker::{Outcome, Overflow, OverflowReport};
use symbolon_report as json;
use symbolon_report::Status;

/// Runs stand so far from the left.
const INDENT: usize = 8;

/// An answer, and what `--overflow` found. Where a line can leave a range, the exit status says
/// that something fails.
pub(super) struct WithOverflow {
    pub(super) answer: Box<dyn Answer>,
    pub(super) overflow: Outcome<OverflowReport>,
}

impl Answer for WithOverflow {
    fn text(&self, detail: Detail) -> String {
        let mut text = self.answer.text(detail);
        match (&self.overflow, detail) {
            (Ok(report), Detail::Quiet) => {
                let _ = writeln!(
                    text,
                    "{}",
                    if report.overflows.is_empty() { "no overflow" } else { "overflow" }
                );
            }
            (Ok(report), _) => text.push_str(&report_text(report, detail == Detail::Verbose)),
            (Err(_), Detail::Quiet) => text.push_str("unknown\n"),
            (Err(unknown), _) => {
                let _ =
                    writeln!(text, "{WARNING}unknown{WARNING:#} overflow: {}", printable(&unknown.detail));
            }
        }
        text
    }

    fn body(&self) -> json::Body {
        let overflow = self.overflow.as_ref().ok();
        self.answer.body().with_overflow(overflow)
    }

    fn status(&self) -> Status<'_> {
        match (self.answer.status(), &self.overflow) {
            (Status::Ok, Err(unknown)) => Status::Unknown(unknown),
            (status, _) => status,
        }
    }

    fn exit_status(&self) -> ExitStatus {
        match &self.overflow {
            Ok(report) if !report.overflows.is_empty() => ExitStatus::Fails,
            Ok(_) => self.answer.exit_status(),
            Err(_) => match self.answer.exit_status() {
                ExitStatus::Success => ExitStatus::Unknown,
                other => other,
            },
        }
    }
}

fn report_text(report: &OverflowReport, everything: bool) -> String {
    let mut text = String::new();
    if report.overflows.is_empty() {
        let lines = counted(report.lines as u64, "line");
        let _ = writeln!(
            text,
            "{GOOD}no overflow{GOOD:#}: {lines} with values to compute, all within their ranges"
        );
    }
    for overflow in &report.overflows {
        text.push_str(&overflow_text(overflow, everything));
    }
    let dead = report.dead_states.to_string();
    if dead != "0" {
        let states = readable(dead, everything);
        let _ = writeln!(text, "{WARNING}dead states{WARNING:#}: {states} reachable without a successor");
    }
    text
}

fn overflow_text(overflow: &Overflow, everything: bool) -> String {
    let Overflow { agent, item, text: line, states, actions, witness } = overflow;
    let mut text = format!(
        "{ERROR}overflow{ERROR:#} {BOLD}{}{BOLD:#}, line {item}: {}\n",
        printable(agent),
        printable(line)
    );
    if let Some(states) = states {
        let states = readable(states.to_string(), everything);
        let _ = writeln!(text, "        {FAINT}in {states} reachable states{FAINT:#}");
    }
    if let Some(witness) = witness {
        let length = counted(witness.steps.len() as u64, "step");
        let _ = writeln!(text, "        a run to one of them: {length}");
        for line in trace_text(witness, "there", everything, INDENT).lines() {
            let _ = writeln!(text, "{:INDENT$}{line}", "");
        }
    }
    if !actions.is_empty() {
        let words: Vec<String> = actions.iter().map(|(agent, action)| format!("{agent}.{action}")).collect();
        let _ = writeln!(text, "        where it leaves its range with {}", printable(&words.join(", ")));
    }
    text
}
