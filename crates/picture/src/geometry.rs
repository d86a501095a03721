//! Points, rectangles and curves in the plane, y growing downwards as on a screen.

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Rightwards.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point at these coordinates.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    pub(crate) fn plus(self, x: f64, y: f64) -> Point {
        Point { x: self.x + x, y: self.y + y }
    }

    pub(crate) fn distance(self, other: Point) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// The point that divides the way to `other`: 0 is here, 1 is there.
    pub(crate) fn towards(self, other: Point, share: f64) -> Point {
        Point { x: self.x + (other.x - self.x) * share, y: self.y + (other.y - self.y) * share }
    }

    pub(crate) fn transposed(self) -> Point {
        Point { x: self.y, y: self.x }
    }
}

/// A rectangle with sides along the axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its right side.
    pub right: f64,
    /// Its lower side.
    pub bottom: f64,
}

impl Rect {
    pub(crate) fn around(center: Point, width: f64, height: f64) -> Rect {
        Rect {
            left: center.x - width / 2.0,
            top: center.y - height / 2.0,
            right: center.x + width / 2.0,
            bottom: center.y + height / 2.0,
        }
    }

    /// The distance from the left side to the right one.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// The distance from the upper side to the lower one.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The point in the middle.
    pub fn center(&self) -> Point {
        Point { x: (self.left + self.right) / 2.0, y: (self.top + self.bottom) / 2.0 }
    }

    /// Whether the insides have a point in common.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether no point of `other` lies outside.
    pub fn encloses(&self, other: &Rect) -> bool {
        self.left <= other.left
            && self.right >= other.right
            && self.top <= other.top
            && self.bottom >= other.bottom
    }

    pub(crate) fn grown(&self, by: f64) -> Rect {
        Rect { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub(crate) fn shifted(&self, x: f64, y: f64) -> Rect {
        Rect { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }

    pub(crate) fn joined(&self, other: &Rect) -> Rect {
        Rect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(crate) fn transposed(&self) -> Rect {
        Rect { left: self.top, top: self.left, right: self.bottom, bottom: self.right }
    }

    pub(crate) fn overlap_area(&self, other: &Rect) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    /// The length of the part of a line that lies inside.
    pub(crate) fn length_inside(&self, a: Point, b: Point) -> f64 {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        let sides = [
            (a.x - b.x, a.x - self.left),
            (b.x - a.x, self.right - a.x),
            (a.y - b.y, a.y - self.top),
            (b.y - a.y, self.bottom - a.y),
        ];
        for (slope, room) in sides {
            if slope == 0.0 {
                if room <= 0.0 {
                    return 0.0;
                }
            } else if slope > 0.0 {
                last = last.min(room / slope);
            } else {
                first = first.max(room / slope);
            }
        }
        if last > first { (last - first) * a.distance(b) } else { 0.0 }
    }
}

/// The smallest rectangle around these points.
pub(crate) fn bounds(points: &[Point]) -> Rect {
    let empty = Rect { left: f64::MAX, top: f64::MAX, right: f64::MIN, bottom: f64::MIN };
    points.iter().fold(empty, |rect, point| Rect {
        left: rect.left.min(point.x),
        top: rect.top.min(point.y),
        right: rect.right.max(point.x),
        bottom: rect.bottom.max(point.y),
    })
}

/// A smooth line: a start, then cubic Bézier pieces of two control points and an end each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// `1 + 3 n` points, or none for a line that is not drawn.
    pub points: Vec<Point>,
}

/// The number of straight lines that approximate one Bézier piece wherever something is measured.
const PIECES: usize = 12;

impl Curve {
    pub(crate) fn from(start: Point) -> Curve {
        Curve { points: vec![start] }
    }

    pub(crate) fn end(&self) -> Option<Point> {
        self.points.last().copied()
    }

    pub(crate) fn line_to(&mut self, end: Point) {
        if let Some(start) = self.end() {
            self.points.extend([start.towards(end, 1.0 / 3.0), start.towards(end, 2.0 / 3.0), end]);
        }
    }

    pub(crate) fn curve_to(&mut self, a: Point, b: Point, end: Point) {
        self.points.extend([a, b, end]);
    }

    pub(crate) fn reverse(&mut self) {
        self.points.reverse();
    }

    pub(crate) fn map(&mut self, change: impl Fn(Point) -> Point) {
        for point in &mut self.points {
            *point = change(*point);
        }
    }

    /// The same line as short straight pieces.
    pub fn flattened(&self) -> Vec<Point> {
        let mut line: Vec<Point> = self.points.first().copied().into_iter().collect();
        for piece in 0..self.points.len().saturating_sub(1) / 3 {
            let &[a, b, c, d] = &self.points[3 * piece..3 * piece + 4] else { continue };
            if is_straight(a, b, d) && is_straight(a, c, d) {
                line.push(d);
                continue;
            }
            for step in 1..=PIECES {
                let t = step as f64 / PIECES as f64;
                let (ab, bc, cd) = (a.towards(b, t), b.towards(c, t), c.towards(d, t));
                line.push(ab.towards(bc, t).towards(bc.towards(cd, t), t));
            }
        }
        line
    }
}

fn is_straight(a: Point, b: Point, c: Point) -> bool {
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    area.abs() <= 0.01 * a.distance(c).max(1.0)
}

/// Whether the insides of two straight lines cross.
pub(crate) fn lines_cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    if a.x.max(b.x) < c.x.min(d.x) || c.x.max(d.x) < a.x.min(b.x) {
        return false;
    }
    if a.y.max(b.y) < c.y.min(d.y) || c.y.max(d.y) < a.y.min(b.y) {
        return false;
    }
    let side = |p: Point, q: Point, r: Point| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    side(a, b, c) * side(a, b, d) < -1e-6 && side(c, d, a) * side(c, d, b) < -1e-6
}
