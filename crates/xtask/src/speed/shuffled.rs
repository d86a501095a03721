//! The rows of the speed comparison with places and transitions in another order: what an author
//! happened to write first must not decide how long a net takes.
//!
//! Three kinds of runs are compared. The model *as given* is a built-in family or a file of the
//! corpus. The same net *written* is the same net as our own PNML, so that reading is part of both
//! sides of the ratio. The *shuffled* nets are that PNML after `Net::shuffled`, one for each seed.
//! All of them must count the same states.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use symbolon_budget::Budget;
use symbolon_petri::Net;
use symbolon_petri::families;
use symbolon_petri::read::{guess_format, read_net};
use symbolon_petri::write::write_pnml;
use tempfile::TempDir;

use super::series::{Measured, Series, geometric_mean, median, time_ratio};
use super::{count, seconds};
use crate::corpus::shorten;
use crate::table::Table;

/// Larger nets are not shuffled: writing and reading them would be most of what is measured.
const MOST_PLACES: usize = 200_000;

/// A shuffled net may take this many times as long as the written one …
const TOLERATED_RATIO: f64 = 1.5;

/// … or this many seconds longer.
const TOLERATED_SECONDS: f64 = 0.05;

/// From this many times the nodes or steps on, an order is clearly worse, whatever the clock says.
const CLEARLY_LARGER: f64 = 2.0;

/// A row's net as files to run, or why it is not shuffled.
pub(super) enum Material {
    Files(Files),
    TooLarge { place_count: usize },
}

/// The files of a row with their runs; they live as long as this value.
pub(super) struct Files {
    /// The net as our own PNML.
    written: Candidate,
    /// The same with places and transitions permuted, by seed.
    shuffled: Vec<(u64, Candidate)>,
    _folder: TempDir,
}

/// A file and its runs so far.
struct Candidate {
    path: PathBuf,
    series: Series,
}

impl Files {
    /// Each file to run, with the series to add the run to.
    pub(super) fn each(&mut self) -> impl Iterator<Item = (&Path, &mut Series)> {
        let shuffled = self.shuffled.iter_mut().map(|(_, candidate)| candidate);
        [&mut self.written]
            .into_iter()
            .chain(shuffled)
            .map(|candidate| (candidate.path.as_path(), &mut candidate.series))
    }

    /// What the runs came to, beside those of the model as given.
    pub(super) fn compare(&self, given: &Measured) -> Comparison {
        let shuffled = self.shuffled.iter();
        let shuffled = shuffled.map(|(seed, candidate)| (*seed, candidate.series.measured())).collect();
        Comparison::new(given.clone(), self.written.series.measured(), shuffled)
    }
}

/// Writes a row's net as it is and once for each seed.
pub(super) fn prepare(model: &Path, seeds: &[u64]) -> Result<Material> {
    let net = load(model).with_context(|| format!("cannot shuffle {}", model.display()))?;
    if net.places.len() > MOST_PLACES {
        return Ok(Material::TooLarge { place_count: net.places.len() });
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let write = |name: String, net: &Net| {
        let path = folder.path().join(name);
        fs::write(&path, write_pnml(net)).with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(Candidate { path, series: Series::default() })
    };
    let written = write("written.pnml".to_string(), &net)?;
    let shuffled = seeds.iter().map(|&seed| {
        let candidate = write(format!("shuffled-{seed}.pnml"), &net.shuffled(seed))?;
        Ok((seed, candidate))
    });
    let shuffled = shuffled.collect::<Result<Vec<_>>>()?;
    Ok(Material::Files(Files { written, shuffled, _folder: folder }))
}

/// The net that the command line would take: a file if there is one, else a built-in family.
fn load(model: &Path) -> Result<Net> {
    let budget = Budget::unlimited();
    let name = model.to_string_lossy();
    if !model.is_file() {
        let (family, parameters) = families::parse(&name)?;
        return Ok(family.generate(&parameters, &budget)?);
    }
    let bytes = fs::read(model)?;
    match guess_format(&bytes, Some(&name)) {
        Some(format) => Ok(read_net(&bytes, format, &budget)?.net),
        None => bail!("this is not a net"),
    }
}

/// What shuffling a row came to.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Compared(Box<Comparison>),
    TooLarge {
        place_count: usize,
    },
    /// The model as given had no answer, so that there is nothing to compare with.
    NotFinished,
}

