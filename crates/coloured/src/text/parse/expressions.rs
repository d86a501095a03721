//! Terms and guards.

use super::{LARGEST_DEPTH, Made, Parser};
use crate::Relation;
use crate::text::token::Token;
use crate::text::tree::{Guard, Name, Reference, Side, Term, TermKind};

impl Parser<'_, '_> {
    /// Runs `inner` one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        self.meter.step()?;
        if self.depth >= LARGEST_DEPTH {
            let at = self.here().start;
            let message = format!("brackets are nested more than {LARGEST_DEPTH} deep");
            return self.broken(at, 1, message, None);
        }
        self.depth += 1;
        let made = inner(self);
        self.depth -= 1;
        made
    }

    /// Terms, added and subtracted from left to right.
    pub(super) fn term(&mut self) -> Made<Term> {
        let at = self.here().start;
        let mut left = self.factor()?;
        let mut difference_count = 0;
        loop {
            self.meter.step()?;
            if self.take("+") {
                let right = self.factor()?;
                left = sum(at, left, right);
            } else if self.take("-") {
                // A difference of differences is a tree as deep as the chain is long.
                difference_count += 1;
                if difference_count > LARGEST_DEPTH {
                    let message = format!("more than {LARGEST_DEPTH} differences in one term");
                    let hint = "subtract a sum: 'all - (a + b)'".to_string();
                    return self.broken(at, 1, message, Some(hint));
                }
                let right = self.factor()?;
                left = Term { at, kind: TermKind::Difference(Box::new([left, right])) };
            } else {
                return Ok(left);
            }
        }
    }

    /// `2*t`, or a term that needs no brackets.
    fn factor(&mut self) -> Made<Term> {
        let at = self.here().start;
        if matches!(self.here().token, Token::Number(_)) && self.there(1).is("*") {
            let count = self.integer("a number")?;
            self.next += 1;
            let term = Box::new(self.primary()?);
            return Ok(Term { at, kind: TermKind::Scaled(count.unsigned_abs(), term) });
        }
        self.primary()
    }

    fn primary(&mut self) -> Made<Term> {
        let at = self.here().start;
        if self.here().is("(") {
            return self.bracketed();
        }
        for (word, kind) in [("all", TermKind::All as fn(Vec<Name>) -> TermKind), ("empty", TermKind::Empty)]
        {
            if self.take_word(word) {
                let mut domain = Vec::new();
                if self.take("(") {
                    domain = self.domain()?;
                    self.expect(")", "')'")?;
                }
                return Ok(Term { at, kind: kind(domain) });
            }
        }
        let reference = self.reference("a variable, a colour, 'all' or '('")?;
        let steps = self.steps()?;
        Ok(Term { at, kind: TermKind::Reference(reference, steps) })
    }

    /// `(t)` or `(t, u, …)`, which is a tuple; a tuple in a tuple is one long tuple.
    pub(super) fn bracketed(&mut self) -> Made<Term> {
        let at = self.here().start;
        self.deeper(|parser| {
            parser.expect("(", "'('")?;
            let mut terms = vec![parser.term()?];
            while parser.take(",") {
                terms.push(parser.term()?);
            }
            parser.expect(")", "',' or ')'")?;
            if terms.len() == 1 {
                return Ok(terms.remove(0));
            }
            let flat = terms.into_iter().flat_map(|term| match term.kind {
                TermKind::Tuple(inner) => inner,
                kind => vec![Term { at: term.at, kind }],
            });
            Ok(Term { at, kind: TermKind::Tuple(flat.collect()) })
        })
    }

    /// `a`, `C.a`, `7` or `-7`.
    fn reference(&mut self, what: &str) -> Made<Reference> {
        let mut name = self.reference_name(what)?;
        let mut owner = None;
        if self.take(".") {
            let inner = self.reference_name("a member or a part")?;
            owner = Some(std::mem::replace(&mut name, inner));
        }
        let last = &self.tokens[self.next - 1].token;
        let is_number = matches!(last, Token::Number(_));
        Ok(Reference { owner, name, is_number })
    }

    fn reference_name(&mut self, what: &str) -> Made<Name> {
        let is_negative = self.here().is("-") && matches!(self.there(1).token, Token::Number(_));
        if is_negative { self.member_name() } else { self.name(what) }
    }

    /// `++` and `--`, each with a number of steps if it is not one.
    fn steps(&mut self) -> Made<i64> {
        let mut steps: i64 = 0;
        loop {
            let sign = match (self.take("++"), self.here().is("--")) {
                (true, _) => 1,
                (false, true) => {
                    self.next += 1;
                    -1
                }
                (false, false) => return Ok(steps),
            };
            let is_counted = matches!(self.here().token, Token::Number(_)) && !self.there(1).is("*");
            let count = if is_counted { self.integer("a number")? } else { 1 };
            steps = steps.saturating_add(sign * count);
        }
    }

    /// A guard: implications are weakest, and several of them group to the right.
    pub(super) fn guard(&mut self) -> Made<Guard> {
        self.deeper(|parser| {
            let left = parser.either()?;
            if parser.take("->") {
                return Ok(Guard::Implies(Box::new([left, parser.guard()?])));
            }
            Ok(left)
        })
    }

    fn either(&mut self) -> Made<Guard> {
        let mut parts = vec![self.both()?];
        while self.take("|") || self.take_word("or") {
            parts.push(self.both()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Guard::Or(parts) })
    }

    fn both(&mut self) -> Made<Guard> {
        let mut parts = vec![self.negated()?];
        while self.take("&") || self.take_word("and") {
            parts.push(self.negated()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Guard::And(parts) })
    }

    fn negated(&mut self) -> Made<Guard> {
        if self.take("!") || self.take_word("not") {
            return self.deeper(|parser| Ok(Guard::Not(Box::new(parser.negated()?))));
        }
        if self.take_word("true") {
            return Ok(Guard::Constant(true));
        }
        if self.take_word("false") {
            return Ok(Guard::Constant(false));
        }
        if self.take("(") {
            let inner = self.guard()?;
            self.expect(")", "a connective or ')'")?;
            return Ok(inner);
        }
        let left = self.side()?;
        if self.take_word("in") {
            return Ok(Guard::Within(left, self.reference("the name of a part")?));
        }
        let relation = match self.here().token {
            Token::Sign("=") => Relation::Equal,
            Token::Sign("!=") => Relation::Unequal,
            Token::Sign("<") => Relation::Less,
            Token::Sign("<=") => Relation::LessOrEqual,
            Token::Sign(">") => Relation::Greater,
            Token::Sign(">=") => Relation::GreaterOrEqual,
            _ => {
                return self
                    .expected("a comparison", Some("compare with = != < <= > >=, or write 'x in part'"));
            }
        };
        self.next += 1;
        Ok(Guard::Compare(left, relation, self.side()?))
    }

    /// `x++`, `a`, or `halves(x)`.
    fn side(&mut self) -> Made<Side> {
        if self.there(1).is("(") {
            let partition = self.name("the name of a partition")?;
            self.next += 1;
            let reference = self.reference("a variable or a member")?;
            let steps = self.steps()?;
            self.expect(")", "')'")?;
            return Ok(Side { part_of: Some(partition), reference, steps });
        }
        let reference = self.reference("a variable, a colour or '('")?;
        let steps = self.steps()?;
        Ok(Side { part_of: None, reference, steps })
    }
}

/// The sum of two terms; sums in a sum are one long sum.
fn sum(at: usize, left: Term, right: Term) -> Term {
    let mut terms = match left.kind {
        TermKind::Sum(terms) => terms,
        kind => vec![Term { at: left.at, kind }],
    };
    match right.kind {
        TermKind::Sum(more) => terms.extend(more),
        kind => terms.push(Term { at: right.at, kind }),
    }
    Term { at, kind: TermKind::Sum(terms) }
}
