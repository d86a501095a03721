//! Trees as indented lists: a node per line, in their order, as far from the left as it is deep. A
//! long list is broken into columns, before a node that is as near to the root as one is found near
//! the end of the column. Arcs from column to column are not drawn; the indentation says it.

use super::pack::MARGIN;
use super::{Layout, PlacedArc, PlacedNode};
use crate::geometry::{Curve, Point, Rect};
use crate::graph::{ArcKind, Graph, Shape};
use crate::measure::{self, Stance};

/// How much farther in a child stands than its parent.
const INDENT: f64 = 22.0;
/// The room between two lines, and between columns.
const GAP: f64 = 5.0;
const COLUMN_GAP: f64 = 34.0;
/// Columns are broken so that the whole is about this many times wider than high, but no sooner
/// than at this number of lines.
const SHAPE: f64 = 1.5;
const LEAST_LINES: usize = 16;
/// A break is moved up by at most this part of a column.
const SLACK: usize = 5;

/// The layout of the list.
pub(super) fn in_lines(graph: &Graph) -> Layout {
    let least = graph.nodes.iter().filter_map(|node| node.layer).min().unwrap_or(0);
    let depth = |node: usize| graph.nodes[node].layer.unwrap_or(least) - least;
    let sizes: Vec<(f64, f64)> = graph
        .nodes
        .iter()
        .map(|node| {
            let size = measure::node_size(node, Stance::Right);
            let label = size.label.map_or(0.0, |label| label.0 + measure::LABEL_GAP);
            (size.width + label, size.height.max(size.label.map_or(0.0, |label| label.1)))
        })
        .collect();
    let mut layout = Layout {
        nodes: vec![PlacedNode::default(); graph.nodes.len()],
        arcs: vec![PlacedArc::default(); graph.arcs.len()],
        groups: vec![None; graph.groups.len()],
        ..Layout::default()
    };
    let mut column_of = vec![0; graph.nodes.len()];
    let mut left = MARGIN;
    for (column, lines) in columns(&sizes, depth).into_iter().enumerate() {
        let (mut y, mut right) = (MARGIN, left);
        for node in lines {
            column_of[node] = column;
            let (width, height) = sizes[node];
            let size = measure::node_size(&graph.nodes[node], Stance::Right);
            let x = left + f64::from(depth(node)) * INDENT;
            let top = y + (height - size.height) / 2.0;
            let shape = Rect { left: x, top, right: x + size.width, bottom: top + size.height };
            let label = size.label.map(|(width, tall)| {
                let left = shape.right + measure::LABEL_GAP;
                let top = shape.center().y - tall / 2.0;
                Rect { left, top, right: left + width, bottom: top + tall }
            });
            let cells = match &graph.nodes[node].shape {
                Shape::Cells { cells } => measure::cell_boxes(cells, Stance::Right),
                _ => Vec::new(),
            };
            let cells = cells.into_iter().map(|cell| cell.shifted(shape.left, shape.top)).collect();
            layout.nodes[node] = PlacedNode { shape, label, cells };
            y += height + GAP;
            right = right.max(x + width);
        }
        layout.height = layout.height.max(y - GAP + MARGIN).ceil();
        layout.width = layout.width.max(right + MARGIN).ceil();
        left = right + COLUMN_GAP;
    }
    for (placed, arc) in layout.arcs.iter_mut().zip(&graph.arcs) {
        if arc.kind != ArcKind::Hidden && arc.from != arc.to && column_of[arc.from] == column_of[arc.to] {
            placed.curve = elbow(&layout.nodes[arc.from].shape, &layout.nodes[arc.to].shape);
        }
    }
    layout.width = layout.width.max(2.0 * MARGIN);
    layout.height = layout.height.max(2.0 * MARGIN);
    layout
}

/// Down from below the beginning of the parent, then right to the child.
fn elbow(parent: &Rect, child: &Rect) -> Curve {
    let x = (parent.left + INDENT / 2.0).min(parent.center().x);
    let is_below = child.top >= parent.bottom;
    let mut curve = Curve::from(Point::new(x, if is_below { parent.bottom } else { parent.top }));
    if x < child.left {
        curve.line_to(Point::new(x, child.center().y));
        curve.line_to(Point::new(child.left, child.center().y));
    } else {
        // A child that is not farther in: straight to its border.
        let y = if is_below { child.top } else { child.bottom };
        curve.line_to(Point::new(x.clamp(child.left, child.right), y));
    }
    curve
}

/// Which nodes stand in which column.
fn columns(sizes: &[(f64, f64)], depth: impl Fn(usize) -> u32) -> Vec<std::ops::Range<usize>> {
    let widest =
        (0..sizes.len()).map(|node| sizes[node].0 + f64::from(depth(node)) * INDENT).fold(1.0, f64::max);
    let height: f64 = sizes.iter().map(|size| size.1 + GAP).sum();
    // n columns are n * widest wide and height / n high.
    let count = (SHAPE * height / (widest + COLUMN_GAP)).sqrt().round().max(1.0) as usize;
    let lines = sizes.len().div_ceil(count).max(LEAST_LINES);
    let mut columns = Vec::new();
    let mut begin = 0;
    while begin < sizes.len() {
        let mut end = (begin + lines).min(sizes.len());
        if end < sizes.len() {
            let first = end - lines / SLACK;
            end = (first.max(begin + 1)..=end).rev().min_by_key(|&node| depth(node)).unwrap_or(end);
        }
        columns.push(begin..end);
        begin = end;
    }
    columns
}

/// The list with letters, a line for each node.
pub(super) fn as_text(graph: &Graph, width: usize) -> Option<String> {
    let least = graph.nodes.iter().filter_map(|node| node.layer).min().unwrap_or(0);
    let mut text = String::new();
    for node in &graph.nodes {
        let words = match &node.shape {
            Shape::State { lines } | Shape::Cells { cells: lines } => lines.join(" "),
            Shape::Place { label, .. }
            | Shape::Transition { label }
            | Shape::Terminal { label }
            | Shape::Text { label } => label.clone(),
        };
        let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let indent = 2 * (node.layer.unwrap_or(least) - least) as usize;
        if indent + words.chars().count() > width {
            return None;
        }
        text.push_str(&" ".repeat(indent));
        text.push_str(words.trim_end());
        text.push('\n');
    }
    Some(text)
}
