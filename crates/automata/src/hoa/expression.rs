//! Boolean expressions of labels and of acceptance conditions, and the labels that they are the
//! disjunction of.
//!
//! Expressions are kept as a list in which operands come before their operators, so that neither
//! reading nor taking apart needs recursion: a label with ten thousand parentheses is only long.

use symbolon_budget::{Interrupted, Meter};

use crate::label::Label;
use crate::reduce::fewer_labels;

/// One part of an expression; operands are given by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Constant(bool),
    Atom(u32),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
}

/// A boolean expression: its parts, operands first, the whole last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expression {
    parts: Vec<Part>,
}

/// What waits for its right operand while an expression is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    Or,
    And,
    Not,
    Parenthesis,
}

/// An expression in the making, by operator precedence: `!` binds more than `&`, and `&` more than
/// `|`.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    expression: Expression,
    operands: Vec<usize>,
    waiting: Vec<Waiting>,
}

impl Reading {
    /// An operand was read.
    pub(crate) fn operand(&mut self, part: Part) {
        self.push(part);
        while self.waiting.last() == Some(&Waiting::Not) {
            self.apply();
        }
    }

    /// Another expression was read, as an operand.
    pub(crate) fn expression(&mut self, other: &Expression) {
        let shift = self.expression.parts.len();
        for &part in &other.parts {
            self.expression.parts.push(match part {
                Part::Not(f) => Part::Not(f + shift),
                Part::And(f, g) => Part::And(f + shift, g + shift),
                Part::Or(f, g) => Part::Or(f + shift, g + shift),
                leaf => leaf,
            });
        }
        self.operands.push(self.expression.parts.len() - 1);
        while self.waiting.last() == Some(&Waiting::Not) {
            self.apply();
        }
    }

    /// `!` or `(` was read, where an operand may stand; or `&` or `|`, after one.
    pub(crate) fn operator(&mut self, operator: Waiting) {
        if matches!(operator, Waiting::And | Waiting::Or) {
            while self.waiting.last().is_some_and(|&top| {
                top != Waiting::Parenthesis && (top == Waiting::And || operator == Waiting::Or)
            }) {
                self.apply();
            }
        }
        self.waiting.push(operator);
    }

    /// `)` was read after an operand; false if no parenthesis is open.
    pub(crate) fn close(&mut self) -> bool {
        while let Some(&top) = self.waiting.last() {
            if top == Waiting::Parenthesis {
                self.waiting.pop();
                while self.waiting.last() == Some(&Waiting::Not) {
                    self.apply();
                }
                return true;
            }
            self.apply();
        }
        false
    }

    /// The whole, after an operand; none if a parenthesis is still open.
    pub(crate) fn finish(mut self) -> Option<Expression> {
        while let Some(&top) = self.waiting.last() {
            if top == Waiting::Parenthesis {
                return None;
            }
            self.apply();
        }
        Some(self.expression)
    }

    fn push(&mut self, part: Part) {
        self.expression.parts.push(part);
        self.operands.push(self.expression.parts.len() - 1);
    }

    /// Gives the operator that was read last its operands.
    fn apply(&mut self) {
        let mut operand = || self.operands.pop().expect("operators are read after operands");
        let right = operand();
        let part = match self.waiting.pop() {
            Some(Waiting::And) => Part::And(operand(), right),
            Some(Waiting::Or) => Part::Or(operand(), right),
            _ => Part::Not(right),
        };
        self.push(part);
    }
}

impl Expression {
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Labels, over the atoms as propositions, of which the expression is the disjunction; or its
    /// negation, if `holds` is false.
    pub(crate) fn labels(&self, holds: bool, meter: &mut Meter) -> Result<Vec<Label>, Interrupted> {
        // Which parts are asked for as they are, and which negated.
        let mut is_asked = vec![[false; 2]; self.parts.len()];
        let Some(last) = self.parts.len().checked_sub(1) else { return Ok(Vec::new()) };
        is_asked[last][usize::from(holds)] = true;
        for place in (0..self.parts.len()).rev() {
            for sign in [0, 1] {
                if is_asked[place][sign] {
                    match self.parts[place] {
                        Part::Constant(_) | Part::Atom(_) => {}
                        Part::Not(f) => is_asked[f][1 - sign] = true,
                        Part::And(f, g) | Part::Or(f, g) => {
                            is_asked[f][sign] = true;
                            is_asked[g][sign] = true;
                        }
                    }
                }
            }
        }
        let mut answers: Vec<[Vec<Label>; 2]> = Vec::with_capacity(self.parts.len());
        for (place, &part) in self.parts.iter().enumerate() {
            let mut answer = [Vec::new(), Vec::new()];
            for sign in [0, 1] {
                meter.step()?;
                if !is_asked[place][sign] {
                    continue;
                }
                let holds = sign == 1;
                answer[sign] = match part {
                    Part::Constant(value) if value == holds => vec![Label::always()],
                    Part::Constant(_) => Vec::new(),
                    Part::Atom(proposition) => vec![Label::always().with(proposition, holds)],
                    Part::Not(f) => answers[f][1 - sign].clone(),
                    Part::And(f, g) | Part::Or(f, g) => {
                        let (left, right) = (&answers[f][sign], &answers[g][sign]);
                        let mut labels = Vec::new();
                        if matches!(part, Part::And(..)) == holds {
                            for a in left {
                                for b in right {
                                    meter.step()?;
                                    labels.extend(a.and(b));
                                }
                            }
                        } else {
                            labels.extend(left.iter().chain(right).cloned());
                        }
                        fewer_labels(labels, meter)?
                    }
                };
            }
            answers.push(answer);
        }
        let [no, yes] = answers.pop().expect("an expression has parts");
        Ok(if holds { yes } else { no })
    }
}
