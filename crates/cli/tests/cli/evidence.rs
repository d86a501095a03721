//! What `check` shows of agents: runs with joint actions, states that an agent cannot distinguish,
//! strategies.

use crate::json::validated;
use crate::program::{folder_with, line_in};
use serde_json::Value;
use std::fs;

/// A safe with a code that the thief does not see; the thief notes having tried.
const SAFE: &str = "\
Agent Environment
  Vars: code : { left, right }; open : boolean; end Vars
  Actions = { none };
  Protocol: Other : { none }; end Protocol
  Evolution:
    open = true if code = left and Thief.Action = turn_left;
    open = true if code = right and Thief.Action = turn_right;
  end Evolution
end Agent
Agent Thief
  Lobsvars = { open };
  Vars: tries : 0 .. 1; end Vars
  Actions = { turn_left, turn_right };
  Protocol: Other : { turn_left, turn_right }; end Protocol
  Evolution: tries = 1 if tries = 0; end Evolution
end Agent
Evaluation
  open if Environment.open = true;
  left if Environment.code = left;
end Evaluation
InitStates Environment.open = false and Thief.tries = 0; end InitStates
Groups thief = { Thief }; end Groups
Formulae
  AF open;
  AG (left -> K(Thief, left));
  GCK(thief, !open);
  O(Thief, !open);
  <thief> F open;
  EF (open and !K(Thief, left));
end Formulae
";

fn folder() -> tempfile::TempDir {
    folder_with("safe.ispl", SAFE)
}

#[test]
fn text_tells_joint_actions_looks_and_strategies() {
    let folder = folder();
    let run = line_in(folder.path(), "check safe.ispl");
    assert_eq!(run.status, Some(1), "{run:?}");
    for wanted in [
        "a run with a loop that violates it",
        "<none; turn_",
        "Environment.code=left, Environment.open=false,",
        "Thief cannot tell",
        " from this initial state\n",
        "Thief behaves as it should in the end of this run (1 step)",
        "a strategy of Thief, from this initial state on",
        "Thief=turn_",
    ] {
        assert!(run.out.contains(wanted), "no '{wanted}' in\n{}", run.out);
    }
    assert!(run.out.lines().all(|line| line.chars().count() <= 100), "{}", run.out);
}

#[test]
fn json_has_every_shape() {
    let folder = folder();
    for diagram in ["bdd", "sentential", "mdd", "ddd", "set"] {
        let report =
            validated(&line_in(folder.path(), &format!("check safe.ispl --json --diagram {diagram}")));
        let shape = |number: usize| report["properties"][number]["witness"]["shape"].clone();
        let shapes: Vec<Value> = (0..6).map(shape).collect();
        let wanted = ["lasso", "epistemic", "trace", "trace", "strategy", "epistemic"];
        assert_eq!(shapes[0], wanted[0], "{diagram}: {report}");
        assert_eq!((&shapes[1], &shapes[4]), (&wanted[1].into(), &wanted[4].into()), "{diagram}: {report}");
        assert_eq!(shapes[5], wanted[5], "{diagram}: {report}");
        let step = &report["properties"][0]["witness"]["steps"][0];
        assert_eq!(step["event"]["Environment"], "none", "{step}");
        assert_eq!(step["changes"]["Thief.tries"], serde_json::json!([0, 1]), "{step}");
        let look = &report["properties"][1]["witness"];
        let branches = look["branches"].as_array().expect("branches");
        let look = branches.iter().find(|branch| branch["link"] == "alike").unwrap_or(&branches[0]);
        assert!(look.to_string().contains("\"agents\":[\"Thief\"]"), "{look}");
        let strategy = &report["properties"][4]["witness"]["strategy"];
        assert_eq!(strategy["agents"], serde_json::json!(["Thief"]));
        let rows = strategy["rows"].as_array().expect("rows");
        assert!(!rows.is_empty() && rows.iter().all(|row| row["actions"]["Thief"].is_string()), "{strategy}");
    }
}

