//! The states of a set that satisfy a predicate, over any kind of state sets.
//!
//! Comparisons of linear expressions are what a kind of diagram must know
//! ([`StateSets::select_sum`]); the rest is written here: boolean operators become set operations
//! inside the given set, and where variables are multiplied, the set is split by the values that
//! one of them has in it.

use super::{Analysed, StateSets};
use crate::sets::linear::{LinearTest, substitute};
use std::collections::BTreeMap;
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::SumTest;
use symbolon_model::{Comparison, Expr, Predicate, VariableId};

/// Whether a predicate compares weighted sums only.
pub(crate) fn is_linear(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::True | Predicate::False => true,
        Predicate::Compare(a, comparison, b) => matches!(LinearTest::of(a, *comparison, b), Ok(Ok(_))),
        Predicate::Not(inner) => is_linear(inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().all(is_linear),
    }
}

/// The states of `set` that satisfy `predicate`. A predicate in which something is divided by 0
/// holds in no such state, wherever the division stands.
pub(crate) fn select<S: StateSets + ?Sized>(
    sets: &mut S,
    set: &S::Set,
    predicate: &Predicate,
) -> Result<S::Set, Interrupted> {
    let mut divisors = Vec::new();
    predicate_divisors(predicate, &mut divisors);
    let mut defined = set.clone();
    for divisor in divisors {
        defined = compare(sets, &defined, divisor, Comparison::NotEqual, &Expr::Constant(0))?;
        // Nothing is left in which what divides by 0 would have a value.
        if sets.is_empty(&defined) {
            return Ok(defined);
        }
    }
    select_defined(sets, &defined, predicate)
}

/// The divisors in a predicate, those inside another one before it.
fn predicate_divisors<'p>(predicate: &'p Predicate, found: &mut Vec<&'p Expr>) {
    match predicate {
        Predicate::True | Predicate::False => {}
        Predicate::Compare(a, _, b) => [a, b].into_iter().for_each(|expr| divisors(expr, found)),
        Predicate::Not(inner) => predicate_divisors(inner, found),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().for_each(|part| predicate_divisors(part, found));
        }
    }
}

fn divisors<'p>(expr: &'p Expr, found: &mut Vec<&'p Expr>) {
    match expr {
        Expr::Constant(_) | Expr::Variable(_) => {}
        Expr::Sum(operands) | Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
            operands.iter().for_each(|operand| divisors(operand, found));
        }
        Expr::Not(operand) => divisors(operand, found),
        Expr::Product(a, b) => [a, b].into_iter().for_each(|operand| divisors(operand, found)),
        Expr::Quotient(a, b) => {
            [a, b].into_iter().for_each(|operand| divisors(operand, found));
            found.push(b);
        }
    }
}

/// The states of `set`, in all of which nothing is divided by 0, that satisfy `predicate`.
fn select_defined<S: StateSets + ?Sized>(
    sets: &mut S,
    set: &S::Set,
    predicate: &Predicate,
) -> Result<S::Set, Interrupted> {
    match predicate {
        Predicate::True => Ok(set.clone()),
        Predicate::False => Ok(sets.none()),
        Predicate::Compare(a, comparison, b) => compare(sets, set, a, *comparison, b),
        Predicate::Not(inner) => {
            let inside = select_defined(sets, set, inner)?;
            sets.difference(set, &inside)
        }
        Predicate::And(all) => all.iter().try_fold(set.clone(), |left, one| select_defined(sets, &left, one)),
        Predicate::Or(any) => {
            let mut left = set.clone();
            for one in any {
                let found = select_defined(sets, &left, one)?;
                left = sets.difference(&left, &found)?;
            }
            sets.difference(set, &left)
        }
    }
}

fn compare<S: StateSets + ?Sized>(
    sets: &mut S,
    set: &S::Set,
    a: &Expr,
    comparison: Comparison,
    b: &Expr,
) -> Result<S::Set, Interrupted> {
    let variable = match LinearTest::of(a, comparison, b)? {
        Ok(test) => return sets.select_sum(set, &test),
        Err(variable) => variable,
    };
    let mut left = set.clone();
    let mut answer = sets.none();
    while let Some(state) = sets.choose(&left) {
        let value = i64::try_from(state[variable.index()]).map_err(|_| Interrupted::Overflow)?;
        let part = sets.select_sum(&left, &has_value(variable, value))?;
        let (a, b) = (substitute(a, variable, value), substitute(b, variable, value));
        let found = compare(sets, &part, &a, comparison, &b)?;
        answer = sets.union(&answer, &found)?;
        left = sets.difference(&left, &part)?;
        sets.collect_if_due();
    }
    Ok(answer)
}

fn has_value(variable: VariableId, value: i64) -> LinearTest {
    LinearTest { terms: vec![(variable, 1)], test: SumTest::Exactly, bound: i128::from(value) }
}

/// The largest value of a weighted sum over `set`: from one state to another with a larger sum,
/// until there is none.
pub(super) fn largest<S: StateSets + ?Sized>(
    sets: &mut S,
    set: &S::Set,
    weights: &[(VariableId, i64)],
) -> Result<Option<i128>, Interrupted> {
    let mut terms: BTreeMap<VariableId, i128> = BTreeMap::new();
    for &(variable, weight) in weights {
        *terms.entry(variable).or_default() -= i128::from(weight);
    }
    terms.retain(|_, weight| *weight != 0);
    let terms: Vec<(VariableId, i128)> = terms.into_iter().collect();
    let mut largest = None;
    let mut open = set.clone();
    while let Some(state) = sets.choose(&open) {
        let value = |(variable, weight): &(VariableId, i128)| -> Option<i128> {
            weight.checked_mul(i128::from(state[variable.index()]))
        };
        let negated = terms.iter().try_fold(0_i128, |sum, term| sum.checked_add(value(term)?));
        let negated = negated.ok_or(Interrupted::Overflow)?;
        largest = Some(-negated);
        if terms.is_empty() {
            break;
        }
        let larger = LinearTest { terms: terms.clone(), test: SumTest::AtMost, bound: negated - 1 };
        open = sets.select_sum(&open, &larger)?;
        sets.collect_if_due();
    }
    Ok(largest)
}

/// The smallest and the largest value of each variable in a non-empty set.
pub(super) fn analyse<S: StateSets + ?Sized>(sets: &mut S, set: &S::Set) -> Result<Analysed, Interrupted> {
    let width = sets.choose(set).map_or(0, |state| state.len());
    let mut analysed = Analysed::default();
    for variable in (0..width as u32).map(VariableId) {
        let mut extreme = |sign: i64| -> Result<u64, Interrupted> {
            let sum = sets.largest(set, &[(variable, sign)])?.unwrap_or(0) * i128::from(sign);
            u64::try_from(sum).map_err(|_| Interrupted::Overflow)
        };
        analysed.largest.push(extreme(1)?);
        analysed.smallest.push(extreme(-1)?);
    }
    Ok(analysed)
}
