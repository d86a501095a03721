//! `cargo xtask corpus`: the contest's models, run through `symbolon mcc` under limits, and the
//! answers compared with the known ones.
//!
//! The corpus is third-party data and lies outside the project (`../shared/mcc`, or where
//! `SYMBOLON_CORPUS` points); without it there is nothing to do, which is reported and is not an error.
//! Every run is stored as soon as it ends (`store`), so that a second call continues where the
//! first was stopped, and `--report` prints the table without running anything.

mod answers;
mod instance;
mod judge;
mod oracle;
mod report;
mod store;
mod twins;

pub(crate) use self::answers::shorten;
pub(crate) use self::instance::{Instance, Kind, Selection, find as find_instances, matches};

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use self::oracle::{EXAMINATIONS, Oracle};
use self::store::{Record, Settings, Store};
use crate::child::{self, Limits};
use crate::project::{self, BinaryOptions};
use crate::table::To;

/// The options of `cargo xtask corpus`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Examinations, separated by commas; "all" for all thirteen
    #[arg(long, value_delimiter = ',', value_name = "NAMES",
        value_parser = PossibleValuesParser::new(EXAMINATIONS.into_iter().chain(["all"])),
        default_value = "StateSpace,ReachabilityDeadlock,UpperBounds,OneSafe,StableMarking,QuasiLiveness")]
    examination: Vec<String>,
    /// CPU seconds for one examination of one instance
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    timeout: f64,
    /// Memory for one run, such as 200M or 8G
    #[arg(long, default_value = "8G", value_name = "SIZE", value_parser = child::size)]
    memory: u64,
    /// Only instances with this in their name, or matching a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only a third of the instances, always the same ones
    #[arg(long)]
    third: bool,
    /// Place/transition nets, coloured nets, or both
    #[arg(long, value_enum, default_value_t = Kind::Pt)]
    kind: Kind,
    /// Compare coloured nets with their place/transition twins (X-COL-n with X-PT-n) instead of
    /// with known answers
    #[arg(long, conflicts_with_all = ["third", "kind"])]
    twins: bool,
    /// How many runs at a time
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
    /// Run everything again, also what is stored
    #[arg(long)]
    fresh: bool,
    /// Print the stored table and run nothing
    #[arg(long)]
    report: bool,
    /// Report on these sources (a label printed earlier) instead of the present ones
    #[arg(long, value_name = "LABEL", requires = "report")]
    commit: Option<String>,
    /// An option to hand to symbolon; may be repeated
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    extra: Vec<String>,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
    #[command(flatten)]
    binary: BinaryOptions,
}

/// One run that is still to be made.
struct Task<'a> {
    instance: &'a Instance,
    oracle: &'a Oracle,
    examination: &'a str,
}

/// Runs what is not stored yet and prints the table. False if an answer was wrong.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let Some(folder) = project::contest() else {
        eprintln!(
            "SKIPPED: no corpus: there is no ../shared/mcc beside the project, and SYMBOLON_CORPUS names none"
        );
        return Ok(true);
    };
    if !(options.timeout > 0.0 && options.timeout < 1e7) {
        bail!("--timeout {} is not a time limit; write seconds above 0", options.timeout);
    }
    let kind = if options.twins { Kind::All } else { options.kind };
    let selection = Selection { kind, third: options.third, filter: options.filter.as_deref() };
    let mut instances = Vec::new();
    for instance in instance::find(&folder, &selection)? {
        let oracle = Oracle::read(&instance.folder)?;
        instances.push((instance, oracle));
    }
    if instances.is_empty() {
        bail!("no instance in {} is wanted; loosen --filter, --third or --kind", folder.display());
    }
    let pairs = options.twins.then(|| twins::pairs(&instances));
    let is_of_use = |instance: &Instance, examination: &str| match &pairs {
        Some(pairs) => pairs.iter().any(|pair| pair.wants(&instance.name, examination)),
        None => true,
    };
    let settings =
        Settings { timeout: options.timeout, memory: options.memory, extra: options.extra.clone() };
    let examinations = wanted_examinations(options);

    let (label, store) = if options.report {
        let label = label_to_report(options)?;
        let store = Store::open(&project::results(), &label, &settings);
        (label, store)
    } else {
        let binary = project::binary(&options.binary)?;
        let store = Mutex::new(Store::open(&project::results(), &binary.label, &settings));
        let mut tasks = open_tasks(&instances, &examinations, &store, options.fresh);
        tasks.retain(|task| is_of_use(task.instance, task.examination));
        run_all(&tasks, &binary.path, &settings, options.jobs, &store)?;
        let store = store.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        (binary.label, store)
    };

    if let Some(pairs) = &pairs {
        let (text, wrong) = twins::report(pairs, &examinations, &store, options.to);
        println!(
            "corpus: {} pairs of twins, {} CPU s each, sources {label}\n",
            pairs.len(),
            settings.timeout
        );
        println!("{text}");
        return Ok(wrong == 0);
    }
    let report = report::report(&instances, &examinations, &store, options.to);
    let extra =
        if settings.extra.is_empty() { String::new() } else { format!(", {}", settings.extra.join(" ")) };
    println!(
        "corpus: {} instances, {} CPU s and {} each{extra}, sources {label}\n",
        instances.len(),
        settings.timeout,
        child::show_size(settings.memory)
    );
    println!("{}", report.text);
    Ok(report.wrong == 0)
}

