//! Nothing that is known gets lost: options do not change verdicts, a verdict does not wait for
//! what comes beside it, and a file that cannot be made does not take the answer with it.

use crate::json::validated;
use crate::nets::{ONE_STEP, still};
use crate::program::{folder_with, symbolon, symbolon_in};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use symbolon_testkit::contest_instance;

/// The two path semantics differ in what is next at a dead state; the initial state of this net is
/// one.
#[test]
fn formulas_without_a_quantifier_are_ltl() {
    let folder = folder_with("net.pnml", &still("0"));
    for (formula, verdict, paths) in [
        ("X p", "fails", "stutter"),
        ("X p | X q", "fails", "stutter"),
        ("X X p", "fails", "stutter"),
        ("AX p", "holds", "maximal"),
        ("A (X p)", "holds", "maximal"),
        ("!EX !p", "holds", "maximal"),
    ] {
        for diagram in ["auto", "explicit", "bdd", "ddd", "set"] {
            let run =
                symbolon_in(folder.path(), &["check", "net.pnml", formula, "--diagram", diagram, "--json"]);
            let property = &validated(&run)["properties"][0];
            assert_eq!(property["verdict"], verdict, "{formula} by {diagram}: {run:?}");
            assert_eq!(property["paths"], paths, "{formula} by {diagram}: {run:?}");
        }
    }
    let run = symbolon_in(folder.path(), &["check", "net.pnml", "X p", "--json"]);
    assert_eq!(validated(&run)["properties"][0]["formula"], "X p", "{run:?}");
}

/// `check` reads a contest file with the semantics of its examination, which its name or the ids of
/// its formulas give.
#[test]
fn contest_files_mean_the_same_to_check_and_mcc() {
    let file = |id: &str| {
        format!(
            "<property-set><property><id>{id}</id><description>next</description><formula><all-paths><next>\
             <integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place></tokens-count>\
             </integer-le></next></all-paths></formula></property></property-set>"
        )
    };
    let folder = folder_with("model.pnml", &still("0"));
    let path = |name: &str| folder.path().join(name);
    for (name, id, verdict) in [
        ("LTLCardinality.xml", "a", "fails"),
        ("CTLCardinality.xml", "a", "holds"),
        ("formulas.xml", "Net-LTLFireability-00", "fails"),
        ("formulas.xml", "Net-CTLFireability-00", "holds"),
        ("formulas.xml", "a", "holds"),
    ] {
        fs::write(path(name), file(id)).expect("written");
        let run = symbolon_in(folder.path(), &["check", "model.pnml", "--formulas", name, "-q"]);
        assert_eq!(run.out.trim_end(), verdict, "{name} {id}: {run:?}");
        if let Some(examination) = name.strip_suffix(".xml").filter(|name| name.contains("Cardinality")) {
            let run = symbolon_in(folder.path(), &["mcc", examination, "."]);
            let answer = if verdict == "holds" { "FORMULA a TRUE" } else { "FORMULA a FALSE" };
            assert!(run.out.starts_with(answer), "{name}: {run:?}");
        }
    }
}

#[test]
fn operators_that_seem_to_reach_further_are_warned_of_and_bracketed() {
    let run = symbolon(&["check", "philosophers:3", "AG Eat_1=0 or Eat_2=0", "--json"]);
    let report = validated(&run);
    assert_eq!(report["properties"][0]["formula"], "(AG Eat_1 = 0) | Eat_2 = 0", "{report:#}");
    let warning = report["warnings"][0].to_string();
    assert!(warning.contains("this is read as (AG Eat_1=0) or Eat_2=0"), "{warning}");
    assert!(warning.contains("write AG (Eat_1=0 or Eat_2=0) if that is meant"), "{warning}");
    let run = symbolon(&["check", "philosophers:3", "(AG Eat_1=0) or Eat_2=0", "--json"]);
    assert_eq!(validated(&run)["warnings"], json!([]), "{run:?}");
}

/// What the structure of a net decides is shown by a run as well; the initial state may be all of
/// it.
#[test]
fn verdicts_by_structure_have_witnesses() {
    let folder = folder_with("net.pnml", ONE_STEP);
    for (formula, verdict, steps) in [
        ("AG p + q = 2", "fails", 0),
        ("(AG p + q = 2) & AF q", "fails", 0),
        ("EF p + q = 1", "holds", 0),
        ("EF (p | !p)", "holds", 0),
        ("AF p + q = 2", "fails", 1),
        ("A (G F p + q = 2)", "fails", 1),
        ("EX true", "holds", 1),
        ("AX false", "fails", 1),
        ("EG true", "holds", 1),
        ("AX AX false", "holds", usize::MAX),
        ("AG p + q = 1", "holds", usize::MAX),
    ] {
        for options in [&[][..], &["--no-shortcuts"], &["--threads=1"], &["-v"], &["--diagram=explicit"]] {
            let words = [&["check", "net.pnml", formula, "--json"], options].concat();
            let run = symbolon_in(folder.path(), &words);
            let property = &validated(&run)["properties"][0];
            let context = format!("{formula} {options:?}: {property:#}");
            assert_eq!(property["verdict"], verdict, "{context}");
            match property["witness"]["steps"].as_array() {
                Some(shown) => {
                    assert_eq!(shown.len(), steps, "{context}");
                    let is_shortest = property["witness"]["shortest"] == json!(true);
                    assert!(is_shortest || steps > 0, "{context}");
                }
                None => assert_eq!(steps, usize::MAX, "{context}"),
            }
        }
    }
}

