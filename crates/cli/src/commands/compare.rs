//! `compare`: one question over many cells, each in a process of its own, as a table and a plot.
//!
//! ```text
//! arguments ──▶ cells (models × axes) ──▶ board: one process per cell ──▶ comparison ──▶ table
//! ```
//!
//! The cells of a model must agree: a contradiction means that the program is wrong, and nothing
//! else in the answer matters as much.

mod board;
mod cells;
mod chart;
mod comparison;
mod least_bound;
mod measure;
mod paper;
mod preset;
mod published;
mod question;
mod sentential;
mod short_names;
mod so_far;
mod summary;
mod symbolic;
mod tables;
mod time_left;

use super::prepare;
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{
    CompareArguments, CompareFormat, CompareQuestion, CompareRows, DiagramKind, GlobalOptions, Preset,
    Strategy,
};
use crate::console;
use crate::dashes::settle;
use crate::failure::{Failure, describe};
use crate::machine;
use crate::model_source;
use crate::numbers;
use crate::output_file::write_file;
use crate::session::Session;
use crate::table::{BOLD, Table, printable};
use crate::watch::watch;
use board::Board;
use cells::{Axis, enumerate};
use clap::ValueEnum;
use comparison::{CellLimits, Comparison, Disagreement};
use measure::{Ending, Manner};
use published::Published;
use question::Question;
use short_names::ShortNames;
use so_far::SoFar;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{Diagram, InputError, PartialReport, StrategyChoice, Unknown};
use symbolon_report as json;
use symbolon_report::Status;
use tables::Room;

/// The time limit of a cell if the user gives none.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
/// How much longer than its CPU time a cell may take by the clock if the user limits that alone: a
/// busy machine has no more for it.
const CLOCK_PER_CPU: u32 = 8;

/// Compares the cells.
pub(crate) fn compare(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &CompareArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let wishes = arguments.preset.map(preset::wishes);
    let models = wishes.as_ref().map_or(&arguments.models, |wishes| &wishes.models);
    let models = &[&models[..], &nets_in_folders(&arguments.nets)?].concat();
    if models.is_empty() {
        let hint = "say where its nets are: '--nets DIR'";
        return Err(Failure::with_hint("there is nothing to compare", Some(hint.to_string())));
    }
    let published = arguments.preset.and_then(Published::of);
    let axes = match published {
        Some(published) => {
            refuse_lists(arguments)?;
            published.axes()
        }
        None => axes(global, arguments, wishes.as_ref())?,
    };
    let file = arguments.output.clone().filter(|path| path.as_os_str() != "-");
    let format = format(arguments.to, file.as_deref())?;
    let rows = arguments.rows.or(wishes.as_ref().map(|wishes| wishes.rows)).unwrap_or(CompareRows::Cells);
    if let Some(outcome) = first_obstacle(session, global, models)? {
        return Ok(Box::new(CompareAnswer::nothing(session, outcome)));
    }

    let jobs = arguments.jobs as usize;
    let memory =
        global.memory.or_else(|| machine::default_memory_limit().map(|bytes| bytes / jobs.max(1) as u64));
    let timeout = match (global.timeout, global.cpu_timeout) {
        (Some(timeout), _) => timeout,
        (None, Some(cpu)) => cpu.saturating_mul(CLOCK_PER_CPU),
        (None, None) => DEFAULT_TIMEOUT,
    };
    let has_methods = axes.iter().any(|axis| axis.key == cells::METHOD);
    let question = match (arguments.question, has_methods) {
        (Some(CompareQuestion::States), true) => {
            return Err(Failure::plain(
                "methods of bounded search look for deadlocks: '--question deadlock'",
            ));
        }
        (Some(CompareQuestion::Deadlock), _) | (None, true) => Question::Deadlock,
        (Some(CompareQuestion::States) | None, false) => Question::States,
    };
    let program = std::env::current_exe()
        .map_err(|error| Failure::plain(format!("cannot find this program, to call it: {error}")))?;
    let options = shared_options(global, question, memory)?;
    let manner = Manner { program, question, timeout, options, runs: arguments.runs as usize };
    let cells = published.map_or_else(|| enumerate(models, &axes), Published::cells);
    let is_thesis = arguments.preset == Some(Preset::Thesis);
    let board = Arc::new(Board::new(manner, axes, cells, is_thesis));
    let seconds = global.cpu_timeout.map_or(timeout, |cpu| cpu.min(timeout)).as_secs_f64();
    let limits = CellLimits { seconds, bytes: memory };
    let look = Look { format, rows, limits, published };

    let (shared, so_far) = (Arc::clone(session), Arc::clone(&board));
    watch(session, move |unknown| {
        Box::new(CompareAnswer::new(&shared, so_far.comparison(), look, Some(unknown)))
    });
    let so_far = match &file {
        Some(file) => SoFar::begin(file, look, &board.comparison())?,
        None => None,
    };
    board.run(session, jobs, so_far.as_ref());

    let comparison = board.comparison();
    session.warn(&comparison.warnings());
    let interrupted = session.budget.check().err().map(|why| session.interrupted(why));
    let mut answer = CompareAnswer::new(session, comparison, look, interrupted);
    if answer.comparison.answered() == 0 && !answer.errors.is_empty() {
        // There is nothing to show but what is wrong.
        return Err(Failure(answer.errors));
    }
    answer.write(file, arguments.plot.clone());
    if !session.json {
        let found = answer.disagreements.iter().map(|found| {
            InputError::plain(&found.text).with_hint("one of them is wrong: please report this")
        });
        let found: Vec<InputError> = found.chain(answer.errors.iter().cloned()).collect();
        session.console.note(&describe(&found));
    }
    Ok(Box::new(answer))
}

