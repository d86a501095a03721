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

/// The nodes of some sets, level by level, in one array: levels are many and mostly narrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodesByLevel {
    /// From the highest level downwards; ascending by id within a level.
    nodes: Vec<NodeId>,
    /// For each level, where its nodes begin; they end where those of the level below begin.
    starts: Vec<usize>,
}

impl NodesByLevel {
    /// The nodes of a level, ascending by id; level 0 holds the terminal.
    pub fn level(&self, level: u32) -> &[NodeId] {
        let end = if level == 0 { self.nodes.len() } else { self.starts[level as usize - 1] };
        &self.nodes[self.starts[level as usize]..end]
    }

    /// The nodes of each level from 1 upwards.
    pub fn upwards(&self) -> impl DoubleEndedIterator<Item = (u32, &[NodeId])> {
        (1..self.starts.len() as u32).map(|level| (level, self.level(level)))
    }

    /// The number of nodes, terminals not counted.
    pub fn node_count(&self) -> usize {
        self.starts[0]
    }
}

impl Mdd {
    /// The nodes of a set at each level.
    pub fn nodes_by_level(&self, set: NodeId) -> NodesByLevel {
        self.nodes_below(vec![set], self.level_count, usize::MAX).expect("no limit was set")
    }

    /// The nodes of sets that stand at `level`; `None` if there are more than `most`.
    pub(crate) fn nodes_below(&self, sets: Vec<NodeId>, level: u32, most: usize) -> Option<NodesByLevel> {
        let mut nodes = sets;
        nodes.retain(|node| !node.is_empty());
        join_equal(&mut nodes, 0);
        let mut starts = vec![0; level as usize + 1];
        let mut above = 0..nodes.len();
        for level in (0..level as usize).rev() {
            let start = nodes.len();
            let mut tidy_at = start.saturating_add(1 << 12);
            for position in above {
                let words = self.manager.words(nodes[position]);
                nodes.extend(words.iter().filter(|&&word| word != 0).map(|&word| NodeId::from_word(word)));
                // Children repeat a lot: join equal ones before the list grows long.
                if nodes.len() > tidy_at {
                    join_equal(&mut nodes, start);
                    if nodes.len() > most {
                        return None;
                    }
                    tidy_at = 2 * nodes.len() - start + (1 << 12);
                }
            }
            join_equal(&mut nodes, start);
            if nodes.len() > most {
                return None;
            }
            starts[level] = start;
            above = start..nodes.len();
        }
        Some(NodesByLevel { nodes, starts })
    }

    /// The number of nodes of a set, terminals not counted.
    pub fn node_count(&self, set: NodeId) -> usize {
        self.nodes_by_level(set).node_count()
    }

    /// What occurs at each level of a set; index 0 is unused.
    pub fn summary(&self, set: NodeId) -> Vec<LevelSummary> {
        let mut summaries = vec![LevelSummary::default()];
        let mut occurs: Vec<bool> = Vec::new();
        for (_, nodes) in self.nodes_by_level(set).upwards() {
            occurs.clear();
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

/// Sorts what stands from `start` on, and joins equal nodes.
fn join_equal(nodes: &mut Vec<NodeId>, start: usize) {
    nodes[start..].sort_unstable();
    let mut end = start;
    for position in start..nodes.len() {
        if end == start || nodes[end - 1] != nodes[position] {
            nodes[end] = nodes[position];
            end += 1;
        }
    }
    nodes.truncate(end);
}
