//! Positions without layers, for graphs that run in circles.
//!
//! Distances in the picture follow distances in the graph (stress majorisation; E. Gansner, Y.
//! Koren, S. North, Graph Drawing 2004). A ring becomes a ring, and what is symmetric mostly looks
//! so. Then small steps remove crossings (`descent`), and what overlaps is pushed apart: in each
//! group what is directly in it, then the boxes of groups in the groups around them, so that no two
//! boxes meet.

use super::descent::Picture;
use super::items::group_path;
use crate::geometry::{Point, Rect};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Interrupted, Meter};

const ROUNDS: usize = 120;
const IMPROVEMENTS: usize = 20;
/// The distance between a group's box and what is in it, and the room for its label at the top.
const BOX_GAP: f64 = 8.0;

/// What is to be placed.
pub(super) struct Free<'a> {
    /// Pairs of nodes with the distance that they want.
    pub(super) arcs: &'a [(usize, usize, f64)],
    /// The box of each node around its centre.
    pub(super) room: &'a [Rect],
    /// The group of each node.
    pub(super) group: &'a [Option<usize>],
    /// The group around each group, which comes before it.
    pub(super) parents: &'a [Option<usize>],
    /// The room for the label of each group: its width and height.
    pub(super) heads: &'a [(f64, f64)],
}

/// Where nodes are, and the boxes of groups that have any.
pub(super) struct Positions {
    pub(super) points: Vec<Point>,
    pub(super) boxes: Vec<Option<Rect>>,
}

