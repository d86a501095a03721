//! The order in which a file declares things must not matter: with agents, variables and lines shuffled, binary diagrams of
//! the public multi-agent models stay as small, and take about as many steps.

use symbolon_budget::Budget;
use symbolon_engine::{ExploreOptions, Explored, Reordering, StateSets, Strategy, explore_binary};
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
