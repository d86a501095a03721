//! Literals: a variable of the formula, or its negation.

use std::ops::Not;

/// A variable of a propositional formula, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// True in every assignment: the first variable is held true by a clause of its own.
    pub const TRUE: Literal = Literal(0);
    /// False in every assignment.
    pub const FALSE: Literal = Literal(1);

    /// The variable with this number, not negated.
    pub fn positive(variable: u32) -> Self {
        Literal(variable << 1)
    }

    /// The number of the variable.
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the variable is negated.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// The constant, if it is one.
    pub fn constant(self) -> Option<bool> {
        (self.variable() == 0).then_some(!self.is_negative())
    }

    /// The literal as DIMACS writes it: variables count from 1.
    pub fn to_dimacs(self) -> i64 {
        let number = i64::from(self.variable()) + 1;
        if self.is_negative() { -number } else { number }
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        if value { Literal::TRUE } else { Literal::FALSE }
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}
