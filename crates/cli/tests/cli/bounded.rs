//! Bounded search and distances, as users ask for them.

use crate::nets::unbounded;
use crate::program::line;
use serde_json::Value;
use std::fs;
use symbolon_testkit::corpus_folder;

fn json(words: &str, status: i32) -> Value {
    let run = line(words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{words}: {error}"))
}

#[test]
fn deadlocks_are_found_within_bounds() {
    let check = |method: &str, bound: u64, status: i32, distance: Option<u64>| {
        let words = format!("deadlock philosophers:6 --method {method} --bound {bound} --json");
        let answer = json(&words, status);
        assert_eq!(answer["distance"].as_u64(), distance, "{words}");
        if status == 1 {
            assert_eq!(answer["bound"].as_u64(), Some(bound), "{words}");
            assert_eq!(answer["method"], method, "{words}");
            assert!(answer["witness"]["steps"].as_array().is_some_and(|steps| steps.len() >= 6), "{words}");
        } else {
            assert_eq!(answer["reason"], "bound", "{words}");
        }
    };
    for method in ["edd-exact", "add-exact", "auto"] {
        check(method, 6, 1, Some(6));
        check(method, 5, 3, None);
    }
    check("edd-approx", 6, 1, Some(6));
    for method in ["mdd-chain", "mdd-local", "mdd-global"] {
        check(method, 6, 1, None);
        check(method, 0, 3, None);
    }
    assert_eq!(json("deadlock philosophers:50 --method auto --json", 1)["distance"], 50);
    // All states were met: there is none.
    json("deadlock kanban:1 --method edd-exact --bound 100 --json", 0);
}

#[test]
fn wrong_choices_are_told() {
    let check = |words: &str, expected: &str| {
        let run = line(words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(expected), "{words}: {run:?}");
    };
    check("deadlock kanban:1 --method edd-exact", "needs a bound");
    check("deadlock kanban:1 --method edd-exakt --bound 3", "edd-exact");
    check("deadlock kanban:1 --method auto --diagram ddd", "--diagram mdd");
    check("states kanban:1 --distances --strategy bfs", "--strategy");
}

#[test]
fn distances_are_counted() {
    let answer = json("states philosophers:3 --distances --json", 0);
    assert_eq!(answer["depth"], 3);
    assert_eq!(answer["distances"], serde_json::json!(["1", "6", "12", "8"]));
    let run = line("states philosophers:40 --distances");
    assert!(run.out.contains("depth       40"), "{run:?}");
    assert!(run.out.contains("11 more; -v shows all"), "{run:?}");
}

#[test]
fn growing_nets_have_bounds_too() {
    let file = tempfile::Builder::new().suffix(".pnml").tempfile().expect("a file");
    fs::write(file.path(), unbounded()).expect("it is written");
    let words = format!("deadlock {} --method edd-exact --bound 100 --json", file.path().display());
    assert_eq!(json(&words, 3)["reason"], "bound");
}

#[test]
fn nets_of_the_paper_have_their_distances() {
    let Some(folder) = corpus_folder("deadlock distances of the paper's nets") else { return };
    let text = fs::read_to_string(folder.join("nets/expected.json")).expect("the list is there");
    let expected: serde_json::Map<String, Value> = serde_json::from_str(&text).expect("it is an object");
    let nets = expected.iter().filter_map(|(name, net)| Some((name, net["deadlock_distance"].as_u64()?)));
    let mut count = 0;
    for (name, distance) in nets {
        let file = folder.join("nets").join(format!("{name}.pnml"));
        for method in ["edd-exact", "auto"] {
            let words = format!("deadlock {} --method {method} --bound {distance} --json", file.display());
            let answer = json(&words, 1);
            assert_eq!(answer["distance"].as_u64(), Some(distance), "{words}");
            assert_eq!(
                answer["witness"]["steps"].as_array().map(Vec::len),
                Some(distance as usize),
                "{words}"
            );
        }
        let words = format!("deadlock {} --method edd-exact --bound {} --json", file.display(), distance - 1);
        assert_eq!(json(&words, 3)["reason"], "bound", "{words}");
        count += 1;
    }
    assert!(count >= 10, "{count} nets");
}
