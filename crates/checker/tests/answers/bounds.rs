//! Least upper bounds of places and sums, against all markings, with shortcuts and without.

use crate::ask::{bounds, examine};
use crate::nets::{HAND_MADE, UNBOUNDED, family, loaded, net};
use std::time::Duration;
use symbolon_budget::{Budget, Limits};
use symbolon_checker::{
    Amount, Answer, BoundMethod, BoundReport, BoundTarget, BoundsReport, Diagram, DiagramKind, Error,
    Examination, ExaminationLine, FormulaFile, Loaded, Options, PlaceId, Proof, Reason, Technique,
    every_place,
};
use symbolon_explicit::explore;
use symbolon_testkit::{RandomNumbers, random_net, seeds};

fn ask(loaded: &Loaded, targets: Vec<BoundTarget>, options: &Options, budget: &Budget) -> BoundsReport {
    let mut shown = Vec::new();
    let report = bounds(loaded, targets, options, budget, &mut |number, found| {
        shown.push((number, found.clone()));
    })
    .expect("right input");
    // The events are what is in the report, each once.
    shown.sort_by_key(|(number, _)| *number);
    let known = report.bounds.iter().enumerate().filter(|(_, found)| found.bound.is_some());
    let known: Vec<(usize, BoundReport)> = known.map(|(number, found)| (number, found.clone())).collect();
    assert_eq!(shown, known, "{}", loaded.name());
    assert_eq!(report.unknown.is_none(), known.len() == report.bounds.len(), "{}", loaded.name());
    report
}

/// The ways to find a bound.
fn ways() -> [Options; 4] {
    let mdd = Options { diagram: Diagram::Kind(DiagramKind::Mdd), ..Options::default() };
    let explicit = Options { diagram: Diagram::Explicit, ..Options::default() };
    [
        Options { no_shortcuts: true, ..mdd.clone() },
        Options { no_shortcuts: true, ..explicit.clone() },
        mdd,
        explicit,
    ]
}

fn sum(loaded: &Loaded, terms: &[(&str, u64)]) -> BoundTarget {
    let place = |id: &str| {
        let position = loaded.net().places.iter().position(|place| place.id == id);
        PlaceId(position.expect("a place") as u32)
    };
    BoundTarget {
        name: format!("{terms:?}"),
        terms: terms.iter().map(|&(id, weight)| (place(id), weight)).collect(),
    }
}

/// Every place, all places together, and sums with random weights (some of them 0, some places
/// named twice).
fn targets(loaded: &Loaded, seed: u64) -> Vec<BoundTarget> {
    let mut numbers = RandomNumbers::new(seed);
    let mut targets = every_place(loaded);
    let places: Vec<PlaceId> = loaded.net().place_ids().collect();
    let all = places.iter().map(|&place| (place, 1)).collect();
    targets.push(BoundTarget { name: "all".into(), terms: all });
    for number in 0..6 {
        let weight = |numbers: &mut RandomNumbers| if numbers.percent(50) { 1 } else { numbers.below(4) };
        let mut terms: Vec<(PlaceId, u64)> = Vec::new();
        for _ in 0..numbers.between(1, 4) {
            if !places.is_empty() {
                terms.push((*numbers.one_of(&places), weight(&mut numbers)));
            }
        }
        targets.push(BoundTarget { name: format!("sum {number}"), terms });
    }
    targets
}

/// Checks every way against all markings.
fn check(loaded: &Loaded, seed: u64, methods: &mut Vec<BoundMethod>) {
    let states = explore(loaded.model(), &Default::default(), &Budget::unlimited()).expect("a small net");
    let targets = targets(loaded, seed);
    for options in ways() {
        let report = ask(loaded, targets.clone(), &options, &Budget::unlimited());
        for (target, found) in targets.iter().zip(&report.bounds) {
            let value = |state: &[u64]| {
                target.terms.iter().map(|&(place, weight)| u128::from(weight * state[place.index()])).sum()
            };
            let most: u128 = states.states().map(|state| value(&state)).max().unwrap_or(0);
            let context = format!("{} of {}: {found:?}", target.name, loaded.name());
            assert_eq!(found.bound, Some(Amount::Finite(most.into())), "{context}");
            assert_eq!((found.at_least, found.at_most), (most, Some(most)), "{context}");
            let method = found.method.expect("a bound has a method");
            if options.no_shortcuts {
                let expected = match options.diagram {
                    Diagram::Explicit => BoundMethod::Explicit,
                    _ => BoundMethod::Diagram(DiagramKind::Mdd),
                };
                assert_eq!((method, &found.proof), (expected, &None), "{context}");
            }
            methods.push(method);
        }
    }
}

