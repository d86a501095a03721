//! `deadlock`: is a state without successors reachable, and by which way.

use super::prepare;
use super::states::unknown_text;
use crate::answer::{Answer, Detail, ExitStatus, Status};
use crate::arguments::{GlobalOptions, ModelArguments};
use crate::failure::Failure;
use crate::json;
use crate::numbers::{self, counted, readable};
use crate::session::Session;
use crate::table::{ERROR, FAINT, GOOD, Table, printable};
use crate::watch::watch;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{DeadlockReport, Outcome, Witness};

/// Of longer traces the beginning and the end are shown.
const FIRST_STEPS: usize = 100;
const LAST_STEPS: usize = 20;
/// Of larger markings the beginning is shown.
const MOST_PLACES: usize = 24;

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
        match &self.outcome {
            Outcome::Done(_) => Status::Ok,
            Outcome::Unknown(unknown) => Status::Unknown(unknown),
        }
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
            text.push_str(&trace_text(witness, everything));
        }
        text
    }
}

/// The initial marking, then for each step the transition and what it changed, then the marking at
/// the end.
fn trace_text(witness: &Witness, everything: bool) -> String {
    let number_width = witness.steps.len().to_string().len().max(2);
    let longest = witness.steps.iter().map(|step| step.event.chars().count()).max().unwrap_or(0);
    let name_width = longest.clamp("initially".len(), 24);
    let mut text = String::new();
    let mut line = |number: String, name: &str, what: String| {
        let name = printable(name);
        let _ = writeln!(text, "{FAINT}{number:>number_width$}{FAINT:#}  {name:name_width$}  {what}");
    };

    line("0".to_string(), "initially", marking(&witness.initial, everything));
    let length = witness.steps.len();
    let hidden = if everything || length <= FIRST_STEPS + LAST_STEPS {
        length..length
    } else {
        FIRST_STEPS..length - LAST_STEPS
    };
    for (index, step) in witness.steps.iter().enumerate() {
        if index == hidden.start && !hidden.is_empty() {
            line(
                "…".to_string(),
                "",
                format!("{} not shown; -v shows all", counted(hidden.len() as u64, "step")),
            );
        }
        if hidden.contains(&index) {
            continue;
        }
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(place, old, new)| format!("{} {old}->{new}", printable(place)))
            .collect();
        let what = if changes.is_empty() { "nothing changes".to_string() } else { changes.join(", ") };
        line((index + 1).to_string(), &step.event, what);
    }
    if length > 0 {
        line(String::new(), "dead", marking(&last_marking(witness), everything));
    }
    text
}

/// The marking at the end of a trace, places that hold tokens only.
fn last_marking(witness: &Witness) -> Vec<(String, u64)> {
    let mut tokens: BTreeMap<&str, u64> =
        witness.initial.iter().map(|(place, value)| (place.as_str(), *value)).collect();
    for (place, _, new) in witness.steps.iter().flat_map(|step| &step.changes) {
        tokens.insert(place, *new);
    }
    tokens
        .into_iter()
        .filter(|(_, value)| *value > 0)
        .map(|(place, value)| (place.to_string(), value))
        .collect()
}

fn marking(tokens: &[(String, u64)], everything: bool) -> String {
    if tokens.is_empty() {
        return "no token anywhere".to_string();
    }
    let most = if everything { tokens.len() } else { MOST_PLACES };
    let mut shown: Vec<String> =
        tokens.iter().take(most).map(|(place, value)| format!("{}={value}", printable(place))).collect();
    if tokens.len() > most {
        shown.push(format!("… {} more; -v shows all", counted((tokens.len() - most) as u64, "place")));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_checker::{Shape, WitnessStep};

    fn witness(length: usize) -> Witness {
        let steps = (0..length as u64).map(|step| WitnessStep {
            event: format!("t{step}"),
            changes: vec![("p".to_string(), step, step + 1)],
        });
        Witness {
            shape: Shape::Trace,
            shortest: true,
            initial: vec![("q".to_string(), 2)],
            steps: steps.collect(),
            loop_start: None,
        }
    }

    fn check(length: usize, everything: bool, expected_lines: usize, last: &str) {
        let text = anstream::adapter::strip_str(&trace_text(&witness(length), everything)).to_string();
        assert_eq!(text.lines().count(), expected_lines, "{text}");
        assert_eq!(text.lines().last(), Some(last));
    }

    #[test]
    fn traces_show_what_changed_and_leave_out_the_middle() {
        check(0, false, 1, " 0  initially  q=2");
        check(2, false, 4, "    dead       p=2, q=2");
        check(120, false, 122, "     dead       p=120, q=2");
        check(121, false, 123, "     dead       p=121, q=2");
        check(500, true, 502, "     dead       p=500, q=2");
        check(500, false, 123, "     dead       p=500, q=2");
    }
}
