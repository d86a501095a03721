//! Compares what a run answered with what is known.
//!
//! An examination asks one question or several. Each has its own outcome; the four questions of
//! StateSpace also have one together, which is right only if all that is known came out right.

use super::answers::same;
use super::oracle::Question;
use super::store::Record;
use crate::child::Ending;

/// How one question went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Answered as known.
    Right,
    /// Answered otherwise.
    Wrong { question: String, known: String, given: String },
    /// Not answered, within the limits.
    Unknown,
    /// Not answered when the time was up.
    TimedOut,
    /// Not answered because the program crashed or gave up with an error.
    Failed,
    /// The answer is not known; whether we gave one.
    Unrated { answered: bool },
}

/// How each question of a run went, in the order of the questions.
pub(crate) fn judge(questions: &[Question], record: &Record) -> Vec<Outcome> {
    questions.iter().map(|question| judge_one(question, record)).collect()
}

fn judge_one(question: &Question, record: &Record) -> Outcome {
    let mut given = record.answers.iter().filter(|(name, _)| *name == question.name).map(|(_, value)| value);
    let Some(known) = &question.answer else {
        return Outcome::Unrated { answered: given.next().is_some() };
    };
    let mut answered = false;
    for value in given {
        answered = true;
        if !same(value, known) {
            let (question, known) = (question.name.clone(), known.clone());
            return Outcome::Wrong { question, known, given: value.clone() };
        }
    }
    if answered { Outcome::Right } else { silence(record) }
}

/// What it means that a run left a question open.
fn silence(record: &Record) -> Outcome {
    match record.ending() {
        Ending::OutOfTime => Outcome::TimedOut,
        _ if record.cpu_seconds >= 0.95 * record.settings.timeout => Outcome::TimedOut,
        _ if record.wall_seconds >= 0.95 * record.settings.clock_seconds() => Outcome::TimedOut,
        Ending::OutOfMemory => Outcome::Unknown,
        // Status 3 is an honest "unknown".
        Ending::Exit(0 | 3) => Outcome::Unknown,
        Ending::Exit(_) | Ending::Signal => Outcome::Failed,
    }
}

/// The outcome of several questions that count as one: the worst of those with a known answer.
pub(crate) fn together(outcomes: &[Outcome]) -> Outcome {
    let badness = |outcome: &Outcome| match outcome {
        Outcome::Unrated { .. } => 0,
        Outcome::Right => 1,
        Outcome::Unknown => 2,
        Outcome::TimedOut => 3,
        Outcome::Failed => 4,
        Outcome::Wrong { .. } => 5,
    };
    match outcomes.iter().max_by_key(|outcome| badness(outcome)) {
        Some(Outcome::Unrated { .. }) | None => {
            let answered = |outcome: &Outcome| *outcome == Outcome::Unrated { answered: true };
            Outcome::Unrated { answered: !outcomes.is_empty() && outcomes.iter().all(answered) }
        }
        Some(worst) => worst.clone(),
    }
}

/// Remarks on a run that are not an outcome: broken limits, crashes, answers that were not asked for.
pub(crate) fn remarks(questions: &[Question], record: &Record) -> Vec<String> {
    let mut remarks = Vec::new();
    let (timeout, memory) = (record.settings.timeout, record.settings.memory);
    if record.cpu_seconds > 1.1 * timeout {
        remarks.push(format!("took {:.1} CPU s of {timeout} s", record.cpu_seconds));
    }
    if record.peak_bytes as f64 > 1.1 * memory as f64 {
        remarks.push(format!("took {} MB of {} MB", record.peak_bytes >> 20, memory >> 20));
    }
    match record.ending() {
        Ending::Exit(0 | 3) => {}
        Ending::OutOfTime => remarks.push("killed for its time".to_string()),
        Ending::OutOfMemory => remarks.push("killed for its memory".to_string()),
        Ending::Exit(status) => remarks.push(format!("exit status {status}: {}", last_line(&record.stderr))),
        Ending::Signal => remarks.push(format!("died from a signal: {}", last_line(&record.stderr))),
    }
    for (name, value) in &record.answers {
        if questions.iter().all(|question| question.name != *name) {
            remarks.push(format!("answers {value} to '{name}', which was not asked"));
        }
    }
    remarks.extend(record.malformed.iter().map(|line| format!("odd line '{line}'")));
    remarks
}

