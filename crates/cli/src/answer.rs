//! What a command hands back: something that can be shown as text or as JSON and that has an exit
//! status.

use crate::json;
use symbolon_checker::{InputError, Outcome, Unknown};

/// The exit statuses of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Done; every property holds.
    Success = 0,
    /// Some property fails.
    Fails = 1,
    /// Wrong usage or wrong input.
    Wrong = 2,
    /// Nothing fails, but something is unknown.
    Unknown = 3,
    /// Wrong input of `mcmas`, with which MCMAS ends so.
    WrongAsMcmas = 255,
}

/// How text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The answer alone (`-q`).
    Quiet,
    /// What fits a screen.
    Normal,
    /// Everything (`-v`).
    Verbose,
}

/// Whether a command is done, in one word of the JSON contract, and what belongs to it.
pub(crate) enum Status<'a> {
    /// There is an answer.
    Ok,
    /// There is an answer, but something that belongs to it is missing, for this reason.
    Incomplete(&'a str),
    /// There is none, or not all of it.
    Unknown(&'a Unknown),
    /// The input is wrong.
    Error(&'a [InputError]),
}

impl<'a> Status<'a> {
    /// Whether there is an answer at all.
    pub(crate) fn of<T>(outcome: &'a Outcome<T>) -> Status<'a> {
        match outcome {
            Outcome::Done(_) => Status::Ok,
            Outcome::Unknown(unknown) => Status::Unknown(unknown),
        }
    }
}

/// The answer of a command.
pub(crate) trait Answer {
    /// For people, with the line breaks it needs; colours are taken out where they do not belong.
    fn text(&self, detail: Detail) -> String;

    /// For programs: the keys that only this command has.
    fn body(&self) -> json::Body;

    /// Whether there is an answer.
    fn status(&self) -> Status<'_>;

    /// What the process ends with; verbs whose answer can be a refutation say so themselves.
    fn exit_status(&self) -> ExitStatus {
        match self.status() {
            Status::Ok | Status::Incomplete(_) => ExitStatus::Success,
            Status::Unknown(_) => ExitStatus::Unknown,
            Status::Error(_) => ExitStatus::Wrong,
        }
    }
}
