//! Runs read off the labels: each is a run of the model, shows the verdict, and is as short as it
//! says.

use crate::{formula, graph};
use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Checked, Checker, Ending, FoundRun, Run, Trace, Tree, shown_by_tree};
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Model};
use symbolon_testkit::{Logic, random_formula, random_model, seeds};

/// A run as a tree that can be replayed.
fn tree(found: &FoundRun) -> Tree {
    let run = Run::Events(Trace { initial: found.states[0].clone(), events: found.events.clone() });
    Tree { run, ending: found.ending, strategy: None, branches: Vec::new() }
}

/// Whether a formula has the value that a run can show, and which it is.
fn shown(asked: &Formula<Atom>, checked: &Checked) -> Option<bool> {
    match (asked.operator(asked.root()), checked.holds()) {
        (Operator::Exists(_), true) => Some(true),
        (Operator::ForAll(_), false) => Some(false),
        _ => None,
    }
}

fn check_run(
    checker: &mut Checker<'_>,
    model: &Model,
    asked: &Formula<Atom>,
    paths: Paths,
) -> Option<FoundRun> {
    let checked = checker.check(asked, paths, &[]).expect("unlimited");
    let holds = shown(asked, &checked)?;
    let found = checker.run(asked, paths, &[], &checked, asked.root()).expect("unlimited")?;
    let labels = |id: FormulaId, state: &[u64]| {
        let number = checker.exploration().position(state)?;
        Some(checked.label(id)?[number])
    };
    let truth = shown_by_tree(model, asked, paths, &tree(&found), labels).expect("a run of the model");
    let context = format!("{paths}: {asked:?} {found:?}");
    assert_eq!((truth.holds, truth.fails), (holds, !holds), "{context}");
    Some(found)
}

#[test]
fn runs_of_random_models_show_their_verdicts() {
    let (mut loops, mut ends, mut ways) = (0, 0, 0);
    for seed in seeds(120) {
        let model = random_model(seed);
        let options = CheckOptions { state_limit: Some(2000), ..CheckOptions::default() };
        let Ok(mut checker) = Checker::new(&model, &options, &Budget::unlimited()) else { continue };
        for number in 0..8 {
            let logic = if number % 2 == 0 { Logic::Ctl } else { Logic::Ltl };
            let asked = random_formula(&model, logic, 6, 100 * seed + number);
            for paths in Paths::ALL {
                match check_run(&mut checker, &model, &asked, paths).map(|found| found.ending) {
                    Some(Ending::Loop(_)) => loops += 1,
                    Some(Ending::Dead) => ends += 1,
                    Some(Ending::Open) => ways += 1,
                    None => {}
                }
            }
        }
    }
    // One chosen seed need not show everything.
    let is_plenty = loops > 50 && ends > 20 && ways > 50;
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || is_plenty, "{loops} {ends} {ways}");
}

/// A fair run comes back only after every constraint was met.
#[test]
fn stays_meet_every_constraint() {
    // 0 and 1 form a small loop, which 2 and 3 make larger.
    let model = graph(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 0)]);
    let mut checker =
        Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).expect("unlimited");
    for (constraints, length) in [(&[][..], 2), (&["1"], 2), (&["3"], 4), (&["3", "1"], 6), (&["1", "3"], 4)]
    {
        let fairness: Vec<Formula<Atom>> = constraints.iter().map(|text| formula(text)).collect();
        let asked = formula("EGt");
        let checked = checker.check(&asked, Paths::Infinite, &fairness).expect("unlimited");
        let found = checker.run(&asked, Paths::Infinite, &fairness, &checked, asked.root());
        let found = found.expect("unlimited").expect("there is one");
        let Ending::Loop(start) = found.ending else { panic!("{found:?}") };
        assert!(found.events.len() - start <= length, "{constraints:?}: {found:?}");
        for constraint in constraints {
            let wanted: u64 = constraint.parse().expect("a state");
            assert!(
                found.states[start..].iter().any(|state| state[0] == wanted),
                "{constraints:?}: {found:?}"
            );
        }
    }
}

#[test]
fn ways_are_shortest_from_all_initial_states() {
    let mut model = graph(&[(0, 1), (1, 2), (2, 3), (5, 3), (4, 4)]);
    model.initial = vec![[0].into(), [5].into()];
    let mut checker =
        Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).expect("unlimited");
    for (text, steps, is_shortest) in
        [("EF3", 1, true), ("AG!3", 1, true), ("AG!2", 2, true), ("EWt3", 1, false)]
    {
        let asked = formula(text);
        let checked = checker.check(&asked, Paths::Maximal, &[]).expect("unlimited");
        let found = checker.run(&asked, Paths::Maximal, &[], &checked, asked.root()).expect("unlimited");
        let found = found.expect("there is one");
        assert_eq!((found.events.len(), found.is_shortest), (steps, is_shortest), "{text}: {found:?}");
    }
}

/// A run that violates `A (f U g)` must not come to `g`, even where `f` has ended by then.
#[test]
fn a_violated_until_does_not_come_to_its_goal() {
    let model = graph(&[(0, 1), (0, 2)]);
    let mut checker =
        Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).expect("unlimited");
    let asked = formula("AU01");
    let found = check_run(&mut checker, &model, &asked, Paths::Maximal).expect("there is one");
    assert_eq!(found.states.iter().map(|state| state[0]).collect::<Vec<_>>(), [0, 2]);
}
