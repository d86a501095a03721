//! The coloured nets of the contest.

use super::unfolded::check_swaps;
use super::{short, symmetry};
use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_testkit::corpus_folder;

/// What is found, by the beginning of the name of an instance: the first line that fits counts.
const EXPECTED: &[(&str, &str)] = &[
    ("AirplaneLD-COL-0010", "Weight fixed, Speed 6+4, Altitude 11+9, Signal fixed"),
    ("AirplaneLD-COL-4000", "Weight fixed, Speed 2001+1999, Altitude 4001+3999, Signal fixed"),
    ("CSRepetitions-COL-04", "Client 16, Server 4"),
    ("CSRepetitions-COL-07", "Client 49, Server 7"),
    // Its sums of all constants are `all`.
    ("DatabaseWithMutex-COL-10", "site 10, file 10"),
    ("DrinkVendingMachine-COL-48", "Quality 4x48, Products 48, Options 48"),
    ("LamportFastMutEx-COL-2", "P-bool fixed, pid 2+1"),
    ("LamportFastMutEx-COL-5", "P-bool fixed, pid 5+1"),
    ("Murphy-", "CD rotating"),
    ("Peterson-", "Process fixed, Tour fixed, Bool fixed"),
    ("Philosophers-", "Philo rotating"),
    ("PolyORBNT-COL-S05J20", "Jobs 20+1, Sources 5, States fixed"),
    ("Referendum-COL-1000", "Voters 1000"),
    ("SharedMemory-COL-001000", "P 1000"),
    ("TokenRing-", "Process fixed"),
    ("UtilityControlRoom-COL-Z4T4N10", "Z 4, Cli 10"),
    ("VehicularWifi-", "St fixed, PT fixed, BackoffStage fixed, Pr fixed, TxCount fixed"),
];

/// Small enough to compare every swap with the unfolded net.
const SMALL: &[&str] = &[
    "AirplaneLD-COL-0010",
    "CSRepetitions-COL-02",
    "DatabaseWithMutex-COL-02",
    "DrinkVendingMachine-COL-02",
    "LamportFastMutEx-COL-2",
    "Murphy-COL-D1N010",
    "Philosophers-COL-000005",
    "PolyORBNT-COL-S05J20",
    "SharedMemory-COL-000005",
    "UtilityControlRoom-COL-Z2T3N04",
];

#[test]
fn public_nets_have_the_symmetry_that_is_known() {
    let Some(folder) = corpus_folder("coloured nets") else { return };
    let mut tested = 0;
    for entry in std::fs::read_dir(folder.join("mcc")).expect("the contest's nets are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.contains("-COL-") {
            continue;
        }
        let bytes = std::fs::read(entry.path().join("model.pnml")).expect("a model");
        let net = read_pnml(&bytes, &Budget::unlimited()).expect("it is read").net;
        let found = symmetry(&net);
        if let Some((_, expected)) = EXPECTED.iter().find(|(start, _)| name.starts_with(start)) {
            assert_eq!(short(&net, &found), *expected, "{name}");
            tested += 1;
        }
        // Whatever is not free comes with a reason.
        for (class, of) in net.classes.iter().zip(&found.classes) {
            assert_eq!(of.reasons.is_empty(), of.subclasses().len() == 1 || class.size() == 1, "{name}");
        }
        if SMALL.contains(&&*name) {
            check_swaps(&net);
        }
    }
    assert!(tested >= 30, "{tested} nets were tested");
}
