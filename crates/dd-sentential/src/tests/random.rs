//! Random calls on random functions of six variables under random vtrees.

use super::*;
use crate::Quantification;
use symbolon_testkit::seeds;

const COUNT: u32 = 6;

/// Functions with what they ought to be.
struct Pool {
    sdd: Sdd,
    functions: Vec<(Root, Plain)>,
    numbers: RandomNumbers,
}

impl Pool {
    fn new(seed: u64, limits: Limits) -> Pool {
        let mut numbers = RandomNumbers::new(seed);
        let mut sdd = sdd(random_vtree(COUNT, &mut numbers), limits);
        let functions =
            (0..COUNT).map(|v| (sdd.variable(Variable(v)), plain(COUNT, |row| row >> v & 1 == 1))).collect();
        Pool { sdd, functions, numbers }
    }

    fn any(&mut self) -> (Root, Plain) {
        self.numbers.one_of(&self.functions).clone()
    }

    fn variable(&mut self) -> Variable {
        Variable(self.numbers.below(u64::from(COUNT)) as u32)
    }

    fn set(&mut self) -> Vec<Variable> {
        (0..self.numbers.below(5)).map(|_| self.variable()).collect()
    }

    /// Replaces some variables, each by any other.
    fn pairs(&mut self) -> Vec<(Variable, Variable)> {
        let mut from = self.set();
        from.sort_unstable();
        from.dedup();
        from.into_iter().map(|variable| (variable, self.variable())).collect()
    }

    fn weights(&mut self) -> Vec<(Variable, i128)> {
        variables(COUNT).into_iter().map(|v| (v, i128::from(self.numbers.below(9)) - 4)).collect()
    }

    /// One random call; what came out and what ought to.
    fn call(&mut self) -> (String, Root, Plain) {
        let ((f, a), (g, b), (h, c)) = (self.any(), self.any(), self.any());
        let kind = self.numbers.below(16);
        let (answer, expected) = match kind {
            0 => (self.sdd.and(&f, &g), a & b),
            1 => (self.sdd.or(&f, &g), a | b),
            2 => (self.sdd.xor(&f, &g), a ^ b),
            3 => (self.sdd.minus(&f, &g), a & !b),
            4 => (self.sdd.ite(&f, &g, &h), a & b | !a & c),
            5 => {
                let literals: Vec<(Variable, bool)> =
                    self.set().into_iter().map(|v| (v, self.numbers.below(2) == 1)).collect();
                let mut distinct = literals.clone();
                distinct.sort_unstable();
                distinct.dedup_by_key(|literal| literal.0);
                let row = |row| distinct.iter().fold(row, |row, &(v, bit)| with(row, v.index(), bit));
                (self.sdd.condition(&f, &distinct), plain(COUNT, |at| value(a, row(at))))
            }
            6 => {
                let pairs = self.pairs();
                let renaming = self.sdd.renaming(pairs.clone());
                (self.sdd.rename(&f, renaming), plain_rename(COUNT, a, &pairs))
            }
            7 => {
                let set = self.set();
                let known = self.sdd.variable_set(set.clone());
                (self.sdd.exists(&f, known), plain_exists(COUNT, a, &set))
            }
            8 => {
                let ways = [Quantification::OnePass, Quantification::OneByOne, Quantification::Recursive];
                self.sdd.quantify_by(*self.numbers.one_of(&ways));
                let set = self.set();
                let known = self.sdd.variable_set(set.clone());
                (self.sdd.and_exists(&f, &g, known), plain_exists(COUNT, a & b, &set))
            }
            9 => {
                let (set, pairs) = (self.set(), self.pairs());
                let (known, renaming) =
                    (self.sdd.variable_set(set.clone()), self.sdd.renaming(pairs.clone()));
                let expected = plain_rename(COUNT, plain_exists(COUNT, a & b, &set), &pairs);
                (self.sdd.image(&f, &g, known, renaming), expected)
            }
            10 => {
                let (set, pairs) = (self.set(), self.pairs());
                let (known, renaming) =
                    (self.sdd.variable_set(set.clone()), self.sdd.renaming(pairs.clone()));
                let renamed = plain_rename(COUNT, a, &pairs);
                (self.sdd.preimage(&f, &g, known, renaming), plain_exists(COUNT, renamed & b, &set))
            }
            11 => {
                let simple = self.sdd.simplify(&f, &g).expect("no limit");
                let table = read(&self.sdd, COUNT, &simple);
                assert_eq!(table & b, a & b, "simplified where it matters");
                let support = self.sdd.support(&f);
                assert!(self.sdd.support(&simple).iter().all(|variable| support.contains(variable)));
                (Ok(simple), table)
            }
            12 => {
                assert_eq!(self.sdd.are_apart(&f, &g), Ok(a & b == 0));
                (Ok(self.sdd.not(&f)), !a)
            }
            13 => {
                let (weights, bound) = (self.weights(), i128::from(self.numbers.below(9)) - 4);
                let sum = |row: usize| -> i128 {
                    weights.iter().filter(|(v, _)| row >> v.0 & 1 == 1).map(|(_, weight)| weight).sum()
                };
                let best = (0..1 << COUNT).filter(|&row| value(a, row)).map(sum).max();
                assert_eq!(self.sdd.largest_sum(&f, &weights), Ok(best));
                let decided = |least: i128, most: i128| {
                    if most <= bound { Some(true) } else { (least > bound).then_some(false) }
                };
                (self.sdd.sum_test(&weights, &decided), plain(COUNT, |row| sum(row) <= bound))
            }
            // Quantifiers lead to constants; this keeps the pool lively.
            _ => {
                let table = self.numbers.any();
                (Ok(made(&mut self.sdd, COUNT, table)), table)
            }
        };
        (format!("call {kind}"), answer.expect("no limit"), expected)
    }

