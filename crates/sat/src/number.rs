//! Numbers of a state as literals.
//!
//! A small number is *order-encoded*: its i-th literal says that the number is above i. Tests are
//! then literals as they stand, and adding a constant renames literals and costs nothing. A
//! variable of an exclusive set, or of a safe net, is the case of one literal. A larger number is
//! written in binary. Every number knows a value that it never exceeds; as the states of a run get
//! further from the start this value grows, and with it the number of literals, so that no bound
//! has to be constant.

use crate::circuit::Circuit;
use crate::{Clauses, Literal};
use std::rc::Rc;

/// Numbers up to this are order-encoded.
pub(crate) const LARGEST_UNARY: u64 = 20;

/// No variable exceeds this (`symbolon-model`).
pub(crate) const LARGEST_VALUE: u64 = i64::MAX as u64;

/// The value of a variable in some state of a run. Cheap to clone: most variables do not change in
/// a step.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    /// The i-th literal says that the number is above i.
    Unary(Rc<[Literal]>),
    /// The bits, lowest first, of a number that does not exceed `largest`.
    Binary { bits: Rc<[Literal]>, largest: u64 },
}

/// One way to write a variable.
pub(crate) struct Way {
    /// It is taken where this is true.
    pub(crate) taken: Literal,
    /// The number then written.
    pub(crate) result: Number,
    /// Whether the result may be smaller than the number before.
    pub(crate) may_fall: bool,
    /// Whether the result may be larger than the number before.
    pub(crate) may_rise: bool,
}

impl Number {
    pub(crate) fn constant(value: u64) -> Number {
        if value <= LARGEST_UNARY {
            return Number::Unary((0..value).map(|_| Literal::TRUE).collect());
        }
        let bits = (0..width(value)).map(|bit| Literal::from(value >> bit & 1 == 1)).collect();
        Number::Binary { bits, largest: value }
    }

    /// A value that is never exceeded.
    pub(crate) fn largest(&self) -> u64 {
        match self {
            Number::Unary(above) => above.len() as u64,
            Number::Binary { largest, .. } => *largest,
        }
    }

    /// The largest value that a state can hold, where the number plus `delta` might exceed it.
    /// Whether it does is for the solver to say: the largest value known here may be far from any
    /// that occurs.
    pub(crate) fn limit_of_sum(&self, delta: i64) -> Option<u64> {
        (self.largest().saturating_add_signed(delta) > LARGEST_VALUE).then_some(LARGEST_VALUE)
    }

    /// The value, given the truth of literals.
    pub(crate) fn value(&self, is_true: impl Fn(Literal) -> bool) -> u64 {
        match self {
            Number::Unary(above) => above.iter().take_while(|&&literal| is_true(literal)).count() as u64,
            Number::Binary { bits, .. } => {
                let bits = bits.iter().enumerate();
                bits.map(|(bit, &literal)| u64::from(is_true(literal)) << bit).sum()
            }
        }
    }

    /// The same with constants in the place of literals whose value is `known`.
    pub(crate) fn settled(&self, known: impl Fn(Literal) -> Option<bool>) -> Number {
        let settle = |literal: &Literal| known(*literal).map_or(*literal, Literal::from);
        match self {
            Number::Unary(above) if above.iter().any(|&literal| literal.constant() != known(literal)) => {
                let mut settled: Vec<Literal> = above.iter().map(settle).collect();
                settled.truncate(settled.iter().position(|&a| a == Literal::FALSE).unwrap_or(settled.len()));
                Number::Unary(settled.into())
            }
            Number::Binary { bits, largest }
                if bits.iter().any(|&literal| literal.constant() != known(literal)) =>
            {
                let bits: Rc<[Literal]> = bits.iter().map(settle).collect();
                // The largest value that the unsettled bits allow.
                let allowed = bits.iter().enumerate().filter(|(_, bit)| **bit != Literal::FALSE);
                let allowed: u64 = allowed.map(|(bit, _)| 1 << bit).sum();
                Number::Binary { largest: allowed.min(*largest), bits }
            }
            _ => self.clone(),
        }
    }
}

/// The number of bits of `value`.
pub(crate) fn width(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()) as usize
}

