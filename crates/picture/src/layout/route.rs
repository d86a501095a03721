//! Arcs as curves: from border to border, around what is in the way.

use super::layered::Trail;
use crate::geometry::{Curve, Point, Rect, bounds};

/// The outline of a shape, at which arcs end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outline {
    Circle,
    Box,
}

/// A shape in the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) outline: Outline,
    pub(super) rect: Rect,
}

/// What curves keep away from.
pub(super) struct Obstacles {
    /// Shapes with their nodes; arcs of a node may touch it.
    pub(super) shapes: Vec<(usize, Rect)>,
    pub(super) labels: Vec<Rect>,
}

impl Obstacles {
    /// How much of a curve lies on labels or on shapes, except on those at its ends.
    pub(super) fn covered(&self, curve: &Curve, ends: [usize; 2]) -> f64 {
        let line = curve.flattened();
        let around = bounds(&line).grown(3.0);
        let mut covered = 0.0;
        let shapes = self.shapes.iter().filter(|(owner, _)| !ends.contains(owner)).map(|(_, rect)| rect);
        for rect in shapes.chain(&self.labels).filter(|rect| rect.overlaps(&around)) {
            let rect = rect.grown(2.0);
            covered += line.windows(2).map(|pair| rect.length_inside(pair[0], pair[1])).sum::<f64>();
        }
        covered
    }
}

impl Body {
    /// Where a line from the centre to `target` leaves the shape.
    pub(super) fn border_towards(&self, target: Point) -> Point {
        let center = self.rect.center();
        let (dx, dy) = (target.x - center.x, target.y - center.y);
        let length = dx.hypot(dy);
        if length < 1e-9 {
            return Point::new(center.x, self.rect.bottom);
        }
        let (half_width, half_height) = (self.rect.width() / 2.0, self.rect.height() / 2.0);
        let share = match self.outline {
            Outline::Circle => half_width / length,
            Outline::Box => (half_width / dx.abs().max(1e-9)).min(half_height / dy.abs().max(1e-9)),
        };
        center.plus(dx * share, dy * share)
    }

    /// Where an arc that goes down to (or comes up from) `target` leaves: on the lower (upper)
    /// side.
    fn side_towards(&self, target: Point, port: Option<f64>, down: bool) -> Point {
        let center = self.rect.center();
        let sign = if down { 1.0 } else { -1.0 };
        let side = if down { self.rect.bottom } else { self.rect.top };
        if let Some(port) = port {
            return Point::new(center.x + port, side);
        }
        match self.outline {
            Outline::Circle => {
                // Never flatter than this, so that an arc does not leave sideways into a label.
                let dy = (sign * (target.y - center.y)).max((target.x - center.x).abs() * 0.5).max(1.0);
                self.border_towards(Point::new(target.x, center.y + sign * dy))
            }
            Outline::Box => {
                let half = (self.rect.width() / 2.0 - 5.0).max(0.0);
                let (drop, far) = ((target.y - side).abs().max(20.0), target.x - center.x);
                Point::new(center.x + half * far / (drop + far.abs()), side)
            }
        }
    }
}

/// The curve of an arc that passes layers from top to bottom. `bulge` bends arcs with the same ends
/// apart.
pub(super) fn down_the_layers(
    trail: &Trail,
    upper: (usize, Body, Option<f64>),
    lower: (usize, Body, Option<f64>),
    bulge: f64,
    obstacles: &Obstacles,
) -> Curve {
    let (upper_node, upper_body, upper_port) = upper;
    let (lower_node, lower_body, lower_port) = lower;
    let ends = [upper_node, lower_node];
    let at = |body: &Body, port: Option<f64>| body.rect.center().plus(port.unwrap_or(0.0), 0.0);
    if trail.ways.is_empty() {
        let (a, b) = (at(&upper_body, upper_port), at(&lower_body, lower_port));
        let start = upper_body.side_towards(b.plus(2.0 * bulge, 0.0), upper_port, true);
        let end = lower_body.side_towards(a.plus(2.0 * bulge, 0.0), lower_port, false);
        let mut direct = Curve::from(start);
        if bulge == 0.0 {
            direct.line_to(end);
        } else {
            let (c, d) = (start.towards(end, 0.3), start.towards(end, 0.7));
            direct.curve_to(c.plus(bulge, 0.0), d.plus(bulge, 0.0), end);
        }
        if obstacles.covered(&direct, ends) == 0.0 {
            return direct;
        }
        // Straight out of the layer, across the gap, straight into the next.
        let start = upper_body.side_towards(a.plus(bulge, 40.0), upper_port, true);
        let end = lower_body.side_towards(b.plus(bulge, -40.0), lower_port, false);
        let curve = across(start, trail.upper_band, trail.lower_band, end);
        return if obstacles.covered(&curve, ends) < obstacles.covered(&direct, ends) {
            curve
        } else {
            direct
        };
    }

    let first = trail.ways[0];
    let last = trail.ways[trail.ways.len() - 1];
    let (entry, exit) = (Point::new(first.x, first.top), Point::new(last.x, last.bottom));

    // From the upper node to the first bend: leaning towards it, or straight down if that hits
    // something.
    let start = upper_body.side_towards(entry, upper_port, true);
    let mut curve = Curve::from(start);
    leaning(&mut curve, entry);
    if obstacles.covered(&curve, ends) > 0.0 {
        let start = upper_body.side_towards(at(&upper_body, upper_port).plus(0.0, 40.0), upper_port, true);
        let straight = across(start, trail.upper_band, first.top, entry);
        if obstacles.covered(&straight, ends) < obstacles.covered(&curve, ends) {
            curve = straight;
        }
    }
    let mut previous = first;
    for &way in &trail.ways[1..] {
        let here = Point::new(previous.x, previous.bottom);
        let next = Point::new(way.x, way.top);
        if (way.x - previous.x).abs() > 0.5 {
            upright(&mut curve, here);
            let half = (next.y - here.y) / 2.0;
            curve.curve_to(here.plus(0.0, half), next.plus(0.0, -half), next);
        }
        previous = way;
    }
    upright(&mut curve, exit);

    // The mirror image at the lower node.
    let end = lower_body.side_towards(exit, lower_port, false);
    let mut tail = Curve::from(end);
    leaning(&mut tail, exit);
    if obstacles.covered(&tail, ends) > 0.0 {
        let end = lower_body.side_towards(at(&lower_body, lower_port).plus(0.0, -40.0), lower_port, false);
        let straight = across(end, trail.lower_band, last.bottom, exit);
        if obstacles.covered(&straight, ends) < obstacles.covered(&tail, ends) {
            tail = straight;
        }
    }
    tail.reverse();
    curve.points.extend(tail.points.into_iter().skip(1));
    curve
}

