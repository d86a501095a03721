//! A program cut into words, names in quotes, numbers and signs.
//!
//! The signs are those of programs and of formulas together, because properties stand in the same
//! file; which of them means something where is for the parser to say.

use crate::mistakes::Mistakes;
use symbolon_source::{KNOWN_ESCAPES, Step, Unquoted, begins_name, continues_name, shown};

/// A piece of a program that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A keyword or a name.
    Word(&'a str),
    /// A name in quotes, without them.
    Quoted(String),
    /// A number.
    Number(i64),
    /// Everything that is written without letters.
    Sign(Sign),
    /// The text is over.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Lexed<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it is the first of its line.
    pub(crate) begins_line: bool,
}

/// What is written without letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    OpenCurly,
    CloseCurly,
    Comma,
    Semicolon,
    Colon,
    Assign,
    Dot,
    Dots,
    Prime,
    Not,
    And,
    Or,
    Parallel,
    Arrow,
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
    Over,
    Remainder,
}

/// All signs, longer ones before their beginnings.
const SIGNS: &[(&str, Sign)] = &[
    ("<->", Sign::Equivalent),
    ("<=>", Sign::Equivalent),
    ("->", Sign::Arrow),
    ("=>", Sign::Implies),
    ("<=", Sign::LessOrEqual),
    ("=<", Sign::LessOrEqual),
    (">=", Sign::GreaterOrEqual),
    ("<>", Sign::NotEqual),
    ("!=", Sign::NotEqual),
    ("==", Sign::Equal),
    (":=", Sign::Assign),
    ("&&", Sign::And),
    ("||", Sign::Parallel),
    ("..", Sign::Dots),
    ("(", Sign::Open),
    (")", Sign::Close),
    ("[", Sign::OpenSquare),
    ("]", Sign::CloseSquare),
    ("{", Sign::OpenCurly),
    ("}", Sign::CloseCurly),
    (",", Sign::Comma),
    (";", Sign::Semicolon),
    (":", Sign::Colon),
    (".", Sign::Dot),
    ("'", Sign::Prime),
    ("!", Sign::Not),
    ("~", Sign::Not),
    ("¬", Sign::Not),
    ("&", Sign::And),
    ("∧", Sign::And),
    ("|", Sign::Or),
    ("∨", Sign::Or),
    ("→", Sign::Arrow),
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
    ("/", Sign::Over),
    ("%", Sign::Remainder),
];

/// Cuts `text` into tokens, the last of which is [`Token::End`]. What is not a token is noted and
/// passed over.
pub(crate) fn tokens<'a>(text: &'a str, mistakes: &mut Mistakes) -> Step<Vec<Lexed<'a>>> {
    let mut tokens: Vec<Lexed<'a>> = Vec::new();
    let mut offset = 0;
    let mut begins_line = true;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let sign = SIGNS.iter().find(|(written, _)| rest.starts_with(written));
        let (token, length) = if first.is_whitespace() {
            begins_line |= first == '\n' || first == '\r';
            (None, first.len_utf8())
        } else if first == '#' || rest.starts_with("//") {
            (None, rest.find(['\n', '\r']).unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => {
                    begins_line |= rest[..end].contains('\n');
                    (None, end + 2)
                }
                None => {
                    let hint = Some("write */ at its end".to_string());
                    mistakes.error(offset, "this comment is never closed", hint)?;
                    (None, rest.len())
                }
            }
        } else if let Some((written, sign)) = sign {
            (Some(Token::Sign(*sign)), written.len())
        } else if begins_name(first) {
            let length = word_length(rest);
            (Some(Token::Word(&rest[..length])), length)
        } else if first.is_ascii_digit() {
            let length = word_length(rest);
            (Some(number(&rest[..length], offset, mistakes)?), length)
        } else if first == '"' {
            let (name, length) = quoted(rest, offset, mistakes)?;
            (Some(Token::Quoted(name)), length)
        } else {
            let length = unknown_length(rest);
            let message = format!("`{}` means nothing here", shown(&rest[..length]));
            mistakes.error(offset, message, None)?;
            (None, length)
        };
        if let Some(token) = token {
            let begins_line = std::mem::replace(&mut begins_line, false);
            tokens.push(Lexed { token, start: offset, end: offset + length, begins_line });
        }
        offset += length;
    }
    tokens.push(Lexed { token: Token::End, start: text.len(), end: text.len(), begins_line: true });
    Ok(tokens)
}

fn word_length(text: &str) -> usize {
    text.find(|c| !continues_name(c)).unwrap_or(text.len())
}

fn number<'a>(digits: &str, offset: usize, mistakes: &mut Mistakes) -> Step<Token<'a>> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let word = shown(digits);
        let hint = format!("if it is a name, put it in quotes: \"{word}\"");
        mistakes.error(offset, format!("`{word}` is neither a number nor a name"), Some(hint))?;
        return Ok(Token::Number(0));
    }
    match digits.parse() {
        Ok(number) => Ok(Token::Number(number)),
        Err(_) => {
            let hint = Some(format!("the largest is {}", i64::MAX));
            mistakes.error(offset, "this number is too large", hint)?;
            Ok(Token::Number(0))
        }
    }
}

/// The name in quotes at the beginning of `text`, and how long it is with its quotes. It ends with
/// its line at the latest.
fn quoted(text: &str, offset: usize, mistakes: &mut Mistakes) -> Step<(String, usize)> {
    let Unquoted { name, length, strange } = Unquoted::read(text, true);
    for (position, c) in strange {
        let message = format!("`\\{}` means nothing in a name", c.escape_default());
        mistakes.error(offset + position, message, Some(KNOWN_ESCAPES.to_string()))?;
    }
    if let Some(length) = length {
        return Ok((name, length));
    }
    let hint = Some("put another \" after the name".to_string());
    mistakes.error(offset, "this quote is never closed", hint)?;
    Ok((name, text.find('\n').unwrap_or(text.len()).max(1)))
}

/// The length of what can stand nowhere, at the beginning of `text`.
fn unknown_length(text: &str) -> usize {
    let is_known = |offset: usize, c: char| {
        let is_sign = SIGNS.iter().any(|(written, _)| text[offset..].starts_with(written));
        c.is_whitespace() || c == '"' || c == '#' || c.is_ascii_digit() || begins_name(c) || is_sign
    };
    text.char_indices().find(|&(offset, c)| is_known(offset, c)).map_or(text.len(), |(offset, _)| offset)
}

impl Lexed<'_> {
    /// How messages speak of it.
    pub(crate) fn described(&self, text: &str) -> String {
        match self.token {
            Token::End => "the end of the file".to_string(),
            _ => format!("`{}`", shown(text.get(self.start..self.end).unwrap_or_default())),
        }
    }

    /// Whether it is this sign.
    pub(crate) fn is(&self, sign: Sign) -> bool {
        self.token == Token::Sign(sign)
    }

    /// Whether it is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }
}
