//! `cargo xtask cycles`: cycles between the modules of each crate.
//!
//! A module depends on another if its code, tests aside, names something that is defined there; a
//! name that `lib.rs` re-exports counts for the module that defines it. A module and its submodules
//! are one unit when they are seen from outside, so a parent and its child may use each other.
//! Siblings may not: at every level of the tree of modules, dependencies between siblings go one
//! way. The tests of this file keep it so.

mod graph;
mod scan;

use std::fs;

use anyhow::{Context, Result};
use clap::Args;

use crate::project;
use crate::table::{Table, To};
use graph::{Cycle, Modules};

/// The options of `cargo xtask cycles`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only this crate, by the name of its folder
    #[arg(value_name = "CRATE")]
    only: Option<String>,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = To::Text)]
    to: To,
}

/// A crate and its cycles.
struct Examined {
    name: String,
    modules: usize,
    cycles: Vec<Cycle>,
}

impl Examined {
    /// The number of modules that lie on a cycle.
    fn tangled(&self) -> usize {
        self.cycles.iter().map(|cycle| cycle.members.len()).sum()
    }
}

/// Prints the cycles of all crates. False if there are any.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let mut table = Table::new(1, &["crate", "modules", "cycles", "modules in cycles"]);
    let mut is_good = true;
    let mut details = String::new();
    for one in examine()? {
        if options.only.as_ref().is_some_and(|only| *only != one.name) {
            continue;
        }
        is_good &= one.cycles.is_empty();
        for cycle in &one.cycles {
            details.push_str(&describe(&one.name, cycle));
        }
        table.push(vec![
            one.name.clone(),
            one.modules.to_string(),
            one.cycles.len().to_string(),
            one.tangled().to_string(),
        ]);
    }
    print!("{}{details}", table.render(options.to));
    Ok(is_good)
}

/// A cycle with the references that close it.
fn describe(name: &str, cycle: &Cycle) -> String {
    let parent = [&[name.to_string()], cycle.parent.as_slice()].concat().join("::");
    let mut text = format!("\n{parent}: {}\n", cycle.members.join(", "));
    for (from, to, place) in &cycle.edges {
        text.push_str(&format!("  {from} -> {to}  {place}\n"));
    }
    text
}

/// All crates of the workspace, by name.
fn examine() -> Result<Vec<Examined>> {
    let folder = project::root().join("crates");
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).context("cannot list the crates")? {
        let path = entry?.path();
        let source = path.join("src");
        if !source.is_dir() {
            continue;
        }
        let modules = Modules::read(&source)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        all.push(Examined { name, modules: modules.count(), cycles: modules.cycles() });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_crate_has_a_cycle() {
        for one in examine().unwrap() {
            let text: String = one.cycles.iter().map(|cycle| describe(&one.name, cycle)).collect();
            assert!(one.cycles.is_empty(), "modules depend on each other in a cycle:\n{text}");
        }
    }
}
