//! The words of a HOA text.

use symbolon_source::{Findings, Step};

/// A word and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) offset: usize,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `States:`, without the colon.
    Header(String),
    /// `@name`, without the sign.
    Alias(String),
    Identifier(String),
    Number(u32),
    /// What stood between quotation marks.
    Text(String),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// `BODY`, `END` or `ABORT`, which stand between dashes.
    Mark(&'static str),
    /// The end of the text.
    End,
}

impl Kind {
    /// A number or an identifier as text.
    pub(crate) fn as_word(&self) -> Option<String> {
        match self {
            Kind::Identifier(name) => Some(name.clone()),
            Kind::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// How a message names it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Kind::Header(name) => format!("'{name}:'"),
            Kind::Alias(name) => format!("'@{name}'"),
            Kind::Identifier(name) => format!("'{name}'"),
            Kind::Number(number) => format!("'{number}'"),
            Kind::Text(text) => format!("\"{text}\""),
            Kind::Sign(sign) => format!("'{sign}'"),
            Kind::Mark(mark) => format!("'--{mark}--'"),
            Kind::End => "the end of the text".to_string(),
        }
    }
}

/// All words up to `--END--`, and one [`Kind::End`].
pub(crate) fn tokens(text: &str, findings: &mut Findings) -> Step<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let begin = offset;
        let kind = match first {
            _ if first.is_whitespace() => {
                offset += first.len_utf8();
                continue;
            }
            _ if rest.starts_with("/*") => {
                offset +=
                    comment_length(rest).ok_or_else(|| findings.fatal(begin, "the comment is not closed"))?;
                continue;
            }
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                offset += 1;
                Kind::Sign(first)
            }
            '"' => {
                let (content, length) =
                    quoted(rest).ok_or_else(|| findings.fatal(begin, "the quotation mark is not closed"))?;
                offset += length;
                Kind::Text(content)
            }
            '0'..='9' => {
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                offset += digits;
                let number = rest[..digits].parse();
                Kind::Number(number.map_err(|_| findings.fatal(begin, "the number is too large"))?)
            }
            '@' => {
                let length = word_length(&rest[1..]);
                offset += 1 + length;
                Kind::Alias(rest[1..=length].to_string())
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = word_length(rest);
                let name = rest[..length].to_string();
                let is_header = rest[length..].starts_with(':');
                offset += length + usize::from(is_header);
                if is_header { Kind::Header(name) } else { Kind::Identifier(name) }
            }
            _ => {
                let marks = ["BODY", "END", "ABORT"].into_iter();
                let mark = marks.into_iter().find(|mark| rest.starts_with(&format!("--{mark}--")));
                let Some(mark) = mark else {
                    return Err(findings.fatal(begin, format!("unexpected character '{first}'")));
                };
                offset += mark.len() + 4;
                Kind::Mark(mark)
            }
        };
        let is_last = kind == Kind::Mark("END");
        tokens.push(Token { kind, offset: begin });
        if is_last {
            break;
        }
    }
    tokens.push(Token { kind: Kind::End, offset });
    Ok(tokens)
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len())
}

/// The length of the comment that the text begins with; comments nest.
fn comment_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut offset = 0;
    while offset < text.len() {
        let rest = &text.as_bytes()[offset..];
        if rest.starts_with(b"/*") {
            depth += 1;
            offset += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            offset += 2;
            if depth == 0 {
                return Some(offset);
            }
        } else {
            offset += 1;
        }
    }
    None
}

/// What stands between the quotation marks that the text begins with, and the length with them.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((offset, c)) = characters.next() {
        match c {
            '"' => return Some((content, offset + 1)),
            '\\' => content.push(characters.next()?.1),
            _ => content.push(c),
        }
    }
    None
}
