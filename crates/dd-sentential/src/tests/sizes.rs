//! Sizes against another package: PySDD, the Python wrapper of UCLA's SDD package 2.0.
//!
//! A canonical diagram has one size for a function and a vtree, so two packages must agree to the
//! unit, counted as both count: without signs on edges; also where the vtree was moved under the
//! diagram, and the other package compiles anew. The figures of that package are kept in
//! `sizes.txt`, so the test needs it no longer. They were made by
//! `SYMBOLON_SIZES=DIR cargo test -p symbolon-dd-sentential sizes`, which writes every CNF and
//! vtree into a folder, and `python sizes.py DIR > sizes.txt` in this one.

use super::*;
use std::fmt::Write;

/// A conjunction of clauses, of literals counted from 1 as in DIMACS.
struct Cnf {
    name: String,
    variable_count: u32,
    clauses: Vec<Vec<i32>>,
}

/// `n` queens on a board, none in reach of another; one variable for each square.
fn queens(n: i32) -> Cnf {
    let square = |row: i32, column: i32| row * n + column + 1;
    let all = || (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    let mut clauses: Vec<Vec<i32>> =
        (0..n).map(|row| (0..n).map(|column| square(row, column)).collect()).collect();
    for (row, column) in all() {
        for (other_row, other_column) in all().filter(|other| *other > (row, column)) {
            let (down, right) = (other_row - row, other_column - column);
            if down == 0 || right == 0 || down == right.abs() {
                clauses.push(vec![-square(row, column), -square(other_row, other_column)]);
            }
        }
    }
    Cnf { name: format!("queens-{n}"), variable_count: (n * n) as u32, clauses }
}

/// An adder of two numbers of `n` bits, bit by bit: a, b, sum and carry of each place.
fn adder(n: i32) -> Cnf {
    let mut clauses = Vec::new();
    for place in 0..n {
        let [a, b, sum, carry] = [1, 2, 3, 4].map(|part| 4 * place + part);
        let before = if place == 0 { None } else { Some(carry - 4) };
        for row in 0..8_i32 {
            let (x, y, z) = (row & 1, row >> 1 & 1, row >> 2);
            if z == 1 && before.is_none() {
                continue;
            }
            let total = x + y + z;
            let is = |variable: i32, bit: i32| if bit == 1 { -variable } else { variable };
            let mut row: Vec<i32> = vec![is(a, x), is(b, y)];
            row.extend(before.map(|before| is(before, z)));
            clauses.push([&row[..], &[if total & 1 == 1 { sum } else { -sum }]].concat());
            clauses.push([&row[..], &[if total > 1 { carry } else { -carry }]].concat());
        }
    }
    Cnf { name: format!("adder-{n}"), variable_count: 4 * n as u32, clauses }
}

fn random_cnf(seed: u64, variable_count: u32, clause_count: usize) -> Cnf {
    let mut numbers = RandomNumbers::new(seed);
    let mut clause = || {
        let mut literals: Vec<i32> = Vec::new();
        while literals.len() < 3 {
            let variable = 1 + numbers.below(u64::from(variable_count)) as i32;
            if literals.iter().all(|literal| literal.abs() != variable) {
                literals.push(if numbers.below(2) == 1 { variable } else { -variable });
            }
        }
        literals
    };
    let clauses = (0..clause_count).map(|_| clause()).collect();
    Cnf { name: format!("random-{seed}"), variable_count, clauses }
}

/// All pairs of a CNF and a vtree, with a name.
fn pairs() -> Vec<(String, Cnf, Vtree)> {
    let mut pairs = Vec::new();
    let mut add = |shape: &str, cnf: fn(i32) -> Cnf, n: i32, vtree: fn(&[Variable]) -> Vtree| {
        let cnf = cnf(n);
        let vtree = vtree(&variables(cnf.variable_count));
        pairs.push((format!("{} {shape}", cnf.name), cnf, vtree));
    };
    for n in 4..=7 {
        add("balanced", queens, n, Vtree::balanced);
        add("right", queens, n, Vtree::right_linear);
    }
    for n in 4..=6 {
        add("vertical", queens, n, Vtree::vertical);
    }
    add("left", queens, 4, Vtree::left_linear);
    for n in [2, 4, 8] {
        add("balanced", adder, n, Vtree::balanced);
        add("right", adder, n, Vtree::right_linear);
    }
    add("left", adder, 2, Vtree::left_linear);
    for seed in 0..10 {
        for shape in 0..3 {
            let cnf = random_cnf(seed, 18, 40);
            let vtree = random_vtree(18, &mut RandomNumbers::new(100 * shape + seed));
            pairs.push((format!("{} tree-{shape}", cnf.name), cnf, vtree));
        }
    }
    pairs
}

fn compiled(cnf: &Cnf, vtree: Vtree) -> (Sdd, Root) {
    let mut sdd = sdd(vtree, Limits::default());
    let mut all = sdd.constant(true);
    for clause in &cnf.clauses {
        let literals: Vec<(Variable, bool)> =
            clause.iter().map(|literal| (Variable(literal.unsigned_abs() - 1), *literal > 0)).collect();
        let clause = sdd.clause(&literals).expect("no limit");
        all = sdd.and(&all, &clause).expect("no limit");
    }
    (sdd, all)
}

/// Compiles all pairs and moves the vtrees of a second copy at random. Writes each CNF and vtree
/// into a folder, if one is given; returns the lines that the other package prints for them.
fn figures(folder: Option<&str>) -> String {
    let mut found = String::new();
    for (name, cnf, vtree) in pairs() {
        let (mut sdd, all) = compiled(&cnf, vtree);
        let mut numbers = RandomNumbers::new(name.bytes().map(u64::from).sum());
        for name in [name.clone(), format!("{name} moved")] {
            if let Some(folder) = folder {
                let file = name.replace(' ', "_");
                let mut text = format!("p cnf {} {}\n", cnf.variable_count, cnf.clauses.len());
                for clause in &cnf.clauses {
                    let literals: Vec<String> = clause.iter().map(i32::to_string).collect();
                    let _ = writeln!(text, "{} 0", literals.join(" "));
                }
                std::fs::write(format!("{folder}/{file}.cnf"), text).expect("the folder is there");
                let vtree = sdd.vtree().to_text();
                std::fs::write(format!("{folder}/{file}.vtree"), vtree).expect("the folder is there");
            }
            let (nodes, elements) = sdd.signed_size([&all]);
            let count = sdd.count(&all, &variables(cnf.variable_count));
            let _ = writeln!(found, "{name}: {elements} elements, {nodes} nodes, {count} models");
            // The second time with the diagram moved in place.
            let turns: Vec<crate::Turn> =
                (0..60).map(|_| super::minimising::random_turn(sdd.vtree(), &mut numbers)).collect();
            sdd.turn_all_within(&turns, 20_000).expect("no limit");
        }
    }
    found
}

/// The figures of the package itself, if Python has it.
#[test]
fn sizes_are_those_that_the_other_package_finds_now() {
    let python = std::env::var("SYMBOLON_PYTHON").unwrap_or_else(|_| "python3".into());
    let has_package = std::process::Command::new(&python)
        .args(["-c", "import pysdd"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_package {
        eprintln!("skipped: {python} has no module pysdd; pip install pysdd, or set SYMBOLON_PYTHON");
        return;
    }
    let folder = std::env::temp_dir().join(format!("symbolon-sizes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let found = figures(folder.to_str());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/sizes.py");
    let output =
        std::process::Command::new(&python).arg(script).arg(&folder).output().expect("it has run before");
    std::fs::remove_dir_all(&folder).expect("it was written");
    let theirs = String::from_utf8(output.stdout).expect("text");
    assert_same_lines(&found, &theirs);
}

fn assert_same_lines(found: &str, expected: &str) {
    let mut expected: Vec<&str> = expected.lines().collect();
    let mut found: Vec<&str> = found.lines().collect();
    expected.sort_unstable();
    found.sort_unstable();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn sizes_are_those_of_the_other_package() {
    let expected = include_str!("sizes.txt");
    let found = figures(std::env::var("SYMBOLON_SIZES").ok().as_deref());
    assert!(expected.lines().count() >= 40, "a table worth the name");
    assert_same_lines(&found, expected);
}

#[test]
fn signs_save_nodes_and_elements() {
    let (sdd, all) = compiled(&queens(6), Vtree::balanced(&variables(36)));
    let (nodes, elements) = sdd.signed_size([&all]);
    assert!(sdd.node_count([&all]) < nodes && sdd.element_count([&all]) < elements);
}
