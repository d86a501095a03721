//! The largest weighted sum over a set.

use crate::mdd::Mdd;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The largest value, over the vectors of `set`, of the sum over levels of `weight(level, code)`;
    /// `None` for the empty set.
    pub fn largest(
        &self,
        set: NodeId,
        weight: impl Fn(u32, u32) -> i128,
    ) -> Result<Option<i128>, Interrupted> {
        if set.is_empty() {
            return Ok(None);
        }
        let levels = self.nodes_by_level(set);
        let mut below: FxHashMap<NodeId, i128> = FxHashMap::from_iter([(NodeId::ONE, 0)]);
        let mut here = FxHashMap::default();
        for (level, nodes) in levels.upwards() {
            self.manager.meter().budget().check()?;
            here.clear();
            for &node in nodes {
                let view = self.view(node);
                let mut best = i128::MIN;
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if !child.is_empty() {
                        let term = weight(level, view.tag + offset as u32);
                        best = best.max(below[&child].checked_add(term).ok_or(Interrupted::Overflow)?);
                    }
                }
                here.insert(node, best);
            }
            std::mem::swap(&mut below, &mut here);
        }
        Ok(below.get(&set).copied())
    }
}