    fn run(&mut self, calls: usize, seed: u64) {
        let mut counter = self.sdd.counter(&variables(COUNT));
        for _ in 0..calls {
            let (what, answer, expected) = self.call();
            assert_eq!(read(&self.sdd, COUNT, &answer), expected, "{what}, seed {seed}");
            assert_eq!(
                self.sdd.count(&answer, &variables(COUNT)),
                expected.count_ones().into(),
                "seed {seed}"
            );
            let possible = self.sdd.possible_values(&answer);
            for (variable, possible) in possible.into_iter().enumerate() {
                let rows = |bit: bool| {
                    (0..1 << COUNT).any(|row| value(expected, row) && (row >> variable & 1 == 1) == bit)
                };
                assert_eq!(possible, [rows(false), rows(true)], "{what}, seed {seed}");
            }
            assert_eq!(
                self.sdd.count_with(&answer, &mut counter),
                expected.count_ones().into(),
                "{what}, seed {seed}"
            );
            let same = self.functions.iter().find(|(_, table)| *table == expected);
            assert!(same.is_none_or(|(known, _)| *known == answer), "{what}, seed {seed}: SDD-K6");
            self.functions.push((answer, expected));
            if self.functions.len() > 20 {
                let place = self.numbers.below(self.functions.len() as u64) as usize;
                self.functions.swap_remove(place);
            }
        }
        for (function, table) in self.functions.clone() {
            assert_eq!(read(&self.sdd, COUNT, &function), table, "still, seed {seed}");
            let text = self.sdd.to_text(&function);
            assert_eq!(self.sdd.from_text(&text), Ok(function), "seed {seed}");
        }
        self.sdd.validate().unwrap_or_else(|violation| panic!("seed {seed}: {violation:?}"));
    }
}

#[test]
fn random_calls() {
    for seed in seeds(60) {
        Pool::new(seed, Limits::default()).run(80, seed);
    }
}

#[test]
fn random_calls_on_tiny_tables() {
    for seed in seeds(60) {
        Pool::new(seed, TINY).run(80, seed);
    }
}
