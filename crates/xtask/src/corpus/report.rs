//! The table of a corpus run, and the lists of what was wrong or odd.

use std::fmt::Write;

use super::answers::shorten;
use super::instance::Instance;
use super::judge::{Outcome, judge, remarks, together};
use super::oracle::{Oracle, Question};
use super::store::{Record, Store};
use crate::table::{Table, To};

/// How many questions of one row ended which way.
#[derive(Clone, Debug, Default)]
struct Tally {
    right: usize,
    wrong: usize,
    unknown: usize,
    timed_out: usize,
    failed: usize,
    unrated: usize,
    unrated_answered: usize,
    not_run: usize,
}

/// A report to print, and whether anything in it is wrong.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) wrong: usize,
}

/// Judges everything that is stored about these instances.
pub(crate) fn report(
    instances: &[(Instance, Oracle)],
    examinations: &[String],
    store: &Store,
    to: To,
) -> Report {
    let mut table = Table::new(
        1,
        &[
            "examination",
            "right",
            "wrong",
            "unknown",
            "timed out",
            "failed",
            "not in oracle",
            "not run",
            "solved",
            "CPU s",
        ],
    );
    let (mut wrongs, mut odds) = (Vec::new(), Vec::new());
    for examination in examinations {
        let mut whole = Tally::default();
        let mut parts: Vec<(String, Tally)> = Vec::new();
        let mut cpu_seconds = 0.0;
        for (instance, oracle) in instances {
            let questions = oracle.questions(examination);
            let Some(record) = store.get(&instance.name, examination) else {
                whole.not_run += if examination == "StateSpace" { 1 } else { questions.len() };
                continue;
            };
            cpu_seconds += record.cpu_seconds;
            let outcomes = judge(&questions, record);
            if examination == "StateSpace" {
                whole.count(&together(&outcomes));
                for (question, outcome) in questions.iter().zip(&outcomes) {
                    tally_of(&mut parts, question).count(outcome);
                }
            } else {
                outcomes.iter().for_each(|outcome| whole.count(outcome));
            }
            wrongs.extend(outcomes.iter().filter_map(|outcome| describe_wrong(record, outcome)));
            let odd = remarks(&questions, record);
            odds.extend(odd.iter().map(|remark| format!("{} {examination}: {remark}", instance.name)));
        }
        table.push(whole.row(examination, &format!("{cpu_seconds:.1}")));
        for (name, tally) in parts {
            table.push(tally.row(&format!("- {name}"), ""));
        }
    }
    let mut text = table.render(to);
    list(&mut text, "wrong", &wrongs);
    list(&mut text, "remarks", &odds);
    Report { text, wrong: wrongs.len() }
}

fn tally_of<'a>(parts: &'a mut Vec<(String, Tally)>, question: &Question) -> &'a mut Tally {
    let at = parts.iter().position(|(name, _)| *name == question.name).unwrap_or_else(|| {
        parts.push((question.name.clone(), Tally::default()));
        parts.len() - 1
    });
    &mut parts[at].1
}

fn list(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{title} ({}):\n", lines.len());
        lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
    }
}

fn describe_wrong(record: &Record, outcome: &Outcome) -> Option<String> {
    let Outcome::Wrong { question, known, given } = outcome else { return None };
    let place = if known.len() > 60 && known.len() == given.len() {
        let at = known.bytes().zip(given.bytes()).position(|(one, other)| one != other).unwrap_or(0);
        format!(", first different digit {}", at + 1)
    } else {
        String::new()
    };
    let (instance, known, given) = (&record.instance, shorten(known), shorten(given));
    Some(format!("{instance} {} {question}: known {known}, given {given}{place}", record.examination))
}

/// One word for how a run went, for the line of progress.
pub(crate) fn word(oracle: &Oracle, record: &Record) -> &'static str {
    match together(&judge(&oracle.questions(&record.examination), record)) {
        Outcome::Right => "right",
        Outcome::Wrong { .. } => "WRONG",
        Outcome::Unknown => "unknown",
        Outcome::TimedOut => "timed out",
        Outcome::Failed => "FAILED",
        Outcome::Unrated { answered: true } => "answered, not in oracle",
        Outcome::Unrated { answered: false } => "not in oracle",
    }
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Right => self.right += 1,
            Outcome::Wrong { .. } => self.wrong += 1,
            Outcome::Unknown => self.unknown += 1,
            Outcome::TimedOut => self.timed_out += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Unrated { answered } => {
                self.unrated += 1;
                self.unrated_answered += usize::from(*answered);
            }
        }
    }

    fn row(&self, name: &str, cpu_seconds: &str) -> Vec<String> {
        let known = self.right + self.wrong + self.unknown + self.timed_out + self.failed;
        let solved = match known {
            0 => "-".to_string(),
            _ => format!("{:.1} % of {known}", 100.0 * self.right as f64 / known as f64),
        };
        let unrated = match self.unrated_answered {
            0 => self.unrated.to_string(),
            answered => format!("{} ({answered} answered)", self.unrated),
        };
        let counts =
            [self.right, self.wrong, self.unknown, self.timed_out, self.failed].map(|n| n.to_string());
        let mut row = vec![name.to_string()];
        row.extend(counts);
        row.extend([unrated, self.not_run.to_string(), solved, cpu_seconds.to_string()]);
        row
    }
}
