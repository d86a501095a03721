//! All combinations of the values that a set has.

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Mdd {
    /// The vectors whose codes occur in `set`, each at its level: a set with one node a level that
    /// holds `set`.
    pub fn hull(&mut self, set: NodeId) -> Result<NodeId, Interrupted> {
        if set.is_empty() {
            return Ok(set);
        }
        let mut node = NodeId::ONE;
        for summary in self.summary(set).into_iter().skip(1) {
            self.manager.step()?;
            // No operation here collects, so the node below needs no root.
            let mut frame = self.open_frame();
            for code in summary.codes {
                let place = self.place_for(&mut frame, code, None)?;
                self.manager.scratch.set(place, node.word());
            }
            node = self.close_frame(frame)?;
        }
        Ok(node)
    }
}
