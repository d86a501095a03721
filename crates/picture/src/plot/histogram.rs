//! How many there are of each number: bars side by side, on a scale that begins at 0.
//!
//! Counts may have thousands of digits, so they come as multiples of a power of ten. Where there
//! are more numbers than bars would fit, neighbours share one.

use super::{MARGIN, horizontal, style};
use crate::geometry::Point;
use crate::measure::{self, FONT};
use crate::svg::{escaped, number, open, text};
use std::fmt::Write;

/// Counts of the numbers from 0 on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// What is counted.
    pub title: String,
    /// A line below the title; may be empty.
    pub remark: String,
    /// What the numbers are.
    pub axis: String,
    /// What there are so many of.
    pub counted: String,
    /// How many there are of 0, of 1, and so on, each times a power of ten.
    pub counts: Vec<f64>,
    /// That power.
    pub exponent: usize,
    /// Each count in full, for whoever points at its bar; what is missing is not told.
    pub told: Vec<String>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
/// The room to the left for the numbers of the scale, and below for those of the axis.
const LEFT: f64 = 82.0;
const BELOW: f64 = 46.0;
/// More bars are not drawn, and no wider ones.
const MOST_BARS: usize = 240;
const WIDEST_BAR: f64 = 36.0;
/// The approximate number of lines across a picture, and of numbers below it.
const LINES: f64 = 5.0;
const NUMBERS: f64 = 12.0;
/// What is there at all is seen.
const LOWEST_BAR: f64 = 1.0;

/// The picture of counts.
pub fn histogram(histogram: &Histogram) -> String {
    let share = histogram.counts.len().div_ceil(MOST_BARS).max(1);
    let bars: Vec<f64> = histogram.counts.chunks(share).map(|counts| counts.iter().sum()).collect();
    let most = bars.iter().copied().fold(0.0, f64::max);
    let room = WIDTH - 2.0 * MARGIN - LEFT;
    let slot = (room / bars.len().max(1) as f64).min(WIDEST_BAR);
    let (left, right) = (MARGIN + LEFT, MARGIN + LEFT + slot * bars.len().max(1) as f64);
    let has_remark = !histogram.remark.trim().is_empty();
    let top = MARGIN + FONT * if has_remark { 4.2 } else { 2.6 };
    let bottom = top + HEIGHT;

    let mut out = String::new();
    let description = format!("a histogram of {} numbers, {} bars", histogram.counts.len(), bars.len());
    // Few bars make a narrow picture, as wide as its words.
    let words =
        measure::text_width(&histogram.title, FONT * 1.16).max(measure::text_width(&histogram.remark, FONT));
    let width = (right + MARGIN).max(words + 2.0 * MARGIN).min(WIDTH).ceil();
    open(&mut out, width, bottom + BELOW + MARGIN, &histogram.title, &description);
    let _ = writeln!(out, "<style>{}</style>", style::SHEET);
    let shown = measure::shortened(&histogram.title, WIDTH - 2.0 * MARGIN, FONT * 1.16);
    text(&mut out, "heading", &shown, Point::new(MARGIN, MARGIN + FONT), "start", FONT);
    out.push('\n');
    if has_remark {
        let shown = measure::shortened(&histogram.remark, WIDTH - 2.0 * MARGIN, FONT);
        text(&mut out, "quiet", &shown, Point::new(MARGIN, MARGIN + FONT * 2.6), "start", FONT);
        out.push('\n');
    }

    let step = round_step(most / LINES).max(if histogram.exponent == 0 { 1.0 } else { 0.0 });
    let highest = (most / step).ceil().max(1.0) * step;
    let height_of = |count: f64| bottom - (bottom - top) * (count / highest).clamp(0.0, 1.0);
    let lines = (highest / step).round() as usize;
    for line in 0..=lines {
        let count = line as f64 * step;
        let y = height_of(count);
        horizontal(&mut out, if line == 0 { "rule" } else { "grid" }, left, right, y);
        let at = Point::new(left - 8.0, y + FONT * 0.35);
        text(&mut out, "quiet", &written(count, histogram.exponent), at, "end", FONT);
        out.push('\n');
    }

    let gap = if slot > 6.0 { slot * 0.15 } else { 0.0 };
    for (bar, &count) in bars.iter().enumerate().filter(|(_, count)| **count > 0.0) {
        let (first, last) = (bar * share, ((bar + 1) * share).min(histogram.counts.len()) - 1);
        let y = height_of(count).min(bottom - LOWEST_BAR);
        let (x, width) = (number(left + bar as f64 * slot + gap), number(slot - 2.0 * gap));
        let _ = write!(
            out,
            "<rect class=\"c0\" stroke=\"none\" x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\">",
            number(y),
            number(bottom - y)
        );
        let told = match (first == last, histogram.told.get(first)) {
            (true, Some(told)) => format!("{} {first}: {told}", histogram.axis),
            (true, None) => format!("{} {first}: {}", histogram.axis, written(count, histogram.exponent)),
            (false, _) => {
                format!("{} {first} to {last}: {}", histogram.axis, written(count, histogram.exponent))
            }
        };
        let _ = writeln!(out, "<title>{}</title></rect>", escaped(&told));
    }

    // Numbers below, at regular intervals: at the middle of the first bar that has them.
    let stride = round_step(histogram.counts.len() as f64 / NUMBERS).max(1.0) as usize;
    for value in (0..histogram.counts.len()).step_by(stride) {
        let at = Point::new(left + ((value / share) as f64 + 0.5) * slot, bottom + FONT * 1.4);
        text(&mut out, "quiet", &value.to_string(), at, "middle", FONT);
        out.push('\n');
    }
    let at = Point::new(f64::midpoint(left, right), bottom + FONT * 3.0);
    text(&mut out, "text", &histogram.axis, at, "middle", FONT);
    if !histogram.counted.trim().is_empty() {
        let (x, y) = (number(MARGIN + FONT), number(f64::midpoint(top, bottom)));
        let _ = write!(
            out,
            "<text class=\"text\" transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\" \
             font-size=\"{FONT}\">{}</text>",
            escaped(&histogram.counted)
        );
    }
    out.push_str("\n</svg>\n");
    out
}

