//! The reader itself: tokens in, a formula out. Operands wait on one stack, operators and open
//! brackets on another.

mod apply;

use super::meant_words::{meant_before_formula, meant_between_formulas};
use super::operators::{
    BEFORE_OPERAND, Infix, MINUS, Prefix, Quantifier, Strength, Temporal, WEAKEST,
    knowledge as knowledge_word,
};
use super::sum::Sum;
use super::tokens::{Sign, Token};
use super::{FormulaError, LARGEST_ERROR_COUNT, Parsed};
use crate::formula::{Builder, FormulaId, Knowledge, Operator};
use crate::name::{Name, Span, separates_colours};
use crate::named_atom::NamedAtom;
use symbolon_source::shown;

pub(super) struct Reader<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, Span)>,
    position: usize,
    operands: Vec<Operand>,
    pending: Vec<Pending>,
    /// Of each open bracket, whether it is square.
    brackets: Vec<bool>,
    builder: Builder<NamedAtom>,
    /// Of each subformula in `builder`, where it stands first, whether it speaks about a path, and
    /// whether it speaks about one state alone.
    spans: Vec<Span>,
    is_path: Vec<bool>,
    is_plain: Vec<bool>,
    errors: Vec<FormulaError>,
    warnings: Vec<FormulaError>,
}

/// Something that was read and is complete.
struct Operand {
    /// Where it stands, with its brackets.
    span: Span,
    kind: Kind,
    shape: Shape,
    /// If its text ends in what a temporal operator without brackets is about, where that begins.
    scope: Option<usize>,
}

enum Kind {
    Sum(Sum),
    Formula(FormulaId),
    /// Something was wrong with it, and that was said.
    Broken,
}

/// What was written outermost, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Plain,
    Bracketed,
    Comparison,
    Until,
    /// `A` or `E` without a bracket behind it.
    Quantified,
}

/// An operator that waits for its operand, or a bracket for its end.
enum Pending {
    Prefix(Prefix, Span),
    /// One that speaks about everything up to the end of the bracket that it stands in.
    Wide(Prefix, Span),
    Minus(Span),
    Infix(Infix, Strength, Span),
    Bracket {
        is_square: bool,
        open: Span,
        knows: Option<(Knowledge, Box<str>, Span)>,
    },
}

