//! One finished part of a picture: shapes, curves and labels, and how ugly they are together.

use super::labels::{BELOW, Taken, head_at};
use super::layered::Placement;
use super::route::{self, Body, Obstacles, Outline};
use super::stress::Positions;
use super::{PlacedArc, PlacedNode, Room, arc_label_size};
use crate::geometry::{Curve, Point, Rect, bounds, lines_cross};
use crate::graph::{ArcKind, Graph, Shape};
use crate::measure::{self, Size, Stance};
use std::collections::BTreeMap;

/// Nodes that hang together, and the arcs between them without loops.
pub(super) struct PartNodes {
    pub(super) nodes: Vec<usize>,
    pub(super) arcs: Vec<usize>,
    pub(super) loops: Vec<usize>,
}

/// One finished part, by the numbers of the graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) nodes: Vec<(usize, PlacedNode)>,
    pub(super) arcs: Vec<(usize, PlacedArc)>,
    pub(super) groups: Vec<(usize, Rect)>,
}

/// The size of a slide on which text can still be read.
const SLIDE: (f64, f64) = (1600.0, 1000.0);
/// How far arcs with the same ends are bent apart.
const APART: f64 = 13.0;

fn outline(graph: &Graph, node: usize) -> Outline {
    match graph.nodes[node].shape {
        Shape::Place { .. } => Outline::Circle,
        _ => Outline::Box,
    }
}

/// The room of a node and of a label below it around the centre of its shape, in a picture without
/// layers. The label may stand elsewhere where it takes no other node's room, so a place is always
/// left for it.
pub(super) fn free_room(size: &Size) -> Rect {
    let shape = Rect::around(Point::default(), size.width, size.height);
    let Some((width, height)) = size.label else { return shape.grown(10.0) };
    let half = (width / 2.0 + 3.0).max(shape.right + 8.0);
    Rect { left: -half, top: shape.top - 7.0, right: half, bottom: shape.bottom + BELOW + height + 3.0 }
}

impl Piece {
    /// A part whose nodes stand in layers.
    pub(super) fn in_layers(room: &Room, part: &PartNodes, placement: &Placement) -> Piece {
        let graph = room.graph;
        let mut bodies = BTreeMap::new();
        for &(node, center) in &placement.nodes {
            let size = &room.sizes[node];
            let rect = Rect::around(center, size.width, size.height);
            bodies.insert(node, Body { outline: outline(graph, node), rect });
        }
        let obstacles = Obstacles {
            shapes: bodies.iter().map(|(&node, body)| (node, body.rect)).collect(),
            labels: placement.labels.iter().map(|&(_, label)| label).collect(),
        };

        // Arcs without bends that have the same ends must be bent apart.
        let mut same_ends: BTreeMap<(usize, usize, Option<usize>), usize> = BTreeMap::new();
        let ends = |arc: usize| {
            let arc = &graph.arcs[arc];
            (arc.from.min(arc.to), arc.from.max(arc.to), arc.cell)
        };
        let visible = |arc: usize| graph.arcs[arc].kind != ArcKind::Hidden;
        for trail in placement.trails.iter().filter(|trail| trail.ways.is_empty() && visible(trail.arc)) {
            *same_ends.entry(ends(trail.arc)).or_default() += 1;
        }
        let mut passed: BTreeMap<(usize, usize, Option<usize>), usize> = BTreeMap::new();
        let mut piece = Piece::default();
        for trail in placement.trails.iter().filter(|trail| visible(trail.arc)) {
            let arc = &graph.arcs[trail.arc];
            let port = arc.cell.map(|cell| room.port(arc.from, Some(cell)));
            let (from, to) = ((arc.from, bodies[&arc.from], port), (arc.to, bodies[&arc.to], None));
            let (upper, lower) = if trail.turned { (to, from) } else { (from, to) };
            let mut bulge = 0.0;
            if trail.ways.is_empty() {
                let count = same_ends.get(&ends(trail.arc)).copied().unwrap_or(1);
                let place = passed.entry(ends(trail.arc)).or_default();
                bulge = (*place as f64 - (count as f64 - 1.0) / 2.0) * 2.0 * APART;
                *place += 1;
            }
            let mut curve = route::down_the_layers(trail, upper, lower, bulge, &obstacles);
            if trail.turned {
                curve.reverse();
            }
            piece.arcs.push((trail.arc, PlacedArc { curve, label: trail.label }));
        }
        for &(arc, height) in placement.flat.iter().filter(|(arc, _)| visible(*arc)) {
            let data = &graph.arcs[arc];
            let port = room.port(data.from, data.cell);
            let curve = route::over_the_layer(bodies[&data.from], bodies[&data.to], port, height);
            piece.arcs.push((arc, PlacedArc { curve, label: None }));
        }
        piece.add_loops(graph, part, &bodies, &[(-1.0, 0.0)]);

        let turn = |rect: Rect| if room.turned { rect.transposed() } else { rect };
        if room.turned {
            for (_, arc) in &mut piece.arcs {
                arc.curve.map(Point::transposed);
                arc.label = arc.label.map(turn);
            }
        }
        let labels: BTreeMap<usize, Rect> = placement.labels.iter().copied().collect();
        for (&node, body) in &bodies {
            let shape = turn(body.rect);
            let label = labels.get(&node).copied().map(turn);
            piece.nodes.push((node, placed_node(graph, node, shape, label, room.stance)));
        }
        piece.groups = placement.groups.iter().map(|&(group, rect)| (group, turn(rect))).collect();
        piece.add_arc_labels(graph);
        piece
    }

