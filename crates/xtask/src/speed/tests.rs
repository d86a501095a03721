//! Ratios and the table.

use super::rivals::Origin;
use super::series::tests::measured;
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
    Timing { row, model: PathBuf::from(row), ours: Ok(measured(ours, "5", 1, 3)), rival: rival.map(figure) }
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
