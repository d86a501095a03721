//! Strategies under fairness, strategies for what is always or never true, and fairness that no
//! path satisfies: the same answers on every diagram, on plain states and by `mcmas`.

use crate::json::validated;
use crate::program::{folder_with, line_in, symbolon_in};
use std::path::Path;

const DIAGRAMS: [&str; 6] = ["explicit", "bdd", "sentential", "mdd", "ddd", "set"];

/// An agent that may go to a good place, where every path is fair, or into a trap, where none is.
pub(crate) const TRAP: &str = "\
Agent Environment
  Vars: e : boolean; end Vars
  Actions = { n };
  Protocol: Other : { n }; end Protocol
  Evolution: end Evolution
end Agent
Agent P
  Vars: at : { start, good, trap }; end Vars
  Actions = { good, trap };
  Protocol: Other : { good, trap }; end Protocol
  Evolution: at = good if at = start and Action = good; at = trap if at = start and Action = trap; end Evolution
end Agent
Evaluation start if P.at = start; good if P.at = good; trap if P.at = trap; end Evaluation
InitStates Environment.e = false and P.at = start; end InitStates
Groups p = { P }; end Groups
Fairness good; end Fairness
Formulae <p> G good; good; <p> G trap; <p> G start; <p> F trap; <p> X trap; end Formulae
";

/// Asks a file its own formulas, or these, on every diagram: the verdicts must be `expected`.
fn check(folder: &Path, options: &[&str], formulas: &[&str], expected: &[&str]) {
    for diagram in DIAGRAMS {
        let mut words = vec!["check", "trap.ispl", "-q", "--diagram", diagram];
        words.extend(options.iter().chain(formulas));
        let run = symbolon_in(folder, &words);
        assert_eq!(run.out.lines().collect::<Vec<_>>(), expected, "{words:?}: {run:?}");
    }
}

#[test]
fn what_holds_always_holds_now() {
    let folder = folder_with("trap.ispl", TRAP);
    // These are the answers of MCMAS 1.3.0 with `-atlk 1`.
    let expected = ["fails", "fails", "fails", "holds", "holds", "holds"];
    check(folder.path(), &[], &[], &expected);
    check(folder.path(), &["--strategies", "uniform"], &[], &expected);
    for options in ["", "-atlk 1 ", "-atlk 2 "] {
        for diagram in DIAGRAMS {
            let run = line_in(folder.path(), &format!("mcmas -q {options}trap.ispl --diagram {diagram}"));
            let said: Vec<bool> = run.out.lines().map(|line| line.ends_with("TRUE in the model")).collect();
            assert_eq!(said, [false, false, false, true, true, true], "{options}{diagram}: {}", run.out);
        }
    }
}

/// An agent in a corridor with an end in which nothing can be done.
fn corridor() -> String {
    let dead = TRAP.replace("Other : { good, trap };", "at = start : { good, trap }; at = good : { good };");
    dead.replace("Fairness good; end Fairness\n", "")
}

#[test]
fn constants_below_strategies_have_answers() {
    let formulas = [
        "<p> G true",
        "<p> F (good | !good)",
        "<p> (false U start)",
        "<p> (false U good)",
        "<p> X true",
        "<p> F false",
        "<p> G false",
        "<p> X false",
        "AX <p> G true",
    ];
    let corridor = folder_with("trap.ispl", &corridor());
    let expected = ["holds", "holds", "holds", "fails", "holds", "fails", "fails", "fails", "fails"];
    check(corridor.path(), &[], &formulas, &expected);
    check(corridor.path(), &["--strategies", "uniform"], &formulas, &expected);
    // Going into the trap makes every path unfair, and wins whatever is to be reached.
    let trap = folder_with("trap.ispl", TRAP);
    let expected = ["holds", "holds", "holds", "holds", "holds", "holds", "fails", "holds", "holds"];
    check(trap.path(), &[], &formulas, &expected);
    check(trap.path(), &["--strategies", "uniform"], &formulas, &expected);
}

#[test]
fn one_formula_does_not_spoil_the_others() {
    let folder = folder_with("trap.ispl", TRAP);
    for diagram in DIAGRAMS {
        let words =
            ["check", "trap.ispl", "<p> (F G good)", "EF good", "AG good", "--json", "--diagram", diagram];
        let run = symbolon_in(folder.path(), &words);
        let report = validated(&run);
        let shown = |number: usize, key: &str| report["properties"][number][key].clone();
        let verdicts: Vec<_> = (0..3).map(|number| shown(number, "verdict")).collect();
        assert_eq!(verdicts, ["unknown", "holds", "fails"], "{diagram}: {run:?}");
        assert_eq!(shown(0, "reason"), "unsupported", "{diagram}: {run:?}");
    }
}

#[test]
fn fairness_that_no_path_satisfies_is_a_warning() {
    let never = TRAP.replace("Fairness good;", "Fairness good and trap;");
    let folder = folder_with("trap.ispl", &never);
    let fair = folder_with("trap.ispl", TRAP);
    for diagram in DIAGRAMS {
        let words = format!("check trap.ispl --diagram {diagram}");
        let run = line_in(folder.path(), &words);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(
            run.err.contains("warning: no path satisfies the fairness constraints"),
            "{diagram}: {run:?}"
        );
        assert!(!line_in(fair.path(), &words).err.contains("fairness"), "{diagram}");
        let report = validated(&line_in(folder.path(), &format!("{words} --json")));
        let warning = report.pointer("/warnings/0/message").and_then(|message| message.as_str());
        assert!(warning.is_some_and(|message| message.contains("no path satisfies")), "{report}");

        let words = format!("mcmas trap.ispl --diagram {diagram}");
        let run = line_in(folder.path(), &words);
        let wanted = "Verifying properties...\n  Warning: The fairness constraint does not hold in any paths.\n  \
                      Formula number 1: ";
        assert!(run.out.contains(wanted), "{diagram}: {}", run.out);
        assert!(!line_in(fair.path(), &words).out.contains("Warning"), "{diagram}");
        let run = line_in(folder.path(), &format!("mcmas -q trap.ispl --diagram {diagram}"));
        let wanted = "The fairness constraint does not hold in any paths.\n";
        assert!(run.out.starts_with(wanted), "{diagram}: {}", run.out);
    }
}

