//! Exact counting of the vectors that have a value.

use crate::edd::Edd;
use crate::edge::Edge;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::NodesByLevel;

impl Edd<'_> {
    /// The nodes of a function at each level.
    pub fn nodes_by_level(&self, of: Edge) -> NodesByLevel {
        let level = self.mdd.level_count();
        let children = |node| self.edges(node).map(|(_, edge)| edge.node);
        NodesByLevel::collect(&[of.node], level, usize::MAX, children).expect("no limit was set")
    }

    /// The number of nodes of a function, terminals not counted.
    pub fn node_count(&self, of: Edge) -> usize {
        self.nodes_by_level(of).node_count()
    }

    /// The number of vectors on which a function has a value.
    pub fn count(&self, of: Edge) -> Result<BigUint, Interrupted> {
        let levels = self.nodes_by_level(of);
        if of.is_nothing() {
            return Ok(BigUint::ZERO);
        }
        let mut counts = vec![BigUint::ZERO; levels.node_count() + 1];
        levels.level(0).iter().for_each(|&one| counts[levels.number(one)] = BigUint::from(1_u32));
        for (level, nodes) in levels.upwards() {
            self.mdd.meter().budget().check()?;
            for &node in nodes {
                let mut sum = BigUint::ZERO;
                self.edges(node).for_each(|(_, edge)| sum += &counts[levels.number(edge.node)]);
                counts[levels.number(node)] = sum;
            }
            levels.level(level - 1).iter().for_each(|&node| counts[levels.number(node)] = BigUint::ZERO);
        }
        Ok(std::mem::take(&mut counts[levels.number(of.node)]))
    }
}
