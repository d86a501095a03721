//! Several runs of `symbolon states` on one model: what they answered, which must be the same each
//! time, and the medians of what they cost.

use serde_json::Value;

use crate::child::{Ending, Run};

/// The runs of one model so far. The first failure ends the series.
#[derive(Debug, Default)]
pub(super) struct Series {
    runs: Vec<(Run, Answer)>,
    failure: Option<String>,
}

/// The medians of a series, and what all of its runs answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) cpu_seconds: f64,
    pub(super) wall_seconds: f64,
    pub(super) peak_bytes: u64,
    pub(super) answer: Answer,
}

/// The part of the program's JSON that the tables show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) states: String,
    pub(super) final_nodes: Option<u64>,
    pub(super) peak_nodes: Option<u64>,
    pub(super) steps: Option<u64>,
    pub(super) variable_order: String,
}

impl Series {
    /// Adds a run.
    pub(super) fn add(&mut self, mut run: Run) {
        match check_answer(&run) {
            Ok((answer, peak_bytes)) => {
                // On Linux a child inherits the peak of its parent, so the kernel's
                // figure is never below ours; the child's own account is of itself alone.
                run.peak_bytes = peak_bytes.unwrap_or(run.peak_bytes);
                self.runs.push((run, answer));
            }
            Err(reason) => self.failure = Some(reason),
        }
    }

    /// Whether a run had no answer: one that did not finish once will not finish the next time either.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// The medians, or why there are none.
    pub(super) fn measured(&self) -> Result<Measured, String> {
        if let Some(reason) = &self.failure {
            return Err(reason.clone());
        }
        let Some((_, answer)) = self.runs.last() else { return Err("not run".to_string()) };
        if self.runs.iter().any(|(_, other)| other != answer) {
            return Err("runs differ in states, nodes, steps or order".to_string());
        }
        let runs = || self.runs.iter().map(|(run, _)| run);
        Ok(Measured {
            cpu_seconds: median(runs().map(|run| run.cpu_seconds)),
            wall_seconds: median(runs().map(|run| run.wall_seconds)),
            peak_bytes: median(runs().map(|run| run.peak_bytes as f64)) as u64,
            answer: answer.clone(),
        })
    }
}

/// The answer of a run and the peak memory that it reports, or why there is no answer.
fn check_answer(run: &Run) -> Result<(Answer, Option<u64>), String> {
    match run.ending {
        Ending::Exit(0) => {}
        Ending::Exit(status) => return Err(format!("exit status {status}")),
        Ending::Signal => return Err("crashed".to_string()),
        Ending::OutOfTime => return Err("out of time".to_string()),
        Ending::OutOfMemory => return Err("out of memory".to_string()),
    }
    let value: Value = serde_json::from_str(&run.stdout).map_err(|error| format!("no JSON: {error}"))?;
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let number = |value: &Value| text(value).and_then(|text| text.parse().ok());
    let answer = Answer {
        states: text(&value["states"]).ok_or_else(|| format!("status {}", value["status"]))?,
        final_nodes: number(&value["nodes"]["final"]),
        peak_nodes: number(&value["nodes"]["peak"]),
        steps: number(&value["steps"]),
        variable_order: text(&value["variable_order"]).unwrap_or_default(),
    };
    Ok((answer, number(&value["peak_bytes"])))
}

/// The middle value; between two middle ones, their mean.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// One time over another. The clock has a grain: nothing takes less than a tenth of a millisecond.
pub(super) fn time_ratio(ours: f64, theirs: f64) -> f64 {
    ours.max(1e-4) / theirs.max(1e-4)
}

/// The geometric mean.
pub(super) fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A run that ended after a second.
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

    /// A measurement with these figures.
    pub(in super::super) fn measured(cpu_seconds: f64, states: &str, nodes: u64, steps: u64) -> Measured {
        let answer = Answer {
            states: states.to_string(),
            final_nodes: Some(nodes),
            peak_nodes: Some(2 * nodes),
            steps: Some(steps),
            variable_order: format!("order-of-{nodes}"),
        };
        Measured { cpu_seconds, wall_seconds: cpu_seconds, peak_bytes: 1 << 20, answer }
    }

    #[test]
    fn answers_and_failures() {
        type Expected<'a> = Result<(&'a str, [Option<u64>; 3], &'a str), &'a str>;
        let check = |stdout: &str, ending, expected: Expected<'_>| {
            let found = check_answer(&finished(stdout, ending));
            let found = found.as_ref().map(|(answer, _)| {
                let numbers = [answer.final_nodes, answer.peak_nodes, answer.steps];
                (answer.states.as_str(), numbers, answer.variable_order.as_str())
            });
            assert_eq!(found.map_err(String::as_str), expected, "{stdout:?}");
        };
        let text = r#"{"status":"ok","states":"123456789012345678901","variable_order":"force",
            "nodes":{"final":10,"peak":"20"},"steps":7}"#;
        let all = [Some(10), Some(20), Some(7)];
        check(text, Ending::Exit(0), Ok(("123456789012345678901", all, "force")));
        check(r#"{"states":5,"nodes":null}"#, Ending::Exit(0), Ok(("5", [None; 3], "")));
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
    fn runs_must_agree_and_succeed() {
        let check = |runs: &[(&str, Ending)], expected: Result<&str, &str>| {
            let mut series = Series::default();
            for (stdout, ending) in runs {
                series.add(finished(stdout, *ending));
            }
            let found = series.measured().map(|measured| measured.answer.states);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{runs:?}");
            assert_eq!(series.has_failed(), runs.iter().any(|(_, ending)| !ending.is_success()));
        };
        let (five, six) = (r#"{"states":"5","steps":1}"#, r#"{"states":"6","steps":1}"#);
        let differ = Err("runs differ in states, nodes, steps or order");
        check(&[], Err("not run"));
        check(&[(five, Ending::Exit(0)), (five, Ending::Exit(0))], Ok("5"));
        check(&[(five, Ending::Exit(0)), (six, Ending::Exit(0))], differ);
        check(&[(five, Ending::Exit(0)), (r#"{"states":"5","steps":2}"#, Ending::Exit(0))], differ);
        check(&[(five, Ending::Exit(0)), (five, Ending::OutOfTime)], Err("out of time"));
    }

    #[test]
    fn peak_memory_is_the_childs_own() {
        for (stdout, expected) in [(r#"{"states":5}"#, 5 << 20), (r#"{"states":5,"peak_bytes":77}"#, 77)] {
            let mut series = Series::default();
            series.add(finished(stdout, Ending::Exit(0)));
            assert_eq!(series.measured().map(|measured| measured.peak_bytes), Ok(expected), "{stdout}");
        }
    }

    #[test]
    fn ratios_and_their_mean() {
        assert_eq!(time_ratio(3.0, 2.0), 1.5);
        assert_eq!(time_ratio(0.0, 0.0), 1.0);
        let mean = geometric_mean([0.1, 0.4].into_iter());
        assert!((mean - 0.2).abs() < 1e-12, "{mean}");
    }
}
