//! Who stands left of whom: crossing reduction.
//!
//! Each layer is sorted by the mean position of the neighbours in the layer above, then below, back
//! and forth (K. Sugiyama, S. Tagawa, M. Toda, IEEE Trans. SMC 1981), and neighbours are exchanged
//! while that removes crossings. Several starts are tried and the best order seen is kept.
//!
//! **O1** in every layer the items of a group are contiguous, and of two groups side by side the
//! same one is on the left in all layers: groups are sorted by a key that is the same in all
//! layers.

use super::items::{Item, Segment};
use symbolon_budget::{Interrupted, Meter};

/// The number of times that the layers are sorted downwards and upwards from each start.
const ROUNDS: usize = 10;

/// Items and the lines between them, with what the sweeps look up all the time.
struct Sorter<'a> {
    items: &'a [Item],
    segments: &'a [Segment],
    /// The segments below and above each item.
    below: Vec<Vec<usize>>,
    above: Vec<Vec<usize>>,
    /// The groups around each item, outermost first.
    path: Vec<Vec<usize>>,
    group_count: usize,
    position: Vec<usize>,
    layers: Vec<Vec<usize>>,
}

/// Layers from left to right with few crossings; `layers` holds the items of each in any order.
pub(super) fn order_layers(
    items: &[Item],
    segments: &[Segment],
    parents: &[Option<usize>],
    layers: Vec<Vec<usize>>,
    meter: &mut Meter,
) -> Result<Vec<Vec<usize>>, Interrupted> {
    let mut below = vec![Vec::new(); items.len()];
    let mut above = vec![Vec::new(); items.len()];
    for (index, segment) in segments.iter().enumerate() {
        below[segment.upper].push(index);
        above[segment.lower].push(index);
    }
    let path = items.iter().map(|item| super::items::group_path(item.group, parents)).collect();
    let mut sorter = Sorter {
        items,
        segments,
        below,
        above,
        path,
        group_count: parents.len(),
        position: vec![0; items.len()],
        layers,
    };
    let work = segments.len() + items.len();
    let start_count = (12_000 / (work + 1)).clamp(3, 24);
    let mut best: Option<Vec<Vec<usize>>> = None;
    let mut least = (u64::MAX, u64::MAX);
    for start in 0..start_count {
        sorter.start(start);
        let mut stale = 0;
        for round in 0..ROUNDS {
            sorter.sweep(round, meter)?;
            sorter.exchange_neighbours(meter)?;
            let cost = (sorter.crossings(), sorter.spread());
            if cost < least {
                best = Some(sorter.layers.clone());
                least = cost;
                stale = 0;
            } else {
                stale += 1;
            }
            if stale >= 4 {
                break;
            }
        }
    }
    Ok(best.unwrap_or(sorter.layers))
}

