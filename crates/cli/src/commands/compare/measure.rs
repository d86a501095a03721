//! One cell measured: the program calls itself, and what it says is read from its JSON.
//!
//! Every run is a process of its own, so that runs do not influence each other. It keeps its limits
//! itself; this side only ends a run that is far too late, and all of them on Ctrl-C. CPU time is
//! the system's account of that one process.

use super::cells::{Axis, Cell};
use super::question::{Answered, Question, integer};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use symbolon_checker::{Budget, InputError, Reason};
use wait4::Wait4;

/// How cells are run.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    /// The program that answers: this one.
    pub(super) program: PathBuf,
    /// The question.
    pub(super) question: Question,
    /// The time limit of one run.
    pub(super) timeout: Duration,
    /// Options that all runs get.
    pub(super) options: Vec<OsString>,
    /// How often every cell is run.
    pub(super) runs: usize,
}

/// What became of a cell.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// How it ended.
    pub(super) ending: Ending,
    /// Wall-clock seconds, by its own clock where it reported them.
    pub(super) seconds: f64,
    /// User and system seconds.
    pub(super) cpu_seconds: f64,
    /// The most memory that was resident.
    pub(super) peak_bytes: Option<u64>,
    /// Nodes at the end and at the peak.
    pub(super) nodes: Option<(u64, u64)>,
    /// Steps taken.
    pub(super) steps: Option<u64>,
    /// Of a bounded search: the bound that was sufficient, or that was not.
    pub(super) bound: Option<u64>,
    /// The number of states up to the exchange of members.
    pub(super) symbolic: Option<String>,
    /// Nodes, share and average length of symbolic markings, spelled out.
    pub(super) spelled: Option<(u64, f64, f64)>,
    /// The variable order that was used in the end.
    pub(super) order_used: Option<String>,
    /// The hierarchy that was used in the end, of set diagrams.
    pub(super) hierarchy_used: Option<String>,
    /// What is odd about the model.
    pub(super) warnings: Vec<InputError>,
    /// How many runs this is the median of.
    pub(super) runs: usize,
}

/// How a cell ended.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    /// With an answer in every run; usually the list holds one.
    Answered(Vec<Answered>),
    /// Without one.
    Unknown(Reason),
    /// Because something is wrong: the model, the options, or the program.
    Wrong(Vec<InputError>),
}

/// Runs a cell as often as wanted. The figures are those of the run with the median CPU time; a run
/// without an answer is the last one and speaks for the cell.
pub(super) fn measure(
    manner: &Manner,
    axes: &[Axis],
    cell: &Cell,
    more_options: &[OsString],
    budget: &Budget,
) -> Measured {
    let mut runs: Vec<Measured> = Vec::new();
    let mut answers: Vec<Answered> = Vec::new();
    for _ in 0..manner.runs.max(1) {
        let mut run = run_once(manner, axes, cell, more_options, budget);
        run.runs = runs.len() + 1;
        let Ending::Answered(answer) = &run.ending else { return run };
        for answer in answer {
            if !answers.contains(answer) {
                answers.push(answer.clone());
            }
        }
        runs.push(run);
    }
    let count = runs.len();
    runs.sort_by(|a, b| a.cpu_seconds.total_cmp(&b.cpu_seconds));
    let mut median = runs.swap_remove((count - 1) / 2);
    median.ending = Ending::Answered(answers);
    median.runs = count;
    median
}