impl Outcome {
    /// A comparison that was made.
    pub(super) fn compared(comparison: Comparison) -> Outcome {
        Outcome::Compared(Box::new(comparison))
    }

    /// Whether each run that there was ended with an answer, and always the same.
    pub(super) fn is_good(&self) -> bool {
        match self {
            Outcome::Compared(comparison) => comparison.failure().is_none(),
            Outcome::TooLarge { .. } | Outcome::NotFinished => true,
        }
    }
}

/// The measurements of one row.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    given: Measured,
    written: Result<Measured, String>,
    shuffled: Vec<(u64, Result<Measured, String>)>,
}

/// The largest of what the seeds needed, each for itself, and the median of their times.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    median_seconds: f64,
    worst_seconds: f64,
    most_nodes: Option<u64>,
    most_steps: Option<u64>,
}

/// How a shuffled row lags behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    /// Its time is beyond what is tolerated.
    slower: bool,
    /// Its nodes or steps are clearly more.
    larger: bool,
}

impl Comparison {
    /// Puts the measurements of a row together. A run that counts other states than the model as given
    /// has failed.
    pub(super) fn new(
        given: Measured,
        written: Result<Measured, String>,
        shuffled: Vec<(u64, Result<Measured, String>)>,
    ) -> Comparison {
        let same = |other: Measured| match other.answer.states == given.answer.states {
            true => Ok(other),
            false => Err(format!("counts {} states", shorten(&other.answer.states))),
        };
        let written = written.and_then(same);
        let shuffled = shuffled.into_iter().map(|(seed, measured)| (seed, measured.and_then(same))).collect();
        Comparison { given, written, shuffled }
    }

    /// The first failure, with whose it is.
    fn failure(&self) -> Option<String> {
        self.each().find_map(|(name, measured)| Some(format!("{name}: {}", measured.as_ref().err()?)))
    }

    /// What was read from our own PNML, with a name for each.
    fn each(&self) -> impl Iterator<Item = (String, &Result<Measured, String>)> {
        let seeds = self.shuffled.iter().map(|(seed, measured)| (format!("seed {seed}"), measured));
        [("as PNML".to_string(), &self.written)].into_iter().chain(seeds)
    }

    fn spread(&self) -> Option<Spread> {
        let shuffled: Vec<&Measured> =
            self.shuffled.iter().map(|(_, measured)| measured.as_ref().ok()).collect::<Option<_>>()?;
        let times = || shuffled.iter().map(|measured| measured.cpu_seconds);
        Some(Spread {
            median_seconds: median(times()),
            worst_seconds: times().max_by(f64::total_cmp)?,
            most_nodes: shuffled.iter().filter_map(|measured| measured.answer.final_nodes).max(),
            most_steps: shuffled.iter().filter_map(|measured| measured.answer.steps).max(),
        })
    }

    /// How the row ended, in a word or two.
    pub(super) fn word(&self) -> String {
        match (self.failure(), self.spread()) {
            (None, Some(spread)) => seconds(spread.worst_seconds),
            (failure, _) => failure.unwrap_or_default(),
        }
    }

    /// The worst shuffled time over that of the same net as written.
    fn ratio(&self) -> Option<f64> {
        Some(time_ratio(self.spread()?.worst_seconds, self.written.as_ref().ok()?.cpu_seconds))
    }

    fn gap(&self) -> Option<Gap> {
        let (spread, written) = (self.spread()?, self.written.as_ref().ok()?);
        let larger = |most: Option<u64>, before: Option<u64>| match (most, before) {
            (Some(most), Some(before)) => most as f64 >= CLEARLY_LARGER * before.max(1) as f64,
            _ => false,
        };
        Some(Gap {
            slower: self.ratio()? > TOLERATED_RATIO
                && spread.worst_seconds - written.cpu_seconds > TOLERATED_SECONDS,
            larger: larger(spread.most_nodes, written.answer.final_nodes)
                || larger(spread.most_steps, written.answer.steps),
        })
    }
}

