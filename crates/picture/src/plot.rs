//! Measurements as a picture: marks above groups, on a scale of powers.
//!
//! A [`Plot`] is plain data: groups stand side by side (a model, say), each series has a colour and a
//! shape (a way to answer; the colour may say one thing about it and the shape another), and every
//! panel shows one quantity of them all on its own scale. Scales are logarithmic, since what is
//! compared mostly differs by factors, so only heights can be compared: a faint line through each
//! mark leads to its group, and its length means nothing. What has no number, because it ran out of
//! something, stands in a strip above the scale: it is never taken for a large number.

mod histogram;
mod marker;
mod scale;
mod style;

pub use histogram::{Histogram, histogram};

use crate::geometry::Point;
use crate::measure::{self, FONT, LINE, text_width};
use crate::svg::{escaped, number, open, text};
use scale::Scale;
use std::fmt::Write;

/// Measurements of groups × series, in one or more panels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// What is measured.
    pub title: String,
    /// What stands side by side.
    pub groups: Vec<String>,
    /// What is compared within a group.
    pub series: Vec<PlotSeries>,
    /// What each colour means; if it is empty, each series has an entry of its own in the legend.
    pub colours: Vec<String>,
    /// What each shape means, likewise.
    pub shapes: Vec<String>,
    /// What it means to have no number, in a word or two.
    pub beyond: String,
    /// The quantities, one below the other.
    pub panels: Vec<PlotPanel>,
}

/// One way that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlotSeries {
    /// What it is called.
    pub name: String,
    /// The number of its colour; large numbers use colours again.
    pub colour: usize,
    /// The number of its shape, likewise.
    pub shape: usize,
}

/// The number of distinct colours and of distinct shapes.
pub const PLOT_LOOKS: (usize, usize) = (style::COLOURS, marker::SHAPES.len());

/// One quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotPanel {
    /// What it is.
    pub title: String,
    /// How its numbers are written.
    pub unit: PlotUnit,
    /// For every group the marks of all series; what is missing at the end is not drawn.
    pub marks: Vec<Vec<PlotMark>>,
}

/// How numbers are written, and where the lines of a scale are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotUnit {
    /// Powers of ten of a second.
    Seconds,
    /// Powers of four of a byte, so that every fifth line is 1024 times higher.
    Bytes,
    /// Powers of ten.
    Count,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PlotMark {
    /// Nothing.
    #[default]
    None,
    /// A number; below the smallest that the unit shows, it stands there. What is not finite is not
    /// drawn.
    At(f64),
    /// No number, for this reason.
    Beyond(String),
}

const MARGIN: f64 = 14.0;
/// The room to the left of a panel for the numbers of its scale.
const AXIS: f64 = 76.0;
const PANEL_HEIGHT: f64 = 240.0;
const PANEL_TITLE: f64 = 24.0;
/// The strip above a scale for what has no number.
const STRIP: f64 = 24.0;
const BELOW_PANEL: f64 = 18.0;
/// The room of one mark, and between groups.
const SLOT: f64 = 14.0;
const GROUP_GAP: f64 = 18.0;
const NARROWEST: f64 = 420.0;
/// The slope of labels that do not fit below their group, in degrees and as its sine and cosine.
const SLOPE: (f64, f64, f64) = (35.0, 0.574, 0.819);

/// The picture of measurements.
pub fn plot(plot: &Plot) -> String {
    let frame = Frame::new(plot);
    let mut out = String::new();
    let title = if plot.title.trim().is_empty() { "Measurements" } else { &plot.title };
    let description = format!(
        "{} panels, {} groups, {} series, logarithmic scales",
        plot.panels.len(),
        plot.groups.len(),
        plot.series.len()
    );
    open(&mut out, frame.width, frame.height, title, &description);
    let _ = writeln!(out, "<style>{}</style>", style::SHEET);
    let shown = measure::shortened(title, frame.width - 2.0 * MARGIN, FONT * 1.16);
    text(&mut out, "heading", &shown, Point::new(MARGIN, MARGIN + FONT), "start", FONT);
    out.push('\n');
    for (entry, at) in &frame.legend {
        match entry.look {
            marker::Look::Colour(colour) => marker::swatch(&mut out, colour, *at, entry.name),
            look => marker::draw(&mut out, look, *at, marker::Fill::Full, entry.name),
        }
        text(&mut out, "text", entry.name, at.plus(11.0, FONT * 0.35), "start", FONT);
        out.push('\n');
    }
    let mut top = frame.panels_top;
    for panel in &plot.panels {
        draw_panel(&mut out, plot, panel, &frame, top);
        top += panel_height(panel);
    }
    draw_groups(&mut out, plot, &frame, top - BELOW_PANEL);
    out.push_str("</svg>\n");
    out
}

