//! A diagram level by level: which nodes and which codes occur.

use crate::mdd::Mdd;
use symbolon_dd_core::NodeId;

/// What occurs at one level of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelSummary {
    /// Nodes of the set at this level.
    pub nodes: usize,
    /// Codes that occur in some vector, ascending.
    pub codes: Vec<u32>,
}

impl Mdd {
    /// The nodes of a set at each level, ascending by id; index 0 holds the terminal.
    pub fn nodes_by_level(&self, set: NodeId) -> Vec<Vec<NodeId>> {
        let mut levels = vec![Vec::new(); self.level_count as usize + 1];
        if set.is_empty() {
            return levels;
        }
        levels[self.level_count as usize].push(set);
        for level in (1..=self.level_count as usize).rev() {
            let (below, here) = levels.split_at_mut(level);
            let below = &mut below[level - 1];
            let mut tidy_at = 1 << 12;
            for &node in &here[0] {
                let words = self.manager.words(node);
                below.extend(words.iter().filter(|&&word| word != 0).map(|&word| NodeId::from_word(word)));
                // Children repeat a lot: join equal ones before the list grows long.
                if below.len() > tidy_at {
                    below.sort_unstable();
                    below.dedup();
                    tidy_at = 2 * below.len() + (1 << 12);
                }
            }
            below.sort_unstable();
            below.dedup();
            below.shrink_to_fit();
        }
        levels
    }

    /// The number of nodes of a set, terminals not counted.
    pub fn node_count(&self, set: NodeId) -> usize {
        self.nodes_by_level(set).iter().skip(1).map(Vec::len).sum()
    }

    /// What occurs at each level of a set; index 0 is unused.
    pub fn summary(&self, set: NodeId) -> Vec<LevelSummary> {
        let mut summaries = vec![LevelSummary::default()];
        for nodes in self.nodes_by_level(set).iter().skip(1) {
            let mut occurs: Vec<bool> = Vec::new();
            for &node in nodes {
                let view = self.view(node);
                let end = view.tag as usize + view.length;
                if occurs.len() < end {
                    occurs.resize(end, false);
                }
                for offset in 0..view.length {
                    occurs[view.tag as usize + offset] |= !self.nth_child(&view, offset).is_empty();
                }
            }
            let codes = (0..occurs.len() as u32).filter(|&code| occurs[code as usize]).collect();
            summaries.push(LevelSummary { nodes: nodes.len(), codes });
        }
        summaries
    }
}
