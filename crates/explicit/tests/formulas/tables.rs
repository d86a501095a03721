//! Tables made by hand, for all three path semantics: this is where they differ.

use super::{formula, graph};
use symbolon_budget::{Budget, Limits};
use symbolon_explicit::{CheckOptions, Checker, Method, Reason, check};
use symbolon_logic::{Builder, Knowledge, Operator, Paths};
use symbolon_model::Model;

/// Checks `text` by both methods. `expected` has, for maximal, stuttering and infinite paths, one
/// digit a state.
fn check_table(model: &Model, fairness: &[&str], text: &str, expected: [&str; 3]) {
    let constraints: Vec<_> = fairness.iter().map(|text| formula(text)).collect();
    for method in [Method::Labelling, Method::Tableau] {
        let options = CheckOptions { method, ..CheckOptions::default() };
        let mut checker = Checker::new(model, &options, &Budget::unlimited()).expect("nothing is limited");
        for (paths, expected) in Paths::ALL.into_iter().zip(expected) {
            let checked = checker.check(&formula(text), paths, &constraints).expect("nothing is limited");
            // States are numbered as the search finds them, the table by their value.
            let mut found = vec![' '; expected.len()];
            for (number, &holds) in checked.answer().iter().enumerate() {
                found[checker.exploration().state(number)[0] as usize] = if holds { '1' } else { '0' };
            }
            let found: String = found.into_iter().collect();
            assert_eq!(found, expected, "{text} fair {fairness:?} on {paths} paths by {method:?}");
            assert_eq!(checked.holds(), expected.starts_with('1'));
            assert_eq!(checked.holds_initially(), [expected.starts_with('1')]);
        }
    }
}

/// 0 and 1 go round for ever, or 1 goes to 2, which is dead.
fn round_or_dead() -> Model {
    graph(&[(0, 1), (1, 0), (1, 2)])
}

#[test]
fn ctl_where_paths_end() {
    let check = |text, expected| check_table(&round_or_dead(), &[], text, expected);
    check("d", ["001", "001", "001"]);
    check("E t", ["111", "111", "110"]);
    check("A f", ["000", "000", "001"]);
    check("E 2", ["001", "001", "000"]);
    check("E X 2", ["010", "011", "000"]);
    check("A X 2", ["001", "001", "001"]);
    check("A X 0", ["001", "000", "011"]);
    check("A X f", ["001", "000", "001"]);
    check("E F 2", ["111", "111", "000"]);
    check("A F 2", ["001", "001", "001"]);
    check("A F 0", ["100", "100", "111"]);
    check("E G 2", ["001", "001", "000"]);
    check("E G t", ["111", "111", "110"]);
    check("A G ! 2", ["000", "000", "111"]);
    check("E U 1 2", ["011", "011", "000"]);
    check("A U 1 2", ["001", "001", "001"]);
    check("A U | 0 1 2", ["001", "001", "001"]);
    check("E W 0 1", ["110", "110", "110"]);
    check("A W 1 0", ["100", "100", "111"]);
    check("A R 0 | 0 1", ["100", "100", "111"]);
    check("E R 0 | 0 1", ["110", "110", "110"]);
    check("A G E F 0", ["000", "000", "111"]);
    check("A G E F d", ["111", "111", "001"]);
}

#[test]
fn a_next_state_that_is_not_there() {
    let check = |text, expected| check_table(&round_or_dead(), &[], text, expected);
    // Where a path ends, neither `X f` nor its negation holds.
    check("E ! X t", ["000", "000", "000"]);
    check("A ! X t", ["001", "000", "001"]);
    check("A X t", ["111", "111", "111"]);
    check("E | X 0 ! X 0", ["110", "111", "110"]);
    check("A & X 0 ! X 0", ["001", "000", "001"]);
    check("E = X 0 X 0", ["110", "111", "110"]);
    check("E > X 0 X 0", ["110", "111", "110"]);
    check("E G X t", ["110", "111", "110"]);
    check("A F ! X t", ["001", "000", "001"]);
    check("A F X 2", ["001", "001", "001"]);
    check("E X X t", ["110", "111", "110"]);
    check("E X ! X t", ["000", "000", "000"]);
    check("A X X f", ["001", "000", "001"]);
    check("E U ! X 0 2", ["111", "111", "000"]);
    check("E F & 1 X 2", ["110", "110", "000"]);
}

#[test]
fn ltl_and_ctl_star() {
    let check = |text, expected| check_table(&round_or_dead(), &[], text, expected);
    check("A G F 0", ["000", "000", "111"]);
    check("E G F 0", ["110", "110", "110"]);
    check("E F G 2", ["111", "111", "000"]);
    check("A | F G 2 G F 0", ["111", "111", "111"]);
    check("A G E F E G 2", ["111", "111", "001"]);
    check("E & F 2 G E X t", ["000", "111", "000"]);
    check("E & G ! 2 G F E X 2", ["110", "110", "000"]);
    // Without a quantifier, all paths are meant.
    check("G F 0", ["000", "000", "111"]);
    check("F G 2", ["001", "001", "001"]);
    check("& F 2 t", ["001", "001", "001"]);
}

