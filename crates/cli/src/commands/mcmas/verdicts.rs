//! Verdicts as they become known, printed in the order of the file.

use super::evidence::Numbered;
use super::lines::{Lines, formula_line};
use super::options::McmasOptions;
use crate::failure::Failure;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use symbolon_checker::{Loaded, PropertyReport, Reason, Unknown, Verdict};

/// What is known of the formulae of a file, and which of them were printed.
#[derive(Default)]
pub(super) struct Verdicts {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    reports: Vec<PropertyReport>,
    texts: Vec<String>,
    /// The first formula that was not printed.
    next: usize,
    has_warned: bool,
}

impl Verdicts {
    /// Begins with the formulae of a file, of which nothing is known.
    pub(super) fn begin(&self, loaded: &Loaded) {
        let mut state = self.lock();
        let why = Unknown::because(Reason::Interrupted, "interrupted");
        let unknown = |property| PropertyReport::unknown(property, why.clone());
        state.reports = loaded.properties().iter().map(unknown).collect();
        state.texts = loaded.reference_texts().to_vec();
    }

    /// Says why formulae without a verdict will have none.
    pub(super) fn cut_off(&self, why: &Unknown) {
        let mut state = self.lock();
        for report in state.reports.iter_mut().filter(|report| !report.verdict.is_known()) {
            report.verdict = Verdict::Unknown(why.clone());
        }
    }

    /// What is known.
    pub(super) fn reports(&self) -> Vec<PropertyReport> {
        self.lock().reports.clone()
    }

    /// Takes note of a verdict, or of the evidence for one, and prints what is complete.
    pub(super) fn learn(
        &self,
        wish: &McmasOptions,
        lines: &Lines,
        number: usize,
        report: &PropertyReport,
    ) -> Result<(), Failure> {
        let mut state = self.lock();
        state.reports[number] = report.clone();
        if report.has_no_fair_path && !std::mem::replace(&mut state.has_warned, true) {
            lines.no_fair_path();
        }
        state.print(wish, lines, false)
    }

    /// Prints everything else: nothing more will become known.
    pub(super) fn end(&self, wish: &McmasOptions, lines: &Lines) -> Result<(), Failure> {
        self.lock().print(wish, lines, true)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Prints formulae in their order: those that are complete, or all that are left.
    fn print(&mut self, wish: &McmasOptions, lines: &Lines, is_end: bool) -> Result<(), Failure> {
        let mut outcome = Ok(());
        while let Some(report) = self.reports.get(self.next) {
            if !is_end && !self.is_complete(wish, report) {
                break;
            }
            lines.say(&formula_line(self.next + 1, &self.texts[self.next], &report.verdict));
            self.next += 1;
            let shown = show_evidence(wish, lines, self.next, report);
            outcome = outcome.and(shown);
        }
        outcome
    }

    /// Whether nothing more is to be expected of a formula. Evidence comes after the verdict, and
    /// before the verdict of any later formula.
    fn is_complete(&self, wish: &McmasOptions, report: &PropertyReport) -> bool {
        let is_known = |report: &PropertyReport| report.verdict.is_known();
        let is_late = || self.reports[self.next + 1..].iter().any(is_known);
        is_known(report) && (wish.evidence.is_none() || report.witness.is_some() || is_late())
    }
}

/// Prints and writes what shows a verdict, as `-c` says, or why there is none.
fn show_evidence(
    wish: &McmasOptions,
    lines: &Lines,
    number: usize,
    report: &PropertyReport,
) -> Result<(), Failure> {
    if let Some(unknown) = report.verdict.unknown() {
        lines.say(&format!("  -- {}", unknown.detail));
        return Ok(());
    }
    let Some(level) = wish.evidence else { return Ok(()) };
    let Some(witness) = &report.witness else {
        if level != 2 {
            let what = if report.verdict == Verdict::Holds { "witnesses" } else { "counterexamples" };
            lines.say(&format!("  -- Sorry it is not possible to compute {what} for this formula"));
        }
        return Ok(());
    };
    let numbered = Numbered::of(witness);
    if level != 2 {
        numbered.print(lines, &report.verdict);
    }
    if level == 1 { Ok(()) } else { numbered.write(folder(wish), &format!("formula{number}")) }
}

/// The folder for files.
pub(super) fn folder(wish: &McmasOptions) -> &Path {
    wish.folder.as_deref().unwrap_or(Path::new("."))
}
