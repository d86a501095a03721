//! Conditions and values as predicates and expressions of the model.

use super::scope::{Names, Scope, Unknown, suggest};
use crate::tree::{Condition, Operator, Place, Value};
use symbolon_logic::{Name, Span};
use symbolon_model::{Comparison, Expr, Predicate, Values, VariableId};
use symbolon_source::{Findings, Step, shown};

/// A value, and of which kind it is.
pub(super) enum Typed {
    Integer(Expr),
    Boolean(Expr),
    /// A variable whose values have names.
    Named(VariableId),
    /// A name that is not a variable: a value, if the other side has one of this name.
    Literal(Name),
}

type Meant<T> = Result<T, Unknown>;

impl Typed {
    fn kind(&self) -> &'static str {
        match self {
            Typed::Integer(_) => "a number",
            Typed::Boolean(_) => "a boolean",
            Typed::Named(_) | Typed::Literal(_) => "a named value",
        }
    }
}

impl Names<'_> {
    /// What a condition means. What is wrong with it is noted, and then it means nothing in
    /// particular.
    pub(super) fn condition(
        &self,
        condition: &Condition,
        scope: Scope,
        findings: &mut Findings,
    ) -> Step<Predicate> {
        Ok(match condition {
            Condition::Compare(left, comparison, right) => {
                match self.compare(left, *comparison, right, scope, findings) {
                    Ok(predicate) => predicate,
                    Err(Unknown::Noted) => Predicate::False,
                    Err(Unknown::Stop(stop)) => return Err(stop),
                }
            }
            Condition::Acts { agent, action } => self.acts(agent.as_ref(), action, scope, findings)?,
            Condition::Not(inner) => match self.condition(inner, scope, findings)? {
                Predicate::Compare(a, comparison, b) => Predicate::Compare(a, comparison.negated(), b),
                inner => Predicate::Not(Box::new(inner)),
            },
            Condition::And(all) => Predicate::And(self.conditions(all, scope, findings)?),
            Condition::Or(any) => Predicate::Or(self.conditions(any, scope, findings)?),
        })
    }

    fn conditions(&self, list: &[Condition], scope: Scope, findings: &mut Findings) -> Step<Vec<Predicate>> {
        list.iter().map(|condition| self.condition(condition, scope, findings)).collect()
    }

    /// `Action = a`
    fn acts(
        &self,
        agent: Option<&Name>,
        action: &Name,
        scope: Scope,
        findings: &mut Findings,
    ) -> Step<Predicate> {
        let Scope::Agent { index: own, sees_actions: true } = scope else {
            let place = agent.unwrap_or(action).span.start;
            findings.error(place, "found an action, expected a condition on variables")?;
            findings.hint("actions may occur only in the guards of evolution lines");
            return Ok(Predicate::False);
        };
        let acting = match agent {
            None => Some(own),
            Some(name) => self.agent(&name.text),
        };
        let (Some(acting), _) = (acting, ()) else {
            if let Some(name) = agent {
                self.no_agent(name, findings)?;
            }
            return Ok(Predicate::False);
        };
        let number = self.action(acting, action, findings)?;
        let Some((variable, number)) = self.agents[acting].action.zip(number) else {
            return Ok(Predicate::False);
        };
        Ok(equal(Expr::Variable(variable), number as i64))
    }

    fn compare(
        &self,
        left: &Value,
        comparison: Comparison,
        right: &Value,
        scope: Scope,
        findings: &mut Findings,
    ) -> Meant<Predicate> {
        let (a, b) = (self.value(left, scope, findings)?, self.value(right, scope, findings)?);
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if is_order && !matches!((&a, &b), (Typed::Integer(_), Typed::Integer(_))) {
            let kind = if matches!(a, Typed::Integer(_)) { b.kind() } else { a.kind() };
            findings.error(
                left.span().start,
                format!("found {kind} in a comparison of size, expected numbers"),
            )?;
            findings.hint("other values are compared by = and <>");
            return Err(Unknown::Noted);
        }
        match (a, b) {
            (Typed::Integer(a), Typed::Integer(b)) => Ok(comparison_of(a, comparison, b)),
            (Typed::Boolean(a), Typed::Boolean(b)) => Ok(Predicate::Compare(a, comparison, b)),
            (Typed::Named(a), Typed::Named(b)) => self.compare_named(a, comparison, b, left.span(), findings),
            (Typed::Named(variable), Typed::Literal(name))
            | (Typed::Literal(name), Typed::Named(variable)) => {
                let number = self.named_value(variable, &name, scope, findings)?;
                let number = Expr::Constant(number);
                Ok(Predicate::Compare(Expr::Variable(variable), comparison, number))
            }
            (Typed::Literal(name), _) | (_, Typed::Literal(name)) => {
                self.unknown_name(&name, scope, findings)?;
                Err(Unknown::Noted)
            }
            (a, b) => {
                let message = format!("{} is compared with {}", a.kind(), b.kind());
                findings.error(left.span().start, message)?;
                if matches!(a, Typed::Boolean(_)) || matches!(b, Typed::Boolean(_)) {
                    findings.hint("a boolean is compared with true or false");
                }
                Err(Unknown::Noted)
            }
        }
    }

    /// Two variables with names for values: equal where the names are.
    fn compare_named(
        &self,
        a: VariableId,
        comparison: Comparison,
        b: VariableId,
        span: Span,
        findings: &mut Findings,
    ) -> Meant<Predicate> {
        let (names_a, names_b) = (self.value_names(a), self.value_names(b));
        if names_a == names_b {
            return Ok(Predicate::Compare(Expr::Variable(a), comparison, Expr::Variable(b)));
        }
        let mut both = Vec::new();
        for (number, name) in names_a.iter().enumerate() {
            if let Some(other) = names_b.iter().position(|other| other == name) {
                let pair = [(a, number), (b, other)];
                both.push(Predicate::And(pair.map(|(v, n)| equal(Expr::Variable(v), n as i64)).into()));
            }
        }
        if both.is_empty() {
            let [a, b] = [a, b].map(|id| &self.variables[id.index()].name);
            findings.error(span.start, format!("{a} and {b} have no value in common"))?;
            return Err(Unknown::Noted);
        }
        let same = Predicate::Or(both);
        Ok(if comparison == Comparison::Equal { same } else { Predicate::Not(Box::new(same)) })
    }

    /// The names of a variable's values; none unless it has such.
    pub(super) fn value_names(&self, id: VariableId) -> &[String] {
        match self.values(id) {
            Values::Named(names) => names,
            _ => &[],
        }
    }

    /// The number of a variable's value of this name.
    pub(super) fn named_value(
        &self,
        variable: VariableId,
        name: &Name,
        scope: Scope,
        findings: &mut Findings,
    ) -> Meant<i64> {
        let names = self.value_names(variable);
        if let Some(number) = names.iter().position(|known| **known == *name.text) {
            return Ok(number as i64);
        }
        let of = &self.variables[variable.index()].name;
        let message = format!("{of} has no value {}", shown(&name.text));
        findings.error(name.span.start, message)?;
        let is_variable = |owner: usize| self.agents[owner].variable(&name.text).is_some();
        match scope {
            Scope::Agent { index, .. } if index > 0 && is_variable(0) => {
                findings.hint(format!("the variable is written {}.{}", crate::ENVIRONMENT, name.text));
            }
            _ => suggest(&name.text, names.iter().map(String::as_str), findings),
        }
        Err(Unknown::Noted)
    }

    /// What a value means.
    pub(super) fn value(&self, value: &Value, scope: Scope, findings: &mut Findings) -> Meant<Typed> {
        match value {
            Value::Number(number, _) => Ok(Typed::Integer(Expr::Constant(*number))),
            Value::Truth(truth, _) => Ok(Typed::Boolean(Expr::Constant(i64::from(*truth)))),
            Value::Name(reference) => Ok(match self.variable(reference, scope, findings)? {
                None => Typed::Literal(reference.name.clone()),
                Some(id) => match self.values(id) {
                    Values::Boolean => Typed::Boolean(Expr::Variable(id)),
                    Values::Named(_) => Typed::Named(id),
                    Values::Range { least, .. } => {
                        Typed::Integer(sum(vec![Expr::Variable(id), Expr::Constant(*least)]))
                    }
                    Values::Natural => Typed::Integer(Expr::Variable(id)),
                },
            }),
            Value::Not(operand, Place(sign)) => {
                let operand = self.boolean(operand, scope, *sign, "~", findings)?;
                Ok(Typed::Boolean(Expr::Not(Box::new(operand))))
            }
            Value::Chain(first, rest) => self.chain(first, rest, scope, findings),
        }
    }

    fn chain(
        &self,
        first: &Value,
        rest: &[(Operator, Value)],
        scope: Scope,
        findings: &mut Findings,
    ) -> Meant<Typed> {
        let Some((operator, _)) = rest.first() else { return self.value(first, scope, findings) };
        if operator.strength() < Operator::Plus.strength() {
            let mut made = self.boolean(first, scope, first.span(), operator.sign(), findings)?;
            for (operator, operand) in rest {
                let operand = self.boolean(operand, scope, operand.span(), operator.sign(), findings)?;
                made = join_booleans(made, *operator, operand);
            }
            return Ok(Typed::Boolean(made));
        }
        let mut made = self.integer(first, scope, operator.sign(), findings)?;
        for (operator, operand) in rest {
            let operand = self.integer(operand, scope, operator.sign(), findings)?;
            made = match operator {
                Operator::Plus => sum(vec![made, operand]),
                Operator::Minus => sum(vec![made, negated(operand)]),
                Operator::Divided => folded(Expr::Quotient(Box::new(made), Box::new(operand))),
                _ => folded(Expr::Product(Box::new(made), Box::new(operand))),
            };
        }
        Ok(Typed::Integer(made))
    }

    fn boolean(
        &self,
        value: &Value,
        scope: Scope,
        span: Span,
        sign: &str,
        findings: &mut Findings,
    ) -> Meant<Expr> {
        match self.value(value, scope, findings)? {
            Typed::Boolean(expr) => Ok(expr),
            Typed::Literal(name) => {
                self.unknown_name(&name, scope, findings)?;
                Err(Unknown::Noted)
            }
            other => {
                findings.error(
                    span.start,
                    format!("found {} beside `{sign}`, expected a boolean", other.kind()),
                )?;
                Err(Unknown::Noted)
            }
        }
    }

    fn integer(&self, value: &Value, scope: Scope, sign: &str, findings: &mut Findings) -> Meant<Expr> {
        match self.value(value, scope, findings)? {
            Typed::Integer(expr) => Ok(expr),
            Typed::Literal(name) => {
                self.unknown_name(&name, scope, findings)?;
                Err(Unknown::Noted)
            }
            other => {
                let message = format!("found {} beside `{sign}`, expected a number", other.kind());
                findings.error(value.span().start, message)?;
                Err(Unknown::Noted)
            }
        }
    }
}

