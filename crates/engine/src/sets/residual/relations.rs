//! From events, choices, reactions and predicates to relations.

use super::formulas::{TermId, TestId};
use super::{Mode, Residuals, When, unknown};
use symbolon_budget::Interrupted;
use symbolon_model::{Change, Choice, Comparison, Event, Expr, Line, Part, Predicate, Reaction, VariableId};

type Made<T> = Result<T, Interrupted>;

/// More than any expression over values of states is from 0; subtracted where an expression has no
/// value.
const FAR_BELOW: i128 = 1 << 100;

impl Residuals {
    /// The relation that leads nowhere.
    pub(crate) fn never(&self) -> u32 {
        super::NEVER
    }

    /// What an event that is no synchronous step does, and where it is enabled.
    pub(crate) fn event(&mut self, event: &Event) -> Made<(u32, u32)> {
        let mut guards = Vec::new();
        let mut effects = Vec::new();
        let mut written = Vec::new();
        for part in &event.parts {
            match part {
                Part::Local { variable, at_least, at_most, change } => {
                    let before = self.variable(*variable, When::Before);
                    let least = self.formulas.sum(&[(before, -1)], i128::from(*at_least))?;
                    let most = self.formulas.sum(&[(before, 1)], -i128::from(*at_most))?;
                    guards.push(self.formulas.at_most_zero(least)?);
                    guards.push(self.formulas.at_most_zero(most)?);
                    let after = match *change {
                        Change::Add(0) => continue,
                        Change::Add(delta) => self.formulas.sum(&[(before, 1)], i128::from(delta))?,
                        Change::Set(value) => self.formulas.number(i128::from(value)),
                    };
                    effects.push(self.equate(*variable, When::AfterEvent, after)?);
                    written.push(*variable);
                }
                Part::General { guard, updates } => {
                    guards.push(self.holds(guard, When::Before)?);
                    for (place, (variable, expr)) in updates.iter().enumerate() {
                        // Of several assignments the last one counts.
                        if updates[place + 1..].iter().any(|(later, _)| later == variable) {
                            continue;
                        }
                        let mut divisors = Vec::new();
                        let value = self.term(expr, When::Before, &mut divisors)?;
                        let has_value = self.formulas.all(divisors);
                        let has_none = self.formulas.not(has_value)?;
                        let has_none = self.formulas.truth(has_none);
                        let value = self.formulas.sum(&[(value, 1), (has_none, -FAR_BELOW)], 0)?;
                        effects.push(self.equate(*variable, When::AfterEvent, value)?);
                        written.push(*variable);
                    }
                }
                Part::Choice(_) | Part::Reaction(_) => {}
            }
        }
        let guard = self.formulas.all(guards);
        effects.push(guard);
        let test = self.formulas.all(effects);
        let writes = self.list_writes(&written);
        Ok((self.residual(test, writes, Mode::Open), self.residual(guard, super::NO_WRITES, Mode::Bounded)))
    }

    /// An agent picks its action.
    pub(crate) fn choice(&mut self, choice: &Choice) -> Made<u32> {
        let mut any = Vec::new();
        let mut none = Vec::new();
        for (condition, actions) in &choice.offers {
            let holds = self.holds(condition, When::Before)?;
            let picks = self.one_of(choice.action, actions)?;
            any.push(self.formulas.all(vec![holds, picks]));
            none.push(self.formulas.not(holds)?);
        }
        none.push(self.one_of(choice.action, &choice.otherwise)?);
        any.push(self.formulas.all(none));
        let test = self.formulas.any(any);
        let writes = self.list_writes(&[choice.action]);
        Ok(self.residual(test, writes, Mode::Bounded))
    }

