//! Known counts: the nets of the paper, the built-in families, and nets of the contest.

use super::quotient;
use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_coloured::Net;
use symbolon_coloured::families::generate;
use symbolon_coloured::read::read_pnml;
use symbolon_testkit::{contest_instance, corpus_folder};

fn family(name: &str) -> Net {
    generate(name, &Budget::unlimited()).expect("a family")
}

/// Checks the numbers of symbolic markings and of markings.
fn check(net: &Net, symbolic: usize, markings: &str) {
    let found = quotient(net);
    assert_eq!((found.symbolic_count(), &*found.figures().markings.to_string()), (symbolic, markings));
}

#[test]
fn nets_of_the_paper_have_the_expected_counts() {
    let Some(folder) = corpus_folder("nets of the paper") else { return };
    let folder = folder.join("symmetric");
    let text = std::fs::read_to_string(folder.join("expected.json")).expect("the expected counts");
    // Lines such as `"states": "34",` below lines such as `"ClientServer-COL-C02S02": {`.
    let mut expected: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut current = "";
    for line in text.lines() {
        match *line.split('"').collect::<Vec<_>>() {
            [_, name, rest] if rest.trim() == ": {" => current = name,
            [_, key, _, value, _] if !key.starts_with('_') => {
                expected.entry(current).or_default().insert(key, value);
            }
            _ => {}
        }
    }
    assert_eq!(expected.len(), 14);
    for (name, counts) in expected {
        let bytes = std::fs::read(folder.join(format!("{name}.pnml"))).expect("the net");
        let net = read_pnml(&bytes, &Budget::unlimited()).expect("it is read").net;
        let found = quotient(&net);
        assert_eq!(found.symbolic_count().to_string(), counts["symbolic_states"], "{name}");
        assert_eq!(found.figures().markings.to_string(), counts["states"], "{name}");
    }
}

#[test]
fn clients_and_servers_are_counted() {
    check(&family("client-server:2,2"), 12, "34");
    check(&family("client-server:5,2"), 82, "4864");
    check(&family("client-server:10,2"), 476, "12189696");
    check(&family("client-server:6,6"), 281, "4894672");
    let found = quotient(&family("client-server:5,2"));
    assert_eq!(found.figures().edges.to_string(), "24640");
}

#[test]
fn edges_of_nine_clients_and_servers_are_counted() {
    let found = quotient(&family("client-server:9,9"));
    assert_eq!(found.symbolic_count(), 1698);
    assert_eq!(found.figures().markings.to_string(), "242078275484");
    assert_eq!(found.figures().edges.to_string(), "2825771034348");
}

#[test]
fn databases_are_counted() {
    for n in [2_u32, 3, 5, 8, 30] {
        let markings = (num_bigint::BigUint::from(3_u32).pow(n - 1) * n + 1_u32).to_string();
        let symbolic = (n * (n + 1) / 2 + 1) as usize;
        check(&family(&format!("distributed-db:{n}")), symbolic, &markings);
        check(&family(&format!("distributed-db:{n},pairs")), symbolic, &markings);
    }
}

#[test]
fn petersons_processes_are_counted() {
    let markings = ["9", "55", "441", "4361", "51133", "692777", "10642033"];
    for (n, markings) in (2_usize..).zip(markings) {
        check(&family(&format!("peterson-coloured:{n}")), (n + 3) << (n - 2), markings);
    }
}

#[test]
fn waves_are_counted() {
    for n in [2_u32, 3, 7, 20, 40] {
        let markings = num_bigint::BigUint::from(3_u32).pow(n - 1) * (n + 3);
        check(&family(&format!("cs-wave:{n}")), (n * (7 * n + 1) / 2) as usize, &markings.to_string());
    }
}

/// Checks the four numbers of a net of the contest.
fn check_contest(name: &str, symbolic: usize, figures: [&str; 4]) {
    let Some(folder) = contest_instance(name) else { return };
    let bytes = std::fs::read(folder.join("model.pnml")).expect("the net");
    let net = read_pnml(&bytes, &Budget::unlimited()).expect("it is read").net;
    let found = quotient(&net);
    let known = found.figures();
    let texts = [
        known.markings.to_string(),
        known.edges.to_string(),
        known.largest_count.to_string(),
        known.largest_sum.to_string(),
    ];
    assert_eq!((found.symbolic_count(), texts.each_ref().map(|text| &**text)), (symbolic, figures), "{name}");
}

#[test]
fn nets_of_the_contest_are_counted() {
    check_contest("CSRepetitions-COL-02", 352, ["7424", "37088", "2", "8"]);
    check_contest("SharedMemory-COL-000010", 201, ["1830519", "19486170", "1", "21"]);
    check_contest("AirplaneLD-COL-0010", 591, ["43463", "183664", "1", "38"]);
    check_contest("UtilityControlRoom-COL-Z2T3N04", 5706, ["208341", "1393748", "4", "17"]);
    check_contest("Referendum-COL-0010", 67, ["59050", "393661", "1", "10"]);
    check_contest("LamportFastMutEx-COL-2", 191, ["380", "716", "1", "8"]);
    check_contest("DatabaseWithMutex-COL-02", 43, ["153", "312", "1", "6"]);
    check_contest("Philosophers-COL-000005", 51, ["243", "945", "1", "10"]);
}
