//! `cargo xtask speed`: the rows of the speed comparison, each several times, whole process and
//! default options, reported as medians.
//!
//! Where `SYMBOLON_MEDDLY` names a folder with the rival's example programs, they run alternately
//! with ours, so that a busy machine disturbs both alike. Elsewhere the figures kept in
//! `bench/rivals.toml` are shown instead, with where they come from. The rival is never part of
//! the project; that file says which version, with which options, gave which figures.

mod rivals;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

use self::rivals::{Figure, Rivals};
use crate::child::{self, Ending, Limits, Run};
use crate::corpus::{matches, shorten};
use crate::project::{self, BinaryOptions};
use crate::table::{Table, To};

/// The options of `cargo xtask speed`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only rows with this in their name, or matching a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How often each row is run
    #[arg(long, default_value_t = 5, value_name = "N")]
    runs: usize,
    /// Seconds after which a run is killed
    #[arg(long, default_value_t = 120, value_name = "SECONDS")]
    timeout: u64,
    /// Memory past which a run is killed
    #[arg(long, default_value = "8G", value_name = "SIZE", value_parser = child::size)]
    memory: u64,
    /// An option to hand to symbolon; may be repeated
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    extra: Vec<String>,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
    #[command(flatten)]
    binary: BinaryOptions,
}

/// One line of the comparison.
#[derive(Clone, Debug)]
struct Row {
    /// A built-in model, or an instance of the corpus.
    name: &'static str,
    /// Whether the model is read from the corpus.
    from_corpus: bool,
}

const BUILT_IN: [&str; 14] = [
    "kanban:50",
    "kanban:100",
    "kanban:200",
    "kanban:500",
    "fms:20",
    "fms:200",
    "philosophers-left-right:1000",
    "philosophers-left-right:10000",
    "philosophers-left-right:100000",
    "philosophers:10000",
    "philosophers:100000",
    "slotted-ring:20",
    "slotted-ring:50",
    "slotted-ring:100",
];

const FROM_CORPUS: [&str; 6] = [
    "Kanban-PT-00050",
    "FMS-PT-00050",
    "Dekker-PT-020",
    "TokenRing-PT-010",
    "SharedMemory-PT-000010",
    "Peterson-PT-3",
];

/// What one row came to.
struct Timing {
    row: &'static str,
    ours: Result<Ours, String>,
    rival: Option<Figure>,
}

/// The medians of our runs, and what the last of them answered.
struct Ours {
    cpu_seconds: f64,
    wall_seconds: f64,
    peak_bytes: u64,
    answer: Answer,
}

/// The part of the program's JSON that the table shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    states: String,
    final_nodes: String,
    peak_nodes: String,
}

/// Times the wanted rows and prints the table. False if a row did not end with an answer.
pub(crate) fn run(options: &Options) -> Result<bool> {
    if options.runs == 0 {
        bail!("--runs 0 measures nothing");
    }
    let rivals = Rivals::read(&project::root().join("bench/rivals.toml"))?;
    let meddly = std::env::var_os("SYMBOLON_MEDDLY").map(PathBuf::from);
    if let Some(folder) = &meddly
        && !folder.is_dir()
    {
        bail!("SYMBOLON_MEDDLY names {}, which is no folder", folder.display());
    }
    let binary = project::binary(&options.binary)?;
    let runner = Runner { options, binary: binary.path, meddly, rivals };

    let built_in = BUILT_IN.iter().map(|name| Row { name, from_corpus: false });
    let rows = built_in.chain(FROM_CORPUS.iter().map(|name| Row { name, from_corpus: true }));
    let mut timings = Vec::new();
    for row in rows.filter(|row| options.filter.as_deref().is_none_or(|filter| matches(filter, row.name))) {
        match runner.time(&row)? {
            Some(timing) => timings.push(timing),
            None => {
                eprintln!("SKIPPED: {}: the corpus is absent (../shared/mcc, or SYMBOLON_CORPUS)", row.name)
            }
        }
    }
    println!(
        "speed: median of {}, CPU seconds of the whole process, sources {}\n",
        options.runs, binary.label
    );
    println!("{}", table(&timings).render(options.to));
    print!("{}", summary(&timings));
    Ok(timings.iter().all(|timing| timing.ours.is_ok()))
}

struct Runner<'a> {
    options: &'a Options,
    binary: PathBuf,
    meddly: Option<PathBuf>,
    rivals: Rivals,
}

impl Runner<'_> {
    /// Times one row; nothing if its model is not there.
    fn time(&self, row: &Row) -> Result<Option<Timing>> {
        let model = if row.from_corpus {
            match project::contest().map(|folder| folder.join(row.name).join("model.pnml")) {
                Some(path) if path.is_file() => path,
                _ => return Ok(None),
            }
        } else {
            PathBuf::from(row.name)
        };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut failure = None;
        for _ in 0..self.options.runs {
            if failure.is_none() {
                let mut command = Command::new(&self.binary);
                command.args(&self.options.extra).arg("states").arg(&model).arg("--json");
                let run = self.run(&mut command)?;
                match check_answer(&run) {
                    Ok(answer) => ours.push((run, answer)),
                    Err(reason) => failure = Some(reason),
                }
            }
            // A rival that did not finish once will not finish the next time either.
            if theirs.last().is_none_or(|run: &Run| run.ending.is_success())
                && let Some(folder) = &self.meddly
                && let Some(mut command) = rivals::meddly(folder, row.name)
            {
                theirs.push(self.run(&mut command)?);
            }
        }
        let ours = match failure {
            Some(reason) => Err(reason),
            None => medians(&ours),
        };
        let timing = Timing { row: row.name, ours, rival: self.rival(row.name, &theirs) };
        eprintln!(
            "{:<32} {}",
            row.name,
            timing.ours.as_ref().map_or_else(Clone::clone, |ours| seconds(ours.cpu_seconds))
        );
        Ok(Some(timing))
    }

    fn run(&self, command: &mut Command) -> Result<Run> {
        let wall = Duration::from_secs(self.options.timeout);
        child::run(command, Limits { wall, resident_bytes: self.options.memory })
    }

    /// The rival's medians of just now, or else what is kept.
    fn rival(&self, row: &str, runs: &[Run]) -> Option<Figure> {
        if runs.is_empty() {
            return self.rivals.best(row).cloned();
        }
        let finished = runs.iter().all(|run| run.ending.is_success());
        Some(Figure {
            row: row.to_string(),
            rival: "Meddly".to_string(),
            origin: rivals::Origin::Live,
            cpu_seconds: finished.then(|| median(runs.iter().map(|run| run.cpu_seconds))),
            reachability_seconds: None,
            peak_mb: finished.then(|| median(runs.iter().map(|run| (run.peak_bytes >> 20) as f64))),
        })
    }
}

