//! What is shown, on how many threads, and with which seed never changes a verdict: random models and
//! formulas, each checked in fourteen ways.
//!
//! `SYMBOLON_SEED` chooses the first seed, `SYMBOLON_PAIRS` how many formulas are checked (60 if nothing is
//! said).

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use symbolon_attack::{Case, Kind};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn run(folder: &Path, words: &[String], options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symbolon"));
    command.args(words).args(options).args(["--timeout", "20"]).current_dir(folder).stdin(Stdio::null());
    String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
}

/// The verdicts in an answer as JSON.
fn verdicts(answer: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(answer).unwrap_or_default();
    let properties = report["properties"].as_array().cloned().unwrap_or_default();
    properties.iter().map(|one| one["verdict"].as_str().unwrap_or("none").to_string()).collect()
}

#[test]
fn options_never_change_verdicts() {
    let wanted = number("SYMBOLON_PAIRS", 60);
    let folder = tempfile::tempdir().unwrap();
    let kinds = [Kind::Nets, Kind::Agents, Kind::Programs, Kind::Coloured];
    let (mut pairs, mut runs, mut known) = (0, 0, [0_u64; 2]);
    for seed in number("SYMBOLON_SEED", 1).. {
        if pairs >= wanted {
            break;
        }
        let case = Case::draw(seed, &kinds);
        let mut words: Vec<String> = Vec::new();
        let mut arguments = case.arguments().into_iter();
        // What is varied here is left out; everything else that was drawn stays.
        while let Some(word) = arguments.next() {
            match word.as_str() {
                "--json" | "-q" | "-v" => {}
                "--seed" | "--threads" | "--timeout" => _ = arguments.next(),
                _ => words.push(word),
            }
        }
        if words.first().is_none_or(|command| command != "check") {
            continue;
        }
        case.write(folder.path()).unwrap();
        let usual = verdicts(&run(folder.path(), &words, &["--json"]));
        if usual.is_empty() {
            // A search within a bound, or an automaton, that is refused.
            continue;
        }
        let check = |options: &[&str]| {
            let found = verdicts(&run(folder.path(), &words, &[&["--json"], options].concat()));
            assert_eq!(found, usual, "seed {seed}, {words:?} with {options:?}");
        };
        check(&["-v"]);
        check(&["--threads", "1"]);
        check(&["--threads", "2"]);
        (0..10).for_each(|seed| check(&["--seed", &seed.to_string()]));
        let text = run(folder.path(), &words, &["-q"]);
        let told: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().last()).collect();
        assert_eq!(told, usual, "seed {seed}, {words:?} with -q");
        for verdict in &usual {
            known[0] += u64::from(verdict == "holds");
            known[1] += u64::from(verdict == "fails");
        }
        pairs += usual.len() as u64;
        runs += 15;
    }
    println!("{pairs} formulas, {runs} runs: {} hold, {} fail", known[0], known[1]);
    // A test of answers that are all the same would be harmless.
    assert!(known.iter().all(|&count| 5 * count >= pairs), "{known:?} of {pairs}");
}
