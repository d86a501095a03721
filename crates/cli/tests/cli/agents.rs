//! Multi-agent systems: described, tidied, played, and searched for values that leave their ranges.

use crate::json::validated;
use crate::program::{folder_with, line, line_in, line_with_input, symbolon_in};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Somebody who climbs stairs, and may fall off the top.
const STAIRS: &str = "\
-- A remark that does not survive.
Agent Environment
  Obsvars: open : boolean; end Obsvars
  Actions = { stay, shut };
  Protocol: end Protocol
  Evolution: open = false if Action = shut; end Evolution
end Agent
Agent Climber
  Vars: step : -1 .. 2; mood : { brave, shy }; end Vars
  Actions = { up, down, rest };
  Protocol: (mood = brave) and Environment.open = true : { up, rest }; mood = shy : { down }; Other : { rest }; end Protocol
  Evolution:
    step = step + 1 if Action = up;
    step = step - 1 if Action = down;
  end Evolution
end Agent
Evaluation top if Climber.step = 2; end Evaluation
InitStates Climber.step = 0 and Environment.open = true; end InitStates
Groups g = { Climber }; end Groups
Formulae EF top; AG !top; end Formulae
";

fn folder() -> tempfile::TempDir {
    folder_with("stairs.ispl", STAIRS)
}

fn answer(folder: &Path, words: &str, status: i32) -> Value {
    let run = line_in(folder, words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    validated(&run)
}

#[test]
fn agents_are_described() {
    let folder = folder();
    let run = line_in(folder.path(), "info stairs.ispl");
    assert_eq!(run.status, Some(0), "{run:?}");
    for says in [
        "multi-agent system, MultiAssignment",
        "2 agents, 3 variables",
        "at most 16",
        "g = { Climber }",
        "1  EF top",
    ] {
        assert!(run.out.contains(says), "{says}: {}", run.out);
    }
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
    let run = line_in(folder.path(), "info stairs.ispl -v");
    assert!(run.out.contains("step : -1 .. 2") && run.out.contains("up, down, rest"), "{}", run.out);
    let run = line_in(folder.path(), "info stairs.ispl -q");
    assert_eq!(run.out, "multi-agent system, MultiAssignment\n");
    let report = answer(folder.path(), "info stairs.ispl --json", 0);
    assert_eq!(report.pointer("/agents/1/variables/step"), Some(&json!("-1 .. 2")));
    assert_eq!(report.pointer("/agents/1/sees/0"), Some(&json!("Environment.open")));
    assert_eq!(report["combinations"], "16");
}

#[test]
fn what_is_tidied_says_the_same() {
    let folder = folder();
    let run = line_in(folder.path(), "convert stairs.ispl -o again.ispl");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.contains("again.ispl (ispl): 2 agents, 3 variables, 2 formulas"), "{}", run.out);
    let tidied = fs::read_to_string(folder.path().join("again.ispl")).expect("written");
    assert!(
        !tidied.contains("remark")
            && tidied.contains("    mood = brave and Environment.open = true : { up, rest };\n")
    );
    for words in ["states FILE -q", "check FILE -q --no-witness", "mcmas -q FILE"] {
        let (first, again) = (words.replace("FILE", "stairs.ispl"), words.replace("FILE", "again.ispl"));
        let (first, again) = (line_in(folder.path(), &first), line_in(folder.path(), &again));
        assert_eq!((first.status, first.out), (again.status, again.out), "{words}");
    }
    assert_eq!(answer(folder.path(), "convert again.ispl --to ispl --json", 0)["text"], tidied);
    let report = answer(folder.path(), "convert stairs.ispl -o third.ispl --json", 0);
    assert_eq!(
        (&report["agents"], &report["variables"], &report["formulas"]),
        (&json!(2), &json!(3), &json!(2))
    );
}