impl<C: Clauses> Circuit<C> {
    /// A number of which nothing is known but that it does not exceed `largest`.
    pub(crate) fn fresh_number(&mut self, largest: u64) -> Number {
        if largest <= LARGEST_UNARY {
            let above: Rc<[Literal]> = (0..largest).map(|_| self.fresh()).collect();
            self.order(&above);
            return Number::Unary(above);
        }
        let bits = (0..width(largest)).map(|_| self.fresh()).collect();
        let number = Number::Binary { bits, largest: u64::MAX };
        let exceeds = self.at_least(&number, largest + 1);
        self.clause(&[!exceeds]);
        let Number::Binary { bits, .. } = number else { unreachable!("it was just made binary") };
        Number::Binary { bits, largest }
    }

    /// Demands that literals are those of an order encoding.
    fn order(&mut self, above: &[Literal]) {
        for pair in above.windows(2) {
            self.imply(pair[1], pair[0]);
        }
    }

    /// Whether the number is at least `bound`.
    pub(crate) fn at_least(&mut self, number: &Number, bound: u64) -> Literal {
        if bound == 0 {
            return Literal::TRUE;
        }
        if bound > number.largest() {
            return Literal::FALSE;
        }
        match number {
            Number::Unary(above) => above[bound as usize - 1],
            Number::Binary { bits, .. } => {
                if width(bound) > bits.len() {
                    return Literal::FALSE;
                }
                let bits = Rc::clone(bits);
                let mut answer = Literal::TRUE;
                for (bit, &literal) in bits.iter().enumerate() {
                    answer = if bound >> bit & 1 == 1 {
                        self.and(literal, answer)
                    } else {
                        self.or(literal, answer)
                    };
                }
                answer
            }
        }
    }

    /// `number + delta`, which the caller knows to lie between 0 and `limit`.
    pub(crate) fn plus(&mut self, number: &Number, delta: i64, limit: u64) -> Number {
        let largest = number.largest().saturating_add_signed(delta).min(limit);
        if delta == 0 {
            return number.clone();
        }
        if let (Number::Unary(above), true) = (number, largest <= LARGEST_UNARY) {
            let mut shifted: Vec<Literal> = if delta > 0 {
                // The weight of an arc can be 2^63 - 1; a sum has no more literals than `largest`
                // (at most LARGEST_UNARY), so no more are made.
                let low = std::iter::repeat_n(Literal::TRUE, delta.unsigned_abs().min(largest) as usize);
                low.chain(above.iter().copied()).collect()
            } else {
                let dropped = usize::try_from(delta.unsigned_abs()).unwrap_or(usize::MAX);
                above.iter().skip(dropped).copied().collect()
            };
            shifted.truncate(largest as usize);
            return Number::Unary(shifted.into());
        }
        // Modulo 2^width, which loses nothing of a sum that lies in range.
        let mut bits = self.bits(number);
        bits.resize(width(largest), Literal::FALSE);
        let mut carry = Literal::FALSE;
        for (bit, literal) in bits.iter_mut().enumerate() {
            let addend = Literal::from(delta >> bit.min(63) & 1 == 1);
            (*literal, carry) = self.full_adder(*literal, addend, carry);
        }
        Number::Binary { bits: bits.into(), largest }
    }

    /// The number in binary, lowest bit first.
    pub(crate) fn bits(&mut self, number: &Number) -> Vec<Literal> {
        match number {
            Number::Binary { bits, .. } => bits.to_vec(),
            Number::Unary(above) => self.bits_of_unary(above),
        }
    }

    fn bits_of_unary(&mut self, above: &[Literal]) -> Vec<Literal> {
        if above.is_empty() {
            return Vec::new();
        }
        // The highest bit is a literal already; it chooses between what lies below it and what lies
        // above it.
        let highest = width(above.len() as u64) - 1;
        let half = 1 << highest;
        let is_high = above[half - 1];
        let mut low = self.bits_of_unary(&above[..half - 1]);
        let mut high = self.bits_of_unary(&above[half..]);
        low.resize(highest, Literal::FALSE);
        high.resize(highest, Literal::FALSE);
        let mut bits: Vec<Literal> =
            low.into_iter().zip(high).map(|(low, high)| self.choose(is_high, high, low)).collect();
        bits.push(is_high);
        bits
    }

    /// The number order-encoded, with this many literals; it must not exceed them.
    fn unary(&mut self, number: &Number, length: usize) -> Vec<Literal> {
        (1..=length as u64).map(|bound| self.at_least(number, bound)).collect()
    }

