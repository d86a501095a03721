//! Results on disk, so that a run can be interrupted, continued and cited.
//!
//! There is one file per label (see `project`), `corpus-results/LABEL.jsonl`, with one JSON object
//! a line for each run. A later line about the same run replaces an earlier one. Runs are stored
//! with their answers and not with verdicts: those are judged anew whenever a table is printed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::answers::Answers;
use crate::child::{Ending, Run};
use crate::project;

/// The limits and options under which a run took place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// CPU seconds.
    pub(crate) timeout: f64,
    /// Bytes.
    pub(crate) memory: u64,
    /// Passed to `symbolon` as they are.
    pub(crate) extra: Vec<String>,
}

impl Settings {
    /// How long a run may take by the clock, which on a busy machine is longer than its CPU time.
    pub(crate) fn clock_seconds(&self) -> f64 {
        8.0 * self.timeout
    }
}

/// One run of one examination on one instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) instance: String,
    pub(crate) examination: String,
    pub(crate) settings: Settings,
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) refusal: Option<String>,
    pub(crate) malformed: Vec<String>,
    ending: String,
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
    /// The end of what the program said on its standard error.
    pub(crate) stderr: String,
}

impl Record {
    /// What there is to store about a run.
    pub(crate) fn new(
        instance: &str,
        examination: &str,
        settings: Settings,
        run: &Run,
        answers: Answers,
    ) -> Record {
        Record {
            instance: instance.to_string(),
            examination: examination.to_string(),
            settings,
            answers: answers.given,
            refusal: answers.refusal,
            malformed: answers.malformed,
            ending: match run.ending {
                Ending::Exit(status) => status.to_string(),
                Ending::Signal => "signal".to_string(),
                Ending::OutOfTime => "time".to_string(),
                Ending::OutOfMemory => "memory".to_string(),
            },
            wall_seconds: run.wall_seconds,
            cpu_seconds: run.cpu_seconds,
            peak_bytes: run.peak_bytes,
            stderr: tail(&run.stderr, 600),
        }
    }

    /// How the run ended.
    pub(crate) fn ending(&self) -> Ending {
        match self.ending.as_str() {
            "time" => Ending::OutOfTime,
            "memory" => Ending::OutOfMemory,
            status => status.parse().map_or(Ending::Signal, Ending::Exit),
        }
    }
}

/// The stored runs of one label under one setting.
pub(crate) struct Store {
    path: PathBuf,
    records: BTreeMap<(String, String), Record>,
}

impl Store {
    /// Reads what is stored for a label; lines that cannot be read are as if they had never been.
    pub(crate) fn open(folder: &Path, label: &str, settings: &Settings) -> Store {
        let path = folder.join(format!("{label}.jsonl"));
        // A line may be torn in the middle of a letter.
        let text = fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut records = BTreeMap::new();
        for record in text.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok()) {
            if record.settings == *settings {
                records.insert((record.instance.clone(), record.examination.clone()), record);
            }
        }
        Store { path, records }
    }

    /// The stored run of an examination, if there is one.
    pub(crate) fn get(&self, instance: &str, examination: &str) -> Option<&Record> {
        self.records.get(&(instance.to_string(), examination.to_string()))
    }

    /// Stores a run, on disk before anything else.
    pub(crate) fn put(&mut self, record: Record) -> Result<()> {
        project::append(&self.path, &serde_json::to_string(&record)?)?;
        self.records.insert((record.instance.clone(), record.examination.clone()), record);
        Ok(())
    }
}

/// The label whose results were written last.
pub(crate) fn latest_label(folder: &Path) -> Option<String> {
    let mut files: Vec<(SystemTime, String)> = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let (Some(label), Ok(data)) = (name.strip_suffix(".jsonl"), entry.metadata())
            && label != "binaries"
            && let Ok(time) = data.modified()
        {
            files.push((time, label.to_string()));
        }
    }
    files.into_iter().max().map(|(_, label)| label)
}

/// The last `length` letters of a text, or all of it.
fn tail(text: &str, length: usize) -> String {
    let skip = text.chars().count().saturating_sub(length);
    text.chars().skip(skip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::answers;

    fn settings(timeout: f64) -> Settings {
        Settings { timeout, memory: 8 << 30, extra: vec!["--no-shortcuts".to_string()] }
    }

    fn record(instance: &str, timeout: f64, states: &str, ending: Ending) -> Record {
        let stdout = format!("STATE_SPACE STATES {states} TECHNIQUES X\nSTATE_SPACE ODD\n");
        let run = Run {
            stdout: stdout.clone(),
            stderr: "é".repeat(1000),
            ending,
            wall_seconds: 0.1,
            cpu_seconds: 0.25,
            peak_bytes: 4096,
        };
        Record::new(instance, "StateSpace", settings(timeout), &run, answers::parse(&stdout))
    }

    #[test]
    fn stored_results_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let long = "3".repeat(4000);
        let first = record("A-PT-1", 60.0, &long, Ending::Exit(0));
        let crashed = record("B-PT-1", 60.0, "1", Ending::Signal);
        let mut store = Store::open(folder.path(), "abc", &settings(60.0));
        assert!(store.get("A-PT-1", "StateSpace").is_none());
        store.put(first.clone()).unwrap();
        store.put(crashed.clone()).unwrap();

        let again = Store::open(folder.path(), "abc", &settings(60.0));
        assert_eq!(again.get("A-PT-1", "StateSpace"), Some(&first));
        assert_eq!(again.get("B-PT-1", "StateSpace"), Some(&crashed));
        assert_eq!(again.get("B-PT-1", "StateSpace").map(Record::ending), Some(Ending::Signal));
        assert_eq!(again.get("A-PT-1", "OneSafe"), None);
        // Other limits and other labels are other results.
        assert_eq!(Store::open(folder.path(), "abc", &settings(10.0)).get("A-PT-1", "StateSpace"), None);
        assert_eq!(Store::open(folder.path(), "abd", &settings(60.0)).get("A-PT-1", "StateSpace"), None);
    }

    #[test]
    fn the_last_result_counts_and_torn_lines_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), "abc", &settings(60.0));
        store.put(record("A-PT-1", 60.0, "1", Ending::Exit(0))).unwrap();
        let path = folder.path().join("abc.jsonl");
        let whole = fs::read(&path).unwrap();
        let torn = whole.iter().position(|byte| *byte == 0xc3).map(|at| &whole[..=at]).unwrap();
        fs::write(&path, [&whole, torn].concat()).unwrap();
        let again = Store::open(folder.path(), "abc", &settings(60.0));
        assert_eq!(again.get("A-PT-1", "StateSpace").unwrap().answers[0].1, "1");
        store.put(record("A-PT-1", 60.0, "2", Ending::OutOfTime)).unwrap();

        let again = Store::open(folder.path(), "abc", &settings(60.0));
        let record = again.get("A-PT-1", "StateSpace").unwrap();
        assert_eq!(record.answers, [("STATES".to_string(), "2".to_string())]);
        assert_eq!(record.ending(), Ending::OutOfTime);
        assert_eq!(record.stderr.chars().count(), 600);
        assert_eq!(latest_label(folder.path()).as_deref(), Some("abc"));
    }
}
