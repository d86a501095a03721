//! What stands in the layers of a picture: nodes, bends of long arcs, labels of arcs, and fillers
//! that keep the box of a group open where it has no node.
//!
//! Everything here is drawn downwards. A picture that flows to the right is laid out with widths
//! and heights exchanged, and turned at the end.

use super::acyclic::{self, Start};
use super::network_simplex::{Demand, cheapest};
use crate::graph::{ArcKind, Graph};
use crate::measure::{LABEL_GAP, Size};
use symbolon_budget::{Interrupted, Meter};

/// Something that stands in a layer. Extents are distances from its centre.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) layer: usize,
    pub(super) group: Option<usize>,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) half_height: f64,
}

/// What an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node, by its number in the graph.
    Node(usize),
    /// A bend of an arc.
    Bend,
    /// The label of an arc, which passes at its left.
    Label,
    /// Nothing, in the box of a group.
    Filler,
}

/// A part of an arc from a layer to the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// Where it leaves the upper item: from the centre in pixels, and as a share of the width.
    pub(super) upper_port: f64,
    pub(super) upper_share: f64,
    pub(super) lower_port: f64,
    pub(super) weight: i64,
}

/// The items that an arc passes, from top to bottom.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The arc, by its number in the graph.
    pub(super) arc: usize,
    /// Whether it is drawn from its end to its start.
    pub(super) turned: bool,
    pub(super) items: Vec<usize>,
    /// The item that holds its label.
    pub(super) label: Option<usize>,
}

/// A connected part of a graph in layers.
#[derive(Clone, Debug)]
pub(super) struct Layered {
    pub(super) items: Vec<Item>,
    pub(super) segments: Vec<Segment>,
    pub(super) chains: Vec<Chain>,
    /// Arcs between nodes of one layer.
    pub(super) flat: Vec<usize>,
    pub(super) layers: Vec<Vec<usize>>,
}

/// A part of a graph that is laid out at once.
pub(super) struct Part<'a> {
    pub(super) graph: &'a Graph,
    /// The room of every node of the graph.
    pub(super) sizes: &'a [Size],
    /// The nodes of this part.
    pub(super) nodes: &'a [usize],
    /// The arcs between them, without loops.
    pub(super) arcs: &'a [usize],
    /// The room of the label of every arc of the graph, where it has a wide one.
    pub(super) arc_labels: &'a [Option<(f64, f64)>],
    /// Where a cell of a node is, from the centre.
    pub(super) port: &'a dyn Fn(usize, Option<usize>) -> f64,
    /// The layer of every node, where layers are given.
    pub(super) given: Option<&'a [usize]>,
    /// Whether a node has an arc to itself.
    pub(super) looped: &'a [bool],
}

/// The room that a loop takes at the left of its node.
pub(super) const LOOP_ROOM: f64 = 26.0;

/// The groups around something in `group`, outermost first.
pub(super) fn group_path(group: Option<usize>, parents: &[Option<usize>]) -> Vec<usize> {
    let mut path: Vec<usize> =
        std::iter::successors(group, |&inner| parents[inner]).take(parents.len()).collect();
    path.reverse();
    path
}

/// The innermost group around both.
fn common_group(a: Option<usize>, b: Option<usize>, parents: &[Option<usize>]) -> Option<usize> {
    let (a, b) = (group_path(a, parents), group_path(b, parents));
    a.iter().zip(&b).take_while(|(a, b)| a == b).last().map(|(&group, _)| group)
}

