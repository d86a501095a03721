//! Expressions and predicates over the variables of a model: guards, updates, atoms and the
//! comparisons of formulas are all written with these.

use crate::VariableId;
use num_bigint::BigInt;

/// An integer expression. Evaluation is exact; a result outside 128 bits is `None`, never a wrap,
/// and is compared as the number that it is ([`Predicate::holds`]). A truth value is the number 1
/// or 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Constant(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// The sum of all operands.
    Sum(Vec<Expr>),
    /// The product of both operands.
    Product(Box<Expr>, Box<Expr>),
    /// The first operand divided by the second, rounded towards 0; no value where the second is 0.
    Quotient(Box<Expr>, Box<Expr>),
    /// 1 where no operand is 0, otherwise 0.
    And(Vec<Expr>),
    /// 1 where some operand is not 0, otherwise 0.
    Or(Vec<Expr>),
    /// 1 where an odd number of operands is not 0, otherwise 0.
    Xor(Vec<Expr>),
    /// 1 where the operand is 0, otherwise 0.
    Not(Box<Expr>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// A set of states, described.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// Every state.
    True,
    /// No state.
    False,
    /// States in which the two values compare like this.
    Compare(Expr, Comparison, Expr),
    /// States outside.
    Not(Box<Predicate>),
    /// States in all of these.
    And(Vec<Predicate>),
    /// States in one of these.
    Or(Vec<Predicate>),
}

impl Expr {
    /// The value in `state`; `None` outside 128 bits, and where something is divided by 0.
    pub fn evaluate(&self, state: &[u64]) -> Option<i128> {
        self.value(state)
    }

    /// The value in `state`, in numbers of one kind.
    fn value<N: Integer>(&self, state: &[u64]) -> Option<N> {
        let is_true = |operand: &Expr| Some(operand.value::<N>(state)? != N::from(0_i64));
        Some(match self {
            Expr::Constant(number) => N::from(*number),
            Expr::Variable(variable) => N::from(state[variable.index()]),
            Expr::Sum(operands) => {
                operands.iter().try_fold(N::from(0_i64), |sum, operand| sum.plus(operand.value(state)?))?
            }
            Expr::Product(a, b) => a.value::<N>(state)?.times(b.value(state)?)?,
            Expr::Quotient(a, b) => a.value::<N>(state)?.over(b.value(state)?)?,
            Expr::And(operands) => {
                N::truth(operands.iter().try_fold(true, |so_far, operand| Some(so_far & is_true(operand)?))?)
            }
            Expr::Or(operands) => {
                N::truth(operands.iter().try_fold(false, |so_far, operand| Some(so_far | is_true(operand)?))?)
            }
            Expr::Xor(operands) => {
                N::truth(operands.iter().try_fold(false, |so_far, operand| Some(so_far ^ is_true(operand)?))?)
            }
            Expr::Not(operand) => N::truth(!is_true(operand)?),
        })
    }

    /// The same operation on other operands. Numbers and variables have none and stay.
    pub fn with_operands(&self, new: impl Fn(&Expr) -> Expr) -> Expr {
        let all = |operands: &[Expr]| operands.iter().map(&new).collect();
        let boxed = |operand: &Expr| Box::new(new(operand));
        match self {
            Expr::Constant(_) | Expr::Variable(_) => self.clone(),
            Expr::Sum(operands) => Expr::Sum(all(operands)),
            Expr::Product(a, b) => Expr::Product(boxed(a), boxed(b)),
            Expr::Quotient(a, b) => Expr::Quotient(boxed(a), boxed(b)),
            Expr::And(operands) => Expr::And(all(operands)),
            Expr::Or(operands) => Expr::Or(all(operands)),
            Expr::Xor(operands) => Expr::Xor(all(operands)),
            Expr::Not(operand) => Expr::Not(boxed(operand)),
        }
    }

    /// Adds the variables that occur here to `found` (repeated where they repeat).
    pub fn collect_variables(&self, found: &mut Vec<VariableId>) {
        match self {
            Expr::Constant(_) => {}
            Expr::Variable(variable) => found.push(*variable),
            Expr::Sum(operands) | Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
                operands.iter().for_each(|operand| operand.collect_variables(found));
            }
            Expr::Not(operand) => operand.collect_variables(found),
            Expr::Product(a, b) | Expr::Quotient(a, b) => {
                a.collect_variables(found);
                b.collect_variables(found);
            }
        }
    }
}

/// Numbers to compute with: of 128 bits, which is nearly always enough, or of any length.
trait Integer: From<i64> + From<u64> + PartialEq {
    fn plus(self, other: Self) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    /// Towards 0; by 0 there is no answer.
    fn over(self, other: Self) -> Option<Self>;

    fn truth(is_true: bool) -> Self {
        Self::from(i64::from(is_true))
    }
}

impl Integer for i128 {
    fn plus(self, other: i128) -> Option<i128> {
        self.checked_add(other)
    }

    fn times(self, other: i128) -> Option<i128> {
        self.checked_mul(other)
    }

    fn over(self, other: i128) -> Option<i128> {
        self.checked_div(other)
    }
}

