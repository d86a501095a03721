//! Where everything in a picture is.
//!
//! Graphs are laid out in layers, as they mostly have a direction: cycles are cut (`acyclic`),
//! nodes get layers, long arcs get bends in the layers they pass (`items`), the layers are ordered
//! with few crossings (`order`), everything gets a column (`coordinates`), and arcs become curves
//! (`route`). A graph that runs in circles is also laid out without layers (`stress`), and the
//! better picture of the two is taken. Parts that hang together are laid out on their own and
//! packed side by side; boxes that nothing connects stand in rows (`boxes`), and trees that are too
//! large for layers are lists (`indented`).
//!
//! Invariants, checked by tests on random graphs:
//! - **L1** shapes and the labels of nodes do not overlap shapes or labels of other nodes.
//! - **L2** a group's box holds its nodes and boxes, and no other node or box reaches into it.
//! - **L3** arcs start and end at the borders of their nodes.
//! - **L4** where layers are given, nodes stand in them, in order; of boxes that nothing connects,
//!   in each box.

mod acyclic;
mod boxes;
mod coordinates;
mod descent;
mod indented;
mod items;
mod labels;
mod layered;
mod network_simplex;
mod order;
mod pack;
mod piece;
mod route;
mod stress;
mod text;

pub use boxes::BoxApart;
pub use text::to_text;

use crate::geometry::{Curve, Point, Rect};
use crate::graph::{ArcKind, Flow, Graph, Shape};
use crate::measure::{self, Size, Stance};
use acyclic::Start;
use items::Part;
use piece::{PartNodes, Piece};
use symbolon_budget::{Budget, Interrupted, Meter};

/// Graphs with more nodes than this are refused: the picture would be unreadable.
pub const MOST_NODES: usize = 500;
/// Graphs with more arcs than this are refused.
pub const MOST_ARCS: usize = 2000;

/// Where everything in a picture is, in pixels from its upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The width of the picture.
    pub width: f64,
    /// The height of the picture.
    pub height: f64,
    /// The nodes, as in the graph.
    pub nodes: Vec<PlacedNode>,
    /// The arcs, as in the graph.
    pub arcs: Vec<PlacedArc>,
    /// The groups, as in the graph; one without nodes has no box.
    pub groups: Vec<Option<Rect>>,
}

/// Where a node is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedNode {
    /// Its shape.
    pub shape: Rect,
    /// The label beside it.
    pub label: Option<Rect>,
    /// The cells of a record.
    pub cells: Vec<Rect>,
}

/// Where an arc is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedArc {
    /// Its line, from start to end; without points if it is hidden.
    pub curve: Curve,
    /// What stands beside it.
    pub label: Option<Rect>,
}

impl PlacedNode {
    fn shift(&mut self, x: f64, y: f64) {
        self.shape = self.shape.shifted(x, y);
        self.label = self.label.map(|label| label.shifted(x, y));
        self.cells.iter_mut().for_each(|cell| *cell = cell.shifted(x, y));
    }
}

impl PlacedArc {
    fn shift(&mut self, x: f64, y: f64) {
        self.curve.map(|point| point.plus(x, y));
        self.label = self.label.map(|label| label.shifted(x, y));
    }
}

impl Layout {
    /// How many times arcs cross each other.
    pub fn crossings(&self) -> usize {
        piece::crossings(&self.arcs)
    }
}

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The graph is larger than a picture can show.
    #[error(
        "{nodes} nodes and {arcs} arcs are too many for a picture; at most {most_nodes} nodes and \
         {most_arcs} arcs can be drawn"
    )]
    TooLarge {
        /// The nodes it has.
        nodes: usize,
        /// The arcs it has.
        arcs: usize,
        /// The nodes it may have.
        most_nodes: usize,
        /// The arcs it may have.
        most_arcs: usize,
    },
    /// The budget ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The number of nodes and arcs in one part up to which pictures are compared closely; up to two
/// thirds as many nodes, more of them.
const FEW_NODES: usize = 400;
const FEW_ARCS: usize = 700;
/// How many pairs of arcs or nodes all tries without layers together may compare.
const WORK: u64 = 16_000_000;
/// Labels of arcs wider than this get room of their own.
const WIDE_LABEL: f64 = 26.0;

