//! `cargo xtask mutants`: seeds one fault at a time into a copy of the tree and demands that the
//! tests notice it.
//!
//! The faults are written by hand, in `crates/xtask/mutants.toml`: a file, the text to find in it
//! (exactly once), the text to put there, and the test command that has to fail. The work tree is
//! never touched: everything happens in a copy of what git knows, in a temporary folder. Before a
//! fault counts as caught, its test command has passed on the copy without the fault, and the
//! tests with the fault have been built: neither a broken test nor a fault that does not compile
//! proves anything.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::child::{self, Ending, Limits, Run};
use crate::corpus::matches;
use crate::project;
use crate::table::{Table, To};

/// The options of `cargo xtask mutants`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only faults with this in their name, or matching a pattern with * and ?
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Seconds for one test command; a fault that makes it take longer is caught
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    timeout: u64,
    /// Memory for one test command, builds included
    #[arg(long, default_value = "8G", value_name = "SIZE", value_parser = child::size)]
    memory: u64,
    /// Where the copy is built; kept, so that the next call is faster
    #[arg(long, value_name = "FOLDER")]
    target: Option<PathBuf>,
    /// Another list of faults
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
}

/// The file with the faults.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

/// One fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// What the fault is, in a few words.
    name: String,
    /// The file it goes into, from the root.
    file: PathBuf,
    /// What to find there, exactly once.
    find: String,
    /// What to put in its place.
    replace: String,
    /// The test command, words separated by blanks; it begins with `cargo test`.
    test: String,
}

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    /// A test failed.
    Caught,
    /// The tests did not end in time, or took all the memory.
    CaughtByLimit,
    /// All tests passed.
    Survived,
    /// The entry proves nothing, for this reason.
    Void(String),
}

/// Tries every fault and prints the table. False if one survived or proves nothing.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let path = options.list.clone().unwrap_or_else(|| project::root().join("crates/xtask/mutants.toml"));
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let list: List =
        toml::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))?;
    let wanted =
        |mutant: &Mutant| options.filter.as_deref().is_none_or(|filter| matches(filter, &mutant.name));
    let mutants: Vec<Mutant> = list.mutant.into_iter().filter(wanted).collect();
    if mutants.is_empty() {
        bail!("no fault in {} is wanted", path.display());
    }

    let copy = tempfile::Builder::new().prefix("symbolon-mutants-").tempdir()?;
    copy_tree(&project::root(), copy.path())?;
    let target = options.target.clone().unwrap_or_else(|| copy.path().join("target"));
    let limits = Limits { wall: Duration::from_secs(options.timeout), resident_bytes: options.memory };
    let bench = Bench { tree: copy.path().to_path_buf(), target, limits };

    let fates = bench.try_all(&mutants)?;
    let mut table = Table::new(3, &["fault", "file", "outcome"]);
    for (mutant, fate) in mutants.iter().zip(&fates) {
        table.push(vec![mutant.name.clone(), mutant.file.display().to_string(), describe(fate)]);
    }
    println!("{}", table.render(options.to));
    let caught = fates.iter().filter(|fate| matches!(fate, Fate::Caught | Fate::CaughtByLimit)).count();
    println!("{caught} of {} faults caught", fates.len());
    Ok(caught == fates.len())
}

fn describe(fate: &Fate) -> String {
    match fate {
        Fate::Caught => "caught".to_string(),
        Fate::CaughtByLimit => "caught (limit)".to_string(),
        Fate::Survived => "SURVIVED".to_string(),
        Fate::Void(reason) => format!("VOID: {reason}"),
    }
}

/// The copy of the tree in which faults are tried.
struct Bench {
    tree: PathBuf,
    target: PathBuf,
    limits: Limits,
}

