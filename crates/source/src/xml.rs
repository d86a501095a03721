//! XML as readers want to see it: start tags with their namespace resolved, end tags, and text
//! with its references replaced.
//!
//! Nothing here can be made to work hard by a hostile file. Entities of a document type are never
//! expanded, nesting and attributes are limited, and everything else is one pass over the text,
//! charged to a meter.

use crate::findings::{Findings, Step, Stop};
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::Event;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::reader::Reader;
use std::borrow::Cow;
use symbolon_budget::{Budget, Meter};

/// Elements may nest so deep.
const LARGEST_DEPTH: usize = 1000;
/// The most attributes of an element; looking for duplicates among them is quadratic.
const LARGEST_ATTRIBUTE_COUNT: usize = 100;
/// The most namespace prefixes in force at once; looking one up is linear.
const LARGEST_PREFIX_COUNT: usize = 100;

/// A cursor over an XML text, together with what was found wrong in it.
pub struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    meter: Meter,
    open: Vec<Open<'a>>,
    prefixes: Vec<(&'a str, Space)>,
    is_own: fn(&str) -> bool,
    /// What was found wrong so far.
    pub findings: Findings,
}

/// An element that is not closed yet.
struct Open<'a> {
    name: &'a str,
    offset: usize,
    prefix_count: usize,
}

/// The next thing in the text.
pub enum Item<'a> {
    /// A start tag; its end tag follows, also for `<empty/>`.
    Start(Tag<'a>),
    /// The end tag of the innermost open element.
    End,
    /// A piece of text; neighbouring pieces belong together.
    Text(Cow<'a, str>, usize),
    /// The end of the file, with all elements closed.
    Finished,
}

/// A start tag.
#[derive(Clone, Copy)]
pub struct Tag<'a> {
    /// What stands between `<` and `>`.
    content: &'a str,
    /// The name as written, with its prefix.
    full_name: &'a str,
    /// The name without prefix.
    pub name: &'a str,
    /// Which vocabulary the name belongs to.
    pub space: Space,
    /// Where `<` stands.
    pub offset: usize,
}

/// Whose vocabulary an element name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The reader's own, or no namespace at all.
    Own,
    /// That of another language.
    Foreign,
    /// The prefix was never declared.
    Undeclared,
}

