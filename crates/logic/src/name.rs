//! Names as written in a source, with their positions.

use std::fmt::{self, Display as _};
use std::hash::{Hash, Hasher};
use symbolon_source::{Quoted, begins_name, continues_name};

/// A piece of a text, in bytes: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where what follows begins.
    pub end: usize,
}

impl Span {
    /// From `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The smallest piece with both in it.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same piece of a text that begins `offset` bytes earlier.
    pub fn shifted(self, offset: usize) -> Span {
        Span { start: self.start + offset, end: self.end + offset }
    }
}

/// The name of something in a model, and where it was written.
///
/// Two names are equal if they read the same, wherever they stand: so equal atoms are stored once
/// in a formula, with the place of the first.
#[derive(Clone, Debug)]
pub struct Name {
    /// How it reads, without quotes.
    pub text: Box<str>,
    /// Its position in the text; empty if it does not come from a text.
    pub span: Span,
}

impl Name {
    /// A name that was written at `span`.
    pub fn new(text: impl Into<Box<str>>, span: Span) -> Name {
        Name { text: text.into(), span }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text, Span::default())
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// As formula text: in quotes where it would not be read as this name otherwise.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_name(&self.text, f)
    }
}

/// Words that mean something in formula text where a name may stand.
pub(crate) const WORDS: &[&str] = &[
    "A", "E", "X", "F", "G", "U", "W", "R", "K", "O", "AG", "AF", "AX", "EG", "EF", "EX", "GK", "GCK", "DK",
    "true", "false", "deadlock", "fireable", "not", "and", "or",
];

/// Writes a name as formula text.
pub(crate) fn fmt_name(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // An index makes a name of a place and a colour: `p[c1,s2]`.
    let base = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((base, index)) if index.split(',').all(is_colour) => base,
        _ => text,
    };
    if is_word(base) { f.write_str(text) } else { Quoted(text).fmt(f) }
}

/// Writes the name of an event as formula text, where `fireable(…)` stands around it. A binding
/// makes such a name of a transition and colours: `t(x=c1,y=s2)`.
pub(crate) fn fmt_event(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_binding = |part: &str| part.split_once('=').is_some_and(|(x, c)| is_word(x) && is_colour(c));
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((base, bindings)) if is_word(base) && bindings.split(',').all(is_binding) => f.write_str(text),
        _ => fmt_name(text, f),
    }
}

/// Whether a text is read as a name without quotes: parts with dots between them, each like a name
/// of its own, but those behind a dot may begin with digits, as in `a.1`.
fn is_word(text: &str) -> bool {
    text.chars().next().is_some_and(begins_name)
        && text.split('.').all(|part| !part.is_empty() && part.chars().all(continues_name))
        && !WORDS.contains(&text)
}

/// Whether a text is read as a colour inside an index or a binding.
fn is_colour(text: &str) -> bool {
    !text.is_empty() && !text.contains(separates_colours)
}

/// Whether a character ends a colour inside an index or a binding.
pub(crate) fn separates_colours(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '=' | '[' | ']' | '(' | ')' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stand_where_they_are_needed() {
        let check = |text: &str, expected: &str| assert_eq!(Name::from(text).to_string(), expected);
        check("critical_1", "critical_1");
        check("Agent.state", "Agent.state");
        check("a.1", "a.1");
        check("größe", "größe");
        check("place 1", "\"place 1\"");
        check("p-1", "\"p-1\"");
        check("1p", "\"1p\"");
        check("p.", "\"p.\"");
        check(".p", "\".p\"");
        check("", "\"\"");
        check("AG", "\"AG\"");
        check("p[c1,s2]", "p[c1,s2]");
        check("p[-1]", "p[-1]");
        check("a place[1]", "\"a place[1]\"");
        check("A[1]", "\"A[1]\"");
        check("p[]", "\"p[]\"");
        check("p[a b]", "\"p[a b]\"");
        check("p[1][2]", "\"p[1][2]\"");
        check("t(x=1)", "\"t(x=1)\"");
        check("U", "\"U\"");
        check("a\"b\\c\nd", "\"a\\\"b\\\\c\\nd\"");
    }
}
