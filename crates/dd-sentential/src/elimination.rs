//! Elimination orders of least fill, and the vtrees that follow from them.
//!
//! Variables are taken out of an interaction graph one by one, each time the one whose neighbours need
//! the fewest new edges to become a clique (least fill; of equals, the one with fewest neighbours).
//! Who hangs its variables below those that were taken out later gets a tree that is low and narrow
//! where the graph has a small treewidth.

use crate::vtree::{Part, VtreeBuilder};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use symbolon_budget::{Budget, Interrupted};

impl VtreeBuilder {
    /// One tree of several, each given with its number of leaves: the smallest are joined first, so that
    /// all together are as low as they can be. Nothing if there are none.
    pub fn join_smallest_first(&mut self, trees: Vec<(usize, Part)>) -> Option<Part> {
        let mut open: BTreeSet<(usize, usize)> =
            trees.iter().enumerate().map(|(number, &(size, _))| (size, number)).collect();
        let mut parts: Vec<Part> = trees.into_iter().map(|(_, part)| part).collect();
        while open.len() > 1 {
            let (Some((size_a, a)), Some((size_b, b))) = (open.pop_first(), open.pop_first()) else { break };
            parts.push(self.join(parts[a], parts[b]));
            open.insert((size_a + size_b, parts.len() - 1));
        }
        open.pop_first().map(|(_, last)| parts[last])
    }
}

/// Variables, and which of them have to do with one another.
#[derive(Clone, Debug)]
pub struct InteractionGraph {
    neighbours: Vec<BTreeSet<u32>>,
}

impl InteractionGraph {
    /// Variables 0 to `count` - 1 without edges.
    pub fn new(count: usize) -> InteractionGraph {
        InteractionGraph { neighbours: vec![BTreeSet::new(); count] }
    }

    /// Ties some variables together, each with each.
    pub fn tie(&mut self, variables: &[u32]) {
        for &a in variables {
            self.neighbours[a as usize].extend(variables.iter().filter(|&&b| b != a));
        }
    }

    /// The variables with `factor` times the neighbours of the median, or more.
    pub fn hubs(&self, factor: usize) -> Vec<u32> {
        let mut degrees: Vec<usize> = self.neighbours.iter().map(BTreeSet::len).collect();
        degrees.sort_unstable();
        let Some(&median) = degrees.get(degrees.len() / 2) else { return Vec::new() };
        let is_hub = |variable: &u32| self.neighbours[*variable as usize].len() > factor * median.max(2);
        (0..self.neighbours.len() as u32).filter(is_hub).collect()
    }

    /// Takes a variable out, with its edges.
    pub fn remove(&mut self, variable: u32) {
        for neighbour in std::mem::take(&mut self.neighbours[variable as usize]) {
            self.neighbours[neighbour as usize].remove(&variable);
        }
    }

    /// The edges that a variable's neighbours need to become a clique.
    fn fill(&self, variable: u32) -> usize {
        let around = &self.neighbours[variable as usize];
        let pairs = around.len() * around.len().saturating_sub(1) / 2;
        let edges: usize = around
            .iter()
            .map(|&a| around.range(a + 1..).filter(|b| self.neighbours[a as usize].contains(b)).count())
            .sum();
        pairs - edges
    }

    /// The variables in the order of least fill, each with its neighbours when it is taken out; those of
    /// `left_out` were taken out before.
    pub fn elimination_order(
        mut self,
        left_out: &FxHashSet<u32>,
        budget: &Budget,
    ) -> Result<Vec<(u32, Vec<u32>)>, Interrupted> {
        let cost = |graph: &InteractionGraph, variable: u32| {
            (graph.fill(variable), graph.neighbours[variable as usize].len(), variable)
        };
        let variables = (0..self.neighbours.len() as u32).filter(|variable| !left_out.contains(variable));
        let mut costs: Vec<Option<(usize, usize, u32)>> = vec![None; self.neighbours.len()];
        let mut open = BTreeSet::new();
        for variable in variables {
            let known = cost(&self, variable);
            costs[variable as usize] = Some(known);
            open.insert(known);
        }
        let mut order = Vec::with_capacity(open.len());
        while let Some((_, _, variable)) = open.pop_first() {
            budget.check()?;
            costs[variable as usize] = None;
            let around: Vec<u32> = self.neighbours[variable as usize].iter().copied().collect();
            self.remove(variable);
            let mut changed: BTreeSet<u32> = around.iter().copied().collect();
            for &a in &around {
                for &b in around.iter().filter(|&&b| b != a) {
                    if self.neighbours[a as usize].insert(b) {
                        // The new edge may complete triangles of neighbours of both.
                        let both = self.neighbours[a as usize].intersection(&self.neighbours[b as usize]);
                        changed.extend(both.copied());
                    }
                }
            }
            for other in changed {
                if let Some(known) = costs[other as usize] {
                    open.remove(&known);
                    let known = cost(&self, other);
                    costs[other as usize] = Some(known);
                    open.insert(known);
                }
            }
            order.push((variable, around));
        }
        Ok(order)
    }
}
