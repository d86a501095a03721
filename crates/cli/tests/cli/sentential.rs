//! `--diagram sentential` and `--vtree`, by name and from files.

use crate::json::validated;
use crate::program::{line, line_in, symbolon};
use serde_json::Value;
use std::fs;

fn report(words: &str) -> Value {
    validated(&line(&format!("{words} --json")))
}

const SHAPES: [&str; 6] =
    ["auto", "right-linear", "minfill", "components", "bounded-sqrt-1", "agent-interleaved-ascending"];

#[test]
fn the_same_states_as_by_other_diagrams() {
    let keys = ["states", "edges", "max_tokens_in_place", "max_tokens_per_marking"];
    for model in ["kanban:3", "philosophers:6", "token-ring:4", "dining-cryptographers:4"] {
        let expected = report(&format!("states {model} --edges yes"));
        for shape in SHAPES {
            let found = report(&format!("states {model} --edges yes --diagram sentential --vtree {shape}"));
            for key in keys {
                assert_eq!(found[key], expected[key], "{key} of {model} under {shape}");
            }
            assert_eq!(found["diagram"], "sentential");
            for (kernel, made) in found["nodes_made"].as_object().expect("by kernel") {
                assert_eq!(made.as_u64() > Some(0), kernel == "sentential", "{kernel} of {model}");
            }
            assert!(shape == "auto" || found["vtree"] == shape, "{found:#}");
            assert!(found["vtree_reason"].is_string(), "{found:#}");
        }
        assert!(expected["vtree"].is_null());
    }
}

#[test]
fn deadlocks_and_verdicts_are_shown() {
    let found = report("deadlock philosophers:4 --diagram sentential --no-shortcuts");
    assert_eq!((&found["deadlock"], &found["method"]), (&true.into(), &"sentential".into()));
    assert_eq!(found["witness"]["shape"], "trace");
    let formulas = ["EF deadlock", "AG EF Think_1 = 1", "A (G F Think_1 = 1)"];
    let verdicts = |diagram: &str| {
        let mut words = vec!["check", "philosophers:3", "--no-shortcuts", "--json", "--diagram", diagram];
        words.extend(formulas);
        let found = validated(&symbolon(&words));
        let properties = found["properties"].as_array().expect("a list").clone();
        properties.iter().map(|property| property["verdict"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(verdicts("sentential"), verdicts("mdd"));
}

#[test]
fn vtrees_are_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let save = "states kanban:2 --diagram sentential --vtree minfill --save-vtree tree.vtree -q";
    assert_eq!(line_in(folder.path(), save).out, "4600\n");
    let text = fs::read_to_string(folder.path().join("tree.vtree")).expect("it was saved");
    assert!(text.contains("vtree ") && text.contains("c 1 "), "{text}");
    let load = line_in(folder.path(), "states kanban:2 --diagram sentential --vtree @tree.vtree -q");
    assert_eq!(load.out, "4600\n", "{load:?}");
    let other = line_in(folder.path(), "states kanban:5 --diagram sentential --vtree @tree.vtree");
    assert_eq!(other.status, Some(3), "{other:?}");
    assert!((other.out + &other.err).contains("leaves, but the model has"));
    fs::write(folder.path().join("wrong.vtree"), "vtree 3\nL 0 1\nL 2 x\n").expect("writable");
    let wrong = line_in(folder.path(), "states kanban:2 --diagram sentential --vtree @wrong.vtree");
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("wrong.vtree:3") && wrong.err.contains("found 'x'"), "{wrong:?}");
}

#[test]
fn a_hopeless_vtree_ends_in_time() {
    let started = std::time::Instant::now();
    let run = line("states dining-cryptographers:9 --diagram sentential --vtree left-linear --timeout 2");
    assert!(matches!(run.status, Some(0 | 3)), "{run:?}");
    assert!(started.elapsed().as_secs() < 8, "{:?}", started.elapsed());
}
