//! What expressions mean.
//!
//! The model's expressions compute numbers, but do not choose: an index that is computed,
//! `if … then … else`, and a comparison that is assigned become **cases**, conditions that exclude
//! each other with a value each. In a condition the cases are joined again; a command becomes one
//! event for each case of what it assigns.
//!
//! An expression has no value where something is divided by zero or an index leaves its array. A
//! condition therefore has two sides, where it holds and where it fails, and neither where it
//! depends on what has no value: `x > 0 & 6 / x > 2` simply fails where `x` is 0.

use super::Lowering;
use super::algebra::{Bounds, compare, of_truth, product, quotient, remainder, size, sum};
use super::scope::{Around, Kind, Listing};
use crate::mistakes::Made;
use crate::tree::{Added, Binder, Expr as Tree, ExprKind, Factor, Quantifier};
use std::sync::Arc;
use symbolon_model::{Comparison, Expr, Predicate, Values};

/// The most cases of an expression.
pub(super) const MOST_CASES: usize = 10_000;

/// The number of terms that a copy of the body of a loop counts as.
const COPY_SIZE: usize = 8;

/// A value, where some conditions hold.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) when: Vec<Predicate>,
    pub(super) value: Expr,
}

/// The cases of an expression, and what it is.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) cases: Vec<Case>,
    pub(super) kind: Kind,
}

/// Where a condition holds, and where it fails.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub(super) holds: Predicate,
    pub(super) fails: Predicate,
}

impl Truth {
    fn total(holds: Predicate) -> Truth {
        Truth { fails: holds.clone().negated(), holds }
    }

    fn size(&self) -> usize {
        size(&self.holds) + size(&self.fails)
    }
}

impl Value {
    pub(super) fn constant(number: i64, kind: Kind) -> Value {
        Value { cases: vec![Case { when: Vec::new(), value: Expr::Constant(number) }], kind }
    }
}