fn wanted_examinations(options: &Options) -> Vec<String> {
    let wanted = |name: &str| options.examination.iter().any(|wanted| wanted == name || wanted == "all");
    EXAMINATIONS.iter().filter(|name| wanted(name)).map(|name| name.to_string()).collect()
}

/// The label asked for; or that of the present sources; or, if those never ran, the latest one.
fn label_to_report(options: &Options) -> Result<String> {
    let present = match &options.commit {
        Some(label) => return Ok(label.clone()),
        None => project::tree_label()?,
    };
    if project::results().join(format!("{present}.jsonl")).is_file() {
        return Ok(present);
    }
    match store::latest_label(&project::results()) {
        Some(label) => {
            eprintln!(
                "nothing is stored for the present sources ({present}): this is the latest run, {label}"
            );
            Ok(label)
        }
        None => bail!("nothing is stored yet in {}", project::results().display()),
    }
}

/// The runs that are not stored yet.
fn open_tasks<'a>(
    instances: &'a [(Instance, Oracle)],
    examinations: &'a [String],
    store: &Mutex<Store>,
    fresh: bool,
) -> Vec<Task<'a>> {
    let store = store.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut tasks = Vec::new();
    for (instance, oracle) in instances {
        for examination in examinations {
            let is_asked = !oracle.questions(examination).is_empty();
            if is_asked && (fresh || store.get(&instance.name, examination).is_none()) {
                tasks.push(Task { instance, oracle, examination });
            }
        }
    }
    tasks
}

/// Runs the tasks, `jobs` at a time, storing each result as it comes.
fn run_all(
    tasks: &[Task],
    binary: &std::path::Path,
    settings: &Settings,
    jobs: usize,
    store: &Mutex<Store>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let record = run_one(task, binary, settings)?;
            let mut store = store.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            eprintln!(
                "{:<40} {:<24} {:<10} {:>8.2} s {:>6} MB",
                record.instance,
                record.examination,
                report::word(task.oracle, &record),
                record.cpu_seconds,
                record.peak_bytes >> 20
            );
            store.put(record)?;
        }
        Ok(())
    };
    eprintln!("{} runs to make", tasks.len());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(outcome) => outcome,
            Err(_) => bail!("a worker panicked"),
        })
    })
}

fn run_one(task: &Task, binary: &std::path::Path, settings: &Settings) -> Result<Record> {
    let mut command = Command::new(binary);
    command.arg("--cpu-timeout").arg(settings.timeout.to_string());
    command.arg("--timeout").arg(settings.clock_seconds().to_string());
    command.arg("--memory").arg(child::show_size(settings.memory));
    command.args(&settings.extra).arg("mcc").arg(task.examination).arg(&task.instance.folder);
    let run = child::run(&mut command, generous(settings))?;
    let answers = answers::parse(&run.stdout);
    Ok(Record::new(&task.instance.name, task.examination, settings.clone(), &run, answers))
}

/// The limits past which a run that does not keep its own is killed: a fifth more.
fn generous(settings: &Settings) -> Limits {
    Limits {
        wall: Duration::from_secs_f64(1.2 * settings.clock_seconds()),
        resident_bytes: settings.memory.saturating_add(settings.memory / 5),
    }
}

#[cfg(test)]
mod tests;
