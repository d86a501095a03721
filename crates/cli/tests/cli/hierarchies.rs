//! `--diagram ddd` and `--diagram set` in every command, hierarchies by name and from files, and
//! what is wrong with them.

use crate::json::validated;
use crate::program::{Run, line, line_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn check(run: &Run, status: i32, out: &str, err: &str) {
    assert_eq!(run.status, Some(status), "{run:?}");
    for (text, expected) in [(&run.out, out), (&run.err, err)] {
        assert!(text.contains(expected), "no '{expected}' in {run:?}");
        assert!(!expected.is_empty() || text.is_empty(), "unexpected text: {run:?}");
    }
}

const KINDS: [&str; 3] = ["--diagram ddd", "--diagram set", "--diagram set --hierarchy indexed"];

#[test]
fn the_same_states_as_by_other_diagrams() {
    let keys = ["states", "edges", "max_tokens_in_place", "max_tokens_per_marking"];
    for model in ["kanban:3", "philosophers:6", "fms:2", "peterson:2", "token-ring:4"] {
        let report = |words: &str| validated(&line(&format!("states {model} --edges yes --json {words}")));
        let expected = report("--diagram mdd");
        for kind in KINDS {
            let mut steps = Vec::new();
            for strategy in ["bfs", "chaining", "saturation"] {
                let found = report(&format!("{kind} --strategy {strategy}"));
                for key in keys {
                    assert_eq!(found[key], expected[key], "{key} of {model} {kind} by {strategy}");
                }
                assert_eq!(found["strategy"], strategy);
                assert_eq!(found["diagram"], kind.split(' ').nth(1).expect("a diagram"));
                assert_eq!(found["nodes_made"]["mdd"], 0, "{model} {kind} by {strategy}");
                assert!(found["nodes_made"]["hierarchical"].as_u64() > Some(0), "{found:#}");
                assert_eq!(found["depth"].is_null(), strategy != "bfs", "{found:#}");
                steps.push(found["steps"].as_u64().expect("a number"));
            }
            // Each strategy is truly itself.
            assert!(steps[0] != steps[1] && steps[1] != steps[2] && steps[2] < steps[0], "{model} {steps:?}");
        }
        assert_eq!(expected["nodes_made"]["hierarchical"], 0);
        assert!(expected["nodes_made"]["mdd"].as_u64() > Some(0), "{expected:#}");
    }
}

#[test]
fn what_people_see() {
    let run = line("states philosophers:100 --diagram set");
    check(&run, 0, "hierarchy   indexed-recursive (", "");
    assert!(
        run.out.contains(" leaf, ") && run.out.contains("set, saturation, order by-hierarchy"),
        "{}",
        run.out
    );
    let run = line("states kanban:5 --diagram ddd -v");
    check(&run, 0, "2546432", "nodes made: 0 mdd, ");
    assert!(run.out.contains("ddd, saturation") && !run.out.contains("hierarchy "), "{}", run.out);
    let run = line("states philosophers:8 --diagram set -v");
    check(&run, 0, "6561", "hierarchy: indexed-recursive: equal parts by the numbers in names");
    check(&line("states philosophers:8 --diagram set -q"), 0, "6561\n", "");
}

#[test]
fn other_questions_get_the_same_answers() {
    for kind in KINDS {
        for shortcuts in ["", "--no-shortcuts"] {
            let words = |words: &str| format!("{words} {kind} {shortcuts}");
            let run = line(&words("deadlock philosophers:4"));
            check(&run, 1, "deadlock", "");
            let report = validated(&line(&words("deadlock philosophers:4 --json")));
            assert_eq!(report["deadlock"], true, "{report:#}");
            assert_eq!(report.pointer("/witness/steps").and_then(Value::as_array).map(Vec::len), Some(4));
            assert_eq!(line(&words("deadlock kanban:3")).status, Some(0), "{kind} {shortcuts}");
            let bounds = |words: &str| validated(&line(words))["bounds"].clone();
            let expected = json!([{ "place": "P1", "bound": "3" }, { "place": "Pback2", "bound": "3" }]);
            let found = bounds(&words("bounds kanban:3 P1 Pback2 --json"));
            for (one, other) in
                found.as_array().into_iter().flatten().zip(expected.as_array().into_iter().flatten())
            {
                assert_eq!((&one["place"], &one["bound"]), (&other["place"], &other["bound"]), "{kind}");
            }
        }
    }
}

#[test]
fn the_contest_gets_the_same_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    fs::create_dir(here.join("Kanban-PT-2")).expect("made");
    check(&line_in(here, "convert kanban:2 -q -o Kanban-PT-2/model.pnml"), 0, "", "");
    let lines = |words: &str| -> Vec<String> {
        let run = line_in(here, words);
        assert_eq!(run.status, Some(0), "{run:?}");
        run.out.lines().map(|line| line.split(" TECHNIQUES ").next().unwrap_or(line).to_string()).collect()
    };
    for examination in ["StateSpace", "ReachabilityDeadlock", "OneSafe", "StableMarking", "QuasiLiveness"] {
        let expected = lines(&format!("mcc {examination} Kanban-PT-2"));
        for kind in KINDS {
            let words = format!("mcc {examination} Kanban-PT-2 --no-shortcuts {kind}");
            assert_eq!(lines(&words), expected, "{words}");
        }
    }
}

