//! What comes before every question to the checker: options checked, the model read.

use crate::arguments::{GlobalOptions, ModelArguments, ModelFormat};
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
use symbolon_checker::{
    Format, Hierarchy, Job, Language, Loaded, Options, Source, Stop, StrategiesChoice, VariableOrder, Vtree,
};

/// The options of the checker, or what is wrong with them.
pub(crate) fn options(session: &Session, global: &GlobalOptions) -> Result<Options, Stop> {
    if global.save_order.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-order' is supported by the command 'states' only").into());
    }
    if global.save_hierarchy.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-hierarchy' is supported by the command 'states' only").into());
    }
    if global.save_vtree.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-vtree' is supported by the command 'states' only").into());
    }
    let hierarchy = hierarchy(session, &global.hierarchy)?;
    let vtree = vtree(session, &global.vtree)?;
    let variable_order = variable_order(session, &global.variable_order)?;
    Ok(Options {
        diagram: global.diagram.0,
        strategy: global.strategy.0,
        variable_order,
        hierarchy,
        vtree,
        reorder: global.reorder.0,
        edges: global.edges.0,
        strategies: StrategiesChoice::Perfect,
        seed: global.seed,
        threads: global.threads.map_or_else(cores, |threads| threads as usize),
        no_shortcuts: global.no_shortcuts,
        grace: global.grace.unwrap_or_else(|| match is_watched(session) {
            true => GRACE_AT_TERMINAL,
            false => GRACE,
        }),
        texts: global.save_order.is_some() || global.save_hierarchy.is_some(),
    })
}

/// How long shorter runs are looked for, where a person waits and sees what is known, and
/// elsewhere.
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

fn variable_order(session: &Session, text: &OsStr) -> Result<VariableOrder, Stop> {
    if let Some(path) = path_after_at(text) {
        let (file, text) = saved_text(session, &path, "variable order")?;
        return Ok(VariableOrder::File { file, text });
    }
    Ok(match text.to_string_lossy().as_ref() {
        "auto" => VariableOrder::Auto,
        name => VariableOrder::Named(name.to_string()),
    })
}

fn vtree(session: &Session, text: &OsStr) -> Result<Vtree, Stop> {
    if let Some(path) = path_after_at(text) {
        let (file, text) = saved_text(session, &path, "vtree")?;
        return Ok(Vtree::File { file, text });
    }
    Ok(match text.to_string_lossy().as_ref() {
        "auto" => Vtree::Auto,
        name => Vtree::Named(name.to_string()),
    })
}

fn hierarchy(session: &Session, text: &OsStr) -> Result<Hierarchy, Stop> {
    if let Some(path) = path_after_at(text) {
        let (file, text) = saved_text(session, &path, "hierarchy")?;
        return Ok(Hierarchy::File { file, text });
    }
    Ok(match text.to_string_lossy().as_ref() {
        "auto" => Hierarchy::Auto,
        name => Hierarchy::Named(name.to_string()),
    })
}

/// The name and the text of a file that holds what was saved.
fn saved_text(session: &Session, path: &Path, what: &str) -> Result<(String, String), Stop> {
    let bytes = model_source::read_bytes(session, path)?;
    let file = path.display().to_string();
    match String::from_utf8(bytes) {
        Ok(text) => Ok((file, text)),
        Err(_) => Err(Failure::plain(format!("'{file}' is not a saved {what}: it is not UTF-8")).into()),
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
pub(crate) fn model(session: &Session, global: &GlobalOptions, model: &OsStr) -> Result<Loaded, Stop> {
    loaded(session, model_source::find_source(session, model, format(global))?, Job::load)
}

/// Finds, reads and analyses the model in a file.
pub(crate) fn model_file(session: &Session, global: &GlobalOptions, path: &Path) -> Result<Loaded, Stop> {
    loaded(session, model_source::read_file(session, path, format(global))?, Job::load)
}

/// How a source becomes a model.
type Load = fn(&Job, Source) -> Result<Loaded, Stop>;

fn loaded(session: &Session, source: Source, load: Load) -> Result<Loaded, Stop> {
    let loaded = load(&session.job, source)?;
    session.warn(loaded.warnings());
    let (variables, events) = match loaded.language() {
        Language::Net => ("place", "transition"),
        _ if loaded.is_synchronous() => ("variable", "synchronous step"),
        _ => ("variable", "event"),
    };
    session.explain(&format!(
        "read '{}' in {}: {}, {}",
        printable(loaded.name()),
        numbers::seconds(session.elapsed()),
        counted(loaded.variable_count() as u64, variables),
        counted(loaded.event_count() as u64, events),
    ));
    Ok(loaded)
}

/// Puts one of the checker's questions to the model of a command.
pub(crate) fn ask<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    ask_with(session, global, arguments, Job::load, question)
}

/// Puts a question that does not look at the net.
pub(crate) fn ask_model<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    ask_with(session, global, arguments, Job::load_model, question)
}

fn ask_with<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    load: Load,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let options = options(session, global)?;
    let source = model_source::find_source(session, &arguments.model, format(global))?;
    // The process ends soon after: giving back a large net piece by piece would be wasted.
    let loaded = ManuallyDrop::new(loaded(session, source, load)?);
    question(&loaded, &options, &session.job)
}