impl Part<'_> {
    /// Puts nodes, bends, labels and fillers into layers, in no particular order.
    pub(super) fn in_layers(&self, start: Start, meter: &mut Meter) -> Result<Layered, Interrupted> {
        let graph = self.graph;
        let parents: Vec<Option<usize>> = graph.groups.iter().map(|group| group.parent).collect();
        let mut local = vec![usize::MAX; graph.nodes.len()];
        for (index, &node) in self.nodes.iter().enumerate() {
            local[node] = index;
        }
        let pairs: Vec<(usize, usize)> =
            self.arcs.iter().map(|&arc| (local[graph.arcs[arc].from], local[graph.arcs[arc].to])).collect();
        let (node_layers, turned) = match self.given {
            Some(given) => {
                let layers: Vec<usize> = self.nodes.iter().map(|&node| given[node]).collect();
                let turned = pairs.iter().map(|&(from, to)| layers[from] > layers[to]).collect();
                (layers, turned)
            }
            None => {
                let turned = acyclic::turned_arcs(graph, self.nodes, &pairs, start);
                (self.find_layers(&pairs, &turned, meter)?, turned)
            }
        };

        let mut layered = Layered {
            items: Vec::new(),
            segments: Vec::new(),
            chains: Vec::new(),
            flat: Vec::new(),
            layers: Vec::new(),
        };
        for (&node, &layer) in self.nodes.iter().zip(&node_layers) {
            let size = &self.sizes[node];
            let (label_width, label_height) = size.label.map_or((0.0, 0.0), |(w, h)| (w + LABEL_GAP, h));
            layered.items.push(Item {
                kind: Kind::Node(node),
                layer,
                group: graph.nodes[node].group,
                left: size.width / 2.0 + if self.looped[node] { LOOP_ROOM } else { 0.0 },
                right: size.width / 2.0 + label_width,
                half_height: size.height.max(label_height) / 2.0,
            });
        }
        for ((&arc, &(from, to)), &turned) in self.arcs.iter().zip(&pairs).zip(&turned) {
            meter.step()?;
            let (upper, lower) = if turned { (to, from) } else { (from, to) };
            if node_layers[upper] == node_layers[lower] {
                layered.flat.push(arc);
            } else {
                self.add_chain(&mut layered, arc, turned, upper, lower, &parents);
            }
        }
        add_fillers(&mut layered, &parents);
        let count = layered.items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
        layered.layers = vec![Vec::new(); count];
        for (index, item) in layered.items.iter().enumerate() {
            layered.layers[item.layer].push(index);
        }
        Ok(layered)
    }

    fn find_layers(
        &self,
        pairs: &[(usize, usize)],
        turned: &[bool],
        meter: &mut Meter,
    ) -> Result<Vec<usize>, Interrupted> {
        let graph = self.graph;
        let demands: Vec<Demand> = self
            .arcs
            .iter()
            .zip(pairs)
            .zip(turned)
            .map(|((&arc, &(from, to)), &turned)| {
                let (from, to) = if turned { (to, from) } else { (from, to) };
                let group = |end: usize| graph.nodes[self.nodes[end]].group;
                let inside = group(from).is_some() && group(from) == group(to);
                Demand {
                    from,
                    to,
                    minimum: if self.arc_labels[arc].is_some() { 2 } else { 1 },
                    weight: if inside { 4 } else { 2 } - i64::from(turned),
                }
            })
            .collect();
        let layers = cheapest(self.nodes.len(), &demands, meter)?;
        Ok(layers.into_iter().map(|layer| layer as usize).collect())
    }

    fn add_chain(
        &self,
        layered: &mut Layered,
        arc: usize,
        turned: bool,
        upper: usize,
        lower: usize,
        parents: &[Option<usize>],
    ) {
        let arc_data = &self.graph.arcs[arc];
        let group = common_group(layered.items[upper].group, layered.items[lower].group, parents);
        let (first, last) = (layered.items[upper].layer, layered.items[lower].layer);
        let mut chain = Chain { arc, turned, items: vec![upper], label: None };
        let hidden = arc_data.kind == ArcKind::Hidden;
        let middle = first + (last - first) / 2;
        for layer in first + 1..last {
            let label = if layer == middle { self.arc_labels[arc] } else { None };
            let index = layered.items.len();
            layered.items.push(match label {
                Some((width, height)) => {
                    chain.label = Some(index);
                    Item {
                        kind: Kind::Label,
                        layer,
                        group,
                        left: 3.0,
                        right: 5.0 + width,
                        half_height: height / 2.0,
                    }
                }
                None => Item { kind: Kind::Bend, layer, group, left: 0.0, right: 0.0, half_height: 0.0 },
            });
            chain.items.push(index);
        }
        chain.items.push(lower);
        for (place, pair) in chain.items.windows(2).enumerate() {
            let (upper, lower) = (pair[0], pair[1]);
            let port = |item: usize, cell| match layered.items[item].kind {
                Kind::Node(node) => (self.port)(node, cell),
                _ => 0.0,
            };
            let (upper_cell, lower_cell) = if turned { (None, arc_data.cell) } else { (arc_data.cell, None) };
            let upper_port = if place == 0 { port(upper, upper_cell) } else { 0.0 };
            let lower_port = if place + 2 == chain.items.len() { port(lower, lower_cell) } else { 0.0 };
            let is_node = |item: usize| matches!(layered.items[item].kind, Kind::Node(_));
            let weight = match (is_node(upper), is_node(lower)) {
                _ if hidden => 12,
                (true, true) => 2,
                (false, false) => 8,
                _ => 3,
            };
            let width = layered.items[upper].left + layered.items[upper].right;
            let upper_share = if width > 0.0 { (upper_port / width).clamp(-0.49, 0.49) } else { 0.0 };
            layered.segments.push(Segment { upper, lower, upper_port, upper_share, lower_port, weight });
        }
        layered.chains.push(chain);
    }
}

/// Puts a filler into each layer between the first and the last of a group where it has no item.
fn add_fillers(layered: &mut Layered, parents: &[Option<usize>]) {
    // Children come after parents, so that fillers of children count for parents.
    for group in (0..parents.len()).rev() {
        let mut present: Vec<usize> = layered
            .items
            .iter()
            .filter(|item| group_path(item.group, parents).contains(&group))
            .map(|item| item.layer)
            .collect();
        present.sort_unstable();
        present.dedup();
        for pair in present.windows(2) {
            for layer in pair[0] + 1..pair[1] {
                let kind = Kind::Filler;
                let group = Some(group);
                layered.items.push(Item { kind, layer, group, left: 0.0, right: 0.0, half_height: 0.0 });
            }
        }
    }
}