/// The nets in these folders: those of a published table first, in its order, then the others by
/// name.
fn nets_in_folders(folders: &[PathBuf]) -> Result<Vec<OsString>, Failure> {
    let mut nets = Vec::new();
    for folder in folders {
        let unreadable = |error: std::io::Error| {
            Failure::plain(format!("cannot read the folder '{}': {error}", folder.display()))
        };
        let before = nets.len();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if extension == "pnml" || extension == "ll_net" {
                nets.push(path);
            }
        }
        if nets.len() == before {
            return Err(Failure::plain(format!("there is no net in '{}'", folder.display())));
        }
    }
    nets.sort_by_key(|path| {
        let row = paper::row_of(&path.to_string_lossy());
        (row.is_none(), row, path.clone())
    });
    nets.dedup();
    Ok(nets.into_iter().map(PathBuf::into_os_string).collect())
}

/// Refuses lists of choices beside a preset that says which cells there are.
fn refuse_lists(arguments: &CompareArguments) -> Result<(), Failure> {
    let is_any_given = !arguments.diagrams.is_empty()
        || !arguments.strategies.is_empty()
        || !arguments.variable_orders.is_empty()
        || !arguments.hierarchies.is_empty()
        || !arguments.methods.is_empty()
        || !arguments.nets.is_empty();
    match is_any_given {
        true => Err(Failure::with_hint(
            "a preset of a published table says itself what is compared",
            Some("leave out the lists".to_string()),
        )),
        false => Ok(()),
    }
}

