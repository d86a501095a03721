//! Random formulas keep their promises, and shrinking ends at something small.

use symbolon_logic::{Operator, Sorts};
use symbolon_testkit::{Logic, random_formula, random_model, seeds, shrink, smaller_formulas};

#[test]
fn formulas_are_of_their_logic_small_and_repeatable() {
    for seed in seeds(300) {
        let model = random_model(seed);
        for logic in Logic::ALL {
            for size in [3, 6, 12] {
                let formula = random_formula(&model, logic, size, seed);
                assert_eq!(formula, random_formula(&model, logic, size, seed));
                assert!(logic.contains(&formula), "{logic:?} {formula:?}");
                assert!(!Sorts::of(&formula).is_path(formula.root()), "{formula:?}");
                assert!(formula.size() <= size, "{size} {formula:?}");
            }
        }
    }
}

#[test]
fn every_operator_is_met() {
    let mut met = std::collections::BTreeMap::new();
    for seed in 0..300 {
        let model = random_model(seed);
        for logic in Logic::ALL {
            for (_, operator) in random_formula(&model, logic, 10, seed).subformulas() {
                let text = format!("{operator:?}");
                let name = text.split('(').next().unwrap_or_default().to_string();
                *met.entry(name).or_insert(0) += 1;
            }
        }
    }
    // All but knowledge and strategies.
    assert_eq!(met.len(), 17, "{met:?}");
    assert!(met.values().all(|&times| times >= 30), "{met:?}");
}

#[test]
fn smaller_formulas_are_of_the_same_logic_and_become_nothing() {
    for seed in seeds(100) {
        let model = random_model(seed);
        for logic in Logic::ALL {
            let formula = random_formula(&model, logic, 10, seed);
            for smaller in smaller_formulas(&formula, logic) {
                assert!(logic.contains(&smaller), "{smaller:?}");
                assert!(!Sorts::of(&smaller).is_path(smaller.root()), "{formula:?} to {smaller:?}");
            }
            // What fails always fails for a constant, in a model in which nothing happens.
            let (model, formula) = shrink(&model, &formula, logic, |_, _| true);
            assert_eq!(formula.size(), 1);
            assert_eq!(model.initial.len(), 1);
            assert!(model.events.iter().all(|event| !event.is_enabled(&model.initial[0])));
        }
    }
}

#[test]
fn shrinking_keeps_what_matters() {
    for seed in seeds(50) {
        let model = random_model(seed);
        let formula = random_formula(&model, Logic::Ctl, 14, seed);
        let has_until = |formula: &symbolon_logic::Formula<_>| {
            formula.subformulas().any(|(_, operator)| matches!(operator, Operator::Until(..)))
        };
        if has_until(&formula) {
            let (_, small) = shrink(&model, &formula, Logic::Ctl, |_, formula| has_until(formula));
            // A quantifier, the operator, and one constant in both places.
            assert_eq!(small.size(), 3, "{small:?}");
        }
    }
}
