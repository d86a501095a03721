//! Verdicts on random formulas of all logics, by diagrams, by shortcuts and by both, against
//! explicit search.

use crate::ask::check;
use crate::nets::{family, loaded, net};
use std::time::Duration;
use symbolon_budget::{Budget, Limits};
use symbolon_checker::{
    CheckOptions, Diagram, DiagramKind, Job, Loaded, Options, Paths, Property, PropertyReport, Shape, Source,
    Technique, Verdict, properties_of_texts,
};
use symbolon_explicit as explicit;
use symbolon_testkit::{Logic, random_formula, random_net, seeds};

const FORMULAS_PER_NET: u64 = 6;

fn checked(
    loaded: &Loaded,
    properties: &[Property],
    options: &Options,
    wanted: CheckOptions,
) -> Vec<PropertyReport> {
    let budget = Budget::new(Limits { time: Some(Duration::from_secs(5)), memory: None });
    let mut shown = vec![None; properties.len()];
    let reports = check(loaded, properties, wanted, options, &budget, &mut |number, report| {
        let before = shown[number].replace(report.verdict.clone());
        let is_witness = before.as_ref() == Some(&report.verdict) && report.witness.is_some();
        assert!(before.is_none() || is_witness, "a verdict is reported again only with its witness");
    })
    .expect("no wrong input");
    for (report, shown) in reports.iter().zip(shown) {
        assert!(
            shown.as_ref().is_none_or(|shown| *shown == report.verdict),
            "each verdict was reported before"
        );
        assert_eq!(shown.is_some(), report.verdict.is_known(), "each known verdict was reported");
    }
    reports
}

#[test]
fn verdicts_on_random_formulas_are_right() {
    let mut counts = [0_u32; 2];
    let mut witness_count = 0;
    for seed in seeds(60) {
        let loaded = loaded(random_net(seed));
        if loaded.unbounded_place().is_some() {
            continue;
        }
        let mut explicit =
            explicit::Checker::new(loaded.model(), &explicit::CheckOptions::default(), &Budget::unlimited())
                .expect("random nets are small");
        let mut properties = Vec::new();
        let mut truth = Vec::new();
        for number in 0..FORMULAS_PER_NET {
            let logic = Logic::ALL[(number % 3) as usize];
            let paths = Paths::ALL[(seed + number) as usize % 3];
            let formula =
                random_formula(loaded.model(), logic, 2 + (seed + number) as usize % 9, 100 * seed + number);
            truth.push(explicit.check(&formula, paths, &[]).expect("small").holds());
            properties.push(Property::new(number.to_string(), formula, paths));
        }
        truth.iter().for_each(|&holds| counts[usize::from(holds)] += 1);
        for (no_shortcuts, threads, diagram) in [
            (true, 1, Diagram::Kind(DiagramKind::Mdd)),
            (false, 1, Diagram::Kind(DiagramKind::Mdd)),
            (false, 2, Diagram::Kind(DiagramKind::Set)),
            (true, 1, Diagram::Kind(DiagramKind::Ddd)),
            (true, 1, Diagram::Explicit),
        ] {
            let options = Options { no_shortcuts, threads, diagram, seed, ..Options::default() };
            let wanted = CheckOptions {
                witnesses: threads == 1 && !no_shortcuts && seed % 4 == 0,
                ..CheckOptions::default()
            };
            for ((report, property), &holds) in
                checked(&loaded, &properties, &options, wanted).iter().zip(&properties).zip(&truth)
            {
                let expected = if holds { Verdict::Holds } else { Verdict::Fails };
                assert_eq!(
                    report.verdict,
                    expected,
                    "seed {seed}, {diagram:?}, no shortcuts: {no_shortcuts}, {}, by {:?}: {:?}",
                    property.paths(),
                    report.techniques,
                    property.text()
                );
                witness_count += u32::from(report.witness.is_some());
                if let Some(witness) = &report.witness {
                    assert_eq!(witness.loop_start.is_some(), witness.shape == Shape::Lasso);
                }
            }
        }
    }
    println!("{} hold, {} fail; {witness_count} witnesses", counts[1], counts[0]);
    let all = counts[0] + counts[1];
    assert!(counts.iter().all(|&count| count * 5 >= all), "each verdict in a fifth of the cases");
    assert!(witness_count > all / 20, "there is something to show");
}

