//! Diagrams against truth tables: exhaustively for few variables, randomly for six, with tables so
//! small that collections happen all the time and with variables that move at random moments.

mod lecture;
mod limits;
mod moves;
mod operators;
mod queens;
mod random;
mod reordering;
mod steps;
mod tables;

use crate::{Bdd, Limits, Root, Variable};
use symbolon_budget::{Budget, Meter};

/// Collects at every third step or so, and forgets nearly everything.
const TINY: Limits = Limits {
    cache_bits: 3,
    largest_cache_bits: 4,
    first_collection_nodes: 1,
    collection_nodes: 1,
    collection_percent: 0,
    reordering_nodes: 12,
};

fn bdd(variables: u32, limits: Limits) -> Bdd {
    Bdd::new(variables, Meter::new(Budget::unlimited()), limits).expect("no limit")
}

fn variables(count: u32) -> Vec<Variable> {
    (0..count).map(Variable).collect()
}

/// A function of up to six variables: bit `row` is its value where variable `v` is bit `v` of
/// `row`.
type Plain = u64;

fn plain(count: u32, value: impl Fn(usize) -> bool) -> Plain {
    (0..1_usize << count).fold(0, |table, row| table | u64::from(value(row)) << row)
}

fn value(table: Plain, row: usize) -> bool {
    table >> row & 1 == 1
}

fn with(row: usize, variable: usize, value: bool) -> usize {
    row & !(1 << variable) | usize::from(value) << variable
}

fn made(bdd: &mut Bdd, count: u32, table: Plain) -> Root {
    let row = |values: &[bool]| values.iter().rev().fold(0, |row, &value| row << 1 | usize::from(value));
    bdd.build(&variables(count), |values| value(table, row(values))).expect("no limit")
}

fn read(bdd: &Bdd, count: u32, function: &Root) -> Plain {
    plain(count, |row| {
        let values: Vec<bool> = (0..count).map(|variable| row >> variable & 1 == 1).collect();
        bdd.contains(function, &values)
    })
}

/// What `exists` means, on tables.
fn plain_exists(count: u32, table: Plain, set: &[Variable]) -> Plain {
    set.iter().fold(table, |table, variable| {
        plain(count, |row| [false, true].iter().any(|&bit| value(table, with(row, variable.index(), bit))))
    })
}

/// What `rename` means, on tables: each variable is looked up where its replacement stands.
fn plain_rename(count: u32, table: Plain, pairs: &[(Variable, Variable)]) -> Plain {
    plain(count, |row| {
        let look =
            pairs.iter().fold(row, |look, (from, to)| with(look, from.index(), row >> to.index() & 1 == 1));
        value(table, look)
    })
}
