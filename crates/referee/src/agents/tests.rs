//! Systems whose answers were computed by hand.

use super::*;
use crate::judge::judge;
use crate::parse::formula;
use crate::witness::Run;
use crate::{Checker, Graph, Semantics};
use serde_json::{Value, json};

/// A safe with a code that the thief does not see; the same as in the book.
const SAFE: &str = "Agent Environment
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
    Vars: tried : boolean; end Vars
    RedStates: tried = true; end RedStates
    Actions = { turn_left, turn_right };
    Protocol: Other : { turn_left, turn_right }; end Protocol
    Evolution: tried = true if tried = false; end Evolution
  end Agent
  Evaluation open if Environment.open = true; left if Environment.code = left; end Evaluation
  InitStates Environment.open = false and Thief.tried = false; end InitStates
  Groups thief = { Thief }; all = { Thief, Environment }; end Groups
  Formulae AF open; end Formulae";

fn check(text: &str, is_uniform: bool, cases: &[(&str, bool)]) {
    let system = System::read(text).unwrap();
    let graph = Graph::explore(&system, 100);
    let semantics = if system.fairness.is_empty() { Semantics::Steps } else { Semantics::Infinite };
    let checker = Checker::new(&graph, semantics, is_uniform).unwrap();
    for (text, expected) in cases {
        assert_eq!(checker.holds(&formula(text).unwrap()), Ok(*expected), "{text}");
    }
}

#[test]
fn states_and_steps() {
    let system = System::read(SAFE).unwrap();
    let graph = Graph::explore(&system, 100);
    // Both codes: closed and not tried, closed and tried, open and tried.
    assert_eq!((graph.initial.len(), graph.states.len()), (2, 6));
    assert_eq!(graph.steps[0].len(), 2);
}

#[test]
fn knowledge() {
    let cases = [
        ("AG (left -> K(Thief, left))", false),
        ("AG (open -> K(Thief, open))", true),
        ("AG (left -> K(Environment, left))", true),
        ("AG (left -> DK(all, left))", true),
        ("AG (left -> GK(all, left))", false),
        ("AG (open -> GCK(all, open))", true),
        ("AG (left -> GCK(all, left))", false),
        ("O(Thief, !open)", true),
        ("O(Thief, left)", false),
        ("AG (Thief.GreenStates -> !open)", true),
    ];
    check(SAFE, false, &cases);
}

#[test]
fn strategies() {
    let cases = [
        ("<thief> X open", true),
        ("<thief> F open", true),
        ("<thief> G !open", true),
        ("<all> (!open U open)", true),
        ("AF open", false),
    ];
    check(SAFE, false, &cases);
    check(SAFE, true, &[("<thief> X open", false), ("<thief> F open", true), ("<thief> G !open", false)]);
}

#[test]
fn fair_paths_alone_count() {
    let fair = SAFE.replace("Formulae", "Fairness open; end Fairness Formulae");
    check(&fair, false, &[("AF open", true), ("AG EF open", true), ("EG !open", false), ("EX open", true)]);
}

/// An agent may go to a good place, or into a trap from which no path is fair: an example of
/// the book.
#[test]
fn strategies_under_fairness() {
    let text = "Agent P Vars: at : { start, good, trap }; end Vars Actions = { right, left };
        Protocol: Other : { right, left }; end Protocol
        Evolution: at = good if at = start and Action = right; at = trap if at = start and Action = left; end Evolution
        end Agent Evaluation start if P.at = start; good if P.at = good; trap if P.at = trap; end Evaluation
        InitStates P.at = start; end InitStates Groups p = { P }; end Groups Fairness good; end Fairness
        Formulae good; end Formulae";
    let cases = [
        ("<p> G good", false),
        ("<p> G start", true),
        ("<p> F good", true),
        ("<p> F trap", true),
        ("<p> G trap", false),
        ("<p> X good", true),
    ];
    check(text, false, &cases);
}

#[test]
fn a_value_out_of_range_loses_the_step() {
    let text = "Agent P Vars: x : 0 .. 1; end Vars Actions = { up, stay }; Protocol: x = 0 : { up, stay }; Other : { up };
        end Protocol Evolution: x = x + 1 if Action = up; end Evolution end Agent
        Evaluation one if P.x = 1; end Evaluation InitStates P.x = 0; end InitStates Formulae one; end Formulae";
    let cases = [("EF (one & deadlock)", true), ("EG !one", true), ("AG (one -> !EX true)", true)];
    check(text, false, &cases);
}

/// Each strategy of a tree must win one of the strategy formulas that hold where it begins.
#[test]
fn strategies_for_two_parts_are_judged_apart() {
    let system = System::read(SAFE).unwrap();
    let graph = Graph::explore(&system, 100);
    let checker = Checker::new(&graph, Semantics::Steps, false).unwrap();
    let formula = formula("<thief> X open & <thief> (true U left)").unwrap();
    let initial = json!({ "Environment.code": "left", "Environment.open": false, "Thief.tried": false });
    let judged = |action: &str| {
        let branch = |rows: Value, outcomes: usize| {
            let strategy = json!({ "agents": ["Thief"], "rows": rows, "outcomes": outcomes });
            let witness = json!({ "shape": "strategy", "shortest": true, "initial": initial, "steps": [], "strategy": strategy });
            json!({ "position": 0, "witness": witness })
        };
        let turn = json!([{ "when": {}, "actions": { "Thief": action }, "states": 1 }]);
        let branches = [branch(turn, 2), branch(json!([]), 1)];
        let witness = json!({ "shape": "tree", "shortest": true, "initial": initial, "steps": [], "branches": branches });
        judge(&checker, &formula, true, &Run::replay(&system, &witness).unwrap())
    };
    // The formula holds where the run begins, not in the other initial state.
    assert_eq!(judged("turn_left").map(|_| ()), Ok(()));
    let complaint = judged("turn_right").unwrap_err();
    assert!(complaint.contains("does not lead where it should"), "{complaint}");
}
