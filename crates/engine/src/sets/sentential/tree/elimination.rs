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
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_sentential::{InteractionGraph, Part, VtreeBuilder};
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
        let hubs: Vec<u32> = if hubs_on_top { graph.hubs(HUB_FACTOR) } else { Vec::new() };
        hubs.iter().for_each(|&hub| graph.remove(hub));
        let is_hub: FxHashSet<u32> = hubs.iter().copied().collect();
        let mut place_of = vec![usize::MAX; self.model.variables.len() + self.model.actions.len()];
        self.sequence.iter().enumerate().for_each(|(place, id)| place_of[id.index()] = place);

        let order = graph.elimination_order(&is_hub, budget)?;
        let mut turn = vec![usize::MAX; self.model.variables.len()];
        order.iter().enumerate().for_each(|(number, (variable, _))| turn[*variable as usize] = number);
        // By turn: the trees that hang below, with the number of their bits.
        let mut below: Vec<Vec<(usize, Part)>> = vec![Vec::new(); order.len()];
        let mut roots: Vec<(usize, Part)> = Vec::new();
        for (number, (variable, neighbours)) in order.iter().enumerate() {
            let mut parts = self.items_with_actions(VariableId(*variable), builder);
            let mut size = parts.len();
            let subtrees = std::mem::take(&mut below[number]);
            size += subtrees.iter().map(|(size, _)| size).sum::<usize>();
            parts.extend(builder.join_smallest_first(subtrees));
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
        parts.extend(builder.join_smallest_first(roots));
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

    fn graph(&self) -> InteractionGraph {
        let mut graph = InteractionGraph::new(self.model.variables.len());
        self.with_interaction(|interaction| {
            for (support, _) in interaction.supports() {
                // What touches very much says nothing about what belongs together.
                if support.len() <= MOST_NEIGHBOURS {
                    graph.tie(support);
                }
            }
        });
        graph
    }
}
