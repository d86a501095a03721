//! When a run may be said to be shortest.

use symbolon_budget::Budget;
use symbolon_engine::{ExploreOptions, Explored, TemporalChecker, explore};
use symbolon_logic::{Builder, Operator, Paths};
use symbolon_model::{Atom, Comparison, Expr, Predicate, VariableId};
use symbolon_testkit::net_in_short;

/// Two steps lead to `c`, and one to `b`: a run for either of two reasons is not said to be
/// shortest.
#[test]
fn a_run_for_one_of_two_reasons_is_not_said_to_be_shortest() {
    let model = symbolon_petri::lower(&net_in_short(&[1, 0, 0], &["0 > 1", "1 > 2"]));
    let mut builder = Builder::default();
    let marked = |builder: &mut Builder<Atom>, place: u32| {
        let tokens = Expr::Variable(VariableId(place));
        let predicate = Predicate::Compare(tokens, Comparison::Greater, Expr::Constant(0));
        builder.add(Operator::Atom(Atom::Holds(predicate)))
    };
    let (b, c) = (marked(&mut builder, 1), marked(&mut builder, 2));
    let (next, finally) = (builder.add(Operator::Next(b)), builder.add(Operator::Finally(c)));
    for (first, second, steps, is_shortest) in [(finally, next, 2, false), (finally, finally, 2, true)] {
        let either = if first == second { first } else { builder.add(Operator::Or(first, second)) };
        let root = builder.add(Operator::Exists(either));
        let formula = builder.finish(root);
        let explored = explore(&model, &ExploreOptions::default(), &Budget::unlimited());
        let Explored { mut sets, reached, .. } = explored.expect("small");
        let mut checker = TemporalChecker::new(&mut sets, &model, &reached).expect("nothing stops it");
        let explained = checker.explain(&formula, Paths::Maximal, u64::MAX).expect("nothing stops it");
        let witness = explained.witness.expect("a run");
        assert_eq!((witness.events.len(), witness.is_shortest), (steps, is_shortest), "{formula:?}");
    }
}
