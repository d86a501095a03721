//! Cells whose program is a shell script that says what the real one never should.

use super::*;
use crate::commands::compare::cells::DIAGRAM;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The axes and the cell of all tests: a model with a space in its name, one diagram.
fn cell() -> (Vec<Axis>, Cell) {
    let axis = Axis { key: DIAGRAM, option: "--diagram", values: vec!["mdd".into()] };
    let cell = Cell { model: "a net".into(), choices: vec![Some("mdd".into())] };
    (vec![axis], cell)
}

/// Runs a cell with a script; all in one test, as a script cannot be started while another thread
/// writes one.
fn check(script: &str, runs: usize, timeout: f64) -> Measured {
    check_within(script, runs, timeout, &Budget::unlimited())
}

fn check_within(script: &str, runs: usize, timeout: f64, budget: &Budget) -> Measured {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    fs::write(&program, format!("#!/bin/sh\ncd {}\n{script}\n", folder.path().display())).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
    let manner = Manner {
        program,
        question: Question::States,
        timeout: Duration::from_secs_f64(timeout),
        options: vec!["--seed".into(), "7".into()],
        runs,
    };
    let (axes, cell) = cell();
    measure(&manner, &axes, &cell, &[], budget)
}

const OK: &str = r#"'{"status":"ok","states":"12","edges":null,"seconds":0.5,"peak_bytes":4096,"steps":"9007199254740993","nodes":{"final":3,"peak":8},"variable_order":"force"}'"#;

fn first_error(measured: &Measured) -> &str {
    match &measured.ending {
        Ending::Wrong(errors) => &errors[0].message,
        other => panic!("no error: {other:?}"),
    }
}

#[test]
fn what_the_program_says_is_what_is_shown() {
    // The words of the call, and an answer.
    let run = check(
        &format!(
            "echo \"$*\" > words; [ \"$*\" = \"states --json --diagram mdd --seed 7 --timeout 9 -- a net\" ] && echo {OK}"
        ),
        1,
        9.0,
    );
    assert_eq!(run.answers().len(), 1, "{run:?}");
    assert_eq!(run.answers()[0].facts, [("states", "12".to_string())]);
    assert_eq!((run.seconds, run.peak_bytes, run.nodes), (0.5, Some(4096), Some((3, 8))));
    assert_eq!((run.steps, run.order_used.as_deref()), (Some(9007199254740993), Some("force")));

    // All runs count: the median of them, and every answer.
    let count = r#"n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n; "#;
    let run = check(&format!("{count} echo '{{\"status\":\"ok\",\"states\":\"'$((n/3))'\"}}'"), 3, 9.0);
    let answers: Vec<&str> = run.answers().iter().map(|answer| answer.text.as_str()).collect();
    assert_eq!((answers, run.runs), (vec!["0", "1"], 3));
    let late = r#"[ $n = 2 ] && echo '{"status":"unknown","reason":"memory","partial":{"steps":5}}' || echo"#;
    let run = check(&format!("{count} {late} {OK}"), 5, 9.0);
    assert_eq!((run.outcome(), run.runs, run.steps), ("memory", 2, Some(5)), "{run:?}");

    // Nothing that a program can do is taken for an answer.
    let check = |script: &str| check(script, 1, 9.0);
    let run =
        check(r#"echo '{"status":"error","errors":[{"message":"no","file":"a net","line":3}]}'; exit 2"#);
    assert_eq!((run.outcome(), first_error(&run)), ("error", "no"));
    assert!(first_error(&check("kill -SEGV $$")).contains("ended without an answer (signal: 11"));
    assert!(first_error(&check("echo '{\"status\":'; exit 7")).contains("(exit status: 7)"));
    assert!(first_error(&check("echo '{\"status\":\"ok\"}'")).contains("another answer"));
    assert!(first_error(&check("echo '{\"status\":\"unknown\",\"reason\":\"tired\"}'")).contains("why"));

    // A program that does not keep its limit is ended.
    let start = Instant::now();
    let run = super::tests::check("exec sleep 60", 3, 0.1);
    assert_eq!((run.outcome(), run.runs), ("timeout", 1));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());

    // The user has pressed Ctrl-C.
    let budget = Budget::unlimited();
    budget.cancel();
    assert_eq!(check_within("exec sleep 60", 1, 60.0, &budget).outcome(), "interrupted");
}

#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let (axes, cell) = cell();
    let manner = Manner {
        program: "/no/such/program".into(),
        question: Question::States,
        timeout: Duration::from_secs(1),
        options: Vec::new(),
        runs: 1,
    };
    let run = measure(&manner, &axes, &cell, &[], &Budget::unlimited());
    assert!(first_error(&run).contains("cannot start '/no/such/program'"), "{run:?}");
}
