//! `check --automaton` and `--save-automaton`: automata in HOA format as properties.

use crate::fair_strategies::TRAP;
use crate::json::validated;
use crate::program::{folder_with, line, line_in, line_with_input};
use serde_json::json;
use std::fs;

/// Accepts the runs on which `Eat_1` stays unmarked from some point on.
const STARVES: &str = r#"HOA: v1
States: 2
Start: 0
AP: 1 "Eat_1"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[t] 0
[!0] 1
State: 1 {0}
[!0] 1
--END--
"#;

#[test]
fn an_automaton_is_checked_as_a_formula_is() {
    let folder = folder_with("starves.hoa", STARVES);
    let run = line_in(folder.path(), "check philosophers:3 --automaton starves.hoa -q");
    assert_eq!((run.out.as_str(), run.status), ("fails\n", Some(1)), "{run:?}");
    let run = line_in(folder.path(), "check philosophers:3 --automaton starves.hoa --json");
    let object = validated(&run);
    let property = &object["properties"][0];
    assert_eq!(property["verdict"], json!("fails"));
    assert_eq!(property["automaton"], json!("starves.hoa"));
    assert_eq!(property["paths"], json!("stutter"));
    assert!(property["witness"].is_object(), "{property}");
    let words =
        "check philosophers:3 AG(!deadlock) --automaton starves.hoa --automaton starves.hoa --no-witness";
    let run = line_in(folder.path(), words);
    assert!(run.out.contains("philosophers:3: 1 formula, 2 automata, 3 fail; "), "{run:?}");
}

#[test]
fn an_automaton_comes_from_standard_input() {
    let run = line_with_input("check philosophers:3 --automaton - -q", STARVES.as_bytes());
    assert_eq!((run.out.as_str(), run.status), ("fails\n", Some(1)), "{run:?}");
    let run = line_with_input("check - --automaton - -q", STARVES.as_bytes());
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.contains("'-' stands for it twice"), "{}", run.err);
}

#[test]
fn what_is_saved_is_the_same_property() {
    for (formula, verdict) in [("G(F(Eat_1))", "fails"), ("G(!(Eat_1&Eat_2))", "holds")] {
        let folder = tempfile::tempdir().expect("a folder");
        let saved =
            line_in(folder.path(), &format!("check philosophers:3 {formula} -q --save-automaton a.hoa"));
        assert_eq!(saved.out, format!("{verdict}\n"), "{saved:?}");
        assert!(fs::read_to_string(folder.path().join("a.hoa")).expect("written").starts_with("HOA: v1"));
        let read = line_in(folder.path(), "check philosophers:3 --automaton a.hoa -q");
        assert_eq!((read.out, read.status), (saved.out, saved.status), "{formula}");
    }
}

/// Only fair runs count, for a formula and for its automaton alike.
#[test]
fn fairness_constraints_apply_to_automata() {
    for (formula, verdict) in [
        ("G(F(good))", "holds"),
        ("F(G(good))", "holds"),
        ("G(!trap)", "holds"),
        ("X(good)", "holds"),
        ("G(start)", "fails"),
    ] {
        let folder = folder_with("trap.ispl", TRAP);
        for diagram in ["mdd", "bdd", "sentential", "ddd", "set"] {
            let words = format!("check trap.ispl {formula} -q --diagram {diagram} --save-automaton a.hoa");
            let direct = line_in(folder.path(), &words);
            assert_eq!(direct.out, format!("{verdict}\n"), "{formula} by {diagram}: {direct:?}");
            let read =
                line_in(folder.path(), &format!("check trap.ispl --automaton a.hoa -q --diagram {diagram}"));
            assert_eq!((read.out, read.status), (direct.out, direct.status), "{formula} by {diagram}");
        }
        // Without a fair path there is nothing to accept.
        let never = TRAP.replace("Fairness good;", "Fairness good and trap;");
        fs::write(folder.path().join("never.ispl"), never).expect("written");
        let run = line_in(folder.path(), "check never.ispl --automaton a.hoa");
        assert_eq!((run.out.starts_with("holds"), run.status), (true, Some(0)), "{run:?}");
        assert!(run.err.contains("no path satisfies the fairness constraints"), "{run:?}");
        let run = line_in(folder.path(), "check trap.ispl --automaton a.hoa -q --diagram explicit");
        assert_eq!((run.out.as_str(), run.status), ("unknown\n", Some(3)), "{run:?}");
    }
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let check = |text: &str, expected: &str| {
        let folder = folder_with("wrong.hoa", text);
        let run = line_in(folder.path(), "check philosophers:3 --automaton wrong.hoa");
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.err.starts_with(expected), "{}", run.err);
    };
    check(
        &STARVES.replace("Eat_1", "Eat_9"),
        "wrong.hoa:4:8: error: the net has no place \"Eat_9\"\n  AP: 1 \"Eat_9\"\n         ^^^^^\n",
    );
    check(
        &STARVES.replace("Buchi", "co-Buchi").replace("Inf", "Fin"),
        "wrong.hoa:6:15: error: the acceptance condition 'co-Buchi', with 'Fin', is not supported\n",
    );
    check(
        &STARVES.replace("[t] 0", "[1] 0"),
        "wrong.hoa:9:2: error: found '1', expected a proposition below 1\n",
    );
    let refused = |words: &str, expected: &str| {
        let run = line(&format!("check philosophers:3 {words}"));
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.err.contains(expected), "{}", run.err);
    };
    refused("EF(Eat_1) --save-automaton a.hoa", "'EF Eat_1' has no automaton");
    refused("F(Eat_1) G(Eat_1) --save-automaton a.hoa", "takes one formula, but 2 were given");
    refused("--automaton missing.hoa", "missing.hoa");
    let folder = folder_with("starves.hoa", STARVES);
    let run = line_in(folder.path(), "check philosophers:3 --automaton starves.hoa --bound 3");
    assert!(run.err.contains("not supported for automata"), "{run:?}");
    let run = line_in(folder.path(), "check philosophers:3 --automaton starves.hoa --paths maximal");
    assert!(run.err.contains("'--paths maximal'"), "{run:?}");
}