/// What may stand next.
enum Expected {
    Operand,
    Operator,
    /// The text is read, or too wrong to go on.
    Nothing,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a str,
        tokens: Vec<(Token<'a>, Span)>,
        errors: Vec<FormulaError>,
    ) -> Reader<'a> {
        Reader {
            text,
            tokens,
            position: 0,
            operands: Vec::new(),
            pending: Vec::new(),
            brackets: Vec::new(),
            builder: Builder::default(),
            spans: Vec::new(),
            is_path: Vec::new(),
            is_plain: Vec::new(),
            errors,
            warnings: Vec::new(),
        }
    }

    /// Reads everything. There is no formula without errors, and no error beside a formula.
    pub(super) fn read(mut self) -> (Option<Parsed>, Vec<FormulaError>) {
        if self.tokens.len() == 1 && self.errors.is_empty() {
            self.error(self.tokens[0].1, "the formula is empty");
            return (None, self.errors);
        }
        let mut expected = Expected::Operand;
        while self.errors.len() < LARGEST_ERROR_COUNT {
            expected = match expected {
                Expected::Operand => self.operand(),
                Expected::Operator => self.operator(),
                Expected::Nothing => break,
            };
        }
        let whole = match self.operands.pop() {
            Some(whole) if self.errors.is_empty() => whole,
            _ => return (None, self.errors),
        };
        let Some(mut root) = self.statement(&whole) else { return (None, self.errors) };
        let is_path = self.is_path[root.index()];
        if is_path {
            root = self.add(Operator::ForAll(root), self.spans[root.index()]);
        }
        let (formula, numbers) = self.builder.finish_with_numbers(root);
        let mut spans = vec![Span::default(); formula.size()];
        for (span, number) in self.spans.iter().zip(numbers) {
            if let Some(number) = number {
                spans[number.index()] = *span;
            }
        }
        let mut parsed = Parsed { warnings: self.warnings, ..Parsed::new(formula, spans) };
        parsed.is_linear = is_path && parsed.quantifier_count() == 1;
        (Some(parsed), self.errors)
    }

    /// Reads what begins an operand.
    fn operand(&mut self) -> Expected {
        let (token, span) = self.tokens[self.position].clone();
        match token {
            Token::Number(digits) => {
                self.position += 1;
                let kind = match digits.parse() {
                    Ok(number) => Kind::Sum(Sum::constant(number)),
                    Err(_) => {
                        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                            self.error(span, format!("the number {} is too large", shown(digits)));
                        }
                        Kind::Broken
                    }
                };
                self.push(kind, span)
            }
            Token::Quoted(name) => {
                self.position += 1;
                self.push(Kind::Sum(Sum::variable(Name::new(name, span))), span)
            }
            Token::Word(word) => self.word(word, span),
            Token::Sign(Sign::Not) => self.prefix(Prefix::Not, span),
            Token::Sign(Sign::Minus) => {
                self.position += 1;
                self.pending.push(Pending::Minus(span));
                Expected::Operand
            }
            Token::Sign(Sign::Less) => self.strategy(span),
            Token::Sign(Sign::Open) => self.bracket(false, span),
            Token::Sign(Sign::OpenSquare) => {
                let fits =
                    matches!(self.pending.last(), Some(Pending::Prefix(p, _)) if p.takes_square_brackets());
                let is_box =
                    matches!(self.tokens.get(self.position + 1), Some((Token::Sign(Sign::CloseSquare), _)));
                if is_box {
                    self.error(span.to(self.tokens[self.position + 1].1), "found `[]`, expected a formula");
                    self.hint("for \"always\" write AG p, or G in a formula about one path: A (G F p)");
                    self.position += 2;
                    return Expected::Operand;
                }
                if !fits {
                    self.error(span, "found `[`, expected a formula");
                    self.hint("square brackets may follow A and E only; use round ones");
                }
                self.bracket(true, span)
            }
            Token::Sign(Sign::NotEqual) if &self.text[span.start..span.end] == "<>" => {
                self.error(span, "found `<>`, expected a formula");
                self.hint("for \"eventually\" write AF p if it is so on every path, EF p if on some path");
                self.position += 1;
                Expected::Operand
            }
            token => self.missing_operand(&token, span),
        }
    }

    /// Reads a word where an operand may begin.
    fn word(&mut self, word: &'a str, span: Span) -> Expected {
        if word == "not" {
            return self.prefix(Prefix::Not, span);
        }
        if let Some(prefix) = self.uppaal_prefix(word, span) {
            return prefix;
        }
        if let Some(prefix) = Prefix::of(word)
            && self.begins_operand(self.position + 1, &prefix)
        {
            return self.prefix(prefix, span);
        }
        let opens = matches!(self.tokens.get(self.position + 1), Some((Token::Sign(Sign::Open), _)));
        if let (Some(knowledge), true) = (knowledge_word(word), opens) {
            return self.knowledge(knowledge, word, span);
        }
        let constant = match word {
            "and" | "or" => return self.missing_operand(&Token::Word(word), span),
            "fireable" if opens => return self.fireable(span),
            "true" => Operator::True,
            "false" => Operator::False,
            "deadlock" => Operator::Deadlock,
            name => {
                self.position += 1;
                return self.push(Kind::Sum(Sum::variable(Name::new(name, span))), span);
            }
        };
        self.position += 1;
        let id = self.add(constant, span);
        self.push(Kind::Formula(id), span)
    }

    /// Reads `E<>`, `A[]` and their relatives, which speak about all that follows, as in UPPAAL and
    /// TAPAAL.
    fn uppaal_prefix(&mut self, word: &str, span: Span) -> Option<Expected> {
        let quantifier = match word {
            "A" => Quantifier::ForAll,
            "E" => Quantifier::Exists,
            _ => return None,
        };
        let written = |length: usize| self.text.get(span.end..span.end + length);
        let (length, temporal) = match (written(2), &self.tokens.get(self.position + 1)?.0) {
            (Some("<>"), Token::Sign(Sign::NotEqual)) => (1, Temporal::Finally),
            (Some("[]"), Token::Sign(Sign::OpenSquare)) => (2, Temporal::Globally),
            _ => return None,
        };
        // `E<>x` may compare a place that is called E.
        let (next, begin) = self.tokens.get(self.position + 1 + length)?;
        let is_apart = begin.start > span.end + 2 || matches!(next, Token::Sign(Sign::Open | Sign::Not));
        if length == 1 && (!is_apart || matches!(next, Token::Number(_) | Token::End)) {
            return None;
        }
        self.position += 1 + length;
        let whole = Span::new(span.start, span.end + 2);
        self.pending.push(Pending::Wide(Prefix::Temporal(Some(quantifier), temporal), whole));
        Some(Expected::Operand)
    }

    /// Whether an operand begins at a token, so that the word before it is an operator.
    fn begins_operand(&self, position: usize, prefix: &Prefix) -> bool {
        let or_square_bracket = prefix.takes_square_brackets();
        let token = |position: usize| self.tokens.get(position).map_or(&Token::End, |(token, _)| token);
        match token(position) {
            Token::Word("and" | "or") => false,
            // `X U p`: behind `X`, a `U` with an operand of its own stands between two operands.
            Token::Word("U" | "W" | "R") => {
                let has_operand = match token(position + 1) {
                    Token::Word("and" | "or") => false,
                    Token::Word(_) | Token::Quoted(_) | Token::Number(_) => true,
                    Token::Sign(sign) => matches!(sign, Sign::Open | Sign::Not),
                    Token::End => false,
                };
                !has_operand
            }
            Token::Word(_) | Token::Quoted(_) | Token::Number(_) => true,
            Token::Sign(Sign::Open | Sign::Not) => true,
            Token::Sign(Sign::OpenSquare) => or_square_bracket,
            // `AG -p <= 1` is about a sum; one letter is a name from which something is subtracted.
            Token::Sign(Sign::Minus) => matches!(prefix, Prefix::Temporal(Some(_), _)),
            Token::Sign(Sign::Less) => {
                let doubled = usize::from(*token(position + 1) == Token::Sign(Sign::Less));
                matches!(token(position + doubled + 1), Token::Word(_) | Token::Quoted(_))
                    && *token(position + doubled + 2) == Token::Sign(Sign::Greater)
            }
            Token::Sign(_) | Token::End => false,
        }
    }

    fn prefix(&mut self, prefix: Prefix, span: Span) -> Expected {
        self.position += 1;
        self.pending.push(Pending::Prefix(prefix, span));
        Expected::Operand
    }

    fn bracket(&mut self, is_square: bool, open: Span) -> Expected {
        self.position += 1;
        self.open(is_square, open, None)
    }

    fn open(&mut self, is_square: bool, open: Span, knows: Option<(Knowledge, Box<str>, Span)>) -> Expected {
        self.brackets.push(is_square);
        self.pending.push(Pending::Bracket { is_square, open, knows });
        Expected::Operand
    }

    /// Reads `<group>`, or `<<group>>`.
    fn strategy(&mut self, open: Span) -> Expected {
        self.position += 1;
        let is_doubled = self.accept(Sign::Less);
        let Some(group) = self.name() else {
            let (token, span) = self.tokens[self.position].clone();
            let found = token.described(self.text, span);
            self.error(open, format!("found `<` and then {found}, expected a formula"));
            self.hint("a strategy is written <group> F p; a comparison needs something before `<`");
            if let Some((Token::Sign(Sign::Greater), _)) = self.tokens.get(self.position + 1) {
                self.position += 2;
            }
            return Expected::Operand;
        };
        let (token, close) = self.tokens[self.position].clone();
        if token == Token::Sign(Sign::Comma) {
            self.error(close, "found `,`, expected `>` after the group of a strategy");
            self.hint("declare the agents as a group, and write <group> F p");
            while matches!(
                self.tokens[self.position].0,
                Token::Word(_) | Token::Quoted(_) | Token::Sign(Sign::Comma)
            ) {
                self.position += 1;
            }
            while self.accept(Sign::Greater) {}
            return Expected::Operand;
        }
        if token != Token::Sign(Sign::Greater) {
            let found = token.described(self.text, close);
            self.error(close, format!("found {found}, expected `>` after the group of a strategy"));
            self.hint("a strategy is written <group> F p; a comparison needs something before `<`");
            return Expected::Operand;
        }
        self.position += 1;
        let (token, end) = self.tokens[self.position].clone();
        let is_closed = token == Token::Sign(Sign::Greater);
        if is_doubled && !is_closed {
            let found = token.described(self.text, end);
            self.error(end, format!("found {found}, expected a second `>` after the group of a strategy"));
            self.hint("a strategy is written <group> F p, or <<group>> F p");
            return Expected::Operand;
        }
        self.position += usize::from(is_doubled);
        let span = if is_doubled { open.to(end) } else { open.to(close) };
        self.pending.push(Pending::Prefix(Prefix::CanForce(group.text), span));
        Expected::Operand
    }

    /// Reads `K(agent,` and its relatives, up to the comma.
    fn knowledge(&mut self, knowledge: Knowledge, word: &str, span: Span) -> Expected {
        let open = self.tokens[self.position + 1].1;
        self.position += 2;
        let begin = self.position;
        let mut knows = None;
        if let Some(name) = self.name()
            && self.accept(Sign::Comma)
        {
            knows = Some((knowledge, name.text, span));
        }
        if knows.is_none() {
            self.position = begin;
            let whose =
                if matches!(knowledge, Knowledge::Agent | Knowledge::Correct) { "agent" } else { "group" };
            self.error(span, format!("`{word}` speaks about two things, {whose} and formula"));
            self.hint(format!("write {word}({whose}, p)"));
        }
        self.open(false, open, knows)
    }

    /// Reads `fireable(t1, t2)`.
    fn fireable(&mut self, span: Span) -> Expected {
        self.position += 2;
        let mut events = Vec::new();
        loop {
            if let Some(name) = self.name() {
                let event = self.binding(name);
                events.push(event);
                if self.accept(Sign::Comma) {
                    continue;
                }
            }
            let (token, here) = self.tokens[self.position].clone();
            if token == Token::Sign(Sign::Close) && !events.is_empty() {
                self.position += 1;
                let span = span.to(here);
                let id = self.add(Operator::Atom(NamedAtom::Fireable(events)), span);
                return self.push(Kind::Formula(id), span);
            }
            let found = token.described(self.text, here);
            self.error(here, format!("found {found} in fireable(…), expected a name"));
            self.hint("write fireable(t) or fireable(t1, \"t 2\")");
            // What follows up to the bracket's end belongs to the mistake.
            while !matches!(self.tokens[self.position].0, Token::End | Token::Sign(Sign::Close)) {
                self.position += 1;
            }
            self.accept(Sign::Close);
            return self.push(Kind::Broken, span);
        }
    }

    /// The name with its binding, if one follows at once: `t(x = c1, y = s2)` is the name
    /// `t(x=c1,y=s2)`, a transition of a coloured net and a way to fire it.
    fn binding(&mut self, name: Name) -> Name {
        let behind = self.text[name.span.end..].strip_prefix('(');
        let Some((inside, _)) = behind.and_then(|rest| rest.split_once(')')) else { return name };
        let is_plain = |text: &str| !text.is_empty() && !text.contains(separates_colours);
        let pair = |pair: &str| {
            let (variable, colour) = pair.split_once('=')?;
            let (variable, colour) = (variable.trim(), colour.trim());
            (is_plain(variable) && is_plain(colour)).then(|| format!("{variable}={colour}"))
        };
        let pairs = inside.split(',').map(pair).collect::<Option<Vec<String>>>();
        let end = name.span.end + inside.len() + 2;
        while self.tokens[self.position].1.start < end && self.tokens[self.position].0 != Token::End {
            self.position += 1;
        }
        let Some(pairs) = pairs else {
            let found = shown(inside);
            let span = Span::new(name.span.end, end);
            self.error(span, format!("found `({found})` behind a name, expected a binding"));
            self.hint("a binding of a transition is written t(x=c1,y=s2)");
            return name;
        };
        Name::new(format!("{}({})", name.text, pairs.join(",")), Span::new(name.span.start, end))
    }

    /// The name at hand, if there is one; all words are names here.
    fn name(&mut self) -> Option<Name> {
        let (token, span) = self.tokens[self.position].clone();
        let name = match token {
            Token::Word(word) => Name::new(word, span),
            Token::Quoted(name) => Name::new(name, span),
            _ => return None,
        };
        self.position += 1;
        Some(name)
    }

    fn accept(&mut self, sign: Sign) -> bool {
        let is_here = self.tokens[self.position].0 == Token::Sign(sign);
        self.position += usize::from(is_here);
        is_here
    }

    /// Says that an operand is missing, and goes on as if it were there.
    fn missing_operand(&mut self, token: &Token<'a>, span: Span) -> Expected {
        let found = token.described(self.text, span);
        self.error(span, format!("found {found}, expected a formula"));
        let before = match self.pending.last() {
            Some(
                &Pending::Infix(_, _, span)
                | &Pending::Prefix(_, span)
                | &Pending::Wide(_, span)
                | &Pending::Minus(span),
            ) => Some(span),
            _ => None,
        };
        if let Some(before) = before.filter(|before| before.start < before.end) {
            self.hint(format!("`{}` needs an operand after it", &self.text[before.start..before.end]));
        }
        self.push(Kind::Broken, Span::new(span.start, span.start))
    }

    fn push(&mut self, kind: Kind, span: Span) -> Expected {
        self.operands.push(Operand { span, kind, shape: Shape::Plain, scope: None });
        Expected::Operator
    }

    /// Reads what may stand behind an operand.
    fn operator(&mut self) -> Expected {
        let (token, span) = self.tokens[self.position].clone();
        if let Some(infix) = Infix::of(&token) {
            self.position += 1;
            return self.infix(infix, span);
        }
        match token {
            Token::Sign(sign @ (Sign::Close | Sign::CloseSquare)) => {
                self.position += 1;
                self.close(sign == Sign::CloseSquare, span);
                Expected::Operator
            }
            Token::Sign(Sign::Comma) => {
                self.position += 1;
                self.error(span, "found `,`, expected an operator");
                self.infix(Infix::Missing, span)
            }
            Token::End => {
                self.reduce(|_| true);
                self.report_open_brackets();
                Expected::Nothing
            }
            token => self.missing_operator(&token, span),
        }
    }

    fn infix(&mut self, infix: Infix, span: Span) -> Expected {
        let is_weakest = infix.is_until() && self.brackets.last() == Some(&true);
        let strength = if is_weakest { WEAKEST } else { infix.strength() };
        self.reduce(|waiting| waiting > strength || (waiting == strength && !infix.leans_right()));
        self.pending.push(Pending::Infix(infix, strength, span));
        Expected::Operand
    }

    fn missing_operator(&mut self, token: &Token<'a>, span: Span) -> Expected {
        // One word too many is a mistake; more of them are the same mistake.
        if !matches!(self.pending.last(), Some(Pending::Infix(Infix::Missing, ..))) {
            let found = token.described(self.text, span);
            self.error(span, format!("found {found}, expected an operator such as `&` before it"));
            let before = self.position.checked_sub(1).map(|position| &self.tokens[position].0);
            let hint = match (before, token) {
                (_, Token::Word(word)) if meant_between_formulas(word).is_some() => {
                    meant_between_formulas(word).map(|meant| format!("did you mean `{meant}`?"))
                }
                (Some(Token::Word(word)), _) if meant_before_formula(word).is_some() => {
                    meant_before_formula(word)
                }
                (_, Token::Word(_) | Token::Number(_)) => {
                    Some("a name with spaces goes in quotes".to_string())
                }
                _ => None,
            };
            if let Some(hint) = hint {
                self.hint(hint);
            }
        }
        self.infix(Infix::Missing, Span::new(span.start, span.start))
    }

    fn close(&mut self, is_square: bool, close: Span) {
        self.reduce(|_| true);
        let Some(Pending::Bracket { is_square: was_square, open, knows }) = self.pending.pop() else {
            let sign = if is_square { "]" } else { ")" };
            self.error(close, format!("this `{sign}` closes nothing"));
            self.hint("remove it, or open a bracket before it");
            return;
        };
        self.brackets.pop();
        if was_square != is_square {
            let (opened, closed) = if was_square { ("[", ")") } else { ("(", "]") };
            self.error(close, format!("found `{closed}`, which does not close the `{opened}` before it"));
            self.hint(format!("write `{}`", if was_square { "]" } else { ")" }));
        }
        let Some(mut operand) = self.operands.pop() else { return };
        operand.span = open.to(close);
        operand.shape = Shape::Bracketed;
        operand.scope = None;
        if let Some((knowledge, group, word)) = knows {
            operand.span = word.to(close);
            operand.kind = self.known(knowledge, group, &operand);
            operand.shape = Shape::Plain;
        }
        self.operands.push(operand);
    }

    fn report_open_brackets(&mut self) {
        let open: Vec<(bool, Span)> = self
            .pending
            .iter()
            .filter_map(|pending| match pending {
                Pending::Bracket { is_square, open, .. } => Some((*is_square, *open)),
                _ => None,
            })
            .collect();
        let Some(&(is_square, span)) = open.last() else { return };
        let (opened, closed) = if is_square { ("[", "]") } else { ("(", ")") };
        self.error(span, format!("this `{opened}` is never closed"));
        match open.len() {
            1 => self.hint(format!("a `{closed}` is missing after it")),
            count => self.hint(format!("{count} brackets are open at the end of the formula")),
        }
    }

    /// Applies the operators on top that bind so strongly, up to the innermost bracket.
    fn reduce(&mut self, is_strong_enough: impl Fn(Strength) -> bool) {
        while let Some(pending) = self.pending.last() {
            let strength = match pending {
                Pending::Prefix(..) => BEFORE_OPERAND,
                Pending::Wide(..) => WEAKEST,
                Pending::Minus(_) => MINUS,
                Pending::Infix(_, strength, _) => *strength,
                Pending::Bracket { .. } => return,
            };
            if !is_strong_enough(strength) {
                return;
            }
            let Some(pending) = self.pending.pop() else { return };
            let Some(right) = self.operands.pop() else { return };
            let made = match pending {
                Pending::Prefix(prefix, span) | Pending::Wide(prefix, span) => {
                    self.apply_prefix(prefix, span, &right)
                }
                Pending::Minus(span) => self.apply_minus(span, right),
                Pending::Infix(infix, _, span) => match self.operands.pop() {
                    Some(left) => self.apply_infix(infix, span, left, right),
                    None => return,
                },
                Pending::Bracket { .. } => return,
            };
            self.operands.push(made);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(FormulaError::new(span, message));
    }

    /// Gives the error noted last a hint.
    fn hint(&mut self, hint: impl Into<String>) {
        if let Some(last) = self.errors.last_mut() {
            last.hint = Some(hint.into());
        }
    }
}
