//! Sums while they are read.

use crate::name::Name;
use crate::named_atom::LinearExpr;
use std::collections::VecDeque;

/// A product with a longer sum is refused: a chain of such would cost a step a term each.
const LARGEST_FACTORED_TERM_COUNT: usize = 1000;

/// A linear expression whose sign is kept apart, and which grows at both ends: to add or subtract
/// two costs a step a term of the shorter one, so that no nesting of brackets makes a long sum
/// expensive.
#[derive(Debug)]
pub(crate) struct Sum {
    /// Whether all factors below count with the opposite sign. Does not concern `constant`.
    is_negated: bool,
    terms: VecDeque<(i64, Name)>,
    constant: i64,
}

/// Why there is no such sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoSum {
    /// A number is too large.
    #[error("the number that this makes is too large")]
    Overflow,
    /// Variables times variables.
    #[error("one side of a product must be a number")]
    NotLinear,
    /// A number times too long a sum.
    #[error("the sum in this product is too long")]
    TooLong,
}

impl Sum {
    pub(crate) fn constant(constant: i64) -> Sum {
        Sum { is_negated: false, terms: VecDeque::new(), constant }
    }

    pub(crate) fn variable(name: Name) -> Sum {
        Sum { is_negated: false, terms: VecDeque::from([(1, name)]), constant: 0 }
    }

    /// The name, if the sum is just that.
    pub(crate) fn as_name(&self) -> Option<&Name> {
        match (self.terms.front(), self.terms.len(), self.constant) {
            (Some((factor, name)), 1, 0) if signed(*factor, self.is_negated) == 1 => Some(name),
            _ => None,
        }
    }

    pub(crate) fn negated(self) -> Sum {
        Sum { is_negated: !self.is_negated, terms: self.terms, constant: -self.constant }
    }

    /// Both added; the terms of the left one stand first.
    pub(crate) fn plus(mut self, mut other: Sum) -> Result<Sum, NoSum> {
        let constant = representable(self.constant.checked_add(other.constant))?;
        let flips = self.is_negated != other.is_negated;
        let mut sum = if self.terms.len() >= other.terms.len() {
            self.terms.extend(other.terms.into_iter().map(|(factor, name)| (signed(factor, flips), name)));
            self
        } else {
            for (factor, name) in self.terms.into_iter().rev() {
                other.terms.push_front((signed(factor, flips), name));
            }
            other
        };
        sum.constant = constant;
        Ok(sum)
    }

    /// The product, if one of them is a number.
    pub(crate) fn times(self, other: Sum) -> Result<Sum, NoSum> {
        let (factor, mut sum) = match (self.terms.is_empty(), other.terms.is_empty()) {
            (true, _) => (self.constant, other),
            (false, true) => (other.constant, self),
            (false, false) => return Err(NoSum::NotLinear),
        };
        if sum.terms.len() > LARGEST_FACTORED_TERM_COUNT {
            return Err(NoSum::TooLong);
        }
        sum.constant = representable(sum.constant.checked_mul(factor))?;
        for (own, _) in &mut sum.terms {
            *own = representable(own.checked_mul(factor))?;
        }
        Ok(sum)
    }

    pub(crate) fn into_linear(self) -> LinearExpr {
        let mut terms = self.terms;
        if self.is_negated {
            terms.iter_mut().for_each(|(factor, _)| *factor = -*factor);
        }
        LinearExpr { terms, constant: self.constant }
    }
}

/// The smallest number is left out, so that every other can be negated and written down.
fn representable(number: Option<i64>) -> Result<i64, NoSum> {
    number.filter(|number| *number != i64::MIN).ok_or(NoSum::Overflow)
}

fn signed(factor: i64, is_negated: bool) -> i64 {
    if is_negated { -factor } else { factor }
}
