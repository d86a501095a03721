//! Pictures as SVG: one string that needs nothing else.
//!
//! Colours are classes with light values, and dark ones for screens that ask for them, so that
//! paper and programs without style sheets of their own see the light ones. What stands out differs
//! in outline as well as in colour, and the colours are those of Okabe and Ito, which colour-blind
//! people tell apart. Arrow heads are shapes of their own, as not every program knows markers that
//! follow their line.

mod arrow;
mod style;

use crate::geometry::{Curve, Point, Rect};
use crate::graph::{Emphasis, Graph, Sample, Shape};
use crate::layout::{Layout, PlacedNode};
use crate::measure::{self, ARC_FONT, FONT, LINE};
use std::fmt::Write;

/// The room above a picture for its title.
const TITLE_ROOM: f64 = 24.0;
/// The room below a picture for its legend, the samples in it, and the gaps before and after each
/// text.
const LEGEND_ROOM: f64 = 28.0;
const LEGEND_LINE: f64 = 20.0;
const SAMPLE: (f64, f64) = (26.0, 14.0);
const LEGEND_GAPS: (f64, f64) = (6.0, 20.0);
/// The distance of titles and legends from the edge of a picture.
const MARGIN: f64 = 14.0;
/// Headings are bold: as wide as ordinary text of this size.
const HEADING: f64 = FONT * 1.16;

/// What differs between pictures with one layout.
pub(crate) struct View<'a> {
    /// The tokens of every node; places of the graph speak for themselves if absent.
    pub(crate) tokens: Option<&'a [u64]>,
    /// Nodes that stand out besides those that do anyway.
    pub(crate) active: &'a [usize],
}

/// The picture of a graph.
pub fn svg(graph: &Graph, layout: &Layout) -> String {
    let head = if graph.title.trim().is_empty() { 0.0 } else { TITLE_ROOM };
    let title = measure::shortened(&graph.title, layout.width.max(420.0) - 28.0, HEADING);
    let words = (measure::text_width(&title, HEADING) + 2.0 * MARGIN).max(legend_width(graph));
    let width = layout.width.max(words).ceil();
    let foot = legend_height(graph, width);
    let mut out = String::new();
    open(&mut out, width, layout.height + head + foot, &graph.title, &description(graph));
    if head > 0.0 {
        text(&mut out, "heading", &title, Point::new(MARGIN, 19.0), "start", FONT);
    }
    let shift = (width - layout.width) / 2.0;
    let _ = writeln!(out, "<g transform=\"translate({} {})\">", number(shift), number(head));
    body(&mut out, graph, layout, &View { tokens: None, active: &[] });
    out.push_str("</g>\n");
    draw_legend(&mut out, graph, head + layout.height, width);
    out.push_str("</svg>\n");
    out
}

/// The rows of the legend: how many entries each has, within this width.
fn legend_rows(graph: &Graph, width: f64) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    let mut used = f64::INFINITY;
    for (sample, meaning) in &graph.legend {
        let entry = entry_width(sample, meaning);
        match rows.last_mut() {
            Some(count) if used + entry - LEGEND_GAPS.1 <= width - 2.0 * MARGIN => {
                *count += 1;
                used += entry;
            }
            _ => {
                rows.push(1);
                used = entry;
            }
        }
    }
    rows
}

/// How wide a picture must be for its legend; wide legends have several rows.
fn legend_width(graph: &Graph) -> f64 {
    const ROW: f64 = 640.0;
    let entries = graph.legend.iter().map(|(sample, meaning)| entry_width(sample, meaning));
    let widest = entries.clone().fold(0.0, f64::max);
    entries.sum::<f64>().min(ROW).max(widest) - LEGEND_GAPS.1 + 2.0 * MARGIN
}

/// The height of a legend in a picture of this width.
pub(crate) fn legend_height(graph: &Graph, width: f64) -> f64 {
    match legend_rows(graph, width).len() {
        0 => 0.0,
        rows => LEGEND_ROOM + (rows as f64 - 1.0) * LEGEND_LINE,
    }
}

