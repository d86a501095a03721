//! Texts read into trees: recursive descent over tokens.
//!
//! Line breaks mean nothing. After a mistake the reader goes on with the next declaration, so that
//! one run shows several.

mod expressions;

use super::token::{Lexed, Token};
use super::tree::{Arc, ArcKind, Declared, Definition, Entry, Name, Partition, Place, Transition, Tree};
use symbolon_budget::Meter;
use symbolon_source::{Findings, Step, Stop, likely};

/// Brackets and signs before an operand may be nested this deep.
const LARGEST_DEPTH: usize = 120;

/// Words that are not names unless they are quoted.
pub(super) const KEYWORDS: &[&str] = &[
    "net",
    "page",
    "class",
    "partition",
    "var",
    "place",
    "transition",
    "of",
    "as",
    "on",
    "at",
    "in",
    "black",
    "cyclic",
    "range",
    "all",
    "empty",
    "take",
    "read",
    "inhibit",
    "reset",
    "put",
    "true",
    "false",
    "and",
    "or",
    "not",
];

/// Words that begin a declaration.
const BEGINNINGS: &[&str] = &["net", "page", "class", "partition", "var", "place", "transition"];

/// Why something has no result.
#[derive(Debug)]
pub(super) enum Broken {
    /// An error was noted; whatever does not depend on the result may go on.
    Noted,
    /// The reader stops here.
    Stopped(Stop),
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Broken {
        Broken::Stopped(stop)
    }
}

impl From<symbolon_budget::Interrupted> for Broken {
    fn from(why: symbolon_budget::Interrupted) -> Broken {
        Broken::Stopped(why.into())
    }
}

/// What a step returns that may note an error and leave its result out.
pub(super) type Made<T> = Result<T, Broken>;

/// Nothing, if an error was noted; an error if the reader must stop.
pub(super) fn unless_stopped<T>(made: Made<T>) -> Step<Option<T>> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Broken::Noted) => Ok(None),
        Err(Broken::Stopped(stop)) => Err(stop),
    }
}

/// Reads the tree; what is wrong is among the findings.
pub(super) fn parse(
    text: &str,
    tokens: Vec<Lexed<'_>>,
    meter: &mut Meter,
    findings: &mut Findings,
) -> Step<Tree> {
    let mut parser = Parser { text, tokens, next: 0, depth: 0, meter, findings };
    let mut tree = Tree::default();
    loop {
        parser.meter.step()?;
        while parser.take(";") {}
        if parser.here().token == Token::End {
            return Ok(tree);
        }
        let begin = parser.next;
        if unless_stopped(parser.declaration(&mut tree))?.is_none() {
            parser.recover(begin);
        }
    }
}

pub(super) struct Parser<'t, 'm> {
    text: &'t str,
    tokens: Vec<Lexed<'t>>,
    next: usize,
    depth: usize,
    meter: &'m mut Meter,
    findings: &'m mut Findings,
}

