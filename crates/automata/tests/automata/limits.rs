//! Formulas that are too large, too deep or too hard: an answer or `Interrupted`, and no deep
//! stack.

use std::time::Duration;

use symbolon_automata::{is_satisfiable, ltl_text, translate};
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_logic::{Builder, Formula, FormulaId, Operator};

/// `first`, wrapped `depth` times.
fn nested(depth: u32, wrap: impl Fn(&mut Builder<u32>, FormulaId, u32) -> FormulaId) -> Formula<u32> {
    let mut builder = Builder::default();
    let mut f = builder.atom(0);
    for level in 1..=depth {
        f = wrap(&mut builder, f, level);
    }
    builder.finish(f)
}

fn until(builder: &mut Builder<u32>, f: FormulaId, level: u32) -> FormulaId {
    let p = builder.atom(level);
    builder.add(Operator::Until(f, p))
}

fn finally_and(builder: &mut Builder<u32>, f: FormulaId, level: u32) -> FormulaId {
    let p = builder.atom(level);
    let both = builder.add(Operator::And(p, f));
    builder.add(Operator::Finally(both))
}

#[test]
fn depth_and_width_need_no_stack() {
    let next = nested(2_000, |b, f, _| b.add(Operator::Next(f)));
    assert_eq!(translate(&next, &Budget::unlimited()).map(|automaton| automaton.state_count()), Ok(2_002));
    let not = nested(10_000, |b, f, _| b.add(Operator::Not(f)));
    assert_eq!(translate(&not, &Budget::unlimited()).map(|automaton| automaton.state_count()), Ok(2));
    let flat = nested(10_000, |b, f, level| {
        let p = b.atom(level);
        b.add(Operator::And(f, p))
    });
    assert_eq!(translate(&flat, &Budget::unlimited()).map(|automaton| automaton.edges().len()), Ok(2));
    assert_eq!(is_satisfiable(&flat, &Budget::unlimited()), Ok(true));
    assert!(ltl_text(&next, &Budget::unlimited()).is_ok_and(|text| text.len() > 6_000));
}

#[test]
fn what_is_too_hard_is_interrupted() {
    let many = nested(60, |b, f, level| {
        let p = b.atom(level);
        let finally = b.add(Operator::Finally(p));
        let again = b.add(Operator::Globally(finally));
        b.add(Operator::And(f, again))
    });
    for formula in [many, nested(10_000, until), nested(10_000, finally_and)] {
        let budget = Budget::new(Limits { time: Some(Duration::from_millis(300)), memory: None });
        assert_eq!(translate(&formula, &budget).map(|_| ()), Err(Interrupted::Timeout));
        assert!(budget.elapsed() < Duration::from_secs(30), "{:?}", budget.elapsed());
    }
    let doubled = nested(100, |b, f, _| b.add(Operator::Until(f, f)));
    let budget = Budget::new(Limits { time: Some(Duration::from_millis(100)), memory: None });
    assert_eq!(ltl_text(&doubled, &budget), Err(Interrupted::Timeout));
    assert!(translate(&doubled, &Budget::unlimited()).is_ok(), "f U f is f");
}
