//! A witness that does not replay is reported as a bug: `unknown`, reason `internal`, status 3, the
//! run saved. The fault is seeded, which only builds with debug assertions allow.
#![cfg(debug_assertions)]

use crate::json::validated;
use crate::program::{Run, run_with};
use serde_json::json;
use std::fs;
use std::path::Path;

fn faulty(folder: &Path, words: &[&str]) -> Run {
    run_with(folder, words, &[("SYMBOLON_SEEDED_FAULT", "replay")])
}

/// The file that the warning names.
fn saved(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    let failed = |path: &std::path::PathBuf| path.to_string_lossy().contains("symbolon-failed-run-");
    let found: Vec<_> = paths.filter(failed).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    fs::read_to_string(&found[0]).expect("text")
}

#[test]
fn of_a_formula() {
    for more in [&[][..], &["--no-shortcuts"], &["--diagram", "explicit"], &["--diagram", "bdd"]] {
        let folder = tempfile::tempdir().expect("a folder");
        let words =
            [&["check", "philosophers:3", "AG !deadlock", "true", "--json", "--threads", "1"], more].concat();
        let run = faulty(folder.path(), &words);
        assert_eq!(run.status, Some(3), "{words:?}: {run:?}");
        let report = validated(&run);
        assert_eq!(report["status"], json!("unknown"), "{report:#}");
        assert_eq!(report["reason"], json!("internal"), "{report:#}");
        assert_eq!(report["properties"][0]["verdict"], json!("unknown"), "{report:#}");
        assert_eq!(report["properties"][0]["reason"], json!("internal"), "{report:#}");
        assert_eq!(report["properties"][0]["witness"], json!(null), "{report:#}");
        assert_eq!(report["properties"][1]["verdict"], json!("holds"), "the other one is not touched");
        let warning = report["warnings"][0]["message"].as_str().expect("a warning");
        assert!(warning.contains("symbolon-failed-run-"), "{warning}");
        let text = saved(folder.path());
        assert!(text.contains("philosophers:3") && text.contains("FF1a_"), "{text}");
    }
}

#[test]
fn of_a_deadlock() {
    for more in
        [&[][..], &["--no-shortcuts"], &["--diagram", "explicit"], &["--method", "edd-exact", "--bound", "9"]]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let words = [&["deadlock", "philosophers:3", "--json", "--threads", "1"], more].concat();
        let run = faulty(folder.path(), &words);
        assert_eq!(run.status, Some(3), "{words:?}: {run:?}");
        let report = validated(&run);
        assert_eq!(
            (&report["reason"], &report["deadlock"]),
            (&json!("internal"), &json!(null)),
            "{report:#}"
        );
        assert!(saved(folder.path()).contains("FF1a_"));
    }
}

/// A walk finds a deadlock, and its run replays; a shorter run that is found afterwards does not.
/// The mistake is reported, although there is a run to show.
#[test]
fn of_a_second_run_to_a_deadlock() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["deadlock", "philosophers:3", "--json", "--threads", "1"];
    let run = run_with(folder.path(), &words, &[("SYMBOLON_SEEDED_FAULT", "second-replay")]);
    assert_eq!(run.status, Some(3), "{run:?}");
    let report = validated(&run);
    assert_eq!((&report["reason"], &report["deadlock"]), (&json!("internal"), &json!(null)), "{report:#}");
    assert!(saved(folder.path()).contains("FF1a_"));
}

#[test]
fn without_the_fault_nothing_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run_with(folder.path(), &["deadlock", "philosophers:3", "-q"], &[]);
    assert_eq!((run.status, run.out.as_str()), (Some(1), "deadlock\n"), "{run:?}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
