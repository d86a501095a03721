//! The lines that MCMAS prints.

use super::syntax;
use crate::failure::Failure;
use crate::session::Session;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symbolon_checker::{InputError, Space, Verdict};

/// Where lines go: to standard output, one by one.
pub(super) struct Lines {
    session: Arc<Session>,
    is_quiet: bool,
    problem: Mutex<Option<io::Error>>,
}

/// What is done before formulae are checked, one line each.
const STAGES: [&str; 8] = [
    "Global syntax checking...",
    "Done",
    "Encoding BDD parameters...",
    "Building partial transition relation...",
    "Building BDD for initial states...",
    "Building reachable state space...",
    "Checking formulae...",
    "Verifying properties...",
];

impl Lines {
    pub(super) fn new(session: &Arc<Session>, is_quiet: bool) -> Lines {
        Lines { session: Arc::clone(session), is_quiet, problem: Mutex::default() }
    }

    /// Prints a line, unless the answer is to be JSON.
    pub(super) fn say(&self, line: &str) {
        if self.session.json {
            return;
        }
        if let Err(error) = self.session.console.answer_piece(&format!("{line}\n")) {
            self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Whether all lines could be written.
    pub(super) fn check_written(&self) -> Result<(), Failure> {
        match self.problem.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(Failure::plain(format!("cannot write to standard output: {error}"))),
            None => Ok(()),
        }
    }

    /// What comes before the verdicts.
    pub(super) fn introduction(&self, file: &Path) {
        if self.is_quiet {
            return;
        }
        self.say(&format!("{} has been parsed successfully.", file.display()));
        STAGES.iter().for_each(|stage| self.say(stage));
    }

    /// What is wrong with a file.
    pub(super) fn mistakes(&self, file: &Path, mistakes: &[InputError]) {
        let file = file.display();
        for mistake in mistakes {
            let place = match (mistake.line, mistake.column) {
                (Some(line), Some(column)) if mistake.is_syntax => {
                    format!("{file}:{}", syntax::place(line, column, mistake.excerpt.as_deref()))
                }
                (Some(line), Some(column)) => format!("{file}:{line}.{column}"),
                (Some(line), None) => format!("{file}:{line}"),
                _ => file.to_string(),
            };
            let message = match mistake.is_syntax {
                true => syntax::message(&mistake.message),
                false => mistake.message.clone(),
            };
            self.say(&format!("{place}: {message}"));
        }
        let kind = if mistakes.iter().any(|mistake| mistake.is_syntax) { "syntax error" } else { "error" };
        self.say(&format!("{file} has {kind}(s)."));
    }

    /// No path satisfies the fairness constraints.
    pub(super) fn no_fair_path(&self) {
        let message = "The fairness constraint does not hold in any paths.";
        if self.session.json {
            let message = message.trim_end_matches('.');
            self.session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
        }
        self.say(&format!("{}{message}", if self.is_quiet { "" } else { "  Warning: " }));
    }

    /// The layers of the search, of which there is one beyond the depth.
    pub(super) fn depth(&self, space: &Space) {
        for layer in 1..=space.depth.map_or(0, |depth| depth + 1) {
            self.say(&format!("Computing depth {layer}"));
        }
    }

    /// Whether there is a deadlock, and one of them.
    pub(super) fn deadlock(&self, space: &Space) {
        let Some(state) = &space.dead_state else {
            return self.say("There is no deadlock state in the model!");
        };
        self.say("Attention: there are deadlock states in the model!");
        self.say("------------- State: 0 -----------------");
        for (agent, values) in state {
            self.say(&format!("Agent {agent}"));
            values.iter().for_each(|(name, value)| self.say(&format!("  {name} = {value}")));
        }
        self.say("----------------------------------------");
    }

    /// What comes after the verdicts.
    pub(super) fn conclusion(&self, formula_count: usize, time: Duration, space: &Space) {
        if self.is_quiet {
            return;
        }
        self.say(&format!("done, {formula_count} formulae successfully read and checked"));
        self.say(&format!("execution time = {:.3}", time.as_secs_f64()));
        self.say(&format!("number of reachable states = {}", space.states));
        self.say(&format!("BDD memory in use = {}", space.node_bytes));
    }
}

/// The line of one verdict.
pub(super) fn formula_line(number: usize, formula: &str, verdict: &Verdict) -> String {
    let verdict = match verdict {
        Verdict::Holds => "TRUE",
        Verdict::Fails => "FALSE",
        Verdict::Unknown(_) => "UNKNOWN",
    };
    format!("  Formula number {number}: {formula}, is {verdict} in the model")
}
