//! Pictures as TikZ, for papers: one `tikzpicture` that needs the package `tikz` and nothing else.
//!
//! The layout is that of the SVG, in points (0.75 to a pixel), with the y axis turned. Styles have
//! names, so a paper can change them all in one place: `\tikzset{sy node/.append style={...}}`.
//! Text is set in the font of the paper at a small size; TeX measures it, not we, so a label may be
//! a little wider or narrower than its room.

use crate::geometry::{Curve, Point, Rect};
use crate::graph::{ArcKind, Emphasis, Graph, Sample, Shape};
use crate::layout::{Layout, PlacedNode};
use crate::measure;
use std::fmt::Write;

/// Points of paper for a pixel.
const SCALE: f64 = 0.75;

const STYLES: &str = "\
  x=0.75pt, y=-0.75pt, font=\\footnotesize,
  sy node/.style={draw, thick, fill=white},
  sy initial/.style={draw={rgb,255:red,0;green,114;blue,178}, very thick, fill={rgb,255:red,220;green,235;blue,247}},
  sy active/.style={draw={rgb,255:red,179;green,89;blue,0}, very thick, fill={rgb,255:red,255;green,213;blue,145}},
  sy dead/.style={draw={rgb,255:red,163;green,69;blue,122}, very thick, dashed, fill={rgb,255:red,243;green,223;blue,233}},
  sy bar/.style={draw, thick, fill=black},
  sy group/.style={draw=gray, fill=gray!10, rounded corners=4pt},
  sy arc/.style={draw=black!70, semithick},
  sy dashed/.style={dash pattern=on 3pt off 2pt},
  sy text/.style={inner sep=0pt, outer sep=0pt},
  sy quiet/.style={sy text, text=black!60},
  sy weight/.style={sy text, fill=white, fill opacity=.8, text opacity=1, inner sep=1pt, font=\\scriptsize},";

/// The picture of a graph.
pub fn tikz(graph: &Graph, layout: &Layout) -> String {
    let mut out = String::from("% \\usepackage{tikz}\n");
    if !graph.title.trim().is_empty() {
        let _ = writeln!(out, "% {}", graph.title.replace(['\n', '\r'], " "));
    }
    let _ = writeln!(out, "\\begin{{tikzpicture}}[\n{STYLES}\n]");
    for (group, rect) in graph.groups.iter().zip(&layout.groups) {
        let Some(rect) = rect else { continue };
        let _ = writeln!(out, "\\path[sy group] {};", box_path(rect));
        let shown = measure::shortened(&group.label, rect.width() - 12.0, measure::FONT);
        if !shown.trim().is_empty() {
            text(
                &mut out,
                "sy quiet, anchor=north west",
                Point::new(rect.left + 7.0, rect.top + 5.0),
                &shown,
            );
        }
    }
    for (arc, placed) in graph.arcs.iter().zip(&layout.arcs) {
        draw_arc(&mut out, arc.kind, &placed.curve);
    }
    for (node, placed) in graph.nodes.iter().zip(&layout.nodes) {
        draw_node(&mut out, &node.shape, placed, node.emphasis);
    }
    for (arc, placed) in graph.arcs.iter().zip(&layout.arcs) {
        if let (Some(label), Some(rect)) = (&arc.label, &placed.label) {
            text(&mut out, "sy weight", rect.center(), &measure::arc_label_shown(label));
        }
    }
    draw_legend(&mut out, graph, layout);
    out.push_str("\\end{tikzpicture}\n");
    out
}

fn emphasised(emphasis: Emphasis) -> &'static str {
    match emphasis {
        Emphasis::None => "",
        Emphasis::Initial => ", sy initial",
        Emphasis::Active => ", sy active",
        Emphasis::Dead => ", sy dead",
    }
}

