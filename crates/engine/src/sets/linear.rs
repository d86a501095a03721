//! Comparisons of linear expressions, brought to one form: a weighted sum of variables against a
//! number.

use std::collections::BTreeMap;
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::SumTest;
use symbolon_model::{Comparison, Expr, VariableId};

/// `weights · variables` compared with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearTest {
    /// Variables and their weights, none of them 0, ascending by variable.
    pub terms: Vec<(VariableId, i128)>,
    /// How the sum is compared.
    pub test: SumTest,
    /// What it is compared with.
    pub bound: i128,
}

impl LinearTest {
    /// `a` compared with `b` in this form; `Err` says which variable would have to have a value for
    /// that, because it stands in a product with another one.
    pub fn of(
        a: &Expr,
        comparison: Comparison,
        b: &Expr,
    ) -> Result<Result<LinearTest, VariableId>, Interrupted> {
        let mut sum = Sum::default();
        for (expr, factor) in [(a, 1), (b, -1)] {
            if let Err(variable) = sum.add(expr, factor)? {
                return Ok(Err(variable));
            }
        }
        let bound = sum.constant.checked_neg().ok_or(Interrupted::Overflow)?;
        // a > b is −a < −b, and a < b is a ≤ b − 1.
        let (sign, test, slack) = match comparison {
            Comparison::Equal => (1, SumTest::Exactly, 0),
            Comparison::NotEqual => (1, SumTest::OtherThan, 0),
            Comparison::LessOrEqual => (1, SumTest::AtMost, 0),
            Comparison::Less => (1, SumTest::AtMost, 1),
            Comparison::GreaterOrEqual => (-1, SumTest::AtMost, 0),
            Comparison::Greater => (-1, SumTest::AtMost, 1),
        };
        let terms: Option<Vec<_>> = sum
            .terms
            .into_iter()
            .filter(|&(_, weight)| weight != 0)
            .map(|(variable, weight)| Some((variable, weight.checked_mul(sign)?)))
            .collect();
        let bound = bound.checked_mul(sign).and_then(|bound| bound.checked_sub(slack));
        match (terms, bound) {
            (Some(terms), Some(bound)) => Ok(Ok(LinearTest { terms, test, bound })),
            _ => Err(Interrupted::Overflow),
        }
    }
}

/// A sum in the making.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<VariableId, i128>,
    constant: i128,
}

impl Sum {
    /// Adds `factor · expr`, or says which variable is in the way.
    fn add(&mut self, expr: &Expr, factor: i128) -> Result<Result<(), VariableId>, Interrupted> {
        match expr {
            Expr::Constant(number) => {
                let term = factor.checked_mul(i128::from(*number)).ok_or(Interrupted::Overflow)?;
                self.constant = self.constant.checked_add(term).ok_or(Interrupted::Overflow)?;
            }
            Expr::Variable(variable) => {
                let weight = self.terms.entry(*variable).or_default();
                *weight = weight.checked_add(factor).ok_or(Interrupted::Overflow)?;
            }
            Expr::Sum(operands) => {
                for operand in operands {
                    if let Err(variable) = self.add(operand, factor)? {
                        return Ok(Err(variable));
                    }
                }
            }
            Expr::Product(a, b) => {
                let (scalar, other) = match (constant(a)?, constant(b)?) {
                    (Some(scalar), _) => (scalar, b),
                    (None, Some(scalar)) => (scalar, a),
                    (None, None) => {
                        let mut found = Vec::new();
                        a.collect_variables(&mut found);
                        // An expression that is not constant has a variable.
                        return Ok(found.first().map_or(Ok(()), |&variable| Err(variable)));
                    }
                };
                let factor = factor.checked_mul(scalar).ok_or(Interrupted::Overflow)?;
                return self.add(other, factor);
            }
            Expr::Quotient(..) | Expr::And(_) | Expr::Or(_) | Expr::Xor(_) | Expr::Not(_) => {
                let mut found = Vec::new();
                expr.collect_variables(&mut found);
                if let Some(&variable) = found.first() {
                    return Ok(Err(variable));
                }
                let value = expr.evaluate(&[]).ok_or(Interrupted::Overflow)?;
                let term = factor.checked_mul(value).ok_or(Interrupted::Overflow)?;
                self.constant = self.constant.checked_add(term).ok_or(Interrupted::Overflow)?;
            }
        }
        Ok(Ok(()))
    }
}