    /// Agents react, all at once; then some actions are forgotten.
    pub(crate) fn reactions(&mut self, reactions: &[&Reaction], forgotten: &[VariableId]) -> Made<u32> {
        let mut all = Vec::new();
        let mut written = forgotten.to_vec();
        for reaction in reactions {
            let variables = reaction.written();
            let mut any = Vec::new();
            let mut none = Vec::new();
            for line in &reaction.lines {
                let holds = self.holds(&line.guard, When::Before)?;
                let effect = self.line(line, &variables)?;
                any.push(self.formulas.all(vec![holds, effect]));
                none.push(self.formulas.not(holds)?);
            }
            for &variable in &variables {
                none.push(self.unchanged(variable)?);
            }
            any.push(self.formulas.all(none));
            all.push(self.formulas.any(any));
            written.extend(variables);
        }
        all.push(self.zero(forgotten)?);
        let test = self.formulas.all(all);
        let writes = self.list_writes(&written);
        Ok(self.residual(test, writes, Mode::Bounded))
    }

    /// Some variables become 0, whatever they were.
    pub(crate) fn forget(&mut self, variables: &[VariableId]) -> Made<u32> {
        self.reactions(&[], variables)
    }

    /// From any state to all states of which `predicate` holds. All these variables have finite
    /// domains.
    pub(crate) fn any_state(&mut self, variables: &[VariableId], predicate: &Predicate) -> Made<u32> {
        let test = self.holds(predicate, When::After)?;
        let writes = self.list_writes(variables);
        Ok(self.residual(test, writes, Mode::Bounded))
    }

    /// From each state of which `predicate` holds to itself.
    pub(crate) fn select(&mut self, predicate: &Predicate) -> Made<u32> {
        let test = self.holds(predicate, When::Before)?;
        Ok(self.residual(test, super::NO_WRITES, Mode::Bounded))
    }

    /// What a line assigns; other variables of its reaction keep their values.
    fn line(&mut self, line: &Line, variables: &[VariableId]) -> Made<TestId> {
        let mut all = Vec::new();
        for &variable in variables {
            match line.updates.iter().rev().find(|(written, _)| *written == variable) {
                Some((_, expr)) => {
                    let value = self.term(expr, When::Before, &mut all)?;
                    all.push(self.equate(variable, When::After, value)?);
                }
                None => all.push(self.unchanged(variable)?),
            }
        }
        Ok(self.formulas.all(all))
    }

    fn unchanged(&mut self, variable: VariableId) -> Made<TestId> {
        let before = self.variable(variable, When::Before);
        self.equate(variable, When::After, before)
    }

    fn zero(&mut self, variables: &[VariableId]) -> Made<TestId> {
        let zero = self.formulas.number(0);
        let tests = variables.iter().map(|&variable| self.equate(variable, When::After, zero));
        let tests = tests.collect::<Made<Vec<_>>>()?;
        Ok(self.formulas.all(tests))
    }

    /// Where a variable has one of these values after the step.
    fn one_of(&mut self, variable: VariableId, values: &[u64]) -> Made<TestId> {
        let mut any = Vec::with_capacity(values.len());
        for &value in values {
            let value = self.formulas.number(i128::from(value));
            any.push(self.equate(variable, When::After, value)?);
        }
        Ok(self.formulas.any(any))
    }

    fn equate(&mut self, variable: VariableId, when: When, value: TermId) -> Made<TestId> {
        let variable = self.variable(variable, when);
        let difference = self.formulas.sum(&[(variable, 1), (value, -1)], 0)?;
        self.formulas.zero(difference)
    }

    fn variable(&mut self, variable: VariableId, when: When) -> TermId {
        let range = match when {
            When::Before | When::After => self.range(variable),
            // So wide that no equation is decided before the value is known: it may be a failure.
            When::AfterEvent => (i128::MIN, i128::MAX),
        };
        let level = self.places[variable.index()].level;
        self.formulas.unknown(unknown(variable, when), level, range)
    }

    /// Where a predicate holds; where it divides by 0 it does not.
    fn holds(&mut self, predicate: &Predicate, when: When) -> Made<TestId> {
        let mut all = Vec::new();
        let test = self.test(predicate, when, &mut all)?;
        all.push(test);
        Ok(self.formulas.all(all))
    }

