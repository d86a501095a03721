//! How far to the right everything stands.
//!
//! Distances between neighbours in a layer, and between items and the sides of boxes, are demands;
//! slanted lines cost. The bends of a long arc share one number wherever that contradicts nothing,
//! which makes long arcs straight. The network simplex finds the cheapest numbers; where several
//! are equally cheap it prefers a corner, so afterwards everything moves to the middle of what it
//! is connected with, as far as its neighbours let it.

use super::items::{Kind, Layered, group_path};
use super::network_simplex::{Demand, cheapest};
use symbolon_budget::{Interrupted, Meter};

/// The least distance between neighbours in a layer, two nodes / a node and a bend / two bends.
const NODE_GAP: f64 = 26.0;
const BEND_GAP: f64 = 16.0;
const BENDS_GAP: f64 = 14.0;
/// The distance from the side of a box to what is in it, and to what is not.
pub(super) const BOX_GAP: f64 = 12.0;

/// Where items stand, and the left and right sides of groups that have any.
pub(super) struct Columns {
    pub(super) x: Vec<f64>,
    pub(super) sides: Vec<Option<(f64, f64)>>,
}

/// Distributes items from left to right. `least_width` is how wide the box of each group is at
/// least, and `head` the room for a label inside its left side.
pub(super) fn columns(
    layered: &Layered,
    parents: &[Option<usize>],
    least_width: &[f64],
    head: f64,
    meter: &mut Meter,
) -> Result<Columns, Interrupted> {
    let item_count = layered.items.len();
    let paths: Vec<Vec<usize>> = layered.items.iter().map(|item| group_path(item.group, parents)).collect();
    let left = |group: usize| item_count + 2 * group;
    let right = |group: usize| item_count + 2 * group + 1;

    // Demands between items and sides; the graph of these is free of cycles by O1.
    let mut demands: Vec<(usize, usize, f64)> = Vec::new();
    let mut used = vec![false; parents.len()];
    for row in &layered.layers {
        let mut previous: Option<usize> = None;
        for &item in row {
            let depth =
                previous.map_or(0, |p| paths[p].iter().zip(&paths[item]).take_while(|(a, b)| a == b).count());
            let mut end = previous.map(|p| (p, layered.items[p].right));
            if let Some(p) = previous
                && let Some(&inner) = paths[p].get(depth..).and_then(<[usize]>::last)
            {
                demands.push((p, right(inner), layered.items[p].right + BOX_GAP));
                end = Some((right(paths[p][depth]), BOX_GAP));
            }
            let mut begin = (item, layered.items[item].left);
            if let Some(&inner) = paths[item].get(depth..).and_then(<[usize]>::last) {
                demands.push((left(inner), item, layered.items[item].left + BOX_GAP + head));
                begin = (left(paths[item][depth]), BOX_GAP);
            }
            if let (Some((end, end_room)), Some(p)) = (end, previous) {
                let gap = if end == p && begin.0 == item { gap(layered, p, item) } else { 4.0 };
                demands.push((end, begin.0, end_room + begin.1 + gap));
            }
            for &group in &paths[item] {
                used[group] = true;
            }
            previous = Some(item);
        }
        if let Some(last) = previous
            && let Some(&inner) = paths[last].last()
        {
            demands.push((last, right(inner), layered.items[last].right + BOX_GAP));
        }
    }
    for group in (0..parents.len()).filter(|&group| used[group]) {
        demands.push((left(group), right(group), least_width[group]));
        if let Some(parent) = parents[group] {
            demands.push((left(parent), left(group), BOX_GAP + head));
            demands.push((right(group), right(parent), BOX_GAP));
        }
    }

    let count = item_count + 2 * parents.len();
    let class = straighten(layered, count, &demands, meter)?;
    let mut springs = Vec::new();
    for segment in &layered.segments {
        if class[segment.upper] != class[segment.lower] {
            let spring = Spring {
                a: class[segment.upper],
                b: class[segment.lower],
                offset: segment.upper_port - segment.lower_port,
                weight: segment.weight,
            };
            springs.push(spring);
        }
    }
    let mut demands: Vec<(usize, usize, f64)> =
        demands.into_iter().map(|(a, b, minimum)| (class[a], class[b], minimum.ceil())).collect();
    demands.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
    demands.dedup_by_key(|demand| (demand.0, demand.1));

    let start = cheapest_columns(count, item_count, parents.len(), &demands, &springs, meter)?;
    let mut x: Vec<f64> = start.into_iter().map(|value| value as f64).collect();
    settle(&mut x, item_count, &demands, &springs, meter)?;
    let x: Vec<f64> = (0..count).map(|item| x[class[item]]).collect();
    let sides = (0..parents.len()).map(|g| used[g].then(|| (x[left(g)], x[right(g)]))).collect();
    Ok(Columns { x: x[..item_count].to_vec(), sides })
}

fn gap(layered: &Layered, a: usize, b: usize) -> f64 {
    let is_bend = |item: usize| matches!(layered.items[item].kind, Kind::Bend | Kind::Filler);
    match (is_bend(a), is_bend(b)) {
        (false, false) => NODE_GAP,
        (true, true) => BENDS_GAP,
        _ => BEND_GAP,
    }
}

/// A wish that two numbers differ by `offset`: `x[a] + offset = x[b]`.
struct Spring {
    a: usize,
    b: usize,
    offset: f64,
    weight: i64,
}

