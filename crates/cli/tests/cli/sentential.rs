//! `--diagram sentential` and `--vtree`, by name and from files.

use crate::json::validated;
use crate::program::{line, line_in, symbolon};
use serde_json::Value;
use std::fs;

fn report(words: &str) -> Value {
    validated(&line(&format!("{words} --json")))
}

const SHAPES: [&str; 7] = [
    "auto",
    "right-linear",
    "minfill",
    "components",
    "cells",
    "bounded-sqrt-1",
    "agent-interleaved-ascending",
];

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
fn counters_whose_sum_stays_are_added_place_by_place() {
    let found = report("states kanban:20 --edges no --diagram sentential");
    assert_eq!((&found["vtree"], &found["states"]), (&"cells".into(), &"805422366595".into()));
    // Under the right-linear vtree there are twice as many.
    assert!(found["size"]["elements"].as_u64() < Some(1500), "{found:#}");
    let found = report("states philosophers:6 --edges no --diagram sentential");
    assert_ne!(found["vtree"], "cells", "places of one token have nothing to add");
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

#[test]
fn formulas_are_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    // Of three in a row, no two neighbours are false: five ways.
    fs::write(folder.path().join("row.cnf"), "c a row\np cnf 3 2\n1 2 0\n2 3 0\n").expect("writable");
    let words = "compile row.cnf --save-vtree row.vtree -o row.sdd -q";
    assert_eq!(line_in(folder.path(), words).out, "5\n");
    for option in ["--vtree @row.vtree", "--vtree balanced --reorder dynamic", "--reorder result"] {
        let found = line_in(folder.path(), &format!("compile row.cnf {option} --json"));
        let found = validated(&found);
        assert_eq!((&found["models"], &found["clauses"]), (&"5".into(), &2.into()), "{option}: {found:#}");
        let size = |key: &str| found["size"][key].as_u64().expect("a number");
        assert!(size("elements") <= size("unsigned_elements") && size("nodes") > 0, "{found:#}");
    }
    let diagram = fs::read_to_string(folder.path().join("row.sdd")).expect("it was written");
    assert!(diagram.starts_with("sdd "), "{diagram}");
    fs::write(folder.path().join("wrong.cnf"), "p cnf 2 1\n1 3 0\n").expect("writable");
    let wrong = line_in(folder.path(), "compile wrong.cnf");
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("wrong.cnf:2") && wrong.err.contains("variables 1 to 2"), "{wrong:?}");
    let wrong = line_in(folder.path(), "compile row.cnf --vtree per-bit");
    assert!(wrong.status == Some(2) && wrong.err.contains("minfill"), "{wrong:?}");
    fs::write(folder.path().join("small.vtree"), "vtree 1\nL 0 1\n").expect("writable");
    let wrong = line_in(folder.path(), "compile row.cnf --vtree @small.vtree");
    assert!(wrong.status == Some(2) && wrong.err.contains("3 variables"), "{wrong:?}");
}

#[test]
fn vtrees_that_are_changed_keep_the_states() {
    let keys = ["states", "edges", "max_tokens_in_place", "max_tokens_per_marking"];
    for model in ["kanban:4", "philosophers:8", "dining-cryptographers:5", "tree-channels:4,4"] {
        let still = report(&format!("states {model} --edges yes --diagram sentential --vtree minfill"));
        for when in ["result", "dynamic"] {
            let words =
                format!("states {model} --edges yes --diagram sentential --vtree minfill --reorder {when}");
            let moved = report(&words);
            for key in keys {
                assert_eq!(moved[key], still[key], "{key} of {model}, {when}");
            }
            let elements = |found: &Value| found["size"]["elements"].as_u64().expect("a number");
            assert!(elements(&moved) <= elements(&still), "{model}, {when}: {moved:#}");
        }
    }
    let refused = line("states kanban:2 --diagram mdd --reorder result");
    assert!(refused.status == Some(2) && refused.err.contains("diagram sentential"), "{refused:?}");
}

#[test]
fn vtrees_and_diagrams_are_drawn() {
    let vtree = line("draw philosophers:2 --what vtree --to text");
    assert!(vtree.out.contains("Think_1") && vtree.out.contains("Fork_2"), "{vtree:?}");
    let dot =
        line("draw producer-consumer:1,1,1 --what diagram --diagram sentential --vtree balanced --to dot");
    assert!(dot.status == Some(0) && dot.out.contains("¬•"), "{dot:?}");
    let found = validated(&line("draw philosophers:2 --what vtree --to svg --json"));
    assert_eq!(found["what"], "vtree");
    let refused = line("draw philosophers:2 --what vtree --diagram mdd --to text");
    assert!(refused.status == Some(2) && refused.err.contains("sentential"), "{refused:?}");
    let refused = line("draw philosophers:100 --what vtree --to text");
    assert!(refused.status == Some(2) && refused.err.contains("too many"), "{refused:?}");
}

#[test]
fn systems_in_the_shape_of_trees() {
    for (model, states) in
        [("tree-channels:3,4", "2916"), ("sensor-tree:3,2", "1035"), ("token-tree:3", "23316")]
    {
        for diagram in ["sentential", "mdd", "explicit"] {
            let found = line(&format!("states {model} --diagram {diagram} -q"));
            assert_eq!(found.out, format!("{states}\n"), "{model} {diagram}");
        }
        assert_eq!(line(&format!("check {model} --diagram sentential -q")).status, Some(0), "{model}");
    }
    let linear = |height: u32| {
        let found = report(&format!("states tree-channels:{height},4 --diagram sentential --edges no"));
        assert_eq!(found["vtree"], "minfill", "{found:#}");
        found["size"]["elements"].as_u64().expect("a number")
    };
    // Twice the stations and one: about twice the elements.
    let (smaller, larger) = (linear(7), linear(8));
    assert!(larger < 9 * smaller / 4, "{smaller} and {larger}");
    let wrong = line("states tree-channels:40,4");
    assert!(wrong.status == Some(2) && wrong.err.contains("between 1 and 13"), "{wrong:?}");
    let wrong = line("states tree-channels:3,x");
    assert!(wrong.status == Some(2) && wrong.err.contains("expected a number for D"), "{wrong:?}");
    assert!(line("models --show token-tree").out.contains("Raymond"));
}

#[test]
fn mcmas_takes_the_vtrees_of_the_thesis() {
    let folder = tempfile::tempdir().expect("a folder");
    let save = "convert dining-cryptographers:4 --to ispl -o dining.ispl -q";
    assert_eq!(line_in(folder.path(), save).status, Some(0));
    let verdicts = |options: &str| {
        let run = line_in(folder.path(), &format!("mcmas {options} dining.ispl"));
        assert_eq!(run.status, Some(0), "{options}: {run:?}");
        let lines = run.out.lines().filter(|line| line.contains("Formula number")).map(String::from);
        lines.collect::<Vec<String>>()
    };
    let expected = verdicts("");
    assert!(!expected.is_empty());
    for options in ["-vtree 1 -o 2", "-vtree 5 -d", "-vtree 6 -d 1", "-vtree 7", "-vtree 8 -o 3", "-d"] {
        assert_eq!(verdicts(options), expected, "{options}");
    }
    let wrong = line_in(folder.path(), "mcmas -vtree 9 dining.ispl");
    assert!((wrong.out + &wrong.err).contains("1 to 8"));
}