/// Finds out where everything is.
pub fn layout(graph: &Graph, budget: &Budget) -> Result<Layout, LayoutError> {
    let (nodes, arcs) = (graph.nodes.len(), graph.arcs.len());
    if nodes > MOST_NODES || arcs > MOST_ARCS {
        return Err(LayoutError::TooLarge { nodes, arcs, most_nodes: MOST_NODES, most_arcs: MOST_ARCS });
    }
    graph.check();
    budget.check()?;
    if graph.flow == Flow::Indented {
        return Ok(indented::in_lines(graph));
    }
    if let Some(boxes) = graph.boxes_apart() {
        return boxes::in_rows(graph, &boxes, budget);
    }
    let mut meter = Meter::new(budget.clone());
    let room = Room::new(graph);
    let parts = pack::parts(graph);
    let pieces = match given_layers(graph, &room) {
        Some(given) => vec![room.in_given_layers(&parts, &given, &mut meter)?],
        None => {
            let mut pieces = Vec::with_capacity(parts.len());
            for part in &parts {
                pieces.push(room.best_piece(part, &mut meter)?);
            }
            pieces
        }
    };
    Ok(pack::side_by_side(graph, pieces))
}

/// The room that everything takes in a graph, and the plane it is laid out in.
struct Room<'a> {
    graph: &'a Graph,
    /// Whether the plane of the layers is turned: the picture flows to the right, layers go down.
    turned: bool,
    stance: Stance,
    sizes: Vec<Size>,
    arc_labels: Vec<Option<(f64, f64)>>,
    looped: Vec<bool>,
}

impl<'a> Room<'a> {
    fn new(graph: &'a Graph) -> Self {
        let turned = graph.flow == Flow::Right;
        let stance = if turned { Stance::Right } else { Stance::Down };
        let swap = |(width, height): (f64, f64)| if turned { (height, width) } else { (width, height) };
        let sizes = graph.nodes.iter().map(|node| {
            let size = measure::node_size(node, stance);
            let (width, height) = swap((size.width, size.height));
            Size { width, height, label: size.label.map(swap) }
        });
        let arc_labels = graph.arcs.iter().map(|arc| {
            let size = arc_label_size(arc.label.as_deref()?)?;
            (size.0 > WIDE_LABEL && arc.kind != ArcKind::Hidden && arc.from != arc.to).then(|| swap(size))
        });
        let mut looped = vec![false; graph.nodes.len()];
        for arc in &graph.arcs {
            looped[arc.from] |= arc.from == arc.to && arc.kind != ArcKind::Hidden;
        }
        let (sizes, arc_labels) = (sizes.collect(), arc_labels.collect());
        Room { graph, turned, stance, sizes, arc_labels, looped }
    }

    /// Where a cell is across the layers, from the centre of its node.
    fn port(&self, node: usize, cell: Option<usize>) -> f64 {
        let (Some(cell), Shape::Cells { cells }) = (cell, &self.graph.nodes[node].shape) else { return 0.0 };
        let boxes = measure::cell_boxes(cells, self.stance);
        let Some(rect) = boxes.get(cell) else { return 0.0 };
        let center = if self.turned { rect.center().y } else { rect.center().x };
        center - self.sizes[node].width / 2.0
    }

    /// The best of several pictures of one part.
    fn best_piece(&self, part: &PartNodes, meter: &mut Meter) -> Result<Piece, Interrupted> {
        let few = part.nodes.len() <= FEW_NODES && part.arcs.len() <= FEW_ARCS;
        if self.is_nearly_complete(part) {
            return Ok(self.on_a_circle(part));
        }
        let mut best = self.in_found_layers(part, Start::Walk, meter)?;
        if !has_cycle(self.graph, part) {
            return Ok(best);
        }
        if !few {
            // Too large to look at closely: the smaller picture is the better one.
            if self.may_be_free(part) {
                let free = self.without_layers(part, 0, WORK, meter)?;
                let area = |piece: &Piece| piece.bounds().width() * piece.bounds().height();
                if 2.0 * area(&free) < area(&best) {
                    best = free;
                }
            }
            return Ok(best);
        }
        let mut least = best.ugliness();
        let grouped = part.nodes.iter().any(|&node| self.graph.nodes[node].group.is_some());
        let starts: &[Start] = match grouped {
            _ if part.nodes.len() > FEW_NODES * 2 / 3 => &[],
            true => &[Start::Greedy, Start::Together],
            false => &[Start::Greedy],
        };
        for &start in starts {
            let other = self.in_found_layers(part, start, meter)?;
            let ugliness = other.ugliness();
            if ugliness < least {
                (best, least) = (other, ugliness);
            }
        }
        if self.may_be_free(part) {
            let starts = (20_000 / (part.nodes.len() * part.arcs.len() + 1)).clamp(1, 12) as u64;
            for start in 0..starts {
                let free = self.without_layers(part, start, WORK / starts, meter)?;
                let ugliness = free.ugliness();
                if ugliness < least {
                    (best, least) = (free, ugliness);
                }
            }
        }
        Ok(best)
    }

