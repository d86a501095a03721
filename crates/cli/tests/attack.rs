//! A short attack: random models and questions, put to the program and compared with the referee,
//! which shares no code with it. `cargo xtask attack` goes on for as long as one likes; this one is
//! for every commit.
//!
//! `SYMBOLON_SEED` chooses the first seed, `SYMBOLON_TIMES` tries that many times as many. A
//! mistake is made smaller before it is shown.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use symbolon_attack::{Case, Ending, Kind, Output, Tally, compare, shrink};
use symbolon_checker::DiagramKind;

/// Cases of each kind: together they take less than a minute.
fn usual_cases(kind: Kind) -> u64 {
    match kind {
        Kind::Agents => 900,
        Kind::Nets => 600,
        Kind::Contest => 400,
        Kind::Programs => 250,
        Kind::Coloured => 300,
    }
}

/// Runs the program on a case. A time limit is its own business; nothing here takes long.
fn ask(case: &Case, folder: &Path) -> Output {
    case.write(folder).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_symbolon"));
    command.args(case.arguments()).args(["--timeout", "3"]).current_dir(folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    Output {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        ending: output.status.code().map_or(Ending::Signal, Ending::Exit),
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Attacks one kind of models.
fn attack(kind: Kind) -> Tally {
    let folder = tempfile::tempdir().unwrap();
    let first = number("SYMBOLON_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + usual_cases(kind) * number("SYMBOLON_TIMES", 1) {
        let case = Case::draw(seed, &[kind]);
        let outcome = compare(&case, &ask(&case, folder.path()));
        tally.add(&outcome.tally);
        let Some(complaint) = outcome.complaints.first() else { continue };
        let run = &mut |case: &Case| Some(ask(case, folder.path()));
        let (least, shown) = shrink(&case, complaint, Duration::from_secs(30), run);
        for (name, text) in least.files() {
            println!("── {name}\n{text}");
        }
        println!("── symbolon {:?}\n{}", least.arguments(), ask(&least, folder.path()).stdout);
        let name = kind.name();
        panic!(
            "{} ({}); cargo xtask attack --kinds {name} --replay {seed}, or SYMBOLON_SEED={seed}",
            shown.text, shown.class
        );
    }
    println!("{}: {:?}", kind.name(), tally.0);
    let runs = tally.get("runs");
    // The attack must not become harmless: neither verdict is rare, and dead states and several
    // initial ones are not.
    let verdicts = tally.get("verdicts");
    for verdict in ["holds", "fails"] {
        assert!(5 * tally.get(verdict) >= verdicts, "{} of {verdicts} are {verdict}", tally.get(verdict));
    }
    assert!(5 * tally.get("model: dead states") >= runs, "{tally:?}");
    if matches!(kind, Kind::Nets | Kind::Contest | Kind::Coloured) {
        assert!(10 * tally.get("model: not safe") >= 3 * runs, "{tally:?}");
    } else {
        assert!(4 * tally.get("model: several initial states") >= runs, "{tally:?}");
    }
    tally
}

#[test]
fn nets() {
    let tally = attack(Kind::Nets);
    let runs = tally.get("runs");
    assert!(2 * tally.get("witnesses") > runs && 10 * tally.get("claims compared") > runs, "{tally:?}");
}

#[test]
fn agents() {
    let tally = attack(Kind::Agents);
    for shape in ["trace", "lasso", "tree", "epistemic", "strategy"] {
        assert!(tally.get(&format!("shape: {shape}")) > 0, "{tally:?}");
    }
}

#[test]
fn programs() {
    attack(Kind::Programs);
}

#[test]
fn contest_folders() {
    attack(Kind::Contest);
}

#[test]
fn coloured_nets() {
    let tally = attack(Kind::Coloured);
    let runs = tally.get("runs");
    assert!(2 * tally.get("witnesses") > runs && tally.get("figures") > runs, "{tally:?}");
}

/// A kind of diagram that is never attacked would only be thought to be right.
#[test]
fn every_kind_of_diagram_is_attacked() {
    let kinds = DiagramKind::ALL.iter().map(|kind| kind.name()).chain(["explicit"]);
    let missing: Vec<&str> = kinds.filter(|name| !symbolon_attack::DIAGRAMS.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
