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

/// What a mark looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The colour and the shape of a series, by their numbers.
    Both(usize, usize),
    /// A sample of a colour.
    Colour(usize),
    /// A sample of a shape.
    Shape(usize),
}

/// The shapes, around the origin: circle, square, triangles, diamond, cross, bars. Their number and
/// that of the colours have no common factor, so that many series differ in one or the other.
pub(super) const SHAPES: [&str; 7] = [
    "m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0z",
    "m-4.1 -4.1h8.2v8.2h-8.2z",
    "m0 -5.2l5 8.8h-10z",
    "m0 -5.6l5.6 5.6l-5.6 5.6l-5.6 -5.6z",
    "m0 5.2l-5 -8.8h10z",
    "m-1.7 -5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z",
    "m-2.4 -5.2h4.8v10.4h-4.8z",
];

/// Draws a mark; pointing at it tells more.
pub(super) fn draw(out: &mut String, look: Look, at: Point, fill: Fill, title: &str) {
    let open = match fill {
        Fill::Full => "",
        Fill::Empty => " open",
    };
    let (colour, shape) = match look {
        Look::Both(colour, shape) => (format!("c{}", style::colour(colour)), shape),
        Look::Colour(colour) => (format!("c{}", style::colour(colour)), 0),
        Look::Shape(shape) => ("sample".to_string(), shape),
    };
    let _ = write!(
        out,
        "<path class=\"mark {colour}{open}\" d=\"M{} {}{}\"><title>{}</title></path>",
        number(at.x),
        number(at.y),
        SHAPES[shape % SHAPES.len()],
        escaped(title)
    );
}

/// Draws a sample of a colour alone: a flat bar, which is no shape of a mark.
pub(super) fn swatch(out: &mut String, colour: usize, at: Point, title: &str) {
    let _ = write!(
        out,
        "<rect class=\"c{}\" x=\"{}\" y=\"{}\" width=\"14\" height=\"7\" rx=\"2\"><title>{}</title></rect>",
        style::colour(colour),
        number(at.x - 7.0),
        number(at.y - 3.5),
        escaped(title)
    );
}