impl<'t> Parser<'t, '_> {
    fn here(&self) -> &Lexed<'t> {
        self.there(0)
    }

    fn there(&self, ahead: usize) -> &Lexed<'t> {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    /// Takes a sign, if it stands here.
    fn take(&mut self, sign: &str) -> bool {
        let found = self.here().is(sign);
        self.next += usize::from(found);
        found
    }

    /// Takes a word, if it stands here.
    fn take_word(&mut self, word: &str) -> bool {
        let found = self.here().is_word(word);
        self.next += usize::from(found);
        found
    }

    /// Notes that something else was expected here.
    fn expected<T>(&mut self, what: &str, hint: Option<&str>) -> Made<T> {
        let message = format!("expected {what}, found {}", self.here().described(self.text));
        let (start, end) = (self.here().start, self.here().end);
        self.broken(start, end - start, message, hint.map(str::to_string))
    }

    fn broken<T>(&mut self, at: usize, length: usize, message: String, hint: Option<String>) -> Made<T> {
        let step = self.findings.error(at, message);
        self.findings.length(length);
        if let Some(hint) = hint {
            self.findings.hint(hint);
        }
        step?;
        Err(Broken::Noted)
    }

    fn expect(&mut self, sign: &str, what: &str) -> Made<()> {
        if self.take(sign) { Ok(()) } else { self.expected(what, None) }
    }

    /// Goes on to where the next declaration begins, at least one token behind `begin`.
    fn recover(&mut self, begin: usize) {
        self.next = self.next.max(begin + 1).min(self.tokens.len() - 1);
        loop {
            let here = self.here();
            let begins = here.begins_line && BEGINNINGS.iter().any(|word| here.is_word(word));
            if begins || here.token == Token::End {
                return;
            }
            self.next += 1;
        }
    }

    fn declaration(&mut self, tree: &mut Tree) -> Made<()> {
        let Token::Word(word) = self.here().token else {
            return self
                .expected("a declaration", Some("declarations begin with class, var, place or transition"));
        };
        if !BEGINNINGS.contains(&word) {
            let near = likely(word, BEGINNINGS.iter().copied());
            let hint = match near {
                Some(near) => format!("did you mean '{near}'?"),
                None => "declarations begin with class, var, place or transition".to_string(),
            };
            return self.expected("a declaration", Some(&hint));
        }
        let at = self.here().start;
        self.next += 1;
        match word {
            "net" => {
                let name = self.name("the name of the net")?;
                if tree.name.is_some() {
                    return self.broken(at, word.len(), "the net already has a name".to_string(), None);
                }
                tree.name = Some(name);
            }
            "page" => {
                let page = self.name("the name of the page")?;
                let parent = if self.take_word("in") { Some(self.name("the page around it")?) } else { None };
                tree.pages.push((page, parent));
            }
            "class" => {
                let declared = self.declared("the name of the class")?;
                self.expect("=", "'=' and the members of the class")?;
                let definition = self.definition()?;
                tree.classes.push((declared, definition));
            }
            "partition" => {
                let partition = self.partition()?;
                tree.partitions.push(partition);
            }
            "var" => {
                let mut names = Vec::new();
                while names.is_empty() || self.take(",") {
                    names.push(self.declared("the name of a variable")?);
                }
                self.expect(":", "':' and the class of the variable")?;
                let class = self.name("the name of a class")?;
                if self.here().is_word("x") {
                    let hint = "declare a variable for each factor";
                    return self.expected("one class, over which a variable ranges", Some(hint));
                }
                tree.variables.extend(names.into_iter().map(|name| (name, class.clone())));
            }
            "place" => {
                let place = self.place()?;
                tree.places.push(place);
            }
            _ => {
                let transition = self.transition()?;
                tree.transitions.push(transition);
            }
        }
        Ok(())
    }

    /// A name: a word that is no keyword, digits, or anything in quotes.
    fn name(&mut self, what: &str) -> Made<Name> {
        let here = self.here();
        let text = match &here.token {
            Token::Word(word) if !KEYWORDS.contains(word) => word.to_string(),
            Token::Quoted(name) => name.clone(),
            Token::Number(digits) => digits.to_string(),
            Token::Word(word) => {
                let hint = format!("'{word}' is a keyword; to use it as a name, write \"{word}\"");
                return self.expected(what, Some(&hint));
            }
            _ => return self.expected(what, None),
        };
        let name = Name { text, at: here.start, length: here.end - here.start };
        self.next += 1;
        Ok(name)
    }

    /// A name with what may follow it: `as "Label" on page at (10, 20)`.
    fn declared(&mut self, what: &str) -> Made<Declared> {
        let id = self.name(what)?;
        let label = self.label()?;
        let page = if self.take_word("on") { Some(self.name("the name of a page")?) } else { None };
        let mut position = None;
        if self.take_word("at") {
            self.expect("(", "'(' and two numbers")?;
            let x = self.integer("a number")?;
            self.expect(",", "','")?;
            let y = self.integer("a number")?;
            self.expect(")", "')'")?;
            let fit = |value: i64| i32::try_from(value).ok();
            position = fit(x).zip(fit(y));
            if position.is_none() {
                return self.broken(
                    id.at,
                    id.length,
                    format!("the position of '{}' is too far away", id.text),
                    None,
                );
            }
        }
        Ok(Declared { id, label, page, position })
    }

    fn label(&mut self) -> Made<Option<String>> {
        if self.take_word("as") { Ok(Some(self.name("a label")?.text)) } else { Ok(None) }
    }

    fn integer(&mut self, what: &str) -> Made<i64> {
        let start = self.here().start;
        let is_negative = self.take("-");
        let Token::Number(digits) = self.here().token else { return self.expected(what, None) };
        let end = self.here().end;
        self.next += 1;
        match format!("{}{digits}", if is_negative { "-" } else { "" }).parse() {
            Ok(number) => Ok(number),
            Err(_) => {
                let message = format!("'{digits}' is not a number that fits in 64 bits");
                self.broken(start, end - start, message, None)
            }
        }
    }

    fn definition(&mut self) -> Made<Definition> {
        if self.take_word("black") {
            return Ok(Definition::Black);
        }
        if self.take_word("range") {
            let first = self.integer("the first number")?;
            self.expect("..", "'..' and the last number")?;
            let last = self.integer("the last number")?;
            return Ok(Definition::Range { first, last });
        }
        if self.take_word("cyclic") {
            return Ok(Definition::Cyclic(match self.here().is("{") {
                true => self.entries()?,
                false => vec![self.entry()?],
            }));
        }
        if self.here().is("{") {
            return Ok(Definition::Listed(self.entries()?));
        }
        let is_number = matches!(self.here().token, Token::Number(_)) || self.here().is("-");
        if is_number {
            let hint = "write 'cyclic 1..3' for a circle, 'range 0..7' for numbers";
            return self.expected("the members of the class", Some(hint));
        }
        Ok(Definition::Product(self.domain()?))
    }

    /// `C x D x …`
    fn domain(&mut self) -> Made<Vec<Name>> {
        let mut factors = vec![self.name("the name of a class")?];
        while self.take_word("x") || self.take("*") {
            factors.push(self.name("the name of a class")?);
        }
        Ok(factors)
    }

    /// `{a, b as "Label", c1..c9}`
    fn entries(&mut self) -> Made<Vec<Entry>> {
        self.expect("{", "'{' and a list of members")?;
        let mut entries = vec![self.entry()?];
        while self.take(",") {
            self.meter.step()?;
            entries.push(self.entry()?);
        }
        self.expect("}", "',' or '}'")?;
        Ok(entries)
    }

    fn entry(&mut self) -> Made<Entry> {
        let first = self.member_name()?;
        if self.take("..") {
            return Ok(Entry::Run(first, self.member_name()?));
        }
        Ok(Entry::One(first, self.label()?))
    }

    /// A name, or a number that may be negative.
    fn member_name(&mut self) -> Made<Name> {
        if !self.here().is("-") {
            return self.name("the name of a member");
        }
        let at = self.here().start;
        let number = self.integer("a number")?;
        let length = self.tokens[self.next - 1].end - at;
        Ok(Name { text: number.to_string(), at, length })
    }

    fn partition(&mut self) -> Made<Partition> {
        let declared = self.declared("the name of the partition")?;
        if !self.take_word("of") {
            return self
                .expected("'of' and a class", Some("write 'partition P of C: low = {a, b}, high = {c}'"));
        }
        let class = self.name("the name of a class")?;
        self.expect(":", "':' and the parts")?;
        let mut parts = Vec::new();
        while parts.is_empty() || self.take(",") {
            let part = self.declared("the name of a part")?;
            self.expect("=", "'=' and the members of the part")?;
            parts.push((part, self.entries()?));
        }
        Ok(Partition { declared, class, parts })
    }

    fn place(&mut self) -> Made<Place> {
        let declared = self.declared("the name of the place")?;
        let domain = if self.take(":") { self.domain()? } else { Vec::new() };
        let initial = if self.take("=") { Some(self.term()?) } else { None };
        Ok(Place { declared, domain, initial })
    }

    fn transition(&mut self) -> Made<Transition> {
        let declared = self.declared("the name of the transition")?;
        let mut guard = None;
        if self.take("[") {
            guard = Some(self.guard()?);
            self.expect("]", "a connective or ']'")?;
        }
        let mut arcs = Vec::new();
        if !self.take(":") {
            if self.arc_kind().is_some() {
                return self.expected("':' before the arcs", None);
            }
            return Ok(Transition { declared, guard, arcs });
        }
        while let Some(kind) = self.arc_kind() {
            self.next += 1;
            let mut is_first = true;
            while is_first || self.take(",") {
                is_first = false;
                arcs.push(self.arc(kind)?);
            }
            // A semicolon may stand between the lists of arcs.
            if self.here().is(";") {
                self.next += 1;
                if self.arc_kind().is_none() {
                    break;
                }
            }
        }
        let here = self.here();
        let is_over = here.token == Token::End
            || here.is(";")
            || self.tokens[self.next - 1].token == Token::Sign(";")
            || BEGINNINGS.iter().any(|word| here.is_word(word));
        if !is_over {
            let hint = "arcs are written 'take p(x), q(y) read r(x) put s(x, y)'";
            return self.expected("take, read, inhibit, reset, put or a declaration", Some(hint));
        }
        Ok(Transition { declared, guard, arcs })
    }

    /// The word for a kind of arc, if one stands here.
    fn arc_kind(&self) -> Option<ArcKind> {
        match self.here().token {
            Token::Word("take") => Some(ArcKind::Take),
            Token::Word("read") => Some(ArcKind::Read),
            Token::Word("inhibit") => Some(ArcKind::Inhibit),
            Token::Word("reset") => Some(ArcKind::Reset),
            Token::Word("put") => Some(ArcKind::Put),
            _ => None,
        }
    }

    fn arc(&mut self, kind: ArcKind) -> Made<Arc> {
        let place = self.name("the name of a place")?;
        let tokens = if self.here().is("(") { Some(self.bracketed()?) } else { None };
        Ok(Arc { kind, place, tokens })
    }
}
