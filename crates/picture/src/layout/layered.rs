//! A connected part of a graph, laid out in layers from top to bottom.

use super::acyclic::Start;
use super::coordinates::{BOX_GAP, Columns, columns};
use super::items::{Kind, Layered, Part};
use super::order::order_layers;
use crate::geometry::{Point, Rect};
use crate::measure::{FONT, LABEL_GAP, LINE, group_label_shown, text_width};
use symbolon_budget::{Interrupted, Meter};

/// The least distance between layers, with nodes on both sides or with labels of arcs on one.
const LAYER_GAP: f64 = 38.0;
const LABEL_LAYER_GAP: f64 = 20.0;
/// Layers are so far apart that lines are not flatter than this (width per height), within reason.
const FLATTEST: f64 = 4.0;
const WIDEST_LAYER_GAP: f64 = 90.0;

/// Items with their layers and columns.
pub(super) struct Arranged {
    pub(super) layered: Layered,
    pub(super) columns: Columns,
}

/// The vertical room of a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    top: f64,
    bottom: f64,
}

/// A place where an arc passes a layer, straight down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) x: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// Where an arc goes, before it is a curve; from top to bottom.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    pub(super) arc: usize,
    pub(super) turned: bool,
    pub(super) ways: Vec<Way>,
    pub(super) label: Option<Rect>,
    /// The vertical room of the layers at both ends.
    pub(super) upper_band: f64,
    pub(super) lower_band: f64,
}

/// Where everything is, in a plane where arcs go down.
pub(super) struct Placement {
    /// The nodes with the centres of their shapes.
    pub(super) nodes: Vec<(usize, Point)>,
    /// The labels beside nodes.
    pub(super) labels: Vec<(usize, Rect)>,
    pub(super) trails: Vec<Trail>,
    /// Arcs inside a layer, with the height at which they pass.
    pub(super) flat: Vec<(usize, f64)>,
    pub(super) groups: Vec<(usize, Rect)>,
}

/// Finds layers, orders and columns.
pub(super) fn arrange(
    part: &Part,
    start: Start,
    turned_flow: bool,
    meter: &mut Meter,
) -> Result<Arranged, Interrupted> {
    let groups = &part.graph.groups;
    let parents: Vec<Option<usize>> = groups.iter().map(|group| group.parent).collect();
    let mut layered = part.in_layers(start, meter)?;
    let layers = std::mem::take(&mut layered.layers);
    layered.layers = order_layers(&layered.items, &layered.segments, &parents, layers, meter)?;
    let least_width: Vec<f64> = groups
        .iter()
        .map(
            |group| if turned_flow { 0.0 } else { text_width(&group_label_shown(&group.label), FONT) + 16.0 },
        )
        .collect();
    let head = if turned_flow && groups.iter().any(|group| !group.label.is_empty()) { LINE } else { 0.0 };
    let columns = columns(&layered, &parents, &least_width, head, meter)?;
    Ok(Arranged { layered, columns })
}

impl Arranged {
    /// The leftmost and the rightmost points of anything.
    pub(super) fn span(&self) -> (f64, f64) {
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        for (item, x) in self.layered.items.iter().zip(&self.columns.x) {
            span = (span.0.min(x - item.left), span.1.max(x + item.right));
        }
        for &(left, right) in self.columns.sides.iter().flatten() {
            span = (span.0.min(left), span.1.max(right));
        }
        span
    }

    /// For each group its first and last layer, and the room that its box takes above and below
    /// these.
    fn boxes(&self, part: &Part, turned_flow: bool) -> Vec<Option<GroupBox>> {
        let groups = &part.graph.groups;
        let mut boxes: Vec<Option<GroupBox>> = vec![None; groups.len()];
        for item in &self.layered.items {
            if let Some(group) = item.group {
                let known = boxes[group].get_or_insert(GroupBox::new(item.layer));
                known.first = known.first.min(item.layer);
                known.last = known.last.max(item.layer);
            }
        }
        // Parents come before children.
        for group in (0..groups.len()).rev() {
            let Some(mut own) = boxes[group] else { continue };
            let head = if turned_flow || groups[group].label.is_empty() { 0.0 } else { LINE };
            own.above += BOX_GAP + head;
            own.below += BOX_GAP;
            boxes[group] = Some(own);
            if let Some(parent) = groups[group].parent {
                let outer = boxes[parent].get_or_insert(GroupBox::new(own.first));
                if own.first < outer.first {
                    (outer.first, outer.above) = (own.first, 0.0);
                }
                if own.last > outer.last {
                    (outer.last, outer.below) = (own.last, 0.0);
                }
                if own.first == outer.first {
                    outer.above = outer.above.max(own.above);
                }
                if own.last == outer.last {
                    outer.below = outer.below.max(own.below);
                }
            }
        }
        boxes
    }
}

#[derive(Clone, Copy, Debug)]
struct GroupBox {
    first: usize,
    last: usize,
    above: f64,
    below: f64,
}

