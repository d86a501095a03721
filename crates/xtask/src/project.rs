//! Where things are: the project's root, the third-party data beside it, the binary under test,
//! and the label that says from which sources that binary was built.
//!
//! A label is the commit where the sources are clean, and the commit with a digest of the changes
//! where they are not, so that results of two different trees never mix. Only what goes into the
//! binary counts: an edit of this crate or of a document changes no label.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

/// What a chore that runs `symbolon` asks about it.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BinaryOptions {
    /// Run this binary instead of building one
    #[arg(long, value_name = "PATH")]
    pub(crate) binary: Option<PathBuf>,
    /// Do not build first: take target/release/symbolon as it is
    #[arg(long)]
    pub(crate) no_build: bool,
}

/// A binary to run, and the sources it came from.
pub(crate) struct Binary {
    pub(crate) path: PathBuf,
    pub(crate) label: String,
}

/// Remembers which sources a binary was built from, so that `--no-build` can say it too.
#[derive(Serialize, Deserialize)]
struct Built {
    digest: String,
    label: String,
}

/// What a label depends on: everything that can change the binary.
const SOURCES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
    "crates",
    ":(exclude)crates/xtask",
    ":(exclude)crates/bench",
    ":(exclude)crates/testkit",
];

/// The root folder of the project.
pub(crate) fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    crates.canonicalize().unwrap_or(crates)
}

/// The folder of the third-party data, if there is one: `SYMBOLON_CORPUS`, or `../shared`.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = match std::env::var_os("SYMBOLON_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared"),
    };
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}

/// The folder of the contest's models. `SYMBOLON_CORPUS` may name it or the folder above it.
pub(crate) fn contest() -> Option<PathBuf> {
    let shared = shared()?;
    let below = shared.join("mcc");
    if below.is_dir() { Some(below) } else { shared.join("INDEX.csv").is_file().then_some(shared) }
}

/// Where results are kept; ignored by git.
pub(crate) fn results() -> PathBuf {
    root().join("corpus-results")
}

/// The binary to run, built first unless the options say otherwise.
pub(crate) fn binary(options: &BinaryOptions) -> Result<Binary> {
    if let Some(path) = &options.binary {
        let path = path.canonicalize().with_context(|| format!("no binary at {}", path.display()))?;
        let label = label_of(&path)?;
        return Ok(Binary { path, label });
    }
    let path = target().join("release").join(format!("symbolon{}", std::env::consts::EXE_SUFFIX));
    if options.no_build {
        if !path.is_file() {
            bail!("no binary at {}; leave out --no-build", path.display());
        }
        let label = label_of(&path)?;
        return Ok(Binary { path, label });
    }
    let before = tree_label()?;
    let status = Command::new(cargo())
        .args(["build", "--release", "--package", "symbolon-cli", "--bin", "symbolon"])
        .current_dir(root())
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("symbolon does not build");
    }
    // A file may have been edited meanwhile: then it is not known what was built.
    if before == tree_label()? {
        remember(&path, &before)?;
    }
    let label = label_of(&path)?;
    Ok(Binary { path, label })
}

/// The label of the work tree as it is now.
pub(crate) fn tree_label() -> Result<String> {
    let commit = git(["rev-parse", "--short=12", "HEAD"])?;
    let commit = String::from_utf8_lossy(&commit).trim().to_string();
    let mut changes = git(["diff", "HEAD", "--binary", "--"].iter().chain(SOURCES))?;
    let new = git(["ls-files", "-z", "--others", "--exclude-standard", "--"].iter().chain(SOURCES))?;
    for name in new.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = String::from_utf8_lossy(name).into_owned();
        changes.extend_from_slice(name.as_bytes());
        // A file that vanished between the two commands was never part of the tree.
        changes.extend(fs::read(root().join(&name)).unwrap_or_default());
    }
    Ok(if changes.is_empty() { commit } else { format!("{commit}-dirty-{}", &digest(&changes)[..8]) })
}

/// What `git ARGUMENTS` prints in the project's root.
fn git<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Result<Vec<u8>> {
    let output =
        Command::new("git").args(arguments).current_dir(root()).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git fails: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

/// The cargo that runs us.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// Where cargo builds.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

fn remember(path: &Path, label: &str) -> Result<()> {
    let built = Built { digest: digest(&fs::read(path)?), label: label.to_string() };
    append(&results().join("binaries.jsonl"), &serde_json::to_string(&built)?)
}

/// The label of the sources a binary was built from, or its digest if they are not known.
fn label_of(path: &Path) -> Result<String> {
    let digest = digest(&fs::read(path).with_context(|| format!("cannot read {}", path.display()))?);
    let known = fs::read_to_string(results().join("binaries.jsonl")).unwrap_or_default();
    let built = known
        .lines()
        .filter_map(|line| serde_json::from_str::<Built>(line).ok())
        .rfind(|built| built.digest == digest);
    Ok(built.map_or_else(|| format!("binary-{digest}"), |built| built.label))
}

/// Adds one line to a file, in one write, after completing a line that an earlier run left torn.
pub(crate) fn append(path: &Path, line: &str) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let torn = fs::read(path).is_ok_and(|text| text.last().is_some_and(|byte| *byte != b'\n'));
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{}{line}\n", if torn { "\n" } else { "" }).as_bytes())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The 64-bit FNV-1a hash, in hexadecimal: the same on every machine and with every compiler.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_the_published_ones() {
        for (text, expected) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            assert_eq!(digest(text.as_bytes()), expected, "of {text:?}");
        }
    }

    #[test]
    fn a_torn_line_stays_apart_from_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/results.jsonl");
        append(&path, "one").unwrap();
        fs::write(&path, "one\nto").unwrap();
        append(&path, "three").unwrap();
        append(&path, "four").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nto\nthree\nfour\n");
    }
}
