//! Positions without layers, for graphs that run in circles.
//!
//! Distances in the picture follow distances in the graph (stress majorisation; E. Gansner, Y. Koren,
//! S. North, Graph Drawing 2004). A ring becomes a ring, and what is symmetric mostly looks so.
//! Afterwards nodes whose shapes or labels overlap are pushed apart.

use crate::geometry::{Point, Rect};
use symbolon_budget::{Interrupted, Meter};

const ROUNDS: usize = 120;

/// Positions of `count` connected nodes, one for each of several starts. `room` is the box of each
/// node around its centre, and `length` what an arc wants to measure.
pub(super) fn positions(
    count: usize,
    arcs: &[(usize, usize)],
    room: &[Rect],
    length: f64,
    start: u64,
    meter: &mut Meter,
) -> Result<Vec<Point>, Interrupted> {
    let distance = distances(count, arcs);
    let mut points = first_positions(count, &distance, length, start);
    for _ in 0..ROUNDS {
        let mut moved = 0.0_f64;
        for node in 0..count {
            meter.step()?;
            let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
            for other in 0..count {
                if other == node {
                    continue;
                }
                let wish = f64::from(distance[node * count + other]) * length;
                let weight = 1.0 / (wish * wish);
                let apart = points[node].distance(points[other]).max(1e-6);
                let away = wish / apart;
                x += weight * (points[other].x + (points[node].x - points[other].x) * away);
                y += weight * (points[other].y + (points[node].y - points[other].y) * away);
                sum += weight;
            }
            if sum > 0.0 {
                let next = Point::new(x / sum, y / sum);
                moved = moved.max(next.distance(points[node]));
                points[node] = next;
            }
        }
        if moved < 0.05 {
            break;
        }
    }
    upright(&mut points);
    push_apart(&mut points, room, meter)?;
    Ok(points)
}

/// Lengths of shortest paths, arcs taken both ways.
fn distances(count: usize, arcs: &[(usize, usize)]) -> Vec<u32> {
    let mut near = vec![Vec::new(); count];
    for &(a, b) in arcs {
        near[a].push(b);
        near[b].push(a);
    }
    let mut distance = vec![u32::MAX; count * count];
    for start in 0..count {
        let row = &mut distance[start * count..(start + 1) * count];
        row[start] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &next in &near[node] {
                if row[next] == u32::MAX {
                    row[next] = row[node] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    for value in &mut distance {
        *value = (*value).min(count as u32);
    }
    distance
}

/// Start 0: the two main directions of the distances (classical scaling). Others: scattered.
fn first_positions(count: usize, distance: &[u32], length: f64, start: u64) -> Vec<Point> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ start;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    if start > 0 {
        let side = length * (count as f64).sqrt();
        return (0..count).map(|_| Point::new(random() * side, random() * side)).collect();
    }
    let square: Vec<f64> = distance.iter().map(|&d| f64::from(d) * f64::from(d)).collect();
    let mean: Vec<f64> =
        (0..count).map(|a| square[a * count..(a + 1) * count].iter().sum::<f64>() / count as f64).collect();
    let all = mean.iter().sum::<f64>() / count as f64;
    let centred = |a: usize, b: usize| (mean[a] + mean[b] - all - square[a * count + b]) / 2.0;
    let mut axes: Vec<Vec<f64>> = Vec::new();
    for _ in 0..2 {
        let mut axis: Vec<f64> = (0..count).map(|_| random()).collect();
        let mut size = 0.0;
        for _ in 0..60 {
            for known in &axes {
                let along: f64 = axis.iter().zip(known).map(|(a, b)| a * b).sum();
                let length: f64 = known.iter().map(|value| value * value).sum::<f64>().max(1e-12);
                for (value, known) in axis.iter_mut().zip(known) {
                    *value -= along / length * known;
                }
            }
            let next: Vec<f64> =
                (0..count).map(|a| (0..count).map(|b| centred(a, b) * axis[b]).sum()).collect();
            size = next.iter().map(|value| value * value).sum::<f64>().sqrt().max(1e-12);
            axis = next.into_iter().map(|value| value / size).collect();
        }
        let scale = size.sqrt() * length;
        axes.push(axis.into_iter().map(|value| value * scale).collect());
    }
    (0..count).map(|node| Point::new(axes[0][node] + random(), axes[1][node] + random())).collect()
}

/// Turns the picture so that it is wider than high; one that is round gets its first node to the top.
fn upright(points: &mut [Point]) {
    let count = points.len().max(1) as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.x / count, sum.1 + p.y / count));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points.iter() {
        xx += (p.x - x) * (p.x - x);
        xy += (p.x - x) * (p.y - y);
        yy += (p.y - y) * (p.y - y);
    }
    let round = (xx - yy).hypot(2.0 * xy) < 0.12 * (xx + yy);
    let angle = if round {
        let first = points.first().copied().unwrap_or_default();
        (first.y - y).atan2(first.x - x) + std::f64::consts::FRAC_PI_2
    } else {
        0.5 * (2.0 * xy).atan2(xx - yy)
    };
    let (sin, cos) = angle.sin_cos();
    for p in points.iter_mut() {
        let (dx, dy) = (p.x - x, p.y - y);
        *p = Point::new(dx * cos + dy * sin, dy * cos - dx * sin);
    }
    // Reading order: the first node is in the left half.
    if !round && points.first().is_some_and(|first| first.x > 0.0) {
        for p in points.iter_mut() {
            *p = Point::new(-p.x, -p.y);
        }
    }
}

/// Pushes nodes apart until no two boxes overlap.
fn push_apart(points: &mut [Point], room: &[Rect], meter: &mut Meter) -> Result<(), Interrupted> {
    // The plane grows a little when pushing alone does not end.
    for attempt in 0..60 {
        for _ in 0..40 {
            let mut clear = true;
            for a in 0..points.len() {
                meter.step()?;
                for b in a + 1..points.len() {
                    let (one, two) = (room[a].shifted(points[a].x, points[a].y), room[b].shifted(points[b].x, points[b].y));
                    if !one.overlaps(&two) {
                        continue;
                    }
                    clear = false;
                    let across = one.right.min(two.right) - one.left.max(two.left);
                    let down = one.bottom.min(two.bottom) - one.top.max(two.top);
                    if across < down {
                        let sign = if one.center().x <= two.center().x { 1.0 } else { -1.0 };
                        points[a].x -= sign * (across / 2.0 + 0.05);
                        points[b].x += sign * (across / 2.0 + 0.05);
                    } else {
                        let sign = if one.center().y <= two.center().y { 1.0 } else { -1.0 };
                        points[a].y -= sign * (down / 2.0 + 0.05);
                        points[b].y += sign * (down / 2.0 + 0.05);
                    }
                }
            }
            if clear {
                return Ok(());
            }
        }
        let scale = if attempt < 40 { 1.03 } else { 1.5 };
        for p in points.iter_mut() {
            *p = Point::new(p.x * scale, p.y * scale);
        }
    }
    Ok(())
}
