//! Vectors of a set, one after another.

use crate::mdd::Mdd;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The vectors of a set as values from level 1 upwards, ascending by the codes from the root.
    pub fn vectors(&self, set: NodeId) -> Vectors<'_> {
        let mut vectors = Vectors { mdd: self, path: Vec::new(), finished: set.is_empty() };
        if !set.is_empty() {
            vectors.descend(set, self.level_count);
        }
        vectors
    }

    /// The first vector of a set, as values from level 1 upwards.
    pub fn choose(&self, set: NodeId) -> Option<Vec<u64>> {
        self.vectors(set).next()
    }
}

/// An iterator over the vectors of a set.
pub struct Vectors<'a> {
    mdd: &'a Mdd,
    /// From the root: the node at each level and the offset of the child taken.
    path: Vec<(NodeId, usize)>,
    finished: bool,
}

impl Vectors<'_> {
    /// Takes the first child, down to the terminal.
    fn descend(&mut self, mut node: NodeId, levels: u32) {
        for _ in 0..levels {
            self.path.push((node, 0));
            node = self.mdd.nth_child(&self.mdd.view(node), 0);
        }
    }

    fn current(&self) -> Vec<u64> {
        let codes = self.path.iter().rev().enumerate();
        codes
            .map(|(below, (node, offset))| {
                let code = self.mdd.view(*node).tag + *offset as u32;
                self.mdd.domain(below as u32 + 1).value(code)
            })
            .collect()
    }

    /// Moves to the next vector, if there is one.
    fn advance(&mut self) -> bool {
        while let Some((node, offset)) = self.path.pop() {
            let view = self.mdd.view(node);
            let next = (offset + 1..view.length).find(|&next| !self.mdd.nth_child(&view, next).is_empty());
            if let Some(next) = next {
                self.path.push((node, next));
                let missing = self.mdd.level_count - self.path.len() as u32;
                self.descend(self.mdd.nth_child(&view, next), missing);
                return true;
            }
        }
        false
    }
}

impl Iterator for Vectors<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        if self.finished {
            return None;
        }
        let vector = self.current();
        self.finished = !self.advance();
        Some(vector)
    }
}