impl Gap {
    fn words(self) -> &'static str {
        match (self.slower, self.larger) {
            (true, true) => "slower, larger",
            (true, false) => "slower",
            (false, true) => "larger",
            (false, false) => "",
        }
    }
}

/// The table of the rows that were shuffled.
pub(super) fn table(rows: &[(&str, Outcome)]) -> Table {
    let titles = [
        "row",
        "CPU s",
        "as PNML",
        "shuffled, median",
        "worst",
        "ratio",
        "nodes",
        "shuffled",
        "steps",
        "shuffled",
        "gap",
    ];
    let mut table = Table::new(1, &titles);
    for (row, outcome) in rows {
        let Outcome::Compared(comparison) = outcome else { continue };
        let mut cells = vec![row.to_string()];
        cells.push(seconds(comparison.given.cpu_seconds));
        match (&comparison.written, comparison.spread()) {
            (Ok(written), Some(spread)) => cells.extend([
                seconds(written.cpu_seconds),
                seconds(spread.median_seconds),
                seconds(spread.worst_seconds),
                comparison.ratio().map_or_else(|| "-".to_string(), |ratio| format!("{ratio:.2}")),
                count(written.answer.final_nodes),
                count(spread.most_nodes),
                count(written.answer.steps),
                count(spread.most_steps),
            ]),
            _ => cells.extend(std::iter::repeat_n("-".to_string(), 8)),
        }
        cells.push(match comparison.failure() {
            Some(_) => "failed".to_string(),
            None => comparison.gap().map_or("", Gap::words).to_string(),
        });
        table.push(cells);
    }
    table
}

/// What stands below the table: the ratios in one line, the orders where there is a gap, and what
/// was left out or failed.
pub(super) fn summary(rows: &[(&str, Outcome)]) -> String {
    let mut text = String::new();
    let compared: Vec<(&str, &Comparison)> = rows
        .iter()
        .filter_map(|(row, outcome)| match outcome {
            Outcome::Compared(comparison) => Some((*row, &**comparison)),
            Outcome::TooLarge { .. } | Outcome::NotFinished => None,
        })
        .collect();
    let ratios: Vec<(&str, f64)> =
        compared.iter().filter_map(|(row, comparison)| Some((*row, comparison.ratio()?))).collect();
    if let Some((row, largest)) = ratios.iter().max_by(|one, other| one.1.total_cmp(&other.1)) {
        let mean = geometric_mean(ratios.iter().map(|(_, ratio)| *ratio));
        let slower = compared.iter().filter(|(_, it)| it.gap().is_some_and(|gap| gap.slower)).count();
        text += &format!(
            "shuffled against the same net as PNML: geometric mean {mean:.2} over {} rows, \
             largest {largest:.2} ({row}), {slower} beyond {TOLERATED_RATIO} times and {TOLERATED_SECONDS} s\n",
            ratios.len()
        );
    }
    for (row, comparison) in &compared {
        if let Some(reason) = comparison.failure() {
            text += &format!("- {row} failed: {reason}\n");
        } else if let Some(gap) = comparison.gap().filter(|gap| gap.slower || gap.larger) {
            text += &format!("- {row} {}: {}\n", gap.words(), orders(comparison));
        }
    }
    for (row, outcome) in rows {
        match outcome {
            Outcome::Compared(_) => {}
            Outcome::TooLarge { place_count } => {
                text += &format!("- {row} not shuffled: {place_count} places, more than {MOST_PLACES}\n");
            }
            Outcome::NotFinished => text += &format!("- {row} not shuffled: no answer as given\n"),
        }
    }
    text
}

/// Which order each net of a row got, and what it led to.
fn orders(comparison: &Comparison) -> String {
    let parts = comparison.each().filter_map(|(name, measured)| {
        let Measured { cpu_seconds, answer, .. } = measured.as_ref().ok()?;
        let (nodes, steps) = (count(answer.final_nodes), count(answer.steps));
        let order = &answer.variable_order;
        Some(format!("{name} {order} ({} s, {nodes} nodes, {steps} steps)", seconds(*cpu_seconds)))
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