/// Goes on straight to `end`, unless already there.
fn upright(curve: &mut Curve, end: Point) {
    if curve.end().is_some_and(|here| here.distance(end) > 0.01) {
        curve.line_to(end);
    }
}

/// Goes to `end`, starting towards it and arriving vertically.
fn leaning(curve: &mut Curve, end: Point) {
    let Some(start) = curve.end() else { return };
    let rise = end.y - start.y;
    if (end.x - start.x).abs() < 0.5 {
        curve.line_to(end);
    } else {
        curve.curve_to(start.towards(end, 0.4), end.plus(0.0, -rise * 0.5), end);
    }
}

/// Straight to the edge of a layer, then across the gap.
fn across(start: Point, edge: f64, next_edge: f64, end: Point) -> Curve {
    let mut curve = Curve::from(start);
    upright(&mut curve, Point::new(start.x, edge));
    let far = Point::new(end.x, next_edge);
    let half = (next_edge - edge) / 2.0;
    curve.curve_to(Point::new(start.x, edge + half), far.plus(0.0, -half), far);
    upright(&mut curve, end);
    curve
}

/// The curve of an arc between nodes of one layer: an arch over what is between them.
pub(super) fn over_the_layer(from: Body, to: Body, from_port: f64, height: f64) -> Curve {
    let start = Point::new(from.rect.center().x + from_port, from.rect.top);
    let end = Point::new(to.rect.center().x, to.rect.top);
    let mut curve = Curve::from(start);
    curve.curve_to(Point::new(start.x, height), Point::new(end.x, height), end);
    curve
}

/// The curve of an arc from a node to itself, towards `side` (of length 1); further ones go
/// further.
pub(super) fn loop_at(body: Body, side: (f64, f64), place: usize) -> Curve {
    let center = body.rect.center();
    let spread = 6.0 + 3.0 * place as f64;
    let reach = 30.0 + 8.0 * place as f64;
    let along = |out: f64, across: f64| (side.0 * out - side.1 * across, side.1 * out + side.0 * across);
    let border = |across: f64| {
        let (x, y) = along(10.0, across);
        body.border_towards(center.plus(x, y))
    };
    let (from, to) = (border(spread), border(-spread));
    let (first, second) = (along(reach, 10.0), along(reach, -10.0));
    let mut curve = Curve::from(from);
    curve.curve_to(from.plus(first.0, first.1), to.plus(second.0, second.1), to);
    curve
}

/// The curve of an arc in a picture without layers: straight if it can be, else bent around.
pub(super) fn freely(from: (usize, Body), to: (usize, Body), bulge: f64, obstacles: &Obstacles) -> Curve {
    let (a, b) = (from.1.rect.center(), to.1.rect.center());
    let length = a.distance(b).max(1.0);
    let normal = ((b.y - a.y) / length, -(b.x - a.x) / length);
    let mut best: Option<(f64, Curve)> = None;
    let step = 16.0;
    for attempt in 0..20 {
        let turn = f64::from((attempt + 1) / 2) * if attempt % 2 == 0 { 1.0 } else { -1.0 };
        let bulge = bulge + step * turn;
        let (x, y) = (normal.0 * bulge * 1.3, normal.1 * bulge * 1.3);
        let (c, d) = (a.towards(b, 0.3).plus(x, y), a.towards(b, 0.7).plus(x, y));
        let (start, end) = (from.1.border_towards(c), to.1.border_towards(d));
        let mut curve = Curve::from(start);
        if bulge.abs() < 0.5 {
            curve.line_to(end);
        } else {
            curve.curve_to(c, d, end);
        }
        let cost = obstacles.covered(&curve, [from.0, to.0]) * 10.0 + bulge.abs();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, curve));
        }
    }
    best.map_or_else(Curve::default, |(_, curve)| curve)
}
