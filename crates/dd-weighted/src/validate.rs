//! Checks EDD-K1, EDD-K2 and W1–W3 on every stored node of both kinds.

use crate::add::Add;
use crate::edd::Edd;
use crate::edge::Edge;
use std::collections::HashMap;
use symbolon_dd_core::{NodeId, Violation};

impl Edd<'_> {
    /// Checks all invariants of the manager and of every edge-valued diagram in it.
    pub fn validate(&self) -> Result<(), Violation> {
        self.mdd.validate()?;
        let manager = self.mdd.manager();
        let mut nodes = manager.stored_nodes();
        nodes.retain(|&node| [self.kind.narrow, self.kind.wide].contains(&manager.kind(node)));
        for &node in &nodes {
            let view = self.view(node);
            let edges: Vec<Edge> = (0..view.length).map(|offset| self.nth_edge(&view, offset)).collect();
            let at_end = |edge: Option<&Edge>| edge.is_none_or(|edge| edge.is_nothing());
            if at_end(edges.first()) || at_end(edges.last()) {
                return Err(Violation::new(
                    "EDD-K2",
                    format!("{node:?} has an empty child at an end: {edges:?}"),
                ));
            }
            let words = manager.words(node);
            let (skip, stride) = if manager.kind(node) == self.kind.wide { (2, 3) } else { (1, 2) };
            let has_stray_weight = words[skip..]
                .chunks(stride)
                .any(|edge| edge[stride - 1] == 0 && edge.iter().any(|&word| word != 0));
            if has_stray_weight {
                return Err(Violation::new(
                    "EDD-K2",
                    format!("{node:?} has a weight without a child: {words:?}"),
                ));
            }
            let occupied = || edges.iter().filter(|edge| !edge.is_nothing());
            if occupied().all(|edge| edge.weight > 0) {
                return Err(Violation::new("W1", format!("{node:?} has no edge of weight 0: {edges:?}")));
            }
            let largest = occupied().map(|edge| edge.weight + self.largest_in(edge.node)).max().unwrap_or(0);
            if largest != self.largest_in(node) {
                return Err(Violation::new(
                    "W2",
                    format!("{node:?} says {} for {largest}", self.largest_in(node)),
                ));
            }
            if (manager.kind(node) == self.kind.wide) != (largest > u64::from(u32::MAX)) {
                return Err(Violation::new("W3", format!("{node:?} has the wrong width for {largest}")));
            }
        }
        let children = |node| self.edges(node).map(|(_, edge)| edge.node).collect();
        check_heights(&nodes, self.mdd.level_count(), |node| (node == NodeId::ONE).then_some(0), children)
    }
}

impl Add<'_> {
    /// Checks all invariants of the manager and of every algebraic diagram in it.
    pub fn validate(&self) -> Result<(), Violation> {
        self.mdd.validate()?;
        let manager = self.mdd.manager();
        let mut nodes = manager.stored_nodes();
        nodes.retain(|&node| manager.kind(node) == self.kind.node);
        for &node in &nodes {
            let words = manager.words(node);
            if words.first().is_none_or(|&word| word == 0) || words.last() == Some(&0) {
                return Err(Violation::new(
                    "EDD-K2",
                    format!("{node:?} has an empty child at an end: {words:?}"),
                ));
            }
        }
        let children = |node| {
            let words = manager.words(node).iter().filter(|&&word| word != 0);
            words.map(|&word| NodeId::from_word(word)).collect()
        };
        check_heights(&nodes, self.mdd.level_count(), |node| self.as_number(node).map(|_| 0), children)
    }
}

/// Every node has one height, which is its children's plus one (EDD-K1); `ground` knows what stands
/// at level 0.
fn check_heights(
    nodes: &[NodeId],
    level_count: u32,
    ground: impl Fn(NodeId) -> Option<u32>,
    children: impl Fn(NodeId) -> Vec<NodeId>,
) -> Result<(), Violation> {
    let mut heights: HashMap<NodeId, u32> = HashMap::new();
    let mut waiting = nodes.to_vec();
    while let Some(&node) = waiting.last() {
        if heights.contains_key(&node) {
            waiting.pop();
            continue;
        }
        if let Some(height) = ground(node) {
            heights.insert(node, height);
            continue;
        }
        let below = children(node);
        let before = waiting.len();
        waiting.extend(below.iter().copied().filter(|child| !heights.contains_key(child)));
        if waiting.len() > before {
            continue;
        }
        let height = heights[&below[0]] + 1;
        if let Some(odd) = below.iter().find(|child| heights[child] + 1 != height) {
            return Err(Violation::new(
                "EDD-K1",
                format!("{node:?} at {height} has {odd:?} at {}", heights[odd]),
            ));
        }
        if height > level_count {
            return Err(Violation::new("EDD-K1", format!("{node:?} stands at level {height}")));
        }
        heights.insert(node, height);
    }
    Ok(())
}
