//! What counts as a gap, what the table shows, and that the files hold the same net.

use super::super::series::tests::measured;
use super::*;
use crate::table::To;

/// A row whose written net took `written` (seconds, nodes, steps), and so each seed from 1 on.
fn comparison(written: (f64, u64, u64), seeds: &[(f64, u64, u64)]) -> Comparison {
    let measure = |(time, nodes, steps)| measured(time, "5", nodes, steps);
    let shuffled = (1..).zip(seeds.iter().map(|figures| Ok(measure(*figures)))).collect();
    Comparison::new(measure(written), Ok(measure(written)), shuffled)
}

#[test]
fn a_gap_is_both_relative_and_absolute() {
    let check = |written, seeds: &[(f64, u64, u64)], slower, larger| {
        let found = comparison(written, seeds).gap();
        assert_eq!(found, Some(Gap { slower, larger }), "{written:?} and {seeds:?}");
    };
    check((1.0, 10, 100), &[(1.0, 10, 100), (1.0, 10, 100)], false, false);
    // Within 1.5 times; beyond it; the worst seed counts.
    check((1.0, 10, 100), &[(1.5, 10, 100)], false, false);
    check((1.0, 10, 100), &[(1.51, 10, 100)], true, false);
    check((1.0, 10, 100), &[(0.5, 10, 100), (1.6, 10, 100), (0.5, 10, 100)], true, false);
    // Three times as long, but only by a few milliseconds.
    check((0.01, 10, 100), &[(0.03, 10, 100)], false, false);
    check((0.01, 10, 100), &[(0.07, 10, 100)], true, false);
    // Nodes and steps speak for themselves.
    check((1.0, 10, 100), &[(1.0, 19, 199)], false, false);
    check((1.0, 10, 100), &[(1.0, 20, 100)], false, true);
    check((1.0, 10, 100), &[(1.0, 5, 200)], false, true);
    check((1.0, 10, 100), &[(9.0, 90, 900)], true, true);
    check((1.0, 0, 0), &[(1.0, 1, 1)], false, false);
}

#[test]
fn the_spread_takes_each_worst_for_itself() {
    let spread = comparison((1.0, 10, 100), &[(1.0, 90, 300), (3.0, 20, 200), (2.0, 30, 900)]).spread();
    let expected =
        Spread { median_seconds: 2.0, worst_seconds: 3.0, most_nodes: Some(90), most_steps: Some(900) };
    assert_eq!(spread, Some(expected));
}

#[test]
fn other_states_are_a_failure() {
    let check = |written: Result<&str, &str>, seed: Result<&str, &str>, expected: Option<&str>| {
        let measure = |outcome: Result<&str, &str>| {
            outcome.map(|states| measured(1.0, states, 1, 1)).map_err(str::to_string)
        };
        let found = Comparison::new(measured(1.0, "5", 1, 1), measure(written), vec![(7, measure(seed))]);
        assert_eq!(found.failure().as_deref(), expected);
        assert_eq!(Outcome::compared(found).is_good(), expected.is_none());
    };
    check(Ok("5"), Ok("5"), None);
    check(Ok("6"), Ok("5"), Some("as PNML: counts 6 states"));
    check(Ok("5"), Ok("6"), Some("seed 7: counts 6 states"));
    check(Err("crashed"), Ok("5"), Some("as PNML: crashed"));
    check(Ok("5"), Err("out of time"), Some("seed 7: out of time"));
    assert!(Outcome::TooLarge { place_count: 300_000 }.is_good());
}

#[test]
fn the_table_and_what_stands_below() {
    let even = Outcome::compared(comparison((1.0, 10, 100), &[(1.0, 10, 100)]));
    let worse = Outcome::compared(comparison((1.0, 10, 100), &[(1.5, 11, 100), (4.0, 40, 100)]));
    let good = || measured(1.0, "5", 1, 1);
    let seeds = vec![(1, Err("out of time".to_string())), (2, Ok(good()))];
    let failed = Outcome::compared(Comparison::new(good(), Ok(good()), seeds));
    let huge = Outcome::TooLarge { place_count: 200_001 };
    let rows = [
        ("even", even),
        ("worse", worse),
        ("failed", failed),
        ("huge", huge),
        ("hard", Outcome::NotFinished),
    ];

    let text = table(&rows).render(To::Markdown);
    let cells = |row: &str| {
        let line =
            text.lines().find(|line| line.contains(row)).unwrap_or_else(|| panic!("no {row} in {text}"));
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        cells("even"),
        ["even", "1.000", "1.000", "1.000", "1.000", "1.00", "10", "10", "100", "100", ""]
    );
    let worse =
        ["worse", "1.000", "1.000", "2.750", "4.000", "4.00", "10", "40", "100", "100", "slower, larger"];
    assert_eq!(cells("worse"), worse);
    assert_eq!(cells("failed")[1..4], ["1.000", "-", "-"]);
    assert_eq!(cells("failed")[10], "failed");
    assert!(!text.contains("huge"), "{text}");

    assert_eq!(
        summary(&rows),
        "shuffled against the same net as PNML: geometric mean 2.00 over 2 rows, largest 4.00 (worse), \
         1 beyond 1.5 times and 0.05 s\n\
         - worse slower, larger: as PNML order-of-10 (1.000 s, 10 nodes, 100 steps); \
         seed 1 order-of-11 (1.500 s, 11 nodes, 100 steps); seed 2 order-of-40 (4.000 s, 40 nodes, 100 steps)\n\
         - failed failed: seed 1: out of time\n\
         - huge not shuffled: 200001 places, more than 200000\n\
         - hard not shuffled: no answer as given\n"
    );
}

#[test]
fn the_files_hold_the_net_and_its_permutations() {
    let Material::Files(files) = prepare(Path::new("philosophers:3"), &[1, 2]).unwrap() else {
        panic!("three philosophers are not too many");
    };
    let net = load(&files.written.path).unwrap();
    assert_eq!(net, load(Path::new("philosophers:3")).unwrap());
    assert_eq!(files.shuffled.iter().map(|(seed, _)| *seed).collect::<Vec<_>>(), [1, 2]);
    for (seed, candidate) in &files.shuffled {
        let shuffled = load(&candidate.path).unwrap();
        assert_eq!(shuffled, net.shuffled(*seed));
        assert_ne!(shuffled, net, "seed {seed} changes nothing");
    }
}

#[test]
fn large_nets_and_wrong_names_are_refused() {
    let place_count = match prepare(Path::new("philosophers:40001"), &[1]).unwrap() {
        Material::TooLarge { place_count } => place_count,
        Material::Files(_) => panic!("a large net was written"),
    };
    assert_eq!(place_count, 5 * 40_001);
    assert!(prepare(Path::new("philosopher:3"), &[1]).is_err());
    assert!(prepare(Path::new("no such file"), &[1]).is_err());
}
