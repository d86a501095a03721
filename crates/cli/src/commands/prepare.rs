//! What comes before every question to the checker: options checked, the model read.

use crate::arguments::{DiagramKind, Edges, GlobalOptions, ModelArguments, ModelFormat, Reorder, Strategy};
use crate::console::Console;
use crate::failure::Failure;
use crate::model_source;
use crate::numbers::{self, counted};
use crate::session::Session;
use crate::table::printable;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Duration;
use symbolon_budget::Budget;
use symbolon_checker::{
    Diagram, EdgesChoice, Error, Format, Hierarchy, Language, Loaded, Options, Outcome, ReorderChoice,
    Source, StrategiesChoice, StrategyChoice, VariableOrder, load, load_model,
};

/// The options of the checker, or what is wrong with them.
pub(crate) fn options(session: &Session, global: &GlobalOptions) -> Result<Outcome<Options>, Failure> {
    if global.save_order.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-order' goes with the command 'states'"));
    }
    if global.save_hierarchy.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-hierarchy' goes with the command 'states'"));
    }
    let hierarchy = match hierarchy(session, &global.hierarchy)? {
        Outcome::Done(hierarchy) => hierarchy,
        Outcome::Unknown(unknown) => return Ok(Outcome::Unknown(unknown)),
    };
    let variable_order = match variable_order(session, &global.variable_order)? {
        Outcome::Done(order) => order,
        Outcome::Unknown(unknown) => return Ok(Outcome::Unknown(unknown)),
    };
    Ok(Outcome::Done(Options {
        diagram: diagram(global.diagram)?,
        strategy: match global.strategy {
            Strategy::Auto => StrategyChoice::Auto,
            Strategy::Bfs => StrategyChoice::Bfs,
            Strategy::Chaining => StrategyChoice::Chaining,
            Strategy::Saturation => StrategyChoice::Saturation,
        },
        variable_order,
        hierarchy,
        reorder: match global.reorder {
            Reorder::Off => ReorderChoice::Off,
            Reorder::Dynamic => ReorderChoice::Dynamic,
        },
        edges: match global.edges {
            Edges::Auto => EdgesChoice::Auto,
            Edges::Yes => EdgesChoice::Yes,
            Edges::No => EdgesChoice::No,
        },
        strategies: StrategiesChoice::Perfect,
        seed: global.seed,
        threads: global.threads.map_or_else(cores, |threads| threads as usize),
        no_shortcuts: global.no_shortcuts,
        grace: global.grace.unwrap_or_else(|| match is_watched(session) {
            true => GRACE_AT_TERMINAL,
            false => GRACE,
        }),
        texts: global.save_order.is_some() || global.save_hierarchy.is_some(),
    }))
}

/// How long shorter runs are looked for, where a person waits and sees what is known, and elsewhere.
const GRACE_AT_TERMINAL: Duration = Duration::from_secs(3);
const GRACE: Duration = Duration::from_secs(1);

/// Whether a person sees the progress line and then the answer.
fn is_watched(session: &Session) -> bool {
    !session.json && std::io::stdout().is_terminal() && Console::can_show_progress()
}

/// The cores of this machine.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The format, if one was named.
pub(crate) fn format(global: &GlobalOptions) -> Option<Format> {
    global.format.map(|ModelFormat(format)| format)
}

/// The kind of diagram, or that it is planned.
pub(super) fn diagram(kind: DiagramKind) -> Result<Diagram, Failure> {
    match kind {
        DiagramKind::Ready(diagram) => Ok(diagram),
        DiagramKind::Planned(name) => Err(not_yet(
            &format!("--diagram {name}"),
            "kinds in this version: auto, explicit, mdd, bdd, ddd, set",
        )),
    }
}

fn not_yet(what: &str, hint: &str) -> Failure {
    Failure::with_hint(format!("'{what}' is planned, not in this version"), Some(hint.to_string()))
}

fn variable_order(session: &Session, text: &OsStr) -> Result<Outcome<VariableOrder>, Failure> {
    if let Some(path) = path_after_at(text) {
        return Ok(match saved_text(session, &path, "variable order")? {
            Outcome::Done((file, text)) => Outcome::Done(VariableOrder::File { file, text }),
            Outcome::Unknown(unknown) => Outcome::Unknown(unknown),
        });
    }
    Ok(Outcome::Done(match text.to_string_lossy().as_ref() {
        "auto" => VariableOrder::Auto,
        name => VariableOrder::Named(name.to_string()),
    }))
}