/// `expr = number`
pub(super) fn equal(expr: Expr, number: i64) -> Predicate {
    Predicate::Compare(expr, Comparison::Equal, Expr::Constant(number))
}

fn join_booleans(a: Expr, operator: Operator, b: Expr) -> Expr {
    // A longer chain of one operator stays one node.
    match (operator, a) {
        (Operator::Or, Expr::Or(mut all)) => {
            all.push(b);
            Expr::Or(all)
        }
        (Operator::Xor, Expr::Xor(mut all)) => {
            all.push(b);
            Expr::Xor(all)
        }
        (Operator::And, Expr::And(mut all)) => {
            all.push(b);
            Expr::And(all)
        }
        (Operator::Or, a) => Expr::Or(vec![a, b]),
        (Operator::Xor, a) => Expr::Xor(vec![a, b]),
        (_, a) => Expr::And(vec![a, b]),
    }
}

/// Both sides compared, with all numbers that are added on the right.
fn comparison_of(a: Expr, comparison: Comparison, b: Expr) -> Predicate {
    let (a, added) = without_constant(a);
    let (b, also) = without_constant(b);
    // Sums of numbers of 32 bits stay far away from the limits of 64 in any text that fits into
    // memory.
    match (a, b) {
        (Some(a), Some(b)) => match also.checked_sub(added) {
            Some(0) => Predicate::Compare(a, comparison, b),
            Some(difference) => Predicate::Compare(a, comparison, sum(vec![b, Expr::Constant(difference)])),
            None => Predicate::Compare(
                sum(vec![a, Expr::Constant(added)]),
                comparison,
                sum(vec![b, Expr::Constant(also)]),
            ),
        },
        (Some(a), None) => Predicate::Compare(a, comparison, Expr::Constant(also.saturating_sub(added))),
        (None, Some(b)) => Predicate::Compare(Expr::Constant(added.saturating_sub(also)), comparison, b),
        (None, None) if comparison.holds(added, also) => Predicate::True,
        (None, None) => Predicate::False,
    }
}

