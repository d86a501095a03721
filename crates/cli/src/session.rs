//! The session: what all commands share in one run of the program.
//!
//! It holds the job with its limits, how much is to be printed and in which form, and the warnings
//! so far. Commands return an answer; the session prints it, once.

use crate::advice::{KnownQuestion, Next, Tried};
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{CompareFormat, GlobalOptions};
use crate::console::{self, Console, Printed};
use crate::dashes::typed_error;
use crate::failure::{Failure, describe};
use crate::fold::folded;
use crate::machine;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symbolon_checker::{
    Budget, Event, ExaminationLine, InputError, Interrupted, Job, Limits, Override, PartialReport,
    ProcessLimits, Reason, Unknown,
};
use symbolon_report::{Envelope, ProgressEvent, Report, Status};

/// Why there is no answer if an allocation failed.
pub(crate) const OUT_OF_MEMORY: &str = "the system refused more memory";

/// Where the events of the job go: to the command, and with `--progress json` to standard error.
struct Listener {
    console: Arc<Console>,
    prints_progress: bool,
    command: Mutex<Option<Arc<CommandListener>>>,
}

type CommandListener = dyn Fn(&Event<'_>) + Send + Sync;

impl Listener {
    fn hear(&self, event: &Event<'_>) {
        let command = self.command.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(command) = command {
            command(event);
        }
        if let (true, Event::Progress(progress)) = (self.prints_progress, event) {
            self.console.note(&ProgressEvent::new(progress).to_line());
        }
    }
}

/// One run.
pub(crate) struct Session {
    /// The streams.
    pub(crate) console: Arc<Console>,
    /// Asks the questions of the command.
    pub(crate) job: Job,
    listener: Arc<Listener>,
    /// Time, memory and cancellation of the whole command.
    pub(crate) budget: Budget,
    /// The limits behind the budget.
    pub(crate) limits: Limits,
    /// The limits that the system, and the user, set on this process.
    pub(crate) process_limits: ProcessLimits,
    /// How text is shown.
    pub(crate) detail: Detail,
    /// One JSON object instead of text.
    pub(crate) json: bool,
    /// A table instead of text, where the answer is one.
    pub(crate) table_format: Option<CompareFormat>,
    /// The command, if one was recognised.
    pub(crate) command: Option<String>,
    /// The model as the user wrote it.
    pub(crate) model: Option<String>,
    /// Other values for parameters of the model.
    pub(crate) parameters: Vec<Override>,
    /// What the user wrote, the program first.
    pub(crate) words: Vec<OsString>,
    question: Mutex<KnownQuestion>,
    warnings: Mutex<Vec<InputError>>,
    activity: Mutex<Option<String>>,
}

impl Session {
    /// A session for these options; its clock starts now.
    pub(crate) fn new(
        words: &[OsString],
        global: &GlobalOptions,
        command: Option<&str>,
        model: Option<String>,
    ) -> Session {
        let limits = match command {
            // Its limits are those of every cell, and cells are processes of their own.
            Some("compare") => Limits { time: None, memory: None },
            _ => {
                Limits { time: global.timeout, memory: global.memory.or_else(machine::default_memory_limit) }
            }
        };
        let mut process_limits = machine::process_limits();
        if command != Some("compare") {
            process_limits.cpu_time = process_limits.cpu_time.into_iter().chain(global.cpu_timeout).min();
        }
        let detail = match (global.quiet, global.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        };
        let console = Arc::new(Console::new(global.color));
        let listener = Arc::new(Listener {
            console: Arc::clone(&console),
            prints_progress: global.progress.is_some(),
            command: Mutex::default(),
        });
        let budget = Budget::within(limits, process_limits);
        let hears = Arc::clone(&listener);
        let job = match listener.prints_progress {
            true => Job::observed(budget.clone(), move |event| hears.hear(&event)),
            false => Job::observed_at_changes(budget.clone(), move |event| hears.hear(&event)),
        };
        let session = Session {
            console,
            job,
            listener,
            budget,
            limits,
            process_limits,
            detail,
            json: global.json,
            table_format: None,
            command: command.map(str::to_string),
            model,
            parameters: global.parameters.clone(),
            words: words.to_vec(),
            question: Mutex::default(),
            warnings: Mutex::default(),
            activity: Mutex::default(),
        };
        if global.cpu_timeout.is_some() && !machine::reports_cpu_time() {
            let warning =
                InputError::plain("this system does not report CPU time: '--cpu-timeout' has no effect");
            let warning = warning.with_hint("'--timeout' limits the time by the clock");
            session.warn(&[InputError { is_warning: true, ..warning }]);
        }
        session
    }

    /// Hands the events of the job to the command from now on.
    pub(crate) fn listen(&self, listener: impl Fn(&Event<'_>) + Send + Sync + 'static) {
        *self.listener.command.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(listener));
    }

    /// Shows warnings: at once as text, or kept for the JSON object.
    pub(crate) fn warn(&self, warnings: &[InputError]) {
        let warnings: Vec<InputError> = warnings.iter().cloned().map(typed_error).collect();
        if self.json {
            self.lock_warnings().extend(warnings);
        } else if self.detail != Detail::Quiet && !warnings.is_empty() {
            self.console.note(&describe(&warnings));
        }
    }

    /// Warns of a file that could not be made beside an answer, which stands all the same.
    pub(crate) fn warn_of(&self, made: Result<(), Failure>) {
        if let Err(Failure(errors)) = made {
            let warning = |error| InputError { is_warning: true, ..error };
            self.warn(&errors.into_iter().map(warning).collect::<Vec<_>>());
        }
    }

    /// Explains a choice, with `-v`.
    pub(crate) fn explain(&self, text: &str) {
        if self.detail == Detail::Verbose && !self.json {
            self.console.note(&format!("{text}\n"));
        }
    }

    /// Keeps what decides which advice is good if the question stays open.
    pub(crate) fn note_question(&self, note: impl FnOnce(&mut KnownQuestion)) {
        note(&mut self.question.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What is known of the question.
    pub(crate) fn question(&self) -> KnownQuestion {
        self.question.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What can be tried next, if the answer is unknown.
    fn next(&self, answer: &dyn Answer) -> Next {
        let limit = self.limits.time.or(self.process_limits.cpu_time);
        let tried = Tried {
            words: &self.words,
            command: self.command.as_deref(),
            model: self.model.as_deref(),
            phase: self.budget.progress().phase(),
            seconds: limit.map(|time| time.as_secs_f64()),
            bytes: self.limits.memory,
        };
        match answer.status() {
            Status::Unknown(unknown) => Next::after(&tried, self.question(), unknown),
            Status::Ok | Status::Incomplete(_) | Status::Error(_) => Next::default(),
        }
    }

    /// Says what is being done, for the progress line.
    pub(crate) fn show_activity(&self, text: String) {
        *self.activity.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// What is being done, if the command says so.
    pub(crate) fn activity(&self) -> Option<String> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Prints the answer, as text or as JSON.
    pub(crate) fn print(&self, answer: &dyn Answer) -> Printed {
        let text = self.render(answer);
        self.console.answer(&text, answer.exit_status())
    }

    /// The same, unless another thread is printing right now.
    pub(crate) fn print_if_free(&self, answer: &dyn Answer) -> Printed {
        let text = self.render(answer);
        self.console.answer_if_free(&text, answer.exit_status())
    }

    /// Hands over what is printed if memory runs out so far that no answer can be built.
    pub(crate) fn prepare_answer(&self, answer: impl FnOnce(Unknown) -> Box<dyn Answer>) {
        let unknown = self.cut_off(Reason::Memory, OUT_OF_MEMORY);
        let is_contest = self.command.as_deref() == Some("mcc");
        let (text, status) = match (self.json, self.detail) {
            (true, _) => {
                let answer = answer(unknown);
                (self.report(&*answer, None), answer.exit_status())
            }
            // The contest has a word of its own.
            (false, _) if is_contest => {
                (format!("{}\n", ExaminationLine::CannotCompute), ExitStatus::Success)
            }
            (false, Detail::Quiet) => ("unknown\n".to_string(), ExitStatus::Unknown),
            (false, _) => (format!("unknown: {OUT_OF_MEMORY}\n"), ExitStatus::Unknown),
        };
        symbolon_process::prepare_answer(text.as_bytes(), status as u8);
    }

    /// What a command that was cut off can say: how far it got.
    pub(crate) fn cut_off(&self, reason: Reason, detail: &str) -> Unknown {
        let progress = self.budget.progress();
        let partial =
            PartialReport { states_at_least: None, nodes: progress.nodes(), steps: progress.steps() };
        Unknown { partial, ..Unknown::because(reason, detail) }
    }

    /// The same for a computation that the budget stopped.
    pub(crate) fn interrupted(&self, why: Interrupted) -> Unknown {
        self.cut_off(why.into(), &why.to_string())
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }

    fn render(&self, answer: &dyn Answer) -> String {
        if !self.json {
            // The lines of the contest are a protocol.
            let is_plain = self.detail == Detail::Quiet || self.command.as_deref() == Some("mcc");
            if let Some(table) = self.table_format.and_then(|format| answer.records()?.written(format)) {
                return table;
            }
            let next = if is_plain { String::new() } else { self.next(answer).text() };
            let text = answer.text(self.detail) + &next;
            return match console::columns() {
                Some(columns) if !answer.is_verbatim() && !is_plain => folded(&text, columns),
                _ => text,
            };
        }
        self.report(answer, machine::peak_resident_bytes())
    }

    fn report(&self, answer: &dyn Answer, peak_bytes: Option<u64>) -> String {
        let next = self.next(answer);
        let envelope = Envelope {
            command: self.command.clone(),
            model: self.model.clone(),
            seconds: self.elapsed().as_secs_f64(),
            peak_bytes,
            warnings: self.lock_warnings().clone(),
            phase: next.phase,
            exploring_by: next.exploring_by,
            commands_to_try: next.commands,
        };
        Report::new(envelope, answer.body(), answer.status()).to_line()
    }

    fn lock_warnings(&self) -> std::sync::MutexGuard<'_, Vec<InputError>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
