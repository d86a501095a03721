//! Programs read: recursive descent over tokens.
//!
//! Line breaks mean nothing, except behind a property, and `;` may stand between declarations.
//! After a mistake the reader goes on with the next declaration, so that one run shows several.
//!
//! ```text
//! program      (model NAME)? declaration*
//! declaration  (const | param) NAME = expr        enum NAME = { NAME, … }
//!              var NAME ([expr])?, … : domain (= initial)?      initially expr
//!              NAME : guard -> updates            for binder, … { command … }
//!              process NAME ([binder])? { … }     component NAME (in NAME)? : reference, …
//!              property NAME : formula
//! domain       nat | bool | expr .. expr | { NAME, … } | NAME
//! initial      expr | expr .. expr | { expr, … } | [ expr, … ] | any
//! updates      skip | reference ' = expr || …
//! binder       NAME in expr .. expr
//! ```

mod expressions;

use crate::mistakes::{Made, Mistakes, unless_stopped};
use crate::token::{Lexed, Sign, Token, tokens};
use crate::tree::{
    At, Binder, Command, Component, Constant, Domain, Enumeration, Expr, ExprKind, FormulaWord, Initial,
    Item, Loop, Name, Process, Program, Property, Update, Variables,
};
use std::borrow::Cow;
use symbolon_budget::{Budget, Meter};
use symbolon_source::{ReadFailure, Step, Stop, decode_latin1, likely, refuse_binary};

/// Brackets, signs before an operand and loops may be nested this deep.
const LARGEST_DEPTH: usize = 120;

/// Words that are not names unless they are quoted.
pub(crate) const KEYWORDS: &[&str] = &[
    "model",
    "const",
    "param",
    "enum",
    "var",
    "initially",
    "for",
    "in",
    "process",
    "component",
    "property",
    "forall",
    "exists",
    "sum",
    "if",
    "then",
    "else",
    "true",
    "false",
    "and",
    "or",
    "not",
    "skip",
    "any",
    "nat",
    "bool",
    "int",
];

/// Words that begin a declaration.
const BEGINNINGS: &[&str] =
    &["model", "const", "param", "enum", "var", "initially", "for", "process", "component", "property"];

/// Reads a program, without asking what its names mean.
pub fn parse(bytes: &[u8], budget: &Budget) -> Result<Program, ReadFailure> {
    let mut mistakes = Mistakes::default();
    let text = match decode(bytes, &mut mistakes) {
        Ok(text) => text,
        Err(stop) => return Err(mistakes.into_findings().into_failure(stop, "")),
    };
    let program = read_tree(&text, &mut mistakes, budget);
    match program {
        Ok(program) if !mistakes.has_errors() => Ok(program),
        Ok(_) => Err(mistakes.into_findings().into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(mistakes.into_findings().into_failure(stop, &text)),
    }
}

/// The text of a file.
pub(crate) fn decode<'a>(bytes: &'a [u8], mistakes: &mut Mistakes) -> Step<Cow<'a, str>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    refuse_binary(bytes, mistakes.findings())?;
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            mistakes.findings().warning(None, "the file is not valid UTF-8; it is read as ISO-8859-1");
            decode_latin1(bytes)
        }
    })
}

/// Reads a program; what is wrong with it is among the mistakes.
pub(crate) fn read_tree(text: &str, mistakes: &mut Mistakes, budget: &Budget) -> Step<Program> {
    let tokens = tokens(text, mistakes)?;
    let meter = Meter::new(budget.clone());
    let mut parser = Parser { text, tokens, next: 0, depth: 0, meter, mistakes };
    parser.program()
}

struct Parser<'t, 'm> {
    text: &'t str,
    tokens: Vec<Lexed<'t>>,
    next: usize,
    depth: usize,
    meter: Meter,
    mistakes: &'m mut Mistakes,
}

/// Where declarations stand, which says what may be declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Process,
    Loop,
}