fn run_once(
    manner: &Manner,
    axes: &[Axis],
    cell: &Cell,
    more_options: &[OsString],
    budget: &Budget,
) -> Measured {
    let mut command = Command::new(&manner.program);
    command.arg(manner.question.command()).arg("--json");
    for (option, value) in cell.options(axes) {
        command.arg(option).arg(value);
    }
    command
        .args(&manner.options)
        .args(more_options)
        .arg("--timeout")
        .arg(manner.timeout.as_secs_f64().to_string());
    command.arg("--").arg(&cell.model);
    match run_process(command, manner.timeout, budget) {
        Ok(process) => judge(manner.question, cell, &process),
        Err(error) => {
            let message = format!("cannot start '{}': {error}", shown(&manner.program));
            Measured::without_figures(Ending::Wrong(vec![InputError::plain(message)]))
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// What a process left behind.
struct Process {
    stdout: String,
    /// How it ended by itself; none if it was ended from here.
    status: Option<ExitStatus>,
    /// Whether it was ended because of Ctrl-C, not because it was late.
    is_cancelled: bool,
    seconds: f64,
    cpu_seconds: f64,
    peak_bytes: u64,
}

/// A run may be late by so much before it is ended from outside: it says more if it ends by itself.
fn patience(timeout: Duration) -> Duration {
    timeout.saturating_add(timeout / 5).saturating_add(Duration::from_secs(2))
}

fn run_process(mut command: Command, timeout: Duration, budget: &Budget) -> io::Result<Process> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn()?;
    let reader = child.stdout.take().map(|mut pipe| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // A broken pipe ends the text like its end does; half an answer is found out by the
            // reader.
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    });
    let (mut is_ended, mut is_cancelled) = (false, false);
    let mut pause = Duration::from_micros(500);
    let usage = loop {
        if let Some(usage) = child.try_wait4()? {
            break usage;
        }
        is_cancelled |= budget.check().is_err();
        if !is_ended && (is_cancelled || start.elapsed() > patience(timeout)) {
            is_ended = true;
            child.kill()?;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    Ok(Process {
        stdout: reader.and_then(|reader| reader.join().ok()).unwrap_or_default(),
        status: (!is_ended).then_some(usage.status),
        is_cancelled,
        seconds: start.elapsed().as_secs_f64(),
        cpu_seconds: (usage.rusage.utime + usage.rusage.stime).as_secs_f64(),
        peak_bytes: usage.rusage.maxrss,
    })
}

/// What a process that ended says.
fn judge(question: Question, cell: &Cell, process: &Process) -> Measured {
    let figures = |ending| Measured {
        seconds: process.seconds,
        cpu_seconds: process.cpu_seconds,
        peak_bytes: (process.peak_bytes > 0).then_some(process.peak_bytes),
        ..Measured::without_figures(ending)
    };
    let Some(status) = process.status else {
        let reason = if process.is_cancelled { Reason::Interrupted } else { Reason::Timeout };
        return figures(Ending::Unknown(reason));
    };
    let wrong = |what: &str| {
        Ending::Wrong(vec![InputError::plain(format!("{}: {what} ({status})", cell.describe()))])
    };
    let Ok(report) = serde_json::from_str::<Value>(&process.stdout) else {
        return figures(wrong("the program ended without an answer"));
    };
    let ending = match report["status"].as_str() {
        Some("ok") => match question.answer(&report) {
            Some(answer) => Ending::Answered(vec![answer]),
            None => wrong("the program gave another answer than expected"),
        },
        Some("unknown") => match report["reason"].as_str().and_then(reason) {
            Some(reason) => Ending::Unknown(reason),
            None => wrong("the program did not say why there is no answer"),
        },
        _ => Ending::Wrong(problems(&report["errors"], false)),
    };
    let partial_steps = integer(&report["partial"]["steps"]);
    Measured {
        seconds: report["seconds"].as_f64().unwrap_or(process.seconds),
        peak_bytes: integer(&report["peak_bytes"]).or((process.peak_bytes > 0).then_some(process.peak_bytes)),
        nodes: integer(&report["nodes"]["final"]).zip(integer(&report["nodes"]["peak"])),
        steps: integer(&report["steps"]).or(partial_steps),
        bound: integer(&report["bound"]).or(integer(&report["distance"])),
        symbolic: report["symbolic_states"].as_str().map(str::to_string),
        spelled: spelled(&report["spelled"]),
        order_used: named(&report["variable_order"]),
        hierarchy_used: named(&report["hierarchy"]),
        warnings: problems(&report["warnings"], true),
        ..figures(ending)
    }
}

impl Measured {
    fn without_figures(ending: Ending) -> Measured {
        Measured {
            ending,
            seconds: 0.0,
            cpu_seconds: 0.0,
            peak_bytes: None,
            nodes: None,
            steps: None,
            bound: None,
            symbolic: None,
            spelled: None,
            order_used: None,
            hierarchy_used: None,
            warnings: Vec::new(),
            runs: 1,
        }
    }
}

fn spelled(value: &Value) -> Option<(u64, f64, f64)> {
    Some((integer(&value["nodes"])?, value["share"].as_f64()?, value["average_length"].as_f64()?))
}

fn named(value: &Value) -> Option<String> {
    value.as_str().filter(|name| !name.is_empty()).map(str::to_string)
}

fn reason(word: &str) -> Option<Reason> {
    use Reason::{Bound, Interrupted, Memory, Overflow, Timeout, Unbounded, Unsupported};
    [Timeout, Memory, Interrupted, Bound, Overflow, Unsupported, Unbounded]
        .into_iter()
        .find(|reason| reason.word() == word)
}

fn problems(list: &Value, is_warning: bool) -> Vec<InputError> {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let small = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let one = |problem: &Value| InputError {
        file: text(&problem["file"]),
        line: small(&problem["line"]),
        column: small(&problem["column"]),
        hint: text(&problem["hint"]),
        is_warning,
        ..InputError::plain(problem["message"].as_str().unwrap_or("wrong input"))
    };
    list.as_array().into_iter().flatten().map(one).collect()
}

#[cfg(all(test, unix))]
mod tests;
