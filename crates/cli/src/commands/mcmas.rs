//! `mcmas`: the options, lines and exit status that users and wrappers of MCMAS know.
//!
//! Lines are printed as soon as they are known. Verdicts do not change the exit status there, so
//! they do not here; a file with mistakes ends with 255.

mod evidence;
mod lines;
mod options;
mod syntax;
mod verdicts;

use super::text_answer::TextAnswer;
use super::{prepare, simulate};
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{GlobalOptions, McmasArguments, ModelFormat, SimulateArguments};
use crate::dashes::{settle, typed_reports};
use crate::failure::Failure;
use crate::model_source;
use crate::session::Session;
use crate::watch::watch;
use evidence::Numbered;
use lines::Lines;
use options::{HELP, McmasOptions};
use std::sync::{Arc, Mutex, PoisonError};
use symbolon_checker::{
    CheckOptions, Diagram, DiagramKind, Error, Event, Format, InputError, Loaded, Options, Overflow,
    OverflowReport, Property, PropertyReport, ReorderChoice, Space, Stop, StrategiesChoice, Unknown,
    VariableOrder, Vtree,
};
use symbolon_report as json;
use symbolon_report::Status;
use verdicts::{Verdicts, folder};

/// Checks the formulae of a file as MCMAS does.
pub(crate) fn mcmas(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &McmasArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let wish = options::parse(&arguments.words).map_err(Failure::plain)?;
    if wish.help {
        return Ok(Box::new(TextAnswer(HELP.to_string())));
    }
    if wish.interactive {
        warn_of_ignored_options(session, &wish);
        let global = GlobalOptions { format: Some(ModelFormat(Format::Ispl)), ..global.clone() };
        let model = wish.file.into_os_string();
        let arguments = SimulateArguments { model, random: None, save: None, replay: None };
        return simulate(session, &global, &arguments);
    }
    let lines = Arc::new(Lines::new(session, wish.quiet));
    let verdicts: Arc<Verdicts> = Arc::default();
    let (known, out, wished) = (Arc::clone(&verdicts), Arc::clone(&lines), wish.clone());
    watch(session, move |unknown| {
        // What is known is printed; whether files can be written does not matter any more.
        known.cut_off(&unknown);
        let _ = known.end(&wished, &out);
        out.say(&format!("stopped: {}", unknown.detail));
        let reports = known.reports();
        Box::new(McmasAnswer { reports, space: None, ending: Ending::Unknown(unknown) })
    });
    let answer = answer(session, global, &wish, &lines, &verdicts)?;
    lines.check_written()?;
    Ok(Box::new(answer))
}

fn answer(
    session: &Arc<Session>,
    global: &GlobalOptions,
    wish: &McmasOptions,
    lines: &Arc<Lines>,
    verdicts: &Arc<Verdicts>,
) -> Result<McmasAnswer, Failure> {
    let ended = |ending| McmasAnswer { reports: Vec::new(), space: None, ending };
    warn_of_ignored_options(session, wish);
    let mut options = match settle(prepare::options(session, global))? {
        Ok(options) => options,
        Err(unknown) => return Ok(ended(Ending::Unknown(unknown))),
    };
    if let (Some(number), VariableOrder::Auto) = (wish.order, &options.variable_order) {
        options.variable_order = VariableOrder::Named(format!("agents-{number}"));
        options.reorder =
            if wish.reordering == Some(1) { ReorderChoice::Off } else { ReorderChoice::Dynamic };
    }
    if let Some(number) = wish.vtree {
        use_vtree(&mut options, wish, number)?;
    } else if wish.dynamic {
        options.reorder = ReorderChoice::Dynamic;
    }
    options.strategies = match &wish.uniform_group {
        Some(group) => StrategiesChoice::UniformOf(group.clone()),
        None if wish.uniform || wish.strategies == Some(2) => StrategiesChoice::Uniform,
        None => StrategiesChoice::Perfect,
    };
    let source = match settle(model_source::read_file(session, &wish.file, Some(Format::Ispl)))? {
        Ok(source) => source,
        Err(unknown) => return Ok(ended(Ending::Unknown(unknown))),
    };
    let loaded = match session.job.load(source) {
        Ok(loaded) => loaded,
        Err(Stop::Unknown(unknown)) => return Ok(ended(Ending::Unknown(unknown))),
        Err(Stop::Input(Error::Input(mistakes))) => {
            lines.mistakes(&wish.file, &mistakes);
            return Ok(ended(Ending::Wrong(Failure(mistakes))));
        }
    };
    session.warn(loaded.warnings());
    lines.introduction(&wish.file);
    verify(session, &loaded, &options, wish, lines, verdicts)
}

/// The vtrees of MCMAS-SDD by number, as its thesis describes them.
const VTREES: [&str; 8] = [
    "right-linear",
    "balanced",
    "left-linear",
    "vertical",
    "agent-interleaved-ascending",
    "bounded-sqrt-2",
    "agent-right-linear",
    "per-bit",
];

/// Sentential diagrams under the vtree of this number; the order of variables is that of `-o`, or else
/// 2, and the vtree stays as it is unless `-d` is given.
fn use_vtree(options: &mut Options, wish: &McmasOptions, number: u8) -> Result<(), Failure> {
    if !matches!(options.diagram, Diagram::Auto | Diagram::Kind(DiagramKind::Sentential)) {
        let hint = "leave out '--diagram', or '-vtree'".to_string();
        return Err(Failure::with_hint("'-vtree' requires sentential diagrams", Some(hint)));
    }
    options.diagram = Diagram::Kind(DiagramKind::Sentential);
    options.vtree = Vtree::Named(VTREES[usize::from(number) - 1].to_string());
    let is_dynamic = wish.dynamic || wish.reordering.is_some_and(|number| number != 1);
    options.reorder = if is_dynamic { ReorderChoice::Dynamic } else { ReorderChoice::Off };
    if matches!(options.variable_order, VariableOrder::Auto) {
        options.variable_order = VariableOrder::Named("agents-2".to_string());
    }
    Ok(())
}

