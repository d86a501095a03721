//! Where labels stand that have no room of their own: beside arcs, and around nodes in pictures
//! without layers. Each takes the place where it covers least.

use crate::geometry::{Curve, Point, Rect, bounds};
use crate::measure::LABEL_GAP;

/// How much farther away a label may stand where everything near is taken.
const FARTHER: f64 = 9.0;
/// The distance from a shape to the label below it.
pub(super) const BELOW: f64 = 2.0;

/// What labels should not cover.
pub(super) struct Taken {
    /// Shapes and labels that already have a place.
    pub(super) rects: Vec<Rect>,
    /// Arcs as short straight lines, with the room they take.
    lines: Vec<(Rect, Vec<Point>)>,
    /// The heads of arcs: a label on one hides where the arc leads.
    heads: Vec<Rect>,
}

/// The room of a head, from the end of its line.
const HEAD: f64 = 10.0;
/// How bad it is to cover a head at all, and each square pixel of one.
const ON_HEAD: (f64, f64) = (400.0, 20.0);

/// The room of a head at the end of a line.
pub(super) fn head_at(end: Point, before: Point) -> Rect {
    let length = end.distance(before).max(1e-6);
    let base = end.towards(before, (HEAD / length).min(1.0));
    bounds(&[end, base]).grown(3.0)
}

impl Taken {
    /// Nothing but the curves of arcs, and whether each has a head at its start, too.
    pub(super) fn by_arcs<'a>(curves: impl Iterator<Item = (&'a Curve, bool)>) -> Taken {
        let (mut lines, mut heads) = (Vec::new(), Vec::new());
        for (curve, has_two) in curves {
            let line = curve.flattened();
            if let [.., before, end] = line.as_slice() {
                heads.push(head_at(*end, *before));
            }
            if let (true, [start, after, ..]) = (has_two, line.as_slice()) {
                heads.push(head_at(*start, *after));
            }
            lines.push((bounds(&line).grown(1.0), line));
        }
        Taken { rects: Vec::new(), lines, heads }
    }

    /// How bad it is to cover this; the arc `own` does not count.
    fn cost(&self, rect: &Rect, own: Option<usize>) -> f64 {
        let on_rects: f64 = self.rects.iter().map(|taken| taken.grown(1.5).overlap_area(rect)).sum();
        let mut on_lines = 0.0;
        for (index, (around, line)) in self.lines.iter().enumerate() {
            if Some(index) != own && around.overlaps(rect) {
                on_lines += line.windows(2).map(|pair| rect.length_inside(pair[0], pair[1])).sum::<f64>();
            }
        }
        let on_head = |head: &Rect| match head.overlap_area(rect) {
            0.0 => 0.0,
            area => ON_HEAD.0 + ON_HEAD.1 * area,
        };
        let on_heads: f64 = self.heads.iter().map(on_head).sum();
        on_rects * 4.0 + on_lines * 6.0 + on_heads
    }

    /// The best place for a label of this size beside an arc; takes it.
    pub(super) fn beside_arc(&mut self, own: usize, curve: &Curve, size: (f64, f64)) -> Rect {
        const SHARES: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
        let line = curve.flattened();
        let mut best: Option<(f64, Rect)> = None;
        for share in SHARES {
            let (at, direction) = along(&line, share);
            for side in [1.0, -1.0] {
                let normal = (-direction.y * side, direction.x * side);
                let reach = (normal.0 * size.0).abs() / 2.0 + (normal.1 * size.1).abs() / 2.0 + 2.0;
                let rect = Rect::around(at.plus(normal.0 * reach, normal.1 * reach), size.0, size.1);
                let own_line = line.windows(2).map(|pair| rect.length_inside(pair[0], pair[1])).sum::<f64>();
                let cost = self.cost(&rect, Some(own)) + own_line * 6.0 + (share - 0.5).abs() * 20.0;
                if best.as_ref().is_none_or(|(least, _)| cost < *least - 1e-9) {
                    best = Some((cost, rect));
                }
            }
        }
        let rect = best.map_or_else(Rect::default, |(_, rect)| rect);
        self.rects.push(rect);
        rect
    }

    /// The best allowed place for a label of this size around a shape; takes it. Below is always
    /// allowed.
    pub(super) fn around(&mut self, shape: &Rect, size: (f64, f64), allowed: impl Fn(&Rect) -> bool) -> Rect {
        let center = shape.center();
        let (x, y) = ((shape.width() + size.0) / 2.0 + LABEL_GAP, (shape.height() + size.1) / 2.0 + BELOW);
        let corner = (x - shape.width() * 0.2, y - shape.height() * 0.2);
        let places = [
            (x, 0.0, 0.0),
            (0.0, y, 0.5),
            (-x, 0.0, 1.0),
            (0.0, -y, 1.5),
            (corner.0, corner.1, 4.0),
            (corner.0, -corner.1, 4.5),
            (-corner.0, corner.1, 5.0),
            (-corner.0, -corner.1, 5.5),
            (x, y * 0.5, 6.0),
            (x, -y * 0.5, 6.0),
            (-x, y * 0.5, 6.5),
            (-x, -y * 0.5, 6.5),
            (x + FARTHER, 0.0, 8.0),
            (0.0, y + FARTHER, 8.5),
            (-x - FARTHER, 0.0, 9.0),
            (0.0, -y - FARTHER, 9.5),
            (x * 0.6, y, 10.0),
            (-x * 0.6, y, 10.5),
            (x * 0.6, -y, 11.0),
            (-x * 0.6, -y, 11.5),
        ];
        let mut best: Option<(f64, Rect)> = None;
        for (x, y, dislike) in places {
            let rect = Rect::around(center.plus(x, y), size.0, size.1);
            if !allowed(&rect) && (x, dislike) != (0.0, 0.5) {
                continue;
            }
            let cost = self.cost(&rect, None) + dislike;
            if best.as_ref().is_none_or(|(least, _)| cost < *least - 1e-9) {
                best = Some((cost, rect));
            }
        }
        let rect = best.map_or_else(Rect::default, |(_, rect)| rect);
        self.rects.push(rect);
        rect
    }
}

/// The point after this share of a line's length, and the direction there, of length 1.
fn along(line: &[Point], share: f64) -> (Point, Point) {
    let length: f64 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut left = length * share;
    for pair in line.windows(2) {
        let piece = pair[0].distance(pair[1]);
        if piece >= left && piece > 1e-9 {
            let direction = Point::new((pair[1].x - pair[0].x) / piece, (pair[1].y - pair[0].y) / piece);
            return (pair[0].towards(pair[1], left / piece), direction);
        }
        left -= piece;
    }
    (line.last().copied().unwrap_or_default(), Point::new(0.0, 1.0))
}
