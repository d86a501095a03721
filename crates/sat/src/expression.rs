//! Expressions and predicates as circuits.
//!
//! A value is a row of bits in two's complement, as wide as the interval in which it provably lies,
//! so that nothing ever wraps. Division by 0 has no value: next to the bits stands a literal that
//! says where there is one. A predicate without a value holds nowhere, as in `symbolon-model`.

use crate::circuit::Circuit;
use crate::number::{LARGEST_VALUE, Number, width};
use crate::{Clauses, Literal};
use symbolon_model::{Comparison, Expr, Linear, Predicate};

/// Wider values are not encoded: their bounds are computed in 128 bits.
const WIDEST: usize = 127;

/// A value of an expression needs too many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooWide;

/// The value of an expression.
pub(crate) struct Signed {
    /// Two's complement, lowest bit first; the last is the sign.
    bits: Vec<Literal>,
    least: i128,
    largest: i128,
    /// Whether there is a value.
    pub(crate) is_defined: Literal,
}

/// Whether a predicate holds, and whether it has a truth value.
struct Truth {
    holds: Literal,
    is_defined: Literal,
}

impl Signed {
    fn bit(&self, index: usize) -> Literal {
        let sign = self.bits.len() - 1;
        self.bits[index.min(sign)]
    }

    fn sign(&self) -> Literal {
        self.bits[self.bits.len() - 1]
    }
}

/// The bits that hold every value of an interval in two's complement.
fn signed_width(least: i128, largest: i128) -> Result<usize, TooWide> {
    let bits = |value: i128| 128 - (if value < 0 { !value } else { value }).leading_zeros() as usize + 1;
    let width = bits(least).max(bits(largest));
    if width > WIDEST { Err(TooWide) } else { Ok(width) }
}

impl<C: Clauses> Circuit<C> {
    /// Whether `predicate` holds in `state`.
    pub(crate) fn holds(&mut self, state: &[Number], predicate: &Predicate) -> Result<Literal, TooWide> {
        let Truth { holds, is_defined } = self.truth(state, predicate)?;
        Ok(self.and(holds, is_defined))
    }

    fn truth(&mut self, state: &[Number], predicate: &Predicate) -> Result<Truth, TooWide> {
        let certain = |holds| Truth { holds, is_defined: Literal::TRUE };
        Ok(match predicate {
            Predicate::True => certain(Literal::TRUE),
            Predicate::False => certain(Literal::FALSE),
            Predicate::Compare(a, comparison, b) => {
                if let Some(holds) = self.compare_with_constant(state, a, *comparison, b) {
                    return Ok(certain(holds));
                }
                let (a, b) = (self.evaluate(state, a)?, self.evaluate(state, b)?);
                let is_defined = self.and(a.is_defined, b.is_defined);
                Truth { holds: self.compare(&a, *comparison, &b), is_defined }
            }
            Predicate::Not(inner) => {
                let Truth { holds, is_defined } = self.truth(state, inner)?;
                Truth { holds: !holds, is_defined }
            }
            Predicate::And(parts) | Predicate::Or(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                let mut defined = Vec::with_capacity(parts.len());
                for part in parts {
                    let Truth { holds, is_defined } = self.truth(state, part)?;
                    values.push(holds);
                    defined.push(is_defined);
                }
                let is_and = matches!(predicate, Predicate::And(_));
                let holds = if is_and { self.all(&values) } else { self.any(&values) };
                Truth { holds, is_defined: self.all(&defined) }
            }
        })
    }

    /// A variable compared with a number, which needs no arithmetic.
    fn compare_with_constant(
        &mut self,
        state: &[Number],
        a: &Expr,
        comparison: Comparison,
        b: &Expr,
    ) -> Option<Literal> {
        let (terms, constant) = Linear::of_comparison(a, b)?;
        let &[(variable, factor @ (1 | -1))] = terms.as_slice() else {
            return terms.is_empty().then(|| Literal::from(comparison.holds(0, constant)));
        };
        // −x ⋈ c is x ⋈' −c with the comparison turned round.
        let (constant, comparison) = if factor == 1 {
            (i128::from(constant), comparison)
        } else {
            (-i128::from(constant), turned(comparison))
        };
        let number = &state[variable.index()];
        let at_least = |circuit: &mut Self, bound: i128| match u64::try_from(bound) {
            Ok(bound) => circuit.at_least(number, bound),
            Err(_) => Literal::from(bound < 0),
        };
        Some(match comparison {
            Comparison::GreaterOrEqual => at_least(self, constant),
            Comparison::Greater => at_least(self, constant + 1),
            Comparison::Less => !at_least(self, constant),
            Comparison::LessOrEqual => !at_least(self, constant + 1),
            Comparison::Equal | Comparison::NotEqual => {
                let (from, beyond) = (at_least(self, constant), at_least(self, constant + 1));
                let equal = self.and(from, !beyond);
                if comparison == Comparison::Equal { equal } else { !equal }
            }
        })
    }