/// Saves a hierarchy, edits it, and loads it.
fn edited(folder: &Path, edit: impl FnOnce(String) -> String, words: &str) -> Run {
    let saved = "states philosophers:3 --diagram set --hierarchy indexed --save-hierarchy tree.txt -q";
    check(&line_in(folder, saved), 0, "27\n", "");
    let tree = folder.join("tree.txt");
    let text = fs::read_to_string(&tree).expect("saved");
    fs::write(&tree, edit(text)).expect("written");
    line_in(folder, &format!("{words} --hierarchy @tree.txt"))
}

#[test]
fn what_was_saved_and_edited_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let states = "states philosophers:3 --diagram set";
    let run = edited(here, |text| text, states);
    check(&run, 0, "given (3 components, 1 deep)", "");
    // By hand: the first two philosophers in a component of their own, with a word on why.
    let deeper = |text: String| {
        let parts: Vec<&str> = text.split_inclusive("}\n").collect();
        format!("# two neighbours\n{{\n{}{}}}\n{}", parts[0], parts[1], parts[2])
    };
    let run = edited(here, deeper, states);
    check(&run, 0, "given (4 components, 2 deep)", "");
    assert!(run.out.contains("states      27"), "{}", run.out);
    // What was loaded is what is saved again, but for comments and braces that group nothing.
    let run =
        line_in(here, "states philosophers:3 --diagram set --hierarchy @tree.txt --save-hierarchy again -q");
    check(&run, 0, "27\n", "");
    let again = fs::read_to_string(here.join("again")).expect("saved");
    let tidy = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.starts_with('#')).map(str::to_string).collect()
    };
    assert_eq!(tidy(&again), tidy(&fs::read_to_string(here.join("tree.txt")).expect("there")));
    // The other commands take it, too.
    check(&edited(here, deeper, "deadlock philosophers:3 --diagram set --no-shortcuts"), 1, "deadlock", "");
    check(
        &edited(here, deeper, "draw --what diagram philosophers:3 --diagram set --to dot"),
        0,
        "cluster_2",
        "",
    );
    check(&edited(here, deeper, "draw --what hierarchy philosophers:3 --to dot"), 0, "hierarchy given", "");
    let run =
        line_in(here, "compare philosophers:3 --diagrams set --strategies bfs --hierarchies @tree.txt,flat");
    check(&run, 0, "2 of 2 cells answered; all answers agree", "");
}

#[test]
fn mistakes_in_a_hierarchy_have_a_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |edit: fn(String) -> String, expected: &str| {
        let run = edited(folder.path(), edit, "states philosophers:3 --diagram set");
        check(&run, 2, "", expected);
    };
    check(|text| text.replace("Fork_2", "Frok_2"), "tree.txt:6:3: error: the model has no variable `Frok_2`");
    check(|text| text.replace("Fork_2", "Frok_2"), "did you mean `Fork_2`?");
    check(
        |text| text.replace("Fork_2\n", "Fork_1\n"),
        "tree.txt:6:3: error: `Fork_1` was already placed in line 2",
    );
    check(|text| text.replace("  Fork_2\n", ""), "tree.txt:11:2: error: no line names `Fork_2`");
    check(|_| String::new(), "tree.txt:1:1: error: no line names");
    check(|text| text + "}\n", "tree.txt:13:1: error: this brace closes no component");
    check(|text| format!("  {{\n{text}"), "tree.txt:1:3: error: the component that begins here does not end");
    check(|text| text.replacen("{\n", "{ ", 1), "a brace stands alone on its line");
    check(
        |text| text.replace("  Fork_1\n", "  Fork_1 Fork_2\n").replace("  Fork_2\n", ""),
        "tree.txt:2: error: these variables cannot share a level: Fork_1 Fork_2",
    );
    check(|text| text.replace("Fork_2", "\"Fork_2"), "tree.txt:6:3: error: a quoted name must end");
    check(|_| "\u{feff}\0".to_string(), "tree.txt:1:1: error");
    let run = line("states kanban:1 --diagram set --hierarchy @no/such/file");
    assert!(run.status == Some(2) && run.err.contains("no such file"), "{run:?}");
}

