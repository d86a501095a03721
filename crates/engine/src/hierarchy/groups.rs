//! `groups:N`: groups of N neighbours in the order, in sequence.

use super::{Item, Tree};
use crate::order::Order;

/// Groups of `size` blocks; the last may be smaller.
pub(super) fn groups(order: &Order, size: usize) -> Tree {
    let group = |blocks: &[u32]| Item::Group(blocks.iter().map(|&block| Item::Block(block)).collect());
    Tree::new(order.blocks.chunks(size).map(group).collect())
}