impl<'a> Xml<'a> {
    /// A cursor at the beginning of `text`; `is_own` tells which namespaces are the reader's own.
    pub fn new(text: &'a str, is_own: fn(&str) -> bool, budget: &Budget, findings: Findings) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Xml {
            text,
            reader,
            meter: Meter::new(budget.clone()),
            open: Vec::new(),
            prefixes: Vec::new(),
            is_own,
            findings,
        }
    }

    /// Moves to the next tag or text; comments, declarations and instructions are passed over.
    pub fn advance(&mut self) -> Step<Item<'a>> {
        loop {
            let offset = self.offset();
            match self.event()? {
                Event::Start(start) => {
                    let from = offset + 1;
                    let name_length = start.name().as_ref().len();
                    let length = name_length + start.attributes_raw().len();
                    let content = self.text.get(from..from + length).unwrap_or_default();
                    let full_name = content.get(..name_length).unwrap_or_default();
                    return self.open_element(content, full_name, offset).map(Item::Start);
                }
                Event::End(_) => {
                    if let Some(closed) = self.open.pop() {
                        self.prefixes.truncate(closed.prefix_count);
                    }
                    return Ok(Item::End);
                }
                Event::Text(text) => return Ok(Item::Text(text.into_inner(), offset)),
                Event::CData(text) => return Ok(Item::Text(text.into_inner(), offset)),
                Event::GeneralRef(reference) => {
                    let Some(character) = resolve_reference(&reference) else {
                        return Err(self.unknown_reference(offset, &reference));
                    };
                    return Ok(Item::Text(Cow::Owned(character.to_string()), offset));
                }
                Event::Eof => {
                    let Some(open) = self.open.last() else { return Ok(Item::Finished) };
                    let message = format!("the file ends inside <{}>", open.name);
                    let opened = open.offset;
                    let line = 1 + self.text[..opened].matches('\n').count();
                    let hint = format!("the element was opened in line {line}; the file seems to be cut off");
                    return Err(self.findings.fatal_with_hint(self.text.len(), message, hint));
                }
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    /// The next element inside the innermost open one, with text between them passed over; `None`
    /// at its end, which is passed.
    pub fn child(&mut self) -> Step<Option<Tag<'a>>> {
        loop {
            match self.advance()? {
                Item::Start(tag) => return Ok(Some(tag)),
                Item::End | Item::Finished => return Ok(None),
                Item::Text(..) => {}
            }
        }
    }

    /// Passes over the rest of the innermost open element.
    pub fn skip(&mut self) -> Step<()> {
        let mut depth = 1;
        while depth > 0 {
            match self.advance()? {
                Item::Start(_) => depth += 1,
                Item::End => depth -= 1,
                Item::Text(..) => {}
                Item::Finished => return Ok(()),
            }
        }
        Ok(())
    }

    /// The text directly inside the innermost open element, which it leaves, and where the text
    /// begins.
    pub fn text(&mut self) -> Step<(String, usize)> {
        let mut whole = String::new();
        let mut begin = self.offset();
        loop {
            match self.advance()? {
                Item::Start(_) => self.skip()?,
                Item::End | Item::Finished => return Ok((whole, begin)),
                Item::Text(piece, offset) => {
                    if whole.is_empty() {
                        let trimmed = piece.trim_start();
                        begin = offset + piece.len() - trimmed.len();
                        whole.push_str(trimmed);
                    } else {
                        whole.push_str(&piece);
                    }
                }
            }
        }
    }

    /// Calls `visit` with the name and the value of each attribute, prefixed ones excepted.
    pub fn attributes(&mut self, tag: &Tag<'a>, mut visit: impl FnMut(&'a str, Cow<'a, str>)) -> Step<()> {
        for (number, attribute) in Attributes::new(tag.content, tag.full_name.len()).enumerate() {
            if number == LARGEST_ATTRIBUTE_COUNT {
                let message =
                    format!("<{}> has more than {LARGEST_ATTRIBUTE_COUNT} attributes", shown(tag.full_name));
                return Err(self.findings.fatal(tag.offset, message));
            }
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => return Err(self.attribute_error(tag, &error)),
            };
            let key = attribute.key.into_inner();
            match unescape_attribute(attribute.value) {
                Ok(_) if key.contains(':') => {}
                Ok(value) => visit(key, value),
                Err(reference) => return Err(self.unknown_reference(tag.offset, &reference)),
            }
        }
        Ok(())
    }

    /// The value of one attribute.
    pub fn attribute(&mut self, tag: &Tag<'a>, name: &str) -> Step<Option<Cow<'a, str>>> {
        let mut answer = None;
        self.attributes(tag, |key, value| {
            if key == name {
                answer = Some(value);
            }
        })?;
        Ok(answer)
    }

    fn offset(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.text.len())
    }

    fn event(&mut self) -> Step<Event<'a>> {
        self.meter.step()?;
        self.reader.read_event().map_err(|error| self.syntax_error(&error))
    }

    fn open_element(&mut self, content: &'a str, full_name: &'a str, offset: usize) -> Step<Tag<'a>> {
        if self.open.len() == LARGEST_DEPTH {
            let message = format!("elements are nested deeper than {LARGEST_DEPTH}");
            return Err(self.findings.fatal(offset, message));
        }
        let prefix_count = self.prefixes.len();
        self.open.push(Open { name: full_name, offset, prefix_count });
        if content.contains("xmlns") {
            self.declare_prefixes(content, full_name, offset)?;
        }
        let (prefix, name) = full_name.split_once(':').unwrap_or(("", full_name));
        let space = match self.prefixes.iter().rev().find(|(declared, _)| *declared == prefix) {
            Some((_, space)) => *space,
            None if prefix.is_empty() => Space::Own,
            None => Space::Undeclared,
        };
        Ok(Tag { content, full_name, name, space, offset })
    }

    fn declare_prefixes(&mut self, content: &'a str, full_name: &'a str, offset: usize) -> Step<()> {
        for attribute in Attributes::new(content, full_name.len()).take(LARGEST_ATTRIBUTE_COUNT).flatten() {
            let key = attribute.key.into_inner();
            let prefix = match key.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            if self.prefixes.len() == LARGEST_PREFIX_COUNT {
                let message = format!("more than {LARGEST_PREFIX_COUNT} namespace prefixes are in force");
                return Err(self.findings.fatal(offset, message));
            }
            let url = attribute.value.trim();
            let is_own = url.is_empty() || (self.is_own)(url);
            self.prefixes.push((prefix, if is_own { Space::Own } else { Space::Foreign }));
        }
        Ok(())
    }

    fn unknown_reference(&mut self, offset: usize, reference: &str) -> Stop {
        let message = format!("unknown reference \"&{};\"", shown(reference));
        self.findings.fatal_with_hint(offset, message, "expected &amp; &lt; &gt; &quot; &apos; or &#NUMBER;")
    }

    fn attribute_error(&mut self, tag: &Tag<'a>, error: &AttrError) -> Stop {
        let (position, what) = match *error {
            AttrError::ExpectedEq(position) => (position, "an attribute without \"=\""),
            AttrError::ExpectedValue(position) => (position, "an attribute without value"),
            AttrError::UnquotedValue(position) => (position, "an attribute value without quotes"),
            AttrError::ExpectedQuote(position, _) => (position, "an attribute value without closing quote"),
            AttrError::Duplicated(position, _) => (position, "an attribute for the second time"),
        };
        let message = format!("found {what} in <{}>", shown(tag.full_name));
        self.findings.fatal_with_hint(
            tag.offset + 1 + position,
            message,
            "expected name=\"value\", each name once",
        )
    }

    fn syntax_error(&mut self, error: &Error) -> Stop {
        let offset = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
        let cut_off = "the file seems to be cut off";
        let (message, hint): (String, &str) = match error {
            Error::Syntax(SyntaxError::InvalidBangMarkup) => {
                ("found \"<!\", expected a comment, CDATA or a document type".into(), "write \"<\" as &lt;")
            }
            Error::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => {
                ("the file ends inside <? … ?>".into(), cut_off)
            }
            Error::Syntax(SyntaxError::UnclosedComment) => ("the file ends inside a comment".into(), cut_off),
            Error::Syntax(SyntaxError::UnclosedDoctype) => {
                ("the file ends inside a document type".into(), cut_off)
            }
            Error::Syntax(SyntaxError::UnclosedCData) => ("the file ends inside CDATA".into(), cut_off),
            Error::Syntax(SyntaxError::UnclosedTag) => ("the file ends inside a tag".into(), cut_off),
            Error::Syntax(_) => (
                "the file ends inside an attribute value".into(),
                "a quote is missing, or the file is cut off",
            ),
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                let message = format!("found </{}>, expected </{}>", shown(found), shown(expected));
                (message, "each element must be closed inside the element that opened it")
            }
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                (format!("found </{}>, but no element is open", shown(found)), "remove the end tag")
            }
            Error::IllFormed(IllFormedError::UnclosedReference) => {
                ("found \"&\" without a \";\" after it".into(), "write \"&\" as &amp;")
            }
            other => (format!("not well-formed XML: {other}"), "expected an XML file"),
        };
        self.findings.fatal_with_hint(offset, message, hint)
    }
}

