//! Random formulas over two atoms.

use crate::kripke::Atom;
use symbolon_logic::{Builder, Formula, FormulaId, Operator};
use symbolon_testkit::RandomNumbers;

/// A random state formula of CTL*.
pub(crate) fn random_formula(numbers: &mut RandomNumbers) -> Formula<Atom> {
    let mut draw = Draw { builder: Builder::default(), numbers };
    let depth = draw.numbers.between(1, 4);
    let root = draw.state_formula(depth);
    draw.builder.finish(root)
}

/// A random formula of CTL.
pub(crate) fn random_ctl(numbers: &mut RandomNumbers) -> Formula<Atom> {
    let mut draw = Draw { builder: Builder::default(), numbers };
    let depth = draw.numbers.between(1, 5);
    let root = draw.ctl(depth);
    draw.builder.finish(root)
}

struct Draw<'a> {
    builder: Builder<Atom>,
    numbers: &'a mut RandomNumbers,
}

impl Draw<'_> {
    fn leaf(&mut self) -> FormulaId {
        let operator = match self.numbers.below(10) {
            0 => Operator::True,
            1 => Operator::False,
            2 => Operator::Deadlock,
            number => Operator::Atom((number % 2) as Atom),
        };
        self.builder.add(operator)
    }

    fn state_formula(&mut self, depth: u64) -> FormulaId {
        if depth == 0 {
            return self.leaf();
        }
        let operator = match self.numbers.below(9) {
            0..3 => {
                let mut temporal = 2;
                Operator::Exists(self.path_formula(depth, &mut temporal))
            }
            3..6 => {
                let mut temporal = 2;
                Operator::ForAll(self.path_formula(depth, &mut temporal))
            }
            _ => {
                let (f, g) = (self.state_formula(depth - 1), self.state_formula(depth - 1));
                self.boolean(f, g)
            }
        };
        self.builder.add(operator)
    }

    fn boolean(&mut self, f: FormulaId, g: FormulaId) -> Operator<Atom> {
        match self.numbers.below(6) {
            0 | 1 => Operator::Not(f),
            2 => Operator::And(f, g),
            3 => Operator::Or(f, g),
            4 => Operator::Implies(f, g),
            _ => Operator::Equivalent(f, g),
        }
    }

    /// At most `temporal` temporal operators, not counting those below further quantifiers.
    fn path_formula(&mut self, depth: u64, temporal: &mut u64) -> FormulaId {
        if depth == 0 || (*temporal == 0 && self.numbers.percent(50)) {
            return self.leaf();
        }
        let choice = self.numbers.below(10);
        let operator = if choice < 2 {
            return self.state_formula(depth - 1);
        } else if choice < 6 && *temporal > 0 {
            *temporal -= 1;
            let f = self.path_formula(depth - 1, temporal);
            let g =
                if self.numbers.percent(50) { self.path_formula(depth - 1, temporal) } else { self.leaf() };
            self.temporal(f, g)
        } else {
            let (f, g) = (self.path_formula(depth - 1, temporal), self.path_formula(depth - 1, temporal));
            self.boolean(f, g)
        };
        self.builder.add(operator)
    }

    fn temporal(&mut self, f: FormulaId, g: FormulaId) -> Operator<Atom> {
        match self.numbers.below(7) {
            0 | 1 => Operator::Next(f),
            2 => Operator::Finally(f),
            3 => Operator::Globally(f),
            4 => Operator::Until(f, g),
            5 => Operator::WeakUntil(f, g),
            _ => Operator::Release(f, g),
        }
    }

    fn ctl(&mut self, depth: u64) -> FormulaId {
        if depth == 0 {
            return self.leaf();
        }
        let (f, g) = (self.ctl(depth - 1), self.ctl(depth - 1));
        let operator = match self.numbers.below(3) {
            0 => self.boolean(f, g),
            1 => {
                let path = self.temporal(f, g);
                Operator::Exists(self.builder.add(path))
            }
            _ => {
                let path = self.temporal(f, g);
                Operator::ForAll(self.builder.add(path))
            }
        };
        self.builder.add(operator)
    }
}
