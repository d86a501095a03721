//! The public multi-agent models in every kind of state sets: as many reachable states as the
//! oracle says. Quick by default; the environment variable `SYMBOLON_ISPL=all` asks for everything,
//! and tells how long each takes.

use num_bigint::BigUint;
use serde_json::Value;
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_engine::{DiagramKind, ExploreOptions, Explored, Question, StateSets, Strategy, ask};
use symbolon_testkit::corpus_folder;

/// The question for the number of states.
struct Count;

impl Question for Count {
    type Answer = BigUint;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<BigUint, Interrupted> {
        explored.sets.count(&explored.reached)
    }
}

#[test]
fn reachable_states_of_public_models() {
    let Some(folder) = corpus_folder("ISPL state counts") else { return };
    let folder = folder.join("ispl");
    let asks_all = std::env::var("SYMBOLON_ISPL").is_ok_and(|value| value == "all");
    let only = std::env::var("SYMBOLON_ISPL_FILE").unwrap_or_default();
    let (largest_mdd, largest_others, seconds) =
        if asks_all { (u64::MAX, 3000, 120) } else { (1000, 200, 20) };
    let oracle = std::fs::read(folder.join("oracle.json")).expect("the oracle can be read");
    let oracle: Value = serde_json::from_slice(&oracle).expect("the oracle is JSON");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (name, known) in
        oracle.as_object().expect("one object").iter().filter(|(name, _)| name.contains(&only))
    {
        let states = known["states"].as_u64().expect("a number");
        let bytes = std::fs::read(folder.join(name)).expect("every model of the oracle is there");
        let loaded = symbolon_ispl::load(&bytes, name, &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let model = &loaded.model;
        let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
        let limits = Limits { time: Some(std::time::Duration::from_secs(seconds)), memory: Some(4 << 30) };
        for &diagram in DiagramKind::ALL {
            let largest = match diagram {
                DiagramKind::Bdd | DiagramKind::Sentential => u64::MAX,
                DiagramKind::Mdd => largest_mdd,
                DiagramKind::Ddd | DiagramKind::Set => largest_others,
            };
            if states > largest {
                continue;
            }
            let budget = Budget::new(limits);
            let started = std::time::Instant::now();
            let found = ask(diagram, model, &options, &budget, Count)
                .map(|count| count.expect("counting is quick").to_string());
            if asks_all {
                eprintln!("{name} {diagram} {states} {:.3} s", started.elapsed().as_secs_f64());
            }
            checked += 1;
            if found.as_deref() != Ok(&states.to_string()) {
                eprintln!("{name} {diagram}: {found:?} for {states}");
                wrong.push(format!("{name} {diagram}: {found:?} for {states}"));
            }
        }
    }
    println!("{checked} explorations");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
