//! The diagram of a set as plain data: its nodes, its edges, and what the edges say of the variables.
//! Whoever wants to show a diagram starts here and need not know how nodes are stored.

use crate::sets::mdd::MddSets;
use std::collections::HashMap;
use symbolon_dd_mdd::{NodeId, Root};
use symbolon_model::VariableId;

/// The nodes of a set, the root first, each before the nodes below it; empty for the empty set.
///
/// Within a level nodes stand in the order in which edges from above first lead to them, so that the order
/// does not depend on when nodes were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The nodes; the terminal is not among them.
    pub nodes: Vec<OutlineNode>,
}

/// A node of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineNode {
    /// Its level.
    pub level: u32,
    /// Its edges, ascending by code.
    pub edges: Vec<OutlineEdge>,
}

/// An edge of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineEdge {
    /// What is so in the states on this edge.
    pub meaning: Meaning,
    /// The node it leads to, by index in [`Outline::nodes`]; `None` is the terminal.
    pub child: Option<usize>,
}

/// What an edge says of the variables of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The only variable of the level has this value.
    Value(u64),
    /// This variable of the level is 1, the others are 0.
    One(VariableId),
    /// All variables of the level are 0.
    AllZero,
}

impl MddSets {
    /// The diagram of a set as plain data.
    pub fn outline(&self, set: &Root) -> Outline {
        let mut outline = Outline::default();
        let mut layer: Vec<NodeId> = Vec::new();
        if !set.node().is_empty() {
            layer.push(set.node());
        }
        for level in (1..=self.mdd().level_count()).rev() {
            let first_below = outline.nodes.len() + layer.len();
            let mut below: Vec<NodeId> = Vec::new();
            let mut places: HashMap<NodeId, usize> = HashMap::new();
            for &node in &layer {
                let edges = self.mdd().edges(node).map(|(code, child)| {
                    let child = (level > 1).then(|| {
                        *places.entry(child).or_insert_with(|| {
                            below.push(child);
                            first_below + below.len() - 1
                        })
                    });
                    OutlineEdge { meaning: self.meaning(level, code), child }
                });
                let edges = edges.collect();
                outline.nodes.push(OutlineNode { level, edges });
            }
            layer = below;
        }
        outline
    }

    /// What a code at a level stands for.
    fn meaning(&self, level: u32, code: u32) -> Meaning {
        match (self.encoding().variables(level), code) {
            ([_], _) => Meaning::Value(self.mdd().domain(level).value(code)),
            (_, 0) => Meaning::AllZero,
            (several, _) => Meaning::One(several[code as usize - 1]),
        }
    }
}
