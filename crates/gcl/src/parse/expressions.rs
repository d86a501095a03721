//! Expressions, from weak operators to strong ones: `<->`, `->`, `|`, `&`, `!`, comparisons, `+ -`,
//! `* / %`, sign.
//!
//! As in formulas, `!a = b` is `!(a = b)`. Behind a guard `->` begins the assignments, so there an
//! implication needs brackets.

use super::{KEYWORDS, Parser};
use crate::mistakes::Made;
use crate::token::{Sign, Token};
use crate::tree::{Added, At, Binder, Expr, ExprKind, Factor, Quantifier, Reference, ReferencePart};
use symbolon_model::Comparison;

impl Parser<'_, '_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Made<Expr> {
        let at = self.at();
        let first = self.implication()?;
        let mut all = vec![first];
        while self.take(Sign::Equivalent) {
            all.push(self.implication()?);
        }
        Ok(chain(at, all, ExprKind::Equivalent))
    }

    fn implication(&mut self) -> Made<Expr> {
        let at = self.at();
        let mut all = vec![self.guard()?];
        while self.take(Sign::Arrow) || self.take(Sign::Implies) {
            all.push(self.guard()?);
        }
        Ok(chain(at, all, ExprKind::Implies))
    }

    /// An expression in which `->` stands in brackets only.
    pub(super) fn guard(&mut self) -> Made<Expr> {
        let at = self.at();
        let mut all = vec![self.conjunction()?];
        while self.take(Sign::Or) || self.take_word("or") {
            all.push(self.conjunction()?);
        }
        Ok(chain(at, all, ExprKind::Or))
    }

    fn conjunction(&mut self) -> Made<Expr> {
        let at = self.at();
        let mut all = vec![self.negation()?];
        while self.take(Sign::And) || self.take_word("and") {
            all.push(self.negation()?);
        }
        Ok(chain(at, all, ExprKind::And))
    }

    fn negation(&mut self) -> Made<Expr> {
        let at = self.at();
        if self.take(Sign::Not) || self.take_word("not") {
            let inner = self.deeper(|parser| parser.negation())?;
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), at });
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Made<Expr> {
        let at = self.at();
        let left = self.sum()?;
        let Some(comparison) = self.comparison_sign() else { return Ok(left) };
        self.next += 1;
        let right = self.sum()?;
        if self.comparison_sign().is_some() {
            let hint = Some("write a < b & b < c".to_string());
            return self.mistakes.broken(self.here().start, "comparisons cannot be chained", hint);
        }
        Ok(Expr { kind: ExprKind::Compare(Box::new(left), comparison, Box::new(right)), at })
    }

    fn comparison_sign(&self) -> Option<Comparison> {
        let Token::Sign(sign) = self.here().token else { return None };
        Some(match sign {
            Sign::Equal => Comparison::Equal,
            Sign::NotEqual => Comparison::NotEqual,
            Sign::Less => Comparison::Less,
            Sign::LessOrEqual => Comparison::LessOrEqual,
            Sign::Greater => Comparison::Greater,
            Sign::GreaterOrEqual => Comparison::GreaterOrEqual,
            _ => return None,
        })
    }

    /// A number: no comparison, no truth values, unless in brackets.
    pub(super) fn sum(&mut self) -> Made<Expr> {
        let at = self.at();
        let first = self.product()?;
        let mut rest = Vec::new();
        loop {
            let added = match self.here().token {
                Token::Sign(Sign::Plus) => Added::Plus,
                Token::Sign(Sign::Minus) => Added::Minus,
                _ => break,
            };
            self.next += 1;
            rest.push((added, self.product()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr { kind: ExprKind::Sum(Box::new(first), rest), at })
    }

    fn product(&mut self) -> Made<Expr> {
        let at = self.at();
        let first = self.signed()?;
        let mut rest = Vec::new();
        loop {
            let factor = match self.here().token {
                Token::Sign(Sign::Times) => Factor::Times,
                Token::Sign(Sign::Over) => Factor::Over,
                Token::Sign(Sign::Remainder) => Factor::Remainder,
                _ => break,
            };
            self.next += 1;
            rest.push((factor, self.signed()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr { kind: ExprKind::Product(Box::new(first), rest), at })
    }

    fn signed(&mut self) -> Made<Expr> {
        let at = self.at();
        if self.take(Sign::Minus) {
            let inner = self.deeper(|parser| parser.signed())?;
            return Ok(Expr { kind: ExprKind::Negative(Box::new(inner)), at });
        }
        self.primary()
    }

    fn primary(&mut self) -> Made<Expr> {
        let at = self.at();
        let here = self.here().clone();
        let kind = match here.token {
            Token::Number(number) => {
                self.next += 1;
                ExprKind::Number(number)
            }
            Token::Sign(Sign::Open) => {
                self.next += 1;
                return self.deeper(|parser| {
                    let inner = parser.expression()?;
                    parser.close_bracket(here.start)?;
                    Ok(inner)
                });
            }
            Token::Word(word @ ("true" | "false")) => {
                self.next += 1;
                ExprKind::Truth(word == "true")
            }
            Token::Word("if") => {
                self.next += 1;
                return self.deeper(|parser| parser.conditional(at));
            }
            Token::Word(word @ ("forall" | "exists" | "sum")) => {
                self.next += 1;
                let quantifier = match word {
                    "forall" => Quantifier::Forall,
                    "exists" => Quantifier::Exists,
                    _ => Quantifier::Sum,
                };
                return self.deeper(|parser| parser.quantified(at, quantifier));
            }
            Token::Word(word) if KEYWORDS.contains(&word) => {
                let hint = Some(format!("to use it as a name, put it in quotes: \"{word}\""));
                return self.unexpected("an expression", hint);
            }
            Token::Word(_) | Token::Quoted(_) => ExprKind::Reference(self.reference()?),
            Token::Sign(Sign::Or | Sign::Parallel) => {
                return self.unexpected("an expression", Some("\"or\" is written |".to_string()));
            }
            _ => return self.unexpected("an expression", None),
        };
        Ok(Expr { kind, at })
    }

    fn close_bracket(&mut self, open: usize) -> Made<()> {
        if self.take(Sign::Close) {
            return Ok(());
        }
        if self.here().is(Sign::Parallel) {
            return self.unexpected("`)`", Some("\"or\" is written |".to_string()));
        }
        let line = self.text[..open].matches('\n').count() + 1;
        self.unexpected("`)`", Some(format!("the bracket was opened in line {line}")))
    }

    fn conditional(&mut self, at: At) -> Made<Expr> {
        let condition = self.expression()?;
        if !self.take_word("then") {
            return self.unexpected("`then`", None);
        }
        let yes = self.expression()?;
        if !self.take_word("else") {
            return self.unexpected("`else`", Some("both cases need a value".to_string()));
        }
        let no = self.expression()?;
        Ok(Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), at })
    }

    fn quantified(&mut self, at: At, quantifier: Quantifier) -> Made<Expr> {
        let mut binders: Vec<Binder> = vec![self.binder()?];
        while self.take(Sign::Comma) {
            binders.push(self.binder()?);
        }
        let open = self.here().start;
        let hint = Some("put the condition in brackets: forall i in 0..3 (x[i] = 0)".into());
        if !self.take(Sign::Open) {
            return self.unexpected("`(`", hint);
        }
        let body = self.expression()?;
        self.close_bracket(open)?;
        // Several names are as good as one inside the other.
        let around = |body, binder| Expr {
            kind: ExprKind::Quantified(quantifier, Box::new(binder), Box::new(body)),
            at,
        };
        Ok(binders.into_iter().rev().fold(body, around))
    }

    /// A name with indices and dots.
    pub(super) fn reference(&mut self) -> Made<Reference> {
        let mut parts = Vec::new();
        loop {
            let name = self.name("a name")?;
            let index = if self.take(Sign::OpenSquare) {
                let index = self.deeper(|parser| parser.expression())?;
                self.expect(Sign::CloseSquare, "`]`")?;
                Some(Box::new(index))
            } else {
                None
            };
            parts.push(ReferencePart { name, index });
            if !self.take(Sign::Dot) {
                return Ok(Reference { parts });
            }
        }
    }

    fn at(&self) -> At {
        At(self.here().start)
    }
}

/// The only operand, or all of them in a chain.
fn chain(at: At, mut all: Vec<Expr>, kind: impl FnOnce(Vec<Expr>) -> ExprKind) -> Expr {
    if all.len() == 1 { all.remove(0) } else { Expr { kind: kind(all), at } }
}