/// What the cells differ in.
fn axes(
    global: &GlobalOptions,
    arguments: &CompareArguments,
    wishes: Option<&preset::Wishes>,
) -> Result<Vec<Axis>, Failure> {
    let methods: Vec<OsString> = match wishes {
        _ if !arguments.methods.is_empty() => {
            arguments.methods.iter().map(|method| method.name().into()).collect()
        }
        Some(wishes) => wishes.methods.iter().map(Into::into).collect(),
        None => Vec::new(),
    };
    if !methods.is_empty() {
        return method_axes(global, arguments, methods);
    }
    let offered = || DiagramKind::value_variants().iter().copied().filter(|kind| is_offered(*kind));
    let diagrams = if !arguments.diagrams.is_empty() {
        only_list("diagram", global.diagram != DiagramKind(Diagram::Auto))?;
        arguments.diagrams.clone()
    } else if global.diagram != DiagramKind(Diagram::Auto) {
        vec![global.diagram]
    } else if let Some(wishes) = wishes {
        let by_name = |name: &&str| offered().find(|kind| value_name(kind) == *name);
        wishes.diagrams.iter().filter_map(by_name).collect()
    } else {
        offered().collect()
    };
    let strategies = if !arguments.strategies.is_empty() {
        only_list("strategy", global.strategy != Strategy(StrategyChoice::Auto))?;
        arguments.strategies.clone()
    } else if global.strategy != Strategy(StrategyChoice::Auto) {
        vec![global.strategy]
    } else {
        let usual = [
            Strategy(StrategyChoice::Bfs),
            Strategy(StrategyChoice::Chaining),
            Strategy(StrategyChoice::Saturation),
        ];
        wishes.map_or(usual.to_vec(), |wishes| wishes.strategies.to_vec())
    };
    let orders = variable_orders(global, arguments)?;
    let hierarchies = if arguments.hierarchies.is_empty() {
        vec![global.hierarchy.clone()]
    } else {
        only_list("hierarchy", global.hierarchy != "auto")?;
        arguments.hierarchies.clone()
    };
    let is_set = |kind: &DiagramKind| *kind == DiagramKind(Diagram::Kind(symbolon_checker::DiagramKind::Set));
    if hierarchies != ["auto"] && !diagrams.iter().any(is_set) {
        return Err(Failure::with_hint(
            "hierarchies require set diagrams, and none is compared",
            Some("add 'set' to '--diagrams'".to_string()),
        ));
    }
    Ok(vec![
        Axis {
            key: cells::DIAGRAM,
            option: "--diagram",
            values: diagrams.iter().map(|kind| value_name(kind).into()).collect(),
        },
        Axis {
            key: "strategy",
            option: "--strategy",
            values: strategies.iter().map(|strategy| value_name(strategy).into()).collect(),
        },
        Axis { key: cells::VARIABLE_ORDER, option: "--variable-order", values: orders },
        Axis { key: cells::HIERARCHY, option: "--hierarchy", values: hierarchies },
    ])
}

/// What the cells of bounded search differ in.
fn method_axes(
    global: &GlobalOptions,
    arguments: &CompareArguments,
    methods: Vec<OsString>,
) -> Result<Vec<Axis>, Failure> {
    if global.diagram != DiagramKind(Diagram::Auto) || global.strategy != Strategy(StrategyChoice::Auto) {
        let message = "methods of bounded search take the place of '--diagram' and '--strategy'";
        return Err(Failure::with_hint(message, Some("leave these out".to_string())));
    }
    Ok(vec![
        Axis { key: cells::METHOD, option: "--method", values: methods },
        Axis {
            key: cells::VARIABLE_ORDER,
            option: "--variable-order",
            values: variable_orders(global, arguments)?,
        },
    ])
}

/// The variable orders that are compared.
fn variable_orders(global: &GlobalOptions, arguments: &CompareArguments) -> Result<Vec<OsString>, Failure> {
    if arguments.variable_orders.is_empty() {
        return Ok(vec![global.variable_order.clone()]);
    }
    only_list("variable-order", global.variable_order != "auto")?;
    Ok(arguments.variable_orders.clone())
}

/// Whether a kind of diagram is compared if the user names none: all that exist, but not the plain
/// table, which is for small models.
fn is_offered(kind: DiagramKind) -> bool {
    match kind {
        DiagramKind(Diagram::Auto | Diagram::Explicit) => false,
        DiagramKind(_) => true,
    }
}

/// A list and a single value for one choice contradict each other.
fn only_list(option: &str, is_single_given: bool) -> Result<(), Failure> {
    let list = match option.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{option}s"),
    };
    match is_single_given {
        true => Err(Failure::plain(format!("'--{list}' is a list of what '--{option}' is one of: give one"))),
        false => Ok(()),
    }
}

fn value_name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

/// The options that all cells get, as the user gave them.
fn shared_options(
    global: &GlobalOptions,
    question: Question,
    memory: Option<u64>,
) -> Result<Vec<OsString>, Failure> {
    for (option, is_given) in [
        ("--save-order", global.save_order.is_some()),
        ("--save-hierarchy", global.save_hierarchy.is_some()),
        ("--save-vtree", global.save_vtree.is_some()),
    ] {
        if is_given {
            return Err(Failure::plain(format!("'{option}' is supported by the command 'states' only")));
        }
    }
    let mut options: Vec<OsString> = Vec::new();
    let mut give = |option: &str, value: String| options.extend([option.into(), value.into()]);
    if let Some(bytes) = memory {
        give("--memory", bytes.to_string());
    }
    if let Some(time) = global.cpu_timeout {
        give("--cpu-timeout", time.as_secs_f64().to_string());
    }
    give("--edges", value_name(&global.edges));
    give("--seed", global.seed.to_string());
    if let Some(threads) = global.threads {
        give("--threads", threads.to_string());
    }
    if let Some(format) = &global.format {
        give("--format", value_name(format));
    }
    // A deadlock that is found by a walk, or excluded by structure, says nothing about diagrams.
    if global.no_shortcuts || question == Question::Deadlock {
        options.push("--no-shortcuts".into());
    }
    Ok(options)
}

