//! The reader: text in, a syntax tree out.
//!
//! A hand-written descent that goes on after a mistake: what is wrong with a line is noted, and
//! reading continues behind its semicolon, or at the next section. Words mean what they mean where
//! they stand, so a state, an action or an agent may be called `A` or `X`, though these are
//! operators in formulas.

mod agents;
mod conditions;
mod formulas;
mod tokens;

use crate::tree::{Condition, Definition, FormulaLine, Members, Semantics, System};
use std::borrow::Cow;
use symbolon_budget::{Budget, Meter};
use symbolon_logic::{Name, Span};
use symbolon_source::{Findings, ReadFailure, Step, Stop, decode_latin1, likely, refuse_binary, shown};
use tokens::{Token, tokens};

/// Brackets and negations deeper than this are refused, so that no text needs more stack than there
/// is.
const LARGEST_DEPTH: usize = 200;

/// The sections of a file, in their order.
const SECTIONS: [&str; 7] =
    ["Semantics", "Agent", "Evaluation", "InitStates", "Groups", "Fairness", "Formulae"];

/// Words that are never names, because they give a file its structure.
const RESERVED: &[&str] = &[
    "Semantics",
    "Agent",
    "Obsvars",
    "Lobsvars",
    "Vars",
    "RedStates",
    "GreenStates",
    "Actions",
    "Action",
    "Protocol",
    "Evolution",
    "Evaluation",
    "InitStates",
    "Groups",
    "Fairness",
    "Formulae",
    "end",
    "Other",
    "if",
    "and",
    "or",
    "boolean",
    "true",
    "false",
];

/// The text of a file: UTF-8, or Latin-1 where it is not that.
pub(crate) fn decode<'a>(bytes: &'a [u8], findings: &mut Findings) -> Step<Cow<'a, str>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(findings.fatal_with_hint(None, "the file is empty", "expected agents and formulae"));
    }
    refuse_binary(bytes, findings)?;
    Ok(std::str::from_utf8(bytes).map_or_else(|_| decode_latin1(bytes), Cow::Borrowed))
}

/// Reads a file into a tree, and notes what is wrong with it. There is no tree without errors.
pub(crate) fn read_tree(text: &str, findings: &mut Findings, budget: &Budget) -> Step<System> {
    let tokens = tokens(text, findings)?;
    let mut reader = Reader { tokens, position: 0, depth: 0, findings, meter: Meter::new(budget.clone()) };
    let system = reader.system()?;
    if reader.findings.has_errors() { Err(Stop::Invalid) } else { Ok(system) }
}