fn draw_node(out: &mut String, shape: &Shape, placed: &PlacedNode, emphasis: Emphasis) {
    let rect = &placed.shape;
    let (center, more) = (rect.center(), emphasised(emphasis));
    match shape {
        Shape::Place { label, tokens } => {
            let radius = number((rect.width() / 2.0 - 0.8) * SCALE);
            let _ = writeln!(out, "\\path[sy node{more}] {} circle[radius={radius}pt];", at(center));
            draw_tokens(out, center, *tokens);
            draw_label(out, label, placed);
        }
        Shape::Transition { label } => {
            let _ = writeln!(out, "\\path[sy bar{more}] {};", box_path(rect));
            draw_label(out, label, placed);
        }
        Shape::State { lines } => {
            let _ = writeln!(out, "\\path[sy node{more}, rounded corners=4pt] {};", box_path(rect));
            let lines = measure::lines_shown(lines);
            let first = center.y - (lines.len() as f64 - 1.0) * measure::LINE / 2.0;
            for (index, line) in lines.iter().enumerate() {
                text(out, "sy text", Point::new(center.x, first + index as f64 * measure::LINE), line);
            }
        }
        Shape::Cells { cells } => {
            let _ = writeln!(out, "\\path[sy node{more}] {};", box_path(rect));
            for (index, (cell, inner)) in cells.iter().zip(&placed.cells).enumerate() {
                if index > 0 {
                    let corner = Point::new(inner.left, inner.top);
                    let end = if inner.left > rect.left + 0.5 {
                        Point::new(inner.left, inner.bottom)
                    } else {
                        Point::new(inner.right, inner.top)
                    };
                    let _ = writeln!(out, "\\draw {} -- {};", at(corner), at(end));
                }
                text(out, "sy text", inner.center(), &measure::cell_shown(cell));
            }
        }
        Shape::Terminal { label } => {
            let _ = writeln!(out, "\\path[sy node{more}] {};", box_path(rect));
            text(out, "sy text", center, &measure::label_shown(label));
        }
        Shape::Text { label } => text(out, "sy quiet", center, &measure::label_shown(label)),
    }
}

/// The label beside a shape, starting where it is next to it.
fn draw_label(out: &mut String, label: &str, placed: &PlacedNode) {
    let Some(rect) = &placed.label else { return };
    let (x, anchor) = if rect.left >= placed.shape.right {
        (rect.left, "west")
    } else if rect.right <= placed.shape.left {
        (rect.right, "east")
    } else {
        (rect.center().x, "center")
    };
    let style = format!("sy text, anchor={anchor}");
    text(out, &style, Point::new(x, rect.center().y), &measure::label_shown(label));
}

fn draw_tokens(out: &mut String, center: Point, tokens: u64) {
    let Some(dots) = measure::token_dots(tokens) else {
        return text(out, "sy text", center, &measure::short_number(tokens));
    };
    for &(x, y) in dots {
        let dot = at(center.plus(x * measure::TOKEN_STEP, y * measure::TOKEN_STEP));
        let radius = if tokens == 1 { 3.0 } else { 2.2 };
        let _ = writeln!(out, "\\fill {dot} circle[radius={radius}pt];");
    }
}

fn draw_arc(out: &mut String, kind: ArcKind, curve: &Curve) {
    let (tips, ring_at_end, ring_at_start) = match kind {
        ArcKind::Hidden => return,
        ArcKind::Plain => (", -latex", false, false),
        ArcKind::Both => (", latex-latex", false, false),
        ArcKind::Inhibitor => ("", true, false),
        ArcKind::Read => (", sy dashed", false, false),
        ArcKind::Dashed => (", sy dashed, -latex", false, false),
        ArcKind::Negated => (", -latex", false, true),
        ArcKind::DashedNegated => (", sy dashed, -latex", false, true),
        ArcKind::Reset => (", -{latex latex}", false, false),
    };
    let Some((start, rest)) = curve.points.split_first() else { return };
    let _ = write!(out, "\\draw[sy arc{tips}] {}", at(*start));
    for piece in rest.chunks_exact(3) {
        let _ = write!(out, " .. controls {} and {} .. {}", at(piece[0]), at(piece[1]), at(piece[2]));
    }
    out.push_str(";\n");
    let line = curve.flattened();
    if let (true, [.., before, end]) = (ring_at_end, line.as_slice()) {
        draw_ring(out, *end, *before);
    }
    if let (true, [start, after, ..]) = (ring_at_start, line.as_slice()) {
        draw_ring(out, *start, *after);
    }
}