impl Bench {
    fn try_all(&self, mutants: &[Mutant]) -> Result<Vec<Fate>> {
        // Whether a test command passes without any fault.
        let mut sound: BTreeMap<&str, Result<(), String>> = BTreeMap::new();
        let mut fates = Vec::new();
        for mutant in mutants {
            if !sound.contains_key(mutant.test.as_str()) {
                eprintln!("without faults: {}", mutant.test);
                sound.insert(&mutant.test, self.passes(&mutant.test)?);
            }
            let fate = match &sound[mutant.test.as_str()] {
                Ok(()) => self.try_one(mutant)?,
                Err(reason) => Fate::Void(reason.clone()),
            };
            eprintln!("{}: {}", mutant.name, describe(&fate));
            fates.push(fate);
        }
        Ok(fates)
    }

    /// Whether a test command passes on the tree as it is.
    fn passes(&self, test: &str) -> Result<Result<(), String>> {
        if !self.cargo(test, true)?.ending.is_success() {
            return Ok(Err("the tests do not build without the fault".to_string()));
        }
        let run = self.cargo(test, false)?;
        Ok(if run.ending.is_success() { Ok(()) } else { Err("the tests fail without the fault".to_string()) })
    }

    /// Puts a fault in, runs its tests and takes it out again.
    fn try_one(&self, mutant: &Mutant) -> Result<Fate> {
        let path = self.tree.join(&mutant.file);
        let Ok(original) = fs::read_to_string(&path) else {
            return Ok(Fate::Void("there is no such file".to_string()));
        };
        let faulty = match seed(&original, &mutant.find, &mutant.replace) {
            Ok(faulty) => faulty,
            Err(reason) => return Ok(Fate::Void(reason)),
        };
        fs::write(&path, faulty)?;
        let fate = self.fate(&mutant.test);
        fs::write(&path, original)?;
        fate
    }

    fn fate(&self, test: &str) -> Result<Fate> {
        if !self.cargo(test, true)?.ending.is_success() {
            return Ok(Fate::Void("it does not compile".to_string()));
        }
        Ok(match self.cargo(test, false)?.ending {
            Ending::Exit(0) => Fate::Survived,
            Ending::Exit(_) | Ending::Signal => Fate::Caught,
            Ending::OutOfTime | Ending::OutOfMemory => Fate::CaughtByLimit,
        })
    }

    /// Runs a test command in the copy, or only builds what it would run.
    fn cargo(&self, test: &str, build_only: bool) -> Result<Run> {
        let words: Vec<&str> = test.split_whitespace().collect();
        let ["cargo", "test", rest @ ..] = words.as_slice() else {
            bail!("the test command '{test}' does not begin with 'cargo test'");
        };
        let mut command = Command::new(project::cargo());
        command.arg("test").args(build_only.then_some("--no-run")).args(rest);
        command.current_dir(&self.tree).env("CARGO_TARGET_DIR", &self.target);
        // A fault must not be blamed on the wall time of compiling.
        let wall = if build_only { Duration::from_secs(1800) } else { self.limits.wall };
        child::run(&mut command, Limits { wall, ..self.limits })
    }
}

/// The text with the fault in it, if the place to put it is clear.
fn seed(text: &str, find: &str, replace: &str) -> Result<String, String> {
    match text.matches(find).count() {
        _ if find.is_empty() || find == replace => Err("it changes nothing".to_string()),
        1 => Ok(text.replacen(find, replace, 1)),
        0 => Err("its text is not in the file".to_string()),
        count => Err(format!("its text is in the file {count} times")),
    }
}

/// Copies what git knows or would know: no build products, nothing ignored.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(listing).current_dir(from).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git cannot list the files of {}", from.display());
    }
    for name in output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = PathBuf::from(OsString::from_vec(name.to_vec()));
        // A file that was deleted but not yet committed is listed all the same.
        if from.join(&name).is_file() {
            let target = to.join(&name);
            fs::create_dir_all(target.parent().unwrap_or(to))?;
            fs::copy(from.join(&name), &target).with_context(|| format!("cannot copy {}", name.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