fn last_line(text: &str) -> &str {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing on stderr").trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::answers;
    use crate::corpus::store::Settings;

    fn question(name: &str, answer: Option<&str>) -> Question {
        Question { name: name.to_string(), answer: answer.map(str::to_string) }
    }

    fn record(stdout: &str, ending: Ending, wall_seconds: f64) -> Record {
        let settings = Settings { timeout: 10.0, memory: 1 << 30, extra: Vec::new() };
        let run = crate::child::Run {
            stdout: stdout.to_string(),
            stderr: "boom\n\n".to_string(),
            ending,
            wall_seconds,
            cpu_seconds: wall_seconds,
            peak_bytes: 1 << 20,
        };
        Record::new("Made-PT-up", "StateSpace", settings, &run, answers::parse(stdout))
    }

    fn wrong(question: &str, known: &str, given: &str) -> Outcome {
        Outcome::Wrong { question: question.into(), known: known.into(), given: given.into() }
    }

    const DONE: Ending = Ending::Exit(0);

    #[test]
    fn one_question() {
        let check = |known: Option<&str>, stdout: &str, ending, wall, expected: Outcome| {
            let found = judge(&[question("f", known)], &record(stdout, ending, wall));
            assert_eq!(found, [expected], "{known:?} against {stdout:?}, {ending:?} after {wall} s");
        };
        let yes = "FORMULA f TRUE TECHNIQUES X\n";
        check(Some("TRUE"), yes, DONE, 1.0, Outcome::Right);
        check(Some("FALSE"), yes, DONE, 1.0, wrong("f", "FALSE", "TRUE"));
        check(None, yes, DONE, 1.0, Outcome::Unrated { answered: true });
        check(None, "CANNOT_COMPUTE", DONE, 1.0, Outcome::Unrated { answered: false });
        check(Some("TRUE"), "FORMULA g TRUE TECHNIQUES X\n", DONE, 1.0, Outcome::Unknown);
        check(Some("TRUE"), "CANNOT_COMPUTE\n", DONE, 1.0, Outcome::Unknown);
        check(Some("TRUE"), "CANNOT_COMPUTE\n", DONE, 9.9, Outcome::TimedOut);
        check(Some("TRUE"), "", Ending::OutOfTime, 12.0, Outcome::TimedOut);
        check(Some("TRUE"), "", Ending::OutOfMemory, 3.0, Outcome::Unknown);
        check(Some("TRUE"), "", Ending::Signal, 3.0, Outcome::Failed);
        check(Some("TRUE"), "panic", Ending::Exit(101), 3.0, Outcome::Failed);
        // An answer counts even if the program dies after it; so does a wrong one.
        check(Some("TRUE"), yes, Ending::Signal, 3.0, Outcome::Right);
        check(Some("FALSE"), yes, Ending::OutOfTime, 12.0, wrong("f", "FALSE", "TRUE"));
        // Two answers, one of them wrong.
        let both = "FORMULA f TRUE TECHNIQUES X\nFORMULA f FALSE TECHNIQUES X\n";
        check(Some("TRUE"), both, DONE, 1.0, wrong("f", "TRUE", "FALSE"));
    }

    #[test]
    fn long_numbers_that_differ_in_one_digit() {
        let known = "9".repeat(4000);
        let mut given = known.clone();
        given.replace_range(2000..2001, "8");
        for (value, expected) in [(&known, Outcome::Right), (&given, wrong("STATES", &known, &given))] {
            let stdout = format!("STATE_SPACE STATES {value} TECHNIQUES X\n");
            assert_eq!(judge(&[question("STATES", Some(&known))], &record(&stdout, DONE, 1.0)), [expected]);
        }
    }

    #[test]
    fn infinity_is_a_value() {
        let stdout = "STATE_SPACE STATES +inf TECHNIQUES X\n";
        assert_eq!(judge(&[question("STATES", Some("+inf"))], &record(stdout, DONE, 1.0)), [Outcome::Right]);
        assert_eq!(
            judge(&[question("STATES", Some("5"))], &record(stdout, DONE, 1.0)),
            [wrong("STATES", "5", "+inf")]
        );
    }

    #[test]
    fn four_questions_together() {
        let (right, open) = (Outcome::Right, Outcome::Unrated { answered: true });
        for (outcomes, expected) in [
            (vec![right.clone(); 4], right.clone()),
            (vec![right.clone(), open.clone()], right.clone()),
            (vec![right.clone(), Outcome::Unknown], Outcome::Unknown),
            (vec![right.clone(), Outcome::TimedOut, Outcome::Unknown], Outcome::TimedOut),
            (vec![Outcome::Failed, wrong("f", "1", "2"), right.clone()], wrong("f", "1", "2")),
            (vec![open.clone(); 2], open.clone()),
            (vec![open, Outcome::Unrated { answered: false }], Outcome::Unrated { answered: false }),
        ] {
            assert_eq!(together(&outcomes), expected, "{outcomes:?}");
        }
    }

    #[test]
    fn remarks_name_what_is_odd() {
        let check = |stdout: &str, ending, wall, expected: &[&str]| {
            let found = remarks(&[question("f", None)], &record(stdout, ending, wall));
            assert_eq!(found, expected, "{stdout:?}");
        };
        check("FORMULA f TRUE TECHNIQUES X\nhello\n", DONE, 10.9, &[]);
        check("", Ending::OutOfTime, 12.0, &["took 12.0 CPU s of 10 s", "killed for its time"]);
        check("", Ending::Exit(101), 1.0, &["exit status 101: boom"]);
        check("FORMULA g 3 TECHNIQUES X\n", DONE, 1.0, &["answers 3 to 'g', which was not asked"]);
        check("FORMULA f\n", DONE, 1.0, &["odd line 'FORMULA f'"]);
    }
}
