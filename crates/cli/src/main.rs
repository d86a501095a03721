//! `symbolon`, the command line.
//!
//! This crate parses arguments, reads files and shows reports; it decides nothing about models. The
//! verbs, the JSON and the exit codes are a contract (`schema/symbolon.schema.json` describes the
//! JSON).
//!
//! ```text
//! arguments ──▶ session (limits, Ctrl-C) ──▶ one file per command ──▶ Answer: text, JSON, status
//! ```
//!
//! Invariants:
//! - **F1** a command builds its whole answer before anything is printed, and exactly one answer is
//!   printed, be it by the command, by the watcher that enforces limits, or by the panic hook.
//!   (Without `--json` two commands print piece by piece, which is their protocol: `mcc` its lines
//!   as they come, `simulate` what each command of the user does. Their answer at the end is what
//!   is left to say.) If an allocation fails or a stack overflows, the watcher answers
//!   (`symbolon_process` says how).
//! - **F2** answers go to standard output, everything else to standard error; a closed pipe is not
//!   an error.

mod advice;
mod answer;
mod arguments;
mod commands;
mod console;
mod dashes;
mod failed_run;
mod failure;
mod fold;
mod machine;
mod model_source;
mod numbers;
mod output_file;
mod packed;
mod quotes;
mod records;
mod run;
mod session;
mod table;
mod terminal_mode;
mod trace_file;
mod usage;
mod watch;

use std::process::ExitCode;

/// The stack of the thread that carries the command out.
const STACK_BYTES: usize = 8 << 20;

/// Carries the command out on a thread of its own. The stack of the first thread grows when it is
/// touched, and where the address space is limited that can fail, with a signal that cannot become
/// an answer. The stack of another thread is reserved when the thread starts.
fn main() -> ExitCode {
    if machine::process_limits().is_memory_limited() {
        symbolon_process::use_one_arena();
    }
    symbolon_process::install_abort_handler();
    symbolon_process::install_time_handler();
    commands::complete_if_asked();
    let words = || run::run(std::env::args_os().collect());
    let command = std::thread::Builder::new().name("command".into()).stack_size(STACK_BYTES);
    match command.spawn(words) {
        // The panic hook ends the process, so there is always an exit code.
        Ok(command) => command.join().unwrap_or(ExitCode::FAILURE),
        Err(_) => words(),
    }
}
