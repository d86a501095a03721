//! `hub`: take out what everyone reads, arrange the rest by the smallest open cut, hubs on top.
//!
//! Blocks touched by many events and events that touch many blocks mislead every heuristic that
//! averages. Here both are set aside (above twice the median, and above a floor), the rest grows
//! from the bottom: next comes the block that closes most and opens fewest events, ties by the
//! event that has been open for longest. Linear but for the heap. Vertices that are no blocks are
//! arranged with the others, so that they tie what they have in common, and then left out.

use super::Order;
use super::hypergraph::Hypergraph;
use crate::policy::heuristics::LEAST_HUB;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Interrupted, Meter};

/// The hub order of the first `block_count` vertices.
pub(super) fn hub(
    hypergraph: &Hypergraph,
    block_count: usize,
    meter: &mut Meter,
) -> Result<Order, Interrupted> {
    let degrees: Vec<usize> = hypergraph.supports_of.iter().map(<[u32]>::len).collect();
    let widths: Vec<usize> = hypergraph.supports.iter().map(<[u32]>::len).collect();
    let (largest_degree, largest_width) = (twice_median(&degrees), twice_median(&widths));
    let is_hub: Vec<bool> = degrees.iter().map(|&degree| degree > largest_degree).collect();
    let is_wide: Vec<bool> = widths.iter().map(|&width| width > largest_width).collect();

    let mut bottom_up = grow(hypergraph, &is_hub, &is_wide, meter)?;
    let mut hubs: Vec<u32> = (0..block_count as u32).filter(|&block| is_hub[block as usize]).collect();
    hubs.sort_by_key(|&block| (degrees[block as usize], Reverse(block)));
    bottom_up.retain(|&vertex| (vertex as usize) < block_count);
    bottom_up.extend(hubs);
    Ok(Order::from_bottom(bottom_up))
}

/// Twice the median of numbers, and no less than what a hub has at the least.
pub(super) fn twice_median(numbers: &[usize]) -> usize {
    let mut numbers: Vec<usize> = numbers.to_vec();
    numbers.sort_unstable();
    (2 * numbers.get(numbers.len() / 2).copied().unwrap_or(0)).max(LEAST_HUB)
}

/// How much a block is wanted next: what it closes minus what it opens, then the age of its oldest
/// open event, then the lowest number.
type Wish = (i64, Reverse<u32>, Reverse<u32>);

/// All blocks that are no hubs, from the bottom, following the events that are not too wide.
fn grow(
    hypergraph: &Hypergraph,
    is_hub: &[bool],
    is_wide: &[bool],
    meter: &mut Meter,
) -> Result<Vec<u32>, Interrupted> {
    let block_count = hypergraph.vertex_count;
    let mut remaining: Vec<u32> = Vec::with_capacity(hypergraph.supports.len());
    let mut gains = vec![0_i64; block_count];
    let mut oldest = vec![u32::MAX; block_count];
    for (index, support) in hypergraph.supports.iter().enumerate() {
        let narrow = support.iter().filter(|&&block| !is_hub[block as usize]);
        remaining.push(narrow.clone().count() as u32);
        // An event of a single block opens nothing.
        if !is_wide[index] && remaining[index] >= 2 {
            narrow.for_each(|&block| gains[block as usize] -= 1);
        }
    }
    let mut is_open = vec![false; hypergraph.supports.len()];
    let mut done = is_hub.to_vec();
    let wish = |block: u32, gains: &[i64], oldest: &[u32]| -> Wish {
        (gains[block as usize], Reverse(oldest[block as usize]), Reverse(block))
    };
    // Blocks next to what was taken come first; a new component starts where least is opened.
    let mut fresh: BinaryHeap<Wish> =
        (0..block_count as u32).filter(|&b| !done[b as usize]).map(|b| wish(b, &gains, &oldest)).collect();
    let mut near: BinaryHeap<Wish> = BinaryHeap::new();
    let mut bottom_up = Vec::with_capacity(block_count);
    while let Some(entry) = near.pop().or_else(|| fresh.pop()) {
        meter.step()?;
        let Reverse(block) = entry.2;
        if done[block as usize] || (entry.1.0 != u32::MAX && entry != wish(block, &gains, &oldest)) {
            continue;
        }
        done[block as usize] = true;
        let now = bottom_up.len() as u32;
        bottom_up.push(block);
        for &support in hypergraph.supports_of.get(block) {
            let index = support as usize;
            let blocks = hypergraph.supports.get(support);
            if is_wide[index] {
                continue;
            }
            remaining[index] -= 1;
            let opened = !std::mem::replace(&mut is_open[index], true);
            if !opened && remaining[index] != 1 {
                continue;
            }
            // Opening costs the others nothing more; closing is what the last one gains.
            let gain = i64::from(opened) + i64::from(remaining[index] == 1);
            for &other in blocks.iter().filter(|&&other| !done[other as usize]) {
                gains[other as usize] += gain;
                oldest[other as usize] = oldest[other as usize].min(now);
                near.push(wish(other, &gains, &oldest));
            }
        }
    }
    Ok(bottom_up)
}
