//! Programs of guarded commands: what walks, structure and growth say of them, against a table of states.

use crate::ask::{bounds, check, load};
use symbolon_budget::Budget;
use symbolon_checker::{
    Amount, CheckOptions, Format, Loaded, Options, Source, Verdict, every_place, properties_of_texts,
};
use symbolon_explicit as explicit;
use symbolon_model::Model;
use symbolon_testkit::{random_general_model, random_growing_model, random_model, seeds};

/// A model as the text of a program, and read again; `None` where that is refused, as a division by a
/// constant zero is.
fn as_program(model: &Model) -> Option<Loaded> {
    let text = symbolon_gcl::of_model(model).expect("events one after the other").to_string();
    let source = Source::Bytes {
        name: "model.gcl".to_string(),
        bytes: text.into_bytes(),
        format: Some(Format::Gcl),
        parameters: Vec::new(),
    };
    load(source, &Budget::unlimited()).ok()
}

/// The largest value of each variable, if there are few states.
fn largest(loaded: &Loaded) -> Option<Vec<u64>> {
    let options = explicit::Options { state_limit: Some(3_000) };
    let exploration = explicit::explore(loaded.model(), &options, &Budget::unlimited()).ok()?;
    let mut largest = vec![0; loaded.variable_count()];
    for state in exploration.states() {
        largest.iter_mut().zip(state.iter()).for_each(|(largest, value)| *largest = (*largest).max(*value));
    }
    Some(largest)
}

#[test]
fn programs_have_the_bounds_of_their_states() {
    let (mut finite, mut infinite) = (0, 0);
    for seed in seeds(240) {
        let model = match seed % 3 {
            0 => random_general_model(seed),
            1 => random_model(seed),
            _ => random_growing_model(seed),
        };
        let Some(loaded) = as_program(&model) else { continue };
        let Some(largest) = largest(&loaded) else {
            infinite += usize::from(loaded.unbounded_place().is_some());
            continue;
        };
        finite += 1;
        assert_eq!(loaded.unbounded_place(), None, "seed {seed}: its states are finitely many");
        let targets = every_place(&loaded);
        let options = Options { seed, ..Options::default() };
        let report = bounds(&loaded, targets.clone(), &options, &Budget::unlimited(), &mut |_, _| {});
        let report = report.expect("no wrong input");
        for (target, found) in targets.iter().zip(&report.bounds) {
            let wanted = largest[target.terms[0].0.index()];
            assert_eq!(found.bound, Some(Amount::Finite(wanted.into())), "seed {seed}, {}", target.name);
        }
    }
    assert!(finite > 100 && infinite > 10, "{finite} finite, {infinite} infinite");
}

#[test]
fn walks_and_structure_do_not_change_verdicts_about_programs() {
    let mut known = [0, 0];
    for seed in seeds(150) {
        let model = if seed % 2 == 0 { random_general_model(seed) } else { random_model(seed) };
        let Some(loaded) = as_program(&model) else { continue };
        let Some(largest) = largest(&loaded) else { continue };
        let targets = every_place(&loaded);
        let names: Vec<String> = targets.iter().map(|target| format!("\"{}\"", target.name)).collect();
        let mut texts = vec!["EF deadlock".to_string()];
        for (name, target) in names.iter().zip(&targets) {
            let most = largest[target.terms[0].0.index()];
            texts.extend([format!("EF {name} >= {most}"), format!("AG {name} <= {most}")]);
            texts.extend([format!("EF {name} > {most}"), format!("AG EF {name} = {most}")]);
        }
        if let [first, second, ..] = names.as_slice() {
            texts.extend([format!("EF {first} = {second}"), format!("AG {first} + {second} != 1")]);
        }
        let properties = properties_of_texts(&loaded, &texts, None).expect("formulas").properties;
        let verdicts = |options: &Options| -> Vec<Verdict> {
            let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
            let budget = Budget::unlimited();
            let reports = check(&loaded, &properties, wanted, options, &budget, &mut |_, _| {});
            reports.expect("no wrong input").into_iter().map(|report| report.verdict).collect()
        };
        let usual = verdicts(&Options { seed, ..Options::default() });
        let plain = verdicts(&Options { no_shortcuts: true, ..Options::default() });
        assert_eq!(usual, plain, "seed {seed}: {texts:?}");
        for verdict in usual {
            known[usize::from(verdict == Verdict::Holds)] += 1;
        }
    }
    assert!(known.iter().all(|&count| count > 100), "{known:?}");
}
