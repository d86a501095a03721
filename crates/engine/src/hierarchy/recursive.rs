//! `recursive`: the order cut into halves, these into halves, and so on.
//!
//! Halves of equal length have equal shapes, so that equal parts of a model that repeats itself
//! meet in the same nodes, and the depth is the logarithm of the number of blocks.

use super::{Item, Tree};
use crate::order::Order;

/// Halves of halves, down to at most `smallest` blocks.
pub(super) fn recursive(order: &Order, smallest: usize) -> Tree {
    let items: Vec<Item> = order.blocks.iter().map(|&block| Item::Block(block)).collect();
    Tree::new(halved(items, smallest))
}

/// The same items in halves of halves, down to at most `smallest` items.
pub(super) fn halved(mut items: Vec<Item>, smallest: usize) -> Vec<Item> {
    if items.len() <= smallest.max(1) {
        return items;
    }
    let right = items.split_off(items.len() / 2);
    vec![Item::Group(halved(items, smallest)), Item::Group(halved(right, smallest))]
}
