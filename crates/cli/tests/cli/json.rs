//! `--json`: one object that the schema describes, for every command and every outcome.

use crate::nets::{ONE_STEP, UNSUPPORTED, one_step_with, still, unbounded};
use crate::program::{Run, line, line_in};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::sync::LazyLock;

/// The schema, made strict: a key that it does not describe is a mistake of ours, though readers
/// are asked to expect new ones.
static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/symbolon.schema.json");
    let text = fs::read_to_string(path).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    schema["unevaluatedProperties"] = json!(false);
    for definition in schema["$defs"].as_object_mut().expect("definitions").values_mut() {
        if definition["type"] == "object" && definition.get("properties").is_some() {
            definition["additionalProperties"] = json!(false);
        }
    }
    jsonschema::draft202012::new(&schema).expect("the schema can be used")
});

/// The one object on standard output, which must be as the schema says.
pub(crate) fn validated(run: &Run) -> Value {
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("no single object: {error}\n{run:?}"));
    if let Some(error) = SCHEMA.iter_errors(&report).next() {
        panic!("{error} at {}\n{report:#}", error.instance_path());
    }
    report
}

fn check(words: &str, status: i32, expected: &[(&str, Value)]) -> Value {
    compare(words, &line(words), status, expected)
}

fn compare(words: &str, run: &Run, status: i32, expected: &[(&str, Value)]) -> Value {
    let report = validated(run);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    for (pointer, value) in expected {
        assert_eq!(report.pointer(pointer), Some(value), "{words}: {pointer} of {report:#}");
    }
    report
}

#[test]
fn answers() {
    let report = check(
        "states kanban:5 --json",
        0,
        &[
            ("/schema", json!(1)),
            ("/command", json!("states")),
            ("/model", json!("kanban:5")),
            ("/status", json!("ok")),
            ("/reason", json!(null)),
            ("/states", json!("2546432")),
            ("/edges", json!("24460016")),
            ("/max_tokens_in_place", json!("5")),
            ("/max_tokens_per_marking", json!("20")),
            ("/diagram", json!("mdd")),
            ("/strategy", json!("saturation")),
            ("/levels", json!(16)),
        ],
    );
    assert!(report["peak_bytes"].as_u64() > Some(1 << 20), "{report:#}");
    check("states kanban:2 --edges no --json", 0, &[("/edges", json!(null))]);
    check(
        "states kanban:2 --strategy bfs --variable-order as-given --json",
        0,
        &[("/strategy", json!("bfs")), ("/variable_order", json!("as-given"))],
    );
    let explicit = [("/diagram", json!("explicit")), ("/depth", json!(28)), ("/levels", json!(0))];
    check("states kanban:2 --diagram explicit --json", 0, &explicit);
    // -q and -v make no difference.
    for more in ["-q", "-v", "--color always"] {
        check(
            &format!("states philosophers:60 --json {more}"),
            0,
            &[("/states", json!(3_u128.pow(60).to_string()))],
        );
    }
    check("deadlock kanban:2 --json", 0, &[("/deadlock", json!(false)), ("/witness", json!(null))]);
    check(
        "deadlock philosophers:3 --json",
        1,
        &[
            ("/deadlock", json!(true)),
            ("/distance", json!(3)),
            ("/dead_states", json!("2")),
            ("/witness/shape", json!("trace")),
            ("/witness/shortest", json!(true)),
            ("/witness/initial/Fork_1", json!(1)),
            ("/witness/steps/2/event", json!("FF1a_3")),
            ("/witness/steps/2/changes/Fork_2", json!([1, 0])),
        ],
    );
}

#[test]
fn answers_about_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |net: &str, words: &str, status: i32, expected: &[(&str, Value)]| {
        fs::write(folder.path().join("net.pnml"), net).expect("written");
        compare(words, &line_in(folder.path(), words), status, expected)
    };
    let infinite = [("/states", json!("inf")), ("/max_tokens_in_place", json!("inf"))];
    check(&unbounded(), "states net.pnml --json", 0, &infinite);
    let unknown =
        [("/status", json!("unknown")), ("/reason", json!("unbounded")), ("/deadlock", json!(null))];
    check(&unbounded(), "deadlock net.pnml --timeout 20 --json", 3, &unknown);
    let many = [("/witness/initial/p", json!("9223372036854775807"))];
    check(&still("9223372036854775807"), "deadlock net.pnml --json", 1, &many);
    // A warning does not stop anything, and is in the object.
    let odd = one_step_with("<transition id=\"t\"/>", "<transition id=\"t\"><nonsense/></transition>");
    let report = check(&odd, "states net.pnml --json", 0, &[("/states", json!("2"))]);
    assert!(report["warnings"].is_array());
}