impl Lowering<'_> {
    /// The cases of an expression. `listing` says what a name may be a value of.
    pub(super) fn value(&mut self, tree: &Tree, around: &Around, listing: Option<&Listing>) -> Made<Value> {
        self.charge(1, tree.at.0)?;
        match &tree.kind {
            ExprKind::Number(number) => Ok(Value::constant(*number, Kind::Number)),
            ExprKind::Reference(reference) => self.value_of_reference(reference, around, listing),
            ExprKind::Negative(inner) => {
                let inner = self.number(inner, around)?;
                let minus = |case: Case| Case { value: product(Expr::Constant(-1), case.value), ..case };
                Ok(numbers(inner.into_iter().map(minus).collect()))
            }
            ExprKind::Sum(first, rest) => {
                let mut terms = vec![(1, self.number(first, around)?)];
                for (added, operand) in rest {
                    let factor = if *added == Added::Plus { 1 } else { -1 };
                    terms.push((factor, self.number(operand, around)?));
                }
                self.added(terms, tree.at.0)
            }
            ExprKind::Product(first, rest) => {
                let mut total = self.number(first, around)?;
                for (factor, operand) in rest {
                    total = self.multiplied(total, *factor, operand, around)?;
                }
                Ok(numbers(total))
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.truth(condition, around)?;
                let (yes_at, no_at) = (yes.at.0, no.at.0);
                let (yes, no) = (self.value(yes, around, listing)?, self.value(no, around, listing)?);
                if yes.kind != no.kind {
                    let message = format!("this is {}", no.kind.described());
                    let hint = Some(format!("the other case is {}", yes.kind.described()));
                    return self.mistakes.broken(no_at.max(yes_at), message, hint);
                }
                let kind = yes.kind.clone();
                let mut cases = under(&condition.holds, yes.cases);
                cases.extend(under(&condition.fails, no.cases));
                self.charge(cases.len() + condition.size(), tree.at.0)?;
                Ok(Value { cases, kind })
            }
            ExprKind::Quantified(Quantifier::Sum, binder, body) => {
                let mut terms = Vec::new();
                for around in self.each(std::slice::from_ref(binder), around)? {
                    terms.push((1, self.number(body, &around)?));
                }
                self.added(terms, tree.at.0)
            }
            _ => {
                let truth = self.truth(tree, around)?;
                let cases = match self.as_number(&truth.holds) {
                    Some(value) if truth.fails == truth.holds.clone().negated() => {
                        vec![Case { when: Vec::new(), value }]
                    }
                    _ => {
                        let mut cases =
                            under(&truth.holds, vec![Case { when: Vec::new(), value: Expr::Constant(1) }]);
                        cases.extend(under(
                            &truth.fails,
                            vec![Case { when: Vec::new(), value: Expr::Constant(0) }],
                        ));
                        cases
                    }
                };
                Ok(Value { cases, kind: Kind::Truth })
            }
        }
    }

    /// Where a condition holds and where it fails.
    pub(super) fn truth(&mut self, tree: &Tree, around: &Around) -> Made<Truth> {
        self.charge(1, tree.at.0)?;
        match &tree.kind {
            ExprKind::Truth(truth) => Ok(Truth::total(of_truth(*truth))),
            ExprKind::Not(inner) => {
                let Truth { holds, fails } = self.truth(inner, around)?;
                Ok(Truth { holds: fails, fails: holds })
            }
            ExprKind::And(all) => {
                let all = all.iter().map(|one| self.truth(one, around)).collect::<Made<Vec<_>>>()?;
                Ok(conjunction(all))
            }
            ExprKind::Or(all) => {
                let all = all.iter().map(|one| self.truth(one, around)).collect::<Made<Vec<_>>>()?;
                Ok(disjunction(all))
            }
            ExprKind::Implies(all) => {
                let mut all = all.iter().map(|one| self.truth(one, around)).collect::<Made<Vec<_>>>()?;
                // To the right: a -> b -> c holds where a fails, b fails or c holds.
                let last = all.pop();
                let mut sides: Vec<Truth> = all
                    .into_iter()
                    .map(|Truth { holds, fails }| Truth { holds: fails, fails: holds })
                    .collect();
                sides.extend(last);
                Ok(disjunction(sides))
            }
            ExprKind::Equivalent(all) => {
                let mut total: Option<Truth> = None;
                for one in all {
                    let one = self.truth(one, around)?;
                    total = Some(match total {
                        None => one,
                        Some(before) => self.equivalent(before, one, tree.at.0)?,
                    });
                }
                Ok(total.unwrap_or_else(|| Truth::total(Predicate::True)))
            }
            ExprKind::Compare(left, comparison, right) => {
                self.comparison(left, *comparison, right, around, tree.at.0)
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.truth(condition, around)?;
                let (yes, no) = (self.truth(yes, around)?, self.truth(no, around)?);
                self.charge(2 * condition.size() + yes.size() + no.size(), tree.at.0)?;
                let side = |yes: Predicate, no: Predicate| {
                    Predicate::any([
                        Predicate::all([condition.holds.clone(), yes]),
                        Predicate::all([condition.fails.clone(), no]),
                    ])
                };
                Ok(Truth { holds: side(yes.holds, no.holds), fails: side(yes.fails, no.fails) })
            }
            ExprKind::Quantified(quantifier @ (Quantifier::Forall | Quantifier::Exists), binder, body) => {
                let copies = self.each(std::slice::from_ref(binder), around)?;
                let all = copies.iter().map(|around| self.truth(body, around)).collect::<Made<Vec<_>>>()?;
                Ok(if *quantifier == Quantifier::Forall { conjunction(all) } else { disjunction(all) })
            }
            ExprKind::Number(_)
            | ExprKind::Negative(_)
            | ExprKind::Sum(..)
            | ExprKind::Product(..)
            | ExprKind::Quantified(..) => self.no_truth(&Kind::Number, tree.at.0),
            ExprKind::Reference(reference) => {
                let value = self.value_of_reference(reference, around, None)?;
                if value.kind != Kind::Truth {
                    return self.no_truth(&value.kind, tree.at.0);
                }
                let bounds = Bounds::new(&self.values);
                let side = |number: i64| {
                    Predicate::any(value.cases.iter().map(|case| {
                        let is =
                            compare(case.value.clone(), Comparison::Equal, Expr::Constant(number), &bounds);
                        Predicate::all(case.when.iter().cloned().chain([is]))
                    }))
                };
                Ok(Truth { holds: side(1), fails: side(0) })
            }
        }
    }

    fn no_truth<T>(&mut self, kind: &Kind, at: usize) -> Made<T> {
        let message = format!("expected a condition, found {}", kind.described());
        self.mistakes.broken(at, message, Some("compare it with something, such as x >= 1".to_string()))
    }

    fn equivalent(&mut self, a: Truth, b: Truth, at: usize) -> Made<Truth> {
        self.charge(2 * (a.size() + b.size()), at)?;
        let both = |x: &Predicate, y: &Predicate| Predicate::all([x.clone(), y.clone()]);
        Ok(Truth {
            holds: Predicate::any([both(&a.holds, &b.holds), both(&a.fails, &b.fails)]),
            fails: Predicate::any([both(&a.holds, &b.fails), both(&a.fails, &b.holds)]),
        })
    }

    fn comparison(
        &mut self,
        left: &Tree,
        comparison: Comparison,
        right: &Tree,
        around: &Around,
        at: usize,
    ) -> Made<Truth> {
        let listing = self.listing_of(left, around).or_else(|| self.listing_of(right, around));
        let is_truth = self.is_condition(left, around) && self.is_condition(right, around);
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if is_truth && is_equality {
            let (a, b) = (self.truth(left, around)?, self.truth(right, around)?);
            let same = self.equivalent(a, b, at)?;
            return Ok(match comparison {
                Comparison::Equal => same,
                _ => Truth { holds: same.fails, fails: same.holds },
            });
        }
        let a = self.value(left, around, listing.as_ref())?;
        let b = self.value(right, around, listing.as_ref())?;
        if a.kind != b.kind {
            let message = format!("{} is compared with {}", a.kind.described(), b.kind.described());
            return self.mistakes.broken(at, message, None);
        }
        if a.kind != Kind::Number && !is_equality {
            let message = format!("{} can only be compared by = and !=", a.kind.described());
            return self.mistakes.broken(at, message, None);
        }
        self.charge(a.cases.len().saturating_mul(b.cases.len()), at)?;
        let bounds = Bounds::new(&self.values);
        if let ([x], [y]) = (a.cases.as_slice(), b.cases.as_slice())
            && x.when.is_empty()
            && y.when.is_empty()
        {
            return Ok(Truth::total(compare(x.value.clone(), comparison, y.value.clone(), &bounds)));
        }
        let side = |comparison: Comparison| {
            let pairs = a.cases.iter().flat_map(|x| b.cases.iter().map(move |y| (x, y)));
            Predicate::any(pairs.filter_map(|(x, y)| {
                let when = join(x.when.clone(), &y.when)?;
                let compared = compare(x.value.clone(), comparison, y.value.clone(), &bounds);
                Some(Predicate::all(when.into_iter().chain([compared])))
            }))
        };
        Ok(Truth { holds: side(comparison), fails: side(comparison.negated()) })
    }

    /// The cases of a number.
    pub(super) fn number(&mut self, tree: &Tree, around: &Around) -> Made<Vec<Case>> {
        let value = self.value(tree, around, None)?;
        if value.kind == Kind::Number {
            return Ok(value.cases);
        }
        let message = format!("expected a number, found {}", value.kind.described());
        self.mistakes.broken(tree.at.0, message, None)
    }

    /// A number that is constant.
    pub(super) fn constant(&mut self, tree: &Tree, around: &Around) -> Made<i64> {
        let cases = self.number(tree, around)?;
        if let [Case { when, value: Expr::Constant(number) }] = cases.as_slice()
            && when.is_empty()
        {
            return Ok(*number);
        }
        let mut variables = Vec::new();
        cases.iter().for_each(|case| case.value.collect_variables(&mut variables));
        let (message, hint) = if variables.is_empty() {
            ("this has no value", "a number is divided by zero, or one becomes too large")
        } else {
            ("this must be a constant", "use numbers, constants and names of loops")
        };
        self.mistakes.broken(tree.at.0, message, Some(hint.to_string()))
    }

    /// The sum of numbers with a factor each. Those without cases are added in one go: one by one
    /// would copy what was added before each time.
    fn added(&mut self, terms: Vec<(i64, Vec<Case>)>, at: usize) -> Made<Value> {
        let mut total = vec![Case { when: Vec::new(), value: Expr::Constant(0) }];
        let mut plain = Vec::new();
        for (factor, mut cases) in terms {
            let scaled = |value: Expr| product(Expr::Constant(factor), value);
            match cases.as_mut_slice() {
                [one] if one.when.is_empty() => {
                    plain.push(scaled(std::mem::replace(&mut one.value, Expr::Constant(0))));
                }
                _ => total = self.joined(total, cases, at, |a, b| sum(vec![a, scaled(b)]))?,
            }
        }
        let plain = sum(plain);
        let with_plain = |case: Case| Case { value: sum(vec![plain.clone(), case.value]), ..case };
        Ok(numbers(total.into_iter().map(with_plain).collect()))
    }

    fn multiplied(
        &mut self,
        total: Vec<Case>,
        factor: Factor,
        operand: &Tree,
        around: &Around,
    ) -> Made<Vec<Case>> {
        let operands = self.number(operand, around)?;
        let at = operand.at.0;
        if factor == Factor::Times {
            return self.joined(total, operands, at, product);
        }
        if operands.iter().all(|case| case.value == Expr::Constant(0)) {
            return self.mistakes.broken(at, "this is a division by zero", None);
        }
        let mut divisors = Vec::with_capacity(operands.len());
        let bounds = Bounds::new(&self.values);
        for Case { when, value } in operands {
            let is_some = compare(value.clone(), Comparison::NotEqual, Expr::Constant(0), &bounds);
            if let Some(when) = join(when, &[is_some]) {
                divisors.push(Case { when, value });
            }
        }
        let values = Arc::clone(&self.values);
        let bounds = Bounds::new(&values);
        self.joined(total, divisors, at, |a, b| {
            if factor == Factor::Over { quotient(a, b, &bounds) } else { remainder(a, b, &bounds) }
        })
    }

    /// All pairs of cases that can be met together.
    fn joined(
        &mut self,
        a: Vec<Case>,
        b: Vec<Case>,
        at: usize,
        of: impl Fn(Expr, Expr) -> Expr,
    ) -> Made<Vec<Case>> {
        if let ([_], [_]) = (a.as_slice(), b.as_slice()) {
            let mut joined = Vec::with_capacity(1);
            for (x, y) in a.into_iter().zip(b) {
                if let Some(when) = join(x.when, &y.when) {
                    joined.push(Case { when, value: of(x.value, y.value) });
                }
            }
            return Ok(joined);
        }
        self.charge(a.len().saturating_mul(b.len()), at)?;
        let mut joined = Vec::new();
        for x in &a {
            for y in &b {
                if let Some(when) = join(x.when.clone(), &y.when) {
                    joined.push(Case { when, value: of(x.value.clone(), y.value.clone()) });
                }
            }
            if joined.len() > MOST_CASES {
                return self.too_many_cases(at);
            }
        }
        Ok(joined)
    }

    pub(super) fn too_many_cases<T>(&mut self, at: usize) -> Made<T> {
        let message = format!("this makes more than {MOST_CASES} cases");
        let hint = "each computed index and each `if` is a case of its own; split the command";
        self.mistakes.broken(at, message, Some(hint.to_string()))
    }

    /// A condition over truth values alone as a number that is 1 where it holds.
    fn as_number(&self, predicate: &Predicate) -> Option<Expr> {
        match predicate {
            Predicate::True => Some(Expr::Constant(1)),
            Predicate::False => Some(Expr::Constant(0)),
            Predicate::Compare(Expr::Variable(variable), comparison, Expr::Constant(number)) => {
                let is_boolean = self.values.get(variable.index()) == Some(&Values::Boolean);
                let is_one = match (comparison, number) {
                    (Comparison::Equal, 1) | (Comparison::NotEqual, 0) => true,
                    (Comparison::Equal, 0) | (Comparison::NotEqual, 1) => false,
                    _ => return None,
                };
                let variable = Expr::Variable(*variable);
                is_boolean.then(|| if is_one { variable } else { Expr::Not(Box::new(variable)) })
            }
            Predicate::Compare(..) => None,
            Predicate::Not(inner) => Some(Expr::Not(Box::new(self.as_number(inner)?))),
            Predicate::And(all) => {
                all.iter().map(|one| self.as_number(one)).collect::<Option<_>>().map(Expr::And)
            }
            Predicate::Or(any) => {
                any.iter().map(|one| self.as_number(one)).collect::<Option<_>>().map(Expr::Or)
            }
        }
    }

    /// The surroundings with each combination of values of some binders.
    pub(super) fn each(
        &mut self,
        binders: &[impl std::borrow::Borrow<Binder>],
        around: &Around,
    ) -> Made<Vec<Around>> {
        let mut all = vec![around.clone()];
        for binder in binders {
            let binder: &Binder = binder.borrow();
            let mut longer = Vec::new();
            for around in all {
                let (from, to) = (self.constant(&binder.from, &around)?, self.constant(&binder.to, &around)?);
                let count = (i128::from(to) - i128::from(from) + 1).max(0);
                let cost = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(COPY_SIZE);
                self.charge(cost, binder.from.at.0)?;
                for value in from..=to {
                    self.meter.step()?;
                    let mut inside = around.clone();
                    inside.bound.push((binder.name.text.clone(), value));
                    longer.push(inside);
                }
            }
            all = longer;
        }
        Ok(all)
    }
}

