//! Formulas: CTL with knowledge and strategies, LTL and CTL*, each with knowledge.
//!
//! From weak to strong: `->` (to the right), `or`, `and`, `!`, then `U` of LTL and CTL*, then what
//! stands before its operand. So `AG p -> q` is `(AG p) -> q`, and in LTL `! p U q` is `! (p U q)`,
//! of which a warning tells. In `A ( p U q )` of CTL the `U` is the weakest of all. An operator in
//! letters is a name where no operand follows.

use super::tokens::Token;
use super::{RESERVED, Read, Reader};
use crate::tree::{Dialect, FormulaLine, Mention, Place};
use symbolon_logic::{Builder, FormulaId, Knowledge, Name, NamedAtom, Operator, Parsed, Sorts, Span};
use symbolon_source::Stop;

/// A formula in the making.
struct FormulaReader<'r, 't, 'f> {
    reader: &'r mut Reader<'t, 'f>,
    dialect: Dialect,
    is_fairness: bool,
    builder: Builder<NamedAtom>,
    /// Of each subformula, where it stands first.
    spans: Vec<Span>,
    mentions: Vec<Mention>,
}

/// What stands before its operand.
enum Prefix {
    Not,
    /// `X`, `F` or `G`.
    Temporal(Temporal),
    /// `AG` and the like.
    Quantified(Quantifier, Temporal),
    /// `A` or `E` of CTL*.
    Quantifier(Quantifier),
    /// `<group> X` and the like.
    Strategy(Box<str>, Temporal),
}

#[derive(Clone, Copy)]
enum Quantifier {
    ForAll,
    Exists,
}

#[derive(Clone, Copy)]
enum Temporal {
    Next,
    Finally,
    Globally,
}

impl<'t> Reader<'t, '_> {
    /// Reads a formula up to its semicolon.
    pub(super) fn formula_line(&mut self, is_fairness: bool) -> Read<FormulaLine> {
        let start = self.here().1;
        let dialect = match self.here().0 {
            Token::Word("CTL") if self.next() == Token::Sign("*") => {
                self.position += 2;
                Dialect::CtlStar
            }
            Token::Word("LTL") if self.begins_operand(self.position + 1) => {
                self.position += 1;
                Dialect::Ltl
            }
            _ => Dialect::Ctlk,
        };
        if is_fairness && dialect != Dialect::Ctlk {
            let hint = "write a formula of CTL with knowledge, most often an atom".to_string();
            return self.broken(
                start,
                "fairness conditions are not supported in LTL and CTL* formulae".into(),
                Some(hint),
            );
        }
        let begin = self.here().1;
        let mut formula = FormulaReader {
            reader: self,
            dialect,
            is_fairness,
            builder: Builder::default(),
            spans: Vec::new(),
            mentions: Vec::new(),
        };
        let root = formula.implication()?;
        let FormulaReader { builder, spans, mentions, .. } = formula;
        let (formula, numbers) = builder.finish_with_numbers(root);
        let mut kept = vec![Span::default(); formula.size()];
        for (span, number) in spans.iter().zip(numbers) {
            if let Some(number) = number {
                kept[number.index()] = *span;
            }
        }
        let end = self.here().1;
        self.expect(";")?;
        let parsed = Parsed::new(formula, kept);
        self.expect_states(dialect, &parsed)?;
        let place = Place(Span::new(begin.start, end.start.max(begin.start)));
        Ok(FormulaLine { dialect, formula: parsed, mentions, place })
    }

    /// A formula of CTL* speaks about states, and so do the operands of knowledge operators in it.
    fn expect_states(&mut self, dialect: Dialect, parsed: &Parsed) -> Read<()> {
        if dialect != Dialect::CtlStar {
            return Ok(());
        }
        let sorts = Sorts::of(&parsed.formula);
        let root = parsed.formula.root();
        let misplaced = sorts.misplaced().or(sorts.is_path(root).then_some(root));
        let Some(id) = misplaced else { return Ok(()) };
        let hint = "put A or E before it, and brackets around what it is about: A (p U q)";
        let message = "found a formula about a path, expected one about a state";
        self.findings.error_with_hint(parsed.span(id).start, message, hint)?;
        Ok(())
    }

    /// Whether an operand begins at a token, so that the word before it is an operator.
    fn begins_operand(&self, position: usize) -> bool {
        let token = |position: usize| self.tokens.get(position).map_or(Token::End, |(token, _)| *token);
        match token(position) {
            // Behind `X`, a `U` with an operand of its own stands between two operands.
            Token::Word("U") => match token(position + 1) {
                Token::Word(word) => matches!(word, "and" | "or" | "U"),
                Token::Sign(sign) => !matches!(sign, "(" | "!" | "<"),
                Token::Number(_) | Token::End => true,
            },
            Token::Word(word) => matches!(word, "true" | "false") || !RESERVED.contains(&word),
            Token::Sign(sign) => matches!(sign, "(" | "!" | "<"),
            Token::Number(_) | Token::End => false,
        }
    }
}