#[test]
fn texts_and_lists() {
    let report = check("models --json", 0, &[("/command", json!("models"))]);
    assert!(report["models"].as_array().map(Vec::len) >= Some(17), "{report:#}");
    let kanban = [
        ("/models/0/parameters/0/name", json!("N")),
        ("/models/0/places", json!(16)),
        ("/models/0/transitions", json!(16)),
    ];
    check("models --show kanban --json", 0, &kanban);
    check("models --show nonsense --json", 2, &[("/status", json!("error"))]);
    for words in [
        "--json",
        "--json --help",
        "--version --json",
        "states --help --json",
        "deadlock -h --json",
        "demo --json",
        "demo -h --json",
        "info -h --json",
        "bounds -h --json",
        "simulate -h --json",
        "models -h --json",
        "compare -h --json",
        "convert -h --json",
        "mcc -h --json",
        "draw -h --json",
        "help states --json",
        "man --json",
        "man mcc --json",
        "completions bash --json",
    ] {
        let report = check(words, 0, &[("/status", json!("ok"))]);
        let text = report["text"].as_str().expect("a text");
        assert!(text.len() > 10 && !text.contains('\u{1b}'), "{words}: {text}");
    }
}

#[test]
fn info_and_bounds() {
    check(
        "info kanban:5 --json",
        0,
        &[
            ("/class/free_choice", json!(true)),
            ("/class/state_machine", json!(false)),
            ("/size/places", json!(16)),
            ("/size/tokens", json!("20")),
            ("/units/kind", json!("none")),
            ("/place_semiflows/coverage", json!("complete")),
            ("/place_semiflows/covers_all", json!(true)),
            ("/place_semiflows/flows/0/value", json!(5)),
            ("/boundedness/bounded", json!(true)),
            ("/upper_bounds/0/bound", json!(5)),
            ("/dead_transitions", json!([])),
            ("/order/levels", json!(16)),
        ],
    );
    check("info -h --json", 0, &[("/status", json!("ok"))]);
    check("bounds --help --json", 0, &[("/status", json!("ok"))]);
    let report = check("bounds kanban:2 --json", 0, &[("/status", json!("ok"))]);
    assert_eq!(report["bounds"].as_array().map(Vec::len), Some(16), "{report:#}");
    check(
        "bounds kanban:2 Pm1 --sum Pm1,3*Pout4 --json",
        0,
        &[
            ("/bounds/0/place", json!("Pm1")),
            ("/bounds/0/bound", json!("2")),
            ("/bounds/0/method", json!("structure+walk")),
            ("/bounds/0/proof", json!("Pm1 + Pback1 + Pout1 + P1 = 2")),
            ("/bounds/1/place", json!("Pm1,3*Pout4")),
            ("/bounds/1/bound", json!("8")),
        ],
    );
    check(
        "bounds kanban:2 Pm1 --no-shortcuts --json",
        0,
        &[("/bounds/0/method", json!("mdd")), ("/bounds/0/proof", json!(null))],
    );
    check(
        "bounds kanban:2 Poutt1 --json",
        2,
        &[("/error/hint", json!("did you mean 'Pout1' or 'Pout2' or 'Pout3'?"))],
    );

    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("net.pnml"), unbounded()).expect("written");
    let check = |words: &str, status: i32, expected: &[(&str, Value)]| {
        compare(words, &line_in(folder.path(), words), status, expected)
    };
    check(
        "info net.pnml --json",
        0,
        &[
            ("/boundedness/bounded", json!(false)),
            ("/boundedness/unbounded_place", json!("q")),
            ("/boundedness/cycle/0", json!("t")),
            ("/upper_bounds/1/bound", json!(null)),
            ("/units/kind", json!("none")),
        ],
    );
    check(
        "bounds net.pnml --json",
        0,
        &[
            ("/bounds/0/bound", json!("1")),
            ("/bounds/1/bound", json!("inf")),
            ("/bounds/1/at_most", json!(null)),
            ("/bounds/1/proof", json!("repeating t adds to it")),
        ],
    );
    let unknown = [
        ("/status", json!("unknown")),
        ("/reason", json!("unbounded")),
        ("/bounds/1/bound", json!(null)),
        ("/bounds/1/at_least", json!("0")),
    ];
    check("bounds net.pnml --no-shortcuts --json", 3, &unknown);
}

#[test]
fn contest_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |net: &str, words: &str, status: i32, expected: &[(&str, Value)]| {
        fs::write(folder.path().join("model.pnml"), net).expect("written");
        compare(words, &line_in(folder.path(), words), status, expected)
    };
    let report = check(ONE_STEP, "mcc StateSpace . --json", 0, &[("/status", json!("ok"))]);
    assert_eq!(report["lines"].as_array().map(Vec::len), Some(4), "{report:#}");
    let planned = [("/reason", json!("unsupported")), ("/lines", json!(["DO_NOT_COMPETE"]))];
    check(UNSUPPORTED, "mcc StateSpace . --json", 0, &planned);
    let wrong = [("/status", json!("error")), ("/lines", json!([]))];
    check("<pnml", "mcc StateSpace . --json", 2, &wrong);
    // The file with the formulas is missing.
    check(ONE_STEP, "mcc CTLFireability . --json", 2, &wrong);
}
