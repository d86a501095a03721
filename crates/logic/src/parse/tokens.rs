//! Formula text cut into words, names, numbers and signs.

use super::FormulaError;
use crate::name::{Span, WORDS, separates_colours};
use symbolon_source::{KNOWN_ESCAPES, Unquoted, begins_name, continues_name, shown};

/// A piece of formula text that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An operator that is written in letters, or a name.
    Word(&'a str),
    /// A name in quotes, without them.
    Quoted(Box<str>),
    /// Digits.
    Number(&'a str),
    /// Everything that is written without letters.
    Sign(Sign),
    /// The text is over.
    End,
}

/// What is written without letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    Comma,
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
}

/// All signs, longer ones before their beginnings.
const SIGNS: &[(&str, Sign)] = &[
    ("<->", Sign::Equivalent),
    ("<=>", Sign::Equivalent),
    ("->", Sign::Implies),
    ("=>", Sign::Implies),
    ("<=", Sign::LessOrEqual),
    ("=<", Sign::LessOrEqual),
    (">=", Sign::GreaterOrEqual),
    ("<>", Sign::NotEqual),
    ("!=", Sign::NotEqual),
    ("==", Sign::Equal),
    ("&&", Sign::And),
    ("||", Sign::Or),
    ("(", Sign::Open),
    (")", Sign::Close),
    ("[", Sign::OpenSquare),
    ("]", Sign::CloseSquare),
    (",", Sign::Comma),
    ("!", Sign::Not),
    ("~", Sign::Not),
    ("¬", Sign::Not),
    ("&", Sign::And),
    ("∧", Sign::And),
    ("|", Sign::Or),
    ("∨", Sign::Or),
    ("→", Sign::Implies),
    ("↔", Sign::Equivalent),
    ("=", Sign::Equal),
    ("≠", Sign::NotEqual),
    ("<", Sign::Less),
    ("≤", Sign::LessOrEqual),
    (">", Sign::Greater),
    ("≥", Sign::GreaterOrEqual),
    ("+", Sign::Plus),
    ("-", Sign::Minus),
    ("*", Sign::Times),
];

/// Cuts `text` into tokens, the last of which is [`Token::End`]. What is not a token is noted in
/// `errors` and passed over.
pub(super) fn tokens<'a>(text: &'a str, errors: &mut Vec<FormulaError>) -> Vec<(Token<'a>, Span)> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let sign = SIGNS.iter().find(|(written, _)| rest.starts_with(written));
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if let Some((written, sign)) = sign {
            (Some(Token::Sign(*sign)), written.len())
        } else if begins_name(first) {
            let length = word_length(rest);
            (Some(Token::Word(&rest[..length])), length)
        } else if first.is_ascii_digit() {
            let length = word_length(rest);
            if !rest[..length].bytes().all(|byte| byte.is_ascii_digit()) {
                let span = Span::new(offset, offset + length);
                let word = shown(&rest[..length]);
                errors.push(
                    FormulaError::new(span, format!("`{word}` is neither a number nor a plain name"))
                        .with_hint(format!("if it is a name, put it in quotes: \"{word}\"")),
                );
            }
            (Some(Token::Number(&rest[..length])), length)
        } else if first == '"' {
            let (name, length) = quoted(rest, offset, errors);
            (Some(Token::Quoted(name)), length)
        } else {
            let length = unknown_length(rest);
            errors.push(unknown(&rest[..length], offset));
            (None, length)
        };
        if let Some(token) = token {
            let (token, length) = with_index(token, length, rest);
            tokens.push((token, Span::new(offset, offset + length)));
            offset += length;
        } else {
            offset += length;
        }
        if errors.len() >= super::LARGEST_ERROR_COUNT {
            break;
        }
    }
    tokens.push((Token::End, Span::new(text.len(), text.len())));
    tokens
}

