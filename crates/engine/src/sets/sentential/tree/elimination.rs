//! Elimination trees: vtrees that follow what events tie together.
//!
//! Variables are taken out of the interaction graph one by one, each time the one whose neighbours
//! need the fewest new edges to become a clique (least fill; of equals, the one with fewest
//! neighbours). A variable hangs above those that were taken out before it and are neighbours then:
//! its bits on the left, their trees on the right. A graph of small treewidth has a low and narrow
//! tree; where a few variables are tied to all others, these *hubs* come on top and the rest is
//! arranged without them.

use super::{Ground, or_nothing};
use crate::policy::sentential::{HUB_FACTOR, MOST_NEIGHBOURS};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_sentential::{Part, VtreeBuilder};
use symbolon_model::VariableId;

impl Ground<'_> {
    /// The tree of least fill; with `hubs_on_top`, of what is left without hubs.
    pub(super) fn elimination_tree(
        &self,
        builder: &mut VtreeBuilder,
        hubs_on_top: bool,
        budget: &Budget,
    ) -> Result<Part, Interrupted> {
        let mut graph = self.graph();
        let hubs: Vec<u32> = if hubs_on_top { graph.hubs() } else { Vec::new() };
        hubs.iter().for_each(|&hub| graph.remove(hub));
        let is_hub: FxHashSet<u32> = hubs.iter().copied().collect();
        let mut place_of = vec![usize::MAX; self.model.variables.len() + self.model.actions.len()];
        self.sequence.iter().enumerate().for_each(|(place, id)| place_of[id.index()] = place);

        let order = graph.elimination_order(&is_hub, budget)?;
        let mut turn = vec![usize::MAX; graph.neighbours.len()];
        order.iter().enumerate().for_each(|(number, (variable, _))| turn[*variable as usize] = number);
        // By turn: the trees that hang below, with the number of their bits.
        let mut below: Vec<Vec<(usize, Part)>> = vec![Vec::new(); order.len()];
        let mut roots: Vec<(usize, Part)> = Vec::new();
        for (number, (variable, neighbours)) in order.iter().enumerate() {
            let mut parts = self.items_with_actions(VariableId(*variable), builder);
            let mut size = parts.len();
            let subtrees = std::mem::take(&mut below[number]);
            size += subtrees.iter().map(|(size, _)| size).sum::<usize>();
            parts.extend(joined(subtrees, builder));
            if parts.is_empty() {
                continue;
            }
            let tree = builder.right_linear(&parts);
            let parent = neighbours.iter().map(|&neighbour| turn[neighbour as usize]).min();
            match parent {
                Some(parent) => below[parent].push((size, tree)),
                None => roots.push((size, tree)),
            }
        }
        let mut hubs = hubs;
        hubs.sort_by_key(|&hub| place_of[hub as usize]);
        let mut parts: Vec<Part> = Vec::new();
        for hub in hubs {
            parts.extend(self.items_with_actions(VariableId(hub), builder));
        }
        for &action in self.sequence.iter().filter(|&&id| self.owner_of_action(id) == Some(None)) {
            parts.extend(self.items(action, builder));
        }
        parts.extend(joined(roots, builder));
        let parts = or_nothing(parts, builder);
        Ok(builder.right_linear(&parts))
    }

    /// Of an action: the variable that it stands beside, if its agent has one.
    fn owner_of_action(&self, id: VariableId) -> Option<Option<VariableId>> {
        let action = self.model.action(id)?;
        let owner = self.model.components.get(action.agent.0 as usize);
        Some(owner.and_then(|owner| owner.variables.first().copied()))
    }

    /// The bits of a variable, and of the actions that stand beside it.
    fn items_with_actions(&self, variable: VariableId, builder: &mut VtreeBuilder) -> Vec<Part> {
        let mut items = self.items(variable, builder);
        for action in self.model.action_ids() {
            if self.owner_of_action(action) == Some(Some(variable)) {
                items.extend(self.items(action, builder));
            }
        }
        items
    }

    fn graph(&self) -> Graph {
        let mut neighbours: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.model.variables.len()];
        self.with_interaction(|interaction| {
            for (support, _) in interaction.supports() {
                // What touches very much says nothing about what belongs together.
                if support.len() > MOST_NEIGHBOURS {
                    continue;
                }
                for &a in support {
                    neighbours[a as usize].extend(support.iter().filter(|&&b| b != a));
                }
            }
        });
        Graph { neighbours }
    }
}

/// The smallest trees joined first, so that all together are as low as they can be.
fn joined(trees: Vec<(usize, Part)>, builder: &mut VtreeBuilder) -> Option<Part> {
    let mut open: BTreeSet<(usize, usize)> =
        trees.iter().enumerate().map(|(number, &(size, _))| (size, number)).collect();
    let mut parts: Vec<Part> = trees.into_iter().map(|(_, part)| part).collect();
    while open.len() > 1 {
        let (Some((size_a, a)), Some((size_b, b))) = (open.pop_first(), open.pop_first()) else { break };
        parts.push(builder.join(parts[a], parts[b]));
        open.insert((size_a + size_b, parts.len() - 1));
    }
    open.pop_first().map(|(_, last)| parts[last])
}

/// Variables, and which of them some event ties together.
struct Graph {
    neighbours: Vec<BTreeSet<u32>>,
}

impl Graph {
    /// The variables with far more neighbours than most.
    fn hubs(&self) -> Vec<u32> {
        let mut degrees: Vec<usize> = self.neighbours.iter().map(BTreeSet::len).collect();
        degrees.sort_unstable();
        let Some(&median) = degrees.get(degrees.len() / 2) else { return Vec::new() };
        let is_hub = |variable: &u32| self.neighbours[*variable as usize].len() > HUB_FACTOR * median.max(2);
        (0..self.neighbours.len() as u32).filter(is_hub).collect()
    }

    fn remove(&mut self, variable: u32) {
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

    /// The variables in the order in which they are taken out, each with its neighbours then.
    fn elimination_order(
        &mut self,
        left_out: &FxHashSet<u32>,
        budget: &Budget,
    ) -> Result<Vec<(u32, Vec<u32>)>, Interrupted> {
        let cost = |graph: &Graph, variable: u32| {
            (graph.fill(variable), graph.neighbours[variable as usize].len(), variable)
        };
        let variables = (0..self.neighbours.len() as u32).filter(|variable| !left_out.contains(variable));
        let mut costs: Vec<Option<(usize, usize, u32)>> = vec![None; self.neighbours.len()];
        let mut open = BTreeSet::new();
        for variable in variables {
            let known = cost(self, variable);
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
                    let known = cost(self, other);
                    costs[other as usize] = Some(known);
                    open.insert(known);
                }
            }
            order.push((variable, around));
        }
        Ok(order)
    }
}