fn numbers(cases: Vec<Case>) -> Value {
    Value { cases, kind: Kind::Number }
}

/// The same cases, where a condition holds besides.
fn under(condition: &Predicate, cases: Vec<Case>) -> Vec<Case> {
    let more = super::algebra::conjuncts(condition.clone());
    let narrower = |case: Case| Some(Case { when: join(case.when, &more)?, value: case.value });
    cases.into_iter().filter_map(narrower).collect()
}

/// All conditions of both lists, each once; `None` if they obviously exclude each other.
pub(super) fn join(mut when: Vec<Predicate>, more: &[Predicate]) -> Option<Vec<Predicate>> {
    for one in more {
        match one {
            Predicate::True => continue,
            Predicate::False => return None,
            _ if when.contains(one) => continue,
            _ => {}
        }
        if excludes(&when, one) {
            return None;
        }
        when.push(one.clone());
    }
    Some(when)
}

/// Whether one of the conditions obviously excludes another one.
fn excludes(when: &[Predicate], one: &Predicate) -> bool {
    if let Predicate::Compare(expr, Comparison::Equal, Expr::Constant(number)) = one {
        let is_other = |known: &Predicate| matches!(known, Predicate::Compare(same, Comparison::Equal, Expr::Constant(other)) if same == expr && other != number);
        if when.iter().any(is_other) {
            return true;
        }
    }
    let opposite = one.clone().negated();
    when.contains(&opposite)
}

fn conjunction(all: Vec<Truth>) -> Truth {
    let (holds, fails): (Vec<_>, Vec<_>) = all.into_iter().map(|truth| (truth.holds, truth.fails)).unzip();
    Truth { holds: Predicate::all(holds), fails: Predicate::any(fails) }
}

fn disjunction(any: Vec<Truth>) -> Truth {
    let (holds, fails): (Vec<_>, Vec<_>) = any.into_iter().map(|truth| (truth.holds, truth.fails)).unzip();
    Truth { holds: Predicate::any(holds), fails: Predicate::all(fails) }
}