    /// What the number becomes where at most one of these ways is taken: where none is, it stays.
    /// No value above `limit` is written.
    pub(crate) fn written(&mut self, old: &Number, ways: &[Way], limit: u64) -> Number {
        let results = ways.iter().map(|way| way.result.largest());
        let largest = results.fold(old.largest(), u64::max).min(limit.max(old.largest()));
        if largest <= LARGEST_UNARY {
            self.written_unary(old, ways, largest as usize)
        } else {
            self.written_binary(old, ways, largest)
        }
    }

    fn written_unary(&mut self, old: &Number, ways: &[Way], length: usize) -> Number {
        let before = self.unary(old, length);
        let results: Vec<Vec<Literal>> = ways.iter().map(|way| self.unary(&way.result, length)).collect();
        let mut after = Vec::with_capacity(length);
        let mut clause = Vec::new();
        for index in 0..length {
            if results.iter().all(|result| result[index] == before[index]) {
                after.push(before[index]);
                continue;
            }
            let new = self.fresh();
            for (way, result) in ways.iter().zip(&results) {
                self.equal_if(way.taken, new, result[index]);
            }
            // What changes was changed by a way that can.
            for (now, then, may) in [
                (new, before[index], Way::may_rise as fn(&Way) -> bool),
                (!new, !before[index], Way::may_fall),
            ] {
                clause.clear();
                clause.extend([!now, then]);
                clause.extend(ways.iter().filter(|way| may(way)).map(|way| way.taken));
                self.clause(&clause);
            }
            after.push(new);
        }
        self.order(&after);
        Number::Unary(after.into())
    }

    fn written_binary(&mut self, old: &Number, ways: &[Way], largest: u64) -> Number {
        let length = width(largest);
        let fitted = |mut bits: Vec<Literal>| {
            bits.resize(length, Literal::FALSE);
            bits
        };
        let before = fitted(self.bits(old));
        let results: Vec<Vec<Literal>> = ways.iter().map(|way| fitted(self.bits(&way.result))).collect();
        let taken: Vec<Literal> = ways.iter().map(|way| way.taken).collect();
        let is_written = self.any(&taken);
        let mut after = Vec::with_capacity(length);
        for index in 0..length {
            if results.iter().all(|result| result[index] == before[index]) {
                after.push(before[index]);
                continue;
            }
            let new = self.fresh();
            for (way, result) in ways.iter().zip(&results) {
                self.equal_if(way.taken, new, result[index]);
            }
            self.equal_if(!is_written, new, before[index]);
            after.push(new);
        }
        Number::Binary { bits: after.into(), largest }
    }

    /// `then` where `condition` is true, `otherwise` elsewhere.
    pub(crate) fn choose_number(&mut self, condition: Literal, then: &Number, otherwise: &Number) -> Number {
        let largest = then.largest().max(otherwise.largest());
        if largest <= LARGEST_UNARY {
            let (then, otherwise) =
                (self.unary(then, largest as usize), self.unary(otherwise, largest as usize));
            let chosen: Vec<Literal> =
                then.into_iter().zip(otherwise).map(|(a, b)| self.choose(condition, a, b)).collect();
            self.order(&chosen);
            return Number::Unary(chosen.into());
        }
        let (mut then, mut otherwise) = (self.bits(then), self.bits(otherwise));
        then.resize(width(largest), Literal::FALSE);
        otherwise.resize(width(largest), Literal::FALSE);
        let bits = then.into_iter().zip(otherwise).map(|(a, b)| self.choose(condition, a, b)).collect();
        Number::Binary { bits, largest }
    }

    /// `number + delta` where `condition` is true, `number` elsewhere.
    pub(crate) fn plus_if(&mut self, condition: Literal, number: &Number, delta: i64, limit: u64) -> Number {
        let sum = self.plus(number, delta, limit);
        self.choose_number(condition, &sum, number)
    }

    /// Whether the two numbers are equal.
    pub(crate) fn same_number(&mut self, a: &Number, b: &Number) -> Literal {
        let largest = a.largest().max(b.largest());
        let (a, b) = if largest <= LARGEST_UNARY {
            (self.unary(a, largest as usize), self.unary(b, largest as usize))
        } else {
            let (mut a, mut b) = (self.bits(a), self.bits(b));
            let length = a.len().max(b.len());
            a.resize(length, Literal::FALSE);
            b.resize(length, Literal::FALSE);
            (a, b)
        };
        let differences: Vec<Literal> = a.into_iter().zip(b).map(|(a, b)| self.xor(a, b)).collect();
        !self.any(&differences)
    }
}

impl Way {
    fn may_rise(&self) -> bool {
        self.may_rise
    }

    fn may_fall(&self) -> bool {
        self.may_fall
    }
}
