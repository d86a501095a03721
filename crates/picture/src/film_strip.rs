//! A trace as a film: one panel per state, all with the layout of the graph.

use crate::geometry::{Point, Rect};
use crate::graph::Graph;
use crate::layout::Layout;
use crate::measure::{self, FONT, LINE};
use crate::svg::{self, View};
use std::fmt::Write;

/// One state of a film.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Its number in the whole film.
    pub number: usize,
    /// The frames of the whole film that are left out just before this one; a panel says so.
    pub left_out: usize,
    /// What is said below the panel, such as the transition that fired.
    pub caption: String,
    /// The tokens of every node of the graph; only those of places are shown.
    pub tokens: Vec<u64>,
    /// The nodes that stand out: what fired, what changed.
    pub active: Vec<usize>,
}

/// The width of the page that panels are arranged for.
const PAGE: f64 = 1120.0;
const MARGIN: f64 = 16.0;
const GAP: f64 = 14.0;
/// The room below the graph of a panel for its number and caption.
const CAPTION: f64 = 30.0;
/// Graphs are not made smaller than this share of their size, unless one alone is wider than the
/// page.
const SMALLEST: f64 = 0.58;
const MOST_COLUMNS: usize = 4;

/// What stands in a panel.
enum Panel<'a> {
    /// A frame.
    Frame(&'a Frame),
    /// The number of frames that are not shown.
    LeftOut(usize),
}

/// The picture of a film: a panel for each frame, and one wherever frames are left out.
pub fn film_strip(graph: &Graph, layout: &Layout, frames: &[Frame]) -> String {
    let panels = panels(frames);
    let wanted = |columns: usize| {
        let width = (PAGE - 2.0 * MARGIN - GAP * (columns as f64 - 1.0)) / columns as f64;
        (width / (layout.width + 8.0)).min(1.0)
    };
    let most = MOST_COLUMNS.min(panels.len().max(1));
    let columns = (1..=most).rev().find(|&columns| wanted(columns) >= SMALLEST).unwrap_or(1);
    let scale = wanted(columns);
    let panel_width = (layout.width * scale + 8.0).max(150.0).ceil();
    let panel_height = (layout.height * scale + CAPTION + 8.0).ceil();
    let rows = panels.len().div_ceil(columns);

    let head = if graph.title.trim().is_empty() { 0.0 } else { LINE + 8.0 };
    let width = 2.0 * MARGIN + columns as f64 * (panel_width + GAP) - GAP;
    let panels_end = MARGIN + head + (rows as f64 * (panel_height + GAP) - GAP).max(0.0);
    let height = panels_end + MARGIN + svg::legend_height(graph, width);
    let left_out: usize = frames.iter().map(|frame| frame.left_out).sum();
    let count = frames.len() + left_out;
    let mut description = format!("A film of {count} frames of {}", svg::description(graph));
    if left_out > 0 {
        let _ = write!(description, "; {left_out} frames are left out");
    }
    let mut out = String::new();
    svg::open(&mut out, width, height, &graph.title, &description);
    if head > 0.0 {
        let title = measure::shortened(&graph.title, width - 2.0 * MARGIN, FONT);
        svg::text(&mut out, "heading", &title, Point::new(MARGIN, MARGIN + FONT), "start", FONT);
        out.push('\n');
    }
    for (place, panel) in panels.iter().enumerate() {
        let left = MARGIN + (place % columns) as f64 * (panel_width + GAP);
        let top = MARGIN + head + (place / columns) as f64 * (panel_height + GAP);
        let rect = Rect { left, top, right: left + panel_width, bottom: top + panel_height };
        match *panel {
            Panel::Frame(frame) => draw_frame(&mut out, graph, layout, frame, &rect, scale),
            Panel::LeftOut(count) => {
                let middle = rect.center();
                svg::text(&mut out, "quiet", "…", middle.plus(0.0, -10.0), "middle", 28.0);
                let said =
                    if count == 1 { "1 step left out".to_owned() } else { format!("{count} steps left out") };
                svg::text(&mut out, "quiet", &said, middle.plus(0.0, 14.0), "middle", FONT);
                out.push('\n');
            }
        }
    }
    svg::draw_legend(&mut out, graph, panels_end + 6.0, width);
    out.push_str("</svg>\n");
    out
}

fn panels(frames: &[Frame]) -> Vec<Panel<'_>> {
    let gap = |frame: &Frame| (frame.left_out > 0).then_some(Panel::LeftOut(frame.left_out));
    frames.iter().flat_map(|frame| gap(frame).into_iter().chain([Panel::Frame(frame)])).collect()
}

fn draw_frame(out: &mut String, graph: &Graph, layout: &Layout, frame: &Frame, rect: &Rect, scale: f64) {
    let sides = (svg::number(rect.left), svg::number(rect.top));
    let size = (svg::number(rect.width()), svg::number(rect.height()));
    let _ = writeln!(
        out,
        "<rect class=\"panel\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
        sides.0, sides.1, size.0, size.1
    );
    let x = rect.left + (rect.width() - layout.width * scale) / 2.0;
    let _ = writeln!(
        out,
        "<g transform=\"translate({} {}) scale({:.4})\">",
        svg::number(x),
        svg::number(rect.top + 2.0),
        scale
    );
    svg::body(out, graph, layout, &View { tokens: Some(&frame.tokens), active: &frame.active });
    out.push_str("</g>\n");
    let y = rect.bottom - 11.0;
    let number = frame.number.to_string();
    svg::text(out, "number", &number, Point::new(rect.left + 10.0, y), "start", FONT);
    let indent = measure::text_width(&number, FONT) + 20.0;
    let shown = measure::shortened(&frame.caption, rect.width() - indent - 8.0, FONT);
    if shown != frame.caption {
        let _ = write!(out, "<g><title>{}</title>", svg::escaped(&frame.caption));
    }
    svg::text(out, "text", &shown, Point::new(rect.left + indent, y), "start", FONT);
    if shown != frame.caption {
        out.push_str("</g>");
    }
    out.push('\n');
}
