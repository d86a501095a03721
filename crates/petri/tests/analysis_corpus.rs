//! Structural analysis of real nets: what merges, what is bounded, and that nothing bounded is
//! called unbounded.

use std::path::{Path, PathBuf};
use symbolon_budget::Budget;
use symbolon_petri::Net;
use symbolon_petri::analysis::{AnalysisOptions, Boundedness, NetClass, PumpLimits, analyse, find_pump};
use symbolon_petri::read::read_pnml;

/// The shared corpus, if it is there.
fn corpus() -> Option<PathBuf> {
    let root = std::env::var_os("SYMBOLON_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("mcc");
    if !path.is_dir() {
        println!("SKIPPED: there is no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

fn read(folder: &Path, instance: &str) -> Net {
    let path = folder.join(instance).join("model.pnml");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read_pnml(&bytes, &Budget::unlimited()).unwrap_or_else(|failure| panic!("{instance}: {failure}")).net
}

/// Instance, number of places, number of variables once the disjoint exclusive sets are merged (at
/// most).
const MERGED: [(&str, usize, usize); 15] = [
    ("Dekker-PT-020", 100, 40),
    ("Dekker-PT-100", 500, 200),
    ("Peterson-PT-2", 102, 8),
    ("Peterson-PT-3", 244, 11),
    ("Peterson-PT-4", 480, 14),
    ("Peterson-PT-5", 834, 17),
    ("TokenRing-PT-010", 121, 11),
    ("SharedMemory-PT-000010", 131, 21),
    ("SharedMemory-PT-000020", 461, 41),
    ("Philosophers-PT-000100", 500, 200),
    ("Vasy2003-PT-none", 485, 60),
    ("AutoFlight-PT-24a", 607, 147),
    ("AirplaneLD-PT-0050", 369, 158),
    ("LamportFastMutEx-PT-5", 174, 38),
    ("Kanban-PT-00050", 16, 16),
];

#[test]
fn one_token_invariants_merge_places() {
    let Some(folder) = corpus() else { return };
    for (instance, places, variables) in MERGED {
        let mut net = read(&folder, instance);
        assert_eq!(net.places.len(), places, "{instance}");
        // With the source's units and without: the units help to propose, not to prove.
        for with_units in [true, false] {
            if !with_units {
                net.units.clear();
            }
            let analysis = analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).unwrap();
            let merged: usize = analysis.merged.iter().map(|set| set.variables.len()).sum();
            let left = places - merged + analysis.merged.len();
            assert!(left <= variables, "{instance}: {left} variables, units: {with_units}");
            assert_eq!(analysis.boundedness, Boundedness::Bounded, "{instance}");
        }
    }
}

#[test]
fn only_unbounded_nets_are_called_unbounded() {
    let Some(folder) = corpus() else { return };
    let index = std::fs::read_to_string(folder.join("INDEX.csv")).expect("the corpus has an index");
    let (mut checked, mut bounded, mut unbounded) = (0, 0, 0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (instance, kind, unpacked, states) = (fields[0], fields[2], fields[7], fields[8]);
        if kind != "PT" || unpacked != "yes" {
            continue;
        }
        let net = read(&folder, instance);
        let limits = PumpLimits { steps: 200_000, ..PumpLimits::default() };
        let pump = find_pump(&net, limits, &Budget::unlimited()).unwrap();
        assert!(pump.is_none() || states == "+inf", "{instance} has {states} states, but {pump:?}");
        let analysis = analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).unwrap();
        match analysis.boundedness {
            Boundedness::Unbounded(pump) => {
                assert!(pump.verify(&net));
                assert_eq!(states, "+inf", "{instance}");
                unbounded += 1;
            }
            Boundedness::Bounded => {
                assert_ne!(states, "+inf", "{instance}");
                bounded += 1;
            }
            Boundedness::Unknown => assert_ne!(states, "+inf", "{instance} was not recognised"),
        }
        checked += 1;
    }
    println!("{checked} nets: {bounded} bounded, {unbounded} unbounded");
    assert_eq!((checked, unbounded), (130, 1));
    assert!(bounded >= 120, "only {bounded} proved bounded");
}

/// What the contest states of its nets (`GenericPropertiesVerdict.xml`), against what we read off
/// them.
#[test]
fn classes_are_those_that_the_contest_states() {
    let Some(folder) = corpus() else { return };
    let mut compared = 0;
    for (instance, ..) in MERGED {
        let Ok(text) = std::fs::read_to_string(folder.join(instance).join("GenericPropertiesVerdict.xml"))
        else {
            continue;
        };
        let class = NetClass::of(&read(&folder, instance));
        for (reference, found) in [
            ("ORDINARY", class.is_ordinary),
            ("SIMPLE_FREE_CHOICE", class.is_free_choice),
            ("EXTENDED_FREE_CHOICE", class.is_extended_free_choice),
            ("STATE_MACHINE", class.is_state_machine),
            ("MARKED_GRAPH", class.is_marked_graph),
            ("CONNECTED", class.is_connected),
            ("STRONGLY_CONNECTED", class.is_strongly_connected),
            // The contest calls what has no arcs both a source and a sink.
            ("SOURCE_PLACE", !(class.source_places.is_empty() && class.isolated_places.is_empty())),
            ("SINK_PLACE", !(class.sink_places.is_empty() && class.isolated_places.is_empty())),
            (
                "SOURCE_TRANSITION",
                !(class.source_transitions.is_empty() && class.isolated_transitions.is_empty()),
            ),
            (
                "SINK_TRANSITION",
                !(class.sink_transitions.is_empty() && class.isolated_transitions.is_empty()),
            ),
            ("LOOP_FREE", class.is_loop_free),
            ("CONSERVATIVE", class.is_conservative),
            ("SUBCONSERVATIVE", class.is_subconservative),
        ] {
            let stated = |value: bool| text.contains(&format!("reference=\"{reference}\" value=\"{value}\""));
            if stated(true) != stated(false) {
                assert_eq!(found, stated(true), "{instance}: {reference}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "only {compared} statements");
}
