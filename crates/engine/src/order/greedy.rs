//! `greedy`: fill from the bottom, always with the block whose events are most covered already.
//!
//! The score of a block is the mean over its events of (covered blocks + 1) / (blocks of the event).
//! Near linear: a heap with outdated entries, and events too wide to matter are not followed.

use super::Order;
use super::hypergraph::Hypergraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Interrupted, Meter};

/// The score updates that we are ready to pay for; wider events than this allows are not followed.
const MOST_UPDATES: usize = 24_000_000;

/// Which of several equally good blocks is taken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The lowest number.
    Number,
    /// The one whose score rose last: goes on where it was, in depth.
    Newest,
    /// The one whose score rose first: closes old ends, in breadth.
    Oldest,
}

/// The greedy order. `first`, if given, is put at the bottom.
pub(super) fn greedy(
    hypergraph: &Hypergraph,
    first: Option<u32>,
    ties: Ties,
    meter: &mut Meter,
) -> Result<Order, Interrupted> {
    let block_count = hypergraph.vertex_count;
    let widest = widest_followed(hypergraph);
    let mut totals = vec![0.0; block_count];
    let mut weights = vec![0.0; block_count];
    for (support, weight) in hypergraph.weighted_supports() {
        for &block in support {
            totals[block as usize] += f64::from(weight) / support.len() as f64;
            weights[block as usize] += f64::from(weight);
        }
    }
    let mut heap = BinaryHeap::with_capacity(block_count);
    let entry = |block: u32, totals: &[f64], time: u64| {
        let weight: f64 = weights[block as usize];
        let score = if weight > 0.0 { totals[block as usize] / weight } else { 0.0 };
        // Scores are not negative, so their bits compare as they do.
        let rank = match ties {
            Ties::Number => 0,
            Ties::Newest => time,
            Ties::Oldest => u64::MAX - time,
        };
        (score.to_bits(), rank, Reverse(block))
    };
    heap.extend((0..block_count as u32).map(|block| entry(block, &totals, 0)));
    let mut newest: Vec<(u64, u64)> = heap_keys(&heap, block_count);
    let mut taken = vec![false; block_count];
    let mut bottom_up = Vec::with_capacity(block_count);
    let mut forced = first;
    let mut time = 0;
    while bottom_up.len() < block_count {
        let block = match forced.take() {
            Some(block) => block,
            None => match heap.pop() {
                Some((score, rank, Reverse(block))) => {
                    if taken[block as usize] || newest[block as usize] != (score, rank) {
                        continue;
                    }
                    block
                }
                None => break,
            },
        };
        taken[block as usize] = true;
        bottom_up.push(block);
        time += 1;
        for &support in hypergraph.supports_of.get(block) {
            meter.step()?;
            let blocks = hypergraph.supports.get(support);
            if blocks.len() > widest {
                continue;
            }
            let gain = f64::from(hypergraph.weights[support as usize]) / blocks.len() as f64;
            for &other in blocks {
                if !taken[other as usize] {
                    totals[other as usize] += gain;
                    let key = entry(other, &totals, time);
                    newest[other as usize] = (key.0, key.1);
                    heap.push(key);
                }
            }
        }
    }
    Ok(Order::from_bottom(bottom_up))
}

fn heap_keys(heap: &BinaryHeap<(u64, u64, Reverse<u32>)>, block_count: usize) -> Vec<(u64, u64)> {
    let mut keys = vec![(0, 0); block_count];
    for &(score, rank, Reverse(block)) in heap {
        keys[block as usize] = (score, rank);
    }
    keys
}

/// The width up to which events are followed, so that all updates together stay affordable.
fn widest_followed(hypergraph: &Hypergraph) -> usize {
    let mut widths: Vec<usize> = hypergraph.supports.iter().map(<[u32]>::len).collect();
    widths.sort_unstable();
    let mut updates = 0_usize;
    for &width in &widths {
        updates = updates.saturating_add(width.saturating_mul(width));
        if updates > MOST_UPDATES {
            return width - 1;
        }
    }
    usize::MAX
}