#[test]
fn random_nets() {
    let mut methods = Vec::new();
    for seed in seeds(60) {
        check(&loaded(random_net(seed)), seed, &mut methods);
    }
    let share = |method: BoundMethod| methods.iter().filter(|found| **found == method).count();
    println!(
        "{} bounds: {} by structure, {} with a walk, {} by trees, {} by mdd",
        methods.len(),
        share(BoundMethod::Structure),
        share(BoundMethod::StructureAndWalk),
        share(BoundMethod::Coverability),
        share(BoundMethod::Diagram(DiagramKind::Mdd))
    );
    if std::env::var("SYMBOLON_SEED").is_err() {
        assert!(share(BoundMethod::Structure) > 100 && share(BoundMethod::StructureAndWalk) > 100);
    }
}

#[test]
fn hand_made_nets_and_families() {
    let mut methods = Vec::new();
    for (name, text) in HAND_MADE {
        let mut net = net(text);
        net.name = name.into();
        check(&loaded(net), 7, &mut methods);
    }
    for call in ["kanban:2", "fms:2", "philosophers:3", "dekker:3", "token-ring:3"] {
        check(&family(call), 7, &mut methods);
    }
}

#[test]
fn proofs_are_named() {
    let check = |text: &str, terms: &[(&str, u64)], bound: u64, proof: &str| {
        let loaded = loaded(net(text));
        let target = sum(&loaded, terms);
        let report = ask(&loaded, vec![target], &Options::default(), &Budget::unlimited());
        let found = &report.bounds[0];
        assert_eq!(found.bound, Some(Amount::Finite(bound.into())), "{text}: {found:?}");
        assert_eq!(found.proof.as_ref().map(Proof::to_string).as_deref(), Some(proof), "{text}: {found:?}");
    };
    check("a=1 b\nt: a -> b\nu: b -> a", &[("b", 1)], 1, "a + b <= 1");
    check("a=1 b\nt: a -> b\nu: b -> a", &[("a", 3), ("b", 2)], 3, "a + b <= 1");
    check("a=2 b\nt: a -> b\nu: b -> a", &[("b", 1)], 2, "a + b = 2");
    check("a=6 b\nt: a*2 -> b*3\nu: b*3 -> a*2", &[("b", 1)], 9, "3 a + 2 b = 18");
    check("a=6 b\nt: a*2 -> b*3\nu: b*3 -> a*2", &[("a", 3), ("b", 2)], 18, "3 a + 2 b = 18");
    check("a=1 b c\nt: a -> b\nu: b -> a\nv: c -> a", &[("c", 5)], 0, "never marked");
    check("a=5 b\nt: a -> b", &[("a", 1)], 5, "nothing adds to it");
}

/// Unbounded nets: what grows has no bound, what does not has one.
#[test]
fn unbounded_nets() {
    let infinite = Some(Amount::Infinite);
    let finite = |bound: u64| Some(Amount::Finite(bound.into()));
    let check = |text: &str, expected: &[(&str, Option<Amount>)]| {
        let loaded = loaded(net(text));
        assert!(loaded.unbounded_place().is_some(), "{text}");
        for (place, bound) in expected {
            let target = sum(&loaded, &[(place, 2)]);
            let report = ask(&loaded, vec![target.clone()], &Options::default(), &Budget::unlimited());
            assert_eq!(&report.bounds[0].bound, bound, "{text}, {place}: {report:?}");
            // Diagrams alone cannot tell.
            let options = Options { no_shortcuts: true, ..Options::default() };
            let report = ask(&loaded, vec![target], &options, &Budget::unlimited());
            assert_eq!(report.unknown.map(|unknown| unknown.reason), Some(Reason::Unbounded), "{text}");
        }
    };
    check("a\nt: -> a", &[("a", infinite.clone())]);
    check("a=1 b c\nt: a -> b\nu: b -> a c", &[("a", finite(2)), ("b", finite(2)), ("c", infinite.clone())]);
    check(
        "a b=1 c d\nt: b -> b a\nu: b -> c\nv: c a -> c d*2",
        &[("a", infinite.clone()), ("b", finite(2)), ("c", finite(2)), ("d", infinite.clone())],
    );
    // With an inhibitor there is no tree, but a pump, and what the structure bounds.
    check("a b=1 c\nt: !c -> a\nu: b -> c", &[("a", infinite), ("b", finite(2)), ("c", finite(2))]);
    for (name, text) in UNBOUNDED {
        let loaded = loaded(net(text));
        let report = ask(&loaded, every_place(&loaded), &Options::default(), &Budget::unlimited());
        assert!(report.bounds.iter().any(|found| found.bound == Some(Amount::Infinite)), "{name}");
    }
}

