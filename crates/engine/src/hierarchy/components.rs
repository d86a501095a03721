//! `nupn` and `pages`: the components that came with the model.
//!
//! A merged block lies in the component of its first variable. Siblings stand by the first of their
//! blocks in the order.

use super::{Item, Tree};
use crate::order::{Blocks, Order};
use symbolon_model::Model;

/// Trees deeper than this are declined: a walk through a tree recurses once per depth.
const DEEPEST: usize = 200;

/// The tree of the model's components; `None` if there are none, or if they lie too deep in one
/// another.
pub(super) fn components(model: &Model, blocks: &Blocks, order: &Order) -> Option<Tree> {
    let count = model.components.len();
    if count < 2 {
        return None;
    }
    let mut depths = vec![0_usize; count];
    let mut owner = vec![0; model.variables.len()];
    for (number, component) in model.components.iter().enumerate() {
        // Parents stand before children.
        depths[number] = component.parent.map_or(0, |parent| depths[parent.0 as usize] + 1);
        component.variables.iter().for_each(|variable| owner[variable.index()] = number);
    }
    if depths.iter().any(|&depth| depth > DEEPEST) {
        return None;
    }
    let mut blocks_of: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    for (place, &block) in order.blocks.iter().enumerate() {
        let first = blocks.block(block).first()?;
        blocks_of[owner[first.index()]].push((place as u32, block));
    }
    // Children before parents: each hands its items to the component around it.
    let mut items: Vec<Vec<(u32, Item)>> = blocks_of
        .into_iter()
        .map(|list| list.into_iter().map(|(p, b)| (p, Item::Block(b))).collect())
        .collect();
    let mut top: Vec<(u32, Item)> = Vec::new();
    for (number, component) in model.components.iter().enumerate().rev() {
        let mut inner = std::mem::take(&mut items[number]);
        inner.sort_by_key(|(place, _)| *place);
        let Some(&(place, _)) = inner.first() else { continue };
        let group = Item::Group(inner.into_iter().map(|(_, item)| item).collect());
        match component.parent {
            Some(parent) => items[parent.0 as usize].push((place, group)),
            None => top.push((place, group)),
        }
    }
    top.sort_by_key(|(place, _)| *place);
    let tree = Tree::new(top.into_iter().map(|(_, item)| item).collect());
    (!tree.is_flat()).then_some(tree)
}
