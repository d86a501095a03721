//! The largest weighted sum over a set.

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The largest value, over the vectors of `set`, of the sum over levels of
    /// `weight(level, code)`; `None` for the empty set.
    pub fn largest(
        &self,
        set: NodeId,
        weight: impl Fn(u32, u32) -> Result<i128, Interrupted>,
    ) -> Result<Option<i128>, Interrupted> {
        if set.is_empty() {
            return Ok(None);
        }
        let levels = self.nodes_by_level(set);
        // The terminal, which level 0 holds, has the empty sum.
        let mut best = vec![0_i128; levels.node_count() + 1];
        for (level, nodes) in levels.upwards() {
            self.manager.meter().budget().check()?;
            for &node in nodes {
                let view = self.view(node);
                let mut best_here = i128::MIN;
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if !child.is_empty() {
                        let term = weight(level, view.tag + offset as u32)?;
                        let sum = best[levels.number(child)].checked_add(term);
                        best_here = best_here.max(sum.ok_or(Interrupted::Overflow)?);
                    }
                }
                best[levels.number(node)] = best_here;
            }
        }
        Ok(Some(best[levels.number(set)]))
    }
}