    fn with_part<T>(&self, part: &PartNodes, given: Option<&[usize]>, work: impl FnOnce(&Part) -> T) -> T {
        let port = |node: usize, cell: Option<usize>| self.port(node, cell);
        work(&Part {
            graph: self.graph,
            sizes: &self.sizes,
            nodes: &part.nodes,
            arcs: &part.arcs,
            arc_labels: &self.arc_labels,
            port: &port,
            given,
            looped: &self.looped,
        })
    }

    fn in_found_layers(
        &self,
        nodes: &PartNodes,
        start: Start,
        meter: &mut Meter,
    ) -> Result<Piece, Interrupted> {
        self.with_part(nodes, None, |part| {
            let arranged = layered::arrange(part, start, self.turned, meter)?;
            let bands = layered::bands(&[(part, &arranged)], self.turned);
            let placement = arranged.place(part, &bands, 0.0, self.turned);
            Ok(Piece::in_layers(self, nodes, &placement))
        })
    }

    /// Parts that share given layers, side by side; parts that are text alone come first.
    fn in_given_layers(
        &self,
        parts: &[PartNodes],
        given: &[usize],
        meter: &mut Meter,
    ) -> Result<Piece, Interrupted> {
        let is_text = |part: &&PartNodes| {
            part.nodes.iter().all(|&node| matches!(self.graph.nodes[node].shape, Shape::Text { .. }))
        };
        let sorted = parts.iter().filter(is_text).chain(parts.iter().filter(|part| !is_text(part)));
        let sorted: Vec<&PartNodes> = sorted.collect();
        let mut arranged = Vec::new();
        for nodes in &sorted {
            arranged.push(self.with_part(nodes, Some(given), |part| {
                layered::arrange(part, Start::Walk, self.turned, meter)
            })?);
        }
        let port = |node: usize, cell: Option<usize>| self.port(node, cell);
        let all: Vec<Part> = sorted
            .iter()
            .map(|nodes| Part {
                graph: self.graph,
                sizes: &self.sizes,
                nodes: &nodes.nodes,
                arcs: &nodes.arcs,
                arc_labels: &self.arc_labels,
                port: &port,
                given: Some(given),
                looped: &self.looped,
            })
            .collect();
        let both: Vec<_> = all.iter().zip(&arranged).collect();
        let bands = layered::bands(&both, self.turned);
        let mut whole = Piece::default();
        let mut x = 0.0;
        for ((part, arranged), nodes) in both.iter().zip(&sorted) {
            let (left, right) = arranged.span();
            let placement = arranged.place(part, &bands, x - left, self.turned);
            whole.absorb(Piece::in_layers(self, nodes, &placement));
            x += right - left + pack::PART_GAP;
        }
        Ok(whole)
    }

    /// Whether a picture without layers may be tried: places, transitions and small boxes alone.
    fn may_be_free(&self, part: &PartNodes) -> bool {
        part.nodes.iter().all(|&node| {
            let node = &self.graph.nodes[node];
            !matches!(node.shape, Shape::Cells { .. } | Shape::Text { .. })
        })
    }

    /// Whether nearly every node knows every other, both ways: equals belong on a circle, whatever
    /// crosses.
    fn is_nearly_complete(&self, part: &PartNodes) -> bool {
        let (nodes, arcs) = (part.nodes.len(), part.arcs.len());
        let is_plain = part.nodes.iter().all(|&node| self.graph.nodes[node].group.is_none());
        let is_mutual = part.arcs.iter().all(|&arc| self.graph.arcs[arc].kind == ArcKind::Both);
        let is_dense = 4 * arcs >= 3 * (nodes * (nodes - 1) / 2);
        (5..=16).contains(&nodes) && is_plain && is_mutual && is_dense && self.may_be_free(part)
    }

