//! Expressions and predicates of the model, built so that what is constant is gone: numbers
//! are computed, comparisons that the domains decide become `True` or `False`, and a comparison of
//! one variable has it on its left.

use rustc_hash::FxHashMap;
use symbolon_model::{Comparison, Expr, Linear, Predicate, Values, VariableId};

/// All integers from `low` to `high`; none if `low` is larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: i128,
    pub(super) high: i128,
}

impl Interval {
    pub(super) fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(super) fn meet(self, other: Interval) -> Interval {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    fn plus(self, other: Interval) -> Interval {
        Interval::new(self.low.saturating_add(other.low), self.high.saturating_add(other.high))
    }

    /// The hull of a monotone operation on the corners.
    fn corners(self, other: Interval, of: impl Fn(i128, i128) -> i128) -> Interval {
        let all = [
            of(self.low, other.low),
            of(self.low, other.high),
            of(self.high, other.low),
            of(self.high, other.high),
        ];
        Interval::new(all.into_iter().fold(i128::MAX, i128::min), all.into_iter().fold(i128::MIN, i128::max))
    }
}

/// What variables of the state may be: their domains, and where a condition says more, that.
pub(super) struct Bounds<'v> {
    values: &'v [Values],
    narrower: FxHashMap<VariableId, Interval>,
}

