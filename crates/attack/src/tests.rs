//! The attack itself: cases can be read, mistakes are noticed, and what shows one is made smaller.

use crate::case::Asked;
use crate::{Case, Ending, Kind, Output, compare, shrink};
use serde_json::{Value, json};
use std::time::Duration;
use symbolon_referee::Graph;

fn output(report: &Value, status: i32) -> Output {
    Output { stdout: report.to_string(), stderr: String::new(), ending: Ending::Exit(status) }
}

/// The classes of the complaints about what a program said.
fn classes(case: &Case, said: &Output) -> Vec<String> {
    compare(case, said).complaints.into_iter().map(|complaint| complaint.class).collect()
}

#[test]
fn a_seed_is_a_case() {
    for seed in 0..40 {
        let [one, other] = [(); 2].map(|()| Case::draw(seed, &Kind::ALL));
        assert_eq!((one.files(), one.arguments()), (other.files(), other.arguments()));
    }
}

/// What the referee cannot read would be a complaint of the class "referee".
#[test]
fn the_referee_reads_every_case() {
    for kind in Kind::ALL {
        for seed in 0..150 {
            let case = Case::draw(seed, &[kind]);
            let found = classes(&case, &output(&json!({}), 0));
            assert!(!found.contains(&"referee".to_string()), "{} {seed}: {found:?}", kind.name());
        }
    }
}

/// The first case of a kind that asks for states, with the number of them that is right.
fn states_case() -> (Case, Value) {
    for seed in 0.. {
        let case = Case::draw(seed, &[Kind::Nets]);
        if !matches!(case.asked, Asked::States) || case.has_large_numbers() {
            continue;
        }
        let count = (1..500).find(|count| {
            let report = json!({ "status": "ok", "states": count.to_string() });
            classes(&case, &output(&report, 0)).is_empty()
        });
        if let Some(count) = count.filter(|count| *count > 3) {
            return (case, json!(count.to_string()));
        }
    }
    unreachable!("some net has more than three states")
}

/// A run that does not replay is a mistake of the program, whatever the answer would have been.
#[test]
fn an_internal_failure_is_noticed() {
    let (case, _) = states_case();
    let report = json!({ "status": "unknown", "reason": "internal", "detail": "a run does not replay" });
    assert_eq!(classes(&case, &output(&report, 3)), ["internal"]);
    let report = json!({ "status": "unknown", "reason": "timeout", "detail": "the time limit was reached" });
    assert_eq!(classes(&case, &output(&report, 3)), [] as [String; 0]);
}

#[test]
fn a_wrong_figure_is_noticed() {
    let (case, right) = states_case();
    let report = |states: Value| output(&json!({ "status": "ok", "states": states }), 0);
    assert_eq!(classes(&case, &report(right)), [] as [String; 0]);
    assert_eq!(classes(&case, &report(json!("1"))), ["figure"]);
    assert_eq!(classes(&case, &report(json!("inf"))), ["figure"]);
    let crashed = Output { stdout: String::new(), stderr: "abort".to_string(), ending: Ending::Signal };
    assert_eq!(classes(&case, &crashed), ["crash"]);
    let silent = Output { stdout: String::new(), stderr: String::new(), ending: Ending::Exit(0) };
    assert_eq!(classes(&case, &silent), ["json"]);
}

/// Says the same about every formula.
fn constant_answer(case: &Case, verdict: &str) -> Output {
    let Asked::Check { formulas, style, .. } = &case.asked else { unreachable!("a case of check") };
    let property = |formula| {
        json!({ "formula": style.text(formula), "verdict": verdict, "reason": "timeout", "witness": null,
                "paths": "maximal", "detail": "none is shown here" })
    };
    let status = match verdict {
        "fails" => 1,
        "unknown" => 3,
        _ => 0,
    };
    let properties: Vec<Value> = formulas.iter().map(property).collect();
    output(&json!({ "status": "ok", "properties": properties }), status)
}