    /// The nodes on an ellipse, in their order, clockwise from the top.
    fn on_a_circle(&self, part: &PartNodes) -> Piece {
        const WIDER: f64 = 1.4;
        let node_room = |&node: &usize| {
            let room = piece::free_room(&measure::node_size(&self.graph.nodes[node], Stance::Free));
            room.width().hypot(room.height())
        };
        let widest = part.nodes.iter().map(node_room).fold(0.0, f64::max);
        let step = std::f64::consts::TAU / part.nodes.len() as f64;
        let radius = 1.1 * widest / (2.0 * (step / 2.0).sin());
        let position = |index: usize| {
            let angle = step * index as f64 - std::f64::consts::FRAC_PI_2;
            Point { x: WIDER * radius * angle.cos(), y: radius * angle.sin() }
        };
        let points = (0..part.nodes.len()).map(position).collect();
        let boxes = vec![None; self.graph.groups.len()];
        Piece::freely(self.graph, part, &stress::Positions { points, boxes })
    }

    fn without_layers(
        &self,
        part: &PartNodes,
        start: u64,
        work: u64,
        meter: &mut Meter,
    ) -> Result<Piece, Interrupted> {
        let graph = self.graph;
        let mut local = vec![usize::MAX; graph.nodes.len()];
        for (index, &node) in part.nodes.iter().enumerate() {
            local[node] = index;
        }
        let room: Vec<Rect> = part
            .nodes
            .iter()
            .map(|&node| piece::free_room(&measure::node_size(&graph.nodes[node], Stance::Free)))
            .collect();
        let parents: Vec<Option<usize>> = graph.groups.iter().map(|group| group.parent).collect();
        let arcs: Vec<(usize, usize, f64)> = part
            .arcs
            .iter()
            .map(|&arc| {
                let arc = &graph.arcs[arc];
                let label = arc.label.as_deref().and_then(arc_label_size).map_or(0.0, |size| size.0);
                let (from, to) = (local[arc.from], local[arc.to]);
                let sizes: f64 =
                    [from, to].iter().map(|&node| room[node].width() + room[node].height()).sum();
                let [a, b] =
                    [arc.from, arc.to].map(|node| items::group_path(graph.nodes[node].group, &parents));
                let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
                let boxes = (a.len() + b.len() - 2 * common) as f64;
                (from, to, (sizes / 4.0 + label * 0.7 + 24.0).clamp(76.0, 220.0) + boxes * 50.0)
            })
            .collect();
        let group: Vec<Option<usize>> = part.nodes.iter().map(|&node| graph.nodes[node].group).collect();
        let heads: Vec<(f64, f64)> = graph
            .groups
            .iter()
            .map(|group| {
                let width = measure::text_width(&measure::group_label_shown(&group.label), measure::FONT);
                if group.label.is_empty() { (0.0, 0.0) } else { (width + 16.0, measure::LINE - 4.0) }
            })
            .collect();
        let free = stress::Free { arcs: &arcs, room: &room, group: &group, parents: &parents, heads: &heads };
        let positions = free.positions(start, work, meter)?;
        Ok(Piece::freely(graph, part, &positions))
    }
}

/// The room of an arc's label.
fn arc_label_size(label: &str) -> Option<(f64, f64)> {
    let shown = measure::arc_label_shown(label);
    (!shown.trim().is_empty())
        .then(|| (measure::text_width(&shown, measure::ARC_FONT).ceil(), measure::LINE - 2.0))
}

/// The given layers without gaps, or none. Labels of arcs get layers of their own in between.
fn given_layers(graph: &Graph, room: &Room) -> Option<Vec<usize>> {
    let given: Option<Vec<u32>> = graph.nodes.iter().map(|node| node.layer).collect();
    let given = given.filter(|given| !given.is_empty())?;
    let mut known = given.clone();
    known.sort_unstable();
    known.dedup();
    let stretch = if room.arc_labels.iter().any(Option::is_some) { 2 } else { 1 };
    Some(given.iter().map(|layer| stretch * known.partition_point(|other| other < layer)).collect())
}

/// Whether one can go in a circle: an arc with two heads leads there and back, and otherwise
/// something is left when nodes without arcs that lead to them are taken away again and again.
fn has_cycle(graph: &Graph, part: &PartNodes) -> bool {
    if part.arcs.iter().any(|&arc| graph.arcs[arc].kind == ArcKind::Both) {
        return true;
    }
    let mut incoming = vec![0_usize; graph.nodes.len()];
    for &arc in &part.arcs {
        incoming[graph.arcs[arc].to] += 1;
    }
    let mut ready: Vec<usize> = part.nodes.iter().copied().filter(|&node| incoming[node] == 0).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &arc in &part.arcs {
            let arc = &graph.arcs[arc];
            if arc.from == node {
                incoming[arc.to] -= 1;
                if incoming[arc.to] == 0 {
                    ready.push(arc.to);
                }
            }
        }
    }
    done < part.nodes.len()
}
