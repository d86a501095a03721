//! The built-in families against known figures, by exploring them state by state, and against the
//! contest's nets, name by name, where the corpus is present.

use std::collections::BTreeSet;
use std::path::Path;
use symbolon_budget::Budget;
use symbolon_explicit::{Exploration, Options, explore};
use symbolon_petri::families::generate;
use symbolon_petri::read::read_pnml;
use symbolon_petri::{Arc, Net, PlaceId, lower};
use symbolon_testkit::contest_instance;

fn family(name: &str, n: u64) -> Net {
    member(name, &[n])
}

fn member(name: &str, parameters: &[u64]) -> Net {
    let net = generate(name, parameters, &Budget::unlimited());
    net.unwrap_or_else(|error| panic!("{name}:{parameters:?}: {error}"))
}

fn all_states(net: &Net) -> Exploration {
    explore(&lower(net), &Options::default(), &Budget::unlimited()).expect("the family is bounded")
}

/// Checks the numbers of states, edges and dead states.
fn check(name: &str, n: u64, states: usize, edges: u64, dead: usize) {
    check_member(name, &[n], states, edges, dead);
}

fn check_member(name: &str, parameters: &[u64], states: usize, edges: u64, dead: usize) {
    let found = all_states(&member(name, parameters));
    let counts = (found.state_count(), found.edge_count(), found.dead_states().len());
    assert_eq!(counts, (states, edges, dead), "{name}:{parameters:?}: states, edges, dead states");
}

/// Figures of the literature, of the contest, and of the formulas in the families' descriptions.
#[test]
fn small_members_have_the_known_figures() {
    check("dekker", 2, 8, 16, 0);
    check("dekker", 10, 6144, 171_530, 0);
    check("fms", 2, 3444, 16_311, 0);
    check("kanban", 1, 160, 616, 0);
    check("kanban", 2, 4600, 28_120, 0);
    check("kanban", 3, 58_400, 446_400, 0);
    check("peterson", 2, 20_754, 62_262, 0);
    check("philosophers", 2, 9, 14, 2);
    check("philosophers", 5, 243, 945, 2);
    check_member("philosophers-left-handed", &[2, 2], 5, 6, 0);
    check_member("philosophers-left-handed", &[4, 2], 23, 52, 0);
    check_member("philosophers-left-handed", &[5, 7], 82, 265, 1);
    check_member("philosophers-left-handed", &[7, 7], 408, 1804, 0);
    check_member("philosophers-left-handed", &[8, 3], 846, 4212, 0);
    check("philosophers-left-right", 2, 18, 34, 2);
    check("philosophers-left-right", 3, 76, 213, 2);
    check("philosophers-left-right", 4, 322, 1204, 2);
    check("philosophers-left-right", 6, 5778, 32_406, 2);
    check("round-robin", 2, 18, 28, 0);
    check("round-robin", 10, 23_040, 128_000, 0);
    check("shared-memory", 2, 15, 34, 0);
    check("shared-memory", 5, 1863, 10_395, 0);
    check("slotted-ring", 1, 6, 8, 0);
    check("slotted-ring", 2, 52, 112, 0);
    check("slotted-ring", 5, 53_856, 263_040, 0);
    check("swimming-pool", 1, 89_621, 450_003, 0);
    check("token-ring", 5, 166, 365, 0);
    check("token-ring", 10, 58_905, 294_050, 0);
}

/// The largest members that an explicit search is asked for in the tests.
#[test]
fn larger_members_have_the_known_figures() {
    check("kanban", 4, 454_475, 3_979_850, 0);
    check("slotted-ring", 6, 575_296, 3_341_568, 0);
    check("philosophers", 10, 59_049, 459_270, 2);
}

