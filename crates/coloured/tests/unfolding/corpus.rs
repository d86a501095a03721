//! The unfolded nets of the contest: their sizes, and the state spaces of the smaller ones.
//!
//! SharedMemory-COL-001000 takes half a gigabyte, so it is left to the example:
//! `cargo run --release -p symbolon-coloured --example unfold -- ../shared/mcc/*-COL-*/model.pnml`
//! prints 1 003 001 places and 2 001 000 transitions for it.

use crate::unfolded;
use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::{Instances, Net, UnfoldError, UnfoldLimits, unfold, unfolded_sizes};
use symbolon_explicit::{Options, explore};
use symbolon_petri::lower;
use symbolon_petri::read::read_pnml as read_plain;
use symbolon_testkit::{contest_instance, corpus_folder};

fn read(instance: &str) -> Option<Net> {
    let bytes = std::fs::read(contest_instance(instance)?.join("model.pnml")).expect("it can be read");
    Some(read_pnml(&bytes, &Budget::unlimited()).unwrap_or_else(|error| panic!("{instance}: {error:?}")).net)
}

/// Places, those of constant places among them, and transitions of each unfolded net.
const SIZES: &[(&str, [usize; 3])] = &[
    ("AirplaneLD-COL-0010", [89, 32, 88]),
    ("AirplaneLD-COL-0100", [719, 302, 808]),
    ("AirplaneLD-COL-4000", [28019, 12002, 32008]),
    ("BridgeAndVehicles-COL-V04P05N02", [28, 0, 52]),
    ("BridgeAndVehicles-COL-V10P10N10", [48, 0, 288]),
    ("BridgeAndVehicles-COL-V20P10N50", [108, 0, 2228]),
    ("BridgeAndVehicles-COL-V80P50N50", [228, 0, 8588]),
    ("CSRepetitions-COL-02", [23, 0, 28]),
    ("CSRepetitions-COL-03", [58, 0, 81]),
    ("CSRepetitions-COL-04", [117, 0, 176]),
    ("CSRepetitions-COL-07", [498, 0, 833]),
    ("DatabaseWithMutex-COL-02", [38, 0, 32]),
    ("DatabaseWithMutex-COL-04", [140, 0, 128]),
    ("DatabaseWithMutex-COL-10", [830, 0, 800]),
    ("DatabaseWithMutex-COL-40", [12920, 0, 12800]),
    ("DrinkVendingMachine-COL-02", [24, 0, 72]),
    ("DrinkVendingMachine-COL-10", [120, 0, 111160]),
    ("LamportFastMutEx-COL-2", [44, 0, 62]),
    ("LamportFastMutEx-COL-3", [71, 0, 114]),
    ("LamportFastMutEx-COL-5", [137, 0, 260]),
    ("LamportFastMutEx-COL-8", [266, 0, 584]),
    ("Murphy-COL-D1N010", [12, 0, 14]),
    ("Murphy-COL-D4N050", [30, 0, 35]),
    ("Peterson-COL-2", [102, 0, 126]),
    ("Peterson-COL-3", [244, 0, 332]),
    ("Peterson-COL-4", [480, 0, 690]),
    ("Peterson-COL-5", [834, 0, 1242]),
    ("Peterson-COL-7", [1992, 0, 3096]),
    ("Philosophers-COL-000005", [25, 0, 25]),
    ("Philosophers-COL-000010", [50, 0, 50]),
    ("Philosophers-COL-000020", [100, 0, 100]),
    ("Philosophers-COL-000100", [500, 0, 500]),
    ("Philosophers-COL-001000", [5000, 0, 5000]),
    ("Philosophers-COL-010000", [50000, 0, 50000]),
    ("PolyORBNT-COL-S05J20", [349, 0, 1210]),
    ("Referendum-COL-0010", [31, 0, 21]),
    ("Referendum-COL-0050", [151, 0, 101]),
    ("Referendum-COL-0100", [301, 0, 201]),
    ("Referendum-COL-1000", [3001, 0, 2001]),
    ("SharedMemory-COL-000005", [41, 0, 55]),
    ("SharedMemory-COL-000010", [131, 0, 210]),
    ("SharedMemory-COL-000020", [461, 0, 820]),
    ("SharedMemory-COL-000050", [2651, 0, 5050]),
    ("SharedMemory-COL-000200", [40601, 0, 80200]),
    ("TokenRing-COL-005", [36, 0, 156]),
    ("TokenRing-COL-010", [121, 0, 1111]),
    ("TokenRing-COL-015", [256, 0, 3616]),
    ("TokenRing-COL-020", [441, 0, 8421]),
    ("TokenRing-COL-040", [1681, 0, 65641]),
    ("TokenRing-COL-100", [10201, 0, 1010101]),
    ("UtilityControlRoom-COL-Z2T3N04", [72, 0, 108]),
    ("UtilityControlRoom-COL-Z4T4N10", [376, 0, 750]),
    ("VehicularWifi-COL-none", [16985, 8256, 29700]),
];

