//! Small steps that make a picture without layers nicer: fewer crossings, fewer lines over nodes.
//!
//! Each node tries places around it, and places exchanged with other nodes, and takes the best (in
//! the spirit of R. Davidson and D. Harel, ACM Trans. Graphics 1996, without chance). What no
//! single node can mend, a whole part sometimes can by being folded over.

use crate::geometry::{Point, lines_cross};
use symbolon_budget::{Interrupted, Meter};

/// What is known of the graph.
pub(super) struct Picture<'a> {
    pub(super) arcs: &'a [(usize, usize)],
    /// The arcs at each node.
    pub(super) near: Vec<Vec<usize>>,
    /// Lengths of shortest paths, row by row.
    pub(super) distance: &'a [f64],
    /// What an arc wants to measure.
    pub(super) length: f64,
    /// How many pairs of arcs or nodes may still be compared; nothing moves any more when it is
    /// used up.
    pub(super) work: u64,
}

/// Lines keep this distance from nodes.
const CLEAR: f64 = 30.0;

impl Picture<'_> {
    /// Moves nodes while that helps, at most this number of rounds.
    pub(super) fn improve(
        &mut self,
        points: &mut [Point],
        rounds: usize,
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        let mut step = self.length;
        for round in 0..rounds {
            let mut changed = false;
            for node in 0..points.len() {
                meter.step()?;
                if self.work == 0 {
                    return Ok(());
                }
                let here = points[node];
                let mut best = (self.cost(points, node, f64::INFINITY) - 1e-3, here);
                for direction in 0..10 {
                    let angle = f64::from(direction) * std::f64::consts::TAU / 10.0;
                    for reach in [step, step * 0.4] {
                        points[node] = here.plus(reach * angle.cos(), reach * angle.sin());
                        let cost = self.cost(points, node, best.0);
                        if cost < best.0 {
                            best = (cost, points[node]);
                        }
                    }
                }
                points[node] = best.1;
                changed |= best.1 != here;
                if round % 3 == 0 {
                    changed |= self.exchange(points, node);
                }
            }
            if !changed {
                if step < self.length * 0.3 {
                    break;
                }
                step *= 0.6;
            }
        }
        Ok(())
    }

    /// Folds parts over: where two nodes separate a part from the rest, its mirror image on the
    /// other side of the line between them is as good in itself, and may cross less. Says whether
    /// anything moved.
    pub(super) fn fold(&mut self, points: &mut [Point], meter: &mut Meter) -> Result<bool, Interrupted> {
        let count = points.len();
        let hubs: Vec<usize> = (0..count).filter(|&node| self.near[node].len() >= 3).collect();
        let mut moved = false;
        for (place, &one) in hubs.iter().enumerate() {
            for &two in &hubs[place + 1..] {
                for part in self.parts_without(one, two, count) {
                    meter.step()?;
                    if self.work == 0 {
                        return Ok(moved);
                    }
                    if part.len() < 2 || 2 * part.len() > count {
                        continue;
                    }
                    // Only crossings count here; distances are mended afterwards.
                    let before = self.crossings_of(points, &part);
                    if before == 0 {
                        continue;
                    }
                    let kept: Vec<Point> = part.iter().map(|&node| points[node]).collect();
                    for &node in &part {
                        points[node] = mirrored(points[node], points[one], points[two]);
                    }
                    if self.crossings_of(points, &part) < before {
                        moved = true;
                    } else {
                        for (&node, &point) in part.iter().zip(&kept) {
                            points[node] = point;
                        }
                    }
                }
            }
        }
        Ok(moved)
    }

    /// How often the arcs at these nodes cross others.
    fn crossings_of(&mut self, points: &[Point], part: &[usize]) -> usize {
        let mut own: Vec<usize> = part.iter().flat_map(|&node| self.near[node].iter().copied()).collect();
        own.sort_unstable();
        own.dedup();
        self.work = self.work.saturating_sub((own.len() * self.arcs.len()) as u64);
        let mut count = 0;
        for &arc in &own {
            let (a, b) = self.arcs[arc];
            for &(c, d) in self.arcs {
                count += usize::from(lines_cross(points[a], points[b], points[c], points[d]));
            }
        }
        count
    }

    /// The parts that are left when two nodes are taken away; none if that is only one.
    fn parts_without(&self, one: usize, two: usize, count: usize) -> Vec<Vec<usize>> {
        let mut seen = vec![false; count];
        (seen[one], seen[two]) = (true, true);
        let mut parts = Vec::new();
        for start in 0..count {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut part = vec![start];
            let mut next = 0;
            while next < part.len() {
                for &arc in &self.near[part[next]] {
                    let (a, b) = self.arcs[arc];
                    for node in [a, b] {
                        if !seen[node] {
                            seen[node] = true;
                            part.push(node);
                        }
                    }
                }
                next += 1;
            }
            parts.push(part);
        }
        if parts.len() < 2 { Vec::new() } else { parts }
    }

    /// Exchanges a node with a later one close to it in the graph if that helps.
    fn exchange(&mut self, points: &mut [Point], node: usize) -> bool {
        let count = points.len();
        let own = self.cost(points, node, f64::INFINITY);
        for other in node + 1..count {
            if self.distance[node * count + other] > 2.4 * self.length {
                continue;
            }
            let before = own + self.cost(points, other, f64::INFINITY) - 1e-3;
            points.swap(node, other);
            let first = self.cost(points, node, before);
            if first < before && first + self.cost(points, other, before - first) < before {
                return true;
            }
            points.swap(node, other);
        }
        false
    }

    /// How bad everything is that this node takes part in; anything above `limit` if it is above
    /// that.
    fn cost(&mut self, points: &[Point], node: usize, limit: f64) -> f64 {
        let count = points.len();
        let here = points[node];
        let mut cost = 0.0;
        for (other, point) in points.iter().enumerate() {
            if other == node {
                continue;
            }
            let apart = here.distance(*point);
            let wish = self.distance[node * count + other];
            let off = (apart - wish) / wish;
            cost += 0.6 * off * off;
            if apart < self.length * 0.75 {
                cost += 2.5 * (1.0 - apart / (self.length * 0.75));
            }
        }
        self.work = self.work.saturating_sub(count as u64);
        if cost > limit {
            return cost;
        }
        self.work = self.work.saturating_sub((self.near[node].len() * self.arcs.len()) as u64);
        for (index, &(a, b)) in self.arcs.iter().enumerate() {
            if a != node && b != node {
                cost += closeness(here, points[a], points[b]);
            } else {
                if cost > limit {
                    return cost;
                }
                let (from, to) = (points[a], points[b]);
                for (other, &(c, d)) in self.arcs.iter().enumerate() {
                    if other != index && lines_cross(from, to, points[c], points[d]) {
                        cost += 1.6;
                    }
                }
                for (other, point) in points.iter().enumerate() {
                    if other != a && other != b {
                        cost += closeness(*point, from, to);
                    }
                }
            }
        }
        // Arcs that leave a node in nearly the same direction are hard to tell apart.
        let directions: Vec<f64> = self.near[node]
            .iter()
            .map(|&arc| {
                let (a, b) = self.arcs[arc];
                let other = points[if a == node { b } else { a }];
                (other.y - here.y).atan2(other.x - here.x)
            })
            .collect();
        for (index, one) in directions.iter().enumerate() {
            for two in &directions[index + 1..] {
                let turn = (one - two).rem_euclid(std::f64::consts::TAU);
                let turn = turn.min(std::f64::consts::TAU - turn);
                cost += (0.6 - turn).max(0.0);
            }
        }
        cost
    }
}

/// The mirror image of a point at the line through `a` and `b`.
fn mirrored(point: Point, a: Point, b: Point) -> Point {
    let length = a.distance(b).max(1e-6);
    let along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / (length * length);
    let foot = Point::new(a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along);
    Point::new(2.0 * foot.x - point.x, 2.0 * foot.y - point.y)
}

/// How much too close a point is to a line.
fn closeness(point: Point, a: Point, b: Point) -> f64 {
    let length = a.distance(b).max(1e-6);
    let along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / (length * length);
    let distance = point.distance(a.towards(b, along.clamp(0.0, 1.0)));
    if distance < CLEAR { 1.6 * (1.0 - distance / CLEAR) } else { 0.0 }
}
