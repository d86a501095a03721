//! `compare`: cells in processes of their own, their table, their plot, and what is left of them.

use crate::json::validated;
use crate::program::{Run, collect, command, line, line_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn check(run: &Run, status: i32, out: &str, err: &str) {
    assert_eq!(run.status, Some(status), "{run:?}");
    for (text, expected) in [(&run.out, out), (&run.err, err)] {
        assert!(text.contains(expected), "no '{expected}' in\n{text}");
        assert!(!expected.is_empty() || text.is_empty(), "unexpected\n{text}");
    }
}

#[test]
fn every_cell_is_in_the_table() {
    let run = line("compare kanban:2 philosophers:3 --diagrams mdd,explicit --variable-orders force,auto");
    check(&run, 0, "kanban:2: 4600 states\n", "");
    assert!(run.out.contains("philosophers:3: 27 states\n"), "{}", run.out);
    assert!(run.out.ends_with("14 of 14 cells answered; all answers agree\n"), "{}", run.out);
    for (word, count) in
        [("explicit", 2), ("bfs", 4), ("chaining", 4), ("saturation", 4), ("force", 6), ("auto", 6)]
    {
        let rows = run.out.lines().filter(|line| line.starts_with("  ") && !line.ends_with("long"));
        let found = rows.filter(|line| line.split_whitespace().any(|part| part == word)).count();
        assert_eq!(found, count, "{word} in\n{}", run.out);
    }
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    check(&line("compare philosophers:3 --question deadlock"), 0, "philosophers:3: deadlock\n", "");
    check(&line("compare kanban:2 --question deadlock -q"), 0, "kanban:2: no deadlock\n", "");
    // Several at once, several times, are the same cells in the same order.
    let csv = |more: &str| -> Vec<Vec<String>> {
        let run = line(&format!("compare fms:2 kanban:2 --diagrams mdd --to csv {more}"));
        check(&run, 0, "kanban:2,mdd,saturation,auto,,ok,4600,", "");
        run.out.lines().map(|line| line.split(',').take(7).map(str::to_string).collect()).collect()
    };
    assert_eq!(csv("").len(), 7);
    assert_eq!(csv(""), csv("--jobs 3 --runs 2"));
}

#[test]
fn hierarchies_are_one_more_axis() {
    let words = "compare philosophers:10 --diagrams mdd,set --strategies saturation,bfs";
    let run = line(&format!("{words} --hierarchies flat,indexed"));
    check(&run, 0, "philosophers:10: 59049 states\n", "");
    assert!(run.out.ends_with("6 of 6 cells answered; all answers agree\n"), "{}", run.out);
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    for (word, count) in [("hierarchy", 1), ("mdd", 2), ("set", 4), ("flat", 2), ("indexed", 2)] {
        let rows = run.out.lines().filter(|line| line.starts_with("  ") && !line.ends_with("long"));
        let found = rows.filter(|line| line.split_whitespace().any(|part| part == word)).count();
        assert_eq!(found, count, "{word} in\n{}", run.out);
    }
    let csv = line(&format!("{words} --to csv"));
    check(&csv, 0, ",set,saturation,auto,auto,ok,59049,", "");
    assert!(csv.out.contains(",indexed-recursive,1\n"), "what auto came to: {}", csv.out);
    let report = validated(&line(&format!("{words} --json")));
    assert_eq!(report.pointer("/cells/0/hierarchy"), Some(&json!(null)), "{report:#}");
    assert_eq!(report.pointer("/cells/2/hierarchy"), Some(&json!("auto")), "{report:#}");
    let wide = line(&format!("{words} --hierarchies flat,indexed --rows models"));
    check(&wide, 0, "set bfs indexed", "");
    check(&line("compare kanban:1 --diagrams mdd --hierarchies flat"), 2, "", "add 'set' to '--diagrams'");
    check(&line("compare kanban:1 --diagrams set --hierarchies flatt"), 2, "", "did you mean 'flat'?");
}

#[test]
fn limits_are_those_of_a_cell() {
    let words = "compare slotted-ring:100 kanban:2 --diagrams mdd --strategies bfs,saturation";
    let run = line(&format!("{words} --timeout 1 --variable-orders as-given --json"));
    let report = validated(&run);
    assert_eq!(run.status, Some(3), "{report:#}");
    assert_eq!((&report["reason"], &report["agree"]), (&json!("timeout"), &json!(true)), "{report:#}");
    assert_eq!(report["detail"], "2 of 4 cells have no answer", "{report:#}");
    let outcomes: Vec<&Value> =
        report["cells"].as_array().expect("cells").iter().map(|cell| &cell["outcome"]).collect();
    assert_eq!(outcomes, ["timeout", "timeout", "ok", "ok"], "{report:#}");
    let run = line("compare kanban:1000 --diagrams mdd --strategy saturation --memory 100M");
    check(&run, 3, "kanban:1000: unknown\n", "");
    assert!(run.out.contains(" memory ") && run.out.contains("0 of 1 cell answered"), "{}", run.out);
}

#[test]
fn files_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let words = "compare kanban:1 --diagrams mdd --color always";
    let run = line_in(folder.path(), &format!("{words} -o cells.csv --plot plot.svg"));
    check(&run, 0, "cells.csv", "");
    assert!(
        read("cells.csv")
            .starts_with("model,diagram,strategy,variable_order,hierarchy,outcome,answer,cpu_seconds,")
    );
    let plot = read("plot.svg");
    assert!(plot.starts_with("<svg") && plot.contains("kanban:1") && plot.ends_with("</svg>\n"), "{plot}");
    line_in(folder.path(), &format!("{words} -o table.md --rows models"));
    assert!(read("table.md").starts_with("| model | states | mdd bfs |"), "{}", read("table.md"));
    line_in(folder.path(), &format!("{words} -q -o table.txt"));
    assert!(read("table.txt").contains("kanban:1: 160 states\n"), "{}", read("table.txt"));
    // What cannot be written is known before anything is measured.
    let run = line_in(folder.path(), &format!("{words} -o no/such/file.md"));
    check(&run, 2, "", "no such folder");
    line_in(folder.path(), &format!("{words} -o table.tex"));
    assert!(read("table.tex").contains("\\begin{tabular}{llll"), "{}", read("table.tex"));
}

