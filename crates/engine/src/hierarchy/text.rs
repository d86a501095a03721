//! Hierarchies as text: one line a block, in braces what is a component.
//!
//! ```text
//! Hall
//! {
//!   Think_1 Eat_1
//!   Fork_1
//! }
//! ```
//!
//! Lines between braces are those of a saved order ([`crate::order::save`]): the variables of a
//! merged block stand on one line. A brace stands alone on its line. Leading spaces are for the
//! eye. What is read may merge other variables than the model's facts allow: the caller that loads
//! it checks that.

use super::{Item, Tree};
use crate::order::{self, Blocks, Order, OrderFileError};
use std::fmt;
use symbolon_model::Model;

/// Components that lie deeper in one another are refused: a walk through a tree recurses once per
/// depth.
const DEEPEST: usize = 200;

/// What a text says: blocks, and the tree over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyFile {
    /// The blocks.
    pub blocks: Blocks,
    /// The tree.
    pub tree: Tree,
    /// The line of each block, as in `blocks`.
    pub lines: Vec<u32>,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HierarchyFileProblem {
    /// A closing brace that closes nothing, in this line.
    NothingToClose(u32),
    /// The brace of this line is never closed.
    NeverClosed(u32),
    /// Braces too deep in one another, in this line.
    TooDeep(u32),
    /// What is wrong with the names.
    Names(OrderFileError),
}

impl fmt::Display for HierarchyFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HierarchyFileProblem::NothingToClose(_) => f.write_str("this brace closes no component"),
            HierarchyFileProblem::NeverClosed(_) => {
                f.write_str("the component that begins here does not end")
            }
            HierarchyFileProblem::TooDeep(_) => {
                write!(f, "components lie more than {DEEPEST} deep in one another")
            }
            HierarchyFileProblem::Names(error) => error.fmt(f),
        }
    }
}

/// The text of a tree.
pub fn save(model: &Model, blocks: &Blocks, tree: &Tree) -> String {
    let mut text = String::new();
    write_items(&mut text, model, blocks, &tree.items, 0);
    text
}

fn write_items(text: &mut String, model: &Model, blocks: &Blocks, items: &[Item], depth: usize) {
    let indent = "  ".repeat(depth);
    for item in items {
        match item {
            Item::Block(block) => {
                text.push_str(&indent);
                // A block whose name is a brace would read as one.
                let line = order::save(model, blocks, &Order { blocks: vec![*block] });
                match line.as_str() {
                    "{\n" | "}\n" => text.push_str(&format!("\"{}\"\n", line.trim_end())),
                    _ => text.push_str(&line),
                }
            }
            Item::Group(items) => {
                text.push_str(&format!("{indent}{{\n"));
                write_items(text, model, blocks, items, depth + 1);
                text.push_str(&format!("{indent}}}\n"));
            }
        }
    }
}

/// The tree that `text` describes, or what is wrong with it.
pub fn load(model: &Model, text: &str) -> Result<HierarchyFile, HierarchyFileProblem> {
    // Braces become empty lines: what is left is an order, with the same numbers of lines.
    let is_brace = |line: &str| matches!(line.trim(), "{" | "}");
    let names: Vec<&str> = text.lines().map(|line| if is_brace(line) { "" } else { line }).collect();
    let file = order::load(model, &names.join("\n")).map_err(HierarchyFileProblem::Names)?;
    let mut left = file.order.blocks.iter();
    let mut open: Vec<(u32, Vec<Item>)> = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    for (line, number) in text.lines().zip(1_u32..) {
        match line.trim() {
            "{" if open.len() >= DEEPEST => return Err(HierarchyFileProblem::TooDeep(number)),
            "{" => open.push((number, std::mem::take(&mut items))),
            "}" => {
                let Some((_, around)) = open.pop() else {
                    return Err(HierarchyFileProblem::NothingToClose(number));
                };
                let group = Item::Group(std::mem::replace(&mut items, around));
                items.push(group);
            }
            // Lines without a name are comments.
            line if line.is_empty() || line.starts_with('#') => {}
            _ => items.extend(left.next().map(|&block| Item::Block(block))),
        }
    }
    if let Some((number, _)) = open.pop() {
        return Err(HierarchyFileProblem::NeverClosed(number));
    }
    Ok(HierarchyFile { blocks: file.blocks, tree: Tree::new(items), lines: file.lines })
}