impl<'v> Bounds<'v> {
    /// The domains alone.
    pub(super) fn new(values: &'v [Values]) -> Bounds<'v> {
        Bounds { values, narrower: FxHashMap::default() }
    }

    /// The domains, where all of these hold.
    pub(super) fn under(values: &'v [Values], conditions: &[Predicate]) -> Bounds<'v> {
        let mut bounds = Bounds::new(values);
        for condition in conditions {
            if let Some((variable, interval)) = as_interval(condition) {
                let narrower = bounds.of(variable).meet(interval);
                bounds.narrower.insert(variable, narrower);
            }
        }
        // An inequality narrows where it cuts off an end.
        for condition in conditions {
            if let Predicate::Compare(
                Expr::Variable(variable),
                Comparison::NotEqual,
                Expr::Constant(number),
            ) = condition
            {
                let mut interval = bounds.of(*variable);
                let number = i128::from(*number);
                interval.low += i128::from(interval.low == number);
                interval.high -= i128::from(interval.high == number);
                bounds.narrower.insert(*variable, interval);
            }
        }
        bounds
    }

    /// What the number of a variable in a state may be.
    pub(super) fn of(&self, variable: VariableId) -> Interval {
        if let Some(narrower) = self.narrower.get(&variable) {
            return *narrower;
        }
        domain(self.values.get(variable.index()))
    }

    /// Whether no state fulfils all conditions.
    pub(super) fn is_contradictory(&self) -> bool {
        self.narrower.values().any(|interval| interval.is_empty())
    }

    /// Numbers around all that an expression may be.
    pub(super) fn of_expr(&self, expr: &Expr) -> Interval {
        match expr {
            Expr::Constant(number) => Interval::new(i128::from(*number), i128::from(*number)),
            Expr::Variable(variable) => self.of(*variable),
            Expr::Sum(operands) => {
                if let Some(remainder) = self.of_remainder(operands) {
                    return remainder;
                }
                operands.iter().fold(Interval::new(0, 0), |sum, operand| sum.plus(self.of_expr(operand)))
            }
            Expr::Product(a, b) => self.of_expr(a).corners(self.of_expr(b), i128::saturating_mul),
            Expr::Quotient(a, b) => {
                let (a, b) = (self.of_expr(a), self.of_expr(b));
                if b.low > 0 || b.high < 0 {
                    return a.corners(b, i128::saturating_div).meet_hull(a);
                }
                let largest = a.low.saturating_abs().max(a.high.saturating_abs());
                Interval::new(-largest, largest)
            }
            Expr::And(_) | Expr::Or(_) | Expr::Xor(_) | Expr::Not(_) => Interval::new(0, 1),
        }
    }

    /// `a - n * (a / n)`, as [`remainder`] writes it for a number `n`.
    fn of_remainder(&self, operands: &[Expr]) -> Option<Interval> {
        let (last, first) = operands.split_last()?;
        let Expr::Product(factor, quotient) = last else { return None };
        let (Expr::Constant(factor), Expr::Quotient(divided, by)) = (&**factor, &**quotient) else {
            return None;
        };
        let Expr::Constant(by) = **by else { return None };
        let first = Expr::Sum(first.to_vec());
        let is_same = match &**divided {
            Expr::Sum(operands) => Expr::Sum(operands.clone()) == first,
            other => Expr::Sum(vec![other.clone()]) == first,
        };
        if !is_same || by == 0 || i128::from(*factor) != -i128::from(by) {
            return None;
        }
        let divided = self.of_expr(divided);
        let largest = i128::from(by).abs() - 1;
        Some(Interval::new(divided.low.clamp(-largest, 0), divided.high.clamp(0, largest)))
    }
}

impl Interval {
    /// A quotient is no larger than what was divided, and may be 0 in between.
    fn meet_hull(self, divided: Interval) -> Interval {
        if divided.low <= 0 && divided.high >= 0 {
            Interval::new(self.low.min(0), self.high.max(0))
        } else {
            self
        }
    }
}

/// The numbers that stand for the values of a domain.
fn domain(values: Option<&Values>) -> Interval {
    let largest = values.and_then(Values::count).map_or(i64::MAX as u64, |count| count.saturating_sub(1));
    Interval::new(0, i128::from(largest))
}

/// The interval that a comparison leaves to the one variable in it.
pub(super) fn as_interval(predicate: &Predicate) -> Option<(VariableId, Interval)> {
    let Predicate::Compare(Expr::Variable(variable), comparison, Expr::Constant(number)) = predicate else {
        return None;
    };
    let number = i128::from(*number);
    let (lowest, highest) = (i128::MIN, i128::MAX);
    let interval = match comparison {
        Comparison::Equal => Interval::new(number, number),
        Comparison::NotEqual => return None,
        Comparison::Less => Interval::new(lowest, number - 1),
        Comparison::LessOrEqual => Interval::new(lowest, number),
        Comparison::Greater => Interval::new(number + 1, highest),
        Comparison::GreaterOrEqual => Interval::new(number, highest),
    };
    Some((*variable, interval))
}

/// The sum of all terms; numbers are added up and stand last.
pub(super) fn sum(terms: Vec<Expr>) -> Expr {
    let mut kept = Vec::with_capacity(terms.len());
    let mut constant = 0_i64;
    let mut add = |term: Expr, kept: &mut Vec<Expr>| match term {
        Expr::Constant(number) => match constant.checked_add(number) {
            Some(both) => constant = both,
            None => kept.push(Expr::Constant(number)),
        },
        other => kept.push(other),
    };
    for term in terms {
        match term {
            Expr::Sum(inner) => inner.into_iter().for_each(|term| add(term, &mut kept)),
            other => add(other, &mut kept),
        }
    }
    if constant != 0 || kept.is_empty() {
        kept.push(Expr::Constant(constant));
    }
    if kept.len() == 1 { kept.remove(0) } else { Expr::Sum(kept) }
}

/// The product of both.
pub(super) fn product(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Constant(0), _) | (_, Expr::Constant(0)) => Expr::Constant(0),
        (Expr::Constant(1), other) | (other, Expr::Constant(1)) => other,
        (Expr::Constant(a), Expr::Constant(b)) => match a.checked_mul(b) {
            Some(both) => Expr::Constant(both),
            None => Expr::Product(Box::new(Expr::Constant(a)), Box::new(Expr::Constant(b))),
        },
        // Numbers first, one factor for all.
        (a, Expr::Constant(b)) => product(Expr::Constant(b), a),
        (Expr::Constant(a), Expr::Product(b, c)) => match (*b, a) {
            (Expr::Constant(b), a) if a.checked_mul(b).is_some() => product(Expr::Constant(a * b), *c),
            (b, a) => Expr::Product(Box::new(Expr::Constant(a)), Box::new(Expr::Product(Box::new(b), c))),
        },
        (Expr::Constant(a), Expr::Sum(terms)) => {
            sum(terms.into_iter().map(|term| product(Expr::Constant(a), term)).collect())
        }
        (a, b) => Expr::Product(Box::new(a), Box::new(b)),
    }
}