#[test]
fn all_nets_have_their_sizes() {
    for (instance, expected) in SIZES {
        let Some(net) = read(instance) else { return };
        let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let found =
            [unfolded.net.places.len(), unfolded.constant_place_count(), unfolded.net.transitions.len()];
        assert_eq!(found, *expected, "{instance}");
    }
}

/// Markings, edges, the most tokens in a place, and the most in a marking, as the contest counts them.
const STATE_SPACES: &[(&str, [u64; 4])] = &[
    ("AirplaneLD-COL-0010", [43463, 183664, 1, 38]),
    ("BridgeAndVehicles-COL-V04P05N02", [2874, 7160, 5, 17]),
    ("CSRepetitions-COL-02", [7424, 37088, 2, 8]),
    ("DatabaseWithMutex-COL-02", [153, 312, 1, 6]),
    ("DrinkVendingMachine-COL-02", [1024, 7680, 1, 12]),
    ("LamportFastMutEx-COL-2", [380, 716, 1, 8]),
    ("LamportFastMutEx-COL-3", [19742, 58272, 1, 14]),
    ("Murphy-COL-D1N010", [39780, 267984, 21, 50]),
    ("Peterson-COL-2", [20754, 62262, 1, 8]),
    ("Philosophers-COL-000005", [243, 945, 1, 10]),
    ("Philosophers-COL-000010", [59049, 459270, 1, 20]),
    ("Referendum-COL-0010", [59050, 393661, 1, 10]),
    ("SharedMemory-COL-000005", [1863, 10395, 1, 11]),
    ("TokenRing-COL-005", [166, 365, 1, 6]),
    ("TokenRing-COL-010", [58905, 294050, 1, 11]),
];

#[test]
fn state_spaces_are_those_of_the_contest() {
    for (instance, expected) in STATE_SPACES {
        let Some(net) = read(instance) else { return };
        let model = lower(&unfolded(&net).net);
        let found = explore(&model, &Options::default(), &Budget::unlimited());
        let found = found.unwrap_or_else(|_| panic!("{instance} has few markings"));
        let sum = u64::try_from(found.max_sum()).expect("few tokens");
        let numbers = [found.state_count() as u64, found.edge_count(), found.max_in_variable(), sum];
        assert_eq!(numbers, *expected, "{instance}");
    }
}

#[test]
fn state_spaces_of_the_papers_nets() {
    let Some(folder) = corpus_folder("the paper's nets") else { return };
    for (name, expected) in [
        ("ClientServer-COL-C02S02", 34),
        ("ClientServer-COL-C05S02", 4864),
        // 1 + N · 3^(N - 1)
        ("DistributedDB-COL-02", 7),
        ("DistributedDB-COL-03", 28),
        ("DistributedDB-COL-06", 1459),
    ] {
        let file = folder.join("symmetric").join(format!("{name}.pnml"));
        let bytes = std::fs::read(file).expect("it can be read");
        let net = read_pnml(&bytes, &Budget::unlimited()).expect("it is right").net;
        let found = explore(&lower(&unfolded(&net).net), &Options::default(), &Budget::unlimited());
        let found = found.unwrap_or_else(|_| panic!("{name} has few markings"));
        assert_eq!(found.state_count(), expected, "{name}");
    }
}

#[test]
fn hopeless_nets_are_counted_not_listed() {
    let Some(net) = read("DrinkVendingMachine-COL-48") else { return };
    let result = unfold(&net, UnfoldLimits::default(), &Budget::unlimited());
    let expected = UnfoldError::TooLarge { what: Instances::Transitions, count: 260_225_568, is_exact: true };
    assert_eq!(result.expect_err("too large"), expected);
    assert_eq!(expected.to_string(), "unfolding gives 260225568 transitions, too many to list");
    let sizes =
        unfolded_sizes(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it can be counted");
    assert_eq!(sizes.places.iter().sum::<u64>(), 576);
    assert_eq!(sizes.colour_count, 576);
    assert_eq!(sizes.transitions.iter().sum::<u128>(), 260_225_568);
}

#[test]
fn unfolded_nets_are_no_larger_than_those_of_the_contest() {
    for (instance, _) in SIZES {
        let Some(corpus) = corpus_folder("contest") else { return };
        // Not every coloured net has a twin.
        let twin = corpus.join("mcc").join(instance.replace("-COL-", "-PT-")).join("model.pnml");
        let Ok(bytes) = std::fs::read(twin) else { continue };
        let Some(net) = read(instance) else { return };
        let twin = read_plain(&bytes, &Budget::unlimited()).expect("the contest's net is right").net;
        let unfolded = unfolded(&net);
        let places = unfolded.net.places.len() - unfolded.constant_place_count();
        assert!(places <= twin.places.len(), "{instance}: {places} places, not {}", twin.places.len());
        let (ours, theirs) = (unfolded.net.transitions.len(), twin.transitions.len());
        assert!(ours <= theirs, "{instance}: {ours} transitions, not {theirs}");
    }
}