/// The name at the beginning of `text`, with its index if one follows at once: `p[c1, s2]` is the
/// name `p[c1,s2]`, a place of a coloured net and a colour. Parts and further indices may follow, as in
/// `p[1].x[2]`, an element in a copy of a process.
fn with_index<'a>(token: Token<'a>, length: usize, text: &'a str) -> (Token<'a>, usize) {
    let base = match &token {
        Token::Word(word) if !WORDS.contains(word) => word,
        Token::Quoted(name) => &**name,
        _ => return (token, length),
    };
    let mut name = base.to_string();
    let mut end = length;
    while let Some((index, read)) = index_at(&text[end..]) {
        name.push_str(&index);
        end += read;
        // A part of a copy: a dot, and a name or a number right behind it.
        let part = text[end..].strip_prefix('.').map_or(0, word_length);
        if part > 0 {
            name.push_str(&text[end..end + 1 + part]);
            end += 1 + part;
        }
    }
    if end == length {
        return (token, length);
    }
    (Token::Quoted(name.into()), end)
}

/// The index in square brackets at the beginning of `text`, without spaces, and how long it is.
fn index_at(text: &str) -> Option<(String, usize)> {
    let (index, _) = text.strip_prefix('[')?.split_once(']')?;
    let items: Vec<&str> = index.split(',').map(str::trim).collect();
    let is_item = |item: &&str| !item.is_empty() && !item.contains(separates_colours);
    items.iter().all(is_item).then(|| (format!("[{}]", items.join(",")), index.len() + 2))
}

/// The length of the name or number at the beginning: letters, digits, `_`, and dots between those.
fn word_length(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((offset, c)) = characters.next() {
        let mut goes_on = || characters.peek().is_some_and(|(_, next)| continues_name(*next));
        if !continues_name(c) && (c != '.' || !goes_on()) {
            break;
        }
        length = offset + c.len_utf8();
    }
    length
}

/// The name in quotes at the beginning of `text`, and how long it is with its quotes.
fn quoted(text: &str, offset: usize, errors: &mut Vec<FormulaError>) -> (Box<str>, usize) {
    let Unquoted { name, length, strange } = Unquoted::read(text, false);
    for (position, c) in strange {
        let start = offset + position;
        let span = Span::new(start, start + 1 + c.len_utf8());
        let error = FormulaError::new(span, format!("`\\{c}` means nothing in a name"));
        errors.push(error.with_hint(KNOWN_ESCAPES));
    }
    if length.is_none() {
        let error = FormulaError::new(Span::new(offset, offset + 1), "this quote is never closed");
        errors.push(error.with_hint("put another \" after the name"));
    }
    (name.into(), length.unwrap_or(text.len()))
}

/// The length of what cannot stand in a formula, at the beginning of `text`.
fn unknown_length(text: &str) -> usize {
    let is_known = |offset: usize, c: char| {
        let is_sign = SIGNS.iter().any(|(written, _)| text[offset..].starts_with(written));
        c.is_whitespace() || c == '"' || c.is_ascii_digit() || begins_name(c) || is_sign
    };
    text.char_indices().find(|&(offset, c)| is_known(offset, c)).map_or(text.len(), |(offset, _)| offset)
}

fn unknown(text: &str, offset: usize) -> FormulaError {
    let span = Span::new(offset, offset + text.len());
    let error = FormulaError::new(span, format!("`{}` means nothing in a formula", shown(text)));
    match text {
        "/" | "\\" => error.with_hint("write & and | for \"and\" and \"or\""),
        "'" => error.with_hint("names are quoted like \"this\""),
        "{" | "}" => error.with_hint("use round brackets"),
        "^" => error.with_hint("write & for \"and\", ! (p <-> q) for \"either, not both\""),
        "." => error.with_hint("a name with a dot at its end goes in quotes"),
        ":" => error.with_hint("a formula file names a formula like this: `name: formula`"),
        _ => error,
    }
}

impl Token<'_> {
    /// How messages speak of it.
    pub(super) fn described(&self, text: &str, span: Span) -> String {
        match self {
            Token::End => "the end of the formula".to_string(),
            _ => format!("`{}`", shown(text.get(span.start..span.end).unwrap_or_default())),
        }
    }
}
