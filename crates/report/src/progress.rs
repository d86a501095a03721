//! Progress events: one object per line while a job runs.

use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::{Known, Progress};

/// How far a job is.
#[derive(Serialize)]
pub struct ProgressEvent {
    event: &'static str,
    seconds: f64,
    phase: &'static str,
    nodes: Integer,
    steps: Integer,
    known: Option<KnownSoFar>,
}

/// What is known before the job ends.
#[derive(Serialize)]
#[serde(untagged)]
enum KnownSoFar {
    Verdicts { holds: usize, fails: usize, open: usize },
    Deadlock { deadlock: bool, distance: Option<usize> },
    Bounds { bounds: usize, asked: usize },
    Lines { lines: usize },
}

impl ProgressEvent {
    /// The object of an event.
    pub fn new(progress: &Progress) -> ProgressEvent {
        ProgressEvent {
            event: "progress",
            seconds: progress.time.as_secs_f64(),
            phase: progress.phase,
            nodes: Integer(progress.nodes),
            steps: Integer(progress.steps),
            known: match progress.known {
                Known::Nothing => None,
                Known::Verdicts { holds, fails, open } => Some(KnownSoFar::Verdicts { holds, fails, open }),
                Known::Deadlock { distance } => Some(KnownSoFar::Deadlock { deadlock: true, distance }),
                Known::Bounds { known, asked } => Some(KnownSoFar::Bounds { bounds: known, asked }),
                Known::Lines(lines) => Some(KnownSoFar::Lines { lines }),
            },
        }
    }

    /// The object as text, on one line.
    pub fn to_line(&self) -> String {
        // As for reports: text keys, finite numbers.
        let mut line = serde_json::to_string(self).expect("an event is plain data");
        line.push('\n');
        line
    }
}
