//! Single values of a function.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_dd_core::NodeId;

impl Edd<'_> {
    /// The least value of a function; `None` if it is ∞ everywhere.
    pub fn smallest(&self, of: Edge) -> Option<u64> {
        (!of.is_nothing()).then_some(of.weight)
    }

    /// The largest value of a function; `None` if it is ∞ everywhere.
    pub fn largest(&self, of: Edge) -> Option<u64> {
        // Nothing larger than 64 bits is ever stored (W3), except for what the dangling weight
        // adds.
        (!of.is_nothing()).then(|| of.weight.saturating_add(self.largest_in(of.node)))
    }

    /// The value of a vector, given by values from level 1 upwards; `None` for ∞.
    pub fn value(&mut self, of: Edge, vector: &[u64]) -> Option<u64> {
        let mut at = of;
        let mut sum = of.weight;
        for level in (1..=self.mdd.level_count()).rev() {
            if at.is_nothing() {
                return None;
            }
            let code = self.mdd.code(level, vector[level as usize - 1]).ok()?;
            at = self.edge(&self.view(at.node), code);
            sum = sum.saturating_add(at.weight);
        }
        (!at.is_nothing()).then_some(sum)
    }

    /// A vector with the least value, as values from level 1 upwards; always the same one. `None`
    /// if there is none.
    pub fn nearest(&self, of: Edge) -> Option<Vec<u64>> {
        let mut vector = vec![0; self.mdd.level_count() as usize];
        let mut node = of.node;
        for level in (1..=self.mdd.level_count()).rev() {
            // Along weights of 0 (W1).
            let (code, edge) = self.edges(node).find(|(_, edge)| edge.weight == 0)?;
            vector[level as usize - 1] = self.mdd.domain(level).value(code);
            node = edge.node;
        }
        (node == NodeId::ONE).then_some(vector)
    }
}
