//! Random cells of the matrix: options that must not change an answer.

use crate::random::Random;

/// An option with its value, which go together.
pub(crate) type CliOption = Vec<String>;

fn option(words: &[&str]) -> CliOption {
    words.iter().map(|word| word.to_string()).collect()
}

const ORDERS: &[&str] = &[
    "as-given",
    "force",
    "sloan",
    "sloan-bipartite",
    "cuthill-mckee",
    "greedy",
    "sum-of-tops",
    "nupn",
    "cells",
    "by-index",
    "index-cells",
    "hub",
    "invariants",
    "unmerged",
    "search",
];

const HIERARCHIES: &[&str] = &[
    "flat",
    "nupn",
    "pages",
    "groups:1",
    "groups:2",
    "groups:3",
    "recursive",
    "indexed",
    "indexed-recursive",
    "repeated",
];

/// The methods of bounded search, and whether they need a bound.
const METHODS: &[(&str, bool)] = &[
    ("auto", false),
    ("mdd-chain", true),
    ("mdd-local", true),
    ("mdd-global", true),
    ("edd-approx", true),
    ("edd-exact", true),
    ("add-exact", true),
    ("evbdd-approx", true),
    ("sat-step", false),
    ("sat-interleaving", false),
    ("sat-chain", false),
    ("k-induction", false),
];

/// What kinds of models a cell is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepping {
    /// Events one at a time.
    Events,
    /// All agents at once: breadth-first search, and no bounded search by diagrams.
    Joint,
}

/// Kinds of state sets that are attacked; a test compares them with those of the program.
pub const DIAGRAMS: &[&str] = &["explicit", "bdd", "sentential", "mdd", "ddd", "set"];

/// A diagram, a strategy, an order, a hierarchy.
pub(crate) fn cell(random: &mut Random, stepping: Stepping) -> Vec<CliOption> {
    let mut options = Vec::new();
    let diagram = random.percent(80).then(|| *random.one(DIAGRAMS));
    options.extend(diagram.map(|diagram| option(&["--diagram", diagram])));
    if diagram != Some("explicit") {
        if random.percent(50) && stepping == Stepping::Events {
            options.push(option(&["--strategy", *random.one(&["bfs", "chaining", "saturation"])]));
        }
        if random.percent(45) {
            options.push(option(&["--variable-order", *random.one(ORDERS)]));
        }
    }
    if diagram == Some("set") && random.percent(70) {
        options.push(option(&["--hierarchy", *random.one(HIERARCHIES)]));
    }
    if diagram == Some("bdd") && random.percent(30) {
        options.push(option(&["--reorder", "dynamic"]));
    }
    options.extend(general(random));
    options
}

/// Options that every command takes.
pub(crate) fn general(random: &mut Random) -> Vec<CliOption> {
    let mut options = Vec::new();
    match random.below(3) {
        0 => options.push(option(&["--threads", "1"])),
        1 => options.push(option(&["--threads", "2"])),
        _ => (),
    }
    if random.percent(30) {
        options.push(option(&["--no-shortcuts"]));
    }
    if random.percent(25) {
        options.push(option(&["--seed", &random.below(1000).to_string()]));
    }
    options
}

/// A method of bounded search, with a bound if it needs one, and the bound.
pub(crate) fn method(random: &mut Random, stepping: Stepping) -> (Vec<CliOption>, Option<usize>) {
    let methods: Vec<_> = match stepping {
        Stepping::Events => METHODS.to_vec(),
        Stepping::Joint => METHODS
            .iter()
            .filter(|(name, _)| name.starts_with("sat") || *name == "k-induction")
            .copied()
            .collect(),
    };
    let (name, needs_bound) = *random.one(&methods);
    let mut options = vec![option(&["--method", name])];
    // Without a bound a solver goes on for ever where there is nothing to find.
    let usual = if name.starts_with("sat") { 95 } else { 50 };
    let bound = (needs_bound || random.percent(usual)).then(|| random.below(9));
    if let Some(bound) = bound {
        options.push(option(&["--bound", &bound.to_string()]));
    }
    (options, bound)
}