    /// A part whose nodes stand anywhere.
    pub(super) fn freely(graph: &Graph, part: &PartNodes, positions: &Positions) -> Piece {
        let mut bodies = BTreeMap::new();
        for (&node, &center) in part.nodes.iter().zip(&positions.points) {
            let size = measure::node_size(&graph.nodes[node], Stance::Free);
            let rect = Rect::around(center, size.width, size.height);
            bodies.insert(node, Body { outline: outline(graph, node), rect });
        }
        let shapes = bodies.iter().map(|(&node, body)| (node, body.rect.grown(3.0))).collect();
        let obstacles = Obstacles { shapes, labels: Vec::new() };
        let pair = |arc: usize| {
            (graph.arcs[arc].from.min(graph.arcs[arc].to), graph.arcs[arc].from.max(graph.arcs[arc].to))
        };
        let visible = |arc: &&usize| graph.arcs[**arc].kind != ArcKind::Hidden;
        let mut same_ends: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for &arc in part.arcs.iter().filter(visible) {
            *same_ends.entry(pair(arc)).or_default() += 1;
        }
        let mut passed: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut piece = Piece::default();
        for &arc in part.arcs.iter().filter(visible) {
            let data = &graph.arcs[arc];
            let count = same_ends.get(&pair(arc)).copied().unwrap_or(1);
            let place = passed.entry(pair(arc)).or_default();
            let mut bulge = (*place as f64 - (count as f64 - 1.0) / 2.0) * 2.0 * APART;
            *place += 1;
            // The side of a bend is seen from its start.
            if data.from > data.to {
                bulge = -bulge;
            }
            let curve = route::freely(
                (data.from, bodies[&data.from]),
                (data.to, bodies[&data.to]),
                bulge,
                &obstacles,
            );
            piece.arcs.push((arc, PlacedArc { curve, label: None }));
        }
        piece.add_loops(graph, part, &bodies, &[(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]);
        piece.groups =
            positions.boxes.iter().enumerate().filter_map(|(group, rect)| Some((group, (*rect)?))).collect();
        let mut taken = piece.taken_by_arcs(graph);
        taken.rects.extend(bodies.values().map(|body| body.rect));
        taken.rects.extend(piece.group_labels(graph));
        // The room below a shape stays free until its label has a place, so that there always is
        // one (L1).
        let mut below: BTreeMap<usize, Rect> = BTreeMap::new();
        for (&node, body) in &bodies {
            if let Some((width, height)) = measure::node_size(&graph.nodes[node], Stance::Free).label {
                let center = Point::new(body.rect.center().x, body.rect.bottom + BELOW + height / 2.0);
                below.insert(node, Rect::around(center, width, height).grown(1.0));
            }
        }
        let mut labels: Vec<Rect> = Vec::new();
        for (&node, body) in &bodies {
            let size = measure::node_size(&graph.nodes[node], Stance::Free);
            let frame = graph.nodes[node].group.and_then(|group| positions.boxes[group]);
            below.remove(&node);
            let allowed = |label: &Rect| {
                let shapes = bodies.iter().filter(|(other, _)| **other != node).map(|(_, body)| &body.rect);
                frame.is_none_or(|frame| frame.encloses(label))
                    && shapes.chain(&labels).chain(below.values()).all(|taken| !taken.overlaps(label))
            };
            let label = size.label.map(|size| taken.around(&body.rect, size, allowed));
            labels.extend(label);
            piece.nodes.push((node, placed_node(graph, node, body.rect, label, Stance::Free)));
        }
        piece.add_arc_labels(graph);
        piece
    }

    /// Draws arcs from a node to itself, each at that one of `sides` where it covers least.
    fn add_loops(
        &mut self,
        graph: &Graph,
        part: &PartNodes,
        bodies: &BTreeMap<usize, Body>,
        sides: &[(f64, f64)],
    ) {
        let mut passed: BTreeMap<usize, usize> = BTreeMap::new();
        let lines: Vec<Vec<Point>> = self.arcs.iter().map(|(_, arc)| arc.curve.flattened()).collect();
        for &arc in part.loops.iter().filter(|&&arc| graph.arcs[arc].kind != ArcKind::Hidden) {
            let node = graph.arcs[arc].from;
            let place = passed.entry(node).or_default();
            let curves = sides.iter().map(|&side| {
                let curve = route::loop_at(bodies[&node], side, *place);
                let room = bounds(&curve.flattened()).grown(3.0);
                let on_lines: f64 = lines
                    .iter()
                    .flat_map(|line| line.windows(2))
                    .map(|pair| room.length_inside(pair[0], pair[1]))
                    .sum();
                let others = bodies.iter().filter(|(other, _)| **other != node);
                let on_shapes: f64 = others.map(|(_, body)| body.rect.overlap_area(&room)).sum();
                (on_lines + on_shapes, curve)
            });
            let best = curves.min_by(|a, b| a.0.total_cmp(&b.0));
            *place += 1;
            let curve = best.map_or_else(Curve::default, |(_, curve)| curve);
            self.arcs.push((arc, PlacedArc { curve, label: None }));
        }
    }

    /// What arcs and their heads take.
    fn taken_by_arcs(&self, graph: &Graph) -> Taken {
        let has_two = |arc: usize| {
            matches!(graph.arcs[arc].kind, ArcKind::Both | ArcKind::Negated | ArcKind::DashedNegated)
        };
        Taken::by_arcs(self.arcs.iter().map(|(index, arc)| (&arc.curve, has_two(*index))))
    }

    /// The room of the labels of groups, in the upper left corners of their boxes.
    fn group_labels(&self, graph: &Graph) -> Vec<Rect> {
        let label = |&(group, frame): &(usize, Rect)| {
            let shown = measure::group_label_shown(&graph.groups[group].label);
            let width = measure::text_width(&shown, measure::FONT).min(frame.width()) + 8.0;
            Rect { right: frame.left + width, bottom: frame.top + measure::LINE, ..frame }
        };
        self.groups.iter().map(label).collect()
    }

    /// Finds places for the labels of arcs that have none yet.
    fn add_arc_labels(&mut self, graph: &Graph) {
        let mut taken = self.taken_by_arcs(graph);
        for (_, node) in &self.nodes {
            taken.rects.push(node.shape);
            taken.rects.extend(node.label);
        }
        taken.rects.extend(self.arcs.iter().filter_map(|(_, arc)| arc.label));
        taken.rects.extend(self.group_labels(graph));
        for (index, (arc, placed)) in self.arcs.iter_mut().enumerate() {
            let size = graph.arcs[*arc].label.as_deref().and_then(arc_label_size);
            if let (None, Some(size)) = (placed.label, size) {
                placed.label = Some(taken.beside_arc(index, &placed.curve, size));
            }
        }
    }

    /// The smallest rectangle around everything.
    pub(super) fn bounds(&self) -> Rect {
        let mut bounds: Option<Rect> = None;
        let mut add = |rect: Rect| bounds = Some(bounds.map_or(rect, |known| known.joined(&rect)));
        for (_, node) in &self.nodes {
            add(node.shape);
            node.label.into_iter().for_each(&mut add);
        }
        for (_, arc) in &self.arcs {
            arc.label.into_iter().for_each(&mut add);
            for point in arc.curve.flattened() {
                add(Rect::around(point, 2.0, 2.0));
            }
        }
        for &(_, rect) in &self.groups {
            add(rect);
        }
        bounds.unwrap_or_default()
    }

    pub(super) fn shift(&mut self, x: f64, y: f64) {
        self.nodes.iter_mut().for_each(|(_, node)| node.shift(x, y));
        self.arcs.iter_mut().for_each(|(_, arc)| arc.shift(x, y));
        for (_, rect) in &mut self.groups {
            *rect = rect.shifted(x, y);
        }
    }

    pub(super) fn absorb(&mut self, other: Piece) {
        self.nodes.extend(other.nodes);
        self.arcs.extend(other.arcs);
        self.groups.extend(other.groups);
    }

    /// How ugly the picture is: crossings, lines over labels, long arcs, a shape unlike a page's.
    pub(super) fn ugliness(&self) -> f64 {
        let lines: Vec<Vec<Point>> = self.arcs.iter().map(|(_, arc)| arc.curve.flattened()).collect();
        let boxes: Vec<Rect> = lines.iter().map(|line| bounds(line).grown(0.1)).collect();
        let crossings = count_crossings(&lines, &boxes) as f64;
        let mut covered = 0.0;
        let mut taken: Vec<Rect> = Vec::new();
        for (_, node) in &self.nodes {
            // Arcs touch their own nodes at the border only.
            taken.push(node.shape.grown(-2.0));
            taken.extend(node.label);
        }
        taken.extend(self.arcs.iter().filter_map(|(_, arc)| arc.label));
        for (line, around) in lines.iter().zip(&boxes) {
            for rect in taken.iter().filter(|rect| rect.overlaps(around)) {
                covered += line.windows(2).map(|pair| rect.length_inside(pair[0], pair[1])).sum::<f64>();
            }
        }
        let mut overlaps = 0.0;
        for line in &lines {
            if let [.., before, end] = line.as_slice() {
                let head = head_at(*end, *before);
                let labels = self.nodes.iter().filter_map(|(_, node)| node.label);
                overlaps += 4.0 * labels.map(|label| label.overlap_area(&head)).sum::<f64>();
            }
        }
        for (index, rect) in taken.iter().enumerate() {
            overlaps += taken[index + 1..].iter().map(|other| rect.overlap_area(other)).sum::<f64>();
        }
        let length: f64 = lines.iter().flat_map(|line| line.windows(2).map(|p| p[0].distance(p[1]))).sum();
        let bounds = self.bounds();
        let (width, height) = (bounds.width().max(1.0), bounds.height().max(1.0));
        let shape = (width / height / 1.5).ln().abs();
        let per_arc = length / self.arcs.len().max(1) as f64;
        let space = width * height / self.nodes.len().max(1) as f64 / 4000.0;
        // A picture larger than a slide has to be shrunk, and everything in it is that much harder
        // to see.
        let shrunk = (width / SLIDE.0).max(height / SLIDE.1).max(1.0);
        let ugly = 2.5 * crossings + covered / 15.0 + overlaps / 20.0 + per_arc / 8.0 + shape * 2.0 + space;
        ugly * shrunk
    }
}

fn crossings_between(a: &[Point], b: &[Point]) -> usize {
    let mut count = 0;
    for one in a.windows(2) {
        for two in b.windows(2) {
            count += usize::from(lines_cross(one[0], one[1], two[0], two[1]));
        }
    }
    count
}

fn placed_node(graph: &Graph, node: usize, shape: Rect, label: Option<Rect>, stance: Stance) -> PlacedNode {
    let cells = match &graph.nodes[node].shape {
        Shape::Cells { cells } => measure::cell_boxes(cells, stance),
        _ => Vec::new(),
    };
    let cells = cells.into_iter().map(|cell| cell.shifted(shape.left, shape.top)).collect();
    PlacedNode { shape, label, cells }
}

/// How many times the arcs of a layout cross each other.
pub(super) fn crossings(arcs: &[PlacedArc]) -> usize {
    let lines: Vec<Vec<Point>> = arcs.iter().map(|arc| Curve::flattened(&arc.curve)).collect();
    let boxes: Vec<Rect> = lines.iter().map(|line| bounds(line).grown(0.1)).collect();
    count_crossings(&lines, &boxes)
}

fn count_crossings(lines: &[Vec<Point>], boxes: &[Rect]) -> usize {
    let mut count = 0;
    for index in 0..lines.len() {
        for other in index + 1..lines.len() {
            if boxes[index].overlaps(&boxes[other]) {
                count += crossings_between(&lines[index], &lines[other]);
            }
        }
    }
    count
}
