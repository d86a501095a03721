//! Exact counting where each vector counts with a weight: the product of a weight per level.

use crate::mdd::Mdd;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The sum, over the vectors of `set`, of the product over levels of `weight(level, code)`.
    pub fn weighted_count(
        &self,
        set: NodeId,
        mut weight: impl FnMut(u32, u32) -> BigUint,
    ) -> Result<BigUint, Interrupted> {
        if set.is_empty() {
            return Ok(BigUint::ZERO);
        }
        let levels = self.nodes_by_level(set);
        let mut sums = vec![BigUint::ZERO; levels.node_count() + 1];
        sums[levels.number(NodeId::ONE)] = BigUint::from(1_u32);
        for (level, nodes) in levels.upwards() {
            for &node in nodes {
                self.manager.meter().budget().check()?;
                let view = self.view(node);
                let mut sum = BigUint::ZERO;
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if !child.is_empty() {
                        sum += &sums[levels.number(child)] * weight(level, view.tag + offset as u32);
                    }
                }
                sums[levels.number(node)] = sum;
            }
            // Only the level above asks for these.
            levels.level(level - 1).iter().for_each(|&below| sums[levels.number(below)] = BigUint::ZERO);
        }
        Ok(std::mem::take(&mut sums[levels.number(set)]))
    }
}
