//! Room for actions: a level of its own for each action variable.
//!
//! Actions live only during a synchronous step, but a diagram needs a place for them: their levels
//! stand in every diagram of such a model, and hold 0 outside of steps. An agent's action is best
//! known where its variables are, so it stands just below the lowest of them.

use super::{Blocks, Order};
use symbolon_model::{Model, VariableId};

/// Blocks and order with the actions of the model; `None` if it has none.
pub(crate) fn order_with_actions(model: &Model, blocks: &Blocks, order: &Order) -> Option<(Blocks, Order)> {
    let (with_actions, behind) = attached(model, blocks, order)?;
    let mut all = Vec::with_capacity(with_actions.len());
    for &block in &order.blocks {
        all.push(block);
        all.extend_from_slice(&behind[block as usize]);
    }
    if order.blocks.is_empty() {
        all.extend(blocks.len() as u32..with_actions.len() as u32);
    }
    Some((with_actions, Order { blocks: all }))
}

/// Blocks with one more for each action, and for each old block those that stand behind it.
pub(crate) fn attached(model: &Model, blocks: &Blocks, order: &Order) -> Option<(Blocks, Vec<Vec<u32>>)> {
    if model.actions.is_empty() {
        return None;
    }
    let mut all = blocks.clone();
    let mut behind = vec![Vec::new(); blocks.len()];
    let block_of = blocks.block_of_variables(model.variables.len());
    let places = order.places();
    for id in model.action_ids() {
        let owner = model.action(id).and_then(|action| model.components.get(action.agent.0 as usize));
        let variables: &[VariableId] = owner.map_or(&[], |component| &component.variables);
        let own = variables.iter().map(|variable| block_of[variable.index()]);
        let last = own.max_by_key(|&block| places[block as usize]).or(order.blocks.last().copied());
        if let Some(last) = last {
            behind[last as usize].push(all.len() as u32);
        }
        all.push(&[id]);
    }
    Some((all, behind))
}
