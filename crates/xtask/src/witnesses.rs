//! `cargo xtask witnesses`: every run that `symbolon check` shows for the contest's formulas, walked again and judged.
//!
//! The program is run as a user runs it, and what it prints as JSON is believed in nothing: the net is read and its formulas
//! are resolved here, runs are replayed by `explicit`, and where the net has few states, verdicts and lengths of runs that
//! are said to be shortest are compared with those of an explicit search.

mod judge;
mod lengths;
mod run;

use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
use symbolon_budget::{Budget, Limits as BudgetLimits};
use symbolon_explicit::{CheckOptions, Checker};
use symbolon_model::Model;
use symbolon_petri::read::read_pnml;
use symbolon_petri::{Net, lower};

use self::judge::{Judge, Judgement};
use crate::child::{self, Limits};
use crate::corpus::{Instance, Kind, Selection, find_instances};
use crate::project::{self, BinaryOptions};
use crate::table::{Table, To};

/// The examinations with formulas that a run may show.
const EXAMINATIONS: [&str; 6] = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

/// The options of `cargo xtask witnesses`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Seconds for the formulas of one file
    #[arg(long, default_value_t = 8.0, value_name = "SECONDS")]
    timeout: f64,
    /// Memory for one run, such as 200M or 8G
    #[arg(long, default_value = "4G", value_name = "SIZE", value_parser = child::size)]
    memory: u64,
    /// Only instances with this in their name, or matching a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only a third of the instances, always the same ones
    #[arg(long)]
    third: bool,
    /// Nets with at most N states are explored to judge verdicts and shortest runs
    #[arg(long, default_value_t = 200_000, value_name = "N")]
    states: usize,
    /// Compare lengths: at most N runs to states of each net, the smallest nets first
    #[arg(long, value_name = "N")]
    lengths: Option<usize>,
    /// With --lengths: the number of nets that have such runs
    #[arg(long, default_value_t = 50, value_name = "N", requires = "lengths")]
    nets: usize,
    /// An option to hand to symbolon; may be repeated
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    extra: Vec<String>,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
    #[command(flatten)]
    binary: BinaryOptions,
}

/// What came of one examination.
#[derive(Clone, Debug, Default)]
struct Tally {
    formulas: usize,
    decided: usize,
    verdicts_checked: usize,
    runs: usize,
    replayed: usize,
    shown: usize,
    said_shortest: usize,
    shortest_checked: usize,
    wrong: usize,
}

/// Runs everything and prints the table. False if something was wrong.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let Some(folder) = project::contest() else {
        eprintln!(
            "SKIPPED: no corpus: there is no ../shared/mcc beside the project, and SYMBOLON_CORPUS names none"
        );
        return Ok(true);
    };
    let selection = Selection { kind: Kind::Pt, third: options.third, filter: options.filter.as_deref() };
    let instances = find_instances(&folder, &selection)?;
    if instances.is_empty() {
        bail!("no instance in {} is wanted; loosen --filter or --third", folder.display());
    }
    let binary = project::binary(&options.binary)?;
    if let Some(most) = options.lengths {
        return lengths::run(instances, &binary, options, most);
    }
    let mut tallies = vec![Tally::default(); EXAMINATIONS.len()];
    let mut complaints = Vec::new();
    for instance in &instances {
        examine(instance, &binary.path, options, &mut tallies, &mut complaints)
            .with_context(|| instance.name.clone())?;
    }
    println!(
        "witnesses: {} instances, {} s and {} a file, explored up to {} states, sources {}\n",
        instances.len(),
        options.timeout,
        child::show_size(options.memory),
        options.states,
        binary.label
    );
    println!("{}", table(&tallies).render(options.to));
    complaints.iter().for_each(|complaint| println!("WRONG: {complaint}"));
    Ok(complaints.is_empty())
}