#[test]
fn fair_paths_alone_count() {
    let check = |fairness: &[&str], text, expected| check_table(&round_or_dead(), fairness, text, expected);
    // Fair paths end in 2.
    check(&["2"], "E t", ["111", "111", "000"]);
    check(&["2"], "A F 2", ["111", "111", "111"]);
    check(&["2"], "E G ! 2", ["000", "000", "000"]);
    check(&["2"], "E G F 0", ["000", "000", "000"]);
    // Fair paths go round.
    check(&["0"], "E t", ["110", "110", "110"]);
    check(&["0"], "E F 2", ["000", "000", "000"]);
    check(&["0"], "A G ! 2", ["111", "111", "111"]);
    check(&["0"], "A X 0", ["011", "011", "011"]);
    check(&["0", "1"], "A G F & 0 X 1", ["111", "111", "111"]);
    // No path is fair, and everything holds on all of them.
    check(&["0", "2"], "E t", ["000", "000", "000"]);
    check(&["0", "2"], "A f", ["111", "111", "111"]);
    check(&["0", "2"], "E X t", ["000", "000", "000"]);
    // Constraints are formulas, too, and are read on maximal paths: `E X 2` holds in 1 alone.
    check(&["E X 2"], "E t", ["110", "110", "110"]);
    check(&["E X 2"], "A G F 0", ["111", "111", "111"]);
}

#[test]
fn nothing_happens_at_all() {
    let check = |text, expected| check_table(&graph(&[(1, 1)]), &[], text, expected);
    check("A G 0", ["1", "1", "1"]);
    check("E G 0", ["1", "1", "0"]);
    check("A F 1", ["0", "0", "1"]);
    check("A X f", ["1", "0", "1"]);
    check("E X t", ["0", "1", "0"]);
    check("A G F 0", ["1", "1", "1"]);
    check("E U t 0", ["1", "1", "0"]);
}

#[test]
fn a_formula_holds_if_it_does_in_every_initial_state() {
    let mut model = round_or_dead();
    model.initial = vec![[1].into(), [0].into(), [2].into()];
    let verdict = |text| {
        let options = CheckOptions::default();
        let checked = check(&model, &formula(text), Paths::Maximal, &[], &options, &Budget::unlimited());
        let checked = checked.expect("nothing is limited");
        (checked.holds(), checked.holds_initially())
    };
    assert_eq!(verdict("E F 2"), (true, vec![true, true, true]));
    assert_eq!(verdict("! 2"), (false, vec![true, true, false]));
    assert_eq!(verdict("1"), (false, vec![true, false, false]));
}

#[test]
fn satisfying_states_are_counted_for_state_formulas() {
    let text = "& E F 2 A X G | 0 1";
    let asked = formula(text);
    let checked =
        check(&round_or_dead(), &asked, Paths::Maximal, &[], &CheckOptions::default(), &Budget::unlimited());
    let checked = checked.expect("nothing is limited");
    let count = |wanted: &str| {
        let wanted = formula(wanted);
        let (id, _) =
            asked.subformulas().find(|&(id, _)| asked.subformula(id) == wanted).expect("is part of it");
        checked.satisfying(id)
    };
    assert_eq!(count("E F 2"), Some(3));
    assert_eq!(count("| 0 1"), Some(2));
    assert_eq!(count("A X G | 0 1"), Some(1));
    assert_eq!(count("G | 0 1"), None);
    assert_eq!(checked.satisfying(asked.root()), Some(1));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let model = round_or_dead();
    let reason = |text: &str, options: CheckOptions, budget: &Budget| {
        check(&model, &formula(text), Paths::Maximal, &[], &options, budget)
            .err()
            .map(|stopped| stopped.reason)
    };
    let unlimited = Budget::unlimited();
    let limited = CheckOptions { state_limit: Some(2), ..CheckOptions::default() };
    assert_eq!(reason("t", limited, &unlimited), Some(Reason::StateLimit));
    assert_eq!(reason("t", CheckOptions { state_limit: Some(3), ..limited }, &unlimited), None);
    // Forty temporal operators, all different.
    let long: String = (0..40).map(|number| if number % 2 == 0 { "X " } else { "F " }).collect();
    let options = CheckOptions::default();
    assert_eq!(reason(&format!("E {long} 0"), options, &unlimited), Some(Reason::FormulaTooLarge));
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert!(matches!(reason("t", options, &cancelled), None | Some(Reason::Interrupted(_))));
    // Twenty are possible, but not in 100 kB.
    let small = Budget::new(Limits { memory: Some(100_000), ..Limits::default() });
    let many = format!("E {} 0", &long[..40]);
    assert!(matches!(reason(&many, options, &small), Some(Reason::Interrupted(_))));
    assert_eq!(small.memory().charged(), 0);

    let mut builder = Builder::default();
    let deadlock = builder.add(Operator::Deadlock);
    let knows = builder.add(Operator::Knows(Knowledge::Agent, "a".into(), deadlock));
    let checked = check(&model, &builder.finish(knows), Paths::Maximal, &[], &options, &unlimited);
    assert_eq!(checked.err().map(|stopped| stopped.reason), Some(Reason::UnknownAgent));
    let unfair = check(&model, &formula("t"), Paths::Maximal, &[formula("F 0")], &options, &unlimited);
    assert_eq!(unfair.err().map(|stopped| stopped.reason), Some(Reason::Unsupported));
}

#[test]
fn a_deep_formula_needs_no_stack() {
    let text = format!("{} 0", "A X E F ! ".repeat(3000));
    let options = CheckOptions::default();
    let checked =
        check(&round_or_dead(), &formula(&text), Paths::Maximal, &[], &options, &Budget::unlimited());
    assert!(checked.is_ok());
}