/// Reads a file into a tree without asking what its names mean.
pub fn parse(bytes: &[u8], budget: &Budget) -> Result<System, ReadFailure> {
    let mut findings = Findings::default();
    let text = match decode(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let tree = read_tree(&text, &mut findings, budget);
    tree.map_err(|stop| findings.into_failure(stop, &text))
}

/// The place in the text, and what was noted.
struct Reader<'t, 'f> {
    tokens: Vec<(Token<'t>, Span)>,
    position: usize,
    /// How many brackets and negations are open.
    depth: usize,
    findings: &'f mut Findings,
    meter: Meter,
}

/// Why something could not be read; it was noted.
enum Broken {
    /// The rest of the line is worth nothing.
    Line,
    /// The reader stops here.
    All(Stop),
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Broken {
        Broken::All(stop)
    }
}

type Read<T> = Result<T, Broken>;

impl<'t> Reader<'t, '_> {
    fn system(&mut self) -> Step<System> {
        let mut system = System {
            semantics: None,
            environment: None,
            agents: Vec::new(),
            evaluation: Vec::new(),
            initial: Condition::And(Vec::new()),
            groups: Vec::new(),
            fairness: Vec::new(),
            formulae: Vec::new(),
        };
        let mut seen: Vec<&str> = Vec::new();
        loop {
            self.meter.step()?;
            let (token, span) = self.here();
            let section = match token {
                Token::End => break,
                Token::Word(word) => SECTIONS.into_iter().find(|section| *section == word),
                _ => None,
            };
            let Some(section) = section else {
                self.no_section(token, span)?;
                continue;
            };
            self.position += 1;
            self.expect_order(section, &mut seen, span)?;
            let outcome = match section {
                "Semantics" => self.semantics().map(|semantics| system.semantics = Some(semantics)),
                "Agent" => self.agent(&mut system),
                "Evaluation" => self.lines("Evaluation", |reader| {
                    let line = reader.definition()?;
                    system.evaluation.push(line);
                    Ok(())
                }),
                "InitStates" => self.initial_states(&mut system, span),
                "Groups" => self.lines("Groups", |reader| {
                    let line = reader.group()?;
                    system.groups.push(line);
                    Ok(())
                }),
                "Fairness" => self.formula_lines("Fairness", &mut system.fairness),
                _ => self.formula_lines("Formulae", &mut system.formulae),
            };
            self.recovered(outcome)?;
        }
        self.expect_sections(&system, &seen)?;
        Ok(system)
    }

    /// Says that something else than a section stands here, and goes to the next one.
    fn no_section(&mut self, token: Token<'t>, span: Span) -> Step<()> {
        self.findings.error(
            span.start,
            format!(
                "found {}, expected one of Agent, Evaluation, InitStates, Groups, Fairness, Formulae",
                token.described()
            ),
        )?;
        if let Token::Word(word) = token
            && let Some(meant) = likely(word, SECTIONS)
        {
            self.findings.hint(format!("did you mean {meant}?"));
        }
        self.position += 1;
        self.skip_to_section();
        Ok(())
    }

    fn skip_to_section(&mut self) {
        let mut is_end = false;
        while let (token, _) = self.here()
            && token != Token::End
        {
            if !is_end && matches!(token, Token::Word(word) if SECTIONS.contains(&word)) {
                return;
            }
            is_end = token == Token::Word("end");
            self.position += 1;
        }
    }

    /// Sections come in one order, and all but agents come once.
    fn expect_order(&mut self, section: &'static str, seen: &mut Vec<&'static str>, span: Span) -> Step<()> {
        let rank = |section: &str| SECTIONS.iter().position(|known| *known == section);
        if section != "Agent" && seen.contains(&section) {
            self.findings.error_with_hint(
                span.start,
                format!("there is another section {section} before this one"),
                "put everything into one section",
            )?;
        } else if let Some(later) = seen.iter().find(|later| rank(later) > rank(section)) {
            self.findings.error_with_hint(
                span.start,
                format!("{section} comes after {later}"),
                format!("move it up: the order is {}", SECTIONS.join(", ")),
            )?;
        }
        seen.push(section);
        Ok(())
    }

    fn expect_sections(&mut self, system: &System, seen: &[&str]) -> Step<()> {
        let end = self.here().1.start;
        if system.agents.is_empty() && !self.findings.has_errors() {
            let message = "the file has no agent but the environment, expected at least one";
            self.findings.error_with_hint(end, message, "write Agent Name ... end Agent")?;
        }
        for (section, is_empty) in [
            ("Evaluation", system.evaluation.is_empty()),
            ("InitStates", false),
            ("Formulae", system.formulae.is_empty()),
        ] {
            if !seen.contains(&section) {
                let example = format!("write {section} ... end {section}");
                self.findings.error_with_hint(end, format!("the file has no section {section}"), example)?;
            } else if is_empty && !self.findings.has_errors() {
                self.findings
                    .error(end, format!("the section {section} is empty, expected at least one line"))?;
            }
        }
        Ok(())
    }

    fn semantics(&mut self) -> Read<Semantics> {
        self.expect("=")?;
        let (token, span) = self.here();
        let semantics = match token {
            Token::Word("MA" | "MultiAssignment") => Semantics::MultiAssignment,
            Token::Word("SA" | "SingleAssignment") => Semantics::SingleAssignment,
            _ => {
                let message =
                    format!("found {}, expected MultiAssignment or SingleAssignment", token.described());
                return self.broken(span, message, None);
            }
        };
        self.position += 1;
        self.expect(";")?;
        Ok(semantics)
    }

    fn initial_states(&mut self, system: &mut System, section: Span) -> Read<()> {
        let mut conditions = Vec::new();
        self.lines("InitStates", |reader| {
            let start = reader.here().1;
            let condition = reader.condition()?;
            reader.expect(";")?;
            conditions.push((start, condition));
            Ok(())
        })?;
        if let Some((start, _)) = conditions.get(1) {
            let hint = "join the conditions with and, or with or";
            self.findings.error_with_hint(start.start, "there is a second condition in InitStates", hint)?;
        }
        match conditions.into_iter().next() {
            Some((_, condition)) => system.initial = condition,
            None if self.findings.has_errors() => {}
            None => {
                self.findings.error(section.start, "the section InitStates is empty, expected a condition")?
            }
        }
        Ok(())
    }

    fn definition(&mut self) -> Read<Definition> {
        let name = self.name("a name for an atom")?;
        self.expect_word("if")?;
        let condition = self.condition()?;
        self.expect(";")?;
        Ok(Definition { name, condition })
    }

    fn group(&mut self) -> Read<Members> {
        let name = self.name("a name for a group")?;
        self.expect("=")?;
        let open = self.here().1;
        let members = self.names("an agent")?;
        self.expect(";")?;
        if members.is_empty() {
            return self.broken(open, format!("the group {} has no members", shown(&name.text)), None);
        }
        Ok(Members { name, members })
    }

    fn formula_lines(&mut self, section: &'static str, list: &mut Vec<FormulaLine>) -> Read<()> {
        self.lines(section, |reader| {
            let line = reader.formula_line(section == "Fairness")?;
            list.push(line);
            Ok(())
        })
    }

    /// Reads lines up to `end section`.
    fn lines(&mut self, section: &'static str, mut line: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        loop {
            self.meter.step().map_err(Stop::from)?;
            match self.here().0 {
                Token::Word("end") => return self.end(section),
                token if self.begins_section(token) => return self.never_ends(section),
                _ => {
                    let outcome = line(self);
                    self.recovered(outcome)?;
                }
            }
        }
    }

    /// Whether a section of the file, or of an agent, begins here.
    fn begins_section(&self, token: Token<'_>) -> bool {
        let next = self.tokens.get(self.position + 1).map(|(token, _)| *token);
        match token {
            Token::End => true,
            Token::Word("Agent") => matches!(next, Some(Token::Word(_))),
            Token::Word("Evaluation" | "InitStates" | "Groups" | "Fairness" | "Formulae") => true,
            Token::Word("Obsvars" | "Vars" | "RedStates" | "Protocol" | "Evolution") => {
                next == Some(Token::Sign(":"))
            }
            Token::Word("Lobsvars" | "Actions") => next == Some(Token::Sign("=")),
            _ => false,
        }
    }

    fn never_ends(&mut self, section: &'static str) -> Read<()> {
        let (token, span) = self.here();
        let message = format!("found {}, expected `end {section}` before it", token.described());
        self.findings.error(span.start, message)?;
        Ok(())
    }

    /// Reads `end section`. The end of something around it stays, as if this one had ended before
    /// it.
    fn end(&mut self, section: &'static str) -> Read<()> {
        let span = self.here().1;
        let behind = self.tokens.get(self.position + 1).map_or(Token::End, |(token, _)| *token);
        if behind == Token::Word(section) {
            self.position += 2;
            return Ok(());
        }
        let message = format!("found `end` and then {}, expected `end {section}`", behind.described());
        self.findings.error(span.start, message)?;
        if behind != Token::Word("Agent") {
            self.position += 1;
            self.position += usize::from(matches!(behind, Token::Word(_)));
        }
        Ok(())
    }

    /// Goes on behind a line that was broken.
    fn recovered(&mut self, outcome: Read<()>) -> Step<()> {
        match outcome {
            Ok(()) => Ok(()),
            Err(Broken::All(stop)) => Err(stop),
            Err(Broken::Line) => loop {
                let (token, _) = self.here();
                if token == Token::Word("end") || self.begins_section(token) {
                    return Ok(());
                }
                self.position += 1;
                if token == Token::Sign(";") {
                    return Ok(());
                }
            },
        }
    }

    /// The token at hand. The last one, [`Token::End`], is never passed.
    fn here(&self) -> (Token<'t>, Span) {
        self.tokens[self.position.min(self.tokens.len() - 1)]
    }

    /// The token behind the one at hand.
    fn next(&self) -> Token<'t> {
        self.tokens.get(self.position + 1).map_or(Token::End, |(token, _)| *token)
    }

    fn accept(&mut self, sign: &'static str) -> bool {
        let is_here = self.here().0 == Token::Sign(sign);
        self.position += usize::from(is_here);
        is_here
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is_here = matches!(self.here().0, Token::Word(here) if here == word);
        self.position += usize::from(is_here);
        is_here
    }

    fn expect(&mut self, sign: &'static str) -> Read<()> {
        if self.accept(sign) {
            return Ok(());
        }
        let (token, span) = self.here();
        // A missing semicolon belongs to the line before, not to what stands on the next one.
        if sign == ";" && self.position > 0 {
            let before = self.tokens[self.position - 1].1;
            let message = format!("found {}, expected `;` before it", token.described());
            self.findings.error_with_hint(before.end, message, "every line ends with a semicolon")?;
            let goes_on = token == Token::Word("end") || self.begins_section(token);
            return if goes_on { Ok(()) } else { Err(Broken::Line) };
        }
        self.broken(span, format!("found {}, expected `{sign}`", token.described()), None)
    }

    fn expect_word(&mut self, word: &'static str) -> Read<()> {
        if self.accept_word(word) {
            return Ok(());
        }
        let (token, span) = self.here();
        self.broken(span, format!("found {}, expected `{word}`", token.described()), None)
    }

    /// Reads a name, which `what` describes.
    fn name(&mut self, what: &str) -> Read<Name> {
        let (token, span) = self.here();
        match token {
            Token::Word(word) if !RESERVED.contains(&word) => {
                self.position += 1;
                Ok(Name::new(word, span))
            }
            Token::Word(word) => {
                let hint = format!("`{word}` is a word of the language; choose another name");
                self.broken(span, format!("found `{word}`, expected {what}"), Some(hint))
            }
            _ => self.broken(span, format!("found {}, expected {what}", token.described()), None),
        }
    }

    /// Reads `{ a, b }`, which may be empty.
    fn names(&mut self, what: &str) -> Read<Vec<Name>> {
        self.expect("{")?;
        let mut names = Vec::new();
        if self.accept("}") {
            return Ok(names);
        }
        loop {
            self.meter.step().map_err(Stop::from)?;
            names.push(self.name(what)?);
            if self.accept("}") {
                return Ok(names);
            }
            if !self.accept(",") {
                let (token, span) = self.here();
                return self.broken(span, format!("found {}, expected `,` or `}}`", token.described()), None);
            }
        }
    }

    /// Notes an error that makes the rest of the line worthless.
    fn broken<T>(&mut self, span: Span, message: String, hint: Option<String>) -> Read<T> {
        let noted = self.findings.error(span.start, message);
        self.findings.length(span.end - span.start);
        if let Some(hint) = hint {
            self.findings.hint(hint);
        }
        noted?;
        Err(Broken::Line)
    }

    /// Reads something inside a bracket or behind a negation.
    fn deeper<T>(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= LARGEST_DEPTH {
            let message = format!("more than {LARGEST_DEPTH} brackets and negations are open here");
            return self.broken(span, message, None);
        }
        self.depth += 1;
        let outcome = read(self);
        self.depth -= 1;
        outcome
    }
}
