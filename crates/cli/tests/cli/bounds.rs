//! `bounds`: places, sums, wrong names, and what the table looks like.

use crate::nets::{ONE_STEP, one_step_with, unbounded};
use crate::program::{line, line_in, symbolon};
use std::fs;

fn check(words: &str, status: i32, lines: &[&str], err: &str) {
    let run = line(words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    for expected in lines {
        assert!(run.out.lines().any(|line| line == *expected), "{words}: no '{expected}' in\n{}", run.out);
    }
    assert!(run.err.contains(err) && (!err.is_empty() || run.err.is_empty()), "{words}: {run:?}");
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{words}:\n{}", run.out);
}

#[test]
fn places_and_sums() {
    check("bounds kanban:5 Pm1 -q", 0, &["5"], "");
    check("bounds kanban:5 Pm1 P4 -q", 0, &["Pm1 5", "P4 5"], "");
    check("bounds kanban:5 --sum Pm1,Pout4 -q", 0, &["10"], "");
    check("bounds kanban:5 --sum 2*Pm1,Pm1 -q", 0, &["15"], "");
    check("bounds kanban:5 --sum Pm1,Pback1 -q --no-shortcuts", 0, &["5"], "");
    check("bounds kanban:2 --sum Pm1,Pback1 -q --diagram explicit", 0, &["2"], "");
    check("bounds kanban:5 --sum 0*Pm1 -q", 0, &["0"], "");
    check("bounds kanban:5 --sum 9223372036854775807*Pm1 -q", 0, &["46116860184273879035"], "");
    check(
        "bounds kanban:5",
        0,
        &["model   kanban:5", "bounds  16 bounds known", "Pm1     5  Pm1 + Pback1 + Pout1 + P1 = 5"],
        "",
    );
    // Many places of one bound are one line.
    let all = line("bounds philosophers:20").out;
    assert!(all.contains("\n1  100 places: Think_1, ") && all.contains(" more\n"), "{all}");
    let every = line("bounds philosophers:20 -q").out;
    assert_eq!(every.lines().count(), 100, "{every}");
}

#[test]
fn wrong_names_and_weights() {
    check("bounds kanban:5 Pmm1", 2, &[], "did you mean 'Pm1'");
    check("bounds kanban:5 elephant", 2, &[], "'symbolon bounds MODEL' lists all places");
    check("bounds kanban:5 --sum Pm1,Puot4", 2, &[], "did you mean 'Pout4'");
    check("bounds kanban:5 Pm1+Pm2", 2, &[], "hint:");
    check("bounds kanban:5 Elefant+Maus+Katze", 2, &[], "a sum is written '--sum a,b'");
    check("bounds kanban:5 --sum -1*Pm1", 2, &[], "'-1' is not a weight");
    check("bounds kanban:5 --sum 1.5*Pm1", 2, &[], "'1.5' is not a weight");
    check("bounds kanban:5 --sum 99999999999999999999*Pm1", 2, &[], "is too large");
    check("bounds kanban:5 --sum 9223372036854775807*Pm1,Pm2", 2, &[], "are too large");
    check("bounds kanban:5 --sum Pm1,,Pm2", 2, &[], "expected a place");
    check("bounds kanban:5 --sum \"Pm1", 2, &[], "a double quote is missing");
    check("bounds kanban:5 Pm1 --variable-order forse", 2, &[], "did you mean 'force'?");
    check("bounds", 2, &[], "<MODEL>");
    // All mistakes at once.
    let run = line("bounds kanban:5 x1 y2");
    assert_eq!(run.err.matches("error:").count(), 2, "{run:?}");
}

#[test]
fn odd_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = one_step_with("id=\"p\"", "id=\"2*é, b\"").replace("source=\"p\"", "source=\"2*é, b\"");
    let odd = odd.replace("<place id=\"q\"/>", "<place id=\"q\"><name><text>the end</text></name></place>");
    let path = folder.path().join("net.pnml");
    fs::write(&path, odd).expect("written");
    let path = path.to_str().expect("text");
    for (words, bound) in [
        (vec!["bounds", path, "2*é, b", "-q"], "1\n"),
        (vec!["bounds", path, "the end", "-q"], "1\n"),
        (vec!["bounds", path, "--sum", "\"2*é, b\",3*\"the end\"", "-q"], "3\n"),
    ] {
        let run = symbolon(&words);
        assert_eq!((run.status, run.out.as_str()), (Some(0), bound), "{words:?}: {run:?}");
    }
}

#[test]
fn what_is_unknown_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("net.pnml"), unbounded()).expect("written");
    let run = line_in(folder.path(), "bounds net.pnml");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.contains("q  inf  repeating t adds to it\n"), "{run:?}");
    let run = line_in(folder.path(), "bounds net.pnml --no-shortcuts");
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(run.out.contains("0 of 2 bounds known\n        place 'q' is unbounded"), "{run:?}");
    assert!(run.out.contains("q  unknown, at least 0\n"), "{run:?}");
    fs::write(folder.path().join("net.pnml"), &ONE_STEP[..200]).expect("written");
    assert_eq!(line_in(folder.path(), "bounds net.pnml").status, Some(2));
}
