//! `check`: verdicts and exit statuses, runs that show them, and what is said of wrong formulas.

use crate::json::validated;
use crate::nets::{ONE_STEP, unbounded};
use crate::program::{Run, symbolon};
use serde_json::json;
use std::fs;

fn check(words: &[&str]) -> Run {
    symbolon(&[&["check"], words].concat())
}

#[test]
fn verdicts_and_exit_statuses() {
    for (model, formula, verdict, status) in [
        ("philosophers:3", "AG !deadlock", "fails", 1),
        ("philosophers:3", "EF deadlock", "holds", 0),
        ("philosophers:3", "AG !(Eat_1 & Eat_2)", "holds", 0),
        ("philosophers:3", "AG (Eat_1 + Eat_2 + Eat_3 <= 1)", "holds", 0),
        ("philosophers:3", "AG EF Think_1", "fails", 1),
        ("philosophers:3", "A (G F Think_1)", "fails", 1),
        ("philosophers:3", "E (G F Eat_1)", "holds", 0),
        ("philosophers:3", "EX fireable(FF1a_1)", "holds", 0),
        ("philosophers:3", "E[Think_1 U Eat_2]", "holds", 0),
        ("philosophers:3", "A (F E (G Eat_1))", "fails", 1),
    ] {
        for options in
            [&[][..], &["--no-shortcuts"], &["--diagram=set"], &["--diagram=explicit"], &["--threads=1"]]
        {
            let run = check(&[&[model, formula, "-q"], options].concat());
            let context = format!("{model} {formula} {options:?}: {run:?}");
            assert_eq!((run.out.trim_end(), run.status), (verdict, Some(status)), "{context}");
        }
    }
}

#[test]
fn several_formulas_at_once() {
    let run = check(&["philosophers:3", "EF deadlock", "AG !deadlock", "-q"]);
    assert_eq!((run.out.as_str(), run.status), ("holds\nfails\n", Some(1)));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("formulas.txt");
    fs::write(&file, "# two formulas\nsafe: AG !(Eat_1 & Eat_2)\nEF deadlock\n").expect("written");
    let file = file.display().to_string();
    let run = check(&["philosophers:3", "--formulas", &file]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.contains("holds   safe: AG !(Eat_1 & Eat_2)"), "{}", run.out);
    assert!(run.out.contains("philosophers:3: 2 formulas, 2 hold"), "{}", run.out);
}

#[test]
fn what_happens_at_dead_states_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net.pnml");
    fs::write(&net, ONE_STEP).expect("written");
    let net = net.display().to_string();
    // The net takes one step, and then it is dead.
    for (formula, paths, verdict) in [
        ("AX AX false", "maximal", "holds"),
        ("AX AX false", "stutter", "fails"),
        ("EG true", "maximal", "holds"),
        ("EG true", "infinite", "fails"),
        ("AF false", "infinite", "holds"),
        ("AF deadlock", "auto", "holds"),
    ] {
        let run = check(&[&net, formula, "--paths", paths, "-q"]);
        assert_eq!(run.out.trim_end(), verdict, "{formula} {paths}: {run:?}");
    }
}

#[test]
fn as_json() {
    let words = ["philosophers:3", "AG !deadlock", "A (G F Eat_1)", "AG !(Eat_1 & Eat_2)", "--json"];
    let report = validated(&check(&words));
    for (pointer, value) in [
        ("/status", json!("ok")),
        ("/properties/0/verdict", json!("fails")),
        ("/properties/0/formula", json!("AG !deadlock")),
        ("/properties/0/paths", json!("maximal")),
        ("/properties/0/witness/shape", json!("trace")),
        ("/properties/1/verdict", json!("fails")),
        ("/properties/1/paths", json!("stutter")),
        ("/properties/2/verdict", json!("holds")),
        ("/properties/2/reason", json!(null)),
    ] {
        assert_eq!(report.pointer(pointer), Some(&value), "{pointer} of {report:#}");
    }
    let report = validated(&check(&["philosophers:3", "AG !deadlock", "-v", "--json"]));
    let dead = report.pointer("/properties/0/satisfied/0").expect("a count");
    assert_eq!(*dead, json!({ "formula": "deadlock", "states": "2" }), "{report:#}");
}

