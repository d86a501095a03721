//! Nets made from nets: the safe translation and the dropping of dead parts keep what they promise,
//! state by state; `.ll_net` text is read back.

use std::collections::BTreeSet;
use symbolon_budget::{Budget, Interrupted};
use symbolon_explicit::{Exploration, Options, explore};
use symbolon_petri::analysis::{AnalysisOptions, analyse, dead_parts};
use symbolon_petri::families::generate;
use symbolon_petri::read::{read_ll_net, read_pnml};
use symbolon_petri::transform::{MOST_TRANSITIONS, SafeFailure, drop_dead_parts, to_safe_net};
use symbolon_petri::write::{Inexpressible, write_ll_net, write_pnml};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, Unit, UnitClaim, lower};
use symbolon_testkit::{corpus_folder, random_net, seeds};

fn all_states(net: &Net) -> Exploration {
    explore(&lower(net), &Options::default(), &Budget::unlimited()).expect("small")
}

/// What must not change: states, edges, depth, and how far the deadlocks are.
fn figures(found: &Exploration) -> (usize, u64, usize, Vec<usize>) {
    let mut dead: Vec<usize> = found.dead_states().iter().map(|&dead| found.distance(dead)).collect();
    dead.sort_unstable();
    (found.state_count(), found.edge_count(), found.depth(), dead)
}

fn family(name: &str, parameters: &[u64]) -> Net {
    generate(name, parameters, &Budget::unlimited()).expect(name)
}

fn place(id: &str, initial: u64) -> Place {
    Place { id: id.into(), label: None, initial }
}

/// Translates with these bounds, and compares.
fn check_safe(net: &Net, bounds: &[u64]) -> Net {
    let safe = to_safe_net(net, bounds, MOST_TRANSITIONS, &Budget::unlimited()).expect("small").result;
    assert_eq!(safe.check(), Ok(()));
    assert!(safe.is_ordinary());
    let mut arcs = safe.transitions.iter().flat_map(|t| &t.arcs);
    assert!(arcs.all(|arc| arc.weight() == Some(1)));
    let found = all_states(&safe);
    assert!(found.max_in_variable() <= 1, "not safe");
    assert_eq!(figures(&found), figures(&all_states(net)));
    // Each copy tells where it comes from.
    let originals: BTreeSet<&str> = net.transitions.iter().map(|t| t.id.as_str()).collect();
    for copy in &safe.transitions {
        let original = copy.id.rsplit_once("__").map_or(copy.id.as_str(), |(original, _)| original);
        assert!(originals.contains(original), "{} comes from nowhere", copy.id);
    }
    safe
}

#[test]
fn random_nets_become_safe() {
    let (mut larger, mut with_tests) = (0, 0);
    for seed in seeds(400) {
        let net = random_net(seed);
        let exact = all_states(&net).variable_maxima().to_vec();
        let safe = check_safe(&net, &exact);
        larger += u32::from(safe.places.len() > net.places.len());
        with_tests += u32::from(!net.is_ordinary());
        // Bounds need not be exact.
        let loose: Vec<u64> =
            exact.iter().zip(0..).map(|(bound, index)| bound + (seed + index) % 3).collect();
        check_safe(&net, &loose);
    }
    if std::env::var("SYMBOLON_SEED").is_err() {
        println!("{larger} nets grew, {with_tests} had other arcs");
        assert!(larger > 100 && with_tests > 100, "{larger} nets grew, {with_tests} had other arcs");
    }
}

#[test]
fn families_become_safe() {
    for (name, parameters) in [
        ("kanban", &[3][..]),
        ("fms", &[2]),
        ("producer-consumer", &[2, 3, 5]),
        ("readers-writers", &[4, 2]),
        ("philosophers", &[4]),
    ] {
        let net = family(name, parameters);
        let analysis = analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("unlimited");
        let bounds: Option<Vec<u64>> = analysis.upper_bounds.iter().copied().collect();
        let safe = check_safe(&net, &bounds.expect("bounded by structure"));
        // And the structure of the new net proves that it is safe.
        let analysis = analyse(&safe, &AnalysisOptions::default(), &Budget::unlimited()).expect("unlimited");
        assert!(analysis.upper_bounds.iter().all(|bound| *bound == Some(1)), "{name}: proved safe");
    }
}