/// An entry of the legend.
struct Entry<'a> {
    name: &'a str,
    look: marker::Look,
}

/// The rows of the legend: colours, then shapes, or all series.
fn legend(plot: &Plot) -> Vec<Vec<Entry<'_>>> {
    fn entries(names: &[String], look: fn(usize) -> marker::Look) -> Vec<Entry<'_>> {
        names.iter().enumerate().map(|(index, name)| Entry { name, look: look(index) }).collect()
    }
    if plot.colours.is_empty() || plot.shapes.is_empty() {
        let look = |one: &PlotSeries| marker::Look::Both(one.colour, one.shape);
        return vec![plot.series.iter().map(|one| Entry { name: &one.name, look: look(one) }).collect()];
    }
    vec![entries(&plot.colours, marker::Look::Colour), entries(&plot.shapes, marker::Look::Shape)]
}

/// Where everything is.
struct Frame<'a> {
    width: f64,
    height: f64,
    /// The legend.
    legend: Vec<(Entry<'a>, Point)>,
    panels_top: f64,
    /// The width of one group, gap included.
    group: f64,
    /// Whether the labels of groups are written aslant.
    slanted: bool,
}

impl<'a> Frame<'a> {
    fn new(plot: &'a Plot) -> Frame<'a> {
        let groups = plot.groups.len().max(1) as f64;
        let group = (plot.series.len().max(1) as f64 * SLOT + GROUP_GAP).max(NARROWEST / groups);
        let label = |group: &String| text_width(&measure::label_shown(group), FONT);
        let widest = plot.groups.iter().map(label).fold(0.0, f64::max);
        let slanted = widest > group - 8.0;
        let width = (2.0 * MARGIN + AXIS + groups * group).ceil();
        let mut placed = Vec::new();
        let mut at = Point::new(MARGIN + 6.0, MARGIN + FONT + 22.0);
        let mut longest = 0.0_f64;
        for (row, entries) in legend(plot).into_iter().enumerate() {
            if row > 0 {
                at = Point::new(MARGIN + 6.0, at.y + LINE + 3.0);
            }
            for entry in entries {
                let room = 11.0 + text_width(entry.name, FONT);
                if at.x > MARGIN + 6.0 && at.x + room > width - MARGIN {
                    at = Point::new(MARGIN + 6.0, at.y + LINE + 3.0);
                }
                longest = longest.max(room);
                placed.push((entry, at));
                at = at.plus(room + 20.0, 0.0);
            }
        }
        // One series of a long name may be wider than all groups.
        let legend_width = longest + 2.0 * MARGIN + 13.0;
        let panels_top = if plot.series.is_empty() { MARGIN + FONT + 12.0 } else { at.y + 18.0 };
        let panels: f64 = plot.panels.iter().map(panel_height).sum();
        let labels = if slanted { widest * SLOPE.1 + LINE } else { LINE };
        Frame {
            width: width.max(legend_width),
            height: (panels_top + panels - BELOW_PANEL + 6.0 + labels + MARGIN).ceil(),
            legend: placed,
            panels_top,
            group,
            slanted,
        }
    }

    fn left(&self) -> f64 {
        MARGIN + AXIS
    }

    /// The middle of a mark.
    fn slot(&self, group: usize, series: usize, of: usize) -> f64 {
        let middle = self.left() + (group as f64 + 0.5) * self.group;
        middle + (series as f64 - (of as f64 - 1.0) / 2.0) * SLOT
    }
}

fn panel_height(panel: &PlotPanel) -> f64 {
    let strip = if has_strip(panel) { STRIP } else { 0.0 };
    PANEL_TITLE + strip + PANEL_HEIGHT + BELOW_PANEL
}

fn has_strip(panel: &PlotPanel) -> bool {
    panel.marks.iter().flatten().any(|mark| matches!(mark, PlotMark::Beyond(_)))
}

fn draw_panel(out: &mut String, plot: &Plot, panel: &PlotPanel, frame: &Frame<'_>, top: f64) {
    let values = panel.marks.iter().flatten().filter_map(|mark| match mark {
        PlotMark::At(value) if value.is_finite() => Some(*value),
        _ => None,
    });
    let strip = if has_strip(panel) { STRIP } else { 0.0 };
    let scale_top = top + PANEL_TITLE + strip;
    let bottom = scale_top + PANEL_HEIGHT;
    let scale = Scale::of(panel.unit, values, scale_top + 8.0, bottom);
    let (left, right) = (frame.left(), frame.left() + frame.group * plot.groups.len().max(1) as f64);

    // Every other group is shaded, below everything else.
    for group in (1..plot.groups.len()).step_by(2) {
        let x = number(left + group as f64 * frame.group);
        let (y, width) = (number(top + PANEL_TITLE), number(frame.group));
        let height = number(bottom - top - PANEL_TITLE);
        let _ = writeln!(
            out,
            "<rect class=\"shade\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }
    text(out, "heading", &panel.title, Point::new(left, top + FONT + 2.0), "start", FONT);
    out.push('\n');
    for line in scale.lines() {
        horizontal(out, "grid", left, right, line.y);
        let at = Point::new(left - 8.0, line.y + FONT * 0.35);
        text(out, "quiet", &line.label, at, "end", FONT);
        out.push('\n');
    }
    horizontal(out, "rule", left, right, bottom);
    if strip > 0.0 {
        let y = top + PANEL_TITLE + STRIP / 2.0;
        horizontal(out, "rule", left, right, scale_top);
        let shown = measure::shortened(&plot.beyond, AXIS - 4.0, FONT);
        text(out, "quiet", &shown, Point::new(left - 8.0, y + FONT * 0.35), "end", FONT);
        out.push('\n');
    }
    for (group, marks) in panel.marks.iter().enumerate().take(plot.groups.len()) {
        for (series, mark) in marks.iter().enumerate().take(plot.series.len()) {
            let x = frame.slot(group, series, plot.series.len());
            let one = &plot.series[series];
            let look = marker::Look::Both(one.colour, one.shape);
            let names = format!("{}, {}", plot.groups[group], one.name);
            if !matches!(mark, PlotMark::None) {
                let (column, head, foot) = (number(x), number(top + PANEL_TITLE), number(bottom));
                let _ = write!(out, "<path class=\"guide\" d=\"M{column} {foot}V{head}\"/>");
            }
            match mark {
                PlotMark::At(value) if value.is_finite() => {
                    let y = scale.height_of(*value);
                    let title = format!("{names}: {}", scale::written(panel.unit, *value));
                    marker::draw(out, look, Point::new(x, y), marker::Fill::Full, &title);
                }
                PlotMark::Beyond(why) => {
                    let at = Point::new(x, top + PANEL_TITLE + STRIP / 2.0);
                    marker::draw(out, look, at, marker::Fill::Empty, &format!("{names}: {why}"));
                }
                PlotMark::None | PlotMark::At(_) => {}
            }
            out.push('\n');
        }
    }
}

fn horizontal(out: &mut String, class: &str, left: f64, right: f64, y: f64) {
    let (left, right, y) = (number(left), number(right), number(y));
    let _ = writeln!(out, "<path class=\"{class}\" d=\"M{left} {y}H{right}\"/>");
}

/// The names of the groups, below the last panel.
fn draw_groups(out: &mut String, plot: &Plot, frame: &Frame<'_>, bottom: f64) {
    for (group, name) in plot.groups.iter().enumerate() {
        let middle = frame.left() + (group as f64 + 0.5) * frame.group;
        let shown = measure::label_shown(name);
        if shown != *name {
            let _ = write!(out, "<g><title>{}</title>", escaped(name));
        }
        if frame.slanted {
            // A long name reaches to the left, where the axis has room to spare.
            let widest = (middle - MARGIN) / SLOPE.2;
            let shown = measure::shortened(&shown, widest, FONT);
            let (x, y) = (number(middle + 4.0), number(bottom + 14.0));
            let _ = write!(
                out,
                "<text class=\"text\" transform=\"translate({x} {y}) rotate(-{})\" text-anchor=\"end\" \
                 font-size=\"{FONT}\">{}</text>",
                SLOPE.0,
                escaped(&shown)
            );
        } else {
            text(out, "text", &shown, Point::new(middle, bottom + FONT + 4.0), "middle", FONT);
        }
        out.push_str(if shown != *name { "</g>\n" } else { "\n" });
    }
}

#[cfg(test)]
mod tests;