impl Sorter<'_> {
    /// Sorts all layers by when a walk along the segments meets their items, a different walk for
    /// each start.
    fn start(&mut self, start: usize) {
        let mut starts: Vec<usize> = self.layers.iter().flatten().copied().collect();
        starts.sort_unstable_by_key(|&item| (self.items[item].layer, item));
        if start % 2 == 1 {
            starts.reverse();
        }
        if start >= 2 {
            let mut state = start as u64;
            for end in (1..starts.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                starts.swap(end, (state >> 33) as usize % (end + 1));
            }
        }
        let mut key = vec![f64::NAN; self.items.len()];
        let mut time = 0.0;
        for item in starts {
            let mut stack = vec![item];
            while let Some(item) = stack.pop() {
                if !key[item].is_nan() {
                    continue;
                }
                key[item] = time;
                time += 1.0;
                // What is pushed last is met first: siblings keep the order in which they were
                // given.
                let below = self.below[item].iter().rev().map(|&s| self.segments[s].lower);
                let above = self.above[item].iter().rev().map(|&s| self.segments[s].upper);
                stack.extend(above.chain(below));
            }
        }
        let group_key = self.mean_per_group(|_, item| Some(key[item]));
        for layer in 0..self.layers.len() {
            self.sort_layer(layer, &key, &group_key);
        }
    }

    /// The mean of `value` over the items of each group and of the groups in it.
    fn mean_per_group(&self, value: impl Fn(&Self, usize) -> Option<f64>) -> Vec<f64> {
        let mut sum = vec![(0.0, 0.0); self.group_count];
        if self.group_count > 0 {
            for item in 0..self.items.len() {
                if let Some(value) = value(self, item) {
                    for &group in &self.path[item] {
                        sum[group].0 += value;
                        sum[group].1 += 1.0;
                    }
                }
            }
        }
        sum.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
    }

    /// Sorts one layer by these keys, keeping groups together (O1).
    fn sort_layer(&mut self, layer: usize, key: &[f64], group_key: &[f64]) {
        let mut row = std::mem::take(&mut self.layers[layer]);
        let path = &self.path;
        row.sort_by(|&a, &b| {
            let depth = path[a].iter().zip(&path[b]).take_while(|(a, b)| a == b).count();
            let side = |item: usize| match path[item].get(depth) {
                Some(&group) => (group_key[group], 0, group),
                None => (key[item], 1, 0),
            };
            let (a, b) = (side(a), side(b));
            a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
        });
        for (position, &item) in row.iter().enumerate() {
            self.position[item] = position;
        }
        self.layers[layer] = row;
    }

    /// Where an item stands in its layer, from 0 to 1.
    fn share(&self, item: usize, port: f64) -> f64 {
        let count = self.layers[self.items[item].layer].len() as f64;
        (self.position[item] as f64 + 0.5 + port) / count
    }

    fn mean_of_neighbours(&self, item: usize, down: bool, up: bool) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        if up {
            for &segment in &self.above[item] {
                let segment = &self.segments[segment];
                sum += self.share(segment.upper, segment.upper_share);
                count += 1.0;
            }
        }
        if down {
            for &segment in &self.below[item] {
                let segment = &self.segments[segment];
                sum += self.share(segment.lower, 0.0);
                count += 1.0;
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    fn sweep(&mut self, round: usize, meter: &mut Meter) -> Result<(), Interrupted> {
        let group_key = self
            .mean_per_group(|s, item| s.mean_of_neighbours(item, true, true).or(Some(s.share(item, 0.0))));
        let count = self.layers.len();
        let downwards = round.is_multiple_of(2);
        let mut key = vec![0.0; self.items.len()];
        for step in 0..count {
            let layer = if downwards { step } else { count - 1 - step };
            for place in 0..self.layers[layer].len() {
                meter.step()?;
                let item = self.layers[layer][place];
                // Every third round looks both ways, which settles what the two directions fight
                // over.
                let (down, up) = if round % 6 >= 4 { (true, true) } else { (!downwards, downwards) };
                key[item] = self.mean_of_neighbours(item, down, up).unwrap_or_else(|| self.share(item, 0.0));
            }
            self.sort_layer(layer, &key, &group_key);
        }
        Ok(())
    }

    /// Exchanges items side by side in one group while that removes crossings.
    fn exchange_neighbours(&mut self, meter: &mut Meter) -> Result<(), Interrupted> {
        for _ in 0..8 {
            let mut changed = false;
            for layer in 0..self.layers.len() {
                for place in 1..self.layers[layer].len() {
                    meter.step()?;
                    let (a, b) = (self.layers[layer][place - 1], self.layers[layer][place]);
                    if self.items[a].group == self.items[b].group && self.gain(a, b) > 0 {
                        self.layers[layer].swap(place - 1, place);
                        self.position.swap(a, b);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// How many crossings vanish if `a`, directly left of `b`, goes to its right.
    fn gain(&self, a: usize, b: usize) -> i64 {
        let mut gain = 0;
        for &s in &self.below[a] {
            for &t in &self.below[b] {
                let (s, t) = (self.lower_key(s), self.lower_key(t));
                gain += i64::from(s > t) - i64::from(s < t);
            }
        }
        for &s in &self.above[a] {
            for &t in &self.above[b] {
                let (s, t) = (self.upper_key(s), self.upper_key(t));
                gain += i64::from(s > t) - i64::from(s < t);
            }
        }
        gain
    }

    fn lower_key(&self, segment: usize) -> (usize, i64) {
        (self.position[self.segments[segment].lower], 0)
    }

    fn upper_key(&self, segment: usize) -> (usize, i64) {
        let segment = &self.segments[segment];
        (self.position[segment.upper], (segment.upper_share * 1e6) as i64)
    }

    /// The number of crossings between neighbouring layers.
    fn crossings(&self) -> u64 {
        let mut total = 0;
        for (layer, row) in self.layers.iter().enumerate() {
            let width = self.layers.get(layer + 1).map_or(0, Vec::len);
            let mut lines: Vec<_> = row
                .iter()
                .flat_map(|&item| &self.below[item])
                .map(|&s| (self.upper_key(s), self.lower_key(s).0))
                .collect();
            lines.sort_unstable();
            // A Fenwick tree counts the earlier lines that end further right.
            let mut tree = vec![0_u64; width + 1];
            for (count, &(_, end)) in lines.iter().enumerate() {
                let mut not_right = 0;
                let mut at = end + 1;
                while at > 0 {
                    not_right += tree[at];
                    at &= at - 1;
                }
                total += count as u64 - not_right;
                let mut at = end + 1;
                while at <= width {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
        total
    }

    /// How far apart the ends of segments stand; decides between orders with equally many
    /// crossings.
    fn spread(&self) -> u64 {
        let far = |s: &Segment| {
            let offset = |item: usize| {
                2 * self.position[item] as i64 - self.layers[self.items[item].layer].len() as i64
            };
            (offset(s.upper) - offset(s.lower)).unsigned_abs()
        };
        self.segments.iter().map(far).sum()
    }
}
