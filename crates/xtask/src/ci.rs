//! `cargo xtask ci`: what the server runs on every commit, in the same order as `.ci/run`.
//!
//! The server stops at the first step that fails; here all are run, so that one call shows
//! everything there is to repair.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::project;

/// A step: its name, the arguments of cargo, and a variable of the environment.
type Step = (&'static str, &'static [&'static str], Option<(&'static str, &'static str)>);

const STEPS: [Step; 4] = [
    ("format", &["fmt", "--all", "--check"], None),
    ("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], None),
    ("tests", &["test", "--workspace"], None),
    ("documentation", &["doc", "--workspace", "--no-deps"], Some(("RUSTDOCFLAGS", "-D warnings"))),
];

/// Runs all steps. False if one of them failed.
pub(crate) fn run() -> Result<bool> {
    let mut failed = Vec::new();
    for (name, arguments, variable) in STEPS {
        println!("== {name}: cargo {}", arguments.join(" "));
        let start = Instant::now();
        let mut command = Command::new(project::cargo());
        command.args(arguments).envs(variable).current_dir(project::root());
        let status = command.status().context("cannot start cargo")?;
        println!(
            "== {name}: {} after {:.0} s",
            if status.success() { "passed" } else { "FAILED" },
            start.elapsed().as_secs_f64()
        );
        if !status.success() {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        println!("== all passed");
    } else {
        println!("== failed: {}", failed.join(", "));
    }
    Ok(failed.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The server's script and this file must not drift apart.
    #[test]
    fn the_server_runs_the_same_commands() {
        let script = fs::read_to_string(project::root().join(".ci/run")).unwrap();
        for (_, arguments, _) in STEPS {
            let line = format!("cargo {}", arguments.join(" "));
            assert!(script.contains(&line), ".ci/run lacks '{line}'");
        }
        assert_eq!(script.matches("\ncargo ").count(), STEPS.len(), "a step of .ci/run is missing here");
    }
}
