//! Random formulas about a model, each a function of its seed.
//!
//! A formula is drawn top down, its size handed from operator to operands. What makes it worth
//! asking is its atoms: their constants are taken from states that random walks through the model
//! have met, so that comparisons are true in some states and false in others. Roots are drawn so
//! that neither verdict is rare (a test measures it): a random `A` mostly fails and a random `E`
//! mostly holds, so both must be equally likely.

use crate::RandomNumbers;
use symbolon_logic::{Builder, Formula, FormulaId, Operator};
use symbolon_model::{Atom, Comparison, EventId, Expr, Model, Predicate, State, VariableId};

/// Which formulas are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Each temporal operator directly below a quantifier.
    Ctl,
    /// One quantifier, at the root.
    Ltl,
    /// Quantifiers and temporal operators in any order.
    CtlStar,
}

impl Logic {
    /// All of them.
    pub const ALL: [Logic; 3] = [Logic::Ctl, Logic::Ltl, Logic::CtlStar];

    /// Whether a formula belongs to this logic. Formulas without temporal operators belong to all.
    pub fn contains(self, formula: &Formula<Atom>) -> bool {
        let fragment = formula.fragment();
        let is_quantifier = |operator: &Operator<Atom>| {
            matches!(operator, Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..))
        };
        let quantifiers = formula.subformulas().filter(|(_, operator)| is_quantifier(operator)).count();
        match self {
            Logic::Ctl => fragment <= symbolon_logic::Fragment::Ctl,
            Logic::Ltl => {
                quantifiers == 1 && is_quantifier(formula.operator(formula.root()))
                    || fragment == symbolon_logic::Fragment::Propositional
            }
            Logic::CtlStar => true,
        }
    }
}

/// The formula of `logic` about `model` that belongs to `seed`, with at most `size` operators and
/// atoms (at least 3).
pub fn random_formula(model: &Model, logic: Logic, size: usize, seed: u64) -> Formula<Atom> {
    // Another stream than the one a model of the same seed is drawn from.
    let mut numbers = RandomNumbers::new(seed ^ 0x5eed_f0a5_0000_0000);
    let states = met_states(model, &mut numbers);
    let mut drawing = Drawing { model, logic, states, numbers, builder: Builder::default() };
    let root = match logic {
        Logic::Ctl => drawing.state_formula(size),
        Logic::Ltl => drawing.quantified(size),
        Logic::CtlStar if drawing.numbers.percent(70) => drawing.quantified(size),
        Logic::CtlStar => drawing.state_formula(size),
    };
    drawing.builder.finish(root)
}

/// An atom about `model`: what [`random_formula`] puts at its leaves.
pub fn random_atom(model: &Model, seed: u64) -> Formula<Atom> {
    let mut numbers = RandomNumbers::new(seed ^ 0xa70a_0000_0000_0000);
    let states = met_states(model, &mut numbers);
    let mut drawing = Drawing { model, logic: Logic::Ctl, states, numbers, builder: Builder::default() };
    let root = drawing.atom();
    drawing.builder.finish(root)
}

/// States on a few random walks, initial states among them.
fn met_states(model: &Model, numbers: &mut RandomNumbers) -> Vec<State> {
    const WALKS: usize = 4;
    const STEPS: usize = 16;
    let mut met = Vec::new();
    for _ in 0..WALKS {
        let mut state = numbers.one_of(&model.initial).clone();
        for _ in 0..STEPS {
            met.push(state.clone());
            let next: Vec<State> =
                model.events.iter().filter_map(|event| event.fire(&state).ok().flatten()).collect();
            if next.is_empty() {
                break;
            }
            state = numbers.one_of(&next).clone();
        }
    }
    met
}

/// A formula under way.
struct Drawing<'a> {
    model: &'a Model,
    logic: Logic,
    states: Vec<State>,
    numbers: RandomNumbers,
    builder: Builder<Atom>,
}

