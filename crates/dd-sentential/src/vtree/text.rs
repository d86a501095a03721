//! Vtrees as text, in the format of the SDD package of UCLA.
//!
//! ```text
//! c a comment
//! vtree 3
//! L 0 1          a leaf: its number, its variable, counted from 1
//! L 2 2
//! I 1 0 2        an inner node: its number, its children, which stand above
//! ```
//!
//! Numbers are places in the in-order walk, as that package writes them; any others are read, too.

use super::{NONE, Vtree, VtreeBuilder, VtreeError, VtreeNode};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use symbolon_dd_core::Variable;

impl Vtree {
    /// By node: its place in the in-order walk.
    pub(crate) fn in_order(&self) -> Vec<u32> {
        (0..self.nodes.len() as u32).map(|node| self.number(VtreeNode(node)) as u32).collect()
    }

    /// The text of the tree.
    pub fn to_text(&self) -> String {
        let places = self.in_order();
        let mut text = format!("vtree {}\n", self.nodes.len());
        for number in self.upwards(self.root) {
            let node = self.node(number);
            let place = places[number as usize];
            // Writing into a string cannot fail.
            let _ = if node.left == NONE {
                writeln!(text, "L {place} {}", number + 1)
            } else {
                let child = |child: u32| places[child as usize];
                writeln!(text, "I {place} {} {}", child(node.left), child(node.right))
            };
        }
        text
    }

    /// The tree of a text.
    pub fn from_text(text: &str) -> Result<Vtree, VtreeError> {
        let mut builder = VtreeBuilder::new();
        let mut known = FxHashMap::default();
        let mut last = None;
        let mut announced = None;
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |what: String| VtreeError::Text(number, what);
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            if first == "c" {
                continue;
            }
            let numbers: Vec<u32> = words
                .map(|word| word.parse().map_err(|_| wrong(format!("expected a number, found '{word}'"))))
                .collect::<Result<_, _>>()?;
            let (id, part) = match (first, &numbers[..]) {
                ("vtree", [count]) => {
                    announced = Some((number, *count as usize));
                    continue;
                }
                ("L", [id, variable @ 1..=u32::MAX]) => (*id, builder.leaf(Variable(variable - 1))),
                ("I", [id, left, right]) => {
                    let child = |child: &u32| {
                        known
                            .get(child)
                            .copied()
                            .ok_or_else(|| wrong(format!("no node {child} stands above")))
                    };
                    (*id, builder.join(child(left)?, child(right)?))
                }
                _ => {
                    return Err(wrong(format!(
                        "expected 'vtree COUNT', 'L NODE VARIABLE' or 'I NODE LEFT RIGHT', found '{line}'"
                    )));
                }
            };
            if known.insert(id, part).is_some() {
                return Err(wrong(format!("node {id} stands above already")));
            }
            last = Some(part);
        }
        if let Some((line, count)) = announced
            && count != known.len()
        {
            return Err(VtreeError::Text(
                line,
                format!("{count} nodes announced, but {} follow", known.len()),
            ));
        }
        builder.finish(last.ok_or(VtreeError::Empty)?)
    }
}
