//! How much room text takes, and with it every shape.
//!
//! The font that a reader's browser will choose is unknown. The table holds the widths that usual
//! sans-serif fonts agree on, a little on the wide side, so that text stays inside what was
//! measured.

use crate::geometry::Rect;
use crate::graph::{Node, Shape};

/// The size of ordinary text, in pixels.
pub(crate) const FONT: f64 = 13.0;
/// The distance from a line of text to the next.
pub(crate) const LINE: f64 = 17.0;
/// Labels wider than this are shortened.
const WIDEST_LABEL: f64 = 170.0;
/// Lines inside a box may be wider.
const WIDEST_LINE: f64 = 340.0;
/// The most lines of a state.
const MOST_LINES: usize = 14;
/// The distance between a shape and the label beside it.
pub(crate) const LABEL_GAP: f64 = 5.0;
/// The height of a record.
pub(crate) const CELL_HEIGHT: f64 = 26.0;

const PLACE: f64 = 32.0;
const BAR_LENGTH: f64 = 32.0;
const BAR_WIDTH: f64 = 10.0;
const SQUARE: f64 = 20.0;

/// Fonts that stand in for the usual ones are wider.
const WIDER: f64 = 1.09;

/// Widths of the characters from space to tilde, in thousandths of the font size.
const WIDTHS: [u16; 95] = [
    278, 300, 370, 570, 570, 890, 690, 210, 340, 340, 400, 590, 290, 340, 290, 300, 570, 570, 570, 570, 570,
    570, 570, 570, 570, 570, 290, 290, 590, 590, 590, 560, 1015, 680, 680, 720, 730, 670, 620, 780, 740, 290,
    510, 680, 570, 840, 740, 780, 670, 780, 720, 670, 620, 730, 670, 945, 680, 670, 620, 290, 300, 290, 480,
    560, 340, 570, 570, 510, 570, 570, 300, 570, 570, 235, 240, 520, 235, 850, 570, 570, 570, 570, 350, 510,
    300, 570, 510, 740, 510, 510, 510, 350, 270, 350, 600,
];

/// The width of a line of text in a font of this size.
pub(crate) fn text_width(text: &str, font: f64) -> f64 {
    let thousandths: u32 = text.chars().map(character_width).sum();
    f64::from(thousandths) * font / 1000.0 * WIDER
}

fn character_width(character: char) -> u32 {
    match character as u32 {
        code @ 0x20..0x7f => u32::from(WIDTHS[code as usize - 0x20]),
        // Combining marks and joiners take no room of their own.
        0x300..0x370 | 0x200b..0x2010 | 0xfe00..0xfe10 => 0,
        // Letters of Asia and pictograms fill a square.
        0x1100..0x1200
        | 0x2e80..0xa4d0
        | 0xac00..0xd7a4
        | 0xf900..0xfb00
        | 0xfe30..0xfe70
        | 0xff00..0xff61 => 1000,
        0x1f000.. => 1250,
        0x00..0x20 | 0x7f..0xa0 => 0,
        0x2026 | 0x2190..0x2300 => 1000,
        _ => 640,
    }
}

/// The text itself if it fits, else its beginning and its end around an ellipsis: names that share
/// a beginning mostly differ at the end.
pub(crate) fn shortened(text: &str, widest: f64, font: f64) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text_width(&text, font) <= widest {
        return text;
    }
    let characters: Vec<char> = text.chars().collect();
    let mut keep = characters.len().saturating_sub(1);
    // A very long text is cut to a length at which trying one character at a time is cheap.
    keep = keep.min((widest / font * 5.0) as usize + 2);
    loop {
        let (head, tail) = (keep - keep / 3, keep / 3);
        let short: String = characters[..head]
            .iter()
            .chain(std::iter::once(&'…'))
            .chain(&characters[characters.len() - tail..])
            .collect();
        if keep <= 1 || text_width(&short, font) <= widest {
            return short;
        }
        keep -= 1;
    }
}

/// The label beside a place or a transition, as shown.
pub(crate) fn label_shown(label: &str) -> String {
    shortened(label, WIDEST_LABEL, FONT)
}

/// The label of an arc, as shown.
pub(crate) fn arc_label_shown(label: &str) -> String {
    shortened(label, WIDEST_LABEL, ARC_FONT)
}

/// The label of a group, as shown.
pub(crate) fn group_label_shown(label: &str) -> String {
    shortened(label, WIDEST_LABEL, FONT)
}

/// The size of the text of arcs.
pub(crate) const ARC_FONT: f64 = 12.0;

/// The lines of a state, as shown.
pub(crate) fn lines_shown(lines: &[String]) -> Vec<String> {
    let mut shown: Vec<String> =
        lines.iter().take(MOST_LINES).map(|line| shortened(line, WIDEST_LINE, FONT)).collect();
    if lines.len() > MOST_LINES {
        shown[MOST_LINES - 1] = format!("… {} more", lines.len() - MOST_LINES + 1);
    }
    shown
}

/// A cell of a record, as shown.
pub(crate) fn cell_shown(cell: &str) -> String {
    shortened(cell, WIDEST_LABEL, FONT)
}