#[test]
fn limits_leave_verdicts_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net.pnml");
    fs::write(&net, unbounded()).expect("written");
    let net = net.display().to_string();
    let run = check(&[&net, "AF q >= 1000000000", "--timeout", "1", "--json"]);
    let report = validated(&run);
    assert_eq!((run.status, &report["reason"]), (Some(3), &json!("unbounded")), "{report:#}");
    let run = check(&["philosophers:100000", "AG EF Eat_1", "--timeout", "0.2", "--json"]);
    assert_eq!((run.status, &validated(&run)["status"]), (Some(3), &json!("unknown")), "{run:?}");
}

#[test]
fn runs_are_saved_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.txt").display().to_string();
    let run = check(&["philosophers:3", "AG !deadlock", "--save", &trace]);
    assert_eq!(run.status, Some(1), "{run:?}");
    let replayed = symbolon(&["simulate", "philosophers:3", "--replay", &trace, "--random", "0", "--json"]);
    assert_eq!(validated(&replayed)["dead"], json!(true), "{replayed:?}");
    let run = check(&["philosophers:3", "AG !(Eat_1 & Eat_2)", "--save", &trace]);
    assert!(run.err.contains("was not written"), "{run:?}");
}

#[test]
fn wrong_formulas_get_a_message_with_a_caret() {
    for (formula, says) in [
        ("AG Thnk_1", "  AG Thnk_1\n     ^^^^^^\n  hint: did you mean \"Think_1\"?"),
        ("AG FF1a_1", "write fireable(FF1a_1)"),
        ("fireable(Think_1)", "write Think_1 >= 1"),
        ("AG (Think_1 & (Eat_1", "never closed"),
        ("AG Think_1)", "^"),
        ("Think_1 + 1 & Eat_1", "^"),
        ("AG", "^"),
        ("", "error"),
        ("AG Think_1 <=", "^"),
        ("AG \"Think_1", "^"),
    ] {
        let run = check(&["philosophers:3", formula]);
        assert_eq!(run.status, Some(2), "{formula}: {run:?}");
        assert!(run.err.contains(says), "{formula}: no '{says}' in\n{}", run.err);
        assert_eq!(run.out, "", "{formula}");
    }
}

#[test]
fn words_in_wrong_places() {
    for (words, message) in [
        (&["philosophers:3"][..], "there is no formula to check"),
        (&["AG !deadlock"], "give a model and then formulas"),
        (&["AG !deadlock", "philosophers:3"], "the model must come first: 'philosophers:3' is a model"),
        (&["no-such-file.pnml", "AG !deadlock"], "there is no file 'no-such-file.pnml'"),
    ] {
        let run = check(words);
        assert_eq!(run.status, Some(2), "{words:?}: {run:?}");
        assert!(run.err.contains(message), "{words:?}: no '{message}' in\n{}", run.err);
    }
    // There is nothing that a caret could point at.
    let run = check(&["philosophers:3", ""]);
    assert_eq!(run.err, "error: the formula is empty\n", "{run:?}");
}

#[test]
fn one_formula_holds_and_two_hold() {
    for (formulas, says) in [
        (&["EF Eat_1"][..], "1 formula, 1 holds;"),
        (&["EF Eat_1", "EF Eat_2", "AG Eat_1"], "3 formulas, 2 hold, 1 fails;"),
    ] {
        let run = check(&[&["philosophers:2"], formulas].concat());
        assert!(run.out.contains(says), "no '{says}' in\n{}", run.out);
    }
}

#[test]
fn large_formulas_are_no_trouble() {
    let nested = format!("{}Think_1{}", "EX (".repeat(10_000), ")".repeat(10_000));
    let flat = vec!["Think_1"; 10_000].join(" & ");
    let negated = format!("{}Think_1", "!".repeat(10_001));
    for (formula, verdict) in [(nested, "holds"), (flat, "holds"), (negated, "fails")] {
        let run = check(&["philosophers:2", &formula, "-q", "--no-witness"]);
        assert_eq!(run.out.trim_end(), verdict, "{}… {:?}", &formula[..20], run.err);
    }
}
