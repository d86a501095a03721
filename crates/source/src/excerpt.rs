//! A piece of a text with the line around it, which front ends draw with carets below.

use std::ops::Range;

/// A line of text, and a piece of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The line.
    pub line: String,
    /// Where the piece begins, in characters, from 1.
    pub column: u32,
    /// How many characters it has; at least 1.
    pub width: u32,
}

impl Excerpt {
    /// The line in which a piece of the text begins, and as much of the piece as stands in it.
    /// Offsets are in bytes; those that lie inside a character, or behind the end, are moved back.
    pub fn of(text: &str, piece: Range<usize>) -> Excerpt {
        let start = floor_boundary(text, piece.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = floor_boundary(text, piece.end).clamp(start, line_end);
        Excerpt {
            line: text[line_start..line_end].trim_end_matches('\r').to_string(),
            column: text[line_start..start].chars().count() as u32 + 1,
            width: text[start..end].chars().count().max(1) as u32,
        }
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_their_lines() {
        let text = "aé b\r\ncde\nf";
        let check = |piece: Range<usize>, line: &str, column: u32, width: u32| {
            let expected = Excerpt { line: line.to_string(), column, width };
            assert_eq!(Excerpt::of(text, piece.clone()), expected, "{piece:?}");
        };
        check(0..1, "aé b", 1, 1);
        check(1..5, "aé b", 2, 3);
        check(2..2, "aé b", 2, 1);
        check(8..11, "cde", 2, 2);
        check(11..12, "f", 1, 1);
        check(12..12, "f", 2, 1);
        check(90..99, "f", 2, 1);
    }
}
