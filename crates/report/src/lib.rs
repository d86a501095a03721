//! Reports as serializable data: the JSON contract of all front ends.
//!
//! `symbolon-checker` answers questions with plain reports; this crate turns these into types that
//! `serde` writes. The types are separate so that a change of a report does not change the contract
//! by accident: `schema/symbolon.schema.json` describes the same objects, and the tests of this
//! crate validate them against it. A front end (command line, Python, a web page) uses `checker`
//! and this crate, and defines no JSON of its own.
//!
//! ```text
//! checker: StatesReport, PropertyReport, …  ──▶  Body (keys of one command)  ┐
//! checker: Unknown, InputError              ──▶  Status                      ├─▶ Report ──▶ JSON
//! command, model, time, memory              ──▶  Envelope                    ┘
//! ```

mod body;
mod bounds;
mod check;
mod compare;
mod compile;
mod convert;
mod deadlock;
mod draw;
mod info;
mod info_of_agents;
mod info_of_commands;
mod mcmas;
mod models;
mod overflow;
mod problem;
mod progress;
mod report;
mod simulate;
mod states;
mod values;
mod witness;

pub use body::Body;
pub use bounds::Bounds;
pub use check::{Check, verdict_word};
pub use compare::{Compare, CompareCell, CompareFigures, PaperFigures};
pub use compile::Compile;
pub use convert::Convert;
pub use deadlock::Deadlock;
pub use draw::Draw;
pub use info::Info;
pub use info_of_agents::AgentsInfo;
pub use info_of_commands::CommandsInfo;
pub use mcmas::Mcmas;
pub use models::Model;
pub use overflow::{OverflowBase, OverflowReport, WithOverflow};
pub use problem::Problem;
pub use progress::ProgressEvent;
pub use report::{Envelope, Report, Status};
pub use simulate::Simulate;
pub use states::States;
pub use values::Integer;