impl Free<'_> {
    /// Positions of connected nodes, a different try for each start; for `work` see
    /// [`Picture::work`].
    pub(super) fn positions(
        &self,
        start: u64,
        work: u64,
        meter: &mut Meter,
    ) -> Result<Positions, Interrupted> {
        let count = self.room.len();
        let length = self.arcs.iter().map(|arc| arc.2).sum::<f64>() / self.arcs.len().max(1) as f64;
        let distance = self.distances();
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
                    let wish = distance[node * count + other];
                    let weight = 1.0 / (wish * wish);
                    let away = wish / points[node].distance(points[other]).max(1e-6);
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
        let pairs: Vec<(usize, usize)> = self.arcs.iter().map(|&(a, b, _)| (a, b)).collect();
        let mut near = vec![Vec::new(); count];
        for (arc, &(a, b)) in pairs.iter().enumerate() {
            near[a].push(arc);
            near[b].push(arc);
        }
        let mut picture = Picture { arcs: &pairs, near, distance: &distance, length, work };
        picture.improve(&mut points, IMPROVEMENTS, meter)?;
        if picture.fold(&mut points, meter)? {
            picture.improve(&mut points, IMPROVEMENTS, meter)?;
        }
        upright(&mut points);
        let boxes = self.push_apart_in_groups(&mut points, meter)?;
        Ok(Positions { points, boxes })
    }

    /// Lengths of shortest paths, arcs taken both ways.
    fn distances(&self) -> Vec<f64> {
        let count = self.room.len();
        let mut near = vec![Vec::new(); count];
        for &(a, b, length) in self.arcs {
            // Tenths of a pixel, as whole numbers can be sorted.
            let length = (length * 10.0) as u64;
            near[a].push((b, length));
            near[b].push((a, length));
        }
        let far: f64 = self.arcs.iter().map(|arc| arc.2).sum::<f64>() + 1.0;
        let mut distances = Vec::with_capacity(count * count);
        for start in 0..count {
            let mut row = vec![u64::MAX; count];
            row[start] = 0;
            let mut queue = BinaryHeap::from([(Reverse(0), start)]);
            while let Some((Reverse(distance), node)) = queue.pop() {
                if distance > row[node] {
                    continue;
                }
                for &(next, length) in &near[node] {
                    if distance + length < row[next] {
                        row[next] = distance + length;
                        queue.push((Reverse(distance + length), next));
                    }
                }
            }
            distances
                .extend(row.iter().map(|&d| if d == u64::MAX { far } else { (d as f64 / 10.0).max(1.0) }));
        }
        distances
    }

    /// Pushes apart what is directly in each group, innermost first, and gives their boxes.
    fn push_apart_in_groups(
        &self,
        points: &mut [Point],
        meter: &mut Meter,
    ) -> Result<Vec<Option<Rect>>, Interrupted> {
        let mut boxes: Vec<Option<Rect>> = vec![None; self.parents.len()];
        // Children come after parents; the last one is the plane itself.
        for around in (0..self.parents.len()).rev().map(Some).chain([None]) {
            let nodes: Vec<usize> = (0..points.len()).filter(|&node| self.group[node] == around).collect();
            let inner: Vec<usize> = (0..boxes.len())
                .filter(|&group| self.parents[group] == around && boxes[group].is_some())
                .collect();
            let mut centers = Vec::new();
            let mut room = Vec::new();
            for &node in &nodes {
                centers.push(points[node]);
                room.push(self.room[node]);
            }
            for rect in inner.iter().filter_map(|&group| boxes[group]) {
                let center = rect.center();
                centers.push(center);
                room.push(rect.shifted(-center.x, -center.y).grown(BOX_GAP));
            }
            let before = centers.clone();
            push_apart(&mut centers, &room, meter)?;
            if !inner.is_empty() {
                self.pull_together(&mut centers, &room, &nodes, &inner);
            }
            for (&node, &center) in nodes.iter().zip(&centers) {
                points[node] = center;
            }
            for ((&group, before), after) in
                inner.iter().zip(&before[nodes.len()..]).zip(&centers[nodes.len()..])
            {
                self.shift_group(group, after.x - before.x, after.y - before.y, points, &mut boxes);
            }
            if let Some(group) = around {
                let rects = centers.iter().zip(&room).map(|(center, room)| room.shifted(center.x, center.y));
                boxes[group] = rects.reduce(|a, b| a.joined(&b)).map(|rect| {
                    let (width, height) = self.heads[group];
                    let rect = rect.grown(BOX_GAP);
                    let wider = (width - rect.width()).max(0.0) / 2.0;
                    Rect {
                        left: rect.left - wider,
                        top: rect.top - height,
                        right: rect.right + wider,
                        ..rect
                    }
                });
            }
        }
        Ok(boxes)
    }

    /// Moves boxes towards what they are connected with while nothing is in the way: pushing apart
    /// leaves large holes.
    fn pull_together(&self, centers: &mut [Point], room: &[Rect], nodes: &[usize], inner: &[usize]) {
        const STEP: f64 = 6.0;
        const STEPS: usize = 400;
        let place_of = |node: usize| {
            let path = group_path(self.group[node], self.parents);
            let known = nodes.iter().position(|&other| other == node);
            known.or_else(|| {
                let place = inner.iter().position(|group| path.contains(group))?;
                Some(nodes.len() + place)
            })
        };
        let links: Vec<(usize, usize)> = self
            .arcs
            .iter()
            .filter_map(|&(a, b, _)| Some((place_of(a)?, place_of(b)?)))
            .filter(|(a, b)| a != b)
            .collect();
        for _ in 0..STEPS {
            let mut moved = false;
            for place in nodes.len()..centers.len() {
                let near = links.iter().filter_map(|&(a, b)| match place {
                    _ if place == a => Some(centers[b]),
                    _ if place == b => Some(centers[a]),
                    _ => None,
                });
                let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
                for point in near {
                    (x, y, count) = (x + point.x, y + point.y, count + 1.0);
                }
                if count == 0.0 {
                    continue;
                }
                let here = centers[place];
                let (dx, dy) = (x / count - here.x, y / count - here.y);
                for (x, y) in [(dx, 0.0), (0.0, dy)] {
                    if x.abs().max(y.abs()) < STEP {
                        continue;
                    }
                    let next = centers[place].plus(x.clamp(-STEP, STEP), y.clamp(-STEP, STEP));
                    let own = room[place].shifted(next.x, next.y).grown(10.0);
                    let blocked = (0..centers.len()).any(|other| {
                        other != place
                            && own.overlaps(&room[other].shifted(centers[other].x, centers[other].y))
                    });
                    if !blocked {
                        centers[place] = next;
                        moved = true;
                    }
                }
            }
            if !moved {
                break;
            }
        }
    }

    /// Moves a group with everything in it.
    fn shift_group(&self, group: usize, x: f64, y: f64, points: &mut [Point], boxes: &mut [Option<Rect>]) {
        for (node, point) in points.iter_mut().enumerate() {
            if self.group[node] == Some(group) {
                *point = point.plus(x, y);
            }
        }
        boxes[group] = boxes[group].map(|rect| rect.shifted(x, y));
        for inner in 0..boxes.len() {
            if self.parents[inner] == Some(group) {
                self.shift_group(inner, x, y, points, boxes);
            }
        }
    }
}

/// Start 0: the two main directions of the distances (classical scaling). Others: scattered.
fn first_positions(count: usize, distance: &[f64], length: f64, start: u64) -> Vec<Point> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ start;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    if start > 0 {
        let side = length * (count as f64).sqrt();
        return (0..count).map(|_| Point::new(random() * side, random() * side)).collect();
    }
    let square: Vec<f64> = distance.iter().map(|&d| d * d).collect();
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
        let scale = size.sqrt();
        axes.push(axis.into_iter().map(|value| value * scale).collect());
    }
    (0..count).map(|node| Point::new(axes[0][node] + random(), axes[1][node] + random())).collect()
}

/// Turns the picture so that it is wider than high; one that is round gets its first node to the
/// top.
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
                    let (one, two) = (
                        room[a].shifted(points[a].x, points[a].y),
                        room[b].shifted(points[b].x, points[b].y),
                    );
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