/// The contest's instance, and the family and parameter that must give the same net.
const CONTEST: &[(&str, &str, u64)] = &[
    ("Dekker-PT-010", "dekker", 10),
    ("Dekker-PT-020", "dekker", 20),
    ("FMS-PT-00002", "fms", 2),
    ("FMS-PT-50000", "fms", 50_000),
    ("Kanban-PT-00005", "kanban", 5),
    ("Kanban-PT-05000", "kanban", 5000),
    ("Peterson-PT-2", "peterson", 2),
    ("Peterson-PT-3", "peterson", 3),
    ("Peterson-PT-5", "peterson", 5),
    ("Philosophers-PT-000005", "philosophers", 5),
    ("Philosophers-PT-000500", "philosophers", 500),
    ("SharedMemory-PT-000005", "shared-memory", 5),
    ("SharedMemory-PT-000020", "shared-memory", 20),
    ("SwimmingPool-PT-01", "swimming-pool", 1),
    ("SwimmingPool-PT-10", "swimming-pool", 10),
    ("TokenRing-PT-005", "token-ring", 5),
    ("TokenRing-PT-010", "token-ring", 10),
];

/// Same places with the same markings, same transitions with the same arcs, whatever their order.
#[test]
fn families_are_the_contests_nets() {
    for &(instance, name, n) in CONTEST {
        let Some(folder) = contest_instance(instance) else { continue };
        let ours = family(name, n);
        let meta = text_of(&folder.join("meta.json"));
        assert_eq!(Some(ours.places.len() as u64), number_after(&meta, "\"places\": "), "{instance}");
        assert_eq!(
            Some(ours.transitions.len() as u64),
            number_after(&meta, "\"transitions\": "),
            "{instance}"
        );
        assert_eq!(Some(ours.arc_count() as u64), number_after(&meta, "\"arcs\": "), "{instance}");

        let pnml = std::fs::read(folder.join("model.pnml")).expect("the model can be read");
        let theirs = read_pnml(&pnml, &Budget::unlimited()).expect("a contest's net is well formed").net;
        assert!(theirs.is_ordinary(), "{instance}");
        assert!(described(&ours) == described(&theirs), "{instance}: another net than '{name}:{n}'");
    }
}

/// The numbers of states and edges that the contest agreed on, for members small enough.
#[test]
fn families_have_the_contests_figures() {
    for &(instance, name, n) in CONTEST {
        let Some(folder) = contest_instance(instance) else { continue };
        let oracle = text_of(&folder.join("oracle.json"));
        let figure = |key: &str| number_after(&oracle, &format!("\"{key}\": \""));
        let Some(states) = figure("states").filter(|&states| states <= 100_000) else { continue };
        let found = all_states(&family(name, n));
        assert_eq!(found.state_count() as u64, states, "{instance}: states");
        assert_eq!(Some(found.edge_count()), figure("transitions"), "{instance}: edges");
        assert_eq!(Some(found.max_in_variable()), figure("max_token_in_place"), "{instance}: in a place");
        let most = figure("max_token_per_marking").map(u128::from);
        assert_eq!(Some(found.max_sum()), most, "{instance}: in a marking");
    }
}

/// A net of millions of parts is a matter of seconds.
#[test]
fn a_large_member_is_well_formed() {
    let net = family("philosophers", 100_000);
    assert_eq!((net.places.len(), net.transitions.len(), net.arc_count()), (500_000, 500_000, 1_600_000));
    for transition in &net.transitions {
        let arcs = &transition.arcs;
        assert!(arcs.is_sorted_by(|a, b| a.position() < b.position()), "PETRI-P2: {}", transition.id);
    }
}

/// All parts of a net by name, in an order that does not depend on that of the net.
fn described(net: &Net) -> (BTreeSet<(String, u64)>, BTreeSet<String>) {
    // The contest spells one of Dekker's places p34 instead of p3_4.
    let name = |id: &str| if id == "p34" { "p3_4".to_string() } else { id.to_string() };
    // An arc without the number of its place, beside the name of the place.
    let named = |arc: &Arc| (name(&net.places[arc.place().index()].id), format!("{:?}", arc.at(PlaceId(0))));
    let places = net.places.iter().map(|place| (name(&place.id), place.initial)).collect();
    let transitions = net.transitions.iter();
    let transitions =
        transitions.map(|t| format!("{} {:?}", t.id, t.arcs.iter().map(named).collect::<BTreeSet<_>>()));
    (places, transitions.collect())
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The number that stands right after the first occurrence of `key`, if it fits.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.find(key)? + key.len()..];
    rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}
