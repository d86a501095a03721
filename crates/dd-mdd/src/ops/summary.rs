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

/// The nodes of some sets, level by level, in one array: levels are many and mostly narrow. Each
/// node has a number of its own, so that a computation for each node keeps its values in a plain
/// list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodesByLevel {
    /// From the highest level downwards.
    nodes: Vec<NodeId>,
    /// For each level, where its nodes begin; they end where those of the level below begin.
    starts: Vec<usize>,
    /// A bit for each id, set for those in `nodes`.
    members: Vec<u64>,
    /// For each word of `members`, the bits set in the words before it.
    ranks: Vec<u32>,
}

impl NodesByLevel {
    /// The nodes of a level; level 0 holds the terminal.
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

    /// The number of a node among all of these, terminals included: below `node_count() + 1`.
    #[inline]
    pub fn number(&self, node: NodeId) -> usize {
        let (word, bit) = (node.word() as usize / 64, node.word() % 64);
        let before = self.members[word] & ((1 << bit) - 1);
        self.ranks[word] as usize + before.count_ones() as usize
    }

    /// The nodes of diagrams whose roots stand at `level`; `None` if there are more than `most`.
    pub fn collect<C: Iterator<Item = NodeId>>(
        roots: &[NodeId],
        level: u32,
        most: usize,
        children: impl Fn(NodeId) -> C,
    ) -> Option<NodesByLevel> {
        let starts = vec![0; level as usize + 1];
        let mut found = NodesByLevel { nodes: Vec::new(), starts, members: Vec::new(), ranks: Vec::new() };
        roots.iter().filter(|root| !root.is_empty()).for_each(|&root| found.add(root));
        let mut above = 0..found.nodes.len();
        for level in (0..level as usize).rev() {
            found.starts[level] = found.nodes.len();
            for position in above {
                children(found.nodes[position])
                    .filter(|child| !child.is_empty())
                    .for_each(|child| found.add(child));
            }
            if found.nodes.len() > most {
                return None;
            }
            above = found.starts[level]..found.nodes.len();
        }
        let mut rank = 0;
        found.ranks = found
            .members
            .iter()
            .map(|word| {
                let before = rank;
                rank += word.count_ones();
                before
            })
            .collect();
        Some(found)
    }

    /// Adds a node unless it is there already.
    fn add(&mut self, node: NodeId) {
        let (word, bit) = (node.word() as usize / 64, node.word() % 64);
        if word >= self.members.len() {
            self.members.resize((word + 1).next_power_of_two(), 0);
        }
        if self.members[word] & (1 << bit) == 0 {
            self.members[word] |= 1 << bit;
            self.nodes.push(node);
        }
    }
}

impl Mdd {
    /// The nodes of a set at each level.
    pub fn nodes_by_level(&self, set: NodeId) -> NodesByLevel {
        self.nodes_below(&[set], self.level_count, usize::MAX).expect("no limit was set")
    }

    /// The nodes of sets that stand at `level`; `None` if there are more than `most`.
    pub(crate) fn nodes_below(&self, sets: &[NodeId], level: u32, most: usize) -> Option<NodesByLevel> {
        NodesByLevel::collect(sets, level, most, |node| {
            self.manager.words(node).iter().map(|&word| NodeId::from_word(word))
        })
    }

    /// The edges of a node: codes, ascending, and the children they lead to, none of them EMPTY.
    pub fn edges(&self, node: NodeId) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        let view = self.view(node);
        (0..view.length)
            .map(move |offset| (view.tag + offset as u32, self.nth_child(&view, offset)))
            .filter(|(_, child)| !child.is_empty())
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
