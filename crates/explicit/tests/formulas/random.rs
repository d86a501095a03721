//! Random models and formulas: labelling and the tableau agree, and neither verdict is rare.

use std::fmt::Write;
use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Checker, Method};
use symbolon_logic::{Formula, Fragment, Operator, Paths};
use symbolon_model::{Atom, Model};
use symbolon_testkit::{Logic, random_atom, random_formula, random_model, seeds, shrink};

fn checker(model: &Model, method: Method) -> Checker<'_> {
    let options = CheckOptions { method, ..CheckOptions::default() };
    Checker::new(model, &options, &Budget::unlimited()).expect("unlimited")
}

/// Whether both methods say the same of every state.
fn agree(model: &Model, formula: &Formula<Atom>, paths: Paths, fairness: &[Formula<Atom>]) -> bool {
    let answer = |method| {
        let checked = checker(model, method).check(formula, paths, fairness).expect("unlimited");
        checked.answer().to_vec()
    };
    answer(Method::Labelling) == answer(Method::Tableau)
}

#[test]
fn labelling_and_the_tableau_agree_on_ctl() {
    for seed in seeds(700) {
        let model = random_model(seed);
        let formula = random_formula(&model, Logic::Ctl, 9, seed);
        let fairness: Vec<_> = (0..seed % 3).map(|number| random_atom(&model, seed * 3 + number)).collect();
        for paths in Paths::ALL {
            if !agree(&model, &formula, paths, &fairness) {
                let disagree =
                    |model: &Model, formula: &Formula<Atom>| !agree(model, formula, paths, &fairness);
                let (model, formula) = shrink(&model, &formula, Logic::Ctl, disagree);
                panic!("{paths}: {formula:?}\nfair {fairness:?}\nof {model:?}");
            }
        }
    }
}

/// What the answers to random formulas look like.
#[derive(Default)]
struct Shares {
    formulas: usize,
    hold: usize,
    /// Hold in some reachable states and not in others.
    tell_states_apart: usize,
    /// Mean something else under another path semantics.
    depend_on_paths: usize,
}

#[test]
fn neither_verdict_is_rare() {
    let mut report = String::new();
    for logic in Logic::ALL {
        let mut shares = Shares::default();
        for seed in 0..250 {
            let model = random_model(seed);
            let mut checker = checker(&model, Method::Labelling);
            let formula = random_formula(&model, logic, 9, seed);
            let [maximal, stutter, infinite] =
                Paths::ALL.map(|paths| checker.check(&formula, paths, &[]).expect("unlimited"));
            shares.formulas += 1;
            shares.hold += usize::from(maximal.holds());
            let holds_somewhere = maximal.answer().contains(&true);
            shares.tell_states_apart += usize::from(holds_somewhere && maximal.answer().contains(&false));
            let differs = maximal.answer() != stutter.answer() || maximal.answer() != infinite.answer();
            shares.depend_on_paths += usize::from(differs);
        }
        let percent = |count: usize| 100 * count / shares.formulas;
        let (hold, apart) = (percent(shares.hold), percent(shares.tell_states_apart));
        let paths = percent(shares.depend_on_paths);
        let _ = writeln!(
            report,
            "{logic:?}: {hold} % hold, {apart} % tell states apart, {paths} % depend on paths"
        );
        assert!((20..=80).contains(&hold), "{report}");
        assert!(apart >= 20, "{report}");
        assert!(paths >= 10, "{report}");
    }
    print!("{report}");
}

#[test]
fn a_quantifier_and_its_dual() {
    for seed in seeds(300) {
        let model = random_model(seed);
        let mut checker = checker(&model, Method::Labelling);
        let formula = random_formula(&model, Logic::Ltl, 8, seed);
        assert!(formula.fragment() <= Fragment::Ltl);
        let (Operator::Exists(path) | Operator::ForAll(path)) = *formula.operator(formula.root()) else {
            panic!("{formula:?} has a quantifier first")
        };
        let mut builder = symbolon_logic::Builder::default();
        builder.add_formula(&formula);
        let path = builder.add_formula(&formula.subformula(path));
        let not_path = builder.add(Operator::Not(path));
        let sides = [
            [Operator::ForAll(path), Operator::Exists(not_path)],
            [Operator::Exists(path), Operator::ForAll(not_path)],
        ];
        for [quantified, dual] in sides {
            let (quantified, dual) = (builder.add(quantified), builder.add(dual));
            let (quantified, dual) = (builder.finish(quantified), builder.finish(dual));
            for paths in Paths::ALL {
                let mut answer =
                    |formula| checker.check(formula, paths, &[]).expect("unlimited").answer().to_vec();
                let opposite: Vec<bool> = answer(&dual).iter().map(|holds| !holds).collect();
                assert_eq!(answer(&quantified), opposite, "{paths}: {quantified:?}");
            }
        }
    }
}
