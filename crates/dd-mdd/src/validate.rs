//! Checks MDD-K1 and MDD-K2 on every stored node.

use crate::mdd::Mdd;
use rustc_hash::FxHashMap;
use symbolon_dd_core::{NodeId, Violation};

impl Mdd {
    /// Checks all invariants of the manager and of every diagram in it.
    pub fn validate(&self) -> Result<(), Violation> {
        self.manager.validate()?;
        validate_nodes(self)
    }
}

/// Every node has one height, which is its children's plus one (MDD-K1), and no empty child at
/// either end of its window (MDD-K2).
fn validate_nodes(mdd: &Mdd) -> Result<(), Violation> {
    let mut heights: FxHashMap<NodeId, u32> = FxHashMap::default();
    heights.insert(NodeId::ONE, 0);
    // Other kinds of diagram may share the store.
    let mut waiting = mdd.manager.stored_nodes();
    waiting.retain(|&node| mdd.manager.kind(node) == mdd.kind);
    while let Some(&node) = waiting.last() {
        if heights.contains_key(&node) {
            waiting.pop();
            continue;
        }
        let words = mdd.manager.words(node);
        if words.first().is_none_or(|&word| word == 0) || words.last() == Some(&0) {
            return Err(Violation::new(
                "MDD-K2",
                format!("{node:?} has an empty child at an end: {words:?}"),
            ));
        }
        let children: Vec<NodeId> =
            words.iter().filter(|&&word| word != 0).map(|&word| NodeId::from_word(word)).collect();
        let unknown = children.iter().copied().filter(|child| !heights.contains_key(child));
        let before = waiting.len();
        waiting.extend(unknown);
        if waiting.len() > before {
            continue;
        }
        waiting.pop();
        let height = heights[&children[0]] + 1;
        if let Some(odd) = children.iter().find(|child| heights[child] + 1 != height) {
            return Err(Violation::new(
                "MDD-K1",
                format!("{node:?} at {height} has {odd:?} at {}", heights[odd]),
            ));
        }
        if height > mdd.level_count {
            return Err(Violation::new("MDD-K1", format!("{node:?} stands at level {height}")));
        }
        heights.insert(node, height);
    }
    Ok(())
}
