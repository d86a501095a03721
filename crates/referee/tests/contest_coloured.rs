//! The referee's coloured nets against the consensus of the Model Checking Contest, on small
//! instances. The data set lies beside the repository; without it these tests say so and pass.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};
use symbolon_referee::coloured::ColouredNet;
use symbolon_referee::paths::can_reach;
use symbolon_referee::{Checker, Graph, Model, Semantics, contest};

/// The folder of an instance, in the folder `mcc` of `SYMBOLON_CORPUS` or of a `shared` further up.
fn folder(instance: &str) -> Option<PathBuf> {
    let corpus = env::var("SYMBOLON_CORPUS").map(PathBuf::from);
    let around = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared"));
    let instances = corpus.into_iter().chain(around).map(|corpus| corpus.join("mcc").join(instance));
    let found = instances.into_iter().find(|folder| folder.is_dir());
    if found.is_none() {
        // The harness swallows what the printing macros print in tests that pass.
        let _ =
            writeln!(std::io::stderr(), "SKIPPED: {instance}: no corpus in ../shared; set SYMBOLON_CORPUS");
    }
    found
}

/// Compares the figures of the state space and the global properties, and the verdicts of these
/// examinations.
fn agrees(instance: &str, examinations: &[&str]) {
    let Some(folder) = folder(instance) else { return };
    let oracle: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("oracle.json")).unwrap()).unwrap();
    let net = ColouredNet::read(&fs::read_to_string(folder.join("model.pnml")).unwrap()).unwrap();
    let graph = Graph::explore(&net, 60_000);
    assert!(graph.is_complete);
    let all: Vec<usize> = (0..net.variables().len()).collect();
    let most = all.iter().map(|&place| graph.largest(&[place])).max().unwrap();
    let figures = [
        ("states", graph.states.len() as i128),
        ("transitions", graph.edge_count() as i128),
        ("max_token_in_place", most),
        ("max_token_per_marking", graph.largest(&all)),
    ];
    for (name, figure) in figures {
        assert_eq!(oracle["StateSpace"][name], figure.to_string().as_str(), "{instance} {name}");
    }

    let next = graph.next();
    let fires = |transition: &str| -> Vec<bool> {
        let fires = |state| net.is_fireable(transition, state).unwrap();
        graph.states.iter().map(|state| fires(state)).collect()
    };
    let total = |state: &[i128], place: &[usize]| place.iter().map(|&one| state[one]).sum::<i128>();
    let places: Vec<Vec<usize>> = net.places().into_iter().map(|(_, place)| place).collect();
    let is_stable = |place: &Vec<usize>| {
        graph.states.iter().all(|state| total(state, place) == total(&graph.states[0], place))
    };
    let globals = [
        ("ReachabilityDeadlock", graph.dead().next().is_some()),
        ("OneSafe", places.iter().all(|place| graph.largest(place) <= 1)),
        ("StableMarking", places.iter().any(is_stable)),
        ("QuasiLiveness", net.transitions().all(|one| fires(one).contains(&true))),
        ("Liveness", net.transitions().all(|one| !can_reach(&next, fires(one)).contains(&false))),
    ];
    for (name, truth) in globals {
        let expected = &oracle["GlobalProperties"][name];
        assert_eq!(expected, if truth { "TRUE" } else { "FALSE" }, "{instance} {name}");
    }

    let mut compared = 0;
    for &examination in examinations {
        let text = fs::read_to_string(folder.join(format!("{examination}.xml"))).unwrap();
        let expected = &oracle["Formulas"][examination];
        if examination == "UpperBounds" {
            for (id, names) in contest::bounds(&text).unwrap() {
                let sum =
                    |state: &[i128]| names.iter().map(|name| net.value(name, state).unwrap()).sum::<i128>();
                let bound = graph.states.iter().map(|state| sum(state)).max().unwrap();
                assert_eq!(expected[&id], bound.to_string().as_str(), "{id}");
                compared += 1;
            }
            continue;
        }
        let semantics = if examination.starts_with("LTL") { Semantics::Stutter } else { Semantics::Maximal };
        let checker = Checker::new(&graph, semantics, false).unwrap();
        for (id, formula) in contest::formulas(&text).unwrap() {
            let verdict = if checker.holds(&formula).unwrap() { "TRUE" } else { "FALSE" };
            if expected[&id] != "?" {
                assert_eq!(expected[&id], verdict, "{id}");
                compared += 1;
            }
        }
    }
    println!("{instance}: {compared} verdicts and bounds agree");
}

const ALL: &[&str] = &[
    "UpperBounds",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
];

#[test]
fn philosophers() {
    agrees("Philosophers-COL-000005", ALL);
}

#[test]
fn token_ring() {
    agrees("TokenRing-COL-005", ALL);
}

#[test]
fn database_with_mutex() {
    agrees("DatabaseWithMutex-COL-02", ALL);
}

#[test]
fn lamport() {
    agrees("LamportFastMutEx-COL-2", ALL);
}

#[test]
fn peterson() {
    agrees("Peterson-COL-2", &["UpperBounds", "ReachabilityCardinality"]);
}

#[test]
fn repetitions() {
    agrees("CSRepetitions-COL-02", &["UpperBounds", "ReachabilityCardinality"]);
}

#[test]
fn bridge() {
    agrees("BridgeAndVehicles-COL-V04P05N02", &["UpperBounds", "ReachabilityCardinality"]);
}

#[test]
fn drinks() {
    agrees(
        "DrinkVendingMachine-COL-02",
        &["UpperBounds", "ReachabilityCardinality", "ReachabilityFireability"],
    );
}

#[test]
fn shared_memory() {
    agrees("SharedMemory-COL-000005", &["UpperBounds", "ReachabilityCardinality"]);
}
