//! The outline of a multi-valued diagram.

use super::MddSets;
use crate::sets::outline::{Meaning, Outline, OutlineEdge, OutlineNode};
use std::collections::HashMap;
use symbolon_dd_mdd::{NodeId, Root};

impl MddSets {
    /// The diagram of a set as plain data.
    pub fn outline(&self, set: &Root) -> Outline {
        let variables = |level: u32| self.encoding.variables(level).to_vec();
        let levels = (1..=self.encoding.level_count() as u32).map(variables).collect();
        let mut outline = Outline { levels, nodes: Vec::new() };
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
