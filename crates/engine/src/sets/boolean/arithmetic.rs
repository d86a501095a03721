//! Expressions and predicates as functions of bits.
//!
//! A number is a vector of functions: its bits in two's complement, as many as it needs.
//! Comparisons of weighted sums are built at once ([`Functions::sum_test`]); everything else is added,
//! multiplied and divided bit by bit as on paper. Beside each number goes the function that says
//! where it is defined at all: nowhere by a divisor of 0, for example. A predicate that mentions an
//! undefined number does not hold, and neither does its negation.

use super::bits::Bits;
use crate::sets::linear::LinearTest;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Functions, Root, Variable};
use symbolon_model::{Comparison, Expr, Predicate, VariableId};

/// A number in two's complement.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    /// Bit by bit, the one of least weight first; the last is the sign. At least one.
    bits: Vec<Root>,
    /// Where the number is defined.
    pub(crate) defined: Root,
}

/// Builds functions of the bits of variables.
pub(crate) struct Formulas<'a, F> {
    pub(crate) kernel: &'a mut F,
    pub(crate) bits: &'a Bits,
}

/// A longer number is an overflow.
const MOST_BITS: usize = 126;

type Function = Result<Root, Interrupted>;

impl<F: Functions> Formulas<'_, F> {
    /// Where a predicate holds.
    pub(crate) fn holds(&mut self, predicate: &Predicate) -> Function {
        let (value, defined) = self.truth(predicate)?;
        self.kernel.and(&value, &defined)
    }

    /// Where a predicate is true, and where it is defined; the first means nothing outside the
    /// second.
    fn truth(&mut self, predicate: &Predicate) -> Result<(Root, Root), Interrupted> {
        match predicate {
            Predicate::True => Ok((self.constant(true), self.constant(true))),
            Predicate::False => Ok((self.constant(false), self.constant(true))),
            Predicate::Compare(a, comparison, b) => self.compare(a, *comparison, b),
            Predicate::Not(inner) => {
                let (value, defined) = self.truth(inner)?;
                Ok((self.kernel.not(&value), defined))
            }
            Predicate::And(parts) | Predicate::Or(parts) => {
                let is_and = matches!(predicate, Predicate::And(_));
                let mut values = Vec::with_capacity(parts.len());
                let mut all_defined = self.constant(true);
                for part in parts {
                    let (value, defined) = self.truth(part)?;
                    values.push(value);
                    all_defined = self.kernel.and(&all_defined, &defined)?;
                }
                let value = if is_and { self.all(values)? } else { self.any(values)? };
                Ok((value, all_defined))
            }
        }
    }

    fn compare(&mut self, a: &Expr, comparison: Comparison, b: &Expr) -> Result<(Root, Root), Interrupted> {
        if let Ok(Ok(test)) = LinearTest::of(a, comparison, b) {
            return Ok((self.sum(&test)?, self.constant(true)));
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        let defined = self.kernel.and(&a.defined, &b.defined)?;
        let minus = self.negated(&b.bits)?;
        let difference = self.plus(&a.bits, &minus)?;
        let differs = self.any(difference.clone())?;
        let is_less = sign(&difference);
        let value = match comparison {
            Comparison::Equal => self.kernel.not(&differs),
            Comparison::NotEqual => differs,
            Comparison::Less => is_less,
            Comparison::GreaterOrEqual => self.kernel.not(&is_less),
            Comparison::LessOrEqual => {
                let same = self.kernel.not(&differs);
                self.kernel.or(&is_less, &same)?
            }
            Comparison::Greater => self.kernel.minus(&differs, &is_less)?,
        };
        Ok((value, defined))
    }

    /// Where a weighted sum of variables passes a test.
    pub(crate) fn sum(&mut self, test: &LinearTest) -> Function {
        let weights = self.weights(test.terms.iter().copied())?;
        let LinearTest { test, bound, .. } = test;
        self.kernel.sum_test(&weights, &|least, most| test.decided(least, most, *bound))
    }

    /// What the bits of weighted variables weigh.
    pub(crate) fn weights(
        &self,
        terms: impl Iterator<Item = (VariableId, i128)>,
    ) -> Result<Vec<(Variable, i128)>, Interrupted> {
        weights(self.bits, terms)
    }

    /// What an expression is.
    pub(crate) fn number(&mut self, expr: &Expr) -> Result<Number, Interrupted> {
        let number = match expr {
            Expr::Constant(value) => {
                let bits = (0..64).map(|place| self.constant(value >> place & 1 == 1)).collect();
                Number { bits, defined: self.constant(true) }
            }
            Expr::Variable(variable) => {
                let mut bits = Vec::new();
                for &bit in self.bits.of(*variable) {
                    bits.push(self.kernel.variable(bit)?);
                }
                bits.push(self.constant(false));
                Number { bits, defined: self.constant(true) }
            }
            Expr::Sum(operands) => {
                let mut sum = self.number(&Expr::Constant(0))?;
                for operand in operands {
                    let other = self.number(operand)?;
                    sum = Number {
                        bits: self.plus(&sum.bits, &other.bits)?,
                        defined: self.kernel.and(&sum.defined, &other.defined)?,
                    };
                }
                sum
            }
            Expr::Product(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Number {
                    bits: self.times(&a.bits, &b.bits)?,
                    defined: self.kernel.and(&a.defined, &b.defined)?,
                }
            }
            Expr::Quotient(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                let divides = self.any(b.bits.clone())?;
                let defined = self.kernel.and(&a.defined, &b.defined)?;
                Number {
                    bits: self.divided(&a.bits, &b.bits)?,
                    defined: self.kernel.and(&defined, &divides)?,
                }
            }
            Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
                let mut truths = Vec::with_capacity(operands.len());
                let mut defined = self.constant(true);
                for operand in operands {
                    let number = self.number(operand)?;
                    truths.push(self.any(number.bits)?);
                    defined = self.kernel.and(&defined, &number.defined)?;
                }
                let truth = match expr {
                    Expr::And(_) => self.all(truths)?,
                    Expr::Or(_) => self.any(truths)?,
                    _ => self.odd(truths)?,
                };
                Number { bits: vec![truth, self.constant(false)], defined }
            }
            Expr::Not(operand) => {
                let number = self.number(operand)?;
                let truth = self.any(number.bits)?;
                Number { bits: vec![self.kernel.not(&truth), self.constant(false)], defined: number.defined }
            }
        };
        trimmed(number)
    }

    /// Where the number is the one that these bits hold, as a natural number.
    pub(crate) fn is_held(&mut self, number: &Number, bits: &[Variable]) -> Function {
        let mut same = Vec::new();
        for (place, &bit) in bits.iter().enumerate() {
            let held = self.kernel.variable(bit)?;
            same.push(self.kernel.iff(number.bit(place), &held)?);
        }
        for place in bits.len()..number.bits.len() {
            same.push(self.kernel.not(&number.bits[place]));
        }
        // The sign is the last bit, and may be one of those compared.
        let negative = sign(&number.bits);
        same.push(self.kernel.not(&negative));
        self.all(same)
    }

    /// Where the number is negative.
    pub(crate) fn is_negative(&self, number: &Number) -> Root {
        sign(&number.bits)
    }

    /// Where the number is larger than `most`.
    pub(crate) fn exceeds(&mut self, number: &Number, most: u64) -> Function {
        let bits: Vec<Root> =
            (0..65).map(|place| self.constant(place < 64 && most >> place & 1 == 1)).collect();
        let minus = self.negated(&number.bits)?;
        let difference = self.plus(&bits, &minus)?;
        Ok(sign(&difference))
    }

    pub(crate) fn constant(&mut self, value: bool) -> Root {
        self.kernel.constant(value)
    }

    /// True where all are. In pairs, so that large operands meet late.
    pub(crate) fn all(&mut self, functions: Vec<Root>) -> Function {
        self.in_pairs(functions, true, |kernel, a, b| kernel.and(a, b))
    }

    /// True where some are.
    pub(crate) fn any(&mut self, functions: Vec<Root>) -> Function {
        self.in_pairs(functions, false, |kernel, a, b| kernel.or(a, b))
    }

    fn odd(&mut self, functions: Vec<Root>) -> Function {
        self.in_pairs(functions, false, |kernel, a, b| kernel.xor(a, b))
    }

    fn in_pairs(
        &mut self,
        mut functions: Vec<Root>,
        of_none: bool,
        mut join: impl FnMut(&mut F, &Root, &Root) -> Function,
    ) -> Function {
        while functions.len() > 1 {
            let pairs = functions.chunks(2).map(|pair| match pair {
                [a, b] => join(self.kernel, a, b),
                [one, ..] => Ok(one.clone()),
                [] => Err(Interrupted::Overflow),
            });
            functions = pairs.collect::<Result<_, _>>()?;
        }
        Ok(functions.pop().unwrap_or_else(|| self.constant(of_none)))
    }

    fn plus(&mut self, a: &[Root], b: &[Root]) -> Result<Vec<Root>, Interrupted> {
        self.plus_and(a, b, false)
    }

    /// The sum, and one more if `carry`.
    fn plus_and(&mut self, a: &[Root], b: &[Root], carry: bool) -> Result<Vec<Root>, Interrupted> {
        let length = a.len().max(b.len()) + 1;
        let mut carry = self.constant(carry);
        let mut sum = Vec::with_capacity(length);
        for place in 0..length {
            let (a, b) = (at(a, place), at(b, place));
            let differ = self.kernel.xor(a, b)?;
            sum.push(self.kernel.xor(&differ, &carry)?);
            carry = self.kernel.ite(&differ, &carry, a)?;
        }
        trim(&mut sum)?;
        Ok(sum)
    }

    fn negated(&mut self, a: &[Root]) -> Result<Vec<Root>, Interrupted> {
        let complement: Vec<Root> = a.iter().map(|bit| self.kernel.not(bit)).collect();
        let zero = [self.constant(false)];
        self.plus_and(&complement, &zero, true)
    }

    fn times(&mut self, a: &[Root], b: &[Root]) -> Result<Vec<Root>, Interrupted> {
        let mut product = vec![self.constant(false)];
        for (place, bit) in b.iter().enumerate() {
            let mut term = vec![self.constant(false); place];
            for a_bit in a {
                term.push(self.kernel.and(a_bit, bit)?);
            }
            // The sign of two's complement weighs less than nothing.
            if place + 1 == b.len() {
                term = self.negated(&term)?;
            }
            product = self.plus(&product, &term)?;
        }
        Ok(product)
    }

    /// Rounded towards 0; anything where `b` is 0. Long division of absolute values.
    fn divided(&mut self, a: &[Root], b: &[Root]) -> Result<Vec<Root>, Interrupted> {
        let (a_sign, b_sign) = (sign(a), sign(b));
        let dividend = self.absolute(a)?;
        let divisor = self.absolute(b)?;
        let minus_divisor = self.negated(&divisor)?;
        let mut rest = vec![self.constant(false)];
        let mut quotient = vec![self.constant(false); dividend.len() + 1];
        for place in (0..dividend.len()).rev() {
            rest.insert(0, dividend[place].clone());
            let less = self.plus(&rest, &minus_divisor)?;
            let fits = self.kernel.not(&sign(&less));
            rest = self.chosen(&fits, &less, &rest)?;
            quotient[place] = fits;
        }
        let negative = self.kernel.xor(&a_sign, &b_sign)?;
        let minus = self.negated(&quotient)?;
        self.chosen(&negative, &minus, &quotient)
    }

    fn absolute(&mut self, a: &[Root]) -> Result<Vec<Root>, Interrupted> {
        let minus = self.negated(a)?;
        self.chosen(&sign(a), &minus, a)
    }

    fn chosen(&mut self, condition: &Root, yes: &[Root], no: &[Root]) -> Result<Vec<Root>, Interrupted> {
        let mut chosen = Vec::new();
        for place in 0..yes.len().max(no.len()) {
            chosen.push(self.kernel.ite(condition, at(yes, place), at(no, place))?);
        }
        trim(&mut chosen)?;
        Ok(chosen)
    }
}

