//! Reading answers, taking medians, forming ratios.

use super::rivals::Origin;
use super::*;

fn finished(stdout: &str, ending: Ending) -> Run {
    Run {
        stdout: stdout.to_string(),
        stderr: String::new(),
        ending,
        wall_seconds: 2.0,
        cpu_seconds: 1.0,
        peak_bytes: 5 << 20,
    }
}

#[test]
fn answers_and_failures() {
    let check = |stdout: &str, ending, expected: Result<[&str; 3], &str>| {
        let found = check_answer(&finished(stdout, ending));
        let found = found.map(|answer| [answer.states, answer.final_nodes, answer.peak_nodes]);
        let expected = expected.map(|words| words.map(str::to_string)).map_err(str::to_string);
        assert_eq!(found, expected, "{stdout:?}");
    };
    let text = r#"{"status":"ok","states":"123456789012345678901","nodes":{"final":10,"peak":"20"}}"#;
    check(text, Ending::Exit(0), Ok(["123456789012345678901", "10", "20"]));
    check(r#"{"states":5,"nodes":null}"#, Ending::Exit(0), Ok(["5", "-", "-"]));
    check(r#"{"status":"unknown"}"#, Ending::Exit(0), Err("status \"unknown\""));
    check(text, Ending::Exit(3), Err("exit status 3"));
    check(text, Ending::OutOfTime, Err("out of time"));
    check("", Ending::Signal, Err("crashed"));
    assert!(check_answer(&finished("hello", Ending::Exit(0))).is_err());
}

#[test]
fn medians_stand_in_the_middle() {
    for (values, expected) in [(vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0], 2.5), (vec![7.0], 7.0)] {
        assert_eq!(median(values.iter().copied()), expected, "{values:?}");
    }
}

#[test]
fn runs_must_agree() {
    let answer =
        |states: &str| Answer { states: states.into(), final_nodes: "1".into(), peak_nodes: "2".into() };
    let run = finished("", Ending::Exit(0));
    assert!(medians(&[(run.clone(), answer("5")), (run.clone(), answer("5"))]).is_ok());
    assert!(medians(&[(run.clone(), answer("5")), (run, answer("6"))]).is_err());
}

fn timing(row: &'static str, ours: f64, rival: Option<f64>) -> Timing {
    let answer = Answer { states: "5".into(), final_nodes: "1".into(), peak_nodes: "2".into() };
    let figure = |seconds| Figure {
        row: row.to_string(),
        rival: "Meddly".to_string(),
        origin: Origin::Live,
        cpu_seconds: Some(seconds),
        reachability_seconds: None,
        peak_mb: None,
    };
    let ours = Ours { cpu_seconds: ours, wall_seconds: ours, peak_bytes: 1 << 20, answer };
    Timing { row, ours: Ok(ours), rival: rival.map(figure) }
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
    let failed = Timing { row: "d", ours: Err("crashed".to_string()), rival: None };
    assert!(table(&[failed]).render(To::Text).contains("crashed"));
}