#[test]
fn wrong_words() {
    check(&line("compare"), 2, "", "<MODEL>");
    check(&line("compare kanbam:2"), 2, "", "did you mean 'kanban:2'?");
    check(&line("compare kanban:2 -"), 2, "", "standard input can be read once");
    check(&line("compare kanban:2 --preset thesis"), 2, "", "cannot be used with");
    check(&line("compare --preset theses"), 2, "", "thesis");
    check(&line("compare kanban:2 --diagrams mddd"), 2, "", "mdd");
    check(&line("compare kanban:2 --strategies bfs --strategy bfs"), 2, "", "'--strategies' is a list");
    check(&line("compare kanban:2 --variable-orders forc"), 2, "", "did you mean 'force'?");
    check(&line("compare kanban:2 -o table.png"), 2, "", "there is no table format for '.png'");
    check(&line("compare kanban:2 --runs 0"), 2, "", "0");
    check(
        &line("compare kanban:2 --save-order x"),
        2,
        "",
        "'--save-order' is supported by the command 'states' only",
    );
    check(&line("compare --question bounds kanban:2"), 2, "", "deadlock");
}

#[test]
fn a_wrong_model_does_not_hide_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a net é.pnml"), "<pnml").expect("written");
    let run = |words: &[&str]| {
        let child = command(words).current_dir(folder.path()).spawn().expect("starts");
        collect(child, Instant::now())
    };
    let words =
        ["compare", "kanban:1", "a net é.pnml", "--diagrams", "mdd", "--strategies", "bfs,saturation"];
    let shown = run(&words);
    check(&shown, 2, "kanban:1: 160 states\n", "a net é.pnml:1");
    assert_eq!(shown.err.matches("error:").count(), 1, "reported once: {}", shown.err);
    let report = validated(&run(&[&words[..], &["--json"]].concat()));
    assert_eq!(report["status"], "error");
    assert_eq!(report["cells"].as_array().map(Vec::len), Some(4), "{report:#}");
    // Alone it is an error like everywhere.
    check(&run(&["compare", "a net é.pnml"]), 2, "", "a net é.pnml:1");
}

