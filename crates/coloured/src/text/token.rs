//! A text cut into words, names in quotes, numbers and signs.

use symbolon_source::{Findings, KNOWN_ESCAPES, Step, Unquoted, begins_name, continues_name, shown};

/// A piece of a text that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A keyword or a name.
    Word(&'a str),
    /// A name in quotes, without them.
    Quoted(String),
    /// Digits.
    Number(&'a str),
    /// Everything that is written without letters.
    Sign(&'static str),
    /// The text is over.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Lexed<'a> {
    pub(super) token: Token<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is the first of its line.
    pub(super) begins_line: bool,
}

/// All signs, longer ones before their beginnings, each with the sign that it stands for.
const SIGNS: &[(&str, &str)] = &[
    ("++", "++"),
    ("--", "--"),
    ("..", ".."),
    ("->", "->"),
    ("=>", "->"),
    ("→", "->"),
    ("<=", "<="),
    ("≤", "<="),
    (">=", ">="),
    ("≥", ">="),
    ("!=", "!="),
    ("<>", "!="),
    ("≠", "!="),
    ("==", "="),
    ("&&", "&"),
    ("||", "|"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    (".", "."),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    ("¬", "!"),
    ("~", "!"),
    ("&", "&"),
    ("∧", "&"),
    ("|", "|"),
    ("∨", "|"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("×", "*"),
];

/// Cuts `text` into tokens, the last of which is [`Token::End`]. What is not a token is noted and
/// passed over.
pub(super) fn tokens<'a>(text: &'a str, findings: &mut Findings) -> Step<Vec<Lexed<'a>>> {
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
        } else if let Some((written, sign)) = sign {
            (Some(Token::Sign(sign)), written.len())
        } else if begins_name(first) {
            let length = word_length(rest);
            (Some(Token::Word(&rest[..length])), length)
        } else if first.is_ascii_digit() {
            let length = word_length(rest);
            let word = &rest[..length];
            if !word.bytes().all(|byte| byte.is_ascii_digit()) {
                let word = shown(word);
                let hint = format!("if it is a name, put it in quotes: \"{word}\"");
                findings.error_with_hint(offset, format!("'{word}' is neither a number nor a name"), hint)?;
                findings.length(length);
            }
            (Some(Token::Number(word)), length)
        } else if first == '"' {
            let (name, length) = quoted(rest, offset, findings)?;
            (Some(Token::Quoted(name)), length)
        } else {
            findings.error(offset, format!("'{}' means nothing here", shown(&rest[..first.len_utf8()])))?;
            (None, first.len_utf8())
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

/// The name in quotes at the beginning of `text`, and how long it is with its quotes. It ends with
/// its line at the latest.
fn quoted(text: &str, offset: usize, findings: &mut Findings) -> Step<(String, usize)> {
    let Unquoted { name, length, strange } = Unquoted::read(text, true);
    for (position, c) in strange {
        let message = format!("'\\{}' means nothing in a name", c.escape_default());
        findings.error_with_hint(offset + position, message, KNOWN_ESCAPES)?;
    }
    if let Some(length) = length {
        return Ok((name, length));
    }
    findings.error_with_hint(offset, "this quote is never closed", "put another \" after the name")?;
    Ok((name, text.find('\n').unwrap_or(text.len()).max(1)))
}

impl Lexed<'_> {
    /// How messages speak of it.
    pub(super) fn described(&self, text: &str) -> String {
        match self.token {
            Token::End => "the end of the file".to_string(),
            _ => format!("'{}'", shown(text.get(self.start..self.end).unwrap_or_default())),
        }
    }

    /// Whether it is this sign.
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(known) if known == sign)
    }

    /// Whether it is this word, without quotes.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(known) if known == word)
    }
}