#[test]
fn where_a_path_ends() {
    let (one_step, nothing) = ("a=1 b\nt: a -> b", "a=1 b");
    for (text, formula, paths, holds) in [
        // Nothing is next in the dead state, neither that `b` holds nor that it does not.
        (one_step, "A (X X b)", Paths::Maximal, true),
        (one_step, "A (X X !b)", Paths::Maximal, true),
        (one_step, "E (X X b)", Paths::Maximal, false),
        (one_step, "A (X X b)", Paths::Stutter, true),
        (one_step, "A (X X !b)", Paths::Stutter, false),
        (one_step, "E (X X b)", Paths::Stutter, true),
        (one_step, "A (X X !b)", Paths::Infinite, true),
        (one_step, "E (F b)", Paths::Infinite, false),
        (one_step, "A (G F b)", Paths::Maximal, true),
        (one_step, "A (F G a)", Paths::Maximal, false),
        (one_step, "EX EX b", Paths::Maximal, false),
        (one_step, "EX EX b", Paths::Stutter, true),
        (one_step, "AF b", Paths::Maximal, true),
        (one_step, "EG a", Paths::Maximal, false),
        (one_step, "EF b & EF (a & b)", Paths::Maximal, false),
        (nothing, "EG a", Paths::Maximal, true),
        (nothing, "EG a", Paths::Infinite, false),
        (nothing, "AF b", Paths::Infinite, true),
        (nothing, "EX a", Paths::Maximal, false),
    ] {
        let model = loaded(net(text));
        for no_shortcuts in [true, false] {
            let properties =
                properties_of_texts(&model, &[formula.to_string()], Some(paths)).expect("right").properties;
            let options = Options { no_shortcuts, ..Options::default() };
            let reports = checked(&model, &properties, &options, CheckOptions::default());
            let expected = if holds { Verdict::Holds } else { Verdict::Fails };
            assert_eq!(
                reports[0].verdict, expected,
                "{text}: {formula}, {paths}, by {:?}",
                reports[0].techniques
            );
        }
    }
}

/// Walks decide these within moments and find runs of many hundred steps. What is shown is short: what
/// can be left out is, and within the grace exact distances find a shortest run.
#[test]
fn runs_that_walks_find_are_shortened() {
    let model = family("swimming-pool:30");
    let texts = ["AG InBath <= 200".to_string(), "EF InBath = 150".to_string()];
    let properties = properties_of_texts(&model, &texts, None).expect("right").properties;
    let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
    let lengths = |grace: Duration| {
        let options = Options { grace, threads: 1, ..Options::default() };
        let reports = checked(&model, &properties, &options, wanted);
        let length = |report: &PropertyReport| {
            let witness = report.witness.as_ref().expect("a run shows it");
            (witness.steps.len(), witness.shortest)
        };
        [length(&reports[0]), length(&reports[1])]
    };
    // Each visitor in the bath needs four steps, and no step serves two.
    let [fails, holds] = lengths(Duration::from_secs(1));
    assert!(fails.0 >= 804 && holds.0 >= 600, "no run is shorter: {fails:?}, {holds:?}");
    assert!(fails.0 <= 804 * 11 / 10 && holds.0 <= 600 * 11 / 10, "{fails:?}, {holds:?}");
    // Without any grace the walk is shown as it is.
    let [fails, _] = lengths(Duration::ZERO);
    assert!(fails.0 > 804 * 11 / 10 && !fails.1, "{fails:?}");
    let small = family("swimming-pool:3");
    let properties = properties_of_texts(&small, &["AG InBath <= 20".to_string()], None).expect("right");
    let options = Options { threads: 1, grace: Duration::from_secs(3), ..Options::default() };
    let reports = checked(&small, &properties.properties, &options, wanted);
    let witness = reports[0].witness.as_ref().expect("a run shows it");
    assert_eq!((witness.steps.len(), witness.shortest), (84, true));
}

/// Diagrams need all states, of which there are infinitely many here, and no single run shows a formula
/// with an operator of each kind: the few states that it asks for decide it.
#[test]
fn nested_formulas_are_decided_by_the_states_that_they_ask_for() {
    let text = "place p\nplace q\nplace r = 1\ntransition make: put p\ntransition move: take p put q\n\
                transition stop: take r";
    let source = Source::Bytes {
        name: "net.cnet".into(),
        bytes: text.as_bytes().to_vec(),
        format: None,
        parameters: Vec::new(),
    };
    let job = Job::new(Budget::unlimited());
    let loaded = job.load(source).expect("a good net");
    assert_eq!(loaded.unbounded_place(), Some("p"));
    let formulas = [
        ("EF (p >= 2 & EX (q >= 1) & AX (p >= 1))", true),
        ("AG (r = 1 -> EX (r = 0 & EX (q >= 1)))", false),
        ("E[p = 0 U (r = 0 & AX (p + q >= 1))]", true),
        ("EF (r = 0 & !(EX (r = 0) & AX (q = 0)))", true),
    ];
    for (formula, holds) in formulas {
        let properties =
            properties_of_texts(&loaded, &[formula.to_string()], None).expect("its names").properties;
        let reports = job
            .check(&loaded, &properties, CheckOptions::default(), &Options::default())
            .expect("nothing limits it");
        assert_eq!(reports[0].verdict, Verdict::of(holds), "{formula}");
        assert!(reports[0].techniques.contains(&Technique::LocalSearch), "{formula}: {reports:?}");
    }
}
