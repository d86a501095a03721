//! What systems mean: dead states, ranges, both ways of combining evolution lines, knowledge, duty,
//! strategies.

use symbolon_budget::Budget;
use symbolon_explicit::{
    CheckOptions, Checker, JointTrace, Options, ReplayError, find_overflows, replay_joint,
};
use symbolon_ispl::{Loaded, load};
use symbolon_logic::Paths;
use symbolon_model::Origin;

/// A system with one agent beside what is given.
fn system(semantics: &str, agent: &str, evaluation: &str, initial: &str, formulae: &[&str]) -> Loaded {
    let text = format!(
        "Semantics = {semantics};\nAgent a\n{agent}\nend Agent\nEvaluation\n{evaluation}\nend Evaluation\n\
         InitStates\n{initial};\nend InitStates\nGroups\n g = {{ a }};\nnobody_else = {{ Environment }};\nend Groups\n\
         Formulae\n{};\nend Formulae\n",
        formulae.join(";\n")
    );
    load(text.as_bytes(), "test", &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Compares the number of states, of dead ones, and which formulas hold.
#[track_caller]
fn check(loaded: &Loaded, states: usize, dead: usize, expected: &[bool]) {
    let budget = Budget::unlimited();
    let mut checker = Checker::new(&loaded.model, &CheckOptions::default(), &budget).expect("small");
    let found = checker.exploration();
    assert_eq!((found.state_count(), found.dead_states().len()), (states, dead));
    assert_eq!(found.edges(), None, "edges of synchronous models are not counted");
    for (asked, &expected) in loaded.formulae.iter().zip(expected) {
        let (formula, paths) = loaded.at_dead_states(asked);
        let holds = checker.check(&formula, paths, &loaded.fairness).expect("small").holds();
        assert_eq!(holds, expected, "{}", asked.text);
        if dead == 0 {
            let holds =
                checker.check(&asked.formula, Paths::Infinite, &loaded.fairness).expect("small").holds();
            assert_eq!(holds, expected, "{}", asked.text);
        }
    }
    assert_eq!(loaded.formulae.len(), expected.len());
}

/// From `one` the agent stays or goes to `two`, from there to `end`, where it has no action.
const WAY: &str = "Vars: at : { one, two, end_ }; end Vars Actions = { stay, go };
    Protocol: at = one : { stay, go }; at = two : { go }; end Protocol
    Evolution: at = two if at = one and Action = go; at = end_ if at = two; end Evolution";

#[test]
fn a_dead_state_is_reached_and_has_nothing_next() {
    let evaluation = "one if a.at = one; two if a.at = two; over if a.at = end_;";
    let cases: &[(&str, bool)] = &[
        ("EF over", true),
        ("AG !over", false),
        ("AG EF over", true),
        ("EG one", true),
        ("EG !over", true),
        ("AF over", false),
        ("AG (over -> AX over)", true),
        ("EF (over and EX over)", false),
        ("EF (over and EG over)", false),
        ("AG (over -> AF one)", true),
        ("AG (two -> EX over)", true),
        ("AG (two -> AF one)", true),
        ("AG (two -> A (two U over))", true),
        ("AG (two -> A (over U one))", false),
        ("E (!over U over)", true),
        ("LTL F over", false),
        ("LTL G one", true),
        ("CTL* E F over", false),
        ("<g> F over", true),
        ("<g> G !over", true),
        ("<g> (one U two)", true),
        ("<nobody_else> G one", false),
    ];
    let formulae: Vec<&str> = cases.iter().map(|(formula, _)| *formula).collect();
    let expected: Vec<bool> = cases.iter().map(|(_, holds)| *holds).collect();
    check(&system("MA", WAY, evaluation, "a.at = one", &formulae), 3, 1, &expected);
}

#[test]
fn a_value_outside_its_range_stops_the_step() {
    let agent = "Vars: x : -1 .. 1; end Vars Actions = { up };
        Protocol: Other : { up }; end Protocol Evolution: x = x + 1 if x <= 1; end Evolution";
    let loaded = system("MA", agent, "top if a.x = 1;", "a.x = -1", &["AF top", "EF (top and EX top)"]);
    check(&loaded, 3, 1, &[true, false]);
    // The other line is enabled as well, and can be taken.
    let agent = agent.replace("end Evolution", "x = -1 if x = 1; end Evolution");
    let loaded = system("MA", &agent, "top if a.x = 1;", "a.x = -1", &["AG AF top", "EF (top and EX !top)"]);
    check(&loaded, 3, 0, &[true, true]);
}

#[test]
fn overflows_are_found_with_a_run_that_leads_there() {
    let agent = "Vars: x : 0 .. 2; b : boolean; end Vars Actions = { up, stay };
        Protocol: Other : { up, stay }; end Protocol
        Evolution: b = true if b = true; x = x + 1 if Action = up and b = false; x = x - 1 if x < 0; end Evolution";
    let loaded = system("MA", agent, "top if a.x = 2;", "a.x = 0 and a.b = false", &["EF top"]);
    let found = find_overflows(&loaded.model, &Options::default(), &Budget::unlimited()).expect("small");
    let [overflow] = &found[..] else { panic!("{found:?}") };
    let source = loaded.lines[overflow.reaction][overflow.line];
    assert_eq!((source.agent.0, source.item), (1, 1));
    assert_eq!((&*overflow.action, overflow.trace.steps.len()), (&[0][..], 2));
    assert_eq!(**overflow.trace.last(), [2, 0]);
    assert_eq!(replay_joint(&loaded.model, &overflow.trace), Ok(()));

    let changed = |change: fn(&mut JointTrace)| {
        let mut trace = overflow.trace.clone();
        change(&mut trace);
        replay_joint(&loaded.model, &trace)
    };
    let refused = Err(ReplayError::NotEnabled { step: 1, event: overflow.trace.steps[1].event });
    assert_eq!(changed(|trace| trace.initial = [0, 1].into()), Err(ReplayError::NotInitial));
    assert_eq!(changed(|trace| trace.initial = [0, 2].into()), Err(ReplayError::NotInitial));
    assert_eq!(changed(|trace| trace.steps[1].action = [1].into()), refused);
    assert_eq!(changed(|trace| trace.steps[1].state = [1, 0].into()), refused);
}

#[test]
fn single_assignments_act_each_on_their_own() {
    let agent = |joined: &str| {
        format!(
            "Vars: x : boolean; y : boolean; end Vars Actions = {{ act }};
             Protocol: Other : {{ act }}; end Protocol
             Evolution: {joined} end Evolution"
        )
    };
    let lines = agent("x = true if x = false; y = true if y = false;");
    let evaluation = "both if a.x = true and a.y = true; one if a.x = true and a.y = false;";
    let initial = "a.x = false and a.y = false";
    let formulae = ["AX both", "EX one", "EF both"];
    check(&system("SA", &lines, evaluation, initial, &formulae), 2, 0, &[true, false, true]);
    check(&system("MA", &lines, evaluation, initial, &formulae), 4, 0, &[false, true, true]);
    let together = agent("x = true and y = x if x = y;");
    check(&system("MA", &together, evaluation, initial, &formulae), 2, 0, &[false, true, false]);
}

#[test]
fn values_are_copied_by_name() {
    let agent = "Vars: x : { red, green, blue }; y : { green, red, grey }; end Vars Actions = { act };
        Protocol: Other : { act }; end Protocol Evolution: y = x if y = grey; end Evolution";
    let evaluation = "same if a.x = a.y; blue if a.x = blue;";
    let loaded = system("MA", agent, evaluation, "a.y = grey", &["AX same", "AG (blue -> !EX blue)"]);
    // A blue one finds no such value: its step cannot be taken.
    check(&loaded, 5, 1, &[true, true]);
    let y = loaded.model.variable_named("a.y").expect("a variable");
    let Origin::Agent { agent, name } = loaded.model.origins.of(y) else { panic!("it belongs to an agent") };
    assert_eq!((&*loaded.model.components[agent.0 as usize].name, name), ("a", "y"));
}

#[test]
fn arithmetic_and_bits() {
    let agent = "Vars: n : 0 .. 20; b : boolean; c : boolean; end Vars Actions = { act };
        Protocol: Other : { act }; end Protocol
        Evolution: n = (n * 3 + 1) / 2 and b = ~b & (c | b) and c = b ^ c ^ true if n < 9; end Evolution";
    let evaluation =
        "odd if a.n - (a.n / 2) * 2 = 1; b if a.b = true; c if a.c & ~a.b = true; big if 9 <= a.n;";
    // n: 1, 2, 3, 5, 8, 12; (b, c): 00, 01, 10, 00, 01, 10.
    let formulae = ["AX !odd", "AX AX odd", "AX c", "AX AX b", "AX AX AX !(b or c)", "AF AG big"];
    let loaded = system("MA", agent, evaluation, "a.n = 1 and a.b = false and a.c = false", &formulae);
    check(&loaded, 6, 0, &[true; 6]);
}

#[test]
fn knowledge_duty_and_groups() {
    let text = "Agent Environment
        Obsvars: time : 0 .. 1; end Obsvars Vars: coin : boolean; end Vars
        Actions = {}; Protocol: end Protocol Evolution: time = 1 if time = 0; end Evolution end Agent
        Agent sees Lobsvars = { coin }; Vars: x : boolean; end Vars
        RedStates: Environment.coin = true; end RedStates
        Actions = { act }; Protocol: Other : { act }; end Protocol Evolution: x = Environment.coin if x = x; end Evolution
        end Agent
        Agent blind Vars: y : boolean; end Vars
        Actions = { act }; Protocol: Other : { act }; end Protocol Evolution: y = false if y = y; end Evolution end Agent
        Evaluation coin if Environment.coin = true; late if Environment.time = 1; end Evaluation
        InitStates Environment.time = 0 and sees.x = false and blind.y = false; end InitStates
        Groups both = { sees, blind }; end Groups
        Formulae
        AG (coin -> K(sees, coin)); EF K(blind, coin); AG (coin -> DK(both, coin)); EF GK(both, coin);
        AG (late -> GCK(both, late)); AG (late -> K(Environment, late)); O(sees, !coin); O(blind, !coin);
        AG (coin -> sees.RedStates); AG (!coin -> sees.GreenStates); AG blind.GreenStates;
        AG !K(blind, K(sees, coin)); AG K(blind, K(sees, coin) or K(sees, !coin));
        end Formulae";
    let loaded =
        load(text.as_bytes(), "test", &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    let expected = [true, false, true, false, true, true, true, false, true, true, true, true, true];
    check(&loaded, 4, 0, &expected);
}
