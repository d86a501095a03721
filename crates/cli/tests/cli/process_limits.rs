//! Limits that the system sets on the process (`ulimit -v`, `ulimit -d`): there is always an
//! answer.
//!
//! A quick part of the matrix limits × models × diagrams and methods runs with the other tests.
//! With SYMBOLON_PROCESS_LIMITS=all the whole of it runs, and a table of what became of it is
//! printed.

use crate::bounded::METHODS;
use crate::json::validated;
use crate::program::{Run, collect, command, line_in};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a line of words with `ulimit` set to some kilobytes.
fn limited(folder: &Path, option: char, kilobytes: u64, words: &str) -> Run {
    let start = Instant::now();
    let script = format!("ulimit -{option} {kilobytes} && exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_symbolon")).args(words.split_whitespace());
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell.current_dir(folder).env_remove("RUST_BACKTRACE");
    collect(shell.spawn().expect("a shell"), start)
}

/// One JSON object and an exit status of an answer: what became of it, in a word.
fn answered(run: &Run, context: &str) -> &'static str {
    let report = validated(run);
    assert!(matches!(run.status, Some(0 | 1 | 3)), "{context}: {run:?}");
    match report["status"].as_str() {
        Some("ok") => "ok",
        Some("unknown") if report["reason"] == "memory" => "memory",
        Some("unknown") if report["reason"] == "timeout" => "timeout",
        Some("unknown") => "other reason",
        _ => panic!("{context}: {run:?}"),
    }
}

const PROGRAM: &str = "var x: 0..40000000 = 0\nvar y: 0..9 = any\n\
                       up: x < 40000000 -> x' = x + 1\nturn: x > 5 -> y' = (y + x) % 10\nproperty p: AG x < 30000000\n";

/// Twenty models, small and large.
const MODELS: [&str; 20] = [
    "philosophers:100000",
    "philosophers:300",
    "philosophers-left-right:2000",
    "kanban:5",
    "kanban:300",
    "kanban:100000",
    "fms:20",
    "fms:1000",
    "slotted-ring:10",
    "slotted-ring:60",
    "slotted-ring:100000",
    "token-ring:30",
    "round-robin:50",
    "round-robin:20000",
    "shared-memory:200",
    "swimming-pool:100",
    "swimming-pool:4294967295",
    "two-phase-commit:300",
    "dining-cryptographers:9",
    "wide.gcl",
];

fn folder() -> tempfile::TempDir {
    crate::program::folder_with("wide.gcl", PROGRAM)
}

/// What is asked of each model.
fn questions(model: &str) -> Vec<String> {
    let mut all = Vec::new();
    let synchronous = model.starts_with("dining");
    for diagram in ["explicit", "bdd", "mdd", "ddd", "set"] {
        all.push(format!("states {model} --diagram {diagram}"));
        all.push(format!("check {model} --diagram {diagram} AG(EF(!deadlock)) AG(!deadlock)"));
    }
    all.push(format!("states {model} --strategy bfs"));
    all.push(format!("check {model} EF(deadlock) A(G(F(deadlock)))"));
    if !synchronous {
        all.push(format!("deadlock {model}"));
        for method in METHODS.into_iter().chain(["k-induction"]) {
            all.push(format!("deadlock {model} --method {method} --bound 30"));
        }
    }
    if !synchronous && !model.ends_with(".gcl") {
        all.push(format!("bounds {model}"));
    }
    all
}

#[test]
fn every_limit_of_the_process_gets_an_answer() {
    let folder = folder();
    for (option, megabytes, words, outcome) in [
        ('v', 100, "states philosophers:100000", "memory"),
        ('v', 150, "states philosophers:100000 --memory 80M", "memory"),
        ('v', 200, "states philosophers:100000", "memory"),
        ('v', 100, "states slotted-ring:60 --strategy bfs", "memory"),
        ('v', 100, "states slotted-ring:100 --diagram explicit", "memory"),
        ('v', 100, "states slotted-ring:60 --diagram bdd --strategy bfs --variable-order as-given", "memory"),
        ('v', 100, "states slotted-ring:60 --diagram set --strategy bfs", "memory"),
        ('v', 100, "deadlock kanban:400 --method sat-step --bound 99999999 --no-shortcuts", ""),
        ('v', 100, "check kanban:300 AG(!deadlock) --diagram explicit --no-shortcuts", "memory"),
        ('v', 200, "states kanban:5", "ok"),
        ('v', 60, "states philosophers:100000", "memory"),
        ('v', 35, "states kanban:5", ""),
        ('d', 100, "states philosophers:100000", "memory"),
        ('d', 100, "states slotted-ring:60 --strategy bfs", "memory"),
        ('d', 100, "states kanban:5", "ok"),
    ] {
        let context = format!("ulimit -{option} {megabytes} MB: {words}");
        let run = limited(folder.path(), option, megabytes << 10, &format!("{words} --json --timeout 20"));
        let found = answered(&run, &context);
        // Other work on the machine may make a run so slow that its time is over first.
        assert!(outcome.is_empty() || found == outcome || found == "timeout", "{context}: {found}: {run:?}");
    }
}

/// Verdicts that are known when memory runs out are printed.
#[test]
fn what_is_known_survives() {
    let folder = folder();
    let words = "check philosophers:300 EF(Eat_1>0) AG(EF(deadlock)) --diagram explicit --json --timeout 4";
    for megabytes in [64, 80, 100] {
        let run = limited(folder.path(), 'v', megabytes << 10, words);
        answered(&run, words);
        let report = validated(&run);
        assert_eq!(report["properties"][0]["verdict"], "holds", "{megabytes} MB: {report:#}");
        assert_eq!(report["properties"][1]["verdict"], "unknown", "{megabytes} MB: {report:#}");
    }
}

#[test]
fn the_whole_matrix() {
    if std::env::var("SYMBOLON_PROCESS_LIMITS").is_err() {
        println!("SKIPPED: SYMBOLON_PROCESS_LIMITS=all runs limits × models × diagrams and methods");
        return;
    }
    let folder = folder();
    let mut table: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for model in MODELS {
        for question in questions(model) {
            for (megabytes, more) in [(100, ""), (200, ""), (400, ""), (200, " --memory 80M")] {
                let context = format!("ulimit -v {megabytes} MB: {question}{more}");
                let words = format!("{question}{more} --json --timeout 2");
                let outcome = answered(&limited(folder.path(), 'v', megabytes << 10, &words), &context);
                *table.entry((format!("{megabytes} MB{more}"), outcome)).or_default() += 1;
            }
        }
        println!("{model} done");
    }
    for ((limit, outcome), count) in table {
        println!("{limit:24} {outcome:14} {count}");
    }
}

/// A limit below what the program itself needs is refused, and the message says how much that is.
#[test]
fn a_memory_limit_that_is_too_small_is_refused() {
    let folder = folder();
    for size in ["1", "1M", "15M"] {
        let run = line_in(folder.path(), &format!("states kanban:2 --memory {size}"));
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.err.contains("give at least 16M"), "{run:?}");
    }
    // `command` in the other tests has no limit: the least one that is allowed suffices for a small
    // model.
    let start = Instant::now();
    let run =
        collect(command(&["states", "kanban:2", "-q", "--memory", "16M"]).spawn().expect("starts"), start);
    assert!(run.status == Some(0) || cfg!(debug_assertions), "{run:?}");
    assert!(run.time < Duration::from_secs(60));
}
