//! Local search says what labelling all states says.

use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Reason, check};
use symbolon_local::{LocalSearch, Stopped};
use symbolon_logic::{Builder, Formula, Operator, Paths};
use symbolon_model::{Atom, Model};
use symbolon_testkit::{
    Logic, random_atom, random_formula, random_general_model, random_model, random_net, seeds,
};

const MOST_STATES: usize = 3_000;

/// What the oracle says; `None` where the model is too large for it, or an event overflows.
fn expected(model: &Model, formula: &Formula<Atom>, paths: Paths) -> Option<Result<bool, Stopped>> {
    let options = CheckOptions { state_limit: Some(MOST_STATES), ..CheckOptions::default() };
    match check(model, formula, paths, &[], &options, &Budget::unlimited()) {
        Ok(checked) => Some(Ok(checked.holds())),
        Err(stopped) if stopped.reason == Reason::AtomWithoutValue => Some(Err(Stopped::AtomWithoutValue)),
        Err(_) => None,
    }
}

#[derive(Default)]
struct Seen {
    compared: u32,
    holds: u32,
    without_value: u32,
}

fn agree(model: &Model, size: usize, seed: u64, seen: &mut Seen) {
    let mut search = LocalSearch::new(model, &Budget::unlimited()).expect("one initial state");
    for round in 0..4 {
        let formula = random_formula(model, Logic::Ctl, size, seed * 4 + round);
        for paths in [Paths::Maximal, Paths::Stutter] {
            let Some(expected) = expected(model, &formula, paths) else { continue };
            let found = search.check_in_order(&formula, paths, u64::MAX, round as u32);
            // An atom without a value matters only where it is asked for.
            if expected != found && expected == Err(Stopped::AtomWithoutValue) {
                seen.without_value += 1;
                continue;
            }
            assert_eq!(found, expected, "seed {seed}, {paths:?}: {formula:?}");
            seen.compared += 1;
            seen.holds += u32::from(found == Ok(true));
        }
    }
}

#[test]
fn values_are_those_of_all_states() {
    let mut seen = Seen::default();
    for seed in seeds(400) {
        for model in [random_model(seed), random_general_model(seed)] {
            if model.initial.len() == 1 {
                agree(&model, 2 + (seed % 14) as usize, seed, &mut seen);
            }
        }
    }
    println!("{} compared, {} hold, {} without a value", seen.compared, seen.holds, seen.without_value);
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(seen.compared > 1000 && seen.holds * 5 > seen.compared, "{} {}", seen.compared, seen.holds);
        assert!(seen.holds * 5 < seen.compared * 4, "{} {}", seen.compared, seen.holds);
    }
}

/// What one search finds out about a state is asked again by the search around it: states that are left
/// while the way to success is still open must not count as failing.
#[test]
fn what_was_found_out_is_asked_again() {
    let mut compared = [0, 0];
    for seed in seeds(400) {
        let model = random_model(seed);
        if model.initial.len() != 1 {
            continue;
        }
        let mut search = LocalSearch::new(&model, &Budget::unlimited()).expect("one initial state");
        for round in 0..3 {
            let atom = |number| random_atom(&model, seed * 16 + round * 4 + number).atoms().next().cloned();
            let (Some(p), Some(q), Some(r)) = (atom(0), atom(1), atom(2)) else { continue };
            for is_until in [false, true] {
                let mut builder = Builder::default();
                let (p, q) = (builder.atom(p.clone()), builder.atom(q.clone()));
                let path = match is_until {
                    true => builder.add(Operator::Until(q, p)),
                    false => builder.add(Operator::Finally(p)),
                };
                let inner = builder.add(Operator::Exists(path));
                let r = builder.atom(r.clone());
                let either = builder.add(Operator::Or(r, inner));
                let always = builder.add(Operator::Globally(if is_until { either } else { inner }));
                let root = builder.add(Operator::ForAll(always));
                let formula = builder.finish(root);
                let Some(expected) = expected(&model, &formula, Paths::Maximal) else { continue };
                for order in 0..3 {
                    let found = search.check_in_order(&formula, Paths::Maximal, u64::MAX, order);
                    assert_eq!(found, expected, "seed {seed}, order {order}: {formula:?}");
                }
                compared[usize::from(expected == Ok(true))] += 1;
            }
        }
    }
    println!("{compared:?}");
    assert!(compared.iter().all(|count| *count > 50) || std::env::var_os("SYMBOLON_SEED").is_some());
}

/// A search that is cut off after any number of steps leaves nothing wrong behind.
#[test]
fn what_is_cut_off_is_forgotten() {
    let mut cut_off = 0;
    for seed in seeds(40) {
        let model = random_model(seed);
        if model.initial.len() != 1 {
            continue;
        }
        let formula = random_formula(&model, Logic::Ctl, 8, seed);
        let Some(expected) = expected(&model, &formula, Paths::Maximal) else { continue };
        let mut search = LocalSearch::new(&model, &Budget::unlimited()).expect("one initial state");
        for steps in 0..40 {
            match search.check(&formula, Paths::Maximal, steps) {
                Err(Stopped::Steps) => cut_off += 1,
                found => assert_eq!(found, expected, "seed {seed}, {steps} steps"),
            }
        }
        assert_eq!(search.check(&formula, Paths::Maximal, u64::MAX), expected, "seed {seed}");
    }
    assert!(cut_off > 20 || std::env::var_os("SYMBOLON_SEED").is_some(), "{cut_off}");
}

#[test]
fn what_is_not_searched_is_refused() {
    let model = symbolon_petri::lower(&random_net(1));
    let mut search = LocalSearch::new(&model, &Budget::unlimited()).expect("one initial state");
    let ltl = random_formula(&model, Logic::Ltl, 9, 5);
    assert_eq!(search.check(&ltl, Paths::Stutter, u64::MAX), Err(Stopped::Unsupported));
    let ctl = random_formula(&model, Logic::Ctl, 5, 5);
    assert_eq!(search.check(&ctl, Paths::Infinite, u64::MAX), Err(Stopped::Unsupported));
}
