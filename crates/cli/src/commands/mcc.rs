//! `mcc`: the protocol of the Model Checking Contest on a folder with `model.pnml`.

use super::prepare;
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{GlobalOptions, MccArguments};
use crate::dashes::settle;
use crate::failure::{Failure, describe};
use crate::model_source;
use crate::session::Session;
use crate::watch::watch;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symbolon_checker::{Event, Examination, ExaminationLine, FormulaFile, NetUse, Reason, Stop, Unknown};
use symbolon_report as json;
use symbolon_report::Status;

/// Answers an examination. As text, lines are printed as soon as they are known.
pub(crate) fn mcc(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &MccArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let examination: Examination = arguments.examination.parse()?;
    if !arguments.folder.is_dir() {
        let message = format!("there is no folder '{}'", arguments.folder.display());
        return Err(Failure::with_hint(message, Some("give a folder that contains model.pnml".into())));
    }
    let lines = Arc::new(Lines { session: Arc::clone(session), printed: Mutex::default() });
    let lines_so_far = Arc::clone(&lines);
    watch(session, move |unknown| {
        let mut answer = lines_so_far.answer(examination, Ending::Unknown(unknown));
        answer.lines.push(ExaminationLine::CannotCompute.to_string());
        Box::new(answer)
    });

    let ending = match settle(answer(session, global, arguments, examination, &lines)) {
        Ok(Ok(ending)) => ending,
        Ok(Err(why)) => {
            lines.print(&ExaminationLine::CannotCompute);
            Ending::Unknown(why)
        }
        Err(error) => {
            let failure = Failure::from(error);
            if !session.json {
                session.console.note(&describe(&failure.0));
            }
            // A sound net of a kind that cannot be read yet is not a mistake. Wrong input is one:
            // it gets a message and the exit status for that, and none of the contest's lines.
            match unsupported(session, &failure) {
                Some(unknown) => {
                    lines.print(&ExaminationLine::DoNotCompete);
                    Ending::Unknown(unknown)
                }
                None => Ending::Wrong(failure),
            }
        }
    };
    lines.check_written()?;
    Ok(Box::new(lines.answer(examination, ending)))
}

fn answer(
    session: &Session,
    global: &GlobalOptions,
    arguments: &MccArguments,
    examination: Examination,
    lines: &Arc<Lines>,
) -> Result<Ending, Stop> {
    let options = prepare::options(session, global)?;
    let net = if examination == Examination::UpperBounds { NetUse::Needed } else { NetUse::Welcome };
    let model = arguments.folder.join("model.pnml");
    let loaded = prepare::model_file(session, global, &model, (&options, net))?;
    let formulas = match examination.formula_file() {
        None => None,
        Some(name) => {
            let path = arguments.folder.join(name);
            let bytes = model_source::read_bytes(session, &path)?;
            Some(FormulaFile { name: path.display().to_string(), bytes })
        }
    };
    let shared = Arc::clone(lines);
    session.listen(move |event| {
        if let Event::Line(line) = event {
            shared.print(line);
        }
    });
    let reason = session.job.examine(&loaded, examination, formulas.as_ref(), &options)?;
    if let Some(unknown) = reason {
        return Ok(Ending::Unknown(unknown));
    }
    if lines.ends_with(&ExaminationLine::DoNotCompete) {
        let detail = format!("the examination {} is planned, not in this version", examination.name());
        return Ok(Ending::Unknown(session.cut_off(Reason::Unsupported, &detail)));
    }
    Ok(Ending::Done)
}

/// Whether the model is refused only because its kind is not supported yet.
fn unsupported(session: &Session, failure: &Failure) -> Option<Unknown> {
    let error = failure.0.iter().find(|error| !error.is_warning)?;
    error.is_unsupported.then(|| session.cut_off(Reason::Unsupported, &error.message))
}

/// How an examination ended.
enum Ending {
    Done,
    Unknown(Unknown),
    Wrong(Failure),
}

/// The lines printed so far, shared with the watcher.
struct Lines {
    session: Arc<Session>,
    printed: Mutex<Printed>,
}

#[derive(Default)]
struct Printed {
    lines: Vec<String>,
    /// The first line that could not be written.
    failed: Option<io::Error>,
}

impl Lines {
    /// Whether this line was printed last.
    fn ends_with(&self, line: &ExaminationLine) -> bool {
        self.lock().lines.last() == Some(&line.to_string())
    }

    /// Prints a line at once, or keeps it for the JSON object.
    fn print(&self, line: &ExaminationLine) {
        let line = line.to_string();
        let mut printed = self.lock();
        if !self.session.json
            && let Err(error) = self.session.console.answer_piece(&format!("{line}\n"))
        {
            printed.failed.get_or_insert(error);
        }
        printed.lines.push(line);
    }

    fn check_written(&self) -> Result<(), Failure> {
        match self.lock().failed.take() {
            None => Ok(()),
            Some(error) => Err(Failure::plain(format!("cannot write to standard output: {error}"))),
        }
    }

    fn answer(&self, examination: Examination, ending: Ending) -> MccAnswer {
        let lines = self.lock().lines.clone();
        MccAnswer { examination, printed: lines.len(), lines, ending }
    }

    fn lock(&self) -> MutexGuard<'_, Printed> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct MccAnswer {
    examination: Examination,
    lines: Vec<String>,
    /// The number of lines that were printed already, if text is printed.
    printed: usize,
    ending: Ending,
}

impl Answer for MccAnswer {
    fn text(&self, _: Detail) -> String {
        self.lines[self.printed..].iter().map(|line| format!("{line}\n")).collect()
    }

    fn body(&self) -> json::Body {
        json::Body::Mcc { examination: self.examination.name().to_string(), lines: self.lines.clone() }
    }

    fn status(&self) -> Status<'_> {
        match &self.ending {
            Ending::Done => Status::Ok,
            Ending::Unknown(unknown) => Status::Unknown(unknown),
            Ending::Wrong(failure) => Status::Error(&failure.0),
        }
    }

    fn exit_status(&self) -> ExitStatus {
        match &self.ending {
            Ending::Done | Ending::Unknown(_) => ExitStatus::Success,
            Ending::Wrong(_) => ExitStatus::Wrong,
        }
    }
}