/// A constraint speaks about steps, as a formula does in a file without fairness: `EX lost` holds
/// where a step leads to a dead state, although no infinite path goes there. MCMAS 1.3.0 with
/// `-nobddcache` gives the same answers.
#[test]
fn a_constraint_may_speak_of_a_step_into_a_dead_state() {
    let edge = "\
Agent P
  Vars: at : { walk, lost }; end Vars
  Actions = { go, fall };
  Protocol: at = walk : { go, fall }; end Protocol
  Evolution: at = lost if Action = fall; end Evolution
end Agent
Evaluation walk if P.at = walk; lost if P.at = lost; end Evaluation
InitStates P.at = walk; end InitStates
Groups p = { P }; end Groups
Fairness EX lost; end Fairness
Formulae AG walk; end Formulae
";
    let folder = folder_with("trap.ispl", edge);
    let formulas = ["lost", "EF lost", "AG walk", "<p> G walk", "EG walk"];
    check(folder.path(), &[], &formulas, &["fails", "fails", "holds", "holds", "holds"]);
}

/// The strategy that shows the verdict about a formula, as `explicit` has followed it.
fn shown(folder: &Path, model: &str, formula: &str, options: &[&str]) -> serde_json::Value {
    let words: Vec<&str> = ["check", model, formula, "--json"].iter().chain(options).copied().collect();
    let report = validated(&symbolon_in(folder, &words));
    let property = &report["properties"][0];
    assert_eq!(property["witness"]["shape"], "strategy", "{words:?}: {report}");
    assert_eq!(property["witness"]["strategy"]["fair"], true, "{words:?}: {report}");
    property["witness"]["strategy"].clone()
}

#[test]
fn strategies_under_fairness_are_shown() {
    let folder = folder_with("trap.ispl", TRAP);
    for diagram in &DIAGRAMS[1..] {
        for sight in ["perfect", "uniform"] {
            let options = ["--diagram", diagram, "--strategies", sight];
            // The group wins by leading to where no path is fair.
            for formula in ["<p> F trap", "<p> X trap", "<p> G start"] {
                let strategy = shown(folder.path(), "trap.ispl", formula, &options);
                assert_eq!(strategy["rows"][0]["actions"]["P"], "trap", "{formula}: {strategy}");
                assert_eq!(strategy["rows"].as_array().map(Vec::len), Some(1), "{formula}: {strategy}");
            }
        }
    }
    let run = symbolon_in(folder.path(), &["check", "trap.ispl", "<p> F good"]);
    assert!(run.out.contains("a strategy of P, from this initial state on"), "{}", run.out);
    assert!(run.out.contains("and wins on every fair path\n"), "{}", run.out);
}

/// A walker who has to go left and right again and again, and a guest who can do nothing about it.
const HALL: &str = "\
Agent Environment
  Vars: e : boolean; end Vars
  Actions = { n };
  Protocol: Other : { n }; end Protocol
  Evolution: end Evolution
end Agent
Agent Walker
  Vars: at : { hall, left, right }; end Vars
  Actions = { l, r };
  Protocol: Other : { l, r }; end Protocol
  Evolution:
    at = left if at = hall and Action = l; at = right if at = hall and Action = r; at = hall if at = left or at = right;
  end Evolution
end Agent
Agent Guest
  Vars: out : boolean; end Vars
  Actions = { wait, wave };
  Protocol: Other : { wait, wave }; end Protocol
  Evolution: out = true if Action = wave and Walker.Action = l and Walker.Action = r; end Evolution
end Agent
Evaluation left if Walker.at = left; right if Walker.at = right; out if Guest.out = true; end Evaluation
InitStates Environment.e = false and Walker.at = hall and Guest.out = false; end InitStates
Groups guest = { Guest }; end Groups
Fairness left; right; end Fairness
Formulae <guest> F out; end Formulae
";

#[test]
fn counter_strategies_under_fairness_remember_which_constraint_is_next() {
    let folder = folder_with("hall.ispl", HALL);
    let strategy = shown(folder.path(), "hall.ispl", "<guest> F out", &[]);
    assert_eq!(strategy["against"], serde_json::json!(["Guest"]), "{strategy}");
    // In the hall it depends on where the walker was last.
    let rows = strategy["rows"].as_array().expect("rows");
    let walks = |turn: u64| {
        let is_for = |row: &&serde_json::Value| {
            let at = row["when"]["Walker.at"].as_array();
            let is_in_hall = at.is_none_or(|at| at.contains(&"hall".into()));
            row["when"]["next fairness"] == serde_json::json!([turn]) && is_in_hall
        };
        let row = rows.iter().find(|row| is_for(row)).expect("a row");
        row["actions"]["Walker"].as_str().expect("an action").to_string()
    };
    assert_eq!([walks(1), walks(2)], ["l", "r"], "{strategy}");
    // The same beats uniform strategies.
    let uniform = shown(folder.path(), "hall.ispl", "<guest> F out", &["--strategies", "uniform"]);
    assert_eq!(uniform, strategy);
}
