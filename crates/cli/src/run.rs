//! One run of the program: arguments are read, the command is carried out, its answer is printed,
//! and the exit status returned.

use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{Arguments, Command, CompareFormat, GlobalOptions, split_mcmas};
use crate::commands;
use crate::console::Printed;
use crate::failed_run;
use crate::failure::{Failure, describe};
use crate::session::Session;
use crate::usage;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use symbolon_checker::Unknown;
use symbolon_report::Body;
use symbolon_report::Status;

/// Runs the program.
pub(crate) fn run(words: Vec<OsString>) -> ExitCode {
    let (ours, theirs) = split_mcmas(&words);
    let arguments = match Arguments::read(&ours) {
        Ok(arguments) => arguments,
        Err(mut error) => {
            let (session, answer) = usage::explain(&words, &mut error);
            return finish(&session, &*answer);
        }
    };
    let Arguments { global, mut command } = arguments;
    if let Some(Command::Mcmas(arguments)) = &mut command {
        arguments.words = theirs;
    }
    let mut session =
        Session::new(&words, &global, command.as_ref().map(Command::name), model_name(command.as_ref()));
    session.table_format = command.as_ref().and_then(table_format);
    let session = Arc::new(session);
    report_panics(&session);
    session.prepare_answer(|unknown| Box::new(CutOff(unknown)));
    #[cfg(debug_assertions)]
    match std::env::var("SYMBOLON_SEEDED_FAULT").as_deref() {
        Ok("replay") => symbolon_checker::seed_replay_fault(0),
        Ok("second-replay") => symbolon_checker::seed_replay_fault(1),
        _ => {}
    }
    match perform(&session, &global, command) {
        Ok(answer) => {
            failed_run::save(&session, &*answer);
            finish(&session, &*answer)
        }
        Err(failure) => fail(&session, &failure),
    }
}

/// Carries a command out.
fn perform(
    session: &Arc<Session>,
    global: &GlobalOptions,
    command: Option<Command>,
) -> Result<Box<dyn Answer>, Failure> {
    match command {
        None => commands::demo(session, global),
        Some(Command::States(arguments)) => commands::states(session, global, &arguments),
        Some(Command::Deadlock(arguments)) => commands::deadlock(session, global, &arguments),
        Some(Command::Check(arguments)) => commands::check(session, global, &arguments),
        Some(Command::Compare(arguments)) => commands::compare(session, global, &arguments),
        Some(Command::Compile(arguments)) => commands::compile(session, global, &arguments),
        Some(Command::Convert(arguments)) => commands::convert(session, global, &arguments),
        Some(Command::Simulate(arguments)) => commands::simulate(session, global, &arguments),
        Some(Command::Draw(arguments)) => commands::draw(session, global, &arguments),
        Some(Command::Info(arguments)) => commands::info(session, global, &arguments.model),
        Some(Command::Bounds(arguments)) => commands::bounds(session, global, &arguments),
        Some(Command::Demo) => commands::demo(session, global),
        Some(Command::Models(arguments)) => commands::models(&arguments),
        Some(Command::Mcc(arguments)) => commands::mcc(session, global, &arguments),
        Some(Command::Mcmas(arguments)) => commands::mcmas(session, global, &arguments),
        Some(Command::Completions(arguments)) => Ok(Box::new(commands::completions(&arguments)?)),
        Some(Command::Man(arguments)) => commands::man(&arguments),
        Some(Command::Help(arguments)) => commands::help(&arguments),
    }
}

/// The format of the table that the answer is to be.
fn table_format(command: &Command) -> Option<CompareFormat> {
    match command {
        Command::Info(arguments) => arguments.to,
        Command::Bounds(arguments) => arguments.to,
        Command::Check(arguments) => arguments.to,
        _ => None,
    }
}

/// What the user calls the model.
fn model_name(command: Option<&Command>) -> Option<String> {
    match command? {
        Command::States(arguments) => Some(arguments.model.model.to_string_lossy().into_owned()),
        Command::Info(arguments) => Some(arguments.model.model.to_string_lossy().into_owned()),
        Command::Deadlock(arguments) => Some(arguments.model.model.to_string_lossy().into_owned()),
        Command::Compare(arguments) => match arguments.models.as_slice() {
            [model] => Some(model.to_string_lossy().into_owned()),
            _ => None,
        },
        Command::Compile(arguments) => Some(arguments.formula.display().to_string()),
        Command::Convert(arguments) => Some(arguments.model.model.to_string_lossy().into_owned()),
        Command::Simulate(arguments) => Some(arguments.model.to_string_lossy().into_owned()),
        Command::Draw(arguments) => Some(arguments.model.model.to_string_lossy().into_owned()),
        Command::Check(arguments) => Some(arguments.model.to_string_lossy().into_owned()),
        Command::Bounds(arguments) => Some(arguments.model.to_string_lossy().into_owned()),
        Command::Mcc(arguments) => Some(arguments.folder.display().to_string()),
        Command::Mcmas(arguments) => arguments.words.last().map(|file| file.to_string_lossy().into_owned()),
        Command::Demo | Command::Models(_) | Command::Completions(_) | Command::Man(_) | Command::Help(_) => {
            None
        }
    }
}

/// Prints mistakes: on standard error, or as the JSON object.
fn fail(session: &Session, failure: &Failure) -> ExitCode {
    if !session.json {
        session.console.note(&describe(&failure.0));
    }
    finish(session, failure)
}

/// Prints an answer and ends.
fn finish(session: &Session, answer: &dyn Answer) -> ExitCode {
    match session.print(answer) {
        Printed::Yes => ExitCode::from(answer.exit_status() as u8),
        // The watcher is printing, and ends the process when it is done.
        Printed::TooLate => loop {
            std::thread::park();
        },
        Printed::Failed(error) => {
            session.console.note(&format!("error: cannot write to standard output: {error}\n"));
            ExitCode::from(ExitStatus::Wrong as u8)
        }
    }
}

/// The answer of a command that has none of its own yet.
struct CutOff(Unknown);

impl Answer for CutOff {
    fn text(&self, _: Detail) -> String {
        format!("unknown: {}\n", self.0.detail)
    }

    fn body(&self) -> Body {
        Body::Nothing {}
    }

    fn status(&self) -> Status<'_> {
        Status::Unknown(&self.0)
    }
}

/// Whether a panic of the standard library says that there is not enough memory: for a size that no
/// machine has, for the stack of a thread, or for what a thread needs besides.
fn is_out_of_memory(message: &str) -> bool {
    ["capacity overflow", "failed to spawn thread", "failed to allocate an alternative stack"]
        .iter()
        .any(|beginning| message.starts_with(beginning))
}

/// A panic is a mistake of ours: says so in one line, in JSON too, and ends the process.
fn report_panics(session: &Arc<Session>) {
    let session = Arc::clone(session);
    std::panic::set_hook(Box::new(move |panic| {
        let what = panic.payload_as_str().unwrap_or("no message");
        if is_out_of_memory(what) {
            // As if an allocation had failed: the watcher answers.
            std::process::abort();
        }
        let place = panic.location().map(|location| format!(" at {location}")).unwrap_or_default();
        let message = format!("this is a bug in symbolon, please report it: {what}{place}");
        session.console.put_mode_back();
        // The console may be locked by the thread that panics, so this goes around it.
        let _ = writeln!(std::io::stderr(), "error: {}", message.replace('\n', " "));
        if session.json {
            let _ = session.print_if_free(&Failure::plain(message));
        }
        std::process::exit(101);
    }));
}
