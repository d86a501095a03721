//! `greedy`: fill from the bottom, always with the block whose events are most covered already.
//!
//! The score of a block is the mean over its events of (covered blocks + 1) / (blocks of the
//! event). Near linear: a heap with outdated entries, and events too wide to matter are not
//! followed.

use super::Order;
use super::hypergraph::Hypergraph;
use crate::policy::heuristics::MOST_UPDATES;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Interrupted, Meter};

/// Which of several equally good blocks is taken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The one whose score rose last: goes on where it was, in depth.
    Newest,
    /// The one whose score rose first: closes old ends, in breadth.
    Oldest,
}

/// The greedy order.
pub(super) fn greedy(hypergraph: &Hypergraph, ties: Ties, meter: &mut Meter) -> Result<Order, Interrupted> {
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
    let score_of = |block: u32, totals: &[f64]| {
        let weight: f64 = weights[block as usize];
        if weight > 0.0 { totals[block as usize] / weight } else { 0.0 }
    };
    // Untouched blocks, the best last, and a heap of those whose score has risen. Scores are not
    // negative, so their bits compare as they do.
    let mut fresh: Vec<(u64, Reverse<u32>)> =
        (0..block_count as u32).map(|block| (score_of(block, &totals).to_bits(), Reverse(block))).collect();
    fresh.sort_unstable();
    let mut risen: BinaryHeap<Risen> = BinaryHeap::with_capacity(block_count);
    // When the score of each block last rose; 0 for never. Taken blocks are at the end of time.
    let mut touched_at = vec![0_u32; block_count];
    let mut touched = Vec::new();
    let mut bottom_up = Vec::with_capacity(block_count);
    loop {
        // Outdated entries are dropped on the way.
        while risen.peek().is_some_and(|entry| touched_at[entry.block() as usize] != ties.time(entry.rank()))
        {
            risen.pop();
        }
        while fresh.last().is_some_and(|entry| touched_at[entry.1.0 as usize] != 0) {
            fresh.pop();
        }
        let block = match (risen.peek(), fresh.last()) {
            (Some(entry), other) if other.is_none_or(|other| entry.score() >= other.0) => entry.block(),
            (_, Some(&(_, block))) => block.0,
            (_, None) => break,
        };
        touched_at[block as usize] = TAKEN;
        bottom_up.push(block);
        let now = bottom_up.len() as u32;
        touched.clear();
        for &support in hypergraph.supports_of.get(block) {
            meter.step()?;
            let blocks = hypergraph.supports.get(support);
            if blocks.len() > widest {
                continue;
            }
            let gain = f64::from(hypergraph.weights[support as usize]) / blocks.len() as f64;
            for &other in blocks {
                let at = &mut touched_at[other as usize];
                if *at == TAKEN {
                    continue;
                }
                totals[other as usize] += gain;
                if std::mem::replace(at, now) != now {
                    touched.push(other);
                }
            }
        }
        for &other in &touched {
            risen.push(Risen::new(score_of(other, &totals).to_bits(), ties.rank(now), other));
        }
    }
    Ok(Order::from_bottom(bottom_up))
}

/// A block whose score has risen, as one number: the score, then the rank, then the block, smaller
/// ones first. Heaps compare it in one go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Risen(u128);

impl Risen {
    fn new(score: u64, rank: u32, block: u32) -> Self {
        Risen(u128::from(score) << 64 | u128::from(rank) << 32 | u128::from(!block))
    }

    fn score(self) -> u64 {
        (self.0 >> 64) as u64
    }

    fn rank(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn block(self) -> u32 {
        !(self.0 as u32)
    }
}

/// The time at which taken blocks were last touched.
const TAKEN: u32 = u32::MAX;

impl Ties {
    /// What a block touched at `time` is compared by; each rank has its time.
    fn rank(self, time: u32) -> u32 {
        match self {
            Ties::Newest => time,
            Ties::Oldest => TAKEN - time,
        }
    }

    fn time(self, rank: u32) -> u32 {
        self.rank(rank)
    }
}

/// The width up to which events are followed, so that all updates together stay affordable.
fn widest_followed(hypergraph: &Hypergraph) -> usize {
    let square = |width: usize| width.saturating_mul(width);
    let all = hypergraph.supports.iter().map(<[u32]>::len);
    if all.clone().fold(0_usize, |sum, width| sum.saturating_add(square(width))) <= MOST_UPDATES {
        return usize::MAX;
    }
    let mut widths: Vec<usize> = all.collect();
    widths.sort_unstable();
    let mut updates = 0_usize;
    for &width in &widths {
        updates = updates.saturating_add(square(width));
        if updates > MOST_UPDATES {
            return width - 1;
        }
    }
    usize::MAX
}