impl FormulaReader<'_, '_, '_> {
    /// Reads `f -> g -> h`, which is `f -> (g -> h)`.
    fn implication(&mut self) -> Read<FormulaId> {
        let mut operands = vec![self.spanned(Self::disjunction)?];
        while self.reader.accept("->") {
            operands.push(self.spanned(Self::disjunction)?);
        }
        let mut operands = operands.into_iter().rev();
        let Some((mut made, mut span)) = operands.next() else {
            let here = self.reader.here().1;
            return self.reader.broken(here, "expected a formula".into(), None);
        };
        for (left, left_span) in operands {
            span = left_span.to(span);
            made = self.add(Operator::Implies(left, made), span);
        }
        Ok(made)
    }

    fn disjunction(&mut self) -> Read<FormulaId> {
        self.joined("or", Self::conjunction, Operator::Or)
    }

    fn conjunction(&mut self) -> Read<FormulaId> {
        self.joined("and", Self::until, Operator::And)
    }

    fn joined(
        &mut self,
        word: &str,
        operand: fn(&mut Self) -> Read<FormulaId>,
        join: fn(FormulaId, FormulaId) -> Operator<NamedAtom>,
    ) -> Read<FormulaId> {
        let (mut made, mut span) = self.spanned(operand)?;
        while self.reader.accept_word(word) {
            self.reader.meter.step().map_err(Stop::from)?;
            let (right, right_span) = self.spanned(operand)?;
            span = span.to(right_span);
            made = self.add(join(made, right), span);
        }
        Ok(made)
    }

    /// Reads `f U g`, which only LTL and CTL* have between any two formulas.
    fn until(&mut self) -> Read<FormulaId> {
        let (left, span) = self.spanned(Self::prefixed)?;
        self.until_behind(left, span)
    }

    fn until_behind(&mut self, mut left: FormulaId, mut span: Span) -> Read<FormulaId> {
        let mut count = 0;
        while self.dialect != Dialect::Ctlk && self.reader.here().0 == Token::Word("U") {
            let sign = self.reader.here().1;
            self.reader.position += 1;
            count += 1;
            if count == 2 {
                self.reader.findings.warning(sign.start, "`p U q U r` is read as `(p U q) U r`");
                self.reader.findings.hint("write the brackets that you mean");
            }
            let (right, right_span) = self.spanned(Self::prefixed)?;
            span = span.to(right_span);
            left = self.add(Operator::Until(left, right), span);
        }
        Ok(left)
    }

    /// Reads `! AG X … p`. A negation takes a `U` behind it with it.
    fn prefixed(&mut self) -> Read<FormulaId> {
        let mut prefixes: Vec<(Prefix, Span)> = Vec::new();
        while let Some(prefix) = self.prefix()? {
            self.reader.meter.step().map_err(Stop::from)?;
            prefixes.push(prefix);
        }
        let (mut made, mut span) = self.spanned(Self::primary)?;
        let last_negation = prefixes.iter().rposition(|(prefix, _)| matches!(prefix, Prefix::Not));
        while let Some((prefix, start)) = prefixes.pop() {
            let takes_until = Some(prefixes.len()) == last_negation && self.dialect != Dialect::Ctlk;
            if takes_until && self.reader.here().0 == Token::Word("U") {
                self.reader.findings.warning(start.start, "`! p U q` is read as `! (p U q)`");
                self.reader.findings.hint("write the brackets that you mean");
                made = self.taken_along(made, span)?;
                span = span.to(self.spans[made.index()]);
            }
            span = start.to(span);
            made = self.apply(prefix, made, span);
        }
        Ok(made)
    }

    /// Reads `U` and what it joins, inside a negation.
    fn taken_along(&mut self, left: FormulaId, span: Span) -> Read<FormulaId> {
        if self.reader.depth >= super::LARGEST_DEPTH {
            return self.reader.broken(span, "there are too many negations before `U`".into(), None);
        }
        self.reader.depth += 1;
        let outcome = self.until_behind(left, span);
        self.reader.depth -= 1;
        outcome
    }

    fn apply(&mut self, prefix: Prefix, operand: FormulaId, span: Span) -> FormulaId {
        match prefix {
            Prefix::Not => self.add(Operator::Not(operand), span),
            Prefix::Temporal(temporal) => self.add(temporal.applied(operand), span),
            Prefix::Quantifier(quantifier) => self.add(quantifier.applied(operand), span),
            Prefix::Quantified(quantifier, temporal) => {
                let path = self.add(temporal.applied(operand), span);
                self.add(quantifier.applied(path), span)
            }
            Prefix::Strategy(group, temporal) => {
                let path = self.add(temporal.applied(operand), span);
                self.add(Operator::CanForce(group, path), span)
            }
        }
    }

    /// Reads one operator that stands before its operand, if one is here.
    fn prefix(&mut self) -> Read<Option<(Prefix, Span)>> {
        use {Quantifier::*, Temporal::*};
        let (token, span) = self.reader.here();
        let word = match token {
            Token::Sign("!") => {
                self.reader.position += 1;
                return Ok(Some((Prefix::Not, span)));
            }
            Token::Sign("<") => return self.strategy(span),
            Token::Word(word) if self.reader.begins_operand(self.reader.position + 1) => word,
            _ => return Ok(None),
        };
        let is_bracket = self.reader.next() == Token::Sign("(");
        let (prefix, is_fitting, hint) = match word {
            "AG" => (Prefix::Quantified(ForAll, Globally), self.dialect != Dialect::Ltl, "write G"),
            "EG" => (Prefix::Quantified(Exists, Globally), self.dialect != Dialect::Ltl, "write CTL* EG"),
            "AX" => (Prefix::Quantified(ForAll, Next), self.dialect != Dialect::Ltl, "write X"),
            "EX" => (Prefix::Quantified(Exists, Next), self.dialect != Dialect::Ltl, "write CTL* EX"),
            "AF" => (Prefix::Quantified(ForAll, Finally), self.dialect != Dialect::Ltl, "write F"),
            "EF" => (Prefix::Quantified(Exists, Finally), self.dialect != Dialect::Ltl, "write CTL* EF"),
            // `A ( p U q )` of CTL is not a prefix.
            "A" | "E" if self.dialect == Dialect::Ctlk && is_bracket => return Ok(None),
            "A" => (
                Prefix::Quantifier(ForAll),
                self.dialect == Dialect::CtlStar,
                "LTL speaks about all paths anyway; CTL has AG, AF, AX and A ( p U q )",
            ),
            "E" => (
                Prefix::Quantifier(Exists),
                self.dialect == Dialect::CtlStar,
                "write CTL* before the formula; CTL has EG, EF, EX and E ( p U q )",
            ),
            "X" => (
                Prefix::Temporal(Next),
                self.dialect != Dialect::Ctlk,
                "write AX or EX, or LTL before the formula",
            ),
            "F" => (
                Prefix::Temporal(Finally),
                self.dialect != Dialect::Ctlk,
                "write AF or EF, or LTL before the formula",
            ),
            "G" => (
                Prefix::Temporal(Globally),
                self.dialect != Dialect::Ctlk,
                "write AG or EG, or LTL before the formula",
            ),
            _ => return Ok(None),
        };
        if !is_fitting {
            let logic = if self.dialect == Dialect::Ltl { "LTL" } else { "CTL" };
            return self.reader.broken(
                span,
                format!("`{word}` is not an operator of {logic}"),
                Some(hint.into()),
            );
        }
        self.reader.position += 1;
        Ok(Some((prefix, span)))
    }

    /// Reads `<group> X`. Before a bracket it belongs to `<group> ( p U q )`, which is not a
    /// prefix.
    fn strategy(&mut self, open: Span) -> Read<Option<(Prefix, Span)>> {
        if self.dialect != Dialect::Ctlk || self.is_fairness {
            let message = "strategy operators are supported in CTL formulae only".to_string();
            return self.reader.broken(open, message, None);
        }
        let tokens = &self.reader.tokens;
        let behind = |ahead: usize| tokens.get(self.reader.position + ahead).map(|(token, _)| *token);
        if behind(2) == Some(Token::Sign(">")) && behind(3) == Some(Token::Sign("(")) {
            return Ok(None);
        }
        let group = self.group()?;
        let (token, span) = self.reader.here();
        let temporal = match token {
            Token::Word("X") => Temporal::Next,
            Token::Word("F") => Temporal::Finally,
            Token::Word("G") => Temporal::Globally,
            _ => {
                let hint = "a strategy is asked for by <group> X p, F p, G p or ( p U q )".to_string();
                let message = format!("found {}, expected X, F, G or `(`", token.described());
                return self.reader.broken(span, message, Some(hint));
            }
        };
        self.reader.position += 1;
        Ok(Some((Prefix::Strategy(group, temporal), open.to(span))))
    }

    /// Reads `<group>`.
    fn group(&mut self) -> Read<Box<str>> {
        self.reader.expect("<")?;
        let name = self.reader.name("the name of a group")?;
        self.reader.expect(">")?;
        let text = name.text.clone();
        self.mentions.push(Mention { name, is_group: true });
        Ok(text)
    }

    fn primary(&mut self) -> Read<FormulaId> {
        let (token, span) = self.reader.here();
        match token {
            Token::Sign("(") => {
                self.reader.position += 1;
                let inner = self.deeper(span, Self::implication)?;
                self.close()?;
                Ok(inner)
            }
            Token::Sign("<") => {
                let group = self.group()?;
                let path = self.bracketed_until(span)?;
                let end = self.last_span();
                Ok(self.add(Operator::CanForce(group, path), span.to(end)))
            }
            Token::Word(word) => self.word(word, span),
            _ => self.reader.broken(span, format!("found {}, expected a formula", token.described()), None),
        }
    }

    fn word(&mut self, word: &str, span: Span) -> Read<FormulaId> {
        let is_bracket = self.reader.next() == Token::Sign("(");
        let knowledge = match word {
            "K" => Some(Knowledge::Agent),
            "GK" => Some(Knowledge::Everyone),
            "GCK" => Some(Knowledge::Common),
            "DK" => Some(Knowledge::Distributed),
            "O" => Some(Knowledge::Correct),
            _ => None,
        };
        match (word, knowledge) {
            ("true" | "false", _) => {
                self.reader.position += 1;
                let constant = if word == "true" { Operator::True } else { Operator::False };
                Ok(self.add(constant, span))
            }
            (_, Some(knowledge)) if is_bracket => self.knowledge(knowledge, span),
            ("A" | "E", _) if is_bracket && self.dialect == Dialect::Ctlk => {
                self.reader.position += 1;
                let path = self.bracketed_until(span)?;
                let quantifier = if word == "A" { Quantifier::ForAll } else { Quantifier::Exists };
                let end = self.last_span();
                Ok(self.add(quantifier.applied(path), span.to(end)))
            }
            _ => self.atom(),
        }
    }

    /// Reads `( f U g )`.
    fn bracketed_until(&mut self, start: Span) -> Read<FormulaId> {
        let open = self.reader.here().1;
        self.reader.expect("(")?;
        let left = self.deeper(open, Self::implication)?;
        let (token, here) = self.reader.here();
        if token != Token::Word("U") {
            let hint = match token {
                Token::Sign(")") => "without U, write AG, AF, AX, EG, EF or EX".to_string(),
                _ => "write A ( p U q )".to_string(),
            };
            return self.reader.broken(
                here,
                format!("found {}, expected `U`", token.described()),
                Some(hint),
            );
        }
        self.reader.position += 1;
        let right = self.deeper(open, Self::implication)?;
        self.close()?;
        let end = self.last_span();
        Ok(self.add(Operator::Until(left, right), start.to(end)))
    }

    /// Reads `K(agent, f)` and its relatives.
    fn knowledge(&mut self, knowledge: Knowledge, span: Span) -> Read<FormulaId> {
        self.reader.position += 2;
        let is_group = !matches!(knowledge, Knowledge::Agent | Knowledge::Correct);
        let name = self.reader.name(if is_group { "the name of a group" } else { "the name of an agent" })?;
        let text = name.text.clone();
        self.mentions.push(Mention { name, is_group });
        self.reader.expect(",")?;
        let operand = self.deeper(span, Self::implication)?;
        self.close()?;
        let end = self.last_span();
        Ok(self.add(Operator::Knows(knowledge, text, operand), span.to(end)))
    }

    /// Reads `p` or `Agent.RedStates`.
    fn atom(&mut self) -> Read<FormulaId> {
        let name = self.reader.name("a formula")?;
        if !self.reader.accept(".") {
            let span = name.span;
            return Ok(self.add(Operator::Atom(NamedAtom::Named(name)), span));
        }
        let (token, end) = self.reader.here();
        let Token::Word(states @ ("RedStates" | "GreenStates")) = token else {
            let hint = "refer to variables through the atoms of Evaluation".to_string();
            let message = format!("found {}, expected RedStates or GreenStates", token.described());
            return self.reader.broken(end, message, Some(hint));
        };
        self.reader.position += 1;
        let span = name.span.to(end);
        let text = format!("{}.{states}", name.text);
        self.mentions.push(Mention { name, is_group: false });
        Ok(self.add(Operator::Atom(NamedAtom::Named(Name::new(text, span))), span))
    }

    /// Reads a bracket's end.
    fn close(&mut self) -> Read<()> {
        let (token, span) = self.reader.here();
        if self.reader.accept(")") {
            return Ok(());
        }
        let hint = match token {
            Token::Word("U") if self.dialect == Dialect::Ctlk => {
                Some("CTL has U in A ( p U q ) and E ( p U q ) only".to_string())
            }
            Token::Word(_) => Some("join formulas with and, or, ->".to_string()),
            _ => None,
        };
        self.reader.broken(span, format!("found {}, expected `)`", token.described()), hint)
    }

    /// Where the token before the one at hand stands.
    fn last_span(&self) -> Span {
        self.reader.tokens[self.reader.position.saturating_sub(1).min(self.reader.tokens.len() - 1)].1
    }

    /// Reads something, and says where it stands.
    fn spanned(&mut self, read: fn(&mut Self) -> Read<FormulaId>) -> Read<(FormulaId, Span)> {
        let start = self.reader.here().1;
        let made = read(self)?;
        Ok((made, start.to(self.last_span())))
    }

    fn deeper(&mut self, span: Span, read: fn(&mut Self) -> Read<FormulaId>) -> Read<FormulaId> {
        if self.reader.depth >= super::LARGEST_DEPTH {
            let message = format!("more than {} brackets are open here", super::LARGEST_DEPTH);
            return self.reader.broken(span, message, None);
        }
        self.reader.depth += 1;
        let outcome = read(self);
        self.reader.depth -= 1;
        outcome
    }

    fn add(&mut self, operator: Operator<NamedAtom>, span: Span) -> FormulaId {
        let id = self.builder.add(operator);
        if id.index() == self.spans.len() {
            self.spans.push(span);
        }
        id
    }
}

impl Quantifier {
    fn applied<A>(self, f: FormulaId) -> Operator<A> {
        match self {
            Quantifier::ForAll => Operator::ForAll(f),
            Quantifier::Exists => Operator::Exists(f),
        }
    }
}

impl Temporal {
    fn applied<A>(self, f: FormulaId) -> Operator<A> {
        match self {
            Temporal::Next => Operator::Next(f),
            Temporal::Finally => Operator::Finally(f),
            Temporal::Globally => Operator::Globally(f),
        }
    }
}