/// The first divided by the second, which is not 0 wherever the answer matters; elsewhere it is
/// divided by 1, so that the answer has a value in every state.
pub(super) fn quotient(a: Expr, b: Expr, bounds: &Bounds<'_>) -> Expr {
    match (&a, &b) {
        (_, Expr::Constant(1)) => return a,
        (Expr::Constant(x), Expr::Constant(y)) => {
            if let Some(number) = x.checked_div(*y) {
                return Expr::Constant(number);
            }
        }
        _ => {}
    }
    let divisor = bounds.of_expr(&b);
    let b = if divisor.low > 0 || divisor.high < 0 {
        b
    } else {
        Expr::Sum(vec![b.clone(), Expr::Not(Box::new(b))])
    };
    Expr::Quotient(Box::new(a), Box::new(b))
}

/// What remains when the first is divided by the second.
pub(super) fn remainder(a: Expr, b: Expr, bounds: &Bounds<'_>) -> Expr {
    if let (Expr::Constant(x), Expr::Constant(y)) = (&a, &b)
        && let Some(number) = x.checked_rem(*y)
    {
        return Expr::Constant(number);
    }
    let divided = quotient(a.clone(), b.clone(), bounds);
    let taken = match b {
        // Not spread over the quotient, so that `of_remainder` knows it again.
        Expr::Constant(number) if number != i64::MIN => {
            Expr::Product(Box::new(Expr::Constant(-number)), Box::new(divided))
        }
        b => product(Expr::Constant(-1), product(b, divided)),
    };
    match a {
        Expr::Sum(mut terms) => {
            terms.push(taken);
            Expr::Sum(terms)
        }
        other => Expr::Sum(vec![other, taken]),
    }
}

/// Where two values compare like this.
pub(super) fn compare(a: Expr, comparison: Comparison, b: Expr, bounds: &Bounds<'_>) -> Predicate {
    let difference = {
        let (a, b) = (bounds.of_expr(&a), bounds.of_expr(&b));
        Interval::new(a.low.saturating_sub(b.high), a.high.saturating_sub(b.low))
    };
    if let Some(truth) = decided(difference, comparison) {
        return truth;
    }
    if let Some((terms, constant)) = Linear::of_comparison(&a, &b) {
        match terms.as_slice() {
            [] => return of_truth(comparison.holds(0, constant)),
            [(variable, coefficient)] => {
                if let Some(single) = single(*variable, *coefficient, comparison, constant) {
                    return match single {
                        Predicate::Compare(a, comparison, b) => {
                            let (x, y) = (bounds.of_expr(&a), bounds.of_expr(&b));
                            let difference = Interval::new(x.low - y.high, x.high - y.low);
                            decided(difference, comparison).unwrap_or(Predicate::Compare(a, comparison, b))
                        }
                        truth => truth,
                    };
                }
            }
            _ => {}
        }
    }
    Predicate::Compare(a, comparison, b)
}

/// The truth of `d ⋈ 0` for all `d` in the interval, if it is the same for all.
fn decided(difference: Interval, comparison: Comparison) -> Option<Predicate> {
    let Interval { low, high } = difference;
    let (always, never) = match comparison {
        Comparison::Equal => (low == 0 && high == 0, low > 0 || high < 0),
        Comparison::NotEqual => (low > 0 || high < 0, low == 0 && high == 0),
        Comparison::Less => (high < 0, low >= 0),
        Comparison::LessOrEqual => (high <= 0, low > 0),
        Comparison::Greater => (low > 0, high <= 0),
        Comparison::GreaterOrEqual => (low >= 0, high < 0),
    };
    if always {
        Some(Predicate::True)
    } else if never {
        Some(Predicate::False)
    } else {
        None
    }
}