impl GroupBox {
    fn new(layer: usize) -> GroupBox {
        GroupBox { first: layer, last: layer, above: 0.0, below: 0.0 }
    }
}

/// The vertical room of each layer that these parts share.
pub(super) fn bands(parts: &[(&Part, &Arranged)], turned_flow: bool) -> Vec<Band> {
    let count = parts.iter().map(|(_, arranged)| arranged.layered.layers.len()).max().unwrap_or(0);
    let mut half = vec![0.0_f64; count];
    let mut nodes_only = vec![true; count];
    let mut has_node = vec![false; count];
    let mut open = vec![0.0_f64; count];
    let mut close = vec![0.0_f64; count];
    let mut reach = vec![0.0_f64; count];
    for (part, arranged) in parts {
        for item in &arranged.layered.items {
            half[item.layer] = half[item.layer].max(item.half_height);
            match item.kind {
                Kind::Node(_) => has_node[item.layer] = true,
                Kind::Label => nodes_only[item.layer] = false,
                _ => {}
            }
        }
        for segment in &arranged.layered.segments {
            let x = &arranged.columns.x;
            let far = (x[segment.upper] + segment.upper_port - x[segment.lower] - segment.lower_port).abs();
            let layer = arranged.layered.items[segment.upper].layer;
            reach[layer] = reach[layer].max(far);
        }
        for known in arranged.boxes(part, turned_flow).iter().flatten() {
            open[known.first] = open[known.first].max(known.above);
            close[known.last] = close[known.last].max(known.below);
        }
    }
    let mut bands: Vec<Band> = Vec::with_capacity(count);
    let mut y = 0.0;
    for layer in 0..count {
        if layer > 0 {
            let of_labels = |layer: usize| !nodes_only[layer] && !has_node[layer];
            let base = if of_labels(layer) || of_labels(layer - 1) { LABEL_LAYER_GAP } else { LAYER_GAP };
            let slanted = (reach[layer - 1] / FLATTEST).min(WIDEST_LAYER_GAP);
            y += slanted.max(base) + close[layer - 1] + open[layer];
        }
        bands.push(Band { top: y, bottom: y + 2.0 * half[layer] });
        y += 2.0 * half[layer];
    }
    bands
}

impl Arranged {
    /// Where everything is, `offset` further to the right.
    pub(super) fn place(&self, part: &Part, bands: &[Band], offset: f64, turned_flow: bool) -> Placement {
        let layered = &self.layered;
        let x = |item: usize| self.columns.x[item] + offset;
        let middle = |item: usize| {
            let band = bands[layered.items[item].layer];
            (band.top + band.bottom) / 2.0
        };
        let mut nodes = Vec::new();
        let mut labels = Vec::new();
        for (index, item) in layered.items.iter().enumerate() {
            let Kind::Node(node) = item.kind else { continue };
            let center = Point::new(x(index), middle(index));
            nodes.push((node, center));
            let size = &part.sizes[node];
            if let Some((width, height)) = size.label {
                let label_center = center.plus(size.width / 2.0 + LABEL_GAP + width / 2.0, 0.0);
                labels.push((node, Rect::around(label_center, width, height)));
            }
        }
        let mut trails = Vec::new();
        for chain in &layered.chains {
            let inner = &chain.items[1..chain.items.len() - 1];
            let ways = inner.iter().map(|&item| {
                let band = bands[layered.items[item].layer];
                Way { x: x(item), top: band.top, bottom: band.bottom }
            });
            let label = chain.label.map(|item| {
                let data = &layered.items[item];
                let (left, height) = (x(item) + 5.0, 2.0 * data.half_height);
                let top = middle(item) - height / 2.0;
                Rect { left, top, right: left + data.right - 5.0, bottom: top + height }
            });
            let layer = |item: Option<&usize>| item.map_or(0, |&item| layered.items[item].layer);
            trails.push(Trail {
                arc: chain.arc,
                turned: chain.turned,
                ways: ways.collect(),
                label,
                upper_band: bands[layer(chain.items.first())].bottom,
                lower_band: bands[layer(chain.items.last())].top,
            });
        }
        let layer_of = |node: usize| {
            let found = layered.items.iter().find(|item| item.kind == Kind::Node(node));
            found.map_or(0, |item| item.layer)
        };
        let flat = layered.flat.iter().map(|&arc| {
            let layer = layer_of(part.graph.arcs[arc].from);
            (arc, bands[layer].top - LAYER_GAP * 0.6)
        });
        let boxes = self.boxes(part, turned_flow);
        let groups = boxes.iter().enumerate().filter_map(|(group, known)| {
            let (known, (left, right)) = ((*known)?, self.columns.sides[group]?);
            let top = bands[known.first].top - known.above;
            let bottom = bands[known.last].bottom + known.below;
            Some((group, Rect { left: left + offset, top, right: right + offset, bottom }))
        });
        let (flat, groups) = (flat.collect(), groups.collect());
        Placement { nodes, labels, trails, flat, groups }
    }
}