/// The expression without the number that is added to it, and that number.
fn without_constant(expr: Expr) -> (Option<Expr>, i64) {
    match expr {
        Expr::Constant(number) => (None, number),
        Expr::Sum(mut operands) => {
            let mut constant = 0_i64;
            operands.retain(|operand| match operand {
                Expr::Constant(number) => {
                    let added = constant.checked_add(*number);
                    constant = added.unwrap_or(constant);
                    added.is_none()
                }
                _ => true,
            });
            match operands.len() {
                0 => (None, constant),
                1 => (operands.pop(), constant),
                _ => (Some(Expr::Sum(operands)), constant),
            }
        }
        other => (Some(other), 0),
    }
}

/// The sum of these, flat, with at most one number in it, which comes last.
pub(super) fn sum(operands: Vec<Expr>) -> Expr {
    let mut terms = Vec::new();
    let mut constant = 0_i64;
    for operand in operands {
        let list = match operand {
            Expr::Sum(inner) => inner,
            other => vec![other],
        };
        for term in list {
            match term {
                Expr::Constant(number) => match constant.checked_add(number) {
                    Some(sum) => constant = sum,
                    None => terms.push(Expr::Constant(number)),
                },
                other => terms.push(other),
            }
        }
    }
    if constant != 0 || terms.is_empty() {
        terms.push(Expr::Constant(constant));
    }
    match terms.len() {
        1 => terms.remove(0),
        _ => Expr::Sum(terms),
    }
}

fn negated(expr: Expr) -> Expr {
    match expr {
        Expr::Constant(number) => Expr::Constant(number.saturating_neg()),
        Expr::Sum(terms) => Expr::Sum(terms.into_iter().map(negated).collect()),
        other => Expr::Product(Box::new(Expr::Constant(-1)), Box::new(other)),
    }
}

/// A number, where the expression is one.
fn folded(expr: Expr) -> Expr {
    let is_constant = match &expr {
        Expr::Product(a, b) | Expr::Quotient(a, b) => {
            matches!((&**a, &**b), (Expr::Constant(_), Expr::Constant(_)))
        }
        _ => false,
    };
    let number = if is_constant { expr.evaluate(&[]) } else { None };
    number.and_then(|number| i64::try_from(number).ok()).map_or(expr, Expr::Constant)
}