/// `coefficient * variable ⋈ constant` without the coefficient.
fn single(
    variable: VariableId,
    coefficient: i64,
    comparison: Comparison,
    constant: i64,
) -> Option<Predicate> {
    let (coefficient, constant) = (i128::from(coefficient), i128::from(constant));
    let floor = constant.div_euclid(coefficient.abs());
    let (floor, rest) = if coefficient > 0 {
        (floor, constant.rem_euclid(coefficient))
    } else {
        // -c * x ⋈ k is c * x ⋈' -k.
        ((-constant).div_euclid(-coefficient), (-constant).rem_euclid(-coefficient))
    };
    let comparison = if coefficient > 0 { comparison } else { flipped(comparison) };
    let (comparison, number) = match comparison {
        Comparison::Equal if rest != 0 => return Some(Predicate::False),
        Comparison::NotEqual if rest != 0 => return Some(Predicate::True),
        Comparison::Equal | Comparison::NotEqual => (comparison, floor),
        Comparison::LessOrEqual => (comparison, floor),
        Comparison::Less => (Comparison::LessOrEqual, if rest == 0 { floor - 1 } else { floor }),
        Comparison::Greater => (Comparison::GreaterOrEqual, floor + 1),
        Comparison::GreaterOrEqual => (comparison, if rest == 0 { floor } else { floor + 1 }),
    };
    let number = Expr::Constant(i64::try_from(number).ok()?);
    Some(Predicate::Compare(Expr::Variable(variable), comparison, number))
}

fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal | Comparison::NotEqual => comparison,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

pub(super) fn of_truth(truth: bool) -> Predicate {
    if truth { Predicate::True } else { Predicate::False }
}

/// The conditions that make up a conjunction.
pub(super) fn conjuncts(predicate: Predicate) -> Vec<Predicate> {
    match predicate {
        Predicate::And(all) => all,
        Predicate::True => Vec::new(),
        other => vec![other],
    }
}

/// How many comparisons it has.
pub(super) fn size(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::True | Predicate::False | Predicate::Compare(..) => 1,
        Predicate::Not(inner) => size(inner),
        Predicate::And(all) | Predicate::Or(all) => all.iter().map(size).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_of_one_variable_are_tidied() {
        let values = [Values::Natural, Values::Range { least: 0, largest: 5 }];
        let bounds = Bounds::new(&values);
        let x = || Expr::Variable(VariableId(1));
        let number = Expr::Constant;
        let check = |a: Expr, comparison, b: Expr, expected: Predicate| {
            assert_eq!(compare(a, comparison, b, &bounds), expected);
        };
        let is = |comparison, k| Predicate::Compare(x(), comparison, number(k));
        use Comparison::*;
        check(x(), Less, number(3), is(LessOrEqual, 2));
        check(number(3), Less, x(), is(GreaterOrEqual, 4));
        check(product(number(2), x()), GreaterOrEqual, number(5), is(GreaterOrEqual, 3));
        check(product(number(-2), x()), Less, number(-5), is(GreaterOrEqual, 3));
        check(product(number(2), x()), Equal, number(5), Predicate::False);
        check(sum(vec![x(), number(4)]), Equal, number(6), is(Equal, 2));
        check(x(), LessOrEqual, number(5), Predicate::True);
        check(x(), Greater, number(5), Predicate::False);
        check(Expr::Variable(VariableId(0)), GreaterOrEqual, number(0), Predicate::True);
        check(x(), Equal, x(), Predicate::True);
    }

    #[test]
    fn remainders_stay_below_what_divides() {
        let values = [Values::Range { least: 0, largest: 9 }];
        let bounds = Bounds::new(&values);
        let next = sum(vec![Expr::Variable(VariableId(0)), Expr::Constant(1)]);
        let turned = remainder(next, Expr::Constant(10), &bounds);
        assert_eq!(bounds.of_expr(&turned), Interval::new(0, 9));
        assert_eq!(turned.evaluate(&[9]), Some(0));
        assert_eq!(turned.evaluate(&[8]), Some(9));
        let negative = sum(vec![Expr::Variable(VariableId(0)), Expr::Constant(-5)]);
        let turned = remainder(negative, Expr::Constant(3), &bounds);
        assert_eq!(bounds.of_expr(&turned), Interval::new(-2, 2));
        assert_eq!(turned.evaluate(&[0]), Some(-2));
    }
}
