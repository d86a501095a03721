//! Members of place/transition nets are found again: unfoldings, and nets of the contest, have the
//! symbolic markings of the coloured nets that they come from.

use symbolon_budget::Budget;
use symbolon_coloured::families::generate;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::{Net, Regrouped, UnfoldLimits, fold_sums, unfold};
use symbolon_petri::read::{Format, read_net};
use symbolon_symmetry::{Kind, explore, find_members, find_symmetry};
use symbolon_testkit::corpus_folder;

/// Numbers of symbolic markings, markings and edges.
fn figures(net: &Net) -> (u64, String, String) {
    let budget = Budget::unlimited();
    let net = fold_sums(net);
    let symmetry = find_symmetry(&net, &[], &budget).expect("nothing interrupts it");
    let quotient = explore(&net, &symmetry, &budget).expect("it is small");
    let figures = quotient.figures();
    (quotient.symbolic_count() as u64, figures.markings.to_string(), figures.edges.to_string())
}

fn found(net: &symbolon_petri::Net) -> Option<Regrouped> {
    find_members(net, &Budget::unlimited()).expect("nothing interrupts it")
}

#[test]
fn unfoldings_of_symmetric_families_are_folded_back() {
    for family in ["cs-wave:6", "cs-wave:9", "client-server:6,5", "client-server:9,4"] {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let found = found(&unfolded.net).unwrap_or_else(|| panic!("{family} is symmetric"));
        let (given, again) = (figures(&net), figures(&found.net));
        assert_eq!((&again.1, &again.2), (&given.1, &given.2), "{family}");
        // The unfolding may be more symmetric: it leaves out what can never be marked.
        assert!(again.0 <= given.0, "{family}: {} symbolic markings, not {}", again.0, given.0);
        // The order of lines, and names, do not matter.
        let other = unfolded.net.shuffled(7);
        let found = self::found(&other).unwrap_or_else(|| panic!("{family}, shuffled, is symmetric"));
        assert_eq!(figures(&found.net), again, "{family}, shuffled");
    }
}

#[test]
fn nets_are_left_alone_without_members_or_where_a_transition_names_them_all() {
    for family in ["philosophers-coloured:6", "peterson-coloured:2", "distributed-db:6"] {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let symmetry = found(&unfolded.net).map(|found| {
            find_symmetry(&found.net, &[], &Budget::unlimited()).expect("nothing interrupts it")
        });
        let is_free = |symmetry: symbolon_symmetry::Symmetry| {
            symmetry.classes.iter().any(|class| matches!(class.kind, Kind::Free(_)))
        };
        assert!(!symmetry.is_some_and(is_free), "{family}");
    }
}

#[test]
fn nets_of_the_contest_have_the_symbolic_markings_of_their_twins() {
    let Some(folder) = corpus_folder("place/transition nets with coloured twins") else { return };
    for size in ["000010", "000020"] {
        let read = |kind: &str| {
            let file = folder.join(format!("mcc/SharedMemory-{kind}-{size}/model.pnml"));
            std::fs::read(file).expect("the file can be read")
        };
        let budget = Budget::unlimited();
        let coloured = read_pnml(&read("COL"), &budget).expect("a good net").net;
        let plain = read_net(&read("PT"), Format::Pnml, &budget).expect("a good net").net;
        let found = found(&plain).expect("it is symmetric");
        assert_eq!(figures(&found.net), figures(&coloured), "{size}");
    }
}
