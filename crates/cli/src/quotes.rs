//! Names in double quotes: the escapes are `\"`, `\\`, `\n`, `\r`, `\t` and `\u{…}`.

use std::fmt::Write as _;

/// The name in quotes, on one line.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for character in name.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other if other.is_control() || "\u{2028}\u{2029}".contains(other) => {
                let _ = write!(text, "\\u{{{:x}}}", u32::from(other));
            }
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// The name at the beginning of a text, which begins with a quote, and what stands behind it.
/// `None` if the closing quote is missing or an escape is unknown.
pub(crate) fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text.strip_prefix('"')?.chars();
    loop {
        match rest.next()? {
            '"' => return Some((name, rest.as_str())),
            '\\' => match rest.next()? {
                'n' => name.push('\n'),
                'r' => name.push('\r'),
                't' => name.push('\t'),
                'u' => {
                    let (digits, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                    name.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                    rest = behind.chars();
                }
                plain @ ('"' | '\\') => name.push(plain),
                _ => return None,
            },
            plain => name.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_quoted_comes_back() {
        for name in ["", "t", " t ", "a\"b\\c", "\n\r\t", "é→\u{1b}\u{2028}", "# no remark"] {
            let text = quoted(name);
            assert_eq!(text.lines().count(), 1, "{text:?}");
            assert_eq!(unquoted(&format!("{text} # x")), Some((name.to_string(), " # x")));
        }
        for wrong in ["", "t", "\"t", "\"\\x\"", "\"\\u{110000}\"", "\"\\u{}\"", "\"\\u41\"", "\"\\"] {
            assert_eq!(unquoted(wrong), None, "{wrong}");
        }
    }
}
