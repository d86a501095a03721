//! Exact counting: vectors with a value, and vectors of each value.

use crate::edd::Edd;
use crate::edge::Edge;
use num_bigint::BigUint;
use num_traits::Zero;
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

    /// For each value from 0 to the largest, the number of vectors that have it.
    ///
    /// A node's list is the sum of its children's, each moved by the weight of its edge: one list a node, two levels alive.
    pub fn histogram(&self, of: Edge) -> Result<Vec<BigUint>, Interrupted> {
        let Some(largest) = self.largest(of) else { return Ok(Vec::new()) };
        let budget = self.mdd.meter().budget();
        if !budget.memory().has_room_for(largest.saturating_mul(size_of::<BigUint>() as u64)) {
            return Err(Interrupted::Memory);
        }
        let levels = self.nodes_by_level(of);
        let mut lists: Vec<Vec<BigUint>> = vec![Vec::new(); levels.node_count() + 1];
        levels.level(0).iter().for_each(|&one| lists[levels.number(one)] = vec![BigUint::from(1_u32)]);
        for (level, nodes) in levels.upwards() {
            budget.check()?;
            for &node in nodes {
                let mut list = vec![BigUint::ZERO; self.largest_in(node) as usize + 1];
                for (_, edge) in self.edges(node) {
                    let moved = list[edge.weight as usize..].iter_mut();
                    moved.zip(&lists[levels.number(edge.node)]).for_each(|(sum, more)| {
                        if !more.is_zero() {
                            *sum += more;
                        }
                    });
                }
                lists[levels.number(node)] = list;
            }
            levels.level(level - 1).iter().for_each(|&node| lists[levels.number(node)] = Vec::new());
        }
        let mut histogram = vec![BigUint::ZERO; of.weight as usize];
        histogram.append(&mut lists[levels.number(of.node)]);
        Ok(histogram)
    }
}
