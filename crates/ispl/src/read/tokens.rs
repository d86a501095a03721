//! The text cut into words, numbers and signs. Comments run from `--` to the end of their line.

use symbolon_logic::Span;
use symbolon_source::{Findings, Step, begins_name, continues_name, shown};

/// A piece of text that belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// Digits.
    Number(&'a str),
    /// Everything that is written without letters.
    Sign(&'static str),
    /// The text is over.
    End,
}

/// All signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<=", ">=", "<>", "->", "..", "(", ")", "{", "}", "[", "]", "<", ">", "=", "!", ":", ",", ".", ";", "+",
    "-", "*", "/", "&", "|", "~", "^", "?",
];

/// What other languages write, and what it is called here.
const FOREIGN: &[(&str, Token<'static>, &str)] = &[
    ("&&", Token::Word("and"), "write and"),
    ("||", Token::Word("or"), "write or"),
    ("==", Token::Sign("="), "write ="),
    ("!=", Token::Sign("<>"), "write <>, or ! before the comparison"),
    ("=>", Token::Sign("->"), "write ->, or >= for \"at least\""),
    ("=<", Token::Sign("<="), "write <="),
];

/// Cuts `text` into tokens, the last of which is [`Token::End`]. What is not a token is noted and
/// passed over.
pub(super) fn tokens<'a>(text: &'a str, findings: &mut Findings) -> Step<Vec<(Token<'a>, Span)>> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("--") {
            (None, rest.find(['\n', '\r']).unwrap_or(rest.len()))
        } else if let Some((written, token, hint)) = FOREIGN.iter().find(|(sign, ..)| rest.starts_with(sign))
        {
            findings.error_with_hint(offset, format!("`{written}` means nothing in ISPL"), *hint)?;
            (Some(*token), written.len())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Some(Token::Sign(sign)), sign.len())
        } else if first.is_ascii_digit() {
            let length = word_length(rest);
            let word = &rest[..length];
            if !word.bytes().all(|byte| byte.is_ascii_digit()) {
                let message = format!("`{}` is neither a number nor a name", shown(word));
                findings.error_with_hint(offset, message, "names begin with a letter")?;
            }
            (Some(Token::Number(word)), length)
        } else if begins_name(first) {
            let length = word_length(rest);
            (Some(Token::Word(&rest[..length])), length)
        } else {
            let mut behind = rest.char_indices().skip(1);
            let length = behind.find(|&(_, c)| !is_foreign(c)).map_or(rest.len(), |(end, _)| end);
            findings.error(offset, format!("`{}` means nothing in ISPL", shown(&rest[..length])))?;
            if rest.starts_with(['"', '\'']) {
                findings.hint("names are written without quotes");
            } else if rest.starts_with(['#', '%']) {
                findings.hint("a comment begins with --");
            }
            (None, length)
        };
        if let Some(token) = token {
            tokens.push((token, Span::new(offset, offset + length)));
        }
        offset += length;
    }
    tokens.push((Token::End, Span::new(text.len(), text.len())));
    Ok(tokens)
}

/// The length of the name or number at the beginning.
fn word_length(text: &str) -> usize {
    text.find(|c: char| !continues_name(c)).unwrap_or(text.len())
}

/// Whether no token begins with this character.
fn is_foreign(c: char) -> bool {
    !c.is_whitespace()
        && !begins_name(c)
        && !c.is_ascii_digit()
        && !SIGNS.iter().any(|sign| sign.starts_with(c))
}

impl Token<'_> {
    /// How messages speak of it.
    pub(super) fn described(&self) -> String {
        match self {
            Token::Word(text) | Token::Number(text) => format!("`{}`", shown(text)),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_string(),
        }
    }
}
