//! `cargo xtask attack`: random models and questions, compared with the referee, for as long as
//! there is time.
//!
//! The cases, the comparison and the shrinking are those of `symbolon-attack`; this file runs the
//! program, keeps what was counted in `attack-results/`, and prints the table. Every case belongs
//! to a seed: `--replay SEED` runs one again. A mistake is made smaller and saved as a folder with
//! its files, its command and both answers.

mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use symbolon_attack::{Case, Complaint, Ending, Kind, Output, Tally, compare, shrink};

use self::results::Results;
use crate::child::{self, Limits};
use crate::project::{self, BinaryOptions};
use crate::table::To;

/// The options of `cargo xtask attack`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// How long to go on
    #[arg(long, default_value_t = 60, value_name = "N")]
    seconds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// What to attack: nets, agents, programs, contest, coloured
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "nets,coloured,agents,programs,contest",
        value_name = "LIST"
    )]
    kinds: Vec<String>,
    /// How many runs at once
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// Seconds for one run of the program, which is asked to keep them
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    timeout: u64,
    /// Go on behind the last seed of an earlier call, and add to its counts
    #[arg(long)]
    resume: bool,
    /// Run the case of one seed, and print everything about it
    #[arg(long, value_name = "SEED")]
    replay: Option<u64>,
    /// Count mistakes of this class, but do not list them, while a known one is being repaired; may
    /// be repeated
    #[arg(long, value_name = "CLASS")]
    ignore: Vec<String>,
    /// Stop after this many mistakes
    #[arg(long, default_value_t = 20, value_name = "N")]
    most: usize,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
    #[command(flatten)]
    binary: BinaryOptions,
}

/// Attacks until the time is over, and prints the table. False if something is wrong.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let kinds = kinds(&options.kinds)?;
    let binary = project::binary(&options.binary)?;
    let folder = project::root().join("attack-results");
    let attack = Attack { options, kinds, binary: binary.path, folder };
    match options.replay {
        Some(seed) => attack.replay(seed),
        None => attack.go(&binary.label),
    }
}

fn kinds(names: &[String]) -> Result<Vec<Kind>> {
    let kind = |name: &String| {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.with_context(|| {
            format!("unknown kind '{name}', expected nets, agents, programs, contest or coloured")
        })
    };
    let kinds: Vec<Kind> = names.iter().map(kind).collect::<Result<_>>()?;
    if kinds.is_empty() { bail!("--kinds names nothing to attack") } else { Ok(kinds) }
}

/// What does not change while an attack goes on.
struct Attack<'a> {
    options: &'a Options,
    kinds: Vec<Kind>,
    binary: PathBuf,
    folder: PathBuf,
}

