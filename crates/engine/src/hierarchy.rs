//! Hierarchies: how the blocks of a model are grouped into components, for hierarchical set
//! diagrams.
//!
//! A [`Tree`] is a sequence of items; an item is a block or a group, which is a sequence again.
//! Read from left to right its blocks are an order, the top level first. Depth pays where groups
//! are alike, because equal groups share their nodes and all that is computed of them, and where
//! few events cross a border. It costs where a border separates what belongs together: arcs between
//! components then become many, and labels meet (`auto` finds out).
//!
//! Each heuristic is one file here. All but `auto` look at the model and an order alone; `auto`
//! tries some of the others and counts steps.

mod components;
mod groups;
mod indexed;
mod recursive;
pub(crate) mod repeated;
mod text;
mod with_actions;

use crate::order::{Blocks, Order};
use crate::policy::repeated_parts::SMALLEST_HALF;
use std::fmt;
use std::str::FromStr;
use symbolon_model::Model;

pub use text::{HierarchyFile, HierarchyFileProblem, load, save};
pub(crate) use with_actions::tree_with_actions;

/// One item of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A block of variables: one value.
    Block(u32),
    /// A component.
    Group(Vec<Item>),
}

/// The tree of components: the items of its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The items of the whole.
    pub items: Vec<Item>,
}

impl Tree {
    /// One component, in this order.
    pub fn flat(order: &Order) -> Tree {
        Tree { items: order.blocks.iter().map(|&block| Item::Block(block)).collect() }
    }

    /// The tree of these items without groups that group nothing.
    pub fn new(items: Vec<Item>) -> Tree {
        let mut items = tidied(items);
        while let [Item::Group(_)] = items[..] {
            let Some(Item::Group(inner)) = items.pop() else { break };
            items = inner;
        }
        Tree { items }
    }

    /// The blocks from left to right.
    pub fn order(&self) -> Order {
        let mut blocks = Vec::new();
        collect_blocks(&self.items, &mut blocks);
        Order { blocks }
    }

    /// Whether nothing is grouped.
    pub fn is_flat(&self) -> bool {
        self.items.iter().all(|item| matches!(item, Item::Block(_)))
    }

    /// The number of groups, and how deep they lie in one another.
    pub fn size(&self) -> (usize, usize) {
        fn visit(items: &[Item]) -> (usize, usize) {
            items.iter().fold((0, 0), |(count, depth), item| match item {
                Item::Block(_) => (count, depth),
                Item::Group(items) => {
                    let (inside, deeper) = visit(items);
                    (count + 1 + inside, depth.max(deeper + 1))
                }
            })
        }
        visit(&self.items)
    }
}

/// Items without empty groups and without groups of one.
fn tidied(items: Vec<Item>) -> Vec<Item> {
    let tidy = |item| match item {
        Item::Block(_) => Some(item),
        Item::Group(inner) => {
            let mut inner = tidied(inner);
            if inner.len() > 1 { Some(Item::Group(inner)) } else { inner.pop() }
        }
    };
    items.into_iter().filter_map(tidy).collect()
}

fn collect_blocks(items: &[Item], blocks: &mut Vec<u32>) {
    for item in items {
        match item {
            Item::Block(block) => blocks.push(*block),
            Item::Group(items) => collect_blocks(items, blocks),
        }
    }
}

/// A hierarchy by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HierarchyName {
    /// One component.
    Flat,
    /// The units that came with the net.
    Nupn,
    /// The pages that came with the net.
    Pages,
    /// Groups of this many consecutive blocks, in sequence.
    Groups(u32),
    /// Halves of halves, down to this many blocks.
    Recursive(u32),
    /// Groups of blocks with the same number in their names, in sequence.
    Indexed,
    /// The same groups, in halves of halves.
    IndexedRecursive,
    /// Parts that look alike in a walk through the model, in halves of halves.
    Repeated,
}

impl HierarchyName {
    /// How users name hierarchies.
    pub const NAMES: [&str; 8] =
        ["flat", "nupn", "pages", "groups:4", "recursive", "indexed", "indexed-recursive", "repeated"];
}

impl fmt::Display for HierarchyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HierarchyName::Flat => f.write_str("flat"),
            HierarchyName::Nupn => f.write_str("nupn"),
            HierarchyName::Pages => f.write_str("pages"),
            HierarchyName::Groups(size) => write!(f, "groups:{size}"),
            HierarchyName::Recursive(SMALLEST_HALF) => f.write_str("recursive"),
            HierarchyName::Recursive(size) => write!(f, "recursive:{size}"),
            HierarchyName::Indexed => f.write_str("indexed"),
            HierarchyName::IndexedRecursive => f.write_str("indexed-recursive"),
            HierarchyName::Repeated => f.write_str("repeated"),
        }
    }
}

/// A text that names no hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownHierarchy;

impl FromStr for HierarchyName {
    type Err = UnknownHierarchy;

    fn from_str(text: &str) -> Result<Self, UnknownHierarchy> {
        let size = |text: &str| text.parse().ok().filter(|&size: &u32| size > 0).ok_or(UnknownHierarchy);
        match text.split_once(':') {
            Some(("groups", number)) => Ok(HierarchyName::Groups(size(number)?)),
            Some(("recursive", number)) => Ok(HierarchyName::Recursive(size(number)?)),
            Some(_) => Err(UnknownHierarchy),
            None => match text {
                "flat" => Ok(HierarchyName::Flat),
                "nupn" => Ok(HierarchyName::Nupn),
                "pages" => Ok(HierarchyName::Pages),
                "recursive" => Ok(HierarchyName::Recursive(SMALLEST_HALF)),
                "indexed" => Ok(HierarchyName::Indexed),
                "indexed-recursive" => Ok(HierarchyName::IndexedRecursive),
                "repeated" => Ok(HierarchyName::Repeated),
                _ => Err(UnknownHierarchy),
            },
        }
    }
}

/// The tree of that name over an order; `None` if the model lacks what it stands on. The blocks of
/// groups that came with the model, or with names, need not be neighbours in the order: the tree
/// then has an order of its own.
pub fn compute(model: &Model, blocks: &Blocks, order: &Order, name: HierarchyName) -> Option<Tree> {
    match name {
        HierarchyName::Flat => Some(Tree::flat(order)),
        HierarchyName::Nupn | HierarchyName::Pages => components::components(model, blocks, order),
        HierarchyName::Groups(size) => Some(groups::groups(order, size as usize)),
        HierarchyName::Recursive(size) => Some(recursive::recursive(order, size as usize)),
        HierarchyName::Indexed => indexed::indexed(model, blocks),
        HierarchyName::IndexedRecursive => indexed::indexed_recursive(model, blocks),
        HierarchyName::Repeated => repeated::repeated(model, blocks).map(|(tree, _)| tree),
    }
}

/// Whether the tree of that name has an order of its own, whatever order it is given.
pub(crate) fn has_own_order(name: HierarchyName) -> bool {
    matches!(name, HierarchyName::Indexed | HierarchyName::IndexedRecursive | HierarchyName::Repeated)
}

/// The blocks with their variables sorted as the tree of that name wants them: equal parts should
/// have equal codes.
pub(crate) fn sorted_blocks(model: &Model, blocks: Blocks, name: HierarchyName) -> Blocks {
    match name {
        HierarchyName::Repeated => repeated::repeated(model, &blocks).map_or(blocks, |(_, sorted)| sorted),
        _ => blocks,
    }
}

#[cfg(test)]
mod tests;
