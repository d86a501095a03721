//! `deadlock`: is a state without successors reachable, and by which way.

use super::prepare;
use super::states::unknown_text;
use super::trace_text::trace_text;
use crate::answer::{Answer, Detail, ExitStatus, Status};
use crate::arguments::{GlobalOptions, ModelArguments};
use crate::failure::Failure;
use crate::json;
use crate::numbers::{self, counted, readable};
use crate::session::Session;
use crate::table::{ERROR, GOOD, Table, printable};
use crate::watch::watch;
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{DeadlockReport, Outcome};

/// Looks for a deadlock.
pub(crate) fn deadlock(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &ModelArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let shared = Arc::clone(session);
    watch(session, move |unknown| DeadlockAnswer::boxed(&shared, Outcome::Unknown(unknown)));
    let outcome = prepare::ask(session, global, arguments, symbolon_checker::deadlock)?;
    Ok(DeadlockAnswer::boxed(session, outcome))
}

struct DeadlockAnswer {
    model: String,
    outcome: Outcome<DeadlockReport>,
    time: Duration,
}

impl DeadlockAnswer {
    fn boxed(session: &Session, outcome: Outcome<DeadlockReport>) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        Box::new(DeadlockAnswer { model, outcome, time: session.elapsed() })
    }
}

impl Answer for DeadlockAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.outcome, detail) {
            (Outcome::Done(report), Detail::Quiet) => format!("{}\n", verdict(report)),
            (Outcome::Done(report), _) => self.report_text(report, detail == Detail::Verbose),
            (Outcome::Unknown(_), Detail::Quiet) => "unknown\n".to_string(),
            (Outcome::Unknown(unknown), _) => {
                unknown_text(&self.model, "deadlock", unknown, self.time, detail == Detail::Verbose)
            }
        }
    }

    fn body(&self) -> json::Body {
        json::Body::Deadlock(match &self.outcome {
            Outcome::Done(report) => json::Deadlock::new(report),
            Outcome::Unknown(_) => json::Deadlock::default(),
        })
    }

    fn status(&self) -> Status<'_> {
        Status::of(&self.outcome)
    }

    fn exit_status(&self) -> ExitStatus {
        match &self.outcome {
            Outcome::Done(report) if report.deadlock => ExitStatus::Fails,
            Outcome::Done(_) => ExitStatus::Success,
            Outcome::Unknown(_) => ExitStatus::Unknown,
        }
    }
}

fn verdict(report: &DeadlockReport) -> &'static str {
    if report.deadlock { "deadlock" } else { "no deadlock" }
}

impl DeadlockAnswer {
    fn report_text(&self, report: &DeadlockReport, everything: bool) -> String {
        let mut table = Table::default();
        table.row("model", printable(&self.model));
        let style = if report.deadlock { ERROR } else { GOOD };
        table.row("verdict", format!("{style}{}{style:#}", verdict(report)));
        if report.deadlock
            && let Some(count) = &report.dead_states
        {
            table.row("dead states", readable(count.to_string(), everything));
        }
        table.row("method", printable(&report.method));
        if let Some(witness) = &report.witness {
            let length = counted(witness.steps.len() as u64, "step");
            let shortest = if witness.shortest { "no shorter one exists" } else { "a shorter one may exist" };
            table.row("trace", format!("{length}; {shortest}"));
        } else if report.deadlock {
            table.row("trace", "none was found within the limits");
        }
        table.row("time", numbers::seconds(self.time));
        let mut text = table.to_text();
        if let Some(witness) = &report.witness {
            text.push('\n');
            text.push_str(&trace_text(witness, "dead", everything));
        }
        text
    }
}