/// Neither diagrams nor walks show a conjunction about infinitely many states; the initial state
/// does.
#[test]
fn the_initial_state_is_a_witness() {
    let folder = folder_with("net.pnml", &crate::nets::unbounded());
    let words = ["check", "net.pnml", "(AG q >= 1) & AG p = 1", "--json", "--timeout=20"];
    let property = validated(&symbolon_in(folder.path(), &words))["properties"][0].clone();
    assert_eq!(property["verdict"], "fails", "{property:#}");
    assert_eq!(property["witness"]["steps"], json!([]), "{property:#}");
}

/// `-v` counts states, which is impossible here; the verdict stands.
#[test]
fn explaining_does_not_change_verdicts() {
    let net = crate::nets::unbounded();
    let folder = folder_with("net.pnml", &net);
    for (formula, verdict) in [("AG p = 1", "holds"), ("q = 0", "holds"), ("AG q <= 2", "fails")] {
        for options in [&[][..], &["-v"]] {
            let words = [&["check", "net.pnml", formula, "--json", "--timeout=20"], options].concat();
            let run = symbolon_in(folder.path(), &words);
            assert_eq!(
                validated(&run)["properties"][0]["verdict"],
                verdict,
                "{formula} {options:?}: {run:?}"
            );
        }
    }
    let run = symbolon_in(folder.path(), &["check", "net.pnml", "AG p = 1", "-v"]);
    assert!(run.out.contains("states not counted"), "{run:?}");
}

/// A run from another initial state may be shorter.
#[test]
fn shortest_runs_begin_in_any_initial_state() {
    let program = "var x: 0..3 = {0, 3}\nup: x < 3 -> x' = x + 1\nproperty below: AG x < 3\n";
    let folder = folder_with("two.gcl", program);
    for (formula, verdict) in [("AG x < 3", "fails"), ("AG !deadlock", "fails"), ("EF x = 3", "holds")] {
        for diagram in ["auto", "mdd", "bdd", "ddd", "set", "explicit"] {
            let words = ["check", "two.gcl", formula, "--diagram", diagram, "--json"];
            let property = validated(&symbolon_in(folder.path(), &words))["properties"][0].clone();
            assert_eq!(property["verdict"], verdict, "{formula} by {diagram}");
            let witness = &property["witness"];
            assert_eq!(witness["steps"], json!([]), "{formula} by {diagram}: {property:#}");
            assert_eq!(witness["shortest"], json!(true), "{formula} by {diagram}: {property:#}");
        }
    }
}

/// A verdict that can be shown in two ways is not said to be shown by a shortest run.
#[test]
fn runs_for_one_of_two_reasons_are_not_said_to_be_shortest() {
    // Three steps lead to a deadlock, and one violates the other half.
    let words = ["check", "philosophers:3", "G !deadlock & X Think_1", "--no-shortcuts", "--json"];
    let property = validated(&symbolon(&words))["properties"][0].clone();
    assert_eq!(property["witness"]["shortest"], json!(false), "{property:#}");
    let folder = folder_with("net.pnml", ONE_STEP);
    for formula in ["G p & p <= 0", "A (G p & p <= 0)", "EF q | EF p"] {
        let words = ["check", "net.pnml", formula, "--no-shortcuts", "--json"];
        let property = validated(&symbolon_in(folder.path(), &words))["properties"][0].clone();
        let witness = &property["witness"];
        let steps = witness["steps"].as_array().expect("a run").len();
        assert_eq!(witness["shortest"] == json!(true), steps == 0, "{formula}: {property:#}");
    }
}

#[test]
fn several_traces_end_in_several_states() {
    for diagram in ["auto", "bdd", "ddd", "set", "explicit"] {
        let run = symbolon(&["deadlock", "philosophers:3", "--traces=7", "--diagram", diagram, "--json"]);
        let report = validated(&run);
        assert_eq!((run.status, &report["dead_states"]), (Some(1), &json!("2")), "{report:#}");
        let more = report["more_witnesses"].as_array().expect("another trace");
        assert_eq!(more.len(), 1, "{report:#}");
        let events = |witness: &Value| {
            let steps = witness["steps"].as_array().expect("steps").iter();
            steps.map(|step| step["event"].to_string()).collect::<Vec<_>>()
        };
        assert_ne!(events(&report["witness"]), events(&more[0]), "{report:#}");
        for witness in [&report["witness"], &more[0]] {
            assert_eq!((events(witness).len(), &witness["shortest"]), (3, &json!(true)), "{report:#}");
        }
    }
    let run = symbolon(&["deadlock", "philosophers:3", "--traces=2", "--bound=3"]);
    assert_eq!(run.status, Some(2), "{run:?}");
    let run = symbolon(&["deadlock", "philosophers:3", "--traces=0"]);
    assert_eq!(run.status, Some(2), "{run:?}");
}