#[test]
fn questions_about_nets_are_refused_with_a_hint() {
    let folder = folder();
    for (words, says) in [
        ("convert stairs.ispl --to pnml", "pnml does not express"),
        ("bounds stairs.ispl Climber.mood", "the values of 'Climber.mood' have names"),
        ("bounds stairs.ispl Climber.stop", "did you mean 'Climber.step'?"),
        ("draw stairs.ispl", "--what states"),
        ("states philosophers:3 --overflow", "is for agents"),
    ] {
        let run = line_in(folder.path(), words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(says), "{words}: {}", run.err);
    }
    let run = symbolon_in(folder.path(), &["check", "stairs.ispl", "AG (step <= 1 | Climber.mod = shy)"]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.contains("no atom or variable \"step\"\n"), "{}", run.err);
    assert!(run.err.contains("hint: whose? there is Climber.step\n"), "{}", run.err);
    assert!(run.err.contains("hint: did you mean \"Climber.mood\"?\n"), "{}", run.err);
    let run = symbolon_in(folder.path(), &["check", "stairs.ispl", "AG fireable(Climber.step)"]);
    assert!(run.err.contains("\"Climber.step\" is an atom or variable: write"), "{}", run.err);
    let run = line_in(folder.path(), "draw stairs.ispl --what states --to dot");
    assert!(run.out.contains("<stay; up>") && run.out.contains("Climber.mood = brave"), "{}", run.out);
}

#[test]
fn values_that_leave_their_ranges_are_found() {
    let folder = folder();
    for diagram in ["bdd", "mdd", "set", "explicit"] {
        let words = format!("check stairs.ispl --overflow --no-witness --json --diagram {diagram}");
        let report = answer(folder.path(), &words, 1);
        let overflow = &report["overflow"];
        assert_eq!(overflow["lines"], 2, "{diagram}");
        assert_eq!(overflow["dead_states"], "2", "{diagram}");
        let found = overflow["overflows"].as_array().expect("a list");
        assert_eq!(found.len(), 2, "{diagram}: {overflow}");
        for (index, line, text, length) in
            [(0, 1, "step = step + 1 if Action = up", 2), (1, 2, "step = step - 1 if Action = down", 1)]
        {
            assert_eq!((&found[index]["agent"], &found[index]["line"]), (&json!("Climber"), &json!(line)));
            assert_eq!(found[index]["text"], text, "{diagram}");
            let steps = found[index]["witness"]["steps"].as_array().expect("a run");
            assert_eq!(steps.len(), length, "{diagram}: {steps:?}");
        }
        assert_eq!(found[0]["actions"]["Climber"], "up", "{diagram}");
        assert_eq!(found[0]["witness"]["steps"][1]["changes"]["Climber.step"], json!([1, 2]), "{diagram}");
        assert_eq!(found[1]["witness"]["initial"]["Climber.mood"], "shy", "{diagram}");
    }
    let run = line_in(folder.path(), "states stairs.ispl --overflow");
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.out.contains("overflow Climber, line 1: step = step + 1 if Action = up"), "{}", run.out);
    assert!(run.out.contains("Climber.step 1->2") && run.out.contains("dead states: 2"), "{}", run.out);
    let run = line("check prisoners:3 --overflow -q --no-witness");
    assert!(run.out.ends_with("no overflow\n"), "{}", run.out);
}

#[test]
fn agents_are_played() {
    let folder = folder();
    let model = folder.path().join("stairs.ispl").display().to_string();
    let play = |script: &str| line_with_input(&format!("simulate {model}"), script.as_bytes());
    let run = play("enabled\nup stay\nClimber.up Environment.stay\nmarking\nundo\ntrace\n");
    assert_eq!(run.status, Some(0), "{run:?}");
    for says in ["1 <stay; up>", "<stay; up>", "Climber.step 0->1", "Climber.step=2", "Climber.mood=brave"] {
        assert!(run.out.contains(says), "{says}: {}", run.out);
    }
    let run = play("why Climber.down\nwhy up\nwhy fly\nstart\nstart 2\nmarking\n1\n");
    assert_eq!(run.status, Some(0), "{run:?}");
    for says in [
        "the protocol of Climber does not offer 'down' here, but up, rest",
        "'up' is possible",
        "no agent has an action 'fly'",
        "1  Climber.mood=brave",
        "Climber.mood=shy",
        "Climber.step 0->-1",
    ] {
        assert!(run.out.contains(says), "{says}: {}", run.out);
    }
    for (script, says) in [
        ("up\n", "leaves 2 joint actions"),
        ("7\n", "1 to 4 are possible"),
        ("dwn\n", "did you mean"),
        ("start 9\n", "they have the numbers 1 to 2"),
        ("Climber.up stay\nClimber.up stay\nClimber.up stay\n", "outside its range"),
    ] {
        let run = play(script);
        assert_eq!(run.status, Some(2), "{script}: {run:?}");
        assert!(run.err.contains(says), "{script}: {}", run.err);
    }
}

