//! Weighted sums of variables: the expressions that most comparisons are made of.

use crate::{Comparison, Expr, VariableId};

/// A weighted sum of variables, plus a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    /// Variables with coefficients that are not 0, ascending by variable.
    pub terms: Vec<(VariableId, i64)>,
    /// What is added.
    pub constant: i64,
}

impl Linear {
    /// The sum that an expression is; `None` if it does more to variables than adding and scaling
    /// them, or a number leaves 64 bits.
    pub fn of(expression: &Expr) -> Option<Linear> {
        match expression {
            Expr::Constant(number) => Some(Linear { terms: Vec::new(), constant: *number }),
            Expr::Variable(variable) => Some(Linear { terms: vec![(*variable, 1)], constant: 0 }),
            Expr::Sum(operands) => {
                let mut sum = Linear::default();
                for operand in operands {
                    let Linear { terms, constant } = Linear::of(operand)?;
                    sum.terms.extend(terms);
                    sum.constant = sum.constant.checked_add(constant)?;
                }
                sum.tidy()
            }
            Expr::Product(a, b) => match (Linear::of(a)?, Linear::of(b)?) {
                (factor, sum) | (sum, factor) if factor.terms.is_empty() => sum.times(factor.constant),
                _ => None,
            },
            Expr::Quotient(..) | Expr::And(_) | Expr::Or(_) | Expr::Xor(_) | Expr::Not(_) => {
                let mut variables = Vec::new();
                expression.collect_variables(&mut variables);
                let constant = if variables.is_empty() { expression.evaluate(&[])? } else { return None };
                Some(Linear { terms: Vec::new(), constant: i64::try_from(constant).ok()? })
            }
        }
    }

    /// The variable alone.
    pub fn variable(variable: VariableId) -> Linear {
        Linear { terms: vec![(variable, 1)], constant: 0 }
    }

    /// The constant alone.
    pub fn constant(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// The value in `state`. It fits, since coefficients and values have 64 bits each.
    pub fn value(&self, state: &[u64]) -> i128 {
        let terms = self
            .terms
            .iter()
            .map(|&(variable, coefficient)| i128::from(coefficient) * i128::from(state[variable.index()]));
        i128::from(self.constant) + terms.sum::<i128>()
    }

    /// The sum with another sum in the place of each variable; `None` where `sum_of` gives none, or
    /// a number leaves 64 bits.
    pub fn substitute(&self, sum_of: impl Fn(VariableId) -> Option<Linear>) -> Option<Linear> {
        let mut sum = Linear::constant(self.constant);
        for &(variable, coefficient) in &self.terms {
            let Linear { terms, constant } = sum_of(variable)?.times(coefficient)?;
            sum.terms.extend(terms);
            sum.constant = sum.constant.checked_add(constant)?;
        }
        sum.tidy()
    }

    /// The sum as an expression.
    pub fn to_expr(&self) -> Expr {
        let term = |&(variable, coefficient): &(VariableId, i64)| match coefficient {
            1 => Expr::Variable(variable),
            _ => Expr::Product(Box::new(Expr::Constant(coefficient)), Box::new(Expr::Variable(variable))),
        };
        let mut operands: Vec<Expr> = self.terms.iter().map(term).collect();
        if self.constant != 0 || operands.is_empty() {
            operands.push(Expr::Constant(self.constant));
        }
        if operands.len() == 1 { operands.swap_remove(0) } else { Expr::Sum(operands) }
    }

    /// `left ⋈ right` as `terms ⋈ constant`: all variables on the left, all numbers on the right.
    pub fn of_comparison(left: &Expr, right: &Expr) -> Option<(Vec<(VariableId, i64)>, i64)> {
        let (left, right) = (Linear::of(left)?, Linear::of(right)?.times(-1)?);
        let constant = left.constant.checked_add(right.constant)?.checked_neg()?;
        let both = Linear { terms: [left.terms, right.terms].concat(), constant: 0 }.tidy()?;
        Some((both.terms, constant))
    }

    fn times(mut self, factor: i64) -> Option<Linear> {
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        Some(self)
    }

    /// Each variable once, ascending.
    fn tidy(mut self) -> Option<Linear> {
        self.terms.sort_unstable_by_key(|(variable, _)| *variable);
        let mut tidy: Vec<(VariableId, i64)> = Vec::with_capacity(self.terms.len());
        for (variable, coefficient) in self.terms {
            match tidy.last_mut() {
                Some((last, sum)) if *last == variable => *sum = sum.checked_add(coefficient)?,
                _ => tidy.push((variable, coefficient)),
            }
        }
        tidy.retain(|(_, coefficient)| *coefficient != 0);
        Some(Linear { terms: tidy, constant: self.constant })
    }
}

impl Comparison {
    /// The comparison that holds where this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_read_in_other_variables() {
        let (x, y) = (VariableId(0), VariableId(1));
        let sum = Linear { terms: vec![(x, 2), (y, -1)], constant: 3 };
        assert_eq!(sum.value(&[5, 1]), 12);
        assert_eq!(sum.to_expr().evaluate(&[5, 1]), Some(12));
        assert_eq!(Linear::of(&sum.to_expr()), Some(sum.clone()));
        // x := y + 1, y := 4
        let read = |variable| match variable {
            VariableId(0) => Some(Linear { terms: vec![(y, 1)], constant: 1 }),
            _ => Some(Linear::constant(4)),
        };
        assert_eq!(sum.substitute(read), Some(Linear { terms: vec![(y, 2)], constant: 1 }));
        assert_eq!(sum.substitute(|variable| (variable == x).then(|| Linear::variable(x))), None);
        assert_eq!(Linear::constant(0).to_expr(), Expr::Constant(0));
    }

    #[test]
    fn sums_are_tidied() {
        let x = |index| Expr::Variable(VariableId(index));
        let times = |factor, e| Expr::Product(Box::new(Expr::Constant(factor)), Box::new(e));
        let check = |left: Expr, right: Expr, expected: Option<(&[(u32, i64)], i64)>| {
            let terms =
                |terms: Vec<(VariableId, i64)>| terms.into_iter().map(|(v, c)| (v.0, c)).collect::<Vec<_>>();
            let found = Linear::of_comparison(&left, &right).map(|(list, constant)| (terms(list), constant));
            assert_eq!(found, expected.map(|(list, constant)| (list.to_vec(), constant)));
        };
        check(Expr::Sum(vec![x(1), x(0), x(1)]), Expr::Constant(3), Some((&[(0, 1), (1, 2)], 3)));
        check(Expr::Sum(vec![x(0), Expr::Constant(4)]), times(2, x(0)), Some((&[(0, -1)], -4)));
        check(Expr::Sum(vec![times(3, x(2)), times(-3, x(2))]), Expr::Constant(0), Some((&[], 0)));
        check(times(i64::MAX, Expr::Sum(vec![x(0), x(0)])), Expr::Constant(0), None);
        check(Expr::Product(Box::new(x(0)), Box::new(x(1))), Expr::Constant(0), None);
    }
}