impl Drawing<'_> {
    /// A formula about a state.
    fn state_formula(&mut self, size: usize) -> FormulaId {
        match (size, self.numbers.below(100)) {
            (0..3, _) => self.atom(),
            (_, 0..55) => self.quantified(size),
            (_, 55..65) => {
                let operand = self.state_formula(size - 1);
                self.builder.add(Operator::Not(operand))
            }
            _ => self.connective(size, Drawing::state_formula),
        }
    }

    /// A quantifier and what stands below it.
    fn quantified(&mut self, size: usize) -> FormulaId {
        let operand = match self.logic {
            Logic::Ctl => self.temporal(size - 1, Drawing::state_formula),
            // A few quantifiers in vain.
            Logic::CtlStar if self.numbers.percent(4) => self.state_formula(size - 1),
            _ => self.path_formula(size - 1),
        };
        let operator = if self.numbers.percent(50) { Operator::Exists } else { Operator::ForAll };
        self.builder.add(operator(operand))
    }

    /// A formula about a path.
    fn path_formula(&mut self, size: usize) -> FormulaId {
        match (size, self.numbers.below(100)) {
            (0..2, _) => self.atom(),
            (3.., 0..25) if self.logic == Logic::CtlStar => self.state_formula(size),
            (_, 0..70) => self.temporal(size, Drawing::path_formula),
            (2, _) | (_, 70..80) => {
                let operand = self.path_formula(size - 1);
                self.builder.add(Operator::Not(operand))
            }
            _ => self.connective(size, Drawing::path_formula),
        }
    }

    /// A temporal operator whose operands are drawn by `operand`.
    fn temporal(&mut self, size: usize, operand: fn(&mut Self, usize) -> FormulaId) -> FormulaId {
        let kinds = if size < 3 { 3 } else { 7 };
        let kind = self.numbers.below(kinds);
        let operator = if kind < 3 {
            let below = operand(self, size.saturating_sub(1));
            match kind {
                0 => Operator::Next(below),
                1 => Operator::Finally(below),
                _ => Operator::Globally(below),
            }
        } else {
            let (left, right) = self.split(size, operand);
            match kind {
                3 | 4 => Operator::Until(left, right),
                5 => Operator::WeakUntil(left, right),
                _ => Operator::Release(left, right),
            }
        };
        self.builder.add(operator)
    }

    /// A connective whose two operands are drawn by `operand`.
    fn connective(&mut self, size: usize, operand: fn(&mut Self, usize) -> FormulaId) -> FormulaId {
        let (left, right) = self.split(size, operand);
        let operator = match self.numbers.below(10) {
            0..4 => Operator::And(left, right),
            4..7 => Operator::Or(left, right),
            7..9 => Operator::Implies(left, right),
            _ => Operator::Equivalent(left, right),
        };
        self.builder.add(operator)
    }

    /// Two operands that share what size is left.
    fn split(&mut self, size: usize, operand: fn(&mut Self, usize) -> FormulaId) -> (FormulaId, FormulaId) {
        let rest = size.saturating_sub(1).max(2);
        let left = self.numbers.between(1, rest as u64 - 1) as usize;
        (operand(self, left), operand(self, rest - left))
    }

    /// A statement about one state.
    fn atom(&mut self) -> FormulaId {
        let has_variables = !self.model.variables.is_empty();
        let has_events = !self.model.events.is_empty();
        let operator = match self.numbers.below(100) {
            0..3 => Operator::True,
            3..5 => Operator::False,
            5..13 => Operator::Deadlock,
            13..38 if has_events => Operator::Atom(Atom::Fireable(self.events())),
            _ if has_variables => Operator::Atom(Atom::Holds(self.comparison())),
            _ => Operator::Deadlock,
        };
        self.builder.add(operator)
    }

    /// One to three events, ascending.
    fn events(&mut self) -> Vec<EventId> {
        let count = self.numbers.between(1, 3);
        let mut events: Vec<_> =
            (0..count).map(|_| EventId(self.numbers.below(self.model.events.len() as u64) as u32)).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// A comparison: of one variable or of a sum with a constant, or of two variables or sums with
    /// each other.
    fn comparison(&mut self) -> Predicate {
        const COMPARISONS: [Comparison; 6] = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        let left = match self.numbers.below(100) {
            0..60 => self.variable(),
            _ => self.sum(),
        };
        let right = match self.numbers.below(100) {
            0..25 => self.variable(),
            25..32 => self.sum(),
            _ => {
                // The value that the left side has somewhere, rarely one beside it.
                let state = self.numbers.one_of(&self.states);
                let value = left.evaluate(state).and_then(|value| i64::try_from(value).ok()).unwrap_or(0);
                let beside = if self.numbers.percent(15) { self.numbers.between(0, 2) as i64 - 1 } else { 0 };
                Expr::Constant(value + beside)
            }
        };
        let comparison = *self.numbers.one_of(&COMPARISONS);
        // One comparison in ten has its sides the other way round.
        let (left, right) = if self.numbers.percent(10) { (right, left) } else { (left, right) };
        Predicate::Compare(left, comparison, right)
    }

    fn variable(&mut self) -> Expr {
        Expr::Variable(VariableId(self.numbers.below(self.model.variables.len() as u64) as u32))
    }

    /// Two to four variables, rarely one of them twice or thrice, rarely a constant.
    fn sum(&mut self) -> Expr {
        let mut terms: Vec<Expr> = (0..self.numbers.between(2, 4)).map(|_| self.variable()).collect();
        if self.numbers.percent(15) {
            let factor = Expr::Constant(self.numbers.between(2, 3) as i64);
            let first = terms.swap_remove(0);
            terms.push(Expr::Product(Box::new(factor), Box::new(first)));
        }
        if self.numbers.percent(10) {
            terms.push(Expr::Constant(self.numbers.between(1, 2) as i64));
        }
        Expr::Sum(terms)
    }
}
