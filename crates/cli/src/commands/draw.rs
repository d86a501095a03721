//! `draw`: a picture of the net, its states, their diagram, a run, or the units.

use super::prepare;
use super::states::unknown_text;
use crate::advice::in_shell_quotes;
use crate::answer::{Answer, Detail};
use crate::arguments::{DrawArguments, DrawFormat, DrawSubject, GlobalOptions};
use crate::console;
use crate::dashes::settle;
use crate::failure::Failure;
use crate::model_source;
use crate::numbers::{self, counted};
use crate::output_file::write_file;
use crate::session::Session;
use crate::table::{BOLD, Table, printable};
use crate::trace_file;
use crate::watch::watch;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{
    DrawOptions, Drawing, InputError, Job, Loaded, NamedRun, NamedStep, NetUse, Options, Outcome,
    PictureFormat, Stop, Subject, SymmetryChoice, Unknown,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Draws a picture, to a file or to standard output.
pub(crate) fn draw(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &DrawArguments,
) -> Result<Box<dyn Answer>, Failure> {
    // `-o -` is standard output, as no -o is.
    let file = arguments.output.clone().filter(|path| path.as_os_str() != "-");
    let what = subject(arguments)?;
    let format = format(arguments.to, file.as_deref())?;
    if file.is_none() && !session.json && format == PictureFormat::Svg && io::stdout().is_terminal() {
        return Err(Failure::with_hint(
            "a terminal does not show SVG",
            Some(format!(
                "write a file for a browser: -o {}.svg; or draw with letters: --to text",
                name_of(what)
            )),
        ));
    }
    let shared = Arc::clone(session);
    watch(session, move |unknown| Box::new(DrawAnswer::unknown(&shared, unknown)));

    let run = match &arguments.trace {
        None => None,
        Some(path) => match settle(read_trace(session, path))? {
            Ok(run) => Some(run),
            Err(unknown) => return Ok(Box::new(DrawAnswer::unknown(session, unknown))),
        },
    };
    let most_frames = arguments.frames.map(|frames| frames as usize);
    let most_columns = if file.is_none() && !session.json { console::columns() } else { None };
    let wish = DrawOptions { what, format, run, most_frames, most_columns };
    let question = |loaded: &Loaded, options: &Options, job: &Job| job.draw(loaded, options, &wish);
    // A diagram of what was folded is drawn where that is demanded; else members have their names.
    let is_folded = !matches!(global.symmetry.0, SymmetryChoice::Auto | SymmetryChoice::Off);
    let drawn = match (is_folded, what) {
        (true, Subject::Diagram) => {
            prepare::ask_folded(session, global, &arguments.model, NetUse::Unused, question)
        }
        (true, _) => return Err(Failure::plain("'--symmetry' of 'draw' requires '--what diagram'")),
        (false, _) => prepare::ask(session, global, &arguments.model, question),
    };
    let drawing = match settle(drawn)? {
        Ok(drawing) => drawing,
        Err(unknown) => return Ok(Box::new(DrawAnswer::unknown(session, unknown))),
    };
    let warnings: Vec<InputError> = drawing.remarks.iter().map(warning).collect();
    session.warn(&warnings);
    if let Some(file) = &file {
        write_file(file, &drawing.text)?;
    }
    let model = session.model.clone().unwrap_or_default();
    let time = session.elapsed();
    Ok(Box::new(DrawAnswer { model, what, format, file, outcome: Ok(drawing), time }))
}

/// What is to be drawn; a run that is given is meant to be.
fn subject(arguments: &DrawArguments) -> Result<Subject, Failure> {
    let what = match (arguments.what, &arguments.trace) {
        (None, None) => Subject::Net,
        (None, Some(_)) => Subject::Trace,
        (Some(DrawSubject::Net), _) => Subject::Net,
        (Some(DrawSubject::States), _) => Subject::States,
        (Some(DrawSubject::Diagram), _) => Subject::Diagram,
        (Some(DrawSubject::Trace), _) => Subject::Trace,
        (Some(DrawSubject::Hierarchy), _) => Subject::Hierarchy,
        (Some(DrawSubject::Vtree), _) => Subject::Vtree,
    };
    for (option, is_given) in
        [("--trace", arguments.trace.is_some()), ("--frames", arguments.frames.is_some())]
    {
        if is_given && what != Subject::Trace {
            return Err(Failure::plain(format!("'{option}' requires '--what trace'")));
        }
    }
    Ok(what)
}

/// The format that was asked for: by name, or by the name of the file.
pub(super) fn format(to: Option<DrawFormat>, file: Option<&Path>) -> Result<PictureFormat, Failure> {
    match to {
        Some(DrawFormat::Svg) => return Ok(PictureFormat::Svg),
        Some(DrawFormat::Dot) => return Ok(PictureFormat::Dot),
        Some(DrawFormat::Text) => return Ok(PictureFormat::Text),
        Some(DrawFormat::Tikz) => return Ok(PictureFormat::Tikz),
        None => {}
    }
    let extension = file.and_then(Path::extension).unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "" | "svg" => Ok(PictureFormat::Svg),
        "dot" | "gv" => Ok(PictureFormat::Dot),
        "txt" | "text" => Ok(PictureFormat::Text),
        "tex" | "tikz" => Ok(PictureFormat::Tikz),
        "pdf" | "png" | "eps" | "ps" => Err(Failure::with_hint(
            format!("'.{extension}' is not written directly"),
            Some(converters(file, &extension)),
        )),
        other => Err(Failure::with_hint(
            format!("there is no picture format for '.{}'", printable(other)),
            Some("name the file .svg, .dot, .tex or .txt, or add --to svg".to_string()),
        )),
    }
}

