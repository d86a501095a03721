//! Room for the actions of a model in a tree of components, as [`crate::order`] has it for orders.

use super::{Item, Tree};
use crate::order::{Blocks, attached};
use symbolon_model::Model;

/// Blocks and tree with the actions of the model; `None` if it has none.
pub(crate) fn tree_with_actions(model: &Model, blocks: &Blocks, tree: &Tree) -> Option<(Blocks, Tree)> {
    fn items_with(items: &[Item], behind: &[Vec<u32>]) -> Vec<Item> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Block(block) => {
                    all.push(Item::Block(*block));
                    all.extend(behind[*block as usize].iter().map(|&action| Item::Block(action)));
                }
                Item::Group(items) => all.push(Item::Group(items_with(items, behind))),
            }
        }
        all
    }
    let (with_actions, behind) = attached(model, blocks, &tree.order())?;
    let mut items = items_with(&tree.items, &behind);
    if tree.items.is_empty() {
        items.extend((blocks.len() as u32..with_actions.len() as u32).map(Item::Block));
    }
    Some((with_actions, Tree { items }))
}
