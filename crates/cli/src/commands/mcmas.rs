//! `mcmas`: the options, lines and exit status that users and wrappers of MCMAS know.
//!
//! Lines are printed as soon as they are known. Verdicts do not change the exit status there, so they do not here; a file
//! with mistakes ends with 255.

mod lines;
mod options;

use super::prepare;
use super::text_answer::TextAnswer;
use crate::answer::{Answer, Detail, ExitStatus, Status};
use crate::arguments::{GlobalOptions, McmasArguments};
use crate::failure::Failure;
use crate::json;
use crate::model_source;
use crate::session::Session;
use crate::watch::watch;
use lines::{Lines, formula_line};
use options::{HELP, McmasOptions};
use std::sync::{Arc, Mutex, PoisonError};
use symbolon_checker::{
    CheckOptions, Error, Format, InputError, Loaded, Options, Outcome, PropertyReport, ReorderChoice, Space,
    Unknown, VariableOrder, Verdict, check_and_measure, load,
};

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
    let lines = Arc::new(Lines::new(session, wish.quiet));
    let known: Arc<Mutex<Vec<PropertyReport>>> = Arc::default();
    let (known_so_far, told) = (Arc::clone(&known), Arc::clone(&lines));
    watch(session, move |unknown| {
        let reports = known_so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told.say(&format!("stopped: {}", unknown.detail));
        Box::new(McmasAnswer { reports, space: None, ending: Ending::Unknown(unknown) })
    });
    let answer = answer(session, global, &wish, &lines, &known)?;
    lines.check_written()?;
    Ok(Box::new(answer))
}

fn answer(
    session: &Arc<Session>,
    global: &GlobalOptions,
    wish: &McmasOptions,
    lines: &Lines,
    known: &Mutex<Vec<PropertyReport>>,
) -> Result<McmasAnswer, Failure> {
    let cut_off =
        |unknown| McmasAnswer { reports: Vec::new(), space: None, ending: Ending::Unknown(unknown) };
    for option in &wish.without_effect {
        session.explain(&format!("'{option}' has no effect here"));
    }
    for option in &wish.planned {
        let message = format!("'{option}' has no effect yet");
        session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    }
    let mut options = match prepare::options(session, global)? {
        Outcome::Done(options) => options,
        Outcome::Unknown(unknown) => return Ok(cut_off(unknown)),
    };
    if let (Some(number), VariableOrder::Auto) = (wish.order, &options.variable_order) {
        options.variable_order = VariableOrder::Named(format!("agents-{number}"));
        options.reorder =
            if wish.reordering == Some(1) { ReorderChoice::Off } else { ReorderChoice::Dynamic };
    }
    let source = match model_source::read_file(session, &wish.file, Some(Format::Ispl))? {
        Outcome::Done(source) => source,
        Outcome::Unknown(unknown) => return Ok(cut_off(unknown)),
    };
    let loaded = match load(source, &session.budget) {
        Ok(Outcome::Done(loaded)) => loaded,
        Ok(Outcome::Unknown(unknown)) => return Ok(cut_off(unknown)),
        Err(Error::Input(mistakes)) => {
            lines.mistakes(&wish.file, &mistakes);
            return Ok(McmasAnswer {
                reports: Vec::new(),
                space: None,
                ending: Ending::Wrong(Failure(mistakes)),
            });
        }
    };
    session.warn(&loaded.warnings);
    refuse_other_strategies(&loaded, wish)?;
    lines.introduction(&wish.file);
    verify(session, &loaded, &options, wish, lines, known)
}

/// Refuses strategies with partial observation: a verdict on others would be wrong.
fn refuse_other_strategies(loaded: &Loaded, wish: &McmasOptions) -> Result<(), Failure> {
    let properties = &loaded.questions.properties;
    let speaks = properties.iter().any(|property| property.speaks_of_strategies());
    if speaks && (wish.uniform || wish.strategies == Some(2)) {
        let message = "strategies with partial observation are not supported yet";
        let hint = "leave out '-atlk 2', '-uniform' and '-ufgroup' for strategies with full observation";
        return Err(Failure::with_hint(message, Some(hint.to_string())));
    }
    Ok(())
}

fn verify(
    session: &Session,
    loaded: &Loaded,
    options: &Options,
    wish: &McmasOptions,
    lines: &Lines,
    known: &Mutex<Vec<PropertyReport>>,
) -> Result<McmasAnswer, Failure> {
    let properties = &loaded.questions.properties;
    *known.lock().unwrap_or_else(PoisonError::into_inner) =
        properties.iter().map(PropertyReport::open).collect();
    let wanted = CheckOptions { space: true, dead_state: wish.deadlocks, ..CheckOptions::default() };
    let texts = &loaded.questions.reference_texts;
    let mut next = 0;
    let (reports, space) =
        check_and_measure(loaded, properties, wanted, options, &session.budget, &mut |number, report| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            known[number] = report.clone();
            // Verdicts may come in any order, lines come in that of the file.
            while let Some(report) = known.get(next).filter(|report| report.verdict != Verdict::Unknown) {
                lines.say(&formula_line(next + 1, &texts[next], report.verdict));
                next += 1;
            }
        })?;
    let unknown = reports.iter().find_map(|report| report.unknown.clone());
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

/// How it ended.
enum Ending {
    Done,
    Unknown(Unknown),
    Wrong(Failure),
}

/// All lines were printed already; this is what JSON tells, and the exit status.
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
