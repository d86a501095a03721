//! `deadlock`: is a state without successors reachable, and by which way.

use super::prepare;
use super::states::unknown_text;
use super::trace_text::trace_text;
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{DeadlockArguments, GlobalOptions};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::numbers::{self, counted, readable};
use crate::session::Session;
use crate::table::{ERROR, GOOD, Table, printable};
use crate::trace_file;
use crate::watch::watch;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symbolon_checker::{
    DeadlockOptions, DeadlockReport, Event, InputError, Job, Loaded, NetUse, Options, Outcome, Unknown,
    replayable,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Looks for a deadlock.
pub(crate) fn deadlock(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &DeadlockArguments,
) -> Result<Box<dyn Answer>, Failure> {
    // What was known before the search for a trace: that is the answer if the search is cut off.
    let known: Arc<Mutex<Option<DeadlockReport>>> = Arc::default();
    let (shared, known_before) = (Arc::clone(session), Arc::clone(&known));
    watch(session, move |unknown| {
        let known = known_before.lock().unwrap_or_else(PoisonError::into_inner).clone();
        DeadlockAnswer::boxed(&shared, cut_off(known, unknown))
    });
    let verdict_alone = session.detail == Detail::Quiet && !session.json && arguments.save.is_none();
    let wanted = DeadlockOptions { traces: if verdict_alone { 0 } else { arguments.traces as usize } };
    let shared = Arc::clone(session);
    session.listen(move |event| {
        if let Event::Deadlock(report) = event {
            *known.lock().unwrap_or_else(PoisonError::into_inner) = Some((*report).clone());
            shared.show_activity(found_so_far(report));
        }
    });
    let mut lines = Vec::new();
    let within = arguments.within.asked();
    let question = |loaded: &Loaded, options: &Options, job: &Job| {
        let report = match within {
            Some(within) => job.deadlock_within(loaded, within, options)?,
            None => job.deadlock(loaded, wanted, options)?,
        };
        if let (Some(_), Some(witness)) = (&arguments.save, &report.witness) {
            lines = replayable(loaded, witness);
        }
        Ok(report)
    };
    let outcome = settle(match within {
        None => prepare::ask_folded(session, global, &arguments.model, NetUse::Welcome, question),
        Some(_) => prepare::ask(session, global, &arguments.model, question),
    })?;
    if let Some(path) = &arguments.save {
        session.warn_of(save(session, path, &outcome, &lines));
    }
    Ok(DeadlockAnswer::boxed(session, outcome))
}

/// The progress line while a run, or a shorter one, is looked for.
fn found_so_far(report: &DeadlockReport) -> String {
    match &report.witness {
        Some(witness) => format!(
            "deadlock found, {}; looking for a shorter run, Ctrl-C shows this one",
            counted(witness.steps.len() as u64, "step")
        ),
        None => "deadlock found; looking for a run to it, Ctrl-C ends that".to_string(),
    }
}

/// What is left to say after a limit: a verdict stays one, only its trace is missing.
fn cut_off(known: Option<DeadlockReport>, unknown: Unknown) -> Outcome<DeadlockReport> {
    match known {
        Some(report) if report.witness.is_none() => {
            Ok(DeadlockReport { no_witness: Some(unknown.detail), ..report })
        }
        Some(report) => Ok(report),
        None => Err(unknown),
    }
}

/// Saves the trace, which is these lines, or says why there is none.
fn save(
    session: &Session,
    path: &Path,
    outcome: &Outcome<DeadlockReport>,
    lines: &[String],
) -> Result<(), Failure> {
    let missing = match outcome {
        Ok(DeadlockReport { witness: Some(witness), .. }) => {
            let lines = lines.iter().map(String::as_str);
            return trace_file::save(session, path, lines, witness.steps.len());
        }
        Ok(DeadlockReport { deadlock: false, .. }) => "there is no deadlock",
        Ok(_) | Err(_) => "no trace was found",
    };
    let message = format!("{missing}: '{}' was not written", path.display());
    session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    Ok(())
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
            (Ok(report), Detail::Quiet) => format!("{}\n", verdict(report)),
            (Ok(report), _) => self.report_text(report, detail == Detail::Verbose),
            (Err(_), Detail::Quiet) => "unknown\n".to_string(),
            (Err(unknown), _) => {
                unknown_text(&self.model, "verdict", unknown, self.time, detail == Detail::Verbose)
            }
        }
    }

    fn body(&self) -> json::Body {
        json::Body::Deadlock(match &self.outcome {
            Ok(report) => json::Deadlock::new(report),
            Err(_) => json::Deadlock::default(),
        })
    }

    fn status(&self) -> Status<'_> {
        match &self.outcome {
            Ok(DeadlockReport { no_witness: Some(why), .. }) => Status::Incomplete(why),
            outcome => Status::of(outcome),
        }
    }

    fn exit_status(&self) -> ExitStatus {
        match &self.outcome {
            Ok(report) if report.deadlock => ExitStatus::Fails,
            Ok(_) => ExitStatus::Success,
            Err(_) => ExitStatus::Unknown,
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
        if let Some(bound) = report.bound {
            table.row("bound", counted(bound, "step"));
        }
        if let Some(distance) = report.distance.filter(|_| report.witness.is_none()) {
            table.row("distance", counted(distance, "step"));
        }
        if let Some(witness) = &report.witness {
            let length = counted(witness.steps.len() as u64, "step");
            let shortest = if witness.shortest { "no shorter one exists" } else { "a shorter one may exist" };
            table.row("trace", format!("{length}; {shortest}"));
            if !report.more_witnesses.is_empty() {
                table.row("more traces", report.more_witnesses.len().to_string());
            }
        } else if let Some(why) = &report.no_witness {
            table.row("trace", format!("no trace: {}", printable(why)));
        }
        table.row("time", numbers::seconds(self.time));
        let mut text = table.to_text();
        for witness in report.witness.iter().chain(&report.more_witnesses) {
            text.push('\n');
            text.push_str(&trace_text(witness, "dead", everything, 0));
        }
        text
    }
}