fn sample_width(sample: &Sample) -> f64 {
    match sample {
        Sample::Text(letters) => {
            measure::text_width(&measure::arc_label_shown(letters), ARC_FONT).max(SAMPLE.0 / 2.0)
        }
        _ => SAMPLE.0,
    }
}

fn entry_width(sample: &Sample, meaning: &str) -> f64 {
    sample_width(sample) + LEGEND_GAPS.0 + measure::text_width(meaning, FONT) + LEGEND_GAPS.1
}

/// Samples of marks and what they mean, in rows below `top`.
pub(crate) fn draw_legend(out: &mut String, graph: &Graph, top: f64, width: f64) {
    let mut entries = graph.legend.iter();
    for (row, count) in legend_rows(graph, width).into_iter().enumerate() {
        let top = top + 4.0 + row as f64 * LEGEND_LINE;
        let mut left = MARGIN;
        for (sample, meaning) in entries.by_ref().take(count) {
            let room = Rect { left, top, right: left + sample_width(sample), bottom: top + SAMPLE.1 };
            draw_sample(out, sample, &room);
            let at = Point::new(room.right + LEGEND_GAPS.0, room.center().y + FONT * 0.35);
            text(out, "quiet", meaning, at, "start", FONT);
            out.push('\n');
            left += entry_width(sample, meaning);
        }
    }
}

fn draw_sample(out: &mut String, sample: &Sample, room: &Rect) {
    let center = room.center();
    match sample {
        Sample::Node(emphasis) => {
            let _ = write!(out, "<rect class=\"node{}\" {} rx=\"4\"/>", class_of(*emphasis), sides(room));
        }
        Sample::Arc(kind) => {
            let mut curve = Curve::from(Point::new(room.left, center.y));
            curve.line_to(Point::new(room.right, center.y));
            arrow::draw(out, *kind, &curve);
        }
        Sample::Group => {
            let _ = write!(out, "<rect class=\"group\" {} rx=\"4\"/>", sides(room));
        }
        Sample::Token => {
            let (x, y) = (number(center.x), number(center.y));
            let _ = write!(out, "<circle class=\"node\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
            let _ = write!(out, "<circle class=\"token\" cx=\"{x}\" cy=\"{y}\" r=\"2.6\"/>");
        }
        Sample::Text(letters) => {
            let shown = measure::arc_label_shown(letters);
            text(out, "weight", &shown, center.plus(0.0, ARC_FONT * 0.35), "middle", ARC_FONT);
        }
    }
}

/// The class of what stands out, after the class of its shape.
fn class_of(emphasis: Emphasis) -> &'static str {
    match emphasis {
        Emphasis::None => "",
        Emphasis::Initial => " initial",
        Emphasis::Active => " active",
        Emphasis::Dead => " dead",
    }
}

/// The beginning of a document of this size.
pub(crate) fn open(out: &mut String, width: f64, height: f64, title: &str, description: &str) {
    let (width, height) = (number(width), number(height));
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"symbolon\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    );
    let title = if title.trim().is_empty() { "A graph" } else { title };
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(description));
    let _ = writeln!(out, "<style>{}</style>", style::SHEET);
    let _ = writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
}

/// What a graph consists of, in words.
pub(crate) fn description(graph: &Graph) -> String {
    let count = |is: fn(&Shape) -> bool| graph.nodes.iter().filter(|node| is(&node.shape)).count();
    let places = count(|shape| matches!(shape, Shape::Place { .. }));
    let transitions = count(|shape| matches!(shape, Shape::Transition { .. }));
    let others =
        count(|shape| !matches!(shape, Shape::Place { .. } | Shape::Transition { .. } | Shape::Text { .. }));
    let arcs = graph.arcs.iter().filter(|arc| arc.kind != crate::graph::ArcKind::Hidden).count();
    let kinds = [("place", places), ("transition", transitions), ("node", others), ("arc", arcs)];
    let parts: Vec<String> = kinds
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{count} {kind}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    parts.join(", ")
}