#[test]
fn a_wrong_verdict_is_noticed_and_made_smaller() {
    let mut noticed = 0;
    for seed in 0..60 {
        let case = Case::draw(seed, &[Kind::Nets]);
        if !matches!(case.asked, Asked::Check { .. }) {
            continue;
        }
        assert!(!classes(&case, &constant_answer(&case, "unknown")).contains(&"verdict".to_string()));
        let outcome = compare(&case, &constant_answer(&case, "holds"));
        let Some(complaint) = outcome.complaints.into_iter().find(|one| one.class == "verdict") else {
            continue;
        };
        noticed += 1;
        let run = &mut |case: &Case| Some(constant_answer(case, "holds"));
        let (least, shown) = shrink(&case, &complaint, Duration::from_secs(20), run);
        assert_eq!(shown.class, "verdict");
        // To say that everything holds is wrong about `false`, in any net, and about `EF false`
        // where a search asks for that.
        let Asked::Check { formulas, .. } = &least.asked else { unreachable!("a case of check") };
        assert_eq!(formulas.len(), 1, "seed {seed}");
        assert!(formulas[0].size() <= 3, "seed {seed}: {formulas:?}");
    }
    assert!(noticed > 10, "{noticed}");
}

/// A run with a step that the net does not have, a wrong value, or an end that shows nothing.
#[test]
fn a_wrong_run_is_noticed() {
    let mut noticed = [0; 3];
    for seed in 0..400 {
        let case = Case::draw(seed, &[Kind::Nets]);
        let Asked::Check { .. } = &case.asked else { continue };
        let answer = |witness: Value| {
            let mut said = constant_answer(&case, "unknown");
            let mut report: Value = serde_json::from_str(&said.stdout).unwrap();
            for property in report["properties"].as_array_mut().unwrap() {
                property["witness"] = witness.clone();
                property["verdict"] = json!("holds");
            }
            said.stdout = report.to_string();
            classes(&case, &said).contains(&"witness".to_string())
        };
        let step = |event: &str, changes: Value| json!([{ "event": event, "changes": changes }]);
        let trace = |initial: Value, steps: Value| json!({ "shape": "trace", "shortest": false, "initial": initial, "steps": steps });
        noticed[0] += usize::from(answer(trace(json!({ "no such place": 1 }), json!([]))));
        noticed[1] += usize::from(answer(trace(json!({}), step("no such transition", json!({})))));
        noticed[2] += usize::from(answer(trace(json!({ "p0": 77 }), json!([]))));
    }
    assert!(noticed.iter().all(|&count| count > 30), "{noticed:?}");
}

/// Coloured nets have everything that a file may contain, and formulas speak of single colours and
/// bindings.
#[test]
fn coloured_cases_have_every_construct() {
    let mut texts = String::new();
    let mut sizes = [0; 3];
    for seed in 0..200 {
        let case = Case::draw(seed, &[Kind::Coloured]);
        let model = case.model().unwrap();
        let graph = Graph::explore(&*model, 3000);
        sizes[0] += usize::from(graph.states.len() > 9);
        sizes[1] += usize::from(graph.dead().next().is_none());
        sizes[2] += usize::from(graph.is_complete);
        case.files().iter().for_each(|(_, text)| texts.push_str(text));
        texts.push_str(&case.arguments().join("\n"));
    }
    println!("more than nine states, no dead state, complete: {sizes:?} of 200");
    assert!(sizes[0] >= 60 && sizes[1] >= 30 && sizes[2] >= 180, "{sizes:?}");
    for part in [
        "<cyclicenumeration>",
        "<finiteenumeration>",
        "<finiteintrange ",
        "<productsort>",
        "<partition ",
        "<all>",
        "<add>",
        "<subtract>",
        "<numberof>",
        "<tuple>",
        "<successor>",
        "<predecessor>",
        "<dotconstant/>",
        "<finiteintrangeconstant ",
        "<useroperator ",
        "<partitionelementof ",
        "<and>",
        "<or>",
        "<not>",
        "<imply>",
        "<equality>",
        "<inequality>",
        "<lessthan>",
        "<lessthanorequal>",
        "<greaterthan>",
        "<greaterthanorequal>",
        "<gtp>",
        "<ltp>",
        "<booleanconstant ",
        "inhibitor",
        "test",
        "reset",
        "p0[",
        "fireable(t0(",
    ] {
        assert!(texts.matches(part).count() >= 3, "{part} is rare");
    }
}
