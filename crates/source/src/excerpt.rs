//! A piece of a text with the line around it, which front ends draw with carets below.

use crate::width::char_width;
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

/// A line as a terminal shows it, with the columns below which carets stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedLine {
    /// The line, or what lies around the piece; tabs and other control characters are spaces.
    pub text: String,
    /// The number of columns before the first caret.
    pub indent: usize,
    /// The number of carets; at least 1.
    pub carets: usize,
}

/// Columns between two stops of the tabulator.
const TAB: usize = 4;

impl Excerpt {
    /// The line for a terminal, in at most about `widest` columns; if the piece begins far to the
    /// right, the line is cut so that about `before` columns are left of it.
    pub fn marked(&self, before: usize, widest: usize) -> MarkedLine {
        const CUT: char = '…';
        const SLACK: usize = 10;
        let begin = self.column.saturating_sub(1) as usize;
        let end = begin + self.width.max(1) as usize;
        let line: Vec<char> = self.line.chars().collect();

        // Where each character begins, in columns, and where the line ends.
        let mut starts = Vec::with_capacity(line.len() + 1);
        let mut column = 0;
        for &character in &line {
            starts.push(column);
            column += match character {
                '\t' => TAB - column % TAB,
                _ if character.is_control() => 1,
                _ => char_width(character),
            };
        }
        starts.push(column);
        let start_of = |place: usize| starts[place.min(line.len())];

        // Cut on the left, not between a character and its combining marks.
        let mut first = 0;
        if start_of(begin) > before + SLACK {
            first = starts.partition_point(|&start| start < start_of(begin) - before).min(begin);
            while first < begin && starts[first] == starts[first + 1] {
                first += 1;
            }
        }
        let mut text = String::new();
        if first > 0 {
            text.push(CUT);
        }
        let margin = usize::from(first > 0);
        for (place, &character) in line.iter().enumerate().skip(first) {
            let (from, to) = (starts[place], starts[place + 1]);
            if to - start_of(first) > widest {
                break;
            }
            match character.is_control() {
                true => text.extend(std::iter::repeat_n(' ', to - from)),
                false => text.push(character),
            }
        }
        let indent = start_of(begin) - start_of(first);
        let room = widest.saturating_sub(indent).max(1);
        let carets = (start_of(end) - start_of(begin)).clamp(1, room);
        MarkedLine { text: text.trim_end().to_string(), indent: margin + indent, carets }
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

    /// What a terminal shows of a line, with the carets below it.
    fn check(text: &str, piece: &str, expected: &[&str]) {
        let start = text.find(piece).expect("a piece of the text");
        let marked = Excerpt::of(text, start..start + piece.len()).marked(40, 76);
        let carets = format!("{}{}", " ".repeat(marked.indent), "^".repeat(marked.carets));
        assert_eq!([marked.text.as_str(), carets.as_str()], expected, "{text}");
    }

    #[test]
    fn carets_stand_below_what_is_meant() {
        check("a b c", "b", &["a b c", "  ^"]);
        check("\ta \tb", "b", &["    a   b", "        ^"]);
        check("\tab", "\ta", &["    ab", "^^^^^"]);
        // Ideographs take two columns, combining marks none.
        check("状态 > x", "x", &["状态 > x", "       ^"]);
        check("x > 状态", "状态", &["x > 状态", "    ^^^^"]);
        check("e\u{301}e\u{301} > x", "x", &["e\u{301}e\u{301} > x", "     ^"]);
        check("a\u{7}b", "b", &["a b", "  ^"]);
        check("\u{301}a", "\u{301}", &["\u{301}a", "^"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let text = format!("{}x{}", "ab".repeat(60), "y".repeat(200));
        let kept = format!("…{}x{}", "ab".repeat(20), "y".repeat(35));
        check(&text, "x", &[&kept, &format!("{}^", " ".repeat(41))]);
        let text = format!("{}x", "态".repeat(60));
        check(&text, "x", &[&format!("…{}x", "态".repeat(20)), &format!("{}^", " ".repeat(41))]);
        let marked = Excerpt::of(&text, 0..text.len()).marked(40, 76);
        assert_eq!((marked.indent, marked.carets), (0, 76));
        let behind = Excerpt::of("abc", 3..9).marked(40, 76);
        assert_eq!((behind.indent, behind.carets), (3, 1));
    }
}
