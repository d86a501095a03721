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
    Diagram, Format, Hierarchy, Job, Language, Loaded, ModelFacts, Needs, NetUse, Options, Source, Stop,
    StrategiesChoice, SymmetryChoice, VariableOrder, Vtree, exploring_by,
};

/// The options of the checker, or what is wrong with them.
pub(crate) fn options(session: &Session, global: &GlobalOptions) -> Result<Options, Stop> {
    if global.save_order.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-order' is supported by the command 'states' only").into());
    }
    if global.save_hierarchy.is_some() && session.command.as_deref() != Some("states") {
        return Err(Failure::plain("'--save-hierarchy' is supported by the command 'states' only").into());
    }
    let is_demanded = !matches!(global.symmetry.0, SymmetryChoice::Auto | SymmetryChoice::Off);
    if is_demanded && !session.command.as_deref().is_some_and(|command| FOLDING_COMMANDS.contains(&command)) {
        let message =
            format!("'--symmetry' is supported by the commands {} only", FOLDING_COMMANDS.join(", "));
        return Err(Failure::plain(message).into());
    }
    if global.save_vtree.is_some() && !matches!(session.command.as_deref(), Some("states" | "compile")) {
        let message = "'--save-vtree' is supported by the commands 'states' and 'compile' only";
        return Err(Failure::plain(message).into());
    }
    let hierarchy = hierarchy(session, &global.hierarchy)?;
    let vtree = vtree(session, &global.vtree)?;
    let variable_order = variable_order(session, &global.variable_order)?;
    let options = Options {
        diagram: global.diagram.0,
        strategy: global.strategy.0,
        variable_order,
        hierarchy,
        vtree,
        reorder: global.reorder.0,
        quantification: global.quantification.0,
        symmetry: global.symmetry.0,
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
    };
    session.note_question(|question| question.options = options.clone());
    Ok(options)
}

/// The commands whose answers do not depend on which member does what.
const FOLDING_COMMANDS: [&str; 6] = ["states", "deadlock", "check", "bounds", "draw", "mcc"];

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

/// Finds, reads and analyses the model of a command line, folded by its symmetry where that is
/// wanted, and puts a question to it. What `accept` refuses is asked again with all members told
/// apart, unless symmetry is demanded: a formula may speak of one of them.
pub(crate) fn folded_model<T>(
    session: &Session,
    global: &GlobalOptions,
    model: &OsStr,
    (options, needs): (&Options, Needs),
    accept: impl Fn(&mut Loaded) -> Result<T, Stop>,
) -> Result<(Loaded, T), Stop> {
    let source = model_source::find_source(session, model, format(global))?;
    let again = (options.symmetry == SymmetryChoice::Auto && is_small(&source)).then(|| source.clone());
    let symmetry = if again.is_some() { options.symmetry } else { told_apart_unless_demanded(options) };
    let wish = Options { symmetry, ..options.clone() };
    let mut folded = loaded(session, source, |job, source| job.load_folded(source, &wish, needs))?;
    match (accept(&mut folded), again) {
        (Ok(accepted), _) => Ok((folded, accepted)),
        (Err(Stop::Input(_)), Some(source)) if folded.is_folded() => {
            session.explain("symmetry: not used, because the question speaks of single members");
            drop(folded);
            let mut whole = loaded(session, source, Job::load)?;
            accept(&mut whole).map(|accepted| (whole, accepted))
        }
        (Err(why), _) => Err(why),
    }
}

/// Whether a source can be kept beside the model that is read from it.
fn is_small(source: &Source) -> bool {
    const MOST_BYTES: usize = 64 << 20;
    match source {
        Source::Family(_) => true,
        Source::Bytes { bytes, .. } => bytes.len() <= MOST_BYTES,
    }
}

fn told_apart_unless_demanded(options: &Options) -> SymmetryChoice {
    match options.symmetry {
        SymmetryChoice::Auto => SymmetryChoice::Off,
        demanded => demanded,
    }
}

/// Finds, reads and analyses the model in a file, folded by its symmetry where that is wanted.
pub(crate) fn model_file(
    session: &Session,
    global: &GlobalOptions,
    path: &Path,
    (options, net): (&Options, NetUse),
) -> Result<Loaded, Stop> {
    let source = model_source::read_file(session, path, format(global))?;
    loaded(session, source, |job, source| job.load_folded(source, options, net))
}

fn loaded(
    session: &Session,
    source: Source,
    load: impl FnOnce(&Job, Source) -> Result<Loaded, Stop>,
) -> Result<Loaded, Stop> {
    let loaded = load(&session.job, source)?;
    session.note_question(|question| {
        question.facts = Some(ModelFacts::of(&loaded));
        question.exploring_by = exploring_by(&loaded, &question.options);
    });
    session.warn(loaded.warnings());
    if let Some(symmetry) = loaded.symmetry() {
        let sign = if loaded.is_folded() { "" } else { "not used: " };
        session.explain(&format!("symmetry: {sign}{}", printable(symmetry)));
    }
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
    let options = options(session, global)?;
    ask_with(session, global, arguments, &options, Job::load, question)
}

/// Puts a question that does not depend on which members of a colour class do what.
pub(crate) fn ask_folded<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    net: NetUse,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let options = options(session, global)?;
    let load = |job: &Job, source: Source| job.load_folded(source, &options, net);
    ask_with(session, global, arguments, &options, load, question)
}

/// Puts the question that looks at the structure of a net alone, unless options or details ask for
/// more.
pub(crate) fn ask_structure<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let asked = options(session, global)?;
    let is_plain = asked.diagram == Diagram::Auto
        && asked.hierarchy == Hierarchy::Auto
        && asked.variable_order == VariableOrder::Auto
        && !global.verbose;
    let load = if is_plain { Job::load_structure } else { Job::load };
    ask_with(session, global, arguments, &asked, load, question)
}

fn ask_with<T>(
    session: &Session,
    global: &GlobalOptions,
    arguments: &ModelArguments,
    options: &Options,
    load: impl FnOnce(&Job, Source) -> Result<Loaded, Stop>,
    question: impl FnOnce(&Loaded, &Options, &Job) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let source = model_source::find_source(session, &arguments.model, format(global))?;
    // The process ends soon after: giving back a large net piece by piece would be wasted.
    let loaded = ManuallyDrop::new(loaded(session, source, load)?);
    question(&loaded, options, &session.job)
}