    /// A predicate, whatever it is where a divisor is 0; that none is, is appended to `divisors`.
    fn test(&mut self, predicate: &Predicate, when: When, divisors: &mut Vec<TestId>) -> Made<TestId> {
        match predicate {
            Predicate::True => Ok(TestId::TRUE),
            Predicate::False => Ok(TestId::FALSE),
            Predicate::Not(inner) => {
                let inner = self.test(inner, when, divisors)?;
                self.formulas.not(inner)
            }
            Predicate::And(parts) => {
                let parts = parts.iter().map(|part| self.test(part, when, divisors));
                let parts = parts.collect::<Made<Vec<_>>>()?;
                Ok(self.formulas.all(parts))
            }
            Predicate::Or(parts) => {
                let parts = parts.iter().map(|part| self.test(part, when, divisors));
                let parts = parts.collect::<Made<Vec<_>>>()?;
                Ok(self.formulas.any(parts))
            }
            Predicate::Compare(a, comparison, b) => {
                let (a, b) = (self.term(a, when, divisors)?, self.term(b, when, divisors)?);
                let (sign, slack) = match comparison {
                    Comparison::Equal | Comparison::NotEqual | Comparison::LessOrEqual => (1, 0),
                    Comparison::Less => (1, 1),
                    Comparison::GreaterOrEqual => (-1, 0),
                    Comparison::Greater => (-1, 1),
                };
                let difference = self.formulas.sum(&[(a, sign), (b, -sign)], slack)?;
                match comparison {
                    Comparison::Equal => self.formulas.zero(difference),
                    Comparison::NotEqual => {
                        let equal = self.formulas.zero(difference)?;
                        self.formulas.not(equal)
                    }
                    _ => self.formulas.at_most_zero(difference),
                }
            }
        }
    }

    /// An expression, whatever it is where a divisor is 0; that none is, is appended to `divisors`.
    fn term(&mut self, expr: &Expr, when: When, divisors: &mut Vec<TestId>) -> Made<TermId> {
        match expr {
            Expr::Constant(number) => Ok(self.formulas.number(i128::from(*number))),
            Expr::Variable(variable) => Ok(self.variable(*variable, when)),
            Expr::Sum(operands) => {
                let operands = operands.iter().map(|operand| Ok((self.term(operand, when, divisors)?, 1)));
                let operands = operands.collect::<Made<Vec<_>>>()?;
                self.formulas.sum(&operands, 0)
            }
            Expr::Product(a, b) => {
                let (a, b) = (self.term(a, when, divisors)?, self.term(b, when, divisors)?);
                self.formulas.product(a, b)
            }
            Expr::Quotient(a, b) => {
                let (a, b) = (self.term(a, when, divisors)?, self.term(b, when, divisors)?);
                divisors.push(self.is_true(b)?);
                Ok(self.formulas.quotient(a, b))
            }
            Expr::And(operands) => {
                let tests = self.truths(operands, when, divisors)?;
                let test = self.formulas.all(tests);
                Ok(self.formulas.truth(test))
            }
            Expr::Or(operands) => {
                let tests = self.truths(operands, when, divisors)?;
                let test = self.formulas.any(tests);
                Ok(self.formulas.truth(test))
            }
            Expr::Xor(operands) => {
                let tests = self.truths(operands, when, divisors)?;
                let test = self.formulas.odd(tests, true)?;
                Ok(self.formulas.truth(test))
            }
            Expr::Not(operand) => {
                let operand = self.term(operand, when, divisors)?;
                let test = self.formulas.zero(operand)?;
                Ok(self.formulas.truth(test))
            }
        }
    }

    fn truths(&mut self, operands: &[Expr], when: When, divisors: &mut Vec<TestId>) -> Made<Vec<TestId>> {
        let truths = operands.iter().map(|operand| {
            let operand = self.term(operand, when, divisors)?;
            self.is_true(operand)
        });
        truths.collect()
    }

    /// Where a term is not 0.
    fn is_true(&mut self, term: TermId) -> Made<TestId> {
        let zero = self.formulas.zero(term)?;
        self.formulas.not(zero)
    }
}