impl<'t> Parser<'t, '_> {
    fn program(&mut self) -> Step<Program> {
        let mut program = Program::default();
        if self.here().is_word("model") {
            self.next += 1;
            program.name = unless_stopped(self.name("a name for the model"))?;
        }
        program.items = self.items(Place::Top)?;
        if program == Program::default() && !self.mistakes.has_errors() {
            let hint = Some("expected declarations such as `var x: nat = 0`".to_string());
            self.mistakes.error(None, "the file has no declarations", hint)?;
        }
        Ok(program)
    }

    /// Declarations up to the end of the text, or up to `}` in brackets, which is not taken.
    fn items(&mut self, place: Place) -> Step<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            self.meter.step()?;
            while self.here().is(Sign::Semicolon) {
                self.next += 1;
            }
            if self.here().token == Token::End {
                return Ok(items);
            }
            if self.here().is(Sign::CloseCurly) {
                if place != Place::Top {
                    return Ok(items);
                }
                self.mistakes.error(self.here().start, "this `}` closes nothing", None)?;
                self.next += 1;
                continue;
            }
            let begin = self.next;
            match unless_stopped(self.item(place))? {
                Some(item) => items.push(item),
                None => self.recover(begin, place),
            }
        }
    }

    /// Goes on to where the next declaration seems to begin, at least one token from `begin`, or to
    /// the end of the block.
    fn recover(&mut self, begin: usize, place: Place) {
        self.next = self.next.max(begin + 1).min(self.tokens.len() - 1);
        loop {
            let here = self.here();
            let may_begin = match &here.token {
                Token::End => true,
                Token::Word(word) if BEGINNINGS.contains(word) => true,
                Token::Word(_) | Token::Quoted(_) => self.there(1).is(Sign::Colon),
                Token::Sign(Sign::CloseCurly) => true,
                _ => false,
            };
            let ends_block = place != Place::Top && here.is(Sign::CloseCurly);
            if may_begin && here.begins_line || here.token == Token::End || ends_block {
                return;
            }
            self.next += 1;
        }
    }

    fn item(&mut self, place: Place) -> Made<Item> {
        let here = self.here().clone();
        let Token::Word(word) = here.token else {
            if matches!(here.token, Token::Quoted(_)) {
                return self.command();
            }
            let message = format!("expected a declaration, found {}", here.described(self.text));
            return self.mistakes.broken(here.start, message, None);
        };
        let is_beginning = BEGINNINGS.contains(&word);
        let fits = match place {
            Place::Top => word != "model",
            Place::Process => matches!(word, "var" | "for"),
            Place::Loop => word == "for",
        };
        if is_beginning && !fits {
            let message = match place {
                Place::Top => "the model has its name in the first declaration".to_string(),
                Place::Process => format!("`{word}` is not allowed in a process"),
                Place::Loop => format!("`{word}` is not allowed in a loop"),
            };
            let hint = (place != Place::Top).then(|| "declare it outside, before it is used".to_string());
            return self.mistakes.broken(here.start, message, hint);
        }
        if is_beginning && !self.there(1).is(Sign::Colon) {
            self.next += 1;
        }
        match word {
            _ if !is_beginning || self.here().is_word(word) => self.command(),
            "const" | "param" => self.constant(word == "param"),
            "enum" => self.enumeration(),
            "var" => self.variables(),
            "initially" => self.expression().map(Item::Initially),
            "for" => self.repeated(),
            "process" => self.process(),
            "component" => self.component(),
            _ => self.property(),
        }
    }

    fn constant(&mut self, is_parameter: bool) -> Made<Item> {
        let name = self.name("a name")?;
        self.refuse_assign("the value of a constant follows `=`: const n = 3")?;
        self.expect(Sign::Equal, "`=`")?;
        let value = self.expression()?;
        Ok(Item::Constant(Constant { is_parameter, name, value }))
    }

    fn enumeration(&mut self) -> Made<Item> {
        let name = self.name("a name")?;
        self.expect(Sign::Equal, "`=`")?;
        self.expect(Sign::OpenCurly, "`{` and the values")?;
        let values = self.list(Sign::CloseCurly, "`}`", |parser| parser.name("the name of a value"))?;
        Ok(Item::Enumeration(Enumeration { name, values }))
    }

    fn variables(&mut self) -> Made<Item> {
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let length = if self.take(Sign::OpenSquare) {
                let length = self.expression()?;
                self.expect(Sign::CloseSquare, "`]`")?;
                Some(length)
            } else {
                None
            };
            names.push((name, length));
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.expect(Sign::Colon, "`:` and the values of the variable")?;
        let domain = self.domain()?;
        self.refuse_assign("the initial value follows `=`: var x: nat = 0")?;
        let initial = if self.take(Sign::Equal) { Some(self.initial()?) } else { None };
        Ok(Item::Variables(Variables { names, domain, initial }))
    }

    fn domain(&mut self) -> Made<Domain> {
        let here = self.here().clone();
        if self.take_word("nat") {
            return Ok(Domain::Natural);
        }
        if self.take_word("bool") {
            return Ok(Domain::Boolean);
        }
        if here.is_word("int") {
            let hint = Some("write a range such as -10..10, or `nat` for natural numbers".to_string());
            return self.mistakes.broken(here.start, "integers without limits are not supported", hint);
        }
        if self.take(Sign::OpenCurly) {
            let values = self.list(Sign::CloseCurly, "`}`", |parser| parser.name("the name of a value"))?;
            return Ok(Domain::Values(values));
        }
        let from = self.sum()?;
        if self.take(Sign::Dots) {
            return Ok(Domain::Range(from, self.sum()?));
        }
        if let ExprKind::Reference(reference) = &from.kind
            && let [part] = reference.parts.as_slice()
            && part.index.is_none()
        {
            return Ok(Domain::Named(part.name.clone()));
        }
        let hint = Some("write nat, bool, a range such as 0..3, or values such as {idle, busy}".to_string());
        self.mistakes.broken(here.start, "the values of the variable are missing", hint)
    }

    fn initial(&mut self) -> Made<Initial> {
        if self.take_word("any") {
            return Ok(Initial::Any);
        }
        if self.take(Sign::OpenCurly) {
            return Ok(Initial::OneOf(self.list(Sign::CloseCurly, "`}`", Self::expression)?));
        }
        if self.take(Sign::OpenSquare) {
            return Ok(Initial::Each(self.list(Sign::CloseSquare, "`]`", Self::expression)?));
        }
        let value = self.expression()?;
        if self.take(Sign::Dots) {
            return Ok(Initial::Range(value, self.expression()?));
        }
        Ok(Initial::Value(value))
    }

    fn command(&mut self) -> Made<Item> {
        let here = self.here().clone();
        if !self.there(1).is(Sign::Colon) {
            let word = here.described(self.text);
            let hint = match here.token {
                Token::Word("nat" | "bool" | "int" | "byte" | "boolean") => {
                    "a variable is declared as `var x: nat = 0`, `var x: bool` or `var x: 0..9`".to_string()
                }
                Token::Word(word) if let Some(near) = likely(word, BEGINNINGS.iter().copied()) => {
                    format!("did you mean `{near}`?")
                }
                _ => "a command begins with its name: `name: guard -> x' = 1`".to_string(),
            };
            return self.mistakes.broken(
                here.start,
                format!("{word} does not begin a declaration"),
                Some(hint),
            );
        }
        let name = self.name("the name of a command")?;
        self.next += 1;
        let guard = self.guard()?;
        if !self.take(Sign::Arrow) {
            let hint = Some("a command is written `name: guard -> x' = e || y' = f`".to_string());
            return self.unexpected("`->` after the guard", hint);
        }
        let mut updates = Vec::new();
        if !self.take_word("skip") {
            updates.push(self.update()?);
            while self.take(Sign::Parallel) {
                updates.push(self.update()?);
            }
        }
        if self.here().is(Sign::Comma) {
            let hint = Some("write x' = 1 || y' = 2: all assignments are made at once".to_string());
            return self.unexpected("`||` between assignments", hint);
        }
        if self.here().is(Sign::Prime) {
            let hint = Some("separate assignments by `||`".to_string());
            return self.mistakes.broken(
                self.here().start,
                "this `'` does not belong to an assignment",
                hint,
            );
        }
        Ok(Item::Command(Command { name, guard, updates }))
    }

    fn update(&mut self) -> Made<Update> {
        let target = self.reference()?;
        if self.here().is(Sign::Equal) || self.here().is(Sign::Assign) {
            let hint = Some("write a prime behind the variable: x' = e".to_string());
            return self.unexpected("`'` after the variable that is assigned", hint);
        }
        self.expect(Sign::Prime, "`'` after the variable that is assigned")?;
        self.refuse_assign("the new value follows `=`: x' = e")?;
        self.expect(Sign::Equal, "`=` and the new value")?;
        let value = self.expression()?;
        Ok(Update { target, value })
    }

    fn repeated(&mut self) -> Made<Item> {
        let mut binders = vec![self.binder()?];
        while self.take(Sign::Comma) {
            binders.push(self.binder()?);
        }
        let items = self.block(Place::Loop)?;
        Ok(Item::Loop(Loop { binders, items }))
    }

    fn process(&mut self) -> Made<Item> {
        let name = self.name("the name of the process")?;
        let binder = if self.take(Sign::OpenSquare) {
            let binder = self.binder()?;
            self.expect(Sign::CloseSquare, "`]`")?;
            Some(binder)
        } else {
            None
        };
        let items = self.block(Place::Process)?;
        Ok(Item::Process(Process { name, binder, items }))
    }

    /// Declarations in curly brackets.
    fn block(&mut self, place: Place) -> Made<Vec<Item>> {
        let begin = self.here().start;
        self.expect(Sign::OpenCurly, "`{`")?;
        self.deeper(|parser| {
            let items = parser.items(place)?;
            if !parser.take(Sign::CloseCurly) {
                return parser.mistakes.broken(begin, "this `{` is never closed", None);
            }
            Ok(items)
        })
    }

    fn component(&mut self) -> Made<Item> {
        let name = self.name("the name of the component")?;
        let parent = if self.take_word("in") { Some(self.name("the name of a component")?) } else { None };
        self.expect(Sign::Colon, "`:` and the variables")?;
        let mut variables = Vec::new();
        let is_name = |here: &Lexed<'_>| matches!(here.token, Token::Quoted(_) | Token::Word(_));
        // A component may have no variables of its own; then the next declaration follows.
        let begins = matches!(self.here().token, Token::Word(word) if KEYWORDS.contains(&word))
            || self.there(1).is(Sign::Colon);
        if is_name(self.here()) && !begins {
            variables.push(self.reference()?);
            while self.take(Sign::Comma) {
                variables.push(self.reference()?);
            }
        }
        Ok(Item::Component(Component { name, parent, variables }))
    }

    /// A formula goes to `;` or to the end of its line; it goes on behind it in brackets, behind an
    /// operator, and where the next line begins with one.
    fn property(&mut self) -> Made<Item> {
        let name = self.name("the name of the property")?;
        self.expect(Sign::Colon, "`:` and a formula")?;
        let mut words: Vec<FormulaWord> = Vec::new();
        // Where the brackets begin that are not closed yet.
        let mut open: Vec<usize> = Vec::new();
        let mut joins = true;
        let mut end = 0;
        loop {
            let here = self.here();
            let joined = joins || !open.is_empty() || is_operator(&here.token);
            if here.token == Token::End || here.is(Sign::Semicolon) || here.begins_line && !joined {
                break;
            }
            match here.token {
                Token::Sign(Sign::Open | Sign::OpenSquare) => open.push(here.start),
                Token::Sign(Sign::Close | Sign::CloseSquare) => _ = open.pop(),
                _ => {}
            }
            joins = is_operator(&here.token) || here.is(Sign::Not);
            let text = self.text[here.start..here.end].to_string();
            words.push(FormulaWord {
                text,
                is_glued: !words.is_empty() && here.start == end,
                at: At(here.start),
            });
            end = here.end;
            self.next += 1;
        }
        if words.is_empty() {
            return self.unexpected("a formula", Some("such as AG (x <= 3)".to_string()));
        }
        if let Some(&bracket) = open.last() {
            return self.mistakes.broken(bracket, "this bracket is never closed".to_string(), None);
        }
        Ok(Item::Property(Property { name, words }))
    }

    fn binder(&mut self) -> Made<Binder> {
        let name = self.name("a name for the values")?;
        if !self.take_word("in") {
            return self.unexpected("`in`", Some("write i in 0..3".to_string()));
        }
        let from = self.sum()?;
        self.expect(Sign::Dots, "`..` and the last value")?;
        let to = self.sum()?;
        Ok(Binder { name, from, to })
    }

    /// Items with commas between them, and the sign that ends them; at least one.
    fn list<T>(
        &mut self,
        close: Sign,
        described: &str,
        mut one: impl FnMut(&mut Self) -> Made<T>,
    ) -> Made<Vec<T>> {
        let mut list = vec![one(self)?];
        while self.take(Sign::Comma) {
            list.push(one(self)?);
        }
        self.expect(close, described)?;
        Ok(list)
    }

    fn name(&mut self, wanted: &str) -> Made<Name> {
        let here = self.here().clone();
        let text = match here.token {
            Token::Word(word) if !KEYWORDS.contains(&word) => word.to_string(),
            Token::Quoted(name) => name,
            Token::Word(word) => {
                let hint = Some(format!("to use it as a name, put it in quotes: \"{word}\""));
                return self.unexpected(wanted, hint);
            }
            _ => return self.unexpected(wanted, None),
        };
        self.next += 1;
        Ok(Name { text, at: At(here.start) })
    }

    fn here(&self) -> &Lexed<'t> {
        self.there(0)
    }

    /// The token this many positions after the next one.
    fn there(&self, offset: usize) -> &Lexed<'t> {
        &self.tokens[(self.next + offset).min(self.tokens.len() - 1)]
    }

    fn take(&mut self, sign: Sign) -> bool {
        let found = self.here().is(sign);
        self.next += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.here().is_word(word);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: Sign, described: &str) -> Made<()> {
        if self.take(sign) { Ok(()) } else { self.unexpected(described, None) }
    }

    /// `:=` stands where other languages have it.
    fn refuse_assign(&mut self, hint: &str) -> Made<()> {
        if self.here().is(Sign::Assign) { self.unexpected("`=`", Some(hint.to_string())) } else { Ok(()) }
    }

    fn unexpected<T>(&mut self, wanted: &str, hint: Option<String>) -> Made<T> {
        let here = self.here().clone();
        let message = format!("expected {wanted}, found {}", here.described(self.text));
        self.mistakes.broken(here.start, message, hint)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        if self.depth >= LARGEST_DEPTH {
            let at = self.here().start;
            let message = format!("this is nested more than {LARGEST_DEPTH} levels deep");
            return self.mistakes.broken(at, message, None);
        }
        self.depth += 1;
        let made = read(self);
        self.depth -= 1;
        made
    }
}

