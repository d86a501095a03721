//! Names as our languages write them: plain words, and anything else in quotes.

use std::fmt;

/// Whether a name may begin with this character.
pub fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether this character may stand in a name, behind its first.
pub fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What may stand behind a backslash in quotes, for hints.
pub const KNOWN_ESCAPES: &str = "known are \\\" \\\\ \\n \\r \\t";

/// A name as it is written in quotes.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c => fmt::Write::write_char(f, c)?,
            }
        }
        f.write_str("\"")
    }
}

/// A name that was read out of its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unquoted {
    /// The name.
    pub name: String,
    /// The length of the text with both quotes; `None` if the second one is missing.
    pub length: Option<usize>,
    /// Characters that mean nothing behind a backslash, and where the backslash stands.
    pub strange: Vec<(usize, char)>,
}

impl Unquoted {
    /// Reads the name at the beginning of `text`, which is a quote. It ends with its line at the
    /// latest, if `within_line`.
    pub fn read(text: &str, within_line: bool) -> Unquoted {
        let mut found = Unquoted { name: String::new(), length: None, strange: Vec::new() };
        let mut characters = text.char_indices().skip(1);
        while let Some((position, c)) = characters.next() {
            match c {
                '"' => {
                    found.length = Some(position + 1);
                    break;
                }
                '\n' if within_line => break,
                '\\' => match characters.next() {
                    Some((_, 'n')) => found.name.push('\n'),
                    Some((_, 'r')) => found.name.push('\r'),
                    Some((_, 't')) => found.name.push('\t'),
                    Some((_, c @ ('"' | '\\'))) => found.name.push(c),
                    Some((_, c)) => found.strange.push((position, c)),
                    None => break,
                },
                c => found.name.push(c),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_quoted_is_read_back() {
        for name in ["", "two words", "a\"b\\c", "\n\r\t", "ä→\u{1F600}"] {
            let text = Quoted(name).to_string();
            let read = Unquoted::read(&format!("{text} and more\""), false);
            let wanted = Unquoted { name: name.into(), length: Some(text.len()), strange: Vec::new() };
            assert_eq!(read, wanted, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        let check = |text: &str, within_line, name: &str, length, strange: &[(usize, char)]| {
            let wanted = Unquoted { name: name.into(), length, strange: strange.to_vec() };
            assert_eq!(Unquoted::read(text, within_line), wanted, "{text}");
        };
        check("\"never closed", false, "never closed", None, &[]);
        check("\"one\ntwo\"", true, "one", None, &[]);
        check("\"one\ntwo\"", false, "one\ntwo", Some(9), &[]);
        check("\"a\\qb\"", false, "ab", Some(6), &[(2, 'q')]);
        check("\"a\\", false, "a", None, &[]);
    }
}