/// The value of an expression without variables.
fn constant(expr: &Expr) -> Result<Option<i128>, Interrupted> {
    let mut found = Vec::new();
    expr.collect_variables(&mut found);
    if found.is_empty() { expr.evaluate(&[]).map(Some).ok_or(Interrupted::Overflow) } else { Ok(None) }
}

/// The expression with a number in the place of a variable; what is a number then is written as
/// one.
pub(crate) fn substitute(expr: &Expr, variable: VariableId, value: i64) -> Expr {
    let made = match expr {
        Expr::Variable(found) if *found == variable => Expr::Constant(value),
        other => other.with_operands(|operand| substitute(operand, variable, value)),
    };
    // Operands are numbers already if they can be, so one look at each of them is enough.
    let is_constant = |operand: &Expr| matches!(operand, Expr::Constant(_));
    let is_decided = match &made {
        Expr::Constant(_) | Expr::Variable(_) => false,
        Expr::Sum(operands) | Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
            operands.iter().all(is_constant)
        }
        Expr::Not(operand) => is_constant(operand),
        Expr::Product(a, b) | Expr::Quotient(a, b) => is_constant(a) && is_constant(b),
    };
    let number = if is_decided { made.evaluate(&[]) } else { None };
    number.and_then(|number| i64::try_from(number).ok()).map_or(made, Expr::Constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(index: u32) -> Expr {
        Expr::Variable(VariableId(index))
    }

    fn times(a: Expr, b: Expr) -> Expr {
        Expr::Product(Box::new(a), Box::new(b))
    }

    #[test]
    fn both_sides_are_gathered() {
        // 3 + 2 x < y + x  is  x - y <= -4;  with > it is  y - x <= 2.
        let left = Expr::Sum(vec![Expr::Constant(3), times(Expr::Constant(2), variable(0))]);
        let right = Expr::Sum(vec![variable(1), variable(0)]);
        let check = |comparison, terms: [i128; 2], test, bound| {
            let terms = vec![(VariableId(0), terms[0]), (VariableId(1), terms[1])];
            let found = LinearTest::of(&left, comparison, &right);
            assert_eq!(found, Ok(Ok(LinearTest { terms, test, bound })));
        };
        check(Comparison::Less, [1, -1], SumTest::AtMost, -4);
        check(Comparison::LessOrEqual, [1, -1], SumTest::AtMost, -3);
        check(Comparison::Greater, [-1, 1], SumTest::AtMost, 2);
        check(Comparison::GreaterOrEqual, [-1, 1], SumTest::AtMost, 3);
        check(Comparison::Equal, [1, -1], SumTest::Exactly, -3);
        check(Comparison::NotEqual, [1, -1], SumTest::OtherThan, -3);
    }

    #[test]
    fn products_of_variables_name_one_of_them() {
        let square = times(variable(4), variable(4));
        let found = LinearTest::of(&square, Comparison::Equal, &Expr::Constant(9));
        assert_eq!(found, Ok(Err(VariableId(4))));
        assert_eq!(substitute(&square, VariableId(4), 3), Expr::Constant(9));
    }

    #[test]
    fn truth_values_name_one_variable_after_the_other() {
        let parity = Expr::Xor(vec![variable(1), Expr::Not(Box::new(variable(2)))]);
        let test = |expr: &Expr| LinearTest::of(expr, Comparison::Equal, &Expr::Constant(1));
        assert_eq!(test(&parity), Ok(Err(VariableId(1))));
        let half = substitute(&parity, VariableId(1), 1);
        assert_eq!(test(&half), Ok(Err(VariableId(2))));
        assert_eq!(substitute(&half, VariableId(2), 1), Expr::Constant(1));
        assert_eq!(substitute(&half, VariableId(2), 0), Expr::Constant(0));
    }
}
