//! What is wrong with a program: few messages, so that they fit a screen whatever the input was.

use rustc_hash::FxHashSet;
use symbolon_source::{Findings, Step, Stop};

/// The number of errors after which a reader gives up: each takes up to four lines of a screen.
const MOST_ERRORS: usize = 6;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    findings: Findings,
    error_count: usize,
    /// Places of warnings: what stands in a loop is said once.
    warned: FxHashSet<(usize, &'static str)>,
}

/// Why something has no result.
#[derive(Debug)]
pub(crate) enum Broken {
    /// An error was noted; whatever does not depend on the result may go on.
    Noted,
    /// The reader stops here.
    Stopped(Stop),
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Broken {
        Broken::Stopped(stop)
    }
}

impl From<symbolon_budget::Interrupted> for Broken {
    fn from(why: symbolon_budget::Interrupted) -> Broken {
        Broken::Stopped(why.into())
    }
}

/// What a step returns that may note an error and leave its result out.
pub(crate) type Made<T> = Result<T, Broken>;

/// Nothing, if an error was noted; an error if the reader must stop.
pub(crate) fn unless_stopped<T>(made: Made<T>) -> Step<Option<T>> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Broken::Noted) => Ok(None),
        Err(Broken::Stopped(stop)) => Err(stop),
    }
}

impl Mistakes {
    /// Notes an error, after which what was asked for is missing.
    pub(crate) fn broken<T>(
        &mut self,
        at: impl Into<Option<usize>>,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Made<T> {
        // The findings have a limit of their own, which is never met before ours.
        let _below_their_limit = self.findings.error(at, message);
        if let Some(hint) = hint {
            self.findings.hint(hint);
        }
        self.error_count += 1;
        Err(if self.error_count < MOST_ERRORS { Broken::Noted } else { Broken::Stopped(Stop::Invalid) })
    }

    /// Notes an error and goes on, unless there were enough.
    pub(crate) fn error(
        &mut self,
        at: impl Into<Option<usize>>,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Step<()> {
        unless_stopped(self.broken::<()>(at, message, hint)).map(|_| ())
    }

    /// Notes a warning, once for each place and kind.
    pub(crate) fn warn(&mut self, at: usize, kind: &'static str, message: String, hint: &str) {
        if self.warned.insert((at, kind)) {
            self.findings.warning(at, message);
            self.findings.hint(hint);
        }
    }

    /// The findings themselves, for readers of other crates.
    pub(crate) fn findings(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// Whether an error was noted.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.has_errors()
    }

    /// The findings, to become diagnostics.
    pub(crate) fn into_findings(self) -> Findings {
        self.findings
    }
}
