//! The marks of series: shapes that can be distinguished without their colours.

use super::style;
use crate::geometry::Point;
use crate::svg::{escaped, number};
use std::fmt::Write;

/// How a mark is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// It stands for a number.
    Full,
    /// It stands for the lack of one.
    Empty,
}

/// The shapes, around the origin: circle, square, triangles, diamond, cross, bars. Their number and
/// that of the colours have no common factor, so that many series differ in one or the other.
const SHAPES: [&str; 7] = [
    "m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0z",
    "m-4.1 -4.1h8.2v8.2h-8.2z",
    "m0 -5.2l5 8.8h-10z",
    "m0 -5.6l5.6 5.6l-5.6 5.6l-5.6 -5.6z",
    "m0 5.2l-5 -8.8h10z",
    "m-1.7 -5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z",
    "m-2.4 -5.2h4.8v10.4h-4.8z",
];

/// Draws the mark of a series; pointing at it tells more.
pub(super) fn draw(out: &mut String, series: usize, at: Point, fill: Fill, title: &str) {
    let open = match fill {
        Fill::Full => "",
        Fill::Empty => " open",
    };
    let _ = write!(
        out,
        "<path class=\"mark c{}{open}\" d=\"M{} {}{}\"><title>{}</title></path>",
        style::colour(series),
        number(at.x),
        number(at.y),
        SHAPES[series % SHAPES.len()],
        escaped(title)
    );
}
