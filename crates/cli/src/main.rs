//! `symbolon`, the command line.
//!
//! This crate parses arguments, reads files and shows reports; it decides nothing about models. The
//! verbs, the JSON and the exit codes are a contract (`schema/symbolon.schema.json` describes the JSON).
//!
//! ```text
//! arguments ──▶ session (limits, watching, Ctrl-C) ──▶ one command a file ──▶ an Answer: text, JSON, exit status
//! ```
//!
//! Invariants:
//! - **F1** a command builds its whole answer before anything is printed, and exactly one answer is
//!   printed, be it by the command, by the watcher that enforces limits, or by the panic hook.
//!   (Without `--json` two commands print piece by piece, which is their protocol: `mcc` its lines as they come,
//!   `simulate` what each command of the user does. Their answer at the end is what is left to say.)
//! - **F2** answers go to standard output, everything else to standard error; a closed pipe is no error.

mod answer;
mod arguments;
mod commands;
mod console;
mod failure;
mod json;
mod machine;
mod model_source;
mod near_names;
mod numbers;
mod output_file;
mod packed;
mod quotes;
mod run;
mod session;
mod table;
mod trace_file;
mod usage;
mod watch;

use std::process::ExitCode;

fn main() -> ExitCode {
    run::run(std::env::args_os().collect())
}
