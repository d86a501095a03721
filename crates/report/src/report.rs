//! The object that every command prints: the envelope, the status and the keys of the command.

use crate::body::Body;
use crate::problem::Problem;
use crate::values::{Integer, Pairs};
use serde::Serialize;
use symbolon_checker::{InputError, Outcome, PartialReport, Unknown};

/// The version of the contract.
const SCHEMA: u32 = 1;

/// What every command prints.
#[derive(Serialize)]
pub struct Report {
    schema: u32,
    command: Option<String>,
    model: Option<String>,
    status: &'static str,
    reason: Option<&'static str>,
    detail: Option<String>,
    seconds: f64,
    peak_bytes: Option<Integer>,
    warnings: Vec<Problem>,
    #[serde(flatten)]
    body: Body,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    exploring_by: Pairs<String>,
    #[serde(rename = "try", skip_serializing_if = "Vec::is_empty")]
    commands_to_try: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Problem>,
}

/// Whether a command is done, in one word of the contract, and what belongs to it.
pub enum Status<'a> {
    /// There is an answer.
    Ok,
    /// There is an answer, but a part of it is missing, for this reason.
    Incomplete(&'a str),
    /// There is no answer, or not all of it.
    Unknown(&'a Unknown),
    /// The input is wrong.
    Error(&'a [InputError]),
}

impl<'a> Status<'a> {
    /// Whether there is an answer at all.
    pub fn of<T>(outcome: &'a Outcome<T>) -> Status<'a> {
        match outcome {
            Ok(_) => Status::Ok,
            Err(unknown) => Status::Unknown(unknown),
        }
    }
}

/// The keys around an answer.
#[derive(Default)]
pub struct Envelope {
    /// The command, if one was recognised.
    pub command: Option<String>,
    /// The model as the user wrote it.
    pub model: Option<String>,
    /// Seconds since the start of the process.
    pub seconds: f64,
    /// The most memory that was resident.
    pub peak_bytes: Option<u64>,
    /// What the reader of the model had to say.
    pub warnings: Vec<InputError>,
    /// The phase in which a question stayed open.
    pub phase: Option<String>,
    /// How states were explored then: names of options and their values.
    pub exploring_by: Vec<(&'static str, String)>,
    /// Commands that may answer a question that stayed open, the most likely one first.
    pub commands_to_try: Vec<String>,
}

impl Report {
    /// An answer in its envelope.
    pub fn new(envelope: Envelope, body: Body, status: Status<'_>) -> Report {
        let mut report = Report {
            schema: SCHEMA,
            command: envelope.command,
            model: envelope.model,
            status: "ok",
            reason: None,
            detail: None,
            seconds: envelope.seconds,
            peak_bytes: envelope.peak_bytes.map(Integer),
            warnings: envelope.warnings.iter().map(Problem::new).collect(),
            body,
            partial: None,
            phase: None,
            exploring_by: Pairs(Vec::new()),
            commands_to_try: Vec::new(),
            error: None,
            errors: Vec::new(),
        };
        match status {
            Status::Ok => {}
            Status::Incomplete(why) => report.detail = Some(why.to_string()),
            Status::Unknown(unknown) => {
                report.status = "unknown";
                report.reason = Some(unknown.reason.word());
                report.detail = Some(unknown.detail.clone());
                report.partial = Some(Partial::new(&unknown.partial));
                report.phase = envelope.phase;
                let by = envelope.exploring_by.into_iter();
                report.exploring_by = Pairs(by.map(|(name, value)| (name.to_string(), value)).collect());
                report.commands_to_try = envelope.commands_to_try;
            }
            Status::Error(errors) => {
                report.status = "error";
                report.error = errors.iter().find(|error| !error.is_warning).map(Problem::new);
                report.errors = errors.iter().filter(|error| !error.is_warning).map(Problem::new).collect();
                report.warnings.extend(errors.iter().filter(|error| error.is_warning).map(Problem::new));
            }
        }
        report
    }

    /// The object as text, on one line.
    pub fn to_line(&self) -> String {
        // These types contain nothing that JSON cannot express: text keys, finite numbers.
        let mut line = serde_json::to_string(self).expect("a report is plain data");
        line.push('\n');
        line
    }
}

/// How far an unfinished command got.
#[derive(Serialize)]
struct Partial {
    states_at_least: Option<String>,
    nodes: Integer,
    steps: Integer,
}

impl Partial {
    fn new(partial: &PartialReport) -> Partial {
        Partial {
            states_at_least: partial.states_at_least.as_ref().map(ToString::to_string),
            nodes: Integer(partial.nodes),
            steps: Integer(partial.steps),
        }
    }
}
