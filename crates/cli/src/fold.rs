//! Long lines broken at spaces, for terminals that are narrower than the text.
//!
//! A line goes on below its second column if it has one (what stands behind two or more spaces, as
//! in tables of labels and values), else a little further in than it began.

/// Narrower terminals get lines as they are.
const NARROWEST: usize = 20;
/// The end of all styles.
const RESET: &str = "\u{1b}[0m";

/// The text with no line longer than `columns`, unless a single word is.
pub(crate) fn folded(text: &str, columns: usize) -> String {
    if columns < NARROWEST {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        fold_line(&mut out, line, columns);
        out.push_str(end);
    }
    out
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// A sequence that styles what follows and takes no room.
    Style(&'a str),
    Spaces(usize),
    Word(&'a str),
}

fn fold_line(out: &mut String, line: &str, columns: usize) {
    let pieces = pieces(line);
    let room = |piece: &Piece<'_>| match piece {
        Piece::Style(_) => 0,
        Piece::Spaces(count) => *count,
        Piece::Word(word) => word.chars().count(),
    };
    if pieces.iter().map(room).sum::<usize>() <= columns {
        out.push_str(line);
        return;
    }
    let indent = " ".repeat(hanging(&pieces, columns));
    let (mut used, mut waiting) = (0, 0);
    // Styles between two words belong to the second one, wherever it comes to stand.
    let mut styles = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            // The end of a style stays where the styled text ends.
            Piece::Style(style) if *style == RESET && styles.is_empty() => out.push_str(style),
            Piece::Style(style) => styles.push_str(style),
            Piece::Spaces(count) => waiting += count,
            Piece::Word(word) => {
                // Words that only a style separates stay together.
                let more = pieces[index + 1..].iter().take_while(|piece| !matches!(piece, Piece::Spaces(_)));
                let width = word.chars().count() + more.map(room).sum::<usize>();
                if used > 0 && waiting > 0 && used + waiting + width > columns && used > indent.len() {
                    out.push('\n');
                    out.push_str(&indent);
                    used = indent.len();
                } else {
                    out.extend(std::iter::repeat_n(' ', waiting));
                    used += waiting;
                }
                waiting = 0;
                out.push_str(&styles);
                styles.clear();
                out.push_str(word);
                used += word.chars().count();
            }
        }
    }
    out.push_str(&styles);
}

/// How far in a broken line goes on.
fn hanging(pieces: &[Piece<'_>], columns: usize) -> usize {
    // Spaces may stand before and after the end of a style.
    let (mut at, mut gap, mut has_word, mut begins) = (0, 0, false, 0);
    for piece in pieces {
        match piece {
            Piece::Style(_) => {}
            Piece::Spaces(count) => gap += count,
            Piece::Word(word) => {
                let second = at + gap;
                if has_word && gap > 1 {
                    if second <= columns / 2 {
                        return second;
                    }
                    break;
                }
                if !has_word {
                    begins = gap;
                }
                at = second + word.chars().count();
                (gap, has_word) = (0, true);
            }
        }
    }
    (begins + 2).min(columns / 2)
}

fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if first == '\u{1b}' {
            // A style ends with a letter.
            let end = rest.char_indices().skip(2).find(|(_, c)| c.is_ascii_alphabetic());
            end.map_or(rest.len(), |(at, _)| at + 1)
        } else if first == ' ' {
            rest.len() - rest.trim_start_matches(' ').len()
        } else {
            rest.find([' ', '\u{1b}']).unwrap_or(rest.len())
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(match first {
            '\u{1b}' => Piece::Style(piece),
            ' ' => Piece::Spaces(length),
            _ => Piece::Word(piece),
        });
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, columns: usize, expected: &str) {
        let found = folded(text, columns);
        assert_eq!(found, expected);
        let longest = |text: &str| {
            let plain = anstream::adapter::strip_str(text).to_string();
            plain.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
        };
        let plain = anstream::adapter::strip_str(&found).to_string();
        for line in plain.lines().filter(|_| columns >= NARROWEST) {
            assert!(line.chars().count() <= columns + longest(text), "{line}");
        }
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let before = anstream::adapter::strip_str(text).to_string();
        assert_eq!(words(&plain), words(&before), "no word is lost");
    }

    #[test]
    fn long_lines_go_on_below_their_second_column() {
        check("short\nlines\n", 30, "short\nlines\n");
        check("holds   AG (a -> b & c & d & e)\n", 24, "holds   AG (a -> b & c &\n        d & e)\n");
        check("a text without any columns at all", 20, "a text without any\n  columns at all");
        check("  hint: a hint that is long enough", 22, "  hint: a hint that is\n    long enough");
        check("one_word_that_is_longer_than_the_line", 20, "one_word_that_is_longer_than_the_line");
        check(
            "x  one_word_that_is_longer_than_the_line y",
            20,
            "x  one_word_that_is_longer_than_the_line\n   y",
        );
        check("trailing spaces and much more     \n", 20, "trailing spaces and\n  much more\n");
        check("a narrow terminal is left alone", 5, "a narrow terminal is left alone");
    }

    #[test]
    fn styles_take_no_room() {
        let (on, off) = ("\u{1b}[1m", "\u{1b}[0m");
        check(&format!("{on}bold{off} fits in twenty"), 20, &format!("{on}bold{off} fits in twenty"));
        check(
            &format!("label  {on}a value{off} {on}styled twice{off}"),
            20,
            &format!("label  {on}a value{off}\n       {on}styled twice{off}"),
        );
        check(
            &format!("{on}label  {off} a value that is long"),
            20,
            &format!("{on}label{off}   a value that\n        is long"),
        );
        // A word in two styles is one word.
        check(
            &format!("aaaa bbbb cccc dddd{on}eeee{off}"),
            20,
            &format!("aaaa bbbb cccc\n  dddd{on}eeee{off}"),
        );
    }
}