    fn compare(&mut self, a: &Signed, comparison: Comparison, b: &Signed) -> Literal {
        match comparison {
            Comparison::Equal => self.is_equal(a, b),
            Comparison::NotEqual => !self.is_equal(a, b),
            Comparison::Less => self.is_less(a, b),
            Comparison::GreaterOrEqual => !self.is_less(a, b),
            Comparison::Greater => self.is_less(b, a),
            Comparison::LessOrEqual => !self.is_less(b, a),
        }
    }

    fn is_equal(&mut self, a: &Signed, b: &Signed) -> Literal {
        let length = a.bits.len().max(b.bits.len());
        let differences: Vec<Literal> =
            (0..length).map(|index| self.xor(a.bit(index), b.bit(index))).collect();
        !self.any(&differences)
    }

    fn is_less(&mut self, a: &Signed, b: &Signed) -> Literal {
        let length = a.bits.len().max(b.bits.len());
        let mut less = Literal::FALSE;
        for index in 0..length {
            let (x, y) = (a.bit(index), b.bit(index));
            let differ = self.xor(x, y);
            // The sign counts the other way round.
            let decides = if index + 1 == length { x } else { y };
            less = self.choose(differ, decides, less);
        }
        less
    }

    /// The value of `expression` in `state`.
    pub(crate) fn evaluate(&mut self, state: &[Number], expression: &Expr) -> Result<Signed, TooWide> {
        match expression {
            Expr::Constant(number) => constant(i128::from(*number)),
            Expr::Variable(variable) => {
                let number = &state[variable.index()];
                let mut bits = self.bits(number);
                bits.push(Literal::FALSE);
                let largest = i128::from(number.largest());
                Ok(Signed { bits, least: 0, largest, is_defined: Literal::TRUE })
            }
            Expr::Sum(operands) => {
                let mut sum = constant(0)?;
                for operand in operands {
                    let operand = self.evaluate(state, operand)?;
                    sum = self.add(&sum, &operand)?;
                }
                Ok(sum)
            }
            Expr::Product(a, b) => {
                let (a, b) = (self.evaluate(state, a)?, self.evaluate(state, b)?);
                self.multiply(&a, &b)
            }
            Expr::Quotient(a, b) => {
                let (a, b) = (self.evaluate(state, a)?, self.evaluate(state, b)?);
                self.divide(&a, &b)
            }
            Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
                let mut truths = Vec::with_capacity(operands.len());
                let mut defined = Vec::with_capacity(operands.len());
                for operand in operands {
                    let operand = self.evaluate(state, operand)?;
                    truths.push(self.any(&operand.bits));
                    defined.push(operand.is_defined);
                }
                let truth = match expression {
                    Expr::And(_) => self.all(&truths),
                    Expr::Or(_) => self.any(&truths),
                    _ => truths.into_iter().fold(Literal::FALSE, |sum, truth| self.xor(sum, truth)),
                };
                let is_defined = self.all(&defined);
                Ok(Signed { is_defined, ..truth_value(truth) })
            }
            Expr::Not(operand) => {
                let operand = self.evaluate(state, operand)?;
                let truth = !self.any(&operand.bits);
                Ok(Signed { is_defined: operand.is_defined, ..truth_value(truth) })
            }
        }
    }

    fn add(&mut self, a: &Signed, b: &Signed) -> Result<Signed, TooWide> {
        let least = a.least.checked_add(b.least).ok_or(TooWide)?;
        let largest = a.largest.checked_add(b.largest).ok_or(TooWide)?;
        let length = signed_width(least, largest)?;
        let bits = self.sum_of_bits(length, |index| a.bit(index), |index| b.bit(index), Literal::FALSE);
        Ok(Signed { bits, least, largest, is_defined: self.and(a.is_defined, b.is_defined) })
    }

    /// The lowest `length` bits of `a + b + carry`.
    fn sum_of_bits(
        &mut self,
        length: usize,
        a: impl Fn(usize) -> Literal,
        b: impl Fn(usize) -> Literal,
        mut carry: Literal,
    ) -> Vec<Literal> {
        let mut bits = Vec::with_capacity(length);
        for index in 0..length {
            let (sum, next) = self.full_adder(a(index), b(index), carry);
            bits.push(sum);
            carry = next;
        }
        bits
    }

    fn multiply(&mut self, a: &Signed, b: &Signed) -> Result<Signed, TooWide> {
        let (mut least, mut largest) = (i128::MAX, i128::MIN);
        for x in [a.least, a.largest] {
            for y in [b.least, b.largest] {
                let corner = x.checked_mul(y).ok_or(TooWide)?;
                (least, largest) = (least.min(corner), largest.max(corner));
            }
        }
        let length = signed_width(least, largest)?;
        // One summand for each bit of the second factor: constants belong there.
        let is_constant = |signed: &Signed| signed.bits.iter().all(|bit| bit.constant().is_some());
        let (a, b) = if is_constant(a) { (b, a) } else { (a, b) };
        let mut bits = vec![Literal::FALSE; length];
        for shift in 0..length {
            let factor = b.bit(shift);
            if factor == Literal::FALSE {
                continue;
            }
            let row: Vec<Literal> =
                (shift..length).map(|index| self.and(a.bit(index - shift), factor)).collect();
            let high = self.sum_of_bits(
                length - shift,
                |index| bits[shift + index],
                |index| row[index],
                Literal::FALSE,
            );
            bits.truncate(shift);
            bits.extend(high);
        }
        Ok(Signed { bits, least, largest, is_defined: self.and(a.is_defined, b.is_defined) })
    }

    /// Division of magnitudes, bit by bit from the highest, and then the sign.
    fn divide(&mut self, a: &Signed, b: &Signed) -> Result<Signed, TooWide> {
        let most = a.least.unsigned_abs().max(a.largest.unsigned_abs());
        let most = i128::try_from(most).map_err(|_| TooWide)?;
        let result_length = signed_width(-most, most)?;
        let length = result_length.max(b.bits.len()) + 1;
        let (dividend, divisor) = (self.magnitude(a, length), self.magnitude(b, length));
        let mut remainder = vec![Literal::FALSE; length];
        let mut quotient = vec![Literal::FALSE; length];
        for index in (0..length).rev() {
            remainder.insert(0, dividend[index]);
            remainder.truncate(length);
            // remainder − divisor; no borrow means that it fits. Both are below 2^(length − 1).
            let difference =
                self.sum_of_bits(length, |bit| remainder[bit], |bit| !divisor[bit], Literal::TRUE);
            let fits = !difference[length - 1];
            quotient[index] = fits;
            for (bit, literal) in remainder.iter_mut().enumerate() {
                *literal = self.choose(fits, difference[bit], *literal);
            }
        }
        let sign = self.xor(a.sign(), b.sign());
        let flipped: Vec<Literal> = quotient.iter().map(|&bit| self.xor(bit, sign)).collect();
        let bits = self.sum_of_bits(result_length, |bit| flipped[bit], |_| Literal::FALSE, sign);
        let is_divisible = self.any(&b.bits);
        let is_defined = self.all(&[a.is_defined, b.is_defined, is_divisible]);
        Ok(Signed { bits, least: -most, largest: most, is_defined })
    }

    fn magnitude(&mut self, number: &Signed, length: usize) -> Vec<Literal> {
        let sign = number.sign();
        let flipped: Vec<Literal> = (0..length).map(|index| self.xor(number.bit(index), sign)).collect();
        self.sum_of_bits(length, |index| flipped[index], |_| Literal::FALSE, sign)
    }

    /// The value as a natural number up to `limit`, and whether it is one.
    pub(crate) fn natural(&mut self, value: &Signed, limit: u64) -> (Number, Literal) {
        let limit = limit.min(LARGEST_VALUE);
        let mut is_natural = self.and(value.is_defined, !value.sign());
        let largest = u64::try_from(value.largest.clamp(0, i128::from(limit))).unwrap_or(limit);
        let mut bits: Vec<Literal> = value.bits[..value.bits.len() - 1].to_vec();
        // Bits above those of a number that fits must be 0 where the number is natural.
        let high: Vec<Literal> = bits.drain(width(largest).min(bits.len())..).collect();
        let is_high = self.any(&high);
        is_natural = self.and(is_natural, !is_high);
        let number = Number::Binary { bits: bits.into(), largest: u64::MAX };
        let exceeds = self.at_least(&number, largest + 1);
        is_natural = self.and(is_natural, !exceeds);
        let Number::Binary { bits, .. } = number else { unreachable!("it was just made binary") };
        (Number::Binary { bits, largest }, is_natural)
    }
}

fn constant(value: i128) -> Result<Signed, TooWide> {
    let bits = (0..signed_width(value, value)?).map(|bit| Literal::from(value >> bit & 1 == 1)).collect();
    Ok(Signed { bits, least: value, largest: value, is_defined: Literal::TRUE })
}

fn truth_value(truth: Literal) -> Signed {
    Signed { bits: vec![truth, Literal::FALSE], least: 0, largest: 1, is_defined: Literal::TRUE }
}

/// The comparison of the negated sides.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}
