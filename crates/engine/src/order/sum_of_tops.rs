//! `sum-of-tops`: sift blocks up and down while the sum over events of a level metric falls.
//!
//! The cost is the sum over events of top level plus half the span: tops alone would put every
//! event low and say nothing of where it ends. A swap of two neighbouring blocks changes the ends
//! only of events that hold exactly one of them, so a block is sifted by swaps, each as cheap as
//! its events.

use super::Order;
use super::hypergraph::Hypergraph;
use crate::policy::heuristics::FARTHEST;
use symbolon_budget::{Interrupted, Meter};

/// The order reached from `start` by sifting within about `effort` visits of events.
pub(super) fn sift(
    hypergraph: &Hypergraph,
    start: &Order,
    effort: u64,
    meter: &mut Meter,
) -> Result<Order, Interrupted> {
    let mut sifting = Sifting::new(hypergraph, start, effort);
    let mut blocks: Vec<u32> = (0..hypergraph.vertex_count as u32).collect();
    // Blocks of many events first: they decide most.
    blocks.sort_by_key(|&block| std::cmp::Reverse(hypergraph.supports_of.get(block).len()));
    loop {
        let mut improved = false;
        for &block in &blocks {
            improved |= sifting.sift(block, meter)?;
            if sifting.effort_left == 0 {
                return Ok(Order { blocks: sifting.blocks });
            }
        }
        if !improved {
            return Ok(Order { blocks: sifting.blocks });
        }
    }
}

struct Sifting<'h> {
    hypergraph: &'h Hypergraph,
    /// Blocks by place, top first, and the place of each block.
    blocks: Vec<u32>,
    places: Vec<usize>,
    /// The places of the highest and the lowest block of each support.
    tops: Vec<usize>,
    bottoms: Vec<usize>,
    effort_left: u64,
}

impl<'h> Sifting<'h> {
    fn new(hypergraph: &'h Hypergraph, start: &Order, effort: u64) -> Self {
        let places: Vec<usize> = start.places().into_iter().map(|place| place as usize).collect();
        let of = |support: &[u32]| support.iter().map(|&block| places[block as usize]).collect::<Vec<_>>();
        let tops = hypergraph.supports.iter().map(|support| of(support).into_iter().min().unwrap_or(0));
        let bottoms = hypergraph.supports.iter().map(|support| of(support).into_iter().max().unwrap_or(0));
        Sifting {
            tops: tops.collect(),
            bottoms: bottoms.collect(),
            blocks: start.blocks.clone(),
            hypergraph,
            places,
            effort_left: effort,
        }
    }

    /// Moves `block` to the best place near; whether that was an improvement.
    fn sift(&mut self, block: u32, meter: &mut Meter) -> Result<bool, Interrupted> {
        let start = self.places[block as usize];
        let first = start.saturating_sub(FARTHEST);
        let last = (start + FARTHEST).min(self.blocks.len() - 1);
        let (mut cost, mut best, mut best_place) = (0, 0, start);
        let mut visit = |sifting: &mut Self, upper: usize, place: usize| -> Result<(), Interrupted> {
            cost += sifting.swap(upper, meter)?;
            if cost < best {
                (best, best_place) = (cost, place);
            }
            Ok(())
        };
        for place in (first..start).rev() {
            visit(self, place, place)?;
        }
        for place in first..last {
            visit(self, place, place + 1)?;
        }
        for place in (best_place..last).rev() {
            self.swap(place, meter)?;
        }
        Ok(best < 0)
    }

    /// Swaps the blocks at `upper` and `upper + 1`; returns the change of the cost, doubled.
    fn swap(&mut self, upper: usize, meter: &mut Meter) -> Result<i64, Interrupted> {
        meter.step()?;
        let (falling, rising) = (self.blocks[upper], self.blocks[upper + 1]);
        let lists = &self.hypergraph.supports_of;
        let (mut of_falling, mut of_rising) = (lists.get(falling), lists.get(rising));
        self.effort_left = self.effort_left.saturating_sub((of_falling.len() + of_rising.len()) as u64);
        let mut change = 0;
        // Both lists ascend; what stands in both is skipped.
        loop {
            match (of_falling.first(), of_rising.first()) {
                (Some(a), Some(b)) if a == b => {
                    (of_falling, of_rising) = (&of_falling[1..], &of_rising[1..]);
                }
                (Some(&a), b) if b.is_none_or(|&b| a < b) => {
                    of_falling = &of_falling[1..];
                    let (index, weight) = (a as usize, i64::from(self.hypergraph.weights[a as usize]));
                    if self.tops[index] == upper {
                        self.tops[index] += 1;
                        change -= 3 * weight;
                    }
                    if self.bottoms[index] == upper {
                        self.bottoms[index] += 1;
                        change += weight;
                    }
                }
                (_, Some(&b)) => {
                    of_rising = &of_rising[1..];
                    let (index, weight) = (b as usize, i64::from(self.hypergraph.weights[b as usize]));
                    if self.tops[index] == upper + 1 {
                        self.tops[index] -= 1;
                        change += 3 * weight;
                    }
                    if self.bottoms[index] == upper + 1 {
                        self.bottoms[index] -= 1;
                        change -= weight;
                    }
                }
                (_, None) => break,
            }
        }
        self.blocks.swap(upper, upper + 1);
        self.places.swap(falling as usize, rising as usize);
        Ok(change)
    }
}
