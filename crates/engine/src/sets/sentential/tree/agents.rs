//! Vtrees by agents, as MCMAS-SDD has them: one tree for each agent, and the trees of all agents
//! one below the other, each on the left of those that follow.

use super::{Ground, or_nothing};
use crate::sets::sentential::shape::{AgentOrder, Arrangement, Bound, VtreeShape};
use symbolon_dd_core::Variable;
use symbolon_dd_sentential::{Part, VtreeBuilder};
use symbolon_model::VariableId;

/// What belongs to an agent, or to none.
#[derive(Clone, Default)]
struct Group {
    variables: Vec<VariableId>,
    actions: Vec<VariableId>,
}

impl Ground<'_> {
    /// The tree of one of the shapes by agents.
    pub(super) fn agent_tree(&self, builder: &mut VtreeBuilder, shape: VtreeShape) -> Part {
        let mut groups = self.groups();
        if let VtreeShape::Agents(order) | VtreeShape::AgentsSplit(order) = shape {
            match order {
                AgentOrder::Given => {}
                AgentOrder::Inverse => groups.reverse(),
                AgentOrder::Ascending => groups.sort_by_key(|group| self.size(group)),
            }
        }
        let trees: Vec<Part> = match shape {
            VtreeShape::AgentsSplit(_) => groups
                .iter()
                .map(|group| {
                    let leaves = self.split_leaves(group);
                    let leaves = builder.leaves(&leaves);
                    builder.balanced(&leaves)
                })
                .collect(),
            VtreeShape::AgentsRightLinear => groups
                .iter()
                .map(|group| {
                    let items = self.items_of(group, builder);
                    builder.right_linear(&items)
                })
                .collect(),
            VtreeShape::Bounded(bound, arrangement) => self.pieces(builder, &groups, bound, arrangement),
            VtreeShape::PerBit => self.places(builder, &groups),
            _ => groups
                .iter()
                .map(|group| {
                    let items = self.items_of(group, builder);
                    builder.balanced(&items)
                })
                .collect(),
        };
        let trees = or_nothing(trees, builder);
        builder.right_linear(&trees)
    }

    /// The agents, and what belongs to none as the last, without those that have no bits.
    fn groups(&self) -> Vec<Group> {
        let model = self.model;
        let mut groups = vec![Group::default(); model.components.len() + 1];
        let mut owner = vec![model.components.len(); model.variables.len()];
        for (number, component) in model.components.iter().enumerate() {
            component.variables.iter().for_each(|variable| owner[variable.index()] = number);
        }
        for variable in model.variable_ids() {
            groups[owner[variable.index()]].variables.push(variable);
        }
        for id in model.action_ids() {
            let agent = model.action(id).map(|action| action.agent.0 as usize);
            let number = agent.unwrap_or(model.components.len()).min(model.components.len());
            groups[number].actions.push(id);
        }
        groups.retain(|group| self.size(group) > 0);
        groups
    }

    /// How many bits there are, twins included.
    fn size(&self, group: &Group) -> usize {
        let all = group.variables.iter().chain(&group.actions);
        all.map(|&id| self.bits.of(id).len() + self.bits.primed(id).len()).sum()
    }

    fn items_of(&self, group: &Group, builder: &mut VtreeBuilder) -> Vec<Part> {
        let mut items = Vec::new();
        for &id in group.variables.iter().chain(&group.actions) {
            items.extend(self.items(id, builder));
        }
        items
    }

    /// All bits, then all twins, then actions.
    fn split_leaves(&self, group: &Group) -> Vec<Variable> {
        let current = group.variables.iter().flat_map(|&id| self.bits.of(id).iter().rev());
        let primed = group.variables.iter().flat_map(|&id| self.bits.primed(id).iter().rev());
        let actions = group.actions.iter().flat_map(|&id| self.bits.of(id).iter().rev());
        current.chain(primed).chain(actions).copied().collect()
    }

    /// Balanced trees of bounded size. A bit and its twin are never parted.
    fn pieces(
        &self,
        builder: &mut VtreeBuilder,
        groups: &[Group],
        bound: Bound,
        arrangement: Arrangement,
    ) -> Vec<Part> {
        let all: usize = groups.iter().map(|group| self.size(group)).sum();
        let most = bound.of(all);
        let mut pieces: Vec<(usize, Part)> = Vec::new();
        for group in groups {
            let lists = match arrangement {
                Arrangement::Parted => vec![group.variables.clone(), group.actions.clone()],
                _ => vec![group.variables.iter().chain(&group.actions).copied().collect()],
            };
            for list in lists {
                let mut piece: Vec<Part> = Vec::new();
                let mut size = 0;
                for id in list {
                    let width = if self.bits.primed(id).is_empty() { 1 } else { 2 };
                    for item in self.items(id, builder) {
                        if size + width > most && !piece.is_empty() {
                            pieces.push((size, builder.balanced(&piece)));
                            piece.clear();
                            size = 0;
                        }
                        piece.push(item);
                        size += width;
                    }
                }
                if !piece.is_empty() {
                    pieces.push((size, builder.balanced(&piece)));
                }
            }
        }
        if arrangement == Arrangement::Ascending {
            pieces.sort_by_key(|&(size, _)| size);
        }
        pieces.into_iter().map(|(_, part)| part).collect()
    }

    /// A balanced tree for each place of the numbers that are variables, the places of most weight
    /// first.
    fn places(&self, builder: &mut VtreeBuilder, groups: &[Group]) -> Vec<Part> {
        let mut places: Vec<Vec<Part>> = Vec::new();
        for group in groups {
            let mut item_count = 0;
            for &id in group.variables.iter().chain(&group.actions) {
                for item in self.items(id, builder) {
                    if places.len() <= item_count {
                        places.push(Vec::new());
                    }
                    places[item_count].push(item);
                    item_count += 1;
                }
            }
        }
        places.into_iter().map(|place| builder.balanced(&place)).collect()
    }
}

impl Bound {
    /// For this many bits.
    fn of(self, bits: usize) -> usize {
        let logarithm = (bits.max(2) as f64).log2();
        let bound = match self {
            Bound::Log => logarithm,
            Bound::Sqrt => (bits as f64).sqrt(),
            Bound::TwiceLog => 2.0 * logarithm,
        };
        bound.ceil().max(2.0) as usize
    }
}
