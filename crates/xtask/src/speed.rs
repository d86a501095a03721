//! `cargo xtask speed`: the rows of the speed comparison, each several times, whole process and
//! default options, reported as medians.
//!
//! Where `SYMBOLON_MEDDLY` names a folder with the rival's example programs, they run alternately
//! with ours, so that a busy machine disturbs both alike. Elsewhere the figures kept in
//! `bench/rivals.toml` are shown instead, with where they come from. The rival is never part of
//! the project; that file says which version, with which options, gave which figures.
//!
//! With `--shuffled` each row is also read from PNML, as it is and with its places and transitions
//! in other orders; a second table shows what that cost (see `shuffled`).

mod rivals;
mod series;
mod shuffled;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use self::rivals::{Figure, Rivals};
use self::series::{Measured, Series, geometric_mean, median, time_ratio};
use self::shuffled::{Material, Outcome};
use crate::child::{self, Limits, Run};
use crate::corpus::{matches, shorten};
use crate::project::{self, BinaryOptions};
use crate::table::{Table, To};

/// The options of `cargo xtask speed`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only rows with this in their name, or matching a pattern with * and ?; several with commas
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "FILTER")]
    rows: Vec<String>,
    /// How often each row is run
    #[arg(long, default_value_t = 5, value_name = "N")]
    runs: usize,
    /// Also run each row from PNML, as it is and shuffled by each of these seeds, such as 1,2,3
    #[arg(long, value_delimiter = ',', value_name = "SEEDS")]
    shuffled: Vec<u64>,
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

impl Row {
    /// What to run; nothing if it is not there.
    fn model(&self) -> Option<PathBuf> {
        if !self.from_corpus {
            return Some(PathBuf::from(self.name));
        }
        let path = project::contest()?.join(self.name).join("model.pnml");
        path.is_file().then_some(path)
    }
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
    model: PathBuf,
    ours: Result<Measured, String>,
    rival: Option<Figure>,
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
        bail!("SYMBOLON_MEDDLY names {}, which is not a folder", folder.display());
    }
    let binary = project::binary(&options.binary)?;
    let runner = Runner { options, binary: binary.path, meddly, rivals };

    let built_in = BUILT_IN.iter().map(|name| Row { name, from_corpus: false });
    let rows = built_in.chain(FROM_CORPUS.iter().map(|name| Row { name, from_corpus: true }));
    let is_wanted =
        |row: &Row| options.rows.is_empty() || options.rows.iter().any(|filter| matches(filter, row.name));
    let rows: Vec<Row> = rows.filter(is_wanted).collect();
    if rows.is_empty() {
        bail!("no row matches {}", options.rows.join(" or "));
    }
    let mut timings = Vec::new();
    for row in &rows {
        match row.model() {
            Some(model) => timings.push(runner.time(row.name, &model)?),
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
    let mut is_good = timings.iter().all(|timing| timing.ours.is_ok());
    if !options.shuffled.is_empty() {
        // Only now: a child inherits our own peak of memory, and nets can be large.
        let mut outcomes = Vec::new();
        for timing in &timings {
            outcomes.push((timing.row, runner.shuffle(timing)?));
        }
        println!(
            "\nshuffled by {} seeds, largest of them where not said otherwise\n",
            options.shuffled.len()
        );
        println!("{}", shuffled::table(&outcomes).render(options.to));
        print!("{}", shuffled::summary(&outcomes));
        is_good &= outcomes.iter().all(|(_, outcome)| outcome.is_good());
    }
    Ok(is_good)
}

struct Runner<'a> {
    options: &'a Options,
    binary: PathBuf,
    meddly: Option<PathBuf>,
    rivals: Rivals,
}

impl Runner<'_> {
    /// Times one row as it is given.
    fn time(&self, row: &'static str, model: &Path) -> Result<Timing> {
        let (mut ours, mut theirs) = (Series::default(), Vec::new());
        for _ in 0..self.options.runs {
            self.add_run(&mut ours, model)?;
            // A rival that did not finish once will not finish the next time either.
            if theirs.last().is_none_or(|run: &Run| run.ending.is_success())
                && let Some(folder) = &self.meddly
                && let Some(mut command) = rivals::meddly(folder, row)
            {
                theirs.push(self.run(&mut command)?);
            }
        }
        let ours = ours.measured();
        announce(row, &ours.as_ref().map_or_else(Clone::clone, |ours| seconds(ours.cpu_seconds)));
        Ok(Timing { row, model: model.to_path_buf(), ours, rival: self.rival(row, &theirs) })
    }

    /// Times the row's net written as PNML, as it is and shuffled.
    fn shuffle(&self, timing: &Timing) -> Result<Outcome> {
        // A net that is too hard as given is hardly easier in another order.
        let Ok(given) = &timing.ours else { return Ok(Outcome::NotFinished) };
        let mut files = match shuffled::prepare(&timing.model, &self.options.shuffled)? {
            Material::Files(files) => files,
            Material::TooLarge { place_count } => return Ok(Outcome::TooLarge { place_count }),
        };
        for _ in 0..self.options.runs {
            for (path, series) in files.each() {
                self.add_run(series, path)?;
            }
        }
        let comparison = files.compare(given);
        announce(&format!("{} shuffled", timing.row), &comparison.word());
        Ok(Outcome::compared(comparison))
    }

    /// Runs `symbolon states` once more, unless it failed before.
    fn add_run(&self, series: &mut Series, model: &Path) -> Result<()> {
        if !series.has_failed() {
            let mut command = Command::new(&self.binary);
            command.args(&self.options.extra).arg("states").arg(model).arg("--json");
            series.add(self.run(&mut command)?);
        }
        Ok(())
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

/// Says on the terminal that a row is done.
fn announce(name: &str, word: &str) {
    eprintln!("{name:<42} {word}");
}

fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

/// A number that may be absent, for a table.
fn count(value: Option<u64>) -> String {
    value.map_or_else(|| "-".to_string(), |value| value.to_string())
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
                count(ours.answer.final_nodes),
                count(ours.answer.peak_nodes),
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
        Some(time_ratio(self.ours.as_ref().ok()?.cpu_seconds, self.rival.as_ref()?.cpu_seconds?))
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
        let mean = geometric_mean(ratios.iter().map(|(_, ratio)| *ratio));
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