/// Looks for every model once, so that a misspelling is reported before anything is run.
fn first_obstacle(
    session: &Session,
    global: &GlobalOptions,
    models: &[OsString],
) -> Result<Option<Unknown>, Failure> {
    let format = prepare::format(global);
    for model in models {
        if model == "-" {
            return Err(Failure::with_hint(
                "standard input can be read once, but every cell reads the model",
                Some("save it to a file first".to_string()),
            ));
        }
        if let Err(why) = settle(model_source::find_source(session, model, format))? {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

/// The format that was asked for: by name, or by the name of the file.
fn format(to: Option<CompareFormat>, file: Option<&Path>) -> Result<CompareFormat, Failure> {
    if let Some(format) = to {
        return Ok(format);
    }
    let extension = file.and_then(Path::extension).unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "" | "txt" | "text" => Ok(CompareFormat::Text),
        "csv" => Ok(CompareFormat::Csv),
        "md" | "markdown" => Ok(CompareFormat::Markdown),
        "tex" | "latex" => Ok(CompareFormat::Latex),
        other => Err(Failure::with_hint(
            format!("there is no table format for '.{}'", printable(other)),
            Some("name the file .txt, .csv, .md or .tex, or add --to csv".to_string()),
        )),
    }
}

/// How a comparison is shown.
#[derive(Clone, Copy)]
struct Look {
    format: CompareFormat,
    rows: CompareRows,
    limits: CellLimits,
    /// The published table whose rows these are.
    published: Option<Published>,
}

struct CompareAnswer {
    comparison: Comparison,
    look: Look,
    disagreements: Vec<Disagreement>,
    errors: Vec<InputError>,
    unknown: Option<Unknown>,
    /// The files that were written.
    file: Option<PathBuf>,
    plot: Option<PathBuf>,
    time: Duration,
}

impl CompareAnswer {
    fn new(session: &Session, comparison: Comparison, look: Look, cut_off: Option<Unknown>) -> CompareAnswer {
        let left = comparison.planned - comparison.rows.len();
        let partial = PartialReport::default();
        let unknown = match (cut_off, comparison.first_unknown()) {
            (Some(unknown), _) => {
                let detail =
                    format!("{}: {left} of {} cells were not run", unknown.detail, comparison.planned);
                Some(Unknown { detail, partial, ..unknown })
            }
            (None, Some(reason)) => {
                let planned = comparison.planned;
                let lacking = comparison.rows.iter().filter(|row| matches!(row.1.ending, Ending::Unknown(_)));
                let detail = format!("{} of {planned} cells have no answer", lacking.count());
                Some(Unknown { partial, ..Unknown::because(reason, detail) })
            }
            (None, None) => None,
        };
        CompareAnswer {
            disagreements: comparison.disagreements(),
            errors: comparison.errors(),
            comparison,
            look,
            unknown,
            file: None,
            plot: None,
            time: session.elapsed(),
        }
    }

    /// The answer if nothing was run at all.
    fn nothing(session: &Session, unknown: Unknown) -> CompareAnswer {
        let comparison = Comparison {
            question: Question::States,
            axes: Vec::new(),
            rows: Vec::new(),
            planned: 0,
            names: ShortNames::default(),
            is_thesis: false,
        };
        let limits = CellLimits { seconds: 0.0, bytes: None };
        let rows = CompareRows::Cells;
        let look = Look { format: CompareFormat::Text, rows, limits, published: None };
        CompareAnswer::new(session, comparison, look, Some(unknown))
    }

    /// Writes the files. What cannot be written is one more error; the table is printed then.
    fn write(&mut self, file: Option<PathBuf>, plot: Option<PathBuf>) {
        if let Some(file) = file {
            let table = so_far::text(&self.comparison, self.look);
            match write_file(&file, &table) {
                Ok(()) => self.file = Some(file),
                Err(failure) => self.errors.extend(failure.0),
            }
        }
        if let Some(plot) = plot {
            match write_file(&plot, &chart::chart(&self.comparison, self.look.limits)) {
                Ok(()) => self.plot = Some(plot),
                Err(failure) => self.errors.extend(failure.0),
            }
        }
    }

    fn table(&self, detail: Detail) -> String {
        let Look { format, rows, limits, published } = self.look;
        if let Some(published) = published {
            let (records, names) = published.records(&self.comparison);
            return tables::record_table(records, format, names);
        }
        let room = Room { all_digits: detail == Detail::Verbose, columns: console::columns() };
        tables::table(&self.comparison, format, rows, limits, room)
    }

    /// What was written, for people.
    fn report(&self) -> String {
        let mut table = Table::default();
        let (answered, planned) = (self.comparison.answered(), self.comparison.planned);
        table.row("cells", format!("{planned}, {BOLD}{answered}{BOLD:#} with an answer"));
        for (what, file) in [("table", &self.file), ("plot", &self.plot)] {
            if let Some(file) = file {
                table.row(what, printable(&file.display().to_string()));
            }
        }
        table.row("time", numbers::seconds(self.time));
        table.to_text() + &tables::footer(&self.comparison, self.look.limits, console::columns())
    }
}

impl Answer for CompareAnswer {
    fn text(&self, detail: Detail) -> String {
        let mut text = match (&self.file, detail) {
            (None, _) => self.table(detail),
            (Some(_), Detail::Quiet) => String::new(),
            (Some(_), _) => self.report(),
        };
        if self.file.is_none() && detail != Detail::Quiet && self.look.format == CompareFormat::Text {
            text.push_str(&tables::footer(&self.comparison, self.look.limits, console::columns()));
            if let Some(published) = self.look.published {
                text.push_str(&published.remarks(&self.comparison));
            }
        }
        text
    }

    fn is_verbatim(&self) -> bool {
        self.look.format != CompareFormat::Text || self.look.rows == CompareRows::Models
    }

    fn body(&self) -> json::Body {
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        json::Body::Compare(json::Compare {
            question: self.comparison.question.command(),
            agree: self.disagreements.is_empty(),
            disagreements: self.disagreements.iter().map(|found| found.text.clone()).collect(),
            cells: self
                .comparison
                .rows
                .iter()
                .map(|(cell, measured)| self.json_cell(cell, measured))
                .collect(),
            summary: summary::summary(&self.comparison, self.look.limits),
            notes: summary::notes(&self.comparison),
            file: shown(&self.file),
            plot: shown(&self.plot),
        })
    }

    fn status(&self) -> Status<'_> {
        match &self.unknown {
            _ if !self.errors.is_empty() => Status::Error(&self.errors),
            Some(unknown) => Status::Unknown(unknown),
            None => Status::Ok,
        }
    }

    fn exit_status(&self) -> ExitStatus {
        match &self.unknown {
            _ if !self.disagreements.is_empty() => ExitStatus::Fails,
            _ if !self.errors.is_empty() => ExitStatus::Wrong,
            Some(_) => ExitStatus::Unknown,
            None => ExitStatus::Success,
        }
    }
}

impl CompareAnswer {
    fn json_cell(&self, cell: &cells::Cell, measured: &measure::Measured) -> json::CompareCell {
        let axes = self.comparison.axes.iter().map(|axis| axis.key.to_string());
        json::CompareCell::new(
            cell.model_name(),
            self.comparison.short(&cell.model_name()),
            axes.zip(cell.choice_names()).collect(),
            measured.outcome(),
            measured.answers().first().map(|answer| answer.text.clone()),
            json::CompareFigures {
                seconds: measured.seconds,
                cpu_seconds: measured.cpu_seconds,
                peak_bytes: measured.peak_bytes,
                nodes: measured.nodes,
                steps: measured.steps,
                bound: measured.bound,
                paper: self.comparison.paper_figures(cell),
                variable_order_used: measured.order_used.clone(),
                hierarchy_used: measured.hierarchy_used.clone(),
                runs: measured.runs,
            },
        )
    }
}

#[cfg(test)]
mod tests;
