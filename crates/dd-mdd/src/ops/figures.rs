//! The figures of a report in one pass: how many vectors and nodes, the largest value, the largest
//! sum.
//!
//! Each could be had alone ([`Mdd::count`], [`Mdd::node_count`], [`Mdd::summary`],
//! [`Mdd::largest`]), but each would first find all nodes, level by level, and for sets with few
//! nodes a level that is most of the work.

use crate::mdd::Mdd;
use crate::ops::count::{NODES_PER_LOOK, Natural};
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// What [`Mdd::figures`] says about a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The number of vectors.
    pub vectors: BigUint,
    /// The number of nodes, terminals not counted.
    pub nodes: usize,
    /// The largest value that a level has in some vector.
    pub largest_value: u64,
    /// The largest sum of the values of all levels in one vector.
    pub largest_sum: u128,
}

/// What is known of a node whose level is done.
struct Done {
    vectors: Natural,
    largest_sum: u128,
}

impl Mdd {
    /// The figures of a set; `value(level, code)` is what a code stands for.
    pub fn figures(&self, set: NodeId, value: impl Fn(u32, u32) -> u64) -> Result<Figures, Interrupted> {
        if set.is_empty() {
            return Ok(Figures::default());
        }
        let levels = self.nodes_by_level(set);
        let mut figures = Figures { nodes: levels.node_count(), ..Figures::default() };
        // Two levels are alive at a time. Where each node stands among those of its level:
        let mut position = vec![0_u32; levels.node_count() + 1];
        let mut below = vec![Done { vectors: Natural::Small(1), largest_sum: 0 }];
        let mut here: Vec<Done> = Vec::new();
        let mut unseen = 0;
        for (level, nodes) in levels.upwards() {
            unseen += nodes.len();
            if unseen >= NODES_PER_LOOK {
                self.manager.meter().budget().check()?;
                unseen = 0;
            }
            // What was found two levels below is overwritten: large numbers keep their memory.
            while here.len() < nodes.len() {
                here.push(Done { vectors: Natural::ZERO, largest_sum: 0 });
            }
            for ((place, &node), done) in nodes.iter().enumerate().zip(&mut here) {
                position[levels.number(node)] = place as u32;
                done.largest_sum = 0;
                let mut is_first = true;
                for (code, child) in self.edges(node) {
                    let value = value(level, code);
                    let child: &Done = &below[position[levels.number(child)] as usize];
                    let sum = child.largest_sum.checked_add(u128::from(value));
                    done.largest_sum = done.largest_sum.max(sum.ok_or(Interrupted::Overflow)?);
                    if std::mem::take(&mut is_first) {
                        done.vectors.set(&child.vectors);
                    } else {
                        done.vectors.add(&child.vectors);
                    }
                    figures.largest_value = figures.largest_value.max(value);
                }
            }
            std::mem::swap(&mut below, &mut here);
        }
        // Only the set itself stands at the highest level.
        let Done { vectors, largest_sum } = below.swap_remove(0);
        figures.vectors = vectors.into_big();
        figures.largest_sum = largest_sum;
        Ok(figures)
    }
}