impl Number {
    fn bit(&self, place: usize) -> &Root {
        at(&self.bits, place)
    }
}

/// What the bits of weighted variables weigh.
pub(crate) fn weights(
    bits: &Bits,
    terms: impl Iterator<Item = (VariableId, i128)>,
) -> Result<Vec<(Variable, i128)>, Interrupted> {
    let mut weights = Vec::new();
    for (variable, weight) in terms {
        for (place, &bit) in bits.of(variable).iter().enumerate() {
            weights.push((bit, weight.checked_mul(1 << place).ok_or(Interrupted::Overflow)?));
        }
    }
    Ok(weights)
}

fn sign(bits: &[Root]) -> Root {
    bits.last().expect("a number has a sign").clone()
}

/// The bit at a place; beyond the last, the sign goes on.
fn at(bits: &[Root], place: usize) -> &Root {
    bits.get(place).or(bits.last()).expect("a number has a sign")
}

fn trimmed(mut number: Number) -> Result<Number, Interrupted> {
    trim(&mut number.bits)?;
    Ok(number)
}

/// Takes away what repeats the sign.
fn trim(bits: &mut Vec<Root>) -> Result<(), Interrupted> {
    while let [.., before, last] = &bits[..]
        && before == last
    {
        bits.pop();
    }
    if bits.len() > MOST_BITS { Err(Interrupted::Overflow) } else { Ok(()) }
}