fn hierarchy(session: &Session, text: &OsStr) -> Result<Outcome<Hierarchy>, Failure> {
    if let Some(path) = path_after_at(text) {
        return Ok(match saved_text(session, &path, "hierarchy")? {
            Outcome::Done((file, text)) => Outcome::Done(Hierarchy::File { file, text }),
            Outcome::Unknown(unknown) => Outcome::Unknown(unknown),
        });
    }
    Ok(Outcome::Done(match text.to_string_lossy().as_ref() {
        "auto" => Hierarchy::Auto,
        name => Hierarchy::Named(name.to_string()),
    }))
}

/// The name and the text of a file that holds what was saved.
fn saved_text(session: &Session, path: &Path, what: &str) -> Result<Outcome<(String, String)>, Failure> {
    let bytes = match model_source::read_bytes(session, path)? {
        Outcome::Done(bytes) => bytes,
        Outcome::Unknown(unknown) => return Ok(Outcome::Unknown(unknown)),
    };
    let file = path.display().to_string();
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Outcome::Done((file, text))),
        Err(_) => Err(Failure::plain(format!("'{file}' is no saved {what}: it is not text"))),
    }
}

/// The path in `@path`, which need not be text.
fn path_after_at(text: &OsStr) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        text.as_bytes().strip_prefix(b"@").map(|path| PathBuf::from(OsStr::from_bytes(path)))
    }
    #[cfg(not(unix))]
    {
        text.to_str()?.strip_prefix('@').map(PathBuf::from)
    }
}

/// Finds, reads and analyses the model of a command line.
pub(crate) fn model(
    session: &Session,
    global: &GlobalOptions,
    model: &OsStr,
) -> Result<Outcome<Loaded>, Failure> {
    match model_source::find_source(session, model, format(global))? {
        Outcome::Done(source) => loaded(session, source, load),
        Outcome::Unknown(unknown) => Ok(Outcome::Unknown(unknown)),
    }
}

/// Finds, reads and analyses the model in a file.
pub(crate) fn model_file(
    session: &Session,
    global: &GlobalOptions,
    path: &Path,
) -> Result<Outcome<Loaded>, Failure> {
    match model_source::read_file(session, path, format(global))? {
        Outcome::Done(source) => loaded(session, source, load),
        Outcome::Unknown(unknown) => Ok(Outcome::Unknown(unknown)),
    }
}

/// How a source becomes a model.
type Load = fn(Source, &Budget) -> Result<Outcome<Loaded>, Error>;

fn loaded(session: &Session, source: Source, load: Load) -> Result<Outcome<Loaded>, Failure> {
    let outcome = load(source, &session.budget)?;
    if let Outcome::Done(loaded) = &outcome {
        session.warn(&loaded.warnings);
        let (variables, events) = match loaded.language {
            Language::Net => ("place", "transition"),
            _ if loaded.model.is_synchronous() => ("variable", "synchronous step"),
            _ => ("variable", "event"),
        };
        session.explain(&format!(
            "read '{}' in {}: {}, {}",
            printable(&loaded.name),
            numbers::seconds(session.elapsed()),
            counted(loaded.model.variables.len() as u64, variables),
            counted(loaded.model.events.len() as u64, events),
        ));
    }
    Ok(outcome)
}

/// Puts one of the checker's questions to the model of a command.
pub(crate) fn ask<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    question: impl FnOnce(&Loaded, &Options, &Budget) -> Result<Outcome<T>, Error>,
) -> Result<Outcome<T>, Failure> {
    ask_with(session, global, arguments, load, question)
}

/// Puts a question that does not look at the net.
pub(crate) fn ask_model<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    question: impl FnOnce(&Loaded, &Options, &Budget) -> Result<Outcome<T>, Error>,
) -> Result<Outcome<T>, Failure> {
    ask_with(session, global, arguments, load_model, question)
}

fn ask_with<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    load: Load,
    question: impl FnOnce(&Loaded, &Options, &Budget) -> Result<Outcome<T>, Error>,
) -> Result<Outcome<T>, Failure> {
    let options = match options(session, global)? {
        Outcome::Done(options) => options,
        Outcome::Unknown(unknown) => return Ok(Outcome::Unknown(unknown)),
    };
    let source = match model_source::find_source(session, &arguments.model, format(global))? {
        Outcome::Done(source) => source,
        Outcome::Unknown(unknown) => return Ok(Outcome::Unknown(unknown)),
    };
    match loaded(session, source, load)? {
        Outcome::Done(loaded) => {
            // The process ends soon after: giving back a large net piece by piece would be wasted.
            let loaded = ManuallyDrop::new(loaded);
            Ok(question(&loaded, &options, &session.budget)?)
        }
        Outcome::Unknown(unknown) => Ok(Outcome::Unknown(unknown)),
    }
}
