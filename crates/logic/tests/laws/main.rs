//! Rewritings keep the meaning: formulas before and after are evaluated on random structures with
//! few states.

mod kripke;
mod random;

use kripke::{Atom, Kripke};
use random::{random_ctl, random_formula};
use symbolon_logic::{Formula, Fragment, Operator, Paths, negation_normal_form, reduce_to_stutter, simplify};
use symbolon_testkit::{RandomNumbers, seeds};

/// Checks that `before` under `paths` and `after` under `paths_after` hold in the same states of
/// random structures.
fn check(
    numbers: &mut RandomNumbers,
    (before, paths): (&Formula<Atom>, Paths),
    (after, paths_after): (&Formula<Atom>, Paths),
) {
    for _ in 0..4 {
        let structure = Kripke::random(numbers);
        assert_eq!(
            structure.satisfying(before, paths),
            structure.satisfying(after, paths_after),
            "{before:?}\nunder {paths}, and\n{after:?}\nunder {paths_after}, in {structure:?}"
        );
    }
}

/// A random formula: CTL* and CTL by turns.
fn formula(seed: u64, numbers: &mut RandomNumbers) -> Formula<Atom> {
    if seed.is_multiple_of(3) { random_ctl(numbers) } else { random_formula(numbers) }
}

#[test]
fn negation_normal_form_keeps_the_meaning() {
    for seed in seeds(400) {
        let numbers = &mut RandomNumbers::new(seed);
        let before = formula(seed, numbers);
        let after = negation_normal_form(&before);
        for (_, operator) in after.subformulas() {
            match *operator {
                Operator::Not(f) => {
                    assert!(matches!(after.operator(f), Operator::Atom(_) | Operator::Deadlock), "{after:?}");
                }
                Operator::Implies(..) | Operator::Equivalent(..) => panic!("{after:?}"),
                _ => {}
            }
        }
        assert_eq!(negation_normal_form(&after), after);
        for paths in Paths::ALL {
            check(numbers, (&before, paths), (&after, paths));
        }
    }
}

#[test]
fn every_path_semantics_is_told_by_stutter() {
    let mut ctl_count = 0;
    for seed in seeds(400) {
        let numbers = &mut RandomNumbers::new(seed);
        let before = formula(seed, numbers);
        for paths in Paths::ALL {
            let after = reduce_to_stutter(&before, paths);
            if before.fragment() <= Fragment::Ctl {
                assert!(after.fragment() <= Fragment::Ctl, "{before:?}\n{after:?}");
                ctl_count += 1;
            }
            let has_for_all =
                after.subformulas().any(|(_, operator)| matches!(operator, Operator::ForAll(_)));
            assert!(paths == Paths::Stutter || !has_for_all, "{after:?}");
            check(numbers, (&before, paths), (&after, Paths::Stutter));
        }
    }
    assert!(ctl_count > 100 || std::env::var("SYMBOLON_SEED").is_ok());
}

#[test]
fn simplification_keeps_the_meaning() {
    let mut smaller_count = 0;
    for seed in seeds(1500) {
        let numbers = &mut RandomNumbers::new(seed);
        let before = formula(seed, numbers);
        for paths in Paths::ALL {
            let after = simplify(&before, paths);
            smaller_count += usize::from(after.size() < before.size());
            check(numbers, (&before, paths), (&after, paths));
        }
    }
    assert!(smaller_count > 1000 || std::env::var("SYMBOLON_SEED").is_ok(), "{smaller_count}");
}