/// How a picture becomes a file of a format that other programs write.
fn converters(file: Option<&Path>, extension: &str) -> String {
    let stem = file.and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
    let stem = in_shell_quotes(&stem);
    format!(
        "write {stem}.svg, then: rsvg-convert -f {extension} {stem}.svg -o {stem}.{extension} (librsvg), \
         or: inkscape {stem}.svg -o {stem}.{extension}; for LaTeX, {stem}.tex is TikZ"
    )
}

fn read_trace(session: &Session, path: &Path) -> Result<NamedRun, Stop> {
    let bytes = model_source::read_bytes(session, path)?;
    Ok(named_run(&bytes, path.display().to_string())?)
}

fn named_run(bytes: &[u8], file: String) -> Result<NamedRun, Failure> {
    let saved = trace_file::read(bytes, &file)?;
    let lines = saved.lines.into_iter().map(Some).chain(std::iter::repeat(None));
    let steps = saved.events.into_iter().zip(lines).map(|(name, line)| NamedStep { name, line });
    Ok(NamedRun { file: Some(file), steps: steps.collect() })
}

fn warning(remark: &String) -> InputError {
    InputError { is_warning: true, ..InputError::plain(remark) }
}

fn name_of(what: Subject) -> &'static str {
    match what {
        Subject::Net => "net",
        Subject::States => "states",
        Subject::Diagram => "diagram",
        Subject::Trace => "trace",
        Subject::Hierarchy => "hierarchy",
        Subject::Vtree => "vtree",
    }
}

fn name_of_format(format: PictureFormat) -> &'static str {
    match format {
        PictureFormat::Svg => "svg",
        PictureFormat::Dot => "dot",
        PictureFormat::Text => "text",
        PictureFormat::Tikz => "tikz",
    }
}

struct DrawAnswer {
    model: String,
    what: Subject,
    format: PictureFormat,
    file: Option<PathBuf>,
    outcome: Outcome<Drawing>,
    time: Duration,
}

impl DrawAnswer {
    fn unknown(session: &Session, unknown: Unknown) -> DrawAnswer {
        DrawAnswer {
            model: session.model.clone().unwrap_or_default(),
            what: Subject::Net,
            format: PictureFormat::Svg,
            file: None,
            outcome: Err(unknown),
            time: session.elapsed(),
        }
    }

    /// What was written, for people.
    fn report(&self, drawing: &Drawing, file: &Path) -> String {
        let mut table = Table::default();
        table.row("model", printable(&self.model));
        let sizes = [counted(drawing.nodes as u64, "node"), counted(drawing.arcs as u64, "arc")].join(", ");
        let frames = drawing.frames.map(|frames| format!("{}, each with ", counted(frames as u64, "frame")));
        table.row("picture", format!("{}: {}{sizes}", name_of(self.what), frames.unwrap_or_default()));
        let format = name_of_format(self.format);
        table.row("file", format!("{BOLD}{}{BOLD:#} ({format})", printable(&file.display().to_string())));
        table.row("time", numbers::seconds(self.time));
        table.to_text()
    }
}

impl Answer for DrawAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.outcome, &self.file, detail) {
            (Ok(drawing), None, _) => drawing.text.clone(),
            (Ok(_), Some(_), Detail::Quiet) => String::new(),
            (Ok(drawing), Some(file), _) => self.report(drawing, file),
            (Err(_), _, Detail::Quiet) => "unknown\n".to_string(),
            (Err(unknown), _, _) => {
                unknown_text(&self.model, "picture", unknown, self.time, detail == Detail::Verbose)
            }
        }
    }

    fn is_verbatim(&self) -> bool {
        self.file.is_none()
    }

    fn body(&self) -> json::Body {
        match &self.outcome {
            Ok(drawing) => {
                let file = self.file.as_ref().map(|file| file.display().to_string());
                json::Body::Draw(json::Draw::new(
                    name_of(self.what),
                    name_of_format(self.format),
                    file,
                    drawing,
                ))
            }
            Err(_) => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        Status::of(&self.outcome)
    }
}