/// The next number of the form 1, 2 or 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    if least.is_nan() || least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= least * 0.999);
    digit.unwrap_or(10.0) * power
}

/// A number times a power of ten, as a reader takes it in.
fn written(count: f64, exponent: usize) -> String {
    const PLAIN_BELOW: f64 = 1e6;
    if count == 0.0 {
        return "0".to_string();
    }
    if exponent == 0 && count < PLAIN_BELOW {
        return format!("{}", (count * 100.0).round() / 100.0);
    }
    let power = count.log10().floor();
    let digits = (count / 10_f64.powf(power) * 100.0).round() / 100.0;
    format!("{digits}e{}", power as i64 + exponent as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, expected) in
            [(0.0, 1.0), (0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (120.0, 200.0)]
        {
            assert!((round_step(least) - expected).abs() < 1e-9, "{least}: {}", round_step(least));
        }
    }

    #[test]
    fn numbers_are_written_shortly() {
        for (count, exponent, expected) in [
            (0.0, 0, "0"),
            (20.0, 0, "20"),
            (999_999.0, 0, "999999"),
            (2_000_000.0, 0, "2e6"),
            (0.0, 30, "0"),
            (25.0, 30, "2.5e31"),
        ] {
            assert_eq!(written(count, exponent), expected);
        }
    }

    #[test]
    fn every_count_has_a_bar_or_shares_one() {
        let check = |counts: &[f64], bars: usize| {
            let picture = histogram(&Histogram {
                title: "<states>".into(),
                axis: "distance".into(),
                counted: "states".into(),
                counts: counts.to_vec(),
                ..Histogram::default()
            });
            assert_eq!(picture.matches("class=\"c0\"").count(), bars, "{picture}");
            assert!(
                picture.contains("&lt;states&gt;")
                    && picture.contains(">states</text>")
                    && !picture.contains("NaN"),
                "{picture}"
            );
        };
        check(&[], 0);
        check(&[1.0], 1);
        check(&[1.0, 0.0, 3.0], 2);
        check(&vec![1.0; 1000], 200);
        check(&vec![1e300; 240], 240);
    }
}
