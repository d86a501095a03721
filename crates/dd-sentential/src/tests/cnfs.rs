//! DIMACS texts, and conjunctions of clauses compiled along vtrees.

use super::*;
use crate::{Cnf, CnfError, Minimisation};
use symbolon_testkit::seeds;

fn random(seed: u64, count: u32) -> Cnf {
    let mut numbers = RandomNumbers::new(seed);
    let mut clause = || {
        let length = numbers.below(4);
        (0..length)
            .map(|_| (Variable(numbers.below(u64::from(count)) as u32), numbers.below(2) == 1))
            .collect::<Vec<_>>()
    };
    let mut clauses: Vec<_> = (0..12).map(|_| clause()).collect();
    // Most conjunctions with an empty clause are dull.
    if !seed.is_multiple_of(8) {
        clauses.retain(|clause| !clause.is_empty());
    }
    Cnf { variable_count: count, clauses }
}

#[test]
fn compiled_is_what_the_clauses_say() {
    for seed in seeds(80) {
        let cnf = random(seed, 6);
        let table = plain(6, |row| {
            let is = |(variable, value): &(Variable, bool)| (row >> variable.index() & 1 == 1) == *value;
            cnf.clauses.iter().all(|clause| clause.iter().any(is))
        });
        let mut numbers = RandomNumbers::new(seed);
        let least = cnf.min_fill_vtree(&Budget::unlimited()).expect("no limit");
        for vtree in [random_vtree(6, &mut numbers), least] {
            for minimise in [false, true] {
                let mut sdd = sdd(vtree.clone(), TINY);
                sdd.minimise_automatically(minimise.then(Minimisation::default));
                let compiled = sdd.compile(&cnf).expect("no limit");
                assert_eq!(read(&sdd, 6, &compiled), table, "seed {seed}");
                sdd.validate().expect("valid");
            }
        }
    }
}

#[test]
fn least_fill_finds_the_chain() {
    // Neighbours in a row of 200 variables, in shuffled order: linear under the vtree of least fill.
    let mut order = variables(200);
    RandomNumbers::new(1).shuffle(&mut order);
    let clauses = order.windows(2).map(|two| vec![(two[0], true), (two[1], true)]).collect();
    let cnf = Cnf { variable_count: 200, clauses };
    let vtree = cnf.min_fill_vtree(&Budget::unlimited()).expect("no limit");
    let mut sdd = sdd(vtree, Limits::default());
    let all = sdd.compile(&cnf).expect("no limit");
    assert!(sdd.element_count([&all]) < 200 * 12, "{}", sdd.element_count([&all]));
    // Rows of bits without two zeros side by side are counted by Fibonacci.
    let (mut before, mut count) = (num_bigint::BigUint::from(1_u32), num_bigint::BigUint::from(2_u32));
    for _ in 1..200 {
        (before, count) = (count.clone(), before + count);
    }
    assert_eq!(sdd.count(&all, &variables(200)), count);
}

#[test]
fn texts_are_read() {
    let cnf = Cnf::from_dimacs("c x\np cnf 3 2\n1 -3 0 2\n 3 0\n%\n0\n").expect("good");
    assert_eq!(cnf.clauses[0], [(Variable(0), true), (Variable(2), false)]);
    assert_eq!((cnf.variable_count, cnf.clauses.len(), cnf.clauses[1].len()), (3, 2, 2));
    let wrong = |text: &str| Cnf::from_dimacs(text).expect_err("wrong");
    for (text, line, part) in [
        ("1 2 0", Some(1), "before the first clause"),
        ("p cnf x 1", Some(1), "two numbers"),
        ("p dnf 1 1", Some(1), "p cnf"),
        ("p cnf 2 1\n1 3 0", Some(2), "variables 1 to 2"),
        ("p cnf 2 1\n1 a 0", Some(2), "a literal"),
        ("p cnf 2 1\n1 2", None, "end with 0"),
        ("p cnf 2 2\n1 2 0", None, "but 1 follow"),
        ("p cnf 2 1\np cnf 2 1\n1 0", Some(2), "second"),
        ("p cnf 99999999 0", Some(1), "at most"),
        ("", None, "no line"),
    ] {
        let CnfError { line: found, what } = wrong(text);
        assert_eq!(found, line, "{text}");
        assert!(what.contains(part), "{text}: {what}");
    }
    let nothing = Cnf::from_dimacs("p cnf 0 0\n").expect("good");
    let vtree = nothing.min_fill_vtree(&Budget::unlimited()).expect("no limit");
    let mut sdd = sdd(vtree, Limits::default());
    assert!(nothing.fits(sdd.vtree()).is_ok());
    let all = sdd.compile(&nothing).expect("no limit");
    assert_eq!(all, sdd.constant(true));
}
