//! Diagrams of symbolic markings against the explicit quotient, which is tested against unfolded
//! nets.

#[path = "../quotient/symmetric_nets.rs"]
mod symmetric_nets;

use symbolon_budget::{Budget, Interrupted};
use symbolon_coloured::Net;
use symbolon_coloured::families::generate;
use symbolon_symmetry::{DiagramQuotient, SpelledFigures, explore, explore_in_diagrams, find_symmetry};
use symbolon_testkit::{random_coloured_net, seeds};
use symmetric_nets::random_symmetric_net;

/// Nets with more symbolic markings than this are not compared.
const MOST_SYMBOLIC: usize = 1500;

fn diagram(net: &Net) -> DiagramQuotient {
    let symmetry = find_symmetry(net, &[], &Budget::unlimited()).expect("unlimited");
    explore_in_diagrams(net, &symmetry, &Budget::unlimited()).expect("unlimited")
}

fn family(name: &str) -> DiagramQuotient {
    diagram(&generate(name, &Budget::unlimited()).expect("a family"))
}

/// The numbers of symbolic markings and of markings.
fn counts(found: &mut DiagramQuotient) -> (String, String) {
    let symbolic = found.symbolic_count().expect("unlimited");
    (symbolic.to_string(), found.marking_count().expect("unlimited").to_string())
}

/// Whether the net was small enough to be compared.
fn check(net: &Net) -> bool {
    let limited = Budget::unlimited();
    let symmetry = find_symmetry(net, &[], &limited).expect("unlimited").without_rotations();
    // Unfolding says cheaply whether a random net is small.
    let limits = symbolon_coloured::UnfoldLimits::default();
    let Ok(unfolded) = symbolon_coloured::unfold(net, limits, &limited) else { return false };
    let options = symbolon_explicit::Options { state_limit: Some(MOST_SYMBOLIC) };
    let model = symbolon_petri::lower(&unfolded.net);
    let Ok(explored) = symbolon_explicit::explore(&model, &options, &limited) else { return false };
    let expected = explore(net, &symmetry, &limited).expect("unlimited");
    let mut found = explore_in_diagrams(net, &symmetry, &limited).expect("unlimited");
    let expected = (expected.symbolic_count().to_string(), explored.state_count().to_string());
    assert_eq!(counts(&mut found), expected);
    true
}

#[test]
fn random_nets_have_as_many_symbolic_markings_as_in_the_explicit_quotient() {
    let mut compared = 0;
    for seed in seeds(150) {
        compared += u32::from(check(&random_symmetric_net(seed)));
        compared += u32::from(check(&random_coloured_net(seed)));
    }
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(compared > 180, "{compared} nets were compared");
    }
}

#[test]
fn families_have_the_known_counts() {
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(counts(&mut family("client-server:2,2")), pair("12", "34"));
    assert_eq!(counts(&mut family("client-server:5,2")), pair("82", "4864"));
    assert_eq!(counts(&mut family("client-server:6,6")), pair("281", "4894672"));
    assert_eq!(counts(&mut family("distributed-db:8")), pair("37", "17497"));
    assert_eq!(counts(&mut family("distributed-db:8,pairs")), pair("37", "17497"));
    assert_eq!(counts(&mut family("cs-wave:7")), pair("175", "7290"));
    assert_eq!(counts(&mut family("peterson-coloured:5")), pair("64", "4361"));
}

#[test]
fn diagrams_do_not_grow_with_the_number_of_processes() {
    let nodes = |name: &str| family(name).node_count();
    let databases = ["distributed-db:30", "distributed-db:60"].map(nodes);
    assert!(databases[0].abs_diff(databases[1]) <= 3 && databases[1] <= 100, "{databases:?}");
    let waves = ["cs-wave:30", "cs-wave:60"].map(nodes);
    assert!(waves[0].abs_diff(waves[1]) <= 3 && waves[1] <= 110, "{waves:?}");
}

#[test]
fn motifs_are_spelled_out() {
    let SpelledFigures { nodes, share, average_length } =
        family("client-server:2,2").spelled().expect("unlimited");
    // 12 sequences; the tree of the sequences has more nodes than the diagram.
    assert!(
        nodes > 50 && (0.2..0.9).contains(&share) && average_length > 10.0,
        "{nodes} {share} {average_length}"
    );
    let larger = family("distributed-db:100").spelled().expect("unlimited").nodes as f64;
    let smaller = family("distributed-db:40").spelled().expect("unlimited").nodes as f64;
    let growth = (larger - smaller) / 60.0;
    assert!((1.4..=1.6).contains(&growth), "{growth} nodes per process");
}

#[test]
fn resources_run_out_without_a_panic() {
    let net = generate("cs-wave:100", &Budget::unlimited()).expect("a family");
    let symmetry = find_symmetry(&net, &[], &Budget::unlimited()).expect("unlimited");
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(explore_in_diagrams(&net, &symmetry, &cancelled).err(), Some(Interrupted::Cancelled));
}
