//! The order in which a file declares things must not matter: with agents, variables and lines
//! shuffled, binary diagrams of the public multi-agent models stay as small, take about as many
//! steps, and answer all formulae alike.
//!
//! Verdicts are quick by default; the environment variable `SYMBOLON_ISPL=all` asks for all models
//! with several seeds. `SYMBOLON_SHUFFLED_TO=FOLDER` writes the shuffled files there besides, so
//! that the program can be measured with them.

use serde_json::Value;
use symbolon_budget::Budget;
use symbolon_engine::{
    ExploreOptions, Explored, Reordering, StateSets, Strategy, TemporalChecker, explore_binary,
};
use symbolon_ispl::System;
use symbolon_ispl::tree::Agent;
use symbolon_testkit::{RandomNumbers, corpus_folder, seeds};

fn shuffled(mut tree: System, numbers: &mut RandomNumbers) -> System {
    numbers.shuffle(&mut tree.agents);
    let agent = |agent: &mut Agent, numbers: &mut RandomNumbers| {
        numbers.shuffle(&mut agent.observed);
        numbers.shuffle(&mut agent.variables);
        numbers.shuffle(&mut agent.protocol);
        numbers.shuffle(&mut agent.evolution);
    };
    tree.environment.iter_mut().chain(&mut tree.agents).for_each(|one| agent(one, numbers));
    tree
}

fn check(name: &str, states: &str, most_nodes: usize, most_steps: u64) {
    let Some(folder) = corpus_folder("shuffled ISPL files") else { return };
    let file = format!("{name}.ispl");
    let budget = Budget::unlimited();
    let bytes = std::fs::read(folder.join("ispl").join(&file)).expect("it is there");
    let tree = symbolon_ispl::load(&bytes, &file, &budget).expect("it reads").tree;
    for seed in seeds(3) {
        let mut numbers = RandomNumbers::new(seed);
        let loaded = symbolon_ispl::load_tree(shuffled(tree.clone(), &mut numbers), &file).expect("it reads");
        let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
        let explored = explore_binary(&loaded.model, &options, Reordering::Off, &budget);
        let Explored { mut sets, reached, .. } = explored.expect("nothing stops it");
        let (nodes, steps) = (sets.node_count(&reached), sets.statistics().steps);
        println!("{name}, seed {seed}: {nodes} nodes, {steps} steps");
        assert_eq!(
            sets.count(&reached).expect("nothing stops it").to_string(),
            states,
            "{name}, seed {seed}"
        );
        assert!(nodes <= most_nodes, "{name}, seed {seed}: {nodes} nodes");
        assert!(steps <= most_steps, "{name}, seed {seed}: {steps} steps");
    }
}

#[test]
fn dining_cryptographers() {
    check("generated/dining_enum_7", "5120", 1500, 100_000);
    check("generated/dining_xor_16", "5570560", 4000, 400_000);
}

#[test]
fn prisoners() {
    check("generated/prisoners_enum_10", "322107", 1500, 400_000);
}

#[test]
fn contracts() {
    check("original/mcmas-1.3.0/software_development", "13799", 10_000, 5_000_000);
}

/// Compares the verdicts of all formulae of shuffled files with those of the oracle.
fn check_verdicts(name: &str, seed_count: u64) {
    let Some(folder) = corpus_folder("verdicts of shuffled ISPL files") else { return };
    let folder = folder.join("ispl");
    let oracle = std::fs::read(folder.join("oracle.json")).expect("the oracle can be read");
    let oracle: Value = serde_json::from_slice(&oracle).expect("the oracle is JSON");
    let file = format!("{name}.ispl");
    let known = oracle[&file]["formulas"].as_array().expect("a list");
    let budget = Budget::unlimited();
    let bytes = std::fs::read(folder.join(&file)).expect("it is there");
    let tree = symbolon_ispl::load(&bytes, &file, &budget).expect("it reads").tree;
    for seed in seeds(seed_count) {
        let mut numbers = RandomNumbers::new(seed);
        let tree = shuffled(tree.clone(), &mut numbers);
        if let Ok(folder) = std::env::var("SYMBOLON_SHUFFLED_TO") {
            let short = name.rsplit('/').next().unwrap_or(name);
            let path = std::path::Path::new(&folder).join(format!("{short}-{seed}.ispl"));
            std::fs::write(path, tree.to_string()).expect("the folder is there");
        }
        let loaded = symbolon_ispl::load_tree(tree, &file).expect("it reads");
        let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
        let explored = explore_binary(&loaded.model, &options, Reordering::Off, &budget);
        let Explored { mut sets, reached, .. } = explored.expect("nothing stops it");
        let mut checker = TemporalChecker::new(&mut sets, &loaded.model, &reached).expect("nothing stops it");
        assert!(loaded.fairness.is_empty(), "{name}");
        assert_eq!(loaded.formulae.len(), known.len(), "{name}");
        for (asked, known) in loaded.formulae.iter().zip(known) {
            let (formula, paths) = loaded.at_dead_states(asked);
            let holds = checker.holds(&formula, paths).expect("nothing stops it");
            assert_eq!(Some(holds), known["verdict"].as_bool(), "{name}, seed {seed}: {}", asked.text);
        }
        println!("{name}, seed {seed}: {} verdicts", known.len());
    }
}

#[test]
fn verdicts() {
    const ALL: [&str; 10] = [
        "generated/dining_enum_7",
        "generated/dining_xor_8",
        "generated/dining_xor_10",
        "generated/dining_xor_12",
        "generated/dining_xor_14",
        "generated/dining_xor_16",
        "generated/prisoners_enum_8",
        "generated/prisoners_enum_9",
        "generated/prisoners_enum_10",
        "original/mcmas-1.3.0/software_development",
    ];
    let asks_all = std::env::var("SYMBOLON_ISPL").is_ok_and(|value| value == "all");
    let (names, seed_count) = if asks_all { (&ALL[..], 5) } else { (&ALL[..2], 2) };
    names.iter().for_each(|name| check_verdicts(name, seed_count));
}