#[test]
fn runs_of_agents_are_saved_and_replayed() {
    let folder = folder();
    let walk = "simulate stairs.ispl --random 6 --seed 3";
    let first = line_in(folder.path(), &format!("{walk} --save run.txt -q"));
    assert_eq!(first.status, Some(0), "{first:?}");
    let again = line_in(folder.path(), "simulate stairs.ispl --random 0 --replay run.txt -q");
    assert_eq!(again.out, first.out);
    let report = line_in(folder.path(), &format!("{walk} --json"));
    validated(&report);
    fs::write(folder.path().join("run.json"), &report.out).expect("written");
    let again = line_in(folder.path(), "simulate stairs.ispl --random 0 --replay run.json -q");
    assert_eq!(again.out, first.out, "{}", again.err);
    // The number of joint actions does not matter.
    let run = line("simulate dining-cryptographers:40 --random 3 --seed 1 -q");
    let steps = run.out.lines().filter(|line| line.starts_with('<')).count();
    assert_eq!((run.status, steps), (Some(0), 3), "{run:?}");
}

#[test]
fn families_have_the_published_sizes() {
    let cryptographers = [400, 960, 2240, 5120, 11_520, 25_600];
    let prisoners = [746, 2631, 8980, 30_001, 98_798, 322_107];
    let calls = (4..).zip(cryptographers).map(|(n, states)| (format!("dining-cryptographers:{n}"), states));
    let calls = calls.chain((5..).zip(prisoners).map(|(n, states)| (format!("prisoners:{n}"), states)));
    for (call, states) in calls.chain([("prisoners:3".to_string(), 50)]) {
        assert_eq!(line(&format!("states {call} -q")).out, format!("{states}\n"), "{call}");
    }
}

#[test]
fn the_attack_of_lowe_is_found() {
    for (call, verdicts) in [
        ("needham-schroeder", "holds fails fails fails holds"),
        ("needham-schroeder:repaired", "holds holds holds holds holds"),
    ] {
        let run = line(&format!("check {call} -q --no-witness"));
        assert_eq!(run.out.split_whitespace().collect::<Vec<_>>().join(" "), verdicts, "{call}");
    }
}

#[test]
fn dead_ends_of_agents_have_runs() {
    let folder = folder();
    for diagram in ["bdd", "mdd", "explicit"] {
        let report = answer(folder.path(), &format!("deadlock stairs.ispl --json --diagram {diagram}"), 1);
        assert_eq!(report["deadlock"], true, "{diagram}");
        let steps = report.pointer("/witness/steps").and_then(Value::as_array).expect("a run");
        assert_eq!(steps.len(), 1, "{diagram}");
        assert_eq!(steps[0]["event"]["Climber"], "down", "{diagram}");
    }
}

/// What all agents do at once is searched layer by layer, and -v says so.
#[test]
fn the_strategy_is_reported() {
    let by = |options: &str| {
        let run = line(&format!("states dining-cryptographers:3 -v {options}"));
        let shown =
            run.err.lines().find_map(|line| line.strip_prefix("strategy: ")).expect("printed").to_string();
        let run = line(&format!("check dining-cryptographers:3 -v {options}"));
        let used =
            run.out.lines().find_map(|line| line.trim().strip_prefix("paths maximal; by ")).expect("printed");
        (shown, used.rsplit_once("; ").expect("seconds").0.to_string())
    };
    let (shown, used) = by("");
    assert!(shown.starts_with("bfs: all components step at once"), "{shown}");
    assert!(shown.contains("the conjuncts of the step are clustered, from 19 to 1"), "{shown}");
    assert_eq!(used, "decision-diagrams, breadth-first, partitioned-relation");
    let (shown, used) = by("--diagram mdd");
    assert!(shown.starts_with("bfs: all components step at once") && !shown.contains("clustered"), "{shown}");
    assert_eq!(used, "decision-diagrams, breadth-first");
    let (shown, used) = by("--strategy saturation");
    assert!(shown.starts_with("saturation: as asked; the conjuncts"), "{shown}");
    assert_eq!(used, "decision-diagrams, saturation, partitioned-relation");
    assert_eq!(by("--diagram explicit").1, "explicit");
}
