//! Predicates and expressions in which some variables have known values: these are put in, and what
//! is decided by them alone is decided.

use crate::{Comparison, Expr, Predicate, VariableId};

impl Expr {
    /// The expression with a value for a variable.
    pub fn assume(&self, variable: VariableId, value: u64) -> Expr {
        match self {
            Expr::Variable(id) if *id == variable => {
                i64::try_from(value).map_or_else(|_| self.clone(), Expr::Constant)
            }
            other => other.with_operands(|operand| operand.assume(variable, value)),
        }
    }

    /// Adds where the expression has no value, because something in it is divided by 0, to `found`.
    pub fn collect_undefined(&self, found: &mut Vec<Predicate>) {
        match self {
            Expr::Constant(_) | Expr::Variable(_) => {}
            Expr::Sum(operands) | Expr::And(operands) | Expr::Or(operands) | Expr::Xor(operands) => {
                operands.iter().for_each(|operand| operand.collect_undefined(found));
            }
            Expr::Not(operand) => operand.collect_undefined(found),
            Expr::Product(a, b) => {
                a.collect_undefined(found);
                b.collect_undefined(found);
            }
            Expr::Quotient(a, b) => {
                a.collect_undefined(found);
                b.collect_undefined(found);
                found.push(Predicate::Compare((**b).clone(), Comparison::Equal, Expr::Constant(0)));
            }
        }
    }
}

impl Predicate {
    /// The predicate with a value for a variable, as far as that decides it.
    pub fn assume(&self, variable: VariableId, value: u64) -> Predicate {
        match self {
            Predicate::True | Predicate::False => self.clone(),
            Predicate::Compare(a, comparison, b) => {
                let left =
                    Predicate::Compare(a.assume(variable, value), *comparison, b.assume(variable, value));
                let mut read = Vec::new();
                left.collect_variables(&mut read);
                match read.is_empty().then(|| left.holds(&[])).flatten() {
                    Some(true) => Predicate::True,
                    Some(false) => Predicate::False,
                    None => left,
                }
            }
            Predicate::Not(inner) => inner.assume(variable, value).negated(),
            Predicate::And(all) => Predicate::all(all.iter().map(|one| one.assume(variable, value))),
            Predicate::Or(any) => Predicate::any(any.iter().map(|one| one.assume(variable, value))),
        }
    }

    /// Adds where something in the predicate has no value ([`Expr::collect_undefined`]) to `found`.
    pub fn collect_undefined(&self, found: &mut Vec<Predicate>) {
        match self {
            Predicate::True | Predicate::False => {}
            Predicate::Compare(a, _, b) => {
                a.collect_undefined(found);
                b.collect_undefined(found);
            }
            Predicate::Not(inner) => inner.collect_undefined(found),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| part.collect_undefined(found));
            }
        }
    }

    /// Where this does not hold. Only comparisons are left, without a sign before them.
    pub fn negated(self) -> Predicate {
        match self {
            Predicate::True => Predicate::False,
            Predicate::False => Predicate::True,
            Predicate::Compare(a, comparison, b) => Predicate::Compare(a, comparison.negated(), b),
            Predicate::Not(inner) => *inner,
            Predicate::And(all) => Predicate::any(all.into_iter().map(Predicate::negated)),
            Predicate::Or(any) => Predicate::all(any.into_iter().map(Predicate::negated)),
        }
    }

    /// Where all of these hold.
    pub fn all(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
        let mut left = Vec::new();
        for part in parts {
            match part {
                Predicate::True => {}
                Predicate::False => return Predicate::False,
                Predicate::And(more) => left.extend(more),
                other => left.push(other),
            }
        }
        drop_repeated(&mut left);
        match left.len() {
            0 => Predicate::True,
            1 => left.remove(0),
            _ => Predicate::And(left),
        }
    }

    /// Where one of these holds.
    pub fn any(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
        let mut left = Vec::new();
        for part in parts {
            match part {
                Predicate::False => {}
                Predicate::True => return Predicate::True,
                Predicate::Or(more) => left.extend(more),
                other => left.push(other),
            }
        }
        drop_repeated(&mut left);
        match left.len() {
            0 => Predicate::False,
            1 => left.remove(0),
            _ => Predicate::Or(left),
        }
    }
}

/// Long lists are left as they are: looking for repetitions would cost their square.
const LONG: usize = 40;

fn drop_repeated(list: &mut Vec<Predicate>) {
    if list.len() > LONG {
        return;
    }
    let mut kept = Vec::with_capacity(list.len());
    for one in list.drain(..) {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    *list = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(variable: u32, value: i64) -> Predicate {
        Predicate::Compare(Expr::Variable(VariableId(variable)), Comparison::Equal, Expr::Constant(value))
    }

    #[track_caller]
    fn check(predicate: &Predicate, variable: u32, value: u64, expected: &Predicate) {
        assert_eq!(predicate.assume(VariableId(variable), value), *expected);
    }

    #[test]
    fn what_is_known_is_put_in() {
        let both = Predicate::And(vec![is(0, 1), is(1, 2)]);
        check(&both, 0, 1, &is(1, 2));
        check(&both, 0, 0, &Predicate::False);
        check(&both, 5, 0, &both);
        let one = Predicate::Or(vec![is(0, 1), Predicate::Not(Box::new(is(1, 2)))]);
        check(&one, 0, 1, &Predicate::True);
        check(&one, 1, 2, &is(0, 1));
        check(&one, 1, 0, &Predicate::True);
        let twice = Predicate::all([is(0, 1), is(1, 2), is(0, 1)]);
        assert_eq!(twice, both);
    }

    #[test]
    fn divisions_by_zero_are_found() {
        let (x, y) = (Expr::Variable(VariableId(0)), Expr::Variable(VariableId(1)));
        let quotient = Expr::Sum(vec![Expr::Quotient(Box::new(x), Box::new(y)), Expr::Constant(1)]);
        let mut found = Vec::new();
        quotient.collect_undefined(&mut found);
        assert_eq!(found, [is(1, 0)]);
    }
}
