//! Arcs with their heads.

use super::number;
use crate::geometry::{Curve, Point};
use crate::graph::ArcKind;
use std::fmt::Write;

const HEAD_LENGTH: f64 = 9.0;
const HEAD_WIDTH: f64 = 7.0;
const RING: f64 = 3.6;

/// Draws a line and what is at its ends.
pub(super) fn draw(out: &mut String, kind: ArcKind, curve: &Curve) {
    if curve.points.len() < 4 || kind == ArcKind::Hidden {
        return;
    }
    let mut line = curve.clone();
    let mut heads = String::new();
    match kind {
        ArcKind::Plain | ArcKind::Both | ArcKind::Dashed | ArcKind::Negated | ArcKind::DashedNegated => {
            add_head(&mut heads, &mut line);
        }
        ArcKind::Reset => {
            add_head(&mut heads, &mut line);
            add_head(&mut heads, &mut line);
        }
        ArcKind::Inhibitor => add_ring(&mut heads, &mut line),
        ArcKind::Read | ArcKind::Hidden => {}
    }
    if kind == ArcKind::Both {
        line.reverse();
        add_head(&mut heads, &mut line);
        line.reverse();
    }
    if matches!(kind, ArcKind::Negated | ArcKind::DashedNegated) {
        line.reverse();
        add_ring(&mut heads, &mut line);
        line.reverse();
    }
    let class = match kind {
        ArcKind::Read | ArcKind::Dashed | ArcKind::DashedNegated => "arc dashed",
        _ => "arc",
    };
    let _ = writeln!(out, "<path class=\"{class}\" d=\"{}\"/>{heads}", path(&line));
}

fn path(curve: &Curve) -> String {
    let Some((start, rest)) = curve.points.split_first() else { return String::new() };
    let mut path = format!("M{} {}", number(start.x), number(start.y));
    let mut here = *start;
    for piece in rest.chunks_exact(3) {
        let (a, b, end) = (piece[0], piece[1], piece[2]);
        let line = |point: Point| {
            let area = (point.x - here.x) * (end.y - here.y) - (point.y - here.y) * (end.x - here.x);
            area.abs() < 0.5
        };
        if line(a) && line(b) {
            let _ = write!(path, "L{} {}", number(end.x), number(end.y));
        } else {
            let _ = write!(path, "C{} {}", number(a.x), number(a.y));
            for point in [b, end] {
                let _ = write!(path, " {} {}", number(point.x), number(point.y));
            }
        }
        here = end;
    }
    path
}

/// Takes so much off the end of a line; gives back where it ended and the direction there.
fn trim(curve: &mut Curve, length: f64) -> (Point, Point) {
    let tip = curve.end().unwrap_or_default();
    let count = curve.points.len();
    let [a, b, c, d] = curve.points[count - 4..] else { return (tip, Point::new(0.0, 1.0)) };
    let at = |t: f64| {
        let (ab, bc, cd) = (a.towards(b, t), b.towards(c, t), c.towards(d, t));
        (ab, ab.towards(bc, t), ab.towards(bc, t).towards(bc.towards(cd, t), t))
    };
    // The parameter at which the rest is as long as the head, by bisection.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if at(middle).2.distance(tip) > length { low = middle } else { high = middle }
    }
    let (b, c, end) = at(low);
    let far = end.distance(tip).max(1e-6);
    let direction = Point::new((tip.x - end.x) / far, (tip.y - end.y) / far);
    curve.points.truncate(count - 3);
    curve.points.extend([b, c, end]);
    (tip, direction)
}

fn add_head(heads: &mut String, line: &mut Curve) {
    let (tip, direction) = trim(line, HEAD_LENGTH);
    let base = tip.plus(-direction.x * HEAD_LENGTH, -direction.y * HEAD_LENGTH);
    let (x, y) = (-direction.y * HEAD_WIDTH / 2.0, direction.x * HEAD_WIDTH / 2.0);
    let (left, right) = (base.plus(x, y), base.plus(-x, -y));
    let _ = write!(
        heads,
        "<path class=\"head\" d=\"M{} {}L{} {}L{} {}Z\"/>",
        number(tip.x),
        number(tip.y),
        number(left.x),
        number(left.y),
        number(right.x),
        number(right.y)
    );
}

fn add_ring(heads: &mut String, line: &mut Curve) {
    let (tip, direction) = trim(line, 2.0 * RING);
    let (x, y) = (number(tip.x - direction.x * RING), number(tip.y - direction.y * RING));
    let _ = write!(heads, "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{RING}\"/>");
}
