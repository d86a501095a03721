//! Which words and signs are operators, and how strongly they bind.

use super::tokens::{Sign, Token};
use crate::formula::{FormulaId, Knowledge, Operator};
use symbolon_model::Comparison;

/// How strongly an operator binds.
pub(super) type Strength = u8;

/// `U W R` in the square brackets of a quantifier.
pub(super) const WEAKEST: Strength = 0;
/// What stands before its operand.
pub(super) const BEFORE_OPERAND: Strength = 6;
/// A sign before a sum.
pub(super) const MINUS: Strength = 9;

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Equivalent,
    Implies,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    Compare(Comparison),
    Plus,
    Minus,
    Times,
    /// The operator that should have been there.
    Missing,
}

impl Infix {
    /// The operator that a token is behind an operand.
    pub(super) fn of(token: &Token<'_>) -> Option<Infix> {
        Some(match token {
            Token::Word("U") => Infix::Until,
            Token::Word("W") => Infix::WeakUntil,
            Token::Word("R") => Infix::Release,
            Token::Word("and") | Token::Sign(Sign::And) => Infix::And,
            Token::Word("or") | Token::Sign(Sign::Or) => Infix::Or,
            Token::Sign(Sign::Implies) => Infix::Implies,
            Token::Sign(Sign::Equivalent) => Infix::Equivalent,
            Token::Sign(Sign::Equal) => Infix::Compare(Comparison::Equal),
            Token::Sign(Sign::NotEqual) => Infix::Compare(Comparison::NotEqual),
            Token::Sign(Sign::Less) => Infix::Compare(Comparison::Less),
            Token::Sign(Sign::LessOrEqual) => Infix::Compare(Comparison::LessOrEqual),
            Token::Sign(Sign::Greater) => Infix::Compare(Comparison::Greater),
            Token::Sign(Sign::GreaterOrEqual) => Infix::Compare(Comparison::GreaterOrEqual),
            Token::Sign(Sign::Plus) => Infix::Plus,
            Token::Sign(Sign::Minus) => Infix::Minus,
            Token::Sign(Sign::Times) => Infix::Times,
            _ => return None,
        })
    }

    /// How strongly it binds outside square brackets.
    pub(super) fn strength(self) -> Strength {
        match self {
            Infix::Equivalent => 1,
            Infix::Implies => 2,
            Infix::Or => 3,
            Infix::And | Infix::Missing => 4,
            Infix::Until | Infix::WeakUntil | Infix::Release => 5,
            Infix::Compare(_) => 7,
            Infix::Plus | Infix::Minus => 8,
            Infix::Times => 10,
        }
    }

    /// Whether `a · b · c` is `a · (b · c)`.
    pub(super) fn leans_right(self) -> bool {
        matches!(self, Infix::Implies | Infix::Equivalent) || self.is_until()
    }

    /// Whether this is `U`, `W` or `R`.
    pub(super) fn is_until(self) -> bool {
        matches!(self, Infix::Until | Infix::WeakUntil | Infix::Release)
    }

    /// The subformula that a logical operator makes of two others.
    pub(super) fn applied<A>(self, left: FormulaId, right: FormulaId) -> Option<Operator<A>> {
        Some(match self {
            Infix::Equivalent => Operator::Equivalent(left, right),
            Infix::Implies => Operator::Implies(left, right),
            Infix::Or => Operator::Or(left, right),
            Infix::And => Operator::And(left, right),
            Infix::Until => Operator::Until(left, right),
            Infix::WeakUntil => Operator::WeakUntil(left, right),
            Infix::Release => Operator::Release(left, right),
            Infix::Compare(_) | Infix::Plus | Infix::Minus | Infix::Times | Infix::Missing => return None,
        })
    }
}

/// An operator before its operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Not,
    /// `X`, `F` or `G`, alone or with a quantifier.
    Temporal(Option<Quantifier>, Temporal),
    Quantifier(Quantifier),
    CanForce(Box<str>),
}

/// `A` or `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    ForAll,
    Exists,
}

/// `X`, `F` or `G`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temporal {
    Next,
    Finally,
    Globally,
}

impl Quantifier {
    pub(super) fn applied<A>(self, f: FormulaId) -> Operator<A> {
        match self {
            Quantifier::ForAll => Operator::ForAll(f),
            Quantifier::Exists => Operator::Exists(f),
        }
    }
}

impl Temporal {
    pub(super) fn applied<A>(self, f: FormulaId) -> Operator<A> {
        match self {
            Temporal::Next => Operator::Next(f),
            Temporal::Finally => Operator::Finally(f),
            Temporal::Globally => Operator::Globally(f),
        }
    }
}

impl Prefix {
    /// The operator that a word is before an operand.
    pub(super) fn of(word: &str) -> Option<Prefix> {
        use {Quantifier::*, Temporal::*};
        Some(match word {
            "A" => Prefix::Quantifier(ForAll),
            "E" => Prefix::Quantifier(Exists),
            "X" => Prefix::Temporal(None, Next),
            "F" => Prefix::Temporal(None, Finally),
            "G" => Prefix::Temporal(None, Globally),
            "AX" => Prefix::Temporal(Some(ForAll), Next),
            "AF" => Prefix::Temporal(Some(ForAll), Finally),
            "AG" => Prefix::Temporal(Some(ForAll), Globally),
            "EX" => Prefix::Temporal(Some(Exists), Next),
            "EF" => Prefix::Temporal(Some(Exists), Finally),
            "EG" => Prefix::Temporal(Some(Exists), Globally),
            _ => return None,
        })
    }

    /// Whether square brackets may follow.
    pub(super) fn takes_square_brackets(&self) -> bool {
        matches!(self, Prefix::Quantifier(_) | Prefix::CanForce(_))
    }
}

/// The knowledge that a word speaks of.
pub(super) fn knowledge(word: &str) -> Option<Knowledge> {
    Some(match word {
        "K" => Knowledge::Agent,
        "GK" => Knowledge::Everyone,
        "GCK" => Knowledge::Common,
        "DK" => Knowledge::Distributed,
        "O" => Knowledge::Correct,
        _ => return None,
    })
}