#[test]
fn mistakes_in_an_order_have_a_place_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    check(&line_in(here, "states kanban:1 --variable-order force --save-order order -q"), 0, "160\n", "");
    let text = fs::read_to_string(here.join("order")).expect("saved");
    fs::write(here.join("order"), text.replace("Pback1\n", "Pback11\n")).expect("written");
    let run = line_in(here, "states kanban:1 --variable-order @order");
    let line = text.lines().position(|line| line == "Pback1").expect("a line") + 1;
    check(
        &run,
        2,
        "",
        &format!("order:{line}:1: error: the model has no variable `Pback11`; did you mean `Pback1`?"),
    );
    check(&run, 2, "", "order:16:");
}

#[test]
fn what_would_be_ignored_is_reported() {
    for command in ["states", "deadlock", "bounds", "draw --what diagram"] {
        for diagram in ["explicit", "mdd", "ddd", "auto"] {
            let run = line(&format!("{command} kanban:1 --diagram {diagram} --hierarchy flat"));
            check(&run, 2, "", "a hierarchy requires '--diagram set'");
        }
        let words = format!("{command} kanban:1 --diagram explicit");
        check(
            &line(&format!("{words} --variable-order force")),
            2,
            "",
            "a plain table of states has no levels",
        );
        check(&line(&format!("{words} --strategy chaining")), 2, "", "filled breadth-first");
    }
    check(&line("states kanban:1 --diagram explicit --strategy bfs -q"), 0, "160\n", "");
    // A wrong name is a mistake also where the answer needs no diagram.
    check(
        &line("deadlock philosophers:3 --diagram set --hierarchy indxed"),
        2,
        "",
        "did you mean 'indexed'?",
    );
    check(&line("bounds kanban:3 P1 --diagram set --hierarchy @no-such-file"), 2, "", "no such file");
}

#[test]
fn the_hierarchy_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    // `info` shows it with -v, or on request.
    check(&line("info fms:2 --hierarchy flat"), 0, "hierarchy    flat (one component): as asked for", "");
    check(&line("info philosophers:3 --diagram set"), 0, "hierarchy    indexed-recursive (", "");
    check(
        &line("info philosophers:3 --hierarchy indexed"),
        0,
        "hierarchy    indexed (3 components, 1 deep): as asked for",
        "",
    );
    let run = line("info philosophers:4 -v");
    assert!(run.out.contains("\nhierarchy (") && run.out.contains("\n  {\n"), "{}", run.out);
    assert!(!line("info philosophers:4").out.contains("hierarchy"));
    let report = validated(&line("info philosophers:4 --hierarchy indexed-recursive --json"));
    assert_eq!(report.pointer("/hierarchy/depth"), Some(&json!(2)), "{report:#}");
    assert_eq!(report.pointer("/hierarchy/components"), Some(&json!(6)), "{report:#}");
    assert_eq!(validated(&line("info kanban:1 --json"))["hierarchy"], json!(null));
    // `draw` draws what was asked for; without that, the units.
    let run = line("draw --what hierarchy philosophers:4 --hierarchy indexed-recursive --to dot");
    check(&run, 0, "hierarchy indexed-recursive", "");
    assert_eq!(run.out.matches("shape=box").count(), 7, "{}", run.out);
    check(&line("draw --what hierarchy kanban:2 --hierarchy flat --to dot"), 0, "hierarchy flat", "");
    check(&line("draw --what hierarchy philosophers:3 --diagram set --to dot"), 0, "hierarchy indexed", "");
    check(&line("draw --what hierarchy philosophers:3 --hierarchy indxed"), 2, "", "did you mean 'indexed'?");
    check(
        &line_in(here, "draw --what hierarchy philosophers:3 --hierarchy indexed -o tree.svg"),
        0,
        "tree.svg",
        "",
    );
    let run = line("draw --what hierarchy philosophers:600 --hierarchy indexed-recursive");
    check(&run, 0, "</svg>", "further down are left out");
}
