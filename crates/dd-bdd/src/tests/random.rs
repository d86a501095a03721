//! Random calls on random functions of six variables.

use super::*;
use crate::{Method, Operator};
use symbolon_testkit::{RandomNumbers, seeds};

const COUNT: u32 = 6;

/// Functions with what they ought to be.
struct Pool {
    bdd: Bdd,
    functions: Vec<(Root, Plain)>,
    numbers: RandomNumbers,
}

impl Pool {
    fn new(seed: u64, limits: Limits) -> Pool {
        let mut bdd = bdd(COUNT, limits);
        let functions = (0..COUNT)
            .map(|v| (bdd.variable(Variable(v)).expect("no limit"), plain(COUNT, |row| row >> v & 1 == 1)))
            .collect();
        Pool { bdd, functions, numbers: RandomNumbers::new(seed) }
    }

    fn any(&mut self) -> (Root, Plain) {
        self.numbers.one_of(&self.functions).clone()
    }

    fn variable(&mut self) -> Variable {
        Variable(self.numbers.below(u64::from(COUNT)) as u32)
    }

    fn set(&mut self) -> Vec<Variable> {
        (0..self.numbers.below(4)).map(|_| self.variable()).collect()
    }

    /// Replaces some variables, each by any other.
    fn pairs(&mut self) -> Vec<(Variable, Variable)> {
        let mut from = self.set();
        from.sort_unstable();
        from.dedup();
        from.into_iter().map(|variable| (variable, self.variable())).collect()
    }

    /// One random call; what came out and what ought to.
    fn call(&mut self) -> (String, Root, Plain) {
        let ((f, a), (g, b), (h, c)) = (self.any(), self.any(), self.any());
        let everywhere = u64::MAX;
        let kind = self.numbers.below(16);
        let (answer, expected) = match kind {
            0 => (self.bdd.apply(Operator::And, &f, &g), a & b),
            1 => (self.bdd.apply(Operator::Or, &f, &g), a | b),
            2 => (self.bdd.apply(Operator::Xor, &f, &g), a ^ b),
            3 => (self.bdd.apply(Operator::Implies, &f, &g), !a | b),
            4 => (self.bdd.ite(&f, &g, &h), a & b | !a & c),
            5 => {
                let v = self.variable();
                let row_of = |row: usize| with(row, v.index(), value(b, row));
                (self.bdd.compose(&f, v, &g), plain(COUNT, |row| value(a, row_of(row))))
            }
            6 => {
                let pairs = self.pairs();
                let renaming = self.bdd.renaming(pairs.clone());
                (self.bdd.rename(&f, renaming), plain_rename(COUNT, a, &pairs))
            }
            7 => {
                let set = self.set();
                let known = self.bdd.variable_set(set.clone());
                (self.bdd.exists(&f, known), plain_exists(COUNT, a, &set))
            }
            8 => {
                let set = self.set();
                let known = self.bdd.variable_set(set.clone());
                (self.bdd.and_exists(&f, &g, known), plain_exists(COUNT, a & b, &set))
            }
            9 => {
                let (set, pairs) = (self.set(), self.pairs());
                let (known, renaming) =
                    (self.bdd.variable_set(set.clone()), self.bdd.renaming(pairs.clone()));
                let expected = plain_rename(COUNT, plain_exists(COUNT, a & b, &set), &pairs);
                (self.bdd.image(&f, &g, known, renaming), expected)
            }
            10 => {
                // The target must not depend on what the renaming leads to.
                let (set, pairs) = (self.set(), self.pairs());
                let targets: Vec<Variable> =
                    pairs.iter().filter(|(v, w)| v != w).map(|&(_, to)| to).collect();
                let (known, away) =
                    (self.bdd.variable_set(set.clone()), self.bdd.variable_set(targets.clone()));
                let renaming = self.bdd.renaming(pairs.clone());
                let target = self.bdd.exists(&f, away).expect("no limit");
                let renamed = plain_rename(COUNT, plain_exists(COUNT, a, &targets), &pairs);
                (self.bdd.preimage(&target, &g, known, renaming), plain_exists(COUNT, renamed & b, &set))
            }
            11 => {
                let simple = self.bdd.simplify(&f, &g).expect("no limit");
                let table = read(&self.bdd, COUNT, &simple);
                assert_eq!(table & b, a & b, "simplified where it matters");
                let support = self.bdd.support(&f);
                assert!(self.bdd.support(&simple).iter().all(|variable| support.contains(variable)));
                (Ok(simple), table)
            }
            12 => (Ok(self.bdd.not(&f)), everywhere & !a),
            // Quantifiers lead to constants; this keeps the pool lively.
            _ => {
                let table = self.numbers.any();
                (Ok(made(&mut self.bdd, COUNT, table)), table)
            }
        };
        (format!("call {kind}"), answer.expect("no limit"), expected)
    }

    /// Moves variables in some way.
    fn reorder(&mut self) {
        let method = match self.numbers.below(5) {
            0 => Method::Sifting { repeat: false },
            1 => Method::Sifting { repeat: true },
            2 => Method::Window { width: 2, repeat: false },
            3 => Method::Window { width: 3, repeat: true },
            _ => {
                let mut order = variables(COUNT);
                self.numbers.shuffle(&mut order);
                return self.bdd.set_order(&order).expect("no limit");
            }
        };
        self.bdd.reorder(method).expect("no limit");
    }

    fn run(&mut self, calls: usize, percent_reordered: u64) {
        for _ in 0..calls {
            let (what, answer, expected) = self.call();
            assert_eq!(read(&self.bdd, COUNT, &answer), expected, "{what}");
            if let Some((twin, _)) = self.functions.iter().find(|(_, table)| *table == expected) {
                assert_eq!(*twin, answer, "{what}: equal functions are one edge (BDD-K3)");
            }
            if self.functions.len() < 24 {
                self.functions.push((answer, expected));
            } else {
                let place = self.numbers.below(24) as usize;
                self.functions[place] = (answer, expected);
            }
            if self.numbers.percent(percent_reordered) {
                self.reorder();
                for (root, table) in &self.functions {
                    assert_eq!(read(&self.bdd, COUNT, root), *table, "after moving variables");
                }
            }
            if self.numbers.percent(20) {
                self.bdd.validate().unwrap_or_else(|violation| panic!("{what}: {violation:?}"));
            }
        }
    }
}

#[test]
fn large_tables() {
    for seed in seeds(10) {
        Pool::new(seed, Limits::default()).run(300, 0);
    }
}

#[test]
fn tiny_tables() {
    for seed in seeds(30) {
        let mut pool = Pool::new(seed, TINY);
        pool.run(300, 0);
        assert!(pool.bdd.statistics().collections > 300, "collections happen all the time");
    }
}

#[test]
fn variables_that_move_between_operations() {
    for seed in seeds(30) {
        let limits = if seed % 2 == 0 { TINY } else { Limits::default() };
        Pool::new(seed, limits).run(200, 30);
    }
}

#[test]
fn variables_that_move_inside_operations() {
    for seed in seeds(30) {
        let limits = Limits { reordering_nodes: 1 + seed as usize % 12, ..TINY };
        let mut pool = Pool::new(seed, limits);
        pool.bdd.reorder_automatically(Some(Method::Sifting { repeat: seed % 3 == 0 }));
        if seed % 2 == 0 {
            let twins = (0..COUNT / 2).map(|i| vec![Variable(2 * i), Variable(2 * i + 1)]).collect();
            pool.bdd.set_groups(twins);
        }
        pool.run(200, 0);
        assert!(pool.bdd.reordering_count() > 0, "variables moved");
    }
}