/// Which items share a number: bends of one arc, unless demands would become circular.
fn straighten(
    layered: &Layered,
    count: usize,
    demands: &[(usize, usize, f64)],
    meter: &mut Meter,
) -> Result<Vec<usize>, Interrupted> {
    let mut class: Vec<usize> = (0..count).collect();
    let mut members: Vec<Vec<usize>> = (0..count).map(|item| vec![item]).collect();
    let mut after = vec![Vec::new(); count];
    for &(a, b, _) in demands {
        after[a].push(b);
    }
    let mut seen = vec![0_u32; count];
    let mut search = 0;
    for chain in &layered.chains {
        for pair in chain.items.windows(2) {
            let is_node = |item: usize| matches!(layered.items[item].kind, Kind::Node(_));
            if is_node(pair[0]) || is_node(pair[1]) {
                continue;
            }
            let (a, b) = (class[pair[0]], class[pair[1]]);
            let mut circular = false;
            for (from, to) in [(a, b), (b, a)] {
                search += 1;
                let mut stack = vec![from];
                while let Some(at) = stack.pop() {
                    meter.step()?;
                    for &member in &members[at] {
                        for &next in &after[member] {
                            let next = class[next];
                            circular |= next == to;
                            if seen[next] != search {
                                seen[next] = search;
                                stack.push(next);
                            }
                        }
                    }
                    if circular {
                        break;
                    }
                }
            }
            if !circular {
                let (keep, merge) = (a.min(b), a.max(b));
                let merged = std::mem::take(&mut members[merge]);
                for &member in &merged {
                    class[member] = keep;
                }
                members[keep].extend(merged);
            }
        }
    }
    Ok(class)
}

fn cheapest_columns(
    count: usize,
    item_count: usize,
    group_count: usize,
    demands: &[(usize, usize, f64)],
    springs: &[Spring],
    meter: &mut Meter,
) -> Result<Vec<i64>, Interrupted> {
    let mut all: Vec<Demand> = demands
        .iter()
        .map(|&(from, to, minimum)| Demand { from, to, minimum: minimum as i64, weight: 0 })
        .collect();
    for group in 0..group_count {
        let (from, to) = (item_count + 2 * group, item_count + 2 * group + 1);
        all.push(Demand { from, to, minimum: 0, weight: 4 });
    }
    // The absolute value of a difference is measured from a helper left of both ends.
    for (index, spring) in springs.iter().enumerate() {
        let from = count + index;
        let offset = spring.offset.round() as i64;
        all.push(Demand { from, to: spring.a, minimum: -offset, weight: spring.weight });
        all.push(Demand { from, to: spring.b, minimum: 0, weight: spring.weight });
    }
    let mut x = cheapest(count + springs.len(), &all, meter)?;
    x.truncate(count);
    Ok(x)
}

/// Moves everything towards the mean of what it is connected with, then lines up what is nearly in
/// line.
fn settle(
    x: &mut [f64],
    item_count: usize,
    demands: &[(usize, usize, f64)],
    springs: &[Spring],
    meter: &mut Meter,
) -> Result<(), Interrupted> {
    let mut lower = vec![Vec::new(); x.len()];
    let mut upper = vec![Vec::new(); x.len()];
    for &(a, b, minimum) in demands {
        upper[a].push((b, minimum));
        lower[b].push((a, minimum));
    }
    let mut wishes = vec![Vec::new(); x.len()];
    for spring in springs {
        wishes[spring.a].push((spring.b, -spring.offset, spring.weight as f64));
        wishes[spring.b].push((spring.a, spring.offset, spring.weight as f64));
    }
    let floor = |x: &[f64], at: usize| {
        lower[at].iter().map(|&(other, minimum)| x[other] + minimum).fold(f64::NEG_INFINITY, f64::max)
    };
    let ceiling = |x: &[f64], at: usize| {
        upper[at].iter().map(|&(other, minimum)| x[other] - minimum).fold(f64::INFINITY, f64::min)
    };
    const ROUNDS: usize = 60;
    const LINE_UP: usize = 8;
    const FAR: f64 = 1e5;
    for round in 0..ROUNDS + LINE_UP {
        // Boxes open as far as they can, so that what is in them may move; they close again below.
        // Left and right sides take turns in having the room between two boxes.
        for side in [round / 2 % 2, 1 - round / 2 % 2] {
            for at in (item_count + side..x.len()).step_by(2) {
                if side == 0 {
                    x[at] = floor(x, at).max(x[at] - FAR).min(x[at]);
                } else {
                    x[at] = ceiling(x, at).min(x[at] + FAR).max(x[at]);
                }
            }
        }
        for step in 0..item_count {
            meter.step()?;
            let at = if round % 2 == 0 { step } else { item_count - 1 - step };
            if wishes[at].is_empty() {
                continue;
            }
            let target = if round < ROUNDS {
                let weight: f64 = wishes[at].iter().map(|wish| wish.2).sum();
                wishes[at].iter().map(|wish| (x[wish.0] + wish.1) * wish.2).sum::<f64>() / weight
            } else {
                let near = wishes[at].iter().map(|wish| (x[wish.0] + wish.1, wish.2));
                let near = near.filter(|(target, _)| (target - x[at]).abs() < 14.0);
                let mut near: Vec<(f64, f64)> = near.collect();
                near.sort_by(|a, b| {
                    (b.1.total_cmp(&a.1)).then((a.0 - x[at]).abs().total_cmp(&(b.0 - x[at]).abs()))
                });
                near.first().map_or(x[at], |&(target, _)| target)
            };
            let (floor, ceiling) = (floor(x, at), ceiling(x, at));
            if floor <= ceiling {
                x[at] = target.clamp(floor, ceiling);
            }
        }
        for at in (item_count..x.len()).rev() {
            let is_left = (at - item_count).is_multiple_of(2);
            if is_left {
                x[at] = ceiling(x, at).max(x[at]).min(x[at] + 2.0 * FAR);
            } else {
                x[at] = floor(x, at).min(x[at]).max(x[at] - 2.0 * FAR);
            }
        }
    }
    Ok(())
}
