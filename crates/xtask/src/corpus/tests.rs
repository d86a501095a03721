//! The whole way with a made-up corpus and a made-up `symbolon`: run, store, resume, report.

use std::fs;
use std::path::PathBuf;

use super::*;

/// A stand-in for `symbolon`: answers by the name of the instance, and logs each call.
const SCRIPT: &str = r#"#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for folder in "$@"; do :; done
case "$folder" in
  *Right*) echo "loading"; echo "STATE_SPACE STATES 12 TECHNIQUES X"; echo "STATE_SPACE TRANSITIONS 30 TECHNIQUES X"
           echo "STATE_SPACE MAX_TOKEN_PER_MARKING 4 TECHNIQUES X"; echo "STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES X" ;;
  *Wrong*) echo "STATE_SPACE STATES 13 TECHNIQUES X" ;;
  *Partly*) echo "STATE_SPACE STATES 12 TECHNIQUES X"; echo CANNOT_COMPUTE ;;
  *Crash*) echo "thread 'main' panicked" >&2; exit 101 ;;
  *Slow*)  sleep 30 ;;
  *Open*)  echo "STATE_SPACE STATES 12 TECHNIQUES X" ;;
esac
"#;

const KNOWN: &str = r#"{"StateSpace": {"states": "12", "transitions": "30",
    "max_token_in_place": "1", "max_token_per_marking": "4"}}"#;

struct World {
    folder: tempfile::TempDir,
    settings: Settings,
}

impl World {
    fn new(names: &[&str]) -> World {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let instance = folder.path().join("mcc").join(name);
            fs::create_dir_all(&instance).unwrap();
            fs::write(instance.join("model.pnml"), "").unwrap();
            fs::write(instance.join("oracle.json"), if name.contains("Open") { "{}" } else { KNOWN })
                .unwrap();
        }
        // Another process writes the script: a descriptor of ours that is open for writing could be
        // inherited by a child of a test beside this one, and the script could not be run.
        let (source, binary) = (folder.path().join("source"), folder.path().join("symbolon"));
        fs::write(&source, SCRIPT).unwrap();
        let installed = Command::new("install").args(["-m", "755"]).arg(&source).arg(&binary).status();
        assert!(installed.unwrap().success());
        World { folder, settings: Settings { timeout: 0.25, memory: 1 << 30, extra: vec!["-q".to_string()] } }
    }

    fn binary(&self) -> PathBuf {
        self.folder.path().join("symbolon")
    }

    /// Runs what is missing and gives the report.
    fn run(&self, fresh: bool) -> report::Report {
        let selection = Selection { kind: Kind::Pt, third: false, filter: None };
        let instances = instance::find(&self.folder.path().join("mcc"), &selection).unwrap();
        let with_oracle = |instance: Instance| (instance.clone(), Oracle::read(&instance.folder).unwrap());
        let instances: Vec<_> = instances.into_iter().map(with_oracle).collect();
        let examinations = ["StateSpace".to_string()];
        let store = Mutex::new(Store::open(self.folder.path(), "label", &self.settings));
        let tasks = open_tasks(&instances, &examinations, &store, fresh);
        run_all(&tasks, &self.binary(), &self.settings, 2, &store).unwrap();
        report::report(&instances, &examinations, &store.into_inner().unwrap(), To::Text)
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.folder.path().join("calls")).unwrap_or_default().lines().count()
    }
}

/// The cells of the row that begins with a name.
fn row<'a>(report: &'a report::Report, name: &str) -> Vec<&'a str> {
    let line = report.text.lines().find(|line| line.starts_with(name)).unwrap();
    line[name.len()..].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn every_way_a_run_can_end() {
    let world = World::new(&[
        "A-PT-Right",
        "B-PT-Wrong",
        "C-PT-Partly",
        "D-PT-Crash",
        "E-PT-Slow",
        "F-PT-Open",
        "G-COL-Right",
    ]);
    let report = world.run(false);
    assert_eq!(report.wrong, 1, "{}", report.text);
    // right, wrong, unknown, timed out, failed, not in oracle, not run, solved
    assert_eq!(
        row(&report, "StateSpace")[..8],
        ["1", "1", "1", "1", "1", "1", "0", "20.0 % of 5"],
        "{}",
        report.text
    );
    assert_eq!(row(&report, "- STATES")[..6], ["2", "1", "0", "1", "1", "1 (1 answered)"], "{}", report.text);
    for part in [
        "- B-PT-Wrong StateSpace STATES: known 12, given 13\n",
        "- D-PT-Crash StateSpace: exit status 101: thread 'main' panicked\n",
        "- E-PT-Slow StateSpace: killed for its time\n",
    ] {
        assert!(report.text.contains(part), "{part:?} is missing in\n{}", report.text);
    }
    let call = fs::read_to_string(world.folder.path().join("calls")).unwrap();
    assert!(call.contains("--cpu-timeout 0.25 --timeout 2 --memory 1G -q mcc StateSpace "), "{call}");
}

#[test]
fn what_is_stored_is_not_run_again() {
    let world = World::new(&["A-PT-Right", "B-PT-Right"]);
    assert_eq!(row(&world.run(false), "StateSpace")[0], "2");
    assert_eq!(world.calls(), 2);
    assert_eq!(row(&world.run(false), "StateSpace")[0], "2");
    assert_eq!(world.calls(), 2);
    world.run(true);
    assert_eq!(world.calls(), 4);
}

#[test]
fn instances_without_a_result_are_counted_as_not_run() {
    let world = World::new(&["A-PT-Right"]);
    world.run(false);
    let other = World { settings: Settings { timeout: 7.0, ..world.settings.clone() }, ..world };
    let instances = instance::find(
        &other.folder.path().join("mcc"),
        &Selection { kind: Kind::Pt, third: false, filter: None },
    )
    .unwrap();
    let instances: Vec<_> = instances.into_iter().map(|instance| (instance, Oracle::default())).collect();
    let store = Store::open(other.folder.path(), "label", &other.settings);
    let report = report::report(&instances, &["StateSpace".to_string()], &store, To::Text);
    assert_eq!(row(&report, "StateSpace")[..8], ["0", "0", "0", "0", "0", "0", "1", "-"], "{}", report.text);
}