#[test]
fn a_safe_net_stays_as_it_is() {
    let net = family("philosophers", &[3]);
    assert_eq!(check_safe(&net, &vec![1; net.places.len()]), net);
}

#[test]
fn names_and_units_of_the_safe_net() {
    let net = Net {
        places: vec![place("p", 2), place("p_bit0", 1), place("never", 0)],
        transitions: vec![
            Transition::moving("t", [(PlaceId(0), 1)], []),
            Transition {
                label: Some("reset".into()),
                ..Transition::new("t__1", vec![Arc::Reset { place: PlaceId(1) }])
            },
            Transition::moving("dead", [(PlaceId(2), 1)], []),
        ],
        units: vec![Unit { id: "u".into(), parent: None, places: vec![PlaceId(0), PlaceId(2)] }],
        unit_claim: UnitClaim::NestedUnits,
        ..Net::default()
    };
    let safe = check_safe(&net, &[2, 1, 0]);
    let places: Vec<(&str, u64)> = safe.places.iter().map(|p| (p.id.as_str(), p.initial)).collect();
    let expected = [("p_bit0_", 0), ("p_bit0__not", 1), ("p_bit1", 1), ("p_bit1_not", 0)];
    assert_eq!(places[..4], expected);
    assert_eq!(places[4..], [("p_bit0", 1), ("p_bit0_not", 0)]);
    let transitions: Vec<(&str, &str)> =
        safe.transitions.iter().map(|t| (t.id.as_str(), t.label.as_deref().unwrap_or(""))).collect();
    assert_eq!(
        transitions,
        [
            ("t__1_", "t [p 10→01]"),
            ("t__2", "t [p x1→x0]"),
            ("t__1__1", "reset [p_bit0 0→0]"),
            ("t__1__2", "reset [p_bit0 1→0]"),
        ]
    );
    assert_eq!(safe.units[0].places, [0, 1, 2, 3].map(PlaceId));
    assert_eq!(safe.unit_claim, UnitClaim::Nothing);
}

#[test]
fn too_many_transitions_are_refused_with_their_number() {
    let net = family("kanban", &[50]);
    let bounds = vec![50; net.places.len()];
    let failure = to_safe_net(&net, &bounds, 1000, &Budget::unlimited()).expect_err("too many");
    assert_eq!(
        failure.to_string(),
        "the safe net would have 93816 transitions, more than 1000; transition 'tsynch1_23' alone becomes 46656"
    );
    // A reset of a place with many values needs a copy for each.
    let reset = Transition::new("reset", vec![Arc::Reset { place: PlaceId(0) }]);
    let net = Net { places: vec![place("p", 1 << 60)], transitions: vec![reset], ..Net::default() };
    let failure = to_safe_net(&net, &[1 << 60], 1000, &Budget::unlimited()).expect_err("too many");
    assert!(failure.to_string().contains("at least 1001 transitions"), "{failure}");
}

#[test]
fn an_exhausted_budget_ends_the_translation() {
    let net = family("kanban", &[50]);
    let budget = Budget::unlimited();
    budget.cancel();
    let safe = to_safe_net(&net, &vec![50; net.places.len()], MOST_TRANSITIONS, &budget);
    assert_eq!(safe.err(), Some(SafeFailure::Interrupted(Interrupted::Cancelled)));
}

#[test]
fn dead_parts_are_dropped_and_nothing_else() {
    let mut dropped = 0;
    for seed in seeds(400) {
        let net = random_net(seed);
        let dead = dead_parts(&net, &[]);
        let smaller = drop_dead_parts(&net, &dead).result;
        assert_eq!(smaller.check(), Ok(()));
        assert_eq!(figures(&all_states(&smaller)), figures(&all_states(&net)));
        assert_eq!(smaller.places.len() + dead.places.len(), net.places.len());
        if dead.places.is_empty() && dead.transitions.is_empty() {
            assert_eq!(smaller, net);
        } else {
            dropped += 1;
        }
    }
    assert!(dropped > 10 || std::env::var("SYMBOLON_SEED").is_ok(), "only {dropped} nets had dead parts");
}

