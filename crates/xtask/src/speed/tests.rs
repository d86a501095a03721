//! Ratios, the table, and when a row is good.

use super::rivals::Origin;
use super::series::tests::measured;
use super::shuffled::Comparison;
use super::*;

fn timing(row: &'static str, ours: f64, rival: Option<f64>) -> Timing {
    let figure = |seconds| Figure {
        row: row.to_string(),
        rival: "Meddly".to_string(),
        origin: Origin::Live,
        cpu_seconds: Some(seconds),
        reachability_seconds: None,
        peak_mb: None,
    };
    Timing { row, ours: Ok(measured(ours, "5", 1, 3)), rival: rival.map(figure), shuffled: None }
}

#[test]
fn ratios_are_summed_up() {
    let timings = [timing("a", 1.0, Some(10.0)), timing("b", 4.0, Some(10.0)), timing("c", 1.0, None)];
    assert_eq!(
        summary(&timings),
        "against Meddly (live): geometric mean 0.200 over 2 rows, largest 0.400 (b)\n"
    );
    let text = table(&timings).render(To::Text);
    assert_eq!(text.lines().count(), 4, "{text}");
    let failed = Timing { ours: Err("crashed".to_string()), ..timing("d", 1.0, None) };
    assert!(table(&[failed]).render(To::Text).contains("crashed"));
}

#[test]
fn a_row_is_good_if_all_its_runs_are() {
    let check = |ours: Result<Measured, String>, shuffled: Option<Outcome>, expected: bool| {
        let timing = Timing { ours, shuffled, ..timing("a", 1.0, None) };
        assert_eq!(timing.is_good(), expected, "{:?} and {:?}", timing.ours, timing.shuffled);
    };
    let good = || Ok(measured(1.0, "5", 1, 3));
    let compared = |shuffled| Some(Outcome::compared(Comparison::new(good(), good(), vec![(1, shuffled)])));
    check(good(), None, true);
    check(Err("crashed".to_string()), None, false);
    check(good(), Some(Outcome::TooLarge { place_count: 300_000 }), true);
    check(good(), compared(good()), true);
    // A gap is shown, and is no failure; another count is.
    check(good(), compared(Ok(measured(90.0, "5", 70, 80))), true);
    check(good(), compared(Ok(measured(1.0, "6", 1, 3))), false);
    check(good(), compared(Err("out of time".to_string())), false);
}
