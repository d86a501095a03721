//! The sizes of the unfolded nets of the contest.
//!
//! The whole takes seconds in a release build, and is printed by
//! `cargo run --release -p symbolon-coloured --example unfold -- ../shared/mcc/*-COL-*/model.pnml`.

use crate::unfolded;
use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::{Instances, Net, UnfoldError, UnfoldLimits, unfold};
use symbolon_petri::read::read_pnml as read_plain;
use symbolon_testkit::contest_instance;

fn read(instance: &str) -> Option<Net> {
    let bytes = std::fs::read(contest_instance(instance)?.join("model.pnml")).expect("it can be read");
    Some(read_pnml(&bytes, &Budget::unlimited()).unwrap_or_else(|error| panic!("{instance}: {error:?}")).net)
}

/// Places, those of constant places, and transitions of an unfolded net.
fn check(instance: &str, expected: [usize; 3]) {
    let Some(net) = read(instance) else { return };
    let unfolded = unfolded(&net);
    let found = [unfolded.net.places.len(), unfolded.constant_place_count(), unfolded.net.transitions.len()];
    assert_eq!(found, expected, "{instance}");
}

#[test]
fn sizes_are_those_of_the_trial() {
    check("AirplaneLD-COL-0100", [719, 302, 808]);
    check("AirplaneLD-COL-4000", [28019, 12002, 32008]);
    check("BridgeAndVehicles-COL-V80P50N50", [228, 0, 8588]);
    check("DatabaseWithMutex-COL-40", [12920, 0, 12800]);
    check("DrinkVendingMachine-COL-10", [120, 0, 111160]);
    check("LamportFastMutEx-COL-5", [137, 0, 260]);
    check("LamportFastMutEx-COL-8", [266, 0, 584]);
    check("Philosophers-COL-010000", [50000, 0, 50000]);
    check("SharedMemory-COL-000200", [40601, 0, 80200]);
    check("TokenRing-COL-040", [1681, 0, 65641]);
    check("VehicularWifi-COL-none", [16985, 8256, 29700]);
}

#[test]
fn hopeless_nets_are_counted_not_listed() {
    let Some(net) = read("DrinkVendingMachine-COL-48") else { return };
    let result = unfold(&net, UnfoldLimits::default(), &Budget::unlimited());
    let expected = UnfoldError::TooLarge { what: Instances::Transitions, count: 260_225_568, is_exact: true };
    assert_eq!(result.expect_err("too large"), expected);
    assert_eq!(expected.to_string(), "unfolding gives 260225568 transitions, too many to list");
}

#[test]
fn unfolded_nets_are_no_larger_than_those_of_the_contest() {
    for instance in [
        "AirplaneLD-COL-0010",
        "BridgeAndVehicles-COL-V04P05N02",
        "BridgeAndVehicles-COL-V10P10N10",
        "CSRepetitions-COL-02",
        "CSRepetitions-COL-03",
        "CSRepetitions-COL-04",
        "DatabaseWithMutex-COL-02",
        "DatabaseWithMutex-COL-04",
        "DatabaseWithMutex-COL-10",
        "DrinkVendingMachine-COL-02",
        "LamportFastMutEx-COL-2",
        "LamportFastMutEx-COL-3",
        "LamportFastMutEx-COL-5",
        "Murphy-COL-D1N010",
        "Peterson-COL-2",
        "Peterson-COL-3",
        "Peterson-COL-4",
        "Peterson-COL-5",
        "Philosophers-COL-000005",
        "Philosophers-COL-000010",
        "Philosophers-COL-000020",
        "Philosophers-COL-000100",
        "PolyORBNT-COL-S05J20",
        "Referendum-COL-0010",
        "Referendum-COL-0050",
        "SharedMemory-COL-000005",
        "SharedMemory-COL-000010",
        "SharedMemory-COL-000020",
        "TokenRing-COL-005",
        "TokenRing-COL-010",
        "UtilityControlRoom-COL-Z2T3N04",
    ] {
        let twin = instance.replace("-COL-", "-PT-");
        let (Some(net), Some(folder)) = (read(instance), contest_instance(&twin)) else { return };
        let bytes = std::fs::read(folder.join("model.pnml")).expect("it can be read");
        let twin = read_plain(&bytes, &Budget::unlimited()).expect("the contest's net is right").net;
        let unfolded = unfolded(&net);
        let places = unfolded.net.places.len() - unfolded.constant_place_count();
        assert!(places <= twin.places.len(), "{instance}: {places} places, not {}", twin.places.len());
        let (ours, theirs) = (unfolded.net.transitions.len(), twin.transitions.len());
        assert!(ours <= theirs, "{instance}: {ours} transitions, not {theirs}");
    }
}