#[test]
fn limits_leave_what_is_known() {
    let loaded = family("kanban:3");
    let targets = || vec![sum(&loaded, &[("Pm1", 1), ("Pout2", 1), ("P4", 1)]), sum(&loaded, &[("P1", 1)])];
    let budget = Budget::unlimited();
    budget.cancel();
    let report = ask(&loaded, targets(), &Options::default(), &budget);
    assert_eq!(report.unknown.map(|unknown| unknown.reason), Some(Reason::Interrupted));
    assert_eq!(report.bounds[0].bound, None);
    assert!(report.bounds[0].at_most.is_some(), "the structure needs no time");
    assert_eq!(report.bounds[1].bound, Some(Amount::Finite(3_u32.into())));
    let budget = Budget::new(Limits { time: Some(Duration::ZERO), memory: None });
    let options = Options { no_shortcuts: true, ..Options::default() };
    let report = ask(&loaded, targets(), &options, &budget);
    assert_eq!(report.unknown.map(|unknown| unknown.reason), Some(Reason::Timeout));
}

#[test]
fn weights_have_a_limit() {
    let loaded = family("kanban:1");
    let largest = i64::MAX as u64;
    let report =
        ask(&loaded, vec![sum(&loaded, &[("Pm1", largest)])], &Options::default(), &Budget::unlimited());
    assert_eq!(report.bounds[0].bound, Some(Amount::Finite(largest.into())));
    let target = sum(&loaded, &[("Pm1", largest), ("Pm2", 1)]);
    let refused = bounds(&loaded, vec![target], &Options::default(), &Budget::unlimited(), &mut |_, _| {});
    let Err(Error::Input(errors)) = refused else { panic!("{refused:?}") };
    assert!(errors[0].message.contains("too large"), "{errors:?}");
}

#[test]
fn the_examination() {
    let loaded = family("kanban:2");
    let text = "<property-set><property><id>one</id><formula><place-bound><place>Pm1</place></place-bound>\
        </formula></property><property><id>two</id><formula><place-bound><place>Pm1</place>\
        <place>Pout4</place></place-bound></formula></property></property-set>";
    let file = FormulaFile { name: "UpperBounds.xml".into(), bytes: text.into() };
    let examination = Examination::UpperBounds;
    assert_eq!(examination.formula_file(), Some("UpperBounds.xml"));
    for no_shortcuts in [false, true] {
        let options = Options { no_shortcuts, ..Options::default() };
        let mut lines = Vec::new();
        let reason =
            examine(&loaded, examination, Some(&file), &options, &Budget::unlimited(), &mut |line| {
                lines.push(line);
            });
        assert_eq!(reason, Ok(None));
        let mut answers = Vec::new();
        for line in &lines {
            let ExaminationLine::Formula { id, answer, techniques } = line else { panic!("{line}") };
            assert_eq!(no_shortcuts, techniques.contains(&Technique::DecisionDiagrams), "{line}");
            answers.push((id.as_str(), answer.clone()));
        }
        answers.sort_by_key(|(id, _)| *id);
        let number = |number: u64| Answer::Number(Amount::Finite(number.into()));
        assert_eq!(answers, [("one", number(2)), ("two", number(4))]);
    }
    // Without an answer there is a line for each formula, and a reason.
    let budget = Budget::unlimited();
    let mut lines = Vec::new();
    let reason =
        examine(&loaded, examination, Some(&file), &ways()[0], &budget.slice(Duration::ZERO), &mut |line| {
            lines.push(line.to_string());
        });
    assert!(matches!(reason, Ok(Some(unknown)) if unknown.reason == Reason::Timeout));
    assert_eq!(lines, ["FORMULA one CANNOT_COMPUTE", "FORMULA two CANNOT_COMPUTE"]);
    let wrong = FormulaFile { name: "UpperBounds.xml".into(), bytes: text.replace("Pout4", "Puot4").into() };
    let refused = examine(&loaded, examination, Some(&wrong), &ways()[0], &budget, &mut |_| {});
    let Err(Error::Input(errors)) = refused else { panic!("{refused:?}") };
    assert_eq!(errors[0].file.as_deref(), Some("UpperBounds.xml"));
    assert_eq!(errors[0].line, Some(1));
}