fn table(tallies: &[Tally]) -> Table {
    let mut table = Table::new(
        1,
        &[
            "examination",
            "formulas",
            "decided",
            "verdicts checked",
            "runs",
            "replayed",
            "seen to show it",
            "said shortest",
            "shortest checked",
            "wrong",
        ],
    );
    for (name, tally) in EXAMINATIONS.iter().zip(tallies) {
        let numbers = [
            tally.formulas,
            tally.decided,
            tally.verdicts_checked,
            tally.runs,
            tally.replayed,
            tally.shown,
            tally.said_shortest,
            tally.shortest_checked,
            tally.wrong,
        ];
        table.push([name.to_string()].into_iter().chain(numbers.map(|number| number.to_string())).collect());
    }
    table
}

/// All formulas of one instance.
fn examine(
    instance: &Instance,
    binary: &std::path::Path,
    options: &Options,
    tallies: &mut [Tally],
    complaints: &mut Vec<String>,
) -> Result<()> {
    let model = lower(&net_of(instance)?);
    let mut judge = Judge::new(&model, explored(&model, options));
    for (examination, tally) in EXAMINATIONS.iter().zip(tallies) {
        let formulas = instance.folder.join(format!("{examination}.xml"));
        if !formulas.is_file() {
            continue;
        }
        let ran = check(instance, &formulas, binary, options)?;
        let Ok(report) = serde_json::from_str::<Value>(&ran.stdout) else {
            complaints.push(format!("{} {examination}: no JSON, ended by {:?}", instance.name, ran.ending));
            tally.wrong += 1;
            continue;
        };
        let before = tally.wrong;
        for property in report["properties"].as_array().into_iter().flatten() {
            let judgement = judge.judge(property);
            tally.count(property, &judgement);
            let name = property["name"].as_str().unwrap_or_default();
            complaints.extend(judgement.complaints.iter().map(|complaint| format!("{name}: {complaint}")));
        }
        eprintln!(
            "{:<40} {examination:<24} {:>7.2} s  {} wrong",
            instance.name,
            ran.cpu_seconds,
            tally.wrong - before
        );
    }
    Ok(())
}

fn net_of(instance: &Instance) -> Result<Net> {
    let path = instance.folder.join("model.pnml");
    match read_pnml(&fs::read(&path)?, &Budget::unlimited()) {
        Ok(reading) => Ok(reading.net),
        Err(failure) => bail!("{}: {failure}", path.display()),
    }
}

/// All states, if they are few.
fn explored<'m>(model: &'m Model, options: &Options) -> Option<Checker<'m>> {
    let patience = BudgetLimits { time: Some(Duration::from_secs(60)), memory: Some(options.memory) };
    let small = CheckOptions { state_limit: Some(options.states), ..CheckOptions::default() };
    Checker::new(model, &small, &Budget::new(patience)).ok()
}

/// Asks the program about a file of formulas.
fn check(
    instance: &Instance,
    formulas: &std::path::Path,
    binary: &std::path::Path,
    options: &Options,
) -> Result<child::Run> {
    let mut command = Command::new(binary);
    command.arg("--json").arg("--timeout").arg(options.timeout.to_string());
    command.arg("--memory").arg(child::show_size(options.memory)).args(&options.extra);
    command.arg("check").arg(instance.folder.join("model.pnml")).arg("--formulas").arg(formulas);
    let limits = Limits {
        wall: Duration::from_secs_f64(2.0 * options.timeout + 10.0),
        resident_bytes: options.memory.saturating_mul(2),
    };
    child::run(&mut command, limits)
}

impl Tally {
    fn count(&mut self, property: &Value, judgement: &Judgement) {
        self.formulas += 1;
        self.decided += usize::from(property["verdict"] != "unknown");
        self.verdicts_checked += usize::from(judgement.is_verdict_checked);
        self.runs += usize::from(!property["witness"].is_null());
        self.replayed += usize::from(judgement.is_replayed);
        self.shown += usize::from(judgement.is_shown);
        self.said_shortest += usize::from(property["witness"]["shortest"] == true);
        self.shortest_checked += usize::from(judgement.is_shortest_checked);
        self.wrong += usize::from(!judgement.complaints.is_empty());
    }
}
