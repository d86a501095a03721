//! `indexed` and `indexed-recursive`: components of what has the same number in its name.
//!
//! Families of nets number their parts, and their parts are alike. Variables of the same number
//! become a component, sorted by the rest of the name, so that equal parts have equal shapes; the
//! components stand by number. What has no number stands before them.

use super::recursive::halved;
use super::{Item, Tree};
use crate::order::{Blocks, index_groups};
use symbolon_model::Model;

/// The groups in sequence, or `None` where names have no common numbers.
pub(super) fn indexed(model: &Model, blocks: &Blocks) -> Option<Tree> {
    let (mut items, groups) = parts(model, blocks)?;
    items.extend(groups);
    Some(Tree::new(items))
}

/// The groups in halves of halves, or `None` where names have no common numbers.
pub(super) fn indexed_recursive(model: &Model, blocks: &Blocks) -> Option<Tree> {
    let (mut items, groups) = parts(model, blocks)?;
    items.extend(halved(groups, 1));
    Some(Tree::new(items))
}

/// The blocks without a number, and the groups.
fn parts(model: &Model, blocks: &Blocks) -> Option<(Vec<Item>, Vec<Item>)> {
    let groups = index_groups(model, blocks);
    if groups.len() < 2 {
        return None;
    }
    let mut is_grouped = vec![false; blocks.len()];
    groups.iter().flatten().for_each(|&block| is_grouped[block as usize] = true);
    let all = 0..blocks.len() as u32;
    let single = all.filter(|&block| !is_grouped[block as usize]).map(Item::Block).collect();
    let grouped =
        groups.into_iter().map(|group| Item::Group(group.into_iter().map(Item::Block).collect())).collect();
    Some((single, grouped))
}
