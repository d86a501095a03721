//! Runs of agents as files: what `check` and `deadlock` save, `simulate` replays and `draw` draws,
//! also where a joint action leads to several states and where a system begins in one of several.

use crate::program::{folder_with, line_in, line_with_input, symbolon, symbolon_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Tossed and taken up again, on and on, unless it is lost.
const COIN: &str = "\
Agent Coin
  Vars: side : { heads, tails, lost }; tossed : boolean; end Vars
  Actions = { toss, none };
  Protocol: tossed = false and !(side = lost) : { toss }; tossed = true : { none }; end Protocol
  Evolution:
    side = heads and tossed = true if Action = toss;
    side = tails and tossed = true if Action = toss;
    side = lost if side = tails and Action = none;
    tossed = false if Action = none;
    tossed = false and side = lost if side = lost;
  end Evolution
end Agent
Evaluation
  heads if Coin.side = heads;
  tails if Coin.side = tails;
  lost if Coin.side = lost;
  tossed if Coin.tossed = true;
end Evaluation
InitStates Coin.tossed = false and !(Coin.side = lost); end InitStates
Formulae AG !lost; end Formulae
";

/// What replaying a file ends with, as JSON.
fn replayed(folder: &Path, file: &str) -> Value {
    let run = line_in(folder, &format!("simulate coin.ispl --replay {file} --random 0 --json"));
    assert_eq!(run.status, Some(0), "{run:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

/// Saves the run that shows `formula`, replays it and draws it. Returns its file, and the replayed
/// run.
fn saved(folder: &Path, formula: &str) -> (String, Value) {
    let file = folder.join("run.txt");
    let run = symbolon_in(folder, &["check", "coin.ispl", formula, "--save", "run.txt"]);
    assert!(run.err.contains("saved"), "{formula}: {run:?}");
    let text = fs::read_to_string(&file).expect("it was written");
    let drawn = line_in(folder, "draw coin.ispl --trace run.txt --to dot");
    assert_eq!(drawn.status, Some(0), "{drawn:?}");
    assert!(drawn.out.contains("Coin.side="), "{}", drawn.out);
    let svg = line_in(folder, "draw coin.ispl --trace run.txt -o run.svg");
    assert_eq!(svg.status, Some(0), "{svg:?}");
    (text, replayed(folder, "run.txt"))
}

/// The state after the last step.
fn last_state(run: &Value) -> Value {
    let mut state = run["witness"]["initial"].clone();
    for step in run["witness"]["steps"].as_array().expect("steps") {
        for (name, change) in step["changes"].as_object().expect("changes") {
            state[name] = change[1].clone();
        }
    }
    state
}

fn folder() -> tempfile::TempDir {
    folder_with("coin.ispl", COIN)
}

#[test]
fn the_outcome_of_an_action_is_saved() {
    let folder = folder();
    // What each formula fails by: a run that ends there.
    for (formula, ends_in) in [
        ("AG !(tossed & tails)", ("tails", true)),
        ("AG !(tossed & heads)", ("heads", true)),
        ("AG !(!tossed & lost)", ("lost", false)),
    ] {
        let (text, run) = saved(folder.path(), formula);
        let last = last_state(&run);
        assert_eq!(last["Coin.side"], ends_in.0, "{formula}: {text}\n{run}");
        assert_eq!(last["Coin.tossed"], ends_in.1, "{formula}: {text}\n{run}");
    }
}

#[test]
fn the_initial_state_is_saved() {
    let folder = folder();
    for (formula, begins) in [("heads | AX heads", "tails"), ("tails | AX heads", "heads")] {
        let (text, run) = saved(folder.path(), formula);
        assert!(text.contains(&format!("start Coin.side={begins} Coin.tossed=false\n")), "{text}");
        assert_eq!(run["witness"]["initial"]["Coin.side"], begins, "{formula}: {run}");
    }
}

#[test]
fn a_loop_is_saved_once_around() {
    let folder = folder();
    let (text, run) = saved(folder.path(), "AF (lost | tossed & heads)");
    let steps = run["witness"]["steps"].as_array().expect("steps").len();
    assert!(steps >= 2, "{text}\n{run}");
    let (text, _) = saved(folder.path(), "AF (tossed & tails)");
    assert!(text.lines().filter(|line| line.starts_with('<')).count() >= 2, "{text}");
}

#[test]
fn a_deadlock_is_saved_and_drawn() {
    let folder = folder();
    let run = line_in(folder.path(), "deadlock coin.ispl --save dead.txt");
    assert_eq!(run.status, Some(1), "{run:?}");
    let run = replayed(folder.path(), "dead.txt");
    assert!(run.to_string().contains("lost"), "{run}");
    let drawn = line_in(folder.path(), "draw coin.ispl --what trace --to dot");
    assert!(drawn.out.contains("Coin.side=lost"), "{drawn:?}");
}

#[test]
fn what_cannot_be_replayed_is_said() {
    let folder = folder();
    fs::write(folder.path().join("run.txt"), "<toss>\n<toss>\n").expect("written");
    let drawn = line_in(folder.path(), "draw coin.ispl --trace run.txt --to dot");
    assert_eq!(drawn.status, Some(2), "{drawn:?}");
    assert!(drawn.err.contains("run.txt:2") && drawn.err.contains("does not offer 'toss'"), "{}", drawn.err);
}

#[test]
fn mcmas_plays_as_well() {
    let folder = folder();
    let path = folder.path().join("coin.ispl");
    let path = path.to_str().expect("plain");
    let run = line_with_input(&format!("mcmas -s {path}"), b"<toss> /2\nmarking\n");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.contains("tails"), "{run:?}");
    let run = symbolon(&["mcmas", "-s", "nowhere.ispl"]);
    assert_eq!(run.status, Some(2), "{run:?}");
}

#[test]
fn plain_states_have_runs_too() {
    let folder = folder();
    for diagram in ["explicit", "bdd"] {
        let run = line_in(folder.path(), &format!("check coin.ispl --diagram {diagram} --save run.txt"));
        assert!(run.out.contains("2 steps; no shorter one exists"), "{diagram}: {run:?}");
        assert_eq!(replayed(folder.path(), "run.txt")["status"], "ok", "{diagram}");
    }
    let run = line_in(folder.path(), "check coin.ispl EG(!lost) --diagram explicit");
    assert!(run.out.contains("a run with a loop that shows it: 2 steps"), "{run:?}");
}

/// A switch that stays as it is, for a formula whose automaton has two states but, on these states,
/// a single edge: the loop goes through the second state of the automaton.
#[test]
fn a_lasso_through_a_later_state_of_the_automaton_is_shown() {
    let switch = "\
Agent Environment Vars: x : 0 .. 3; end Vars Actions = { c }; Protocol: end Protocol Evolution: end Evolution end Agent
Agent P Vars: x : 0 .. 1; end Vars Actions = { b }; Protocol: Other : { b }; end Protocol
  Evolution: x = x if Action = b; end Evolution end Agent
Evaluation zero if P.x = 0; end Evaluation
InitStates Environment.x = 3; end InitStates
Formulae zero; end Formulae
";
    let folder = folder_with("switch.ispl", switch);
    for diagram in ["bdd", "sentential", "mdd", "ddd", "set"] {
        let formula = "F (F Environment.x > 1 & F P.x < 1)";
        let run = symbolon_in(
            folder.path(),
            &["check", "switch.ispl", formula, "--json", "--diagram", diagram, "--no-shortcuts"],
        );
        assert_eq!(run.status, Some(1), "{run:?}");
        let json: Value = serde_json::from_str(&run.out).expect("JSON");
        let witness = &json["properties"][0]["witness"];
        assert_eq!(witness["shape"], "lasso", "{diagram}: {}", run.out);
        assert_eq!(witness["initial"]["P.x"], 1, "{diagram}: {}", run.out);
    }
}