/// A walk finds a deadlock of this net at once, and its diagram takes minutes.
#[test]
fn a_deadlock_that_is_found_is_reported() {
    let Some(instance) = contest_instance("AutoFlight-PT-06b") else { return };
    let net = instance.join("model.pnml").display().to_string();
    for (words, most) in [(&["-q"][..], 5), (&["--grace=0"], 5), (&[], 20)] {
        let run = symbolon(&[&["deadlock", &net], words].concat());
        assert!(run.out.contains("deadlock"), "{words:?}: {run:?}");
        assert_eq!(run.status, Some(1), "{words:?}: {run:?}");
        assert!(run.time < Duration::from_secs(most), "{words:?}: {:?}", run.time);
    }
}

#[test]
fn files_that_cannot_be_made_are_warnings() {
    for (words, status) in [
        (&["check", "philosophers:3", "AG !deadlock", "--picture", "no/such/folder/x.svg"][..], 1),
        (&["check", "philosophers:3", "AG !deadlock", "--save", "no/such/folder/x.txt"], 1),
        (&["deadlock", "philosophers:3", "--save", "no/such/folder/x.txt"], 1),
        (&["states", "philosophers:3", "--save-order", "no/such/folder/x.txt"], 0),
        (&["states", "philosophers:3", "--save-hierarchy", "no/such/folder/x.txt", "--diagram=set"], 0),
        (&["states", "philosophers:3", "--distances", "--plot", "no/such/folder/x.svg"], 0),
    ] {
        let run = symbolon(words);
        assert_eq!(run.status, Some(status), "{words:?}: {run:?}");
        assert!(run.err.contains("warning: cannot write 'no/such/folder/x."), "{words:?}: {run:?}");
        assert!(run.out.contains("philosophers:3"), "{words:?}: {run:?}");
        let report = validated(&symbolon(&[words, &["--json"]].concat()));
        assert_eq!(report["status"], "ok", "{words:?}: {report:#}");
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(1), "{words:?}: {report:#}");
    }
}

/// A formula whose search never ends has the reason for itself, and the others have their answers.
#[test]
fn bounded_questions_take_turns() {
    let net = crate::nets::unbounded();
    let folder = folder_with("net.pnml", &net);
    let words = ["check", "net.pnml", "EF q < 0", "EF q = 2", "--method=sat-step", "--timeout=8", "--json"];
    let run = symbolon_in(folder.path(), &words);
    let properties = &validated(&run)["properties"];
    assert_eq!(properties[0]["verdict"], "unknown", "{properties:#}");
    assert!(properties[0]["reason"].is_string(), "{properties:#}");
    assert_eq!(properties[1]["verdict"], "holds", "{properties:#}");
}

/// What the initial state decides does not need the others, which no diagram can hold here.
#[test]
fn formulas_about_the_initial_state_have_an_answer() {
    let program = "var x: nat = 2\ngrow: true -> x' = x * x\n";
    let folder = folder_with("grow.gcl", program);
    let words = ["check", "grow.gcl", "x = 2", "EF x = 2", "AG x = 3", "AG x >= 2", "--timeout=20", "--json"];
    let properties = &validated(&symbolon_in(folder.path(), &words))["properties"];
    for (number, verdict) in ["holds", "holds", "fails", "unknown"].iter().enumerate() {
        assert_eq!(properties[number]["verdict"], *verdict, "{properties:#}");
    }
    assert_eq!(properties[3]["reason"], "overflow", "{properties:#}");
    // Parts that are false in every state are so in the first one.
    let words = ["check", "grow.gcl", "AG EF false", "x = 2 & AF EG false", "--timeout=20", "--json"];
    for property in validated(&symbolon_in(folder.path(), &words))["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "fails", "{property:#}");
        assert_eq!(property["witness"]["steps"], json!([]), "{property:#}");
    }
}

/// The verdict is known after a moment, and a shortest run of 5000 philosophers takes minutes.
#[test]
fn a_verdict_without_its_run_says_so() {
    let words = ["check", "philosophers:5000", "AG EF Eat_1", "--no-shortcuts", "--timeout=4", "--json"];
    let run = symbolon(&words);
    let property = validated(&run)["properties"][0].clone();
    assert_eq!((run.status, &property["verdict"]), (Some(1), &json!("fails")), "{property:#}");
    assert_eq!(property["detail"], "the search for a run that shows it was cut off", "{property:#}");
}
