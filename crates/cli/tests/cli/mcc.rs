//! `mcc`: the contest's lines on a folder that the test writes.

use crate::nets::{ONE_STEP, UNSUPPORTED, one_step_with, unbounded};
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
        check(ONE_STEP, "Liveness", "FORMULA Liveness FALSE");
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
    check(ONE_STEP, "CTLCardinality", 2, &[]);
    check(UNSUPPORTED, "OneSafe", 0, &["DO_NOT_COMPETE"]);
    check(&one_step_with("grammar/ptnet", "grammar/symmetricnet"), "OneSafe", 2, &[]);
    check("<pnml", "StateSpace", 2, &[]);
}

/// A formula file that asks for the sum of these places.
fn bounds_file(places: &[&str]) -> String {
    let places: String = places.iter().map(|place| format!("<place>{place}</place>")).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property><id>N-0</id>\n\
         <formula><place-bound>{places}</place-bound></formula></property></property-set>\n"
    )
}

#[test]
fn upper_bounds() {
    let check = |net: &str, places: &[&str], options: &str, status: i32, out: &str, err: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("model.pnml"), net).expect("written");
        if !places.is_empty() {
            fs::write(folder.path().join("UpperBounds.xml"), bounds_file(places)).expect("written");
        }
        let run = line_in(folder.path(), &format!("mcc UpperBounds . {options}"));
        assert_eq!(run.status, Some(status), "{places:?} {options}: {run:?}");
        assert_eq!(run.out, out, "{places:?} {options}: {run:?}");
        assert!(run.err.contains(err), "{places:?} {options}: {run:?}");
    };
    let structure = "FORMULA N-0 1 TECHNIQUES STRUCTURAL_ANALYSIS\n";
    check(ONE_STEP, &["p"], "", 0, structure, "");
    check(ONE_STEP, &["p", "q"], "", 0, structure, "");
    check(ONE_STEP, &["q"], "", 0, "FORMULA N-0 1 TECHNIQUES STRUCTURAL_ANALYSIS RANDOM_WALK\n", "");
    let diagrams = "FORMULA N-0 1 TECHNIQUES DECISION_DIAGRAMS SATURATION\n";
    check(ONE_STEP, &["p", "q"], "--no-shortcuts", 0, diagrams, "");
    check(&unbounded(), &["q"], "", 0, "FORMULA N-0 +inf TECHNIQUES STRUCTURAL_ANALYSIS\n", "");
    check(&unbounded(), &["q"], "--no-shortcuts", 0, "FORMULA N-0 CANNOT_COMPUTE\n", "");
    check(ONE_STEP, &["pq"], "", 2, "", "UpperBounds.xml:4:30: error: the net has no place");
    check(ONE_STEP, &[], "", 2, "", "UpperBounds.xml");
}