#[test]
fn strategies_may_go_by_what_is_seen() {
    let folder = folder();
    let check = |options: &str, wanted: [&str; 2]| {
        let words = format!("check safe.ispl --strategies {options} --json --formulas f.txt");
        let report = validated(&line_in(folder.path(), &words));
        let verdicts = [0, 1].map(|number| report["properties"][number]["verdict"].clone());
        assert_eq!(verdicts, wanted.map(Value::from), "{options}");
    };
    fs::write(folder.path().join("f.txt"), "now: <thief> X open\nsoon: <thief> F open\n").expect("written");
    check("perfect", ["holds", "holds"]);
    check("uniform", ["fails", "holds"]);
    check("uniform --diagram explicit", ["fails", "holds"]);
    check("uniform --diagram mdd", ["fails", "holds"]);
}

/// After one step the system may be where it was: that state begins and ends the strategy for `X`.
#[test]
fn a_uniform_strategy_for_one_step_may_stay_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let still =
        "Agent P Vars: on : boolean; end Vars Actions = { wait }; Protocol: Other : { wait }; end Protocol
        Evolution: on = true if on = true; end Evolution end Agent
        Evaluation on if P.on = true; end Evaluation InitStates P.on = true; end InitStates
        Groups p = { P }; end Groups Formulae on; end Formulae";
    fs::write(folder.path().join("still.ispl"), still).expect("written");
    fs::write(folder.path().join("f.txt"), "stays: <p> X AX on\n").expect("written");
    for strategies in ["perfect", "uniform"] {
        let words = format!("check still.ispl --formulas f.txt --strategies {strategies} --json");
        let report = validated(&line_in(folder.path(), &words));
        let property = &report["properties"][0];
        assert_eq!(property["verdict"], "holds", "{strategies}: {report}");
        assert_eq!(property["witness"]["strategy"]["outcomes"], 1, "{strategies}: {report}");
    }
}

#[test]
fn a_strategy_that_is_not_shown_is_mentioned() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("f.txt"), "soon: <thief> F open\n").expect("written");
    let check = |name: &str, text: &str, why: &str| {
        fs::write(folder.path().join(name), text).expect("written");
        let words = format!("check {name} --formulas f.txt");
        let run = line_in(folder.path(), &words);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.out.contains(&format!("\n        {why}\n")), "{}", run.out);
        let report = validated(&line_in(folder.path(), &format!("{words} --json")));
        assert_eq!(report["properties"][0]["detail"], why, "{report}");
    };
    // The safe opens by a clock, and each of its times is an outcome.
    let large = SAFE
        .replace("open : boolean; end Vars", "open : boolean; clock : 0 .. 4000; end Vars")
        .replace("code = left and Thief.Action = turn_left", "clock = 4000")
        .replace(
            "open = true if code = right and Thief.Action = turn_right",
            "clock = clock + 1 if clock < 4000",
        )
        .replace("Environment.open = false and", "Environment.open = false and Environment.clock = 0 and");
    check("large.ispl", &large, "its strategy is too large to be shown");
}

#[test]
fn evidence_is_drawn() {
    let folder = folder();
    fs::write(folder.path().join("f.txt"), "soon: <thief> F open\n").expect("written");
    for (file, wanted) in [("s.svg", "<svg"), ("s.dot", "digraph"), ("s.txt", "Thief: turn_")] {
        let run = line_in(folder.path(), &format!("check safe.ispl --formulas f.txt --picture {file} -q"));
        assert_eq!((run.status, run.out.as_str()), (Some(0), "holds\n"), "{}", run.err);
        let text = fs::read_to_string(folder.path().join(file)).expect("written");
        assert!(text.contains(wanted), "{text}");
    }
    let run = line_in(folder.path(), "check safe.ispl --picture s.png");
    assert_eq!(run.status, Some(2), "{run:?}");
    fs::write(folder.path().join("f.txt"), "always: AG (open -> open)\n").expect("written");
    let run = line_in(folder.path(), "check safe.ispl --formulas f.txt --picture none.svg");
    assert!(run.err.contains("nothing") || run.err.contains("anything to draw"), "{}", run.err);
    assert!(!folder.path().join("none.svg").exists());
}