/// Names the options that are about the inner life of the other program, where details are wanted.
fn warn_of_ignored_options(session: &Session, wish: &McmasOptions) {
    for option in &wish.without_effect {
        session.explain(&format!("'{option}' has no effect here"));
    }
}

fn verify(
    session: &Session,
    loaded: &Loaded,
    options: &Options,
    wish: &McmasOptions,
    lines: &Arc<Lines>,
    verdicts: &Arc<Verdicts>,
) -> Result<McmasAnswer, Failure> {
    let properties = loaded.properties();
    verdicts.begin(loaded);
    let wanted = CheckOptions {
        witnesses: wish.evidence.is_some(),
        space: true,
        dead_state: wish.deadlocks,
        ..CheckOptions::default()
    };
    if wish.export {
        export(session, loaded, wish)?;
    }
    let written = Arc::new(Mutex::new(Ok(())));
    let (wished, out, known, first) =
        (wish.clone(), Arc::clone(lines), Arc::clone(verdicts), Arc::clone(&written));
    session.listen(move |event| {
        if let Event::Verdict { number, report } = event {
            let learnt = known.learn(&wished, &out, *number, report);
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.is_ok() {
                *first = learnt;
            }
        }
    });
    let (mut reports, space) = settle(session.job.check_and_measure(loaded, properties, wanted, options))?
        .unwrap_or_else(|why| (unknown_reports(properties, &why), None));
    typed_reports(&mut reports);
    let mut written = std::mem::replace(&mut *written.lock().unwrap_or_else(PoisonError::into_inner), Ok(()));
    for (number, report) in reports.iter().enumerate().filter(|(_, report)| !report.verdict.is_known()) {
        let learnt = verdicts.learn(wish, lines, number, report);
        written = written.and(learnt);
    }
    session.warn_of(written.and(verdicts.end(wish, lines)));
    let mut unknown = reports.iter().find_map(|report| report.verdict.unknown().cloned());
    if wish.overflows {
        match settle(session.job.overflows(loaded, options))? {
            Ok(report) => show_overflows(wish, lines, &report),
            Err(why) => unknown = unknown.or(Some(why)),
        }
    }
    if let Some(space) = &space {
        if wish.detail > 0 {
            lines.depth(space);
        }
        if wish.deadlocks {
            lines.deadlock(space);
        }
        lines.conclusion(properties.len(), session.elapsed(), space);
    }
    let ending = unknown.map_or(Ending::Done, Ending::Unknown);
    Ok(McmasAnswer { reports, space, ending })
}

/// A report on each property of which nothing is known.
fn unknown_reports(properties: &[Property], why: &Unknown) -> Vec<PropertyReport> {
    properties.iter().map(|property| PropertyReport::unknown(property, why.clone())).collect()
}

/// Prints the lines that can leave a range, each with a state in which it does, and with `-c` a
/// path to it.
fn show_overflows(wish: &McmasOptions, lines: &Lines, report: &OverflowReport) {
    for Overflow { agent, item, witness, .. } in &report.overflows {
        lines.say(&format!(
            "Evolution item {item} in Agent {agent} can cause overflow in the following state:"
        ));
        let Some(witness) = witness else { continue };
        Numbered::of_state(witness.last.clone()).info().lines().for_each(|line| lines.say(line));
        if wish.evidence.is_some() {
            Numbered::of(witness).print_path(lines);
        }
    }
}

/// More states are not written.
const MOST_STATES: usize = 200_000;

/// Writes all states and steps.
fn export(session: &Session, loaded: &Loaded, wish: &McmasOptions) -> Result<(), Failure> {
    match settle(session.job.list_states(loaded, MOST_STATES))? {
        Ok(list) => Numbered::of_model(list).write(folder(wish), "model"),
        Err(unknown) => {
            let message = format!("'model.dot' and 'model.info' were not written: {}", unknown.detail);
            session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
            Ok(())
        }
    }
}

/// How it ended.
enum Ending {
    Done,
    Unknown(Unknown),
    Wrong(Failure),
}

/// All lines were printed already; this is the JSON and the exit status.
struct McmasAnswer {
    reports: Vec<PropertyReport>,
    space: Option<Space>,
    ending: Ending,
}

impl Answer for McmasAnswer {
    fn text(&self, _: Detail) -> String {
        String::new()
    }

    fn body(&self) -> json::Body {
        json::Body::Mcmas(json::Mcmas::new(&self.reports, self.space.as_ref()))
    }

    fn status(&self) -> Status<'_> {
        match &self.ending {
            Ending::Done => Status::Ok,
            Ending::Unknown(unknown) => Status::Unknown(unknown),
            Ending::Wrong(failure) => Status::Error(&failure.0),
        }
    }

    fn exit_status(&self) -> ExitStatus {
        match self.ending {
            Ending::Done => ExitStatus::Success,
            Ending::Unknown(_) => ExitStatus::Unknown,
            Ending::Wrong(_) => ExitStatus::WrongAsMcmas,
        }
    }
}