/// Everything in a graph: boxes below arcs below nodes below text.
pub(crate) fn body(out: &mut String, graph: &Graph, layout: &Layout, view: &View) {
    for (group, rect) in graph.groups.iter().zip(&layout.groups) {
        let Some(rect) = rect else { continue };
        let _ = writeln!(out, "<rect class=\"group\" {} rx=\"8\"/>", sides(rect));
        let shown = measure::shortened(&group.label, rect.width() - 12.0, FONT);
        if !group.label.is_empty() {
            let at = Point::new(rect.left + 8.0, rect.top + LINE - 3.0);
            with_whole(out, &group.label, &shown, |out| text(out, "quiet", &shown, at, "start", FONT));
        }
    }
    // Where arcs are many, they step back behind the nodes.
    let dense = graph.arcs.len() > 150 && graph.arcs.len() > 2 * graph.nodes.len();
    out.push_str(if dense { "<g class=\"dense\">\n" } else { "<g>\n" });
    for (arc, placed) in graph.arcs.iter().zip(&layout.arcs) {
        arrow::draw(out, arc.kind, &placed.curve);
    }
    out.push_str("</g>\n");
    for (index, (node, placed)) in graph.nodes.iter().zip(&layout.nodes).enumerate() {
        let tokens = match (&node.shape, view.tokens) {
            (_, Some(tokens)) => tokens.get(index).copied().unwrap_or(0),
            (Shape::Place { tokens, .. }, None) => *tokens,
            _ => 0,
        };
        let emphasis = if view.active.contains(&index) { Emphasis::Active } else { node.emphasis };
        out.push_str("<g>");
        if let Some(whole) = tooltip(&node.shape, tokens) {
            let _ = write!(out, "<title>{}</title>", escaped(&whole));
        }
        draw_node(out, &node.shape, placed, tokens, class_of(emphasis));
        out.push_str("</g>\n");
    }
    for (arc, placed) in graph.arcs.iter().zip(&layout.arcs) {
        if let (Some(label), Some(rect)) = (&arc.label, &placed.label) {
            let shown = measure::arc_label_shown(label);
            let at = rect.center().plus(0.0, ARC_FONT * 0.35);
            with_whole(out, label, &shown, |out| text(out, "weight", &shown, at, "middle", ARC_FONT));
        }
    }
}

/// What pointing at a node tells: the whole of what had to be shortened.
fn tooltip(shape: &Shape, tokens: u64) -> Option<String> {
    match shape {
        Shape::Place { label, .. } if tokens > 0 => Some(format!("{label}: {tokens}")),
        Shape::Place { label, .. } | Shape::Transition { label } => Some(label.clone()),
        Shape::Terminal { label } | Shape::Text { label } => {
            (measure::label_shown(label) != *label).then(|| label.clone())
        }
        Shape::State { lines } => (measure::lines_shown(lines) != *lines).then(|| lines.join("\n")),
        Shape::Cells { cells } => {
            let all_shown = cells.iter().all(|cell| measure::cell_shown(cell) == *cell);
            (!all_shown).then(|| cells.join(" | "))
        }
    }
}