#[test]
fn the_json_is_as_the_schema_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |folder: &Path, words: &str, status: i32, expected: &[(&str, Value)]| {
        let run = line_in(folder, words);
        let report = validated(&run);
        assert_eq!(run.status, Some(status), "{words}: {report:#}");
        for (pointer, value) in expected {
            assert_eq!(report.pointer(pointer), Some(value), "{words}: {pointer} of {report:#}");
        }
        report
    };
    let expected = [
        ("/model", json!("kanban:2")),
        ("/question", json!("states")),
        ("/agree", json!(true)),
        ("/cells/0/diagram", json!("explicit")),
        ("/cells/0/strategy", json!(null)),
        ("/cells/1/model", json!("kanban:2")),
        ("/cells/1/strategy", json!("bfs")),
        ("/cells/1/variable_order", json!("auto")),
        ("/cells/1/answer", json!("4600")),
        ("/cells/1/runs", json!(2)),
        ("/plot", json!("p.svg")),
    ];
    let words = "compare kanban:2 --diagrams explicit,mdd --runs 2 --plot p.svg --json";
    let report = check(folder.path(), words, 0, &expected);
    let cell = &report["cells"][3];
    assert!(cell["cpu_seconds"].as_f64() > Some(0.0) && cell["nodes"]["peak"].as_u64() > Some(0), "{cell:#}");
    assert!(cell["peak_bytes"].as_u64() > Some(1 << 20) && cell["steps"].as_u64() > Some(0), "{cell:#}");
    let several =
        [("/model", json!(null)), ("/question", json!("deadlock")), ("/cells/2/nodes", json!(null))];
    check(folder.path(), "compare kanban:1 fms:1 --diagrams mdd --question deadlock --json", 0, &several);
    check(folder.path(), "compare kanbam:1 --json", 2, &[("/status", json!("error"))]);
    check(folder.path(), "compare -h --json", 0, &[("/status", json!("ok"))]);
}

/// Whether some process was started with this word.
#[cfg(target_os = "linux")]
fn somebody_runs_with(word: &str) -> bool {
    let folders = fs::read_dir("/proc").expect("Linux").flatten();
    let mut lines = folders.filter_map(|folder| fs::read(folder.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_cells_and_shows_what_there_is() {
    // A seed that is used nowhere else distinguishes our processes from all others.
    let seed = format!("77{}", std::process::id());
    for (json, parts) in [(false, "kanban:1: 160 states\n"), (true, "\"reason\":\"interrupted\"")] {
        let words = "compare kanban:1 slotted-ring:300 fms:2 --diagrams mdd --strategy bfs --seed";
        let mut words: Vec<&str> = words.split(' ').chain([seed.as_str()]).collect();
        words.extend(["--variable-order", "as-given"]);
        words.extend(json.then_some("--json"));
        let start = Instant::now();
        let child = command(&words).spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(1500));
        assert!(somebody_runs_with(&seed));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill works");
        let run = collect(child, start);
        check(&run, 3, parts, "");
        assert!(run.time < Duration::from_secs(20), "{:?}", run.time);
        assert!(!somebody_runs_with(&seed), "a cell is left");
        if json {
            let report = validated(&run);
            assert_eq!(report["cells"].as_array().map(Vec::len), Some(2), "{report:#}");
            assert_eq!(report["cells"][1]["outcome"], "interrupted");
        }
    }
}