/// The answer of a run, or why it has none.
fn check_answer(run: &Run) -> Result<Answer, String> {
    match run.ending {
        Ending::Exit(0) => {}
        Ending::Exit(status) => return Err(format!("exit status {status}")),
        Ending::Signal => return Err("crashed".to_string()),
        Ending::OutOfTime => return Err("out of time".to_string()),
        Ending::OutOfMemory => return Err("out of memory".to_string()),
    }
    let value: Value = serde_json::from_str(&run.stdout).map_err(|error| format!("no JSON: {error}"))?;
    let number = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let states = number(&value["states"]).ok_or_else(|| format!("status {}", value["status"]))?;
    let nodes = |key: &str| number(&value["nodes"][key]).unwrap_or_else(|| "-".to_string());
    Ok(Answer { states, final_nodes: nodes("final"), peak_nodes: nodes("peak") })
}

fn medians(runs: &[(Run, Answer)]) -> Result<Ours, String> {
    let Some((_, answer)) = runs.last() else { return Err("not run".to_string()) };
    if runs.iter().any(|(_, other)| other != answer) {
        return Err("runs differ in states or nodes".to_string());
    }
    Ok(Ours {
        cpu_seconds: median(runs.iter().map(|(run, _)| run.cpu_seconds)),
        wall_seconds: median(runs.iter().map(|(run, _)| run.wall_seconds)),
        peak_bytes: median(runs.iter().map(|(run, _)| run.peak_bytes as f64)) as u64,
        answer: answer.clone(),
    })
}

/// The middle value; between two middle ones, their mean.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

fn table(timings: &[Timing]) -> Table {
    let titles = [
        "row",
        "CPU s",
        "wall s",
        "peak MB",
        "nodes",
        "peak nodes",
        "rival",
        "rival CPU s",
        "rival MB",
        "ratio",
        "states",
    ];
    let mut table = Table::new(1, &titles);
    for timing in timings {
        let mut cells = vec![timing.row.to_string()];
        match &timing.ours {
            Ok(ours) => cells.extend([
                seconds(ours.cpu_seconds),
                seconds(ours.wall_seconds),
                (ours.peak_bytes >> 20).to_string(),
                ours.answer.final_nodes.clone(),
                ours.answer.peak_nodes.clone(),
            ]),
            Err(reason) => {
                cells.push(reason.clone());
                cells.extend(std::iter::repeat_n("-".to_string(), 4));
            }
        }
        let dash = || "-".to_string();
        match &timing.rival {
            Some(figure) => cells.extend([
                format!("{} ({})", figure.rival, figure.origin.word()),
                figure.cpu_seconds.map_or_else(|| "none".to_string(), seconds),
                figure.peak_mb.map_or_else(dash, |peak| format!("{peak:.0}")),
            ]),
            None => cells.extend([dash(), dash(), dash()]),
        }
        cells.push(timing.ratio().map_or_else(dash, |ratio| format!("{ratio:.3}")));
        cells.push(timing.ours.as_ref().map_or_else(|_| dash(), |ours| shorten(&ours.answer.states)));
        table.push(cells);
    }
    table
}

impl Timing {
    /// Our CPU time over the rival's.
    fn ratio(&self) -> Option<f64> {
        let ours = self.ours.as_ref().ok()?.cpu_seconds;
        // The clock has a grain: nothing takes less than a tenth of a millisecond.
        Some(ours.max(1e-4) / self.rival.as_ref()?.cpu_seconds?.max(1e-4))
    }
}

/// The geometric mean and the largest of the ratios, for each rival and origin.
fn summary(timings: &[Timing]) -> String {
    let mut groups: Vec<(String, Vec<(&str, f64)>)> = Vec::new();
    for timing in timings {
        if let (Some(ratio), Some(figure)) = (timing.ratio(), &timing.rival) {
            let name = format!("{} ({})", figure.rival, figure.origin.word());
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, ratios)) => ratios.push((timing.row, ratio)),
                None => groups.push((name, vec![(timing.row, ratio)])),
            }
        }
    }
    let mut text = String::new();
    for (name, ratios) in groups {
        let mean = (ratios.iter().map(|(_, ratio)| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        if let Some((row, largest)) = ratios.iter().max_by(|one, other| one.1.total_cmp(&other.1)) {
            let count = ratios.len();
            text += &format!(
                "against {name}: geometric mean {mean:.3} over {count} rows, largest {largest:.3} ({row})\n"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests;