#[test]
fn units_lose_their_dead_places() {
    let net = Net {
        places: vec![place("dead", 0), place("p", 1), place("q", 0)],
        transitions: vec![Transition::new(
            "t",
            vec![
                Arc::Inhibitor { place: PlaceId(0), weight: 1 },
                Arc::Reset { place: PlaceId(0) },
                Arc::Input { place: PlaceId(1), weight: 1 },
                Arc::Output { place: PlaceId(2), weight: 1 },
            ],
        )],
        units: vec![Unit { id: "u".into(), parent: None, places: vec![PlaceId(0), PlaceId(2)] }],
        ..Net::default()
    };
    let smaller = drop_dead_parts(&net, &dead_parts(&net, &[])).result;
    assert_eq!(smaller.places, net.places[1..]);
    assert_eq!(smaller.units[0].places, [PlaceId(1)]);
    assert_eq!(smaller.transitions[0].arcs[0], Arc::Input { place: PlaceId(0), weight: 1 });
    assert!(smaller.is_ordinary());
}

fn read_back(net: &Net) -> (Net, usize) {
    let written = write_ll_net(net).expect("expressible");
    assert!(written.text.is_ascii());
    let reading = read_ll_net(written.text.as_bytes(), &Budget::unlimited())
        .unwrap_or_else(|error| panic!("{error}\n{}", written.text));
    assert_eq!(reading.warnings, [], "{}", written.text);
    (reading.net, written.renamed)
}

#[test]
fn ll_net_texts_are_read_back() {
    for seed in seeds(300) {
        let mut net = random_net(seed);
        for transition in &mut net.transitions {
            transition.arcs.retain(|arc| !matches!(arc, Arc::Inhibitor { .. } | Arc::Reset { .. }));
        }
        net.places[0].label = Some("two words".into());
        let (again, renamed) = read_back(&net);
        assert_eq!(renamed, 0);
        net.name.clear();
        assert_eq!(again, net);
    }
}

#[test]
fn odd_names_are_changed_and_counted() {
    let ids = ["p", "é\"", "__", "é ü", "", "_ _", "TX", "PL"];
    let net = Net { places: ids.map(|id| place(id, 1)).to_vec(), ..Net::default() };
    let (again, renamed) = read_back(&net);
    let names: Vec<&str> = again.places.iter().map(|place| place.id.as_str()).collect();
    assert_eq!(names, ["p", "___", "__", "_ __", "_", "_ _", "TX", "PL"]);
    assert_eq!(renamed, 3);
}

#[test]
fn what_ll_net_cannot_say_is_listed() {
    assert_eq!(write_ll_net(&Net::default()), Err(vec![Inexpressible::Nothing]));
    let odd = Transition::new(
        "t",
        vec![Arc::Inhibitor { place: PlaceId(0), weight: 1 }, Arc::Reset { place: PlaceId(0) }],
    );
    let net = Net { places: vec![place("p", 0)], transitions: vec![odd], ..Net::default() };
    let problems: Vec<String> =
        write_ll_net(&net).expect_err("two").iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "transition 't' has an inhibitor arc from 'p', which .ll_net cannot express",
            "transition 't' has a reset arc to 'p', which .ll_net cannot express",
        ]
    );
}

/// What was written once is written the same again, for every net of the paper.
#[test]
fn written_pnml_is_a_fixed_point() {
    let Some(folder) = corpus_folder("the nets of the paper") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder.join("nets")).expect("readable") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "pnml") {
            let bytes = std::fs::read(&path).expect("readable");
            let first = read_pnml(&bytes, &Budget::unlimited()).expect("well formed").net;
            let text = write_pnml(&first);
            let second = read_pnml(text.as_bytes(), &Budget::unlimited()).expect("well formed").net;
            assert_eq!(second, first, "{}", path.display());
            assert_eq!(write_pnml(&second), text, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count} nets");
}