/// The cells of a record, its upper left corner at the origin.
pub(crate) fn cell_boxes(cells: &[String], stance: Stance) -> Vec<Rect> {
    let width = |cell: &String| (text_width(&cell_shown(cell), FONT) + 12.0).max(24.0).ceil();
    let widest = cells.iter().map(width).fold(0.0, f64::max);
    let mut corner = (0.0, 0.0);
    let mut boxes = Vec::with_capacity(cells.len());
    for cell in cells {
        let (left, top) = corner;
        let width = if stance == Stance::Right { widest } else { width(cell) };
        boxes.push(Rect { left, top, right: left + width, bottom: top + CELL_HEIGHT });
        corner = if stance == Stance::Right { (left, top + CELL_HEIGHT) } else { (left + width, top) };
    }
    boxes
}

/// The way arcs lead past a node, across which bars and records stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// Down: bars lie, cells stand side by side.
    Down,
    /// To the right: bars stand, cells lie on each other.
    Right,
    /// Any: transitions are squares.
    Free,
}

/// The room that a node takes.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    /// The width of the shape alone.
    pub(crate) width: f64,
    /// The height of the shape alone.
    pub(crate) height: f64,
    /// The width and height of the label beside it.
    pub(crate) label: Option<(f64, f64)>,
}

/// The room that this node takes.
pub(crate) fn node_size(node: &Node, stance: Stance) -> Size {
    let beside = |label: &str, width, height| {
        let shown = label_shown(label);
        let label = (!shown.trim().is_empty()).then(|| (text_width(&shown, FONT).ceil(), LINE));
        Size { width, height, label }
    };
    let alone = |width: f64, height: f64| Size { width: width.ceil(), height: height.ceil(), label: None };
    match &node.shape {
        Shape::Place { label, .. } => beside(label, PLACE, PLACE),
        Shape::Transition { label } => match stance {
            Stance::Down => beside(label, BAR_LENGTH, BAR_WIDTH),
            Stance::Right => beside(label, BAR_WIDTH, BAR_LENGTH),
            Stance::Free => beside(label, SQUARE, SQUARE),
        },
        Shape::State { lines } => {
            let shown = lines_shown(lines);
            let widest = shown.iter().map(|line| text_width(line, FONT)).fold(0.0, f64::max);
            alone((widest + 20.0).max(34.0), shown.len().max(1) as f64 * LINE + 11.0)
        }
        Shape::Cells { cells } => {
            let boxes = cell_boxes(cells, stance);
            let last =
                boxes.last().copied().unwrap_or(Rect { right: 24.0, bottom: CELL_HEIGHT, ..Rect::default() });
            alone(last.right, last.bottom)
        }
        Shape::Terminal { label } => {
            alone((text_width(&label_shown(label), FONT) + 20.0).max(28.0), LINE + 9.0)
        }
        Shape::Text { label } => alone(text_width(&label_shown(label), FONT) + 6.0, LINE + 3.0),
    }
}

/// How many tokens are shown as dots; more are a number.
pub(crate) const MOST_DOTS: u64 = 5;

/// The distance that a step between dots is multiplied with.
pub(crate) const TOKEN_STEP: f64 = 6.2;

/// Where the dots of so many tokens are around the middle of a place, as on a die; none if they are
/// a number.
pub(crate) fn token_dots(tokens: u64) -> Option<&'static [(f64, f64)]> {
    Some(match tokens {
        0 => &[],
        1 => &[(0.0, 0.0)],
        2 => &[(-0.8, 0.0), (0.8, 0.0)],
        3 => &[(0.0, -0.95), (-0.85, 0.55), (0.85, 0.55)],
        4 => &[(-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8), (0.8, 0.8)],
        MOST_DOTS => &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (0.0, 0.0)],
        _ => return None,
    })
}

/// A number that fits a place: whole up to four digits, then with a letter, then with an exponent.
pub(crate) fn short_number(number: u64) -> String {
    const LETTERS: [&str; 3] = ["k", "M", "G"];
    if number < 10_000 {
        return number.to_string();
    }
    let mut unit = 1000;
    for letter in LETTERS {
        let (whole, tenth) = (number / unit, number % unit / (unit / 10));
        if whole < 1000 {
            let exact = number.is_multiple_of(unit / 10);
            let about = if exact { "" } else { "~" };
            return if whole < 10 && tenth > 0 {
                format!("{about}{whole}.{tenth}{letter}")
            } else {
                let about = if number.is_multiple_of(unit) { "" } else { "~" };
                format!("{about}{whole}{letter}")
            };
        }
        unit *= 1000;
    }
    format!("~e{}", number.ilog10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shortened_around_its_middle() {
        let check = |text: &str, widest: f64, expected: &str| {
            let short = shortened(text, widest, 10.0);
            assert_eq!(short, expected);
            assert!(text_width(&short, 10.0) <= widest.max(text_width("…", 10.0)));
        };
        check("Fork_1", 100.0, "Fork_1");
        check("a_rather_long_name_17", 70.0, "a_rathe…_17");
        check("W", 1.0, "…");
        check("two\nlines", 100.0, "two lines");
    }

    #[test]
    fn numbers_fit_a_place() {
        for (number, expected) in [
            (6, "6"),
            (9999, "9999"),
            (10_000, "10k"),
            (12_345, "~12k"),
            (1_500_000, "1.5M"),
            (1_510_000, "~1.5M"),
            (7_000_000_000, "7G"),
            (u64::MAX, "~e19"),
        ] {
            assert_eq!(short_number(number), expected);
        }
    }
}
