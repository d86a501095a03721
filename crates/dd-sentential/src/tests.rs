//! Diagrams against truth tables: exhaustively for few variables, randomly for six on random
//! vtrees, with tables so small that collections happen all the time; sizes against those of
//! another package.

mod cnfs;
mod events;
mod exhaustive;
mod limits;
mod minimising;
mod random;
mod sizes;
mod texts;

use crate::{Limits, Part, Root, Sdd, Variable, Vtree, VtreeBuilder};
use symbolon_budget::{Budget, Meter};
use symbolon_testkit::RandomNumbers;

/// Collects before nearly every operation, and forgets nearly everything.
const TINY: Limits = Limits {
    cache_bits: 3,
    largest_cache_bits: 4,
    collection_nodes: 1,
    collection_percent: 0,
    minimising_nodes: 10,
};

fn sdd(vtree: Vtree, limits: Limits) -> Sdd {
    Sdd::new(vtree, Meter::new(Budget::unlimited()), limits).expect("no limit")
}

fn variables(count: u32) -> Vec<Variable> {
    (0..count).map(Variable).collect()
}

/// Any shape over any order.
fn random_vtree(count: u32, numbers: &mut RandomNumbers) -> Vtree {
    let mut builder = VtreeBuilder::new();
    let mut order = variables(count);
    numbers.shuffle(&mut order);
    let mut parts: Vec<Part> = builder.leaves(&order);
    while parts.len() > 1 {
        let place = numbers.below(parts.len() as u64 - 1) as usize;
        let right = parts.remove(place + 1);
        parts[place] = builder.join(parts[place], right);
    }
    builder.finish(parts[0]).expect("a tree")
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

fn number(bits: &[bool]) -> usize {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | usize::from(bit))
}

fn made(sdd: &mut Sdd, count: u32, table: Plain) -> Root {
    sdd.build(&variables(count), |values| value(table, number(values))).expect("no limit")
}

fn read(sdd: &Sdd, count: u32, function: &Root) -> Plain {
    plain(count, |row| {
        let values: Vec<bool> = (0..count).map(|variable| row >> variable & 1 == 1).collect();
        sdd.contains(function, &values)
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
