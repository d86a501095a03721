//! Which parts of a graph hang together, and how the finished parts stand side by side.

use super::piece::{PartNodes, Piece};
use super::{Layout, PlacedArc, PlacedNode};
use crate::geometry::Rect;
use crate::graph::Graph;

/// The distance between parts.
pub(super) const PART_GAP: f64 = 44.0;
/// The distance from the edge of the picture.
pub(super) const MARGIN: f64 = 14.0;
/// Parts are packed so that the whole is about this many times wider than high.
pub(super) const SHAPE: f64 = 1.6;

/// The parts of a graph that hang together by arcs or by a common box, in the order of their first
/// nodes.
pub(super) fn parts(graph: &Graph) -> Vec<PartNodes> {
    let (node_count, group_count) = (graph.nodes.len(), graph.groups.len());
    let mut leader: Vec<usize> = (0..node_count + group_count).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    let in_group =
        graph.nodes.iter().enumerate().filter_map(|(node, data)| Some((node, node_count + data.group?)));
    let in_box = graph.groups.iter().enumerate();
    let in_box = in_box.filter_map(|(group, data)| Some((node_count + group, node_count + data.parent?)));
    let by_arc = graph.arcs.iter().map(|arc| (arc.from, arc.to));
    for (a, b) in in_group.chain(in_box).chain(by_arc) {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    }
    let mut part_of = vec![usize::MAX; node_count + group_count];
    let mut parts: Vec<PartNodes> = Vec::new();
    for node in 0..node_count {
        let at = find(&mut leader, node);
        if part_of[at] == usize::MAX {
            part_of[at] = parts.len();
            parts.push(PartNodes { nodes: Vec::new(), arcs: Vec::new(), loops: Vec::new() });
        }
        parts[part_of[at]].nodes.push(node);
    }
    for (index, arc) in graph.arcs.iter().enumerate() {
        let part = &mut parts[part_of[find(&mut leader, arc.from)]];
        if arc.from == arc.to { part.loops.push(index) } else { part.arcs.push(index) }
    }
    parts
}

/// All parts as one, if there is any.
pub(super) fn joined(parts: Vec<PartNodes>) -> Option<PartNodes> {
    parts.into_iter().reduce(|mut whole, part| {
        whole.nodes.extend(part.nodes);
        whole.arcs.extend(part.arcs);
        whole.loops.extend(part.loops);
        whole
    })
}

/// Puts finished parts into rows, larger ones first, and moves the whole to the upper left corner.
pub(super) fn side_by_side(graph: &Graph, pieces: Vec<Piece>) -> Layout {
    let mut pieces: Vec<(Rect, Piece)> = pieces.into_iter().map(|piece| (piece.bounds(), piece)).collect();
    pieces.sort_by(|(a, _), (b, _)| b.height().total_cmp(&a.height()));
    let area: f64 =
        pieces.iter().map(|(rect, _)| (rect.width() + PART_GAP) * (rect.height() + PART_GAP)).sum();
    let widest = pieces.iter().map(|(rect, _)| rect.width()).fold((area * SHAPE).sqrt(), f64::max);

    let mut layout = Layout {
        width: 0.0,
        height: 0.0,
        nodes: vec![PlacedNode::default(); graph.nodes.len()],
        arcs: vec![PlacedArc::default(); graph.arcs.len()],
        groups: vec![None; graph.groups.len()],
    };
    let (mut x, mut y, mut row_height) = (MARGIN, MARGIN, 0.0_f64);
    for (rect, mut piece) in pieces {
        if x > MARGIN && x + rect.width() > widest + MARGIN {
            (x, y, row_height) = (MARGIN, y + row_height + PART_GAP, 0.0);
        }
        piece.shift(x - rect.left, y - rect.top);
        row_height = row_height.max(rect.height());
        layout.width = layout.width.max(x + rect.width() + MARGIN);
        layout.height = layout.height.max(y + rect.height() + MARGIN);
        x += rect.width() + PART_GAP;
        for (node, placed) in piece.nodes {
            layout.nodes[node] = placed;
        }
        for (arc, placed) in piece.arcs {
            layout.arcs[arc] = placed;
        }
        for (group, placed) in piece.groups {
            layout.groups[group] = Some(placed);
        }
    }
    layout.width = layout.width.max(2.0 * MARGIN).ceil();
    layout.height = layout.height.max(2.0 * MARGIN).ceil();
    layout
}
