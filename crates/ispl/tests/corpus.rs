//! The public models: what is printed reads as the same tree, and the explicit checker counts and
//! answers as the oracle says. Quick by default; the environment variable `SYMBOLON_ISPL=all` asks
//! for everything that fits.

use serde_json::Value;
use std::path::PathBuf;
use symbolon_budget::{Budget, Limits};
use symbolon_explicit::{CheckOptions, Checker};
use symbolon_ispl::{load, parse};
use symbolon_logic::Paths;
use symbolon_testkit::corpus_folder;

/// One model, and what is known of it.
struct Case {
    name: String,
    bytes: Vec<u8>,
    known: Value,
}

/// All models of the corpus, by name.
fn cases(what: &str) -> Vec<Case> {
    let Some(folder) = corpus_folder(what) else { return Vec::new() };
    let folder: PathBuf = folder.join("ispl");
    let oracle = std::fs::read(folder.join("oracle.json")).expect("the oracle can be read");
    let oracle: Value = serde_json::from_slice(&oracle).expect("the oracle is JSON");
    let all = oracle.as_object().expect("one object");
    let case = |(name, known): (&String, &Value)| Case {
        name: name.clone(),
        bytes: std::fs::read(folder.join(name)).expect("every model of the oracle is there"),
        known: known.clone(),
    };
    all.iter().map(case).collect()
}

#[test]
fn what_is_printed_reads_as_the_same_tree() {
    for case in cases("ISPL round trip") {
        let budget = Budget::unlimited();
        let tree = parse(&case.bytes, &budget).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let printed = tree.to_string();
        let again = parse(printed.as_bytes(), &budget)
            .unwrap_or_else(|error| panic!("{}, printed: {error}\n{printed}", case.name));
        assert_eq!(tree, again, "{}", case.name);
        assert_eq!(again.to_string(), printed, "{}", case.name);
    }
}

#[test]
fn what_is_printed_means_the_same() {
    for case in cases("ISPL meaning of what is printed") {
        let budget = Budget::unlimited();
        let load =
            |bytes: &[u8]| load(bytes, "same", &budget).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let first = load(&case.bytes);
        let again = load(first.tree.to_string().as_bytes());
        let (one, other) = (&first.model, &again.model);
        assert_eq!(one.variables, other.variables, "{}", case.name);
        assert_eq!(one.values, other.values, "{}", case.name);
        assert_eq!(one.events, other.events, "{}", case.name);
        assert_eq!(one.initially, other.initially, "{}", case.name);
        assert_eq!(one.observers, other.observers, "{}", case.name);
        assert_eq!(first.fairness, again.fairness, "{}", case.name);
        for (one, other) in first.formulae.iter().zip(&again.formulae) {
            assert_eq!(one.formula, other.formula, "{}", case.name);
            assert_eq!(one.reference_text, other.reference_text, "{}", case.name);
        }
        assert_eq!(first.formulae.len(), again.formulae.len(), "{}", case.name);
    }
}

#[test]
fn formulas_are_read_as_the_oracle_prints_them() {
    for case in cases("ISPL formulas") {
        let loaded = load(&case.bytes, &case.name, &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let known = case.known["formulas"].as_array().expect("a list");
        let read: Vec<&str> = loaded.formulae.iter().map(|asked| &*asked.reference_text).collect();
        let wanted: Vec<&str> = known.iter().filter_map(|formula| formula["text"].as_str()).collect();
        assert_eq!(read, wanted, "{}", case.name);
    }
}

#[test]
fn states_and_verdicts_are_those_of_the_oracle() {
    let asks_all = std::env::var("SYMBOLON_ISPL").is_ok_and(|value| value == "all");
    let (largest, seconds) = if asks_all { (100_000, 300) } else { (1000, 20) };
    let mut wrong = Vec::new();
    let mut counts = (0, 0, 0);
    for case in cases("ISPL verdicts") {
        let states = case.known["states"].as_u64().expect("a number");
        if states > largest {
            counts.2 += 1;
            continue;
        }
        let limits = Limits { time: Some(std::time::Duration::from_secs(seconds)), memory: Some(4 << 30) };
        let budget = Budget::new(limits);
        let loaded = load(&case.bytes, &case.name, &budget).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let started = std::time::Instant::now();
        let mut checker = match Checker::new(&loaded.model, &CheckOptions::default(), &budget) {
            Ok(checker) => checker,
            Err(stopped) => {
                wrong.push(format!("{}: {stopped}", case.name));
                continue;
            }
        };
        let found = checker.exploration();
        counts.0 += 1;
        if found.state_count() as u64 != states || Some(found.depth() as u64) != case.known["depth"].as_u64()
        {
            wrong.push(format!(
                "{}: {} states at depth {}, expected {states} at {}",
                case.name,
                found.state_count(),
                found.depth(),
                case.known["depth"]
            ));
        }
        let dead = found.dead_states().len();
        for (asked, known) in loaded.formulae.iter().zip(case.known["formulas"].as_array().expect("a list")) {
            counts.1 += 1;
            let verdict = checker.check(&asked.formula, Paths::Infinite, &loaded.fairness);
            match verdict {
                Ok(checked) if Some(checked.holds()) == known["verdict"].as_bool() => {}
                Ok(checked) => wrong.push(format!(
                    "{}: {} is {}, expected {}",
                    case.name,
                    asked.reference_text,
                    checked.holds(),
                    known["verdict"]
                )),
                Err(stopped) => wrong.push(format!("{}: {}: {stopped}", case.name, asked.reference_text)),
            }
        }
        println!("{}: {states} states, {dead} dead, {:.2?}", case.name, started.elapsed());
    }
    println!("{} models, {} verdicts, {} models too large", counts.0, counts.1, counts.2);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
