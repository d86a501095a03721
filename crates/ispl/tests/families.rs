//! The built-in families: as many states as published, and the verdicts that their stories tell.
//! The environment variable `SYMBOLON_ISPL=all` asks for larger members too.

use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Checker};
use symbolon_ispl::families::{families, generate};
use symbolon_ispl::load;
use symbolon_logic::Paths;

/// Whether larger members are asked for, which take a while.
fn asks_all() -> bool {
    std::env::var("SYMBOLON_ISPL").is_ok_and(|value| value == "all")
}

/// The number of states of a member, its depth, and its verdicts as letters.
#[track_caller]
fn check(call: &str, states: usize, depth: usize, verdicts: &str) {
    let budget = Budget::unlimited();
    let member = generate(call).expect("in range");
    assert_eq!(member.call, call);
    let loaded =
        load(member.text.as_bytes(), call, &budget).unwrap_or_else(|error| panic!("{call}: {error}"));
    assert!(loaded.warnings.is_empty(), "{call}: {:?}", loaded.warnings);
    assert_eq!(member.tree(&budget), Ok(loaded.tree.clone()));
    let mut checker = Checker::new(&loaded.model, &CheckOptions::default(), &budget).expect("small");
    let found = checker.exploration();
    assert_eq!((found.state_count(), found.depth()), (states, depth), "{call}");
    assert!(found.dead_states().is_empty(), "{call}");
    let letters: String = loaded
        .formulae
        .iter()
        .map(|asked| checker.check(&asked.formula, Paths::Infinite, &loaded.fairness).expect("small").holds())
        .map(|holds| if holds { 'T' } else { 'F' })
        .collect();
    assert_eq!(letters, verdicts, "{call}");
}

#[test]
fn dining_cryptographers_have_the_published_sizes() {
    for (n, states) in [(3, 160), (4, 400), (5, 960), (6, 2240), (7, 5120)] {
        check(&format!("dining-cryptographers:{n}"), states, 3, "TTTF");
    }
    check("dining-cryptographers:4,enum", 400, 3, "TTTF");
    check("dining-cryptographers:5,enum", 960, 3, "TTTF");
    check("dining-cryptographers:4,sum", 400, 3, "TTTF");
    check("dining-cryptographers:5,sum", 960, 3, "TTTF");
    if asks_all() {
        check("dining-cryptographers:8", 11_520, 3, "TTTF");
        check("dining-cryptographers:9", 25_600, 3, "TTTF");
    }
}

#[test]
fn prisoners_have_the_published_sizes() {
    for (n, states, depth) in [(3, 50, 8), (4, 201, 12), (5, 746, 16), (6, 2631, 20)] {
        check(&format!("prisoners:{n}"), states, depth, "FTFTTFFT");
        check(&format!("prisoners:{n},enum"), states, depth, "FTFTTFFT");
    }
    if asks_all() {
        check("prisoners:7", 8980, 24, "FTFTTFFT");
        check("prisoners:8,enum", 30_001, 28, "FTFTTFFT");
    }
}

#[test]
fn a_bit_is_transmitted() {
    check("bit-transmission", 18, 3, "TTTFF");
}

#[test]
fn muddy_children_learn() {
    for (n, states) in [(2, 7), (3, 19), (4, 47), (6, 255)] {
        assert_eq!(states, (n + 2) * (1 << (n - 1)) - 1);
        check(&format!("muddy-children:{n}"), states, n, "TTTTTTT");
    }
}

#[test]
fn the_attack_of_lowe_is_found_and_the_repair_holds() {
    check("needham-schroeder:1", 63, 6, "TFFFT");
    check("needham-schroeder:1,repaired", 76, 6, "TTTTT");
    let default = generate("needham-schroeder").expect("a default");
    assert_eq!(default.call, "needham-schroeder:1");
    let repaired = generate("needham-schroeder:repaired").expect("a default");
    assert_eq!(repaired.call, "needham-schroeder:1,repaired");
}

#[test]
fn the_examples_of_the_lecture() {
    check("two-automata", 4, 2, "TFFF");
    check("two-automata:synchronised", 2, 1, "FFTT");
    check("two-automata:guarded", 4, 3, "TTFF");
    check("pedestrian-crossing", 15, 8, "TTFTTF");
}

#[test]
fn every_example_and_variant_is_written() {
    for family in families() {
        let example = family.example();
        let mark = if family.parameters.is_empty() { ":" } else { "," };
        let variants = family.variants.iter().map(|variant| format!("{example}{mark}{}", variant.name));
        for call in variants.chain([example.clone()]) {
            let member = generate(&call).unwrap_or_else(|error| panic!("{call}: {error}"));
            load(member.text.as_bytes(), &call, &Budget::unlimited())
                .unwrap_or_else(|e| panic!("{call}: {e}"));
        }
    }
}

#[test]
fn wrong_calls_are_explained() {
    let check = |call: &str, expected: &str| {
        assert_eq!(generate(call).expect_err("wrong").to_string(), expected);
    };
    check("prisoner:3", "there is no built-in family 'prisoner'; did you mean 'prisoners'?");
    check(
        "prisoners",
        "'prisoners' takes N (prisoners, the counter among them), and perhaps one of range, enum, found ''; write for instance 'prisoners:5'",
    );
    check(
        "bit-transmission:3",
        "'bit-transmission' takes no parameters, found '3'; write for instance 'bit-transmission'",
    );
    check("dining-cryptographers:2", "N of 'dining-cryptographers:2' must lie between 3 and 300, found 2");
    check(
        "dining-cryptographers:20,enum",
        "N of 'dining-cryptographers:20,enum' must lie between 3 and 15, found 20",
    );
}