impl Tag<'_> {
    /// The name as written, short enough to show.
    pub fn shown(&self) -> String {
        shown(self.full_name)
    }

    /// The namespace that the tag itself declares, if it does.
    pub fn declared_namespace(&self) -> Option<String> {
        Attributes::new(self.content, self.full_name.len())
            .take(LARGEST_ATTRIBUTE_COUNT)
            .flatten()
            .find(|attribute| attribute.key.into_inner().starts_with("xmlns"))
            .map(|attribute| shown(&attribute.value))
    }
}

/// Text as messages show it: on one line, and not too long.
pub fn shown(text: &str) -> String {
    let mut short: String =
        text.chars().take(60).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

fn resolve_reference(reference: &str) -> Option<char> {
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{A0}'),
        _ => {
            let number = reference.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}

/// The value of an attribute: references replaced, each white character a space. Fails with the
/// reference that is not known.
fn unescape_attribute(value: Cow<'_, str>) -> Result<Cow<'_, str>, String> {
    if !value.contains(['&', '\n', '\r', '\t']) {
        return Ok(value);
    }
    let mut answer = String::with_capacity(value.len());
    let mut rest = &*value;
    while let Some(position) = rest.find(['&', '\n', '\r', '\t']) {
        answer.push_str(&rest[..position]);
        rest = &rest[position..];
        let Some(reference) = rest.strip_prefix('&') else {
            answer.push(' ');
            rest = &rest[1..];
            continue;
        };
        let Some((name, after)) = reference.split_once(';') else { return Err(shown(reference)) };
        answer.push(resolve_reference(name).ok_or_else(|| shown(name))?);
        rest = after;
    }
    answer.push_str(rest);
    Ok(Cow::Owned(answer))
}
