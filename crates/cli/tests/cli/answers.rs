//! Answers as text: what is printed for a question, and the exit status.

use crate::nets::{ONE_STEP, one_step_with, still, unbounded};
use crate::program::{line, line_in, line_with_input, symbolon};
use std::ffi::OsString;
use std::fs;

fn check(words: &str, status: i32, lines: &[&str]) {
    let run = line(words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    for expected in lines {
        assert!(run.out.lines().any(|line| line == *expected), "{words}: no '{expected}' in\n{}", run.out);
    }
}

#[test]
fn questions_about_families() {
    check("states kanban:5 -q", 0, &["2546432"]);
    check("-q states --strategy bfs kanban:3", 0, &["58400"]);
    check("states kanban:2 --strategy chaining --variable-order as-given -q", 0, &["4600"]);
    check("states kanban:2 --diagram explicit -q", 0, &["4600"]);
    check("states kanban:2 --diagram bdd -q", 0, &["4600"]);
    check("states kanban:2 --diagram bdd --strategy chaining --reorder dynamic -q", 0, &["4600"]);
    check(
        "states kanban:5",
        0,
        &[
            "model       kanban:5",
            "states      2546432",
            "edges       24460016",
            "max tokens  5 in a place, 20 in a marking",
        ],
    );
    check("states kanban:2 --edges no", 0, &["edges       not counted (--edges yes)"]);
    check("deadlock kanban:2", 0, &["verdict  no deadlock"]);
    check("deadlock kanban:2 -q", 0, &["no deadlock"]);
    check("deadlock philosophers:3 -q", 1, &["deadlock"]);
    check(
        "deadlock philosophers:3",
        1,
        &[
            "verdict      deadlock",
            "trace        3 steps; no shorter one exists",
            " 0  initially  Think_1=1, Think_2=1, Think_3=1, Fork_1=1, Fork_2=1, Fork_3=1",
        ],
    );
}

#[test]
fn long_numbers_are_short_unless_asked_for() {
    let power = "515377520732011331036461129765621272702107522001";
    check("states philosophers:100", 0, &["states      5.153775e47 (48 digits)"]);
    check("states philosophers:100 -v", 0, &[&format!("states      {power}")]);
    check("states philosophers:100 -q", 0, &[power]);
}

#[test]
fn verbose_explains_on_standard_error() {
    let run = line("states kanban:2 -v");
    assert!(run.err.contains("16 places, 16 transitions"), "{run:?}");
    assert!(run.err.contains("order: "), "{run:?}");
    let run = line("states kanban:2");
    assert_eq!(run.err, "", "nothing to say without -v");
}

#[test]
fn questions_about_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, net: &str, words: &str, status: i32, expected: &str| {
        fs::write(folder.path().join(name), net).expect("written");
        let run = line_in(folder.path(), words);
        assert_eq!(run.status, Some(status), "{words}: {run:?}");
        assert!(run.out.contains(expected), "{words}: no '{expected}' in\n{}", run.out);
    };
    check("net.pnml", ONE_STEP, "states net.pnml -q", 0, "2\n");
    check("net.pnml", ONE_STEP, "states ./net.pnml -q", 0, "2\n");
    check(
        "net.pnml",
        ONE_STEP,
        "deadlock net.pnml",
        1,
        " 1  t          p 1->0, q 0->1\n    dead       q=1\n",
    );
    check(
        "grows.pnml",
        &unbounded(),
        "states grows.pnml",
        0,
        "states      inf\n            place 'q' is unbounded",
    );
    check("grows.pnml", &unbounded(), "deadlock grows.pnml --timeout 20", 3, "unknown");
    check(
        "many.pnml",
        &still("9223372036854775807"),
        "states many.pnml",
        0,
        "9223372036854775807 in a place",
    );
    check("none.pnml", &still("0"), "deadlock none.pnml", 1, " 0  initially  no token anywhere");
    // A file wins over a family of the same name.
    check("kanban:5", ONE_STEP, "states kanban:5 -q", 0, "2\n");
}

#[test]
fn standard_input_is_a_model() {
    let run = line_with_input("states - -q", ONE_STEP.as_bytes());
    assert_eq!((run.status, run.out.as_str()), (Some(0), "2\n"), "{run:?}");
    let run = line_with_input("states -", one_step_with("<page", "<pag").as_bytes());
    assert_eq!(run.status, Some(2));
    assert!(run.err.starts_with("<stdin>:"), "{}", run.err);
}

#[test]
fn file_names_may_be_odd() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut names: Vec<OsString> =
        ["two words.pnml", "Ünïcödé→.pnml", "-dash", "no-extension"].map(OsString::from).to_vec();
    #[cfg(unix)]
    names.push(std::os::unix::ffi::OsStringExt::from_vec(b"not-\xff-utf8.pnml".to_vec()));
    for name in names {
        let path = folder.path().join(&name);
        fs::write(&path, ONE_STEP).expect("written");
        let run = symbolon(&[OsString::from("states"), OsString::from("-q"), path.into()]);
        assert_eq!((run.status, run.out.as_str()), (Some(0), "2\n"), "{name:?}: {run:?}");
    }
}

#[test]
fn orders_are_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = line_in(folder.path(), "states kanban:3 --save-order order.txt -q");
    assert_eq!(run.status, Some(0), "{run:?}");
    let saved = fs::read_to_string(folder.path().join("order.txt")).expect("saved");
    assert_eq!(saved.split_whitespace().count(), 16, "{saved}");
    let run = line_in(folder.path(), "states kanban:3 --variable-order @order.txt -q");
    assert_eq!((run.status, run.out.as_str()), (Some(0), "58400\n"), "{run:?}");
    // An order of another model, no order at all, and nothing to save.
    let run = line_in(folder.path(), "states philosophers:3 --variable-order @order.txt");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("order.txt"), "{}", run.err);
    let run = line_in(folder.path(), "states kanban:3 --variable-order @nowhere.txt");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("nowhere.txt"), "{}", run.err);
    let run = line_in(folder.path(), "states kanban:1 --diagram explicit --save-order none.txt");
    assert_eq!(run.status, Some(0));
    assert!(run.err.contains("warning: no variable order was used"), "{}", run.err);
}

#[test]
fn models_are_listed() {
    let run = line("models");
    assert_eq!(run.status, Some(0));
    for name in ["kanban:N", "philosophers:N", "slotted-ring:N"] {
        assert!(run.out.lines().any(|line| line.starts_with(name)), "{name} in\n{}", run.out);
    }
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    assert!(run.out.contains("kanban:5: 16 places, 16 transitions; M. Tilgner"), "{}", run.out);
    let names = line("models -q").out;
    assert!(names.lines().count() >= 17, "{names}");
    for name in names.lines() {
        let page = line(&format!("models --show {name}"));
        assert_eq!(page.status, Some(0), "{name}");
        assert!(page.out.contains(&format!("symbolon states {name}")), "{}", page.out);
        assert!(page.out.lines().all(|line| line.chars().count() <= 80), "{}", page.out);
    }
    let run = line("models --show kanbam");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("did you mean 'kanban'?"), "{}", run.err);
}
