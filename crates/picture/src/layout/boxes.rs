//! Boxes that nothing connects, each in layers of its own: every box is laid out by itself, and the
//! finished boxes stand in rows, in the order in which they were given, because their author had a
//! reason for it.

use super::pack::{MARGIN, PART_GAP, SHAPE};
use super::{Layout, LayoutError, PlacedArc, PlacedNode, layout};
use crate::geometry::Rect;
use crate::graph::Graph;
use symbolon_budget::Budget;

/// The room for the name of a box, above what is in it.
const HEAD: f64 = 12.0;

/// A box, and what is in it as a graph of its own.
pub struct BoxApart {
    /// What stands at its border.
    pub label: String,
    /// What is in it, without the box.
    pub graph: Graph,
    group: usize,
    nodes: Vec<usize>,
    arcs: Vec<usize>,
}

impl Graph {
    /// The boxes of a graph that consists of boxes alone, with given layers and without arcs from
    /// box to box; `None` for every other graph.
    pub fn boxes_apart(&self) -> Option<Vec<BoxApart>> {
        let is_flat = self.groups.len() > 1 && self.groups.iter().all(|group| group.parent.is_none());
        if !is_flat || self.nodes.iter().any(|node| node.layer.is_none()) {
            return None;
        }
        let empty = |(group, data): (usize, &crate::Group)| BoxApart {
            label: data.label.clone(),
            graph: Graph { flow: self.flow, ..Graph::default() },
            group,
            nodes: Vec::new(),
            arcs: Vec::new(),
        };
        let mut boxes: Vec<BoxApart> = self.groups.iter().enumerate().map(empty).collect();
        // Where each node stands in its box.
        let mut places = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let inside = &mut boxes[node.group?];
            places.push(inside.nodes.len());
            inside.nodes.push(index);
            inside.graph.nodes.push(crate::Node { group: None, ..node.clone() });
        }
        for (index, arc) in self.arcs.iter().enumerate() {
            let group = self.nodes[arc.from].group?;
            if self.nodes[arc.to].group != Some(group) {
                return None;
            }
            let (from, to) = (places[arc.from], places[arc.to]);
            boxes[group].arcs.push(index);
            boxes[group].graph.arcs.push(crate::Arc { from, to, ..arc.clone() });
        }
        boxes.retain(|inside| !inside.nodes.is_empty());
        Some(boxes)
    }
}

/// Lays the boxes out and puts them into rows.
pub(super) fn in_rows(graph: &Graph, boxes: &[BoxApart], budget: &Budget) -> Result<Layout, LayoutError> {
    let insides: Result<Vec<Layout>, LayoutError> =
        boxes.iter().map(|inside| layout(&inside.graph, budget)).collect();
    let insides = insides?;
    // A box is as wide as its name.
    let width = |(inside, placed): (&BoxApart, &Layout)| {
        let name = crate::measure::group_label_shown(&inside.label);
        placed.width.max(crate::measure::text_width(&name, crate::measure::FONT) + 2.0 * MARGIN)
    };
    let widths: Vec<f64> = boxes.iter().zip(&insides).map(width).collect();
    let room = |(width, inside): (&f64, &Layout)| (width + PART_GAP) * (inside.height + HEAD + PART_GAP);
    let area: f64 = widths.iter().zip(&insides).map(room).sum();
    let widest = widths.iter().copied().fold((area * SHAPE).sqrt(), f64::max);

    let mut whole = Layout {
        width: 0.0,
        height: 0.0,
        nodes: vec![PlacedNode::default(); graph.nodes.len()],
        arcs: vec![PlacedArc::default(); graph.arcs.len()],
        groups: vec![None; graph.groups.len()],
    };
    let (mut x, mut y, mut row_height) = (MARGIN, MARGIN, 0.0_f64);
    for ((inside, placed), width) in boxes.iter().zip(insides).zip(widths) {
        if x > MARGIN && x + width > widest + MARGIN {
            (x, y, row_height) = (MARGIN, y + row_height + PART_GAP / 2.0, 0.0);
        }
        let height = placed.height + HEAD;
        let rect = Rect { left: x, top: y, right: x + width, bottom: y + height };
        whole.groups[inside.group] = Some(rect);
        let (dx, dy) = (x + (width - placed.width) / 2.0, y + HEAD);
        for (&node, mut at) in inside.nodes.iter().zip(placed.nodes) {
            at.shift(dx, dy);
            whole.nodes[node] = at;
        }
        for (&arc, mut at) in inside.arcs.iter().zip(placed.arcs) {
            at.shift(dx, dy);
            whole.arcs[arc] = at;
        }
        row_height = row_height.max(height);
        whole.width = whole.width.max(rect.right + MARGIN).ceil();
        whole.height = whole.height.max(rect.bottom + MARGIN).ceil();
        x += width + PART_GAP / 2.0;
    }
    Ok(whole)
}