/// A ring at the end of a line. TikZ has one among its tips only with a library.
fn draw_ring(out: &mut String, end: Point, before: Point) {
    const RING: f64 = 3.6;
    let center = end.towards(before, (RING / end.distance(before).max(1e-6)).min(1.0));
    let radius = number(RING * SCALE);
    let _ =
        writeln!(out, "\\path[sy arc, draw, fill=white, solid] {} circle[radius={radius}pt];", at(center));
}

/// What marks mean, a line for each, below everything.
fn draw_legend(out: &mut String, graph: &Graph, layout: &Layout) {
    const LEFT: f64 = 14.0;
    for (line, (sample, meaning)) in graph.legend.iter().enumerate() {
        let y = layout.height + 10.0 + line as f64 * 20.0;
        let room = Rect { left: LEFT, top: y - 7.0, right: LEFT + 26.0, bottom: y + 7.0 };
        let mut right = room.right;
        match sample {
            Sample::Node(emphasis) => {
                let more = emphasised(*emphasis);
                let _ = writeln!(out, "\\path[sy node{more}, rounded corners=2pt] {};", box_path(&room));
            }
            Sample::Arc(kind) => {
                let mut curve = Curve::from(Point::new(room.left, y));
                curve.line_to(Point::new(room.right, y));
                draw_arc(out, *kind, &curve);
            }
            Sample::Group => {
                let _ = writeln!(out, "\\path[sy group] {};", box_path(&room));
            }
            Sample::Token => {
                let _ = writeln!(out, "\\path[sy node] {} circle[radius=5pt];", at(room.center()));
                let _ = writeln!(out, "\\fill {} circle[radius=2pt];", at(room.center()));
            }
            Sample::Text(letters) => {
                // How wide letters are only TeX knows.
                let shown = measure::arc_label_shown(letters);
                text(out, "sy weight, anchor=west", Point::new(room.left, y), &shown);
                right = right.max(room.left + measure::text_width(&shown, measure::ARC_FONT));
            }
        }
        text(out, "sy quiet, anchor=west", Point::new(right + 7.0, y), meaning);
    }
}

fn text(out: &mut String, style: &str, point: Point, words: &str) {
    if !words.trim().is_empty() {
        let _ = writeln!(out, "\\node[{style}] at {} {{{}}};", at(point), escaped(words));
    }
}

fn box_path(rect: &Rect) -> String {
    format!("{} rectangle {}", at(Point::new(rect.left, rect.top)), at(Point::new(rect.right, rect.bottom)))
}

fn at(point: Point) -> String {
    format!("({},{})", number(point.x), number(point.y))
}

/// A number without an exponent, which TeX would not read.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Text that TeX shows as it is, in any of its usual fonts.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(character);
            }
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\ensuremath{<}"),
            '>' => out.push_str("\\ensuremath{>}"),
            '|' => out.push_str("\\ensuremath{|}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '→' => out.push_str("\\ensuremath{\\to}"),
            '…' => out.push_str("\\dots{}"),
            '≤' => out.push_str("\\ensuremath{\\le}"),
            '≥' => out.push_str("\\ensuremath{\\ge}"),
            '∞' => out.push_str("\\ensuremath{\\infty}"),
            '·' => out.push_str("\\ensuremath{\\cdot}"),
            '×' => out.push_str("\\ensuremath{\\times}"),
            '¬' => out.push_str("\\ensuremath{\\neg}"),
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_means_itself() {
        assert_eq!(escaped("a_b & {c} 50% \\x"), "a\\_b \\& \\{c\\} 50\\% \\textbackslash{}x");
        assert_eq!(escaped("p: 0 → 1"), "p: 0 \\ensuremath{\\to} 1");
    }

    #[test]
    fn numbers_have_no_exponent() {
        for (value, expected) in [(0.04, "0"), (-0.01, "0"), (1e7, "10000000"), (1.26, "1.3")] {
            assert_eq!(number(value), expected);
        }
    }
}
