//! Claims and shapes of runs that were judged wrongly once.

use super::*;
use crate::agents::System;
use crate::net::Net;
use crate::parse::formula;
use crate::{Graph, Model};
use serde_json::{Value, json};

/// A token that waits at `p` for as long as it likes, and then goes to `q` and stays there.
const WAITING: &str = r#"<pnml><net id="n"><page id="g">
    <place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/>
    <transition id="wait"/><transition id="go"/>
    <arc id="a" source="p" target="wait"/><arc id="b" source="wait" target="p"/>
    <arc id="c" source="p" target="go"/><arc id="d" source="go" target="q"/>
    </page></net></pnml>"#;

/// One agent that opens a door or leaves it shut.
const DOOR: &str = "Agent P Vars: open : boolean; end Vars Actions = { push, wait };
    Protocol: Other : { push, wait }; end Protocol
    Evolution: open = true if Action = push; end Evolution end Agent
    Evaluation open if P.open = true; end Evaluation
    InitStates P.open = false; end InitStates Groups p = { P }; end Groups
    Formulae open; end Formulae";

fn judged(
    model: &dyn Model,
    semantics: Semantics,
    text: &str,
    holds: bool,
    witness: &Value,
) -> Result<Judgement, String> {
    let graph = Graph::explore(model, 100);
    let checker = Checker::new(&graph, semantics, false).unwrap();
    judge(&checker, &formula(text).unwrap(), holds, &Run::replay(model, witness).unwrap())
}

/// A run of the waiting token, which is said to be shortest.
fn walk(events: &[&str]) -> Value {
    let changes = |event: &str| match event {
        "go" => json!({ "p": [1, 0], "q": [0, 1] }),
        _ => json!({}),
    };
    let step = |event: &&str| json!({ "event": event, "changes": changes(event) });
    let steps: Vec<Value> = events.iter().map(step).collect();
    json!({ "shape": "trace", "shortest": true, "initial": { "p": 1 }, "steps": steps })
}

#[test]
fn a_run_is_shortest_for_some_part_that_it_shows() {
    let net = Net::read(WAITING).unwrap();
    let judged = |text: &str, holds: bool, events: &[&str]| {
        judged(&net, Semantics::Maximal, text, holds, &walk(events)).map(|found| found.is_shortest_checked)
    };
    assert_eq!(judged("EF q", true, &["go"]), Ok(true));
    assert!(judged("EF q", true, &["wait", "go"]).is_err());
    // Both operands of the until are shown; the second decides, and needs a step.
    assert_eq!(judged("E[(EF p) & false U AX p]", false, &["go"]), Ok(true));
    assert!(judged("E[(EF p) & false U AX p]", false, &["wait", "go"]).is_err());
    assert_eq!(judged("A[AG false U EF AX false]", true, &["go"]), Ok(true));
    assert!(judged("A[AG false U EF AX false]", true, &["wait", "go"]).is_err());
}

#[test]
fn where_one_part_is_unclear_nothing_is_compared() {
    let net = Net::read(WAITING).unwrap();
    let text = "EX EX q & A[AG false U p]";
    let found = judged(&net, Semantics::Maximal, text, true, &walk(&["wait", "go"])).unwrap();
    assert!(!found.is_shortest_checked);
}

#[test]
fn a_strategy_shows_an_until_whose_first_operand_is_false() {
    let system = System::read(DOOR).unwrap();
    let judged = |action: &str| {
        let rows = json!([{ "when": {}, "actions": { "P": action }, "states": 1 }]);
        let strategy = json!({ "agents": ["P"], "rows": rows, "outcomes": 2 });
        let witness = json!({ "shape": "strategy", "shortest": true, "initial": { "P.open": false },
            "steps": [], "strategy": strategy });
        judged(&system, Semantics::Steps, "E[false U <p> X open]", true, &witness)
    };
    assert!(judged("push").is_ok());
    assert!(judged("wait").is_err());
}
