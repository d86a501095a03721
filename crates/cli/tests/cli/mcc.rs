//! `mcc`: the contest's lines on a folder that the test writes.

use crate::nets::{ONE_STEP, one_step_with, unbounded};
use crate::program::line_in;
use std::fs;

fn check(net: &str, words: &str, status: i32, expected: &[&str]) {
    // Options may stand anywhere; here they stand first.
    let (examination, options) = words.split_once(' ').unwrap_or((words, ""));
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("Net-PT-1")).expect("made");
    fs::write(folder.path().join("Net-PT-1/model.pnml"), net).expect("written");
    let run = line_in(folder.path(), &format!("{options} mcc {examination} Net-PT-1"));
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    let lines: Vec<&str> =
        run.out.lines().map(|line| line.split(" TECHNIQUES ").next().unwrap_or(line)).collect();
    assert_eq!(lines, expected, "{words}: {run:?}");
    for line in run.out.lines().filter(|line| line.starts_with("FORMULA") || line.starts_with("STATE")) {
        assert!(line.contains(" TECHNIQUES "), "{line}");
    }
}

#[test]
fn examinations() {
    let sizes = [
        "STATE_SPACE STATES 2",
        "STATE_SPACE TRANSITIONS 1",
        "STATE_SPACE MAX_TOKEN_PER_MARKING 1",
        "STATE_SPACE MAX_TOKEN_IN_PLACE 1",
    ];
    check(ONE_STEP, "StateSpace", 0, &sizes);
    check(ONE_STEP, "statespace --no-shortcuts", 0, &sizes);
    for shortcuts in ["", "--no-shortcuts"] {
        let check = |net: &str, examination: &str, line: &str| {
            check(net, &format!("{examination} {shortcuts}"), 0, &[line]);
        };
        check(ONE_STEP, "ReachabilityDeadlock", "FORMULA ReachabilityDeadlock TRUE");
        check(ONE_STEP, "OneSafe", "FORMULA OneSafe TRUE");
        check(ONE_STEP, "StableMarking", "FORMULA StableMarking FALSE");
        check(ONE_STEP, "QuasiLiveness", "FORMULA QuasiLiveness TRUE");
        let doubled = one_step_with("<text>1</text>", "<text>2</text>");
        check(&doubled, "OneSafe", "FORMULA OneSafe FALSE");
    }
    let infinite = [
        "STATE_SPACE STATES +inf",
        "STATE_SPACE TRANSITIONS +inf",
        "STATE_SPACE MAX_TOKEN_PER_MARKING +inf",
        "STATE_SPACE MAX_TOKEN_IN_PLACE +inf",
    ];
    check(&unbounded(), "StateSpace", 0, &infinite);
}

#[test]
fn what_cannot_be_answered() {
    check(ONE_STEP, "CTLCardinality", 0, &["DO_NOT_COMPETE"]);
    check(&one_step_with("grammar/ptnet", "grammar/symmetricnet"), "OneSafe", 0, &["DO_NOT_COMPETE"]);
    check("<pnml", "StateSpace", 2, &["CANNOT_COMPUTE"]);
}