impl Integer for BigInt {
    fn plus(self, other: BigInt) -> Option<BigInt> {
        Some(self + other)
    }

    fn times(self, other: BigInt) -> Option<BigInt> {
        Some(self * other)
    }

    fn over(self, other: BigInt) -> Option<BigInt> {
        (other != BigInt::ZERO).then(|| self / other)
    }
}

impl Comparison {
    /// Whether `a` and `b` compare like this.
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }
}

impl Predicate {
    /// Whether `state` belongs to the set; `None` where something is divided by 0. No number is too
    /// large.
    pub fn holds(&self, state: &[u64]) -> Option<bool> {
        match self {
            Predicate::True => Some(true),
            Predicate::False => Some(false),
            Predicate::Compare(a, comparison, b) => match (a.evaluate(state), b.evaluate(state)) {
                (Some(a), Some(b)) => Some(comparison.holds(a, b)),
                _ => Some(comparison.holds(a.value::<BigInt>(state)?, b.value(state)?)),
            },
            Predicate::Not(inner) => inner.holds(state).map(|holds| !holds),
            Predicate::And(all) => all.iter().try_fold(true, |so_far, one| Some(so_far & one.holds(state)?)),
            Predicate::Or(any) => any.iter().try_fold(false, |so_far, one| Some(so_far | one.holds(state)?)),
        }
    }

    /// Adds the variables that occur here to `found` (repeated where they repeat).
    pub fn collect_variables(&self, found: &mut Vec<VariableId>) {
        match self {
            Predicate::True | Predicate::False => {}
            Predicate::Compare(a, _, b) => {
                a.collect_variables(found);
                b.collect_variables(found);
            }
            Predicate::Not(inner) => inner.collect_variables(found),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| part.collect_variables(found));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(index: u32) -> Expr {
        Expr::Variable(VariableId(index))
    }

    #[test]
    fn expressions_evaluate_exactly() {
        let square = Expr::Product(Box::new(variable(0)), Box::new(variable(0)));
        assert_eq!(
            square.evaluate(&[u64::from(u32::MAX)]),
            Some(i128::from(u32::MAX) * i128::from(u32::MAX))
        );
        let quartic = Expr::Product(Box::new(square.clone()), Box::new(square));
        assert_eq!(quartic.evaluate(&[i64::MAX as u64]), None);
    }

    /// Guards with products of large numbers would else be false wherever they cannot be computed
    /// in 128 bits.
    #[test]
    fn numbers_of_any_length_are_compared() {
        let power = |exponent: u32| {
            (1..exponent)
                .fold(variable(0), |so_far, _| Expr::Product(Box::new(so_far), Box::new(variable(0))))
        };
        let compare = |a: Expr, comparison, b: Expr| Predicate::Compare(a, comparison, b).holds(&[1 << 46]);
        assert_eq!(compare(power(3), Comparison::Greater, Expr::Constant(0)), Some(true));
        assert_eq!(compare(power(3), Comparison::Less, power(4)), Some(true));
        assert_eq!(compare(power(5), Comparison::Equal, power(5)), Some(true));
        let back = Expr::Quotient(Box::new(power(4)), Box::new(power(3)));
        assert_eq!(compare(back, Comparison::Equal, variable(0)), Some(true));
        let nothing = Expr::Quotient(Box::new(power(4)), Box::new(Expr::Constant(0)));
        assert_eq!(compare(nothing, Comparison::Equal, variable(0)), None);
    }

    #[test]
    fn quotients_round_towards_zero() {
        let quotient =
            |a, b| Expr::Quotient(Box::new(Expr::Constant(a)), Box::new(Expr::Constant(b))).evaluate(&[]);
        assert_eq!(quotient(7, 2), Some(3));
        assert_eq!(quotient(-7, 2), Some(-3));
        assert_eq!(quotient(1, 0), None);
    }

    #[test]
    fn truth_values_are_one_and_zero() {
        let all = || vec![variable(0), variable(1), variable(2)];
        let check = |state: [u64; 3], expected: [i128; 4]| {
            let not = Expr::Not(Box::new(variable(0)));
            let made = [Expr::And(all()), Expr::Or(all()), Expr::Xor(all()), not];
            assert_eq!(made.map(|expr| expr.evaluate(&state)), expected.map(Some), "{state:?}");
        };
        check([0, 0, 0], [0, 0, 0, 1]);
        check([1, 0, 0], [0, 1, 1, 0]);
        check([0, 1, 2], [0, 1, 0, 1]);
        check([1, 1, 2], [1, 1, 1, 0]);
    }

    #[test]
    fn predicates_combine() {
        let sum = Expr::Sum(vec![variable(0), variable(1)]);
        let at_most_one = Predicate::Compare(sum, Comparison::LessOrEqual, Expr::Constant(1));
        let both = Predicate::And(vec![at_most_one.clone(), Predicate::Not(Box::new(Predicate::False))]);
        assert_eq!(both.holds(&[1, 0]), Some(true));
        assert_eq!(both.holds(&[1, 1]), Some(false));
        assert_eq!(Predicate::Or(vec![at_most_one, Predicate::False]).holds(&[2, 0]), Some(false));
    }
}
