//! What a command hands back: something that can be shown as text or as JSON and that has an exit
//! status.

use crate::records::Records;
use symbolon_report::{Body, Status};

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

/// The answer of a command.
pub(crate) trait Answer {
    /// For people, with the line breaks it needs; colours are taken out where they do not belong.
    fn text(&self, detail: Detail) -> String;

    /// Whether the text is for programs, or a picture: its lines are not broken.
    fn is_verbatim(&self) -> bool {
        false
    }

    /// For programs: the keys that only this command has.
    fn body(&self) -> Body;

    /// Whether there is an answer.
    fn status(&self) -> Status<'_>;

    /// The answer as a table, where `--to` can ask for one.
    fn records(&self) -> Option<Records> {
        None
    }

    /// What the process ends with; verbs whose answer can be a refutation say so themselves.
    fn exit_status(&self) -> ExitStatus {
        match self.status() {
            Status::Ok | Status::Incomplete(_) => ExitStatus::Success,
            Status::Unknown(_) => ExitStatus::Unknown,
            Status::Error(_) => ExitStatus::Wrong,
        }
    }
}