/// Whether a formula goes on behind it.
fn is_operator(token: &Token<'_>) -> bool {
    use Sign::{
        And, Arrow, Comma, Equal, Equivalent, Greater, GreaterOrEqual, Implies, Less, LessOrEqual, Minus,
        NotEqual, Or, Parallel, Plus, Times,
    };
    match token {
        Token::Sign(sign) => matches!(
            sign,
            And | Arrow
                | Comma
                | Equal
                | Equivalent
                | Greater
                | GreaterOrEqual
                | Implies
                | Less
                | LessOrEqual
                | Minus
                | NotEqual
                | Or
                | Parallel
                | Plus
                | Times
        ),
        Token::Word(word) => matches!(*word, "and" | "or"),
        _ => false,
    }
}

/// The words of a formula that makes up all of a text; `None` if it has signs that programs have not.
pub(crate) fn formula_words(text: &str) -> Option<Vec<FormulaWord>> {
    let mut mistakes = Mistakes::default();
    let tokens = tokens(text, &mut mistakes).ok()?;
    if mistakes.has_errors() {
        return None;
    }
    let mut words: Vec<FormulaWord> = Vec::with_capacity(tokens.len());
    let mut end = 0;
    for lexed in tokens.iter().filter(|lexed| lexed.token != Token::End) {
        let text = text.get(lexed.start..lexed.end)?.to_string();
        let is_glued = !words.is_empty() && lexed.start == end;
        words.push(FormulaWord { text, is_glued, at: At(lexed.start) });
        end = lexed.end;
    }
    Some(words)
}

/// Reads one expression that makes up all of a text, such as an index in a formula.
pub(crate) fn parse_snippet(text: &str, meter: &Meter) -> Option<Expr> {
    let mut mistakes = Mistakes::default();
    let tokens = tokens(text, &mut mistakes).ok()?;
    let meter = Meter::new(meter.budget().clone());
    let mut parser = Parser { text, tokens, next: 0, depth: 0, meter, mistakes: &mut mistakes };
    let expression = parser.expression().ok()?;
    let is_all = parser.here().token == Token::End;
    (is_all && !mistakes.has_errors()).then_some(expression)
}
