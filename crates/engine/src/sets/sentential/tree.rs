//! The vtree of the bits of a model.
//!
//! A bit and its primed twin are siblings, so that renaming one to the other leaves every node in
//! its form; the shapes of MCMAS-SDD that keep them apart are the exception. The order of variables
//! says in which order bits come where a shape leaves that open.

mod agents;
mod cells;
mod elimination;

pub(crate) use self::cells::has_cells;

use super::shape::VtreeShape;
use crate::order::{Blocks, Interaction};
use crate::sets::boolean::bits::Bits;
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_core::Variable;
use symbolon_dd_sentential::{Part, Vtree, VtreeBuilder};
use symbolon_model::{Model, VariableId};

/// What trees are made of.
pub(crate) struct Ground<'a> {
    pub(crate) model: &'a Model,
    pub(crate) bits: &'a Bits,
    /// Variables and actions from the top.
    pub(crate) sequence: &'a [VariableId],
}

impl Ground<'_> {
    /// The tree of this shape.
    pub(crate) fn tree(&self, shape: VtreeShape, budget: &Budget) -> Result<Vtree, Interrupted> {
        let mut builder = VtreeBuilder::new();
        let root = match shape {
            VtreeShape::RightLinear => {
                let items = self.all_items(&mut builder);
                builder.right_linear(&items)
            }
            VtreeShape::LeftLinear => {
                let items = self.all_items(&mut builder);
                builder.left_linear(&items)
            }
            VtreeShape::Balanced => {
                let items = self.all_items(&mut builder);
                builder.balanced(&items)
            }
            VtreeShape::Vertical => {
                let items = self.all_items(&mut builder);
                builder.vertical(&items)
            }
            VtreeShape::MinFill => self.elimination_tree(&mut builder, false, budget)?,
            VtreeShape::MinFillHubs => self.elimination_tree(&mut builder, true, budget)?,
            VtreeShape::Components => self.component_tree(&mut builder),
            VtreeShape::Cells => self.cell_tree(&mut builder),
            VtreeShape::Agents(_)
            | VtreeShape::AgentsSplit(_)
            | VtreeShape::AgentsRightLinear
            | VtreeShape::Bounded(..)
            | VtreeShape::PerBit => self.agent_tree(&mut builder, shape),
        };
        Ok(builder.finish(root).expect("every bit has one place"))
    }

    /// The bits of a variable from the top, each with its twin.
    fn items(&self, variable: VariableId, builder: &mut VtreeBuilder) -> Vec<Part> {
        let places = (0..self.bits.of(variable).len()).rev();
        places.filter_map(|place| self.item(variable, place, builder)).collect()
    }

    /// The bit of a variable that stands at this place of its number, with its twin.
    fn item(&self, variable: VariableId, place: usize, builder: &mut VtreeBuilder) -> Option<Part> {
        let leaf = builder.leaf(*self.bits.of(variable).get(place)?);
        Some(match self.bits.primed(variable).get(place) {
            Some(&twin) => {
                let twin = builder.leaf(twin);
                builder.join(leaf, twin)
            }
            None => leaf,
        })
    }

    /// All bits from the top, each with its twin.
    fn all_items(&self, builder: &mut VtreeBuilder) -> Vec<Part> {
        let mut items = Vec::new();
        for &variable in self.sequence {
            items.extend(self.items(variable, builder));
        }
        or_nothing(items, builder)
    }

    /// The components of the model, each balanced over its own bits and the components inside it.
    fn component_tree(&self, builder: &mut VtreeBuilder) -> Part {
        let model = self.model;
        let mut place_of = vec![usize::MAX; model.variables.len() + model.actions.len()];
        self.sequence.iter().enumerate().for_each(|(place, id)| place_of[id.index()] = place);
        // By component: what lies in it, with its place in the order.
        let mut inside: Vec<Vec<(usize, Part)>> = vec![Vec::new(); model.components.len()];
        let mut outside: Vec<(usize, Part)> = Vec::new();
        let mut owner = vec![None; model.variables.len()];
        for (number, component) in model.components.iter().enumerate() {
            component.variables.iter().for_each(|variable| owner[variable.index()] = Some(number));
        }
        for &variable in self.sequence {
            let owner = match model.action(variable) {
                Some(action) => Some(action.agent.0 as usize),
                None => owner[variable.index()],
            };
            let place = place_of[variable.index()];
            let items = self.items(variable, builder);
            let list = owner.and_then(|owner| inside.get_mut(owner)).unwrap_or(&mut outside);
            list.extend(items.into_iter().map(|item| (place, item)));
        }
        // Components come after the one that they lie in, so the last ones are complete.
        for number in (0..model.components.len()).rev() {
            let mut parts = std::mem::take(&mut inside[number]);
            if parts.is_empty() {
                continue;
            }
            parts.sort_by_key(|&(place, _)| place);
            let first = parts[0].0;
            let tree: Vec<Part> = parts.into_iter().map(|(_, part)| part).collect();
            let tree = builder.balanced(&tree);
            let parent = model.components[number].parent.map(|parent| parent.0 as usize);
            let list = parent.filter(|&parent| parent < number).map(|parent| &mut inside[parent]);
            list.unwrap_or(&mut outside).push((first, tree));
        }
        outside.sort_by_key(|&(place, _)| place);
        let parts = or_nothing(outside.into_iter().map(|(_, part)| part).collect(), builder);
        builder.balanced(&parts)
    }

    /// Which variables events tie together.
    fn with_interaction<T>(&self, read: impl FnOnce(&Interaction<'_>) -> T) -> T {
        let blocks = Blocks::single(self.model);
        read(&Interaction::new(self.model, &blocks))
    }
}

/// A model without variables has a bit all the same: a vtree has a leaf.
fn or_nothing(mut parts: Vec<Part>, builder: &mut VtreeBuilder) -> Vec<Part> {
    if parts.is_empty() {
        parts.push(builder.leaf(Variable(0)));
    }
    parts
}