fn draw_node(out: &mut String, shape: &Shape, placed: &PlacedNode, tokens: u64, class: &str) {
    let rect = &placed.shape;
    let center = rect.center();
    match shape {
        Shape::Place { label, .. } => {
            let (x, y, radius) = (number(center.x), number(center.y), number(rect.width() / 2.0 - 0.8));
            let _ = write!(out, "<circle class=\"node{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
            draw_tokens(out, center, tokens);
            draw_label(out, label, placed);
        }
        Shape::Transition { label } => {
            let _ = write!(out, "<rect class=\"bar{class}\" {} rx=\"1.5\"/>", sides(rect));
            draw_label(out, label, placed);
        }
        Shape::State { lines } => {
            let _ = write!(out, "<rect class=\"node{class}\" {} rx=\"9\"/>", sides(rect));
            let lines = measure::lines_shown(lines);
            let first = center.y - (lines.len() as f64 - 1.0) * LINE / 2.0;
            for (index, line) in lines.iter().enumerate() {
                let at = Point::new(center.x, first + index as f64 * LINE + FONT * 0.35);
                text(out, "text", line, at, "middle", FONT);
            }
        }
        Shape::Cells { cells } => {
            let _ = write!(out, "<rect class=\"node{class}\" {} rx=\"3\"/>", sides(rect));
            for (index, (cell, inner)) in cells.iter().zip(&placed.cells).enumerate() {
                if index > 0 {
                    let (from, to) = if inner.left > rect.left + 0.5 {
                        (Point::new(inner.left, inner.top), Point::new(inner.left, inner.bottom))
                    } else {
                        (Point::new(inner.left, inner.top), Point::new(inner.right, inner.top))
                    };
                    let (a, b, c, d) = (number(from.x), number(from.y), number(to.x), number(to.y));
                    let _ = write!(out, "<path class=\"rule\" d=\"M{a} {b}L{c} {d}\"/>");
                }
                let at = inner.center().plus(0.0, FONT * 0.35);
                text(out, "text", &measure::cell_shown(cell), at, "middle", FONT);
            }
        }
        Shape::Terminal { label } => {
            let _ = write!(out, "<rect class=\"node{class}\" {}/>", sides(rect));
            let at = center.plus(0.0, FONT * 0.35);
            text(out, "text", &measure::label_shown(label), at, "middle", FONT);
        }
        Shape::Text { label } => {
            let at = center.plus(0.0, FONT * 0.35);
            text(out, "quiet", &measure::label_shown(label), at, "middle", FONT);
        }
    }
}

/// The label beside a shape, starting where it is next to it.
fn draw_label(out: &mut String, label: &str, placed: &PlacedNode) {
    let Some(rect) = &placed.label else { return };
    let y = rect.center().y + FONT * 0.35;
    let (x, anchor) = if rect.left >= placed.shape.right {
        (rect.left, "start")
    } else if rect.right <= placed.shape.left {
        (rect.right, "end")
    } else {
        (rect.center().x, "middle")
    };
    text(out, "label", &measure::label_shown(label), Point::new(x, y), anchor, FONT);
}

/// Up to five tokens as on a die, more as a number.
fn draw_tokens(out: &mut String, center: Point, tokens: u64) {
    let Some(dots) = measure::token_dots(tokens) else {
        let shown = measure::short_number(tokens);
        let font = if shown.len() <= 3 { FONT } else { 10.0 };
        text(out, "text", &shown, center.plus(0.0, font * 0.35), "middle", font);
        return;
    };
    let radius = if tokens == 1 { 4.6 } else { 3.4 };
    for &(x, y) in dots {
        let at = center.plus(x * measure::TOKEN_STEP, y * measure::TOKEN_STEP);
        let (x, y) = (number(at.x), number(at.y));
        let _ = write!(out, "<circle class=\"token\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }
}

/// A line of text whose baseline is at `at`.
pub(crate) fn text(out: &mut String, class: &str, content: &str, at: Point, anchor: &str, font: f64) {
    let (x, y, font) = (number(at.x), number(at.y), number(font));
    let content = escaped(content);
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{font}\">{content}</text>"
    );
}

/// Draws something; if it shows less than the whole text, pointing at it tells the whole.
fn with_whole(out: &mut String, whole: &str, shown: &str, draw: impl FnOnce(&mut String)) {
    if whole == shown {
        draw(out);
    } else {
        let _ = write!(out, "<g><title>{}</title>", escaped(whole));
        draw(out);
        out.push_str("</g>");
    }
    out.push('\n');
}

fn sides(rect: &Rect) -> String {
    let (x, y) = (number(rect.left), number(rect.top));
    format!("x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\"", number(rect.width()), number(rect.height()))
}

/// A coordinate with at most one digit after the point.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // Negative zero would be written with its sign.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Text as XML writes it; what XML cannot write at all becomes a replacement character.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ if character.is_control() => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}