impl Attack<'_> {
    fn go(&self, label: &str) -> Result<bool> {
        let start = Instant::now();
        let budget = Duration::from_secs(self.options.seconds);
        let earlier = if self.options.resume { Results::load(&self.folder)? } else { None };
        let first = earlier.as_ref().map_or(self.options.seed, |earlier| earlier.next_seed);
        let results = Mutex::new(earlier.unwrap_or_else(|| Results::new(first)));
        let next_seed = AtomicU64::new(first);
        let is_over = AtomicBool::new(false);
        let worker = || -> Result<()> {
            let scratch = tempfile::Builder::new().prefix("symbolon-attack-").tempdir()?;
            while start.elapsed() < budget && !is_over.load(Ordering::Relaxed) {
                let seed = next_seed.fetch_add(1, Ordering::Relaxed);
                let case = Case::draw(seed, &self.kinds);
                let outcome = compare(&case, &self.ask(&case, scratch.path())?);
                let mut counted = outcome.tally;
                let mut wrong = Vec::new();
                for complaint in outcome.complaints {
                    counted.add(&Tally([(format!("wrong: {}", complaint.class), 1)].into()));
                    if !self.options.ignore.contains(&complaint.class) {
                        wrong.push(complaint);
                    }
                }
                if let Some(first) = wrong.first() {
                    self.report(&case, first, scratch.path())?;
                }
                let mut results = results.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                results.add(case.kind, seed, &counted, wrong.len() as u64);
                results.next_seed = results.next_seed.max(seed + 1);
                if results.wrong >= self.options.most as u64 {
                    is_over.store(true, Ordering::Relaxed);
                }
                if seed.is_multiple_of(200) {
                    results.save(&self.folder)?;
                }
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.options.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(outcome) => outcome,
                Err(_) => bail!("a worker panicked: a mistake of the attack itself"),
            })
        })?;
        let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        results.seconds += start.elapsed().as_secs_f64();
        results.save(&self.folder)?;
        println!(
            "attack: seeds {first} to {}, {:.0} s, sources {label}\n",
            results.next_seed - 1,
            results.seconds
        );
        results.print(self.options.to);
        Ok(results.wrong == 0)
    }

    /// Runs the program on a case, in a folder with its files.
    fn ask(&self, case: &Case, folder: &Path) -> Result<Output> {
        case.write(folder)?;
        let mut command = Command::new(&self.binary);
        command
            .args(case.arguments())
            .args(["--timeout", &self.options.timeout.to_string(), "--memory", "4G"])
            .current_dir(folder);
        let limits =
            Limits { wall: Duration::from_secs(3 * self.options.timeout + 10), resident_bytes: 6 << 30 };
        let ran = child::run(&mut command, limits)?;
        let ending = match ran.ending {
            child::Ending::Exit(status) => Ending::Exit(status),
            child::Ending::Signal => Ending::Signal,
            child::Ending::OutOfTime | child::Ending::OutOfMemory => Ending::Killed,
        };
        Ok(Output { stdout: ran.stdout, stderr: ran.stderr, ending })
    }

    /// Makes a case that shows a mistake smaller, saves it and prints how to see it again.
    fn report(&self, case: &Case, complaint: &Complaint, scratch: &Path) -> Result<()> {
        let run = &mut |case: &Case| self.ask(case, scratch).ok();
        let (least, shown) = shrink(case, complaint, Duration::from_secs(60), run);
        let folder = self.folder.join(format!("wrong-{}-{}", least.kind.name(), least.seed));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        least.write(&folder)?;
        let output = self.ask(&least, &folder)?;
        let command = format!(
            "symbolon {}",
            least.arguments().iter().map(|word| shell(word)).collect::<Vec<_>>().join(" ")
        );
        let kinds = self.options.kinds.join(",");
        let replay = format!("cargo xtask attack --kinds {kinds} --replay {}", least.seed);
        fs::write(folder.join("command.sh"), format!("# {replay}\n{command}\n"))?;
        let report = format!(
            "class: {}\n{}\n\nbefore it was made smaller: {}\n\nthe program, {:?}:\n{}\n{}\n",
            shown.class, shown.text, complaint.text, output.ending, output.stdout, output.stderr
        );
        fs::write(folder.join("answers.txt"), report)?;
        println!(
            "WRONG ({}) seed {}: {}\n  cd {} && {command}\n  {replay}",
            shown.class,
            least.seed,
            shown.text,
            folder.display()
        );
        Ok(())
    }

    fn replay(&self, seed: u64) -> Result<bool> {
        let scratch = tempfile::Builder::new().prefix("symbolon-attack-").tempdir()?;
        let case = Case::draw(seed, &self.kinds);
        for (name, text) in case.files() {
            println!("── {name}\n{text}");
        }
        println!(
            "── symbolon {}",
            case.arguments().iter().map(|word| shell(word)).collect::<Vec<_>>().join(" ")
        );
        let output = self.ask(&case, scratch.path())?;
        println!("── {:?}\n{}{}", output.ending, output.stdout, output.stderr);
        let outcome = compare(&case, &output);
        for (what, count) in &outcome.tally.0 {
            println!("{count:>6}  {what}");
        }
        for complaint in &outcome.complaints {
            println!("WRONG ({}) {}", complaint.class, complaint.text);
        }
        if let Some(first) = outcome.complaints.first() {
            self.report(&case, first, scratch.path())?;
        }
        Ok(outcome.complaints.is_empty())
    }
}

/// A word as a shell reads it.
fn shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
