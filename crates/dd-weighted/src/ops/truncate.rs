//! Cutting off what is too large.

use crate::edd::{Edd, Unary};
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Edd<'_> {
    /// The function with every value above `most` replaced by ∞.
    pub fn truncate(&mut self, of: Edge, most: u64) -> Result<Edge, Interrupted> {
        if of.is_nothing() || of.weight > most {
            return Ok(Edge::NOTHING);
        }
        let node = self.outermost(&[of.node], |edd| edd.truncate_node(of.node, most - of.weight))?;
        Ok(Edge::new(of.weight, node))
    }

    /// Its least value, which is 0, stays.
    fn truncate_node(&mut self, node: NodeId, most: u64) -> Result<NodeId, Interrupted> {
        // Terminal cases: nothing is cut.
        if self.largest_in(node) <= most {
            return Ok(node);
        }

        // Recall. Larger bounds do not fit a key; no state space has such distances.
        let small = u32::try_from(most).ok();
        let key = self.unary_key(Unary::Truncate, node, small.unwrap_or(0));
        if small.is_some()
            && let Some(known) = self.mdd.manager_mut().recall(key)
        {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.view(node);
        let mut frame = self.open_frame();
        frame.lo = view.lo;
        frame.length = view.length;
        for offset in 0..view.length {
            let edge = self.nth_edge(&view, offset);
            let cut = if edge.is_nothing() || edge.weight > most {
                Edge::NOTHING
            } else {
                Edge::new(edge.weight, self.truncate_node(edge.node, most - edge.weight)?)
            };
            self.push_edge(cut);
        }

        // Build and remember.
        let answer = self.close_normal_frame(frame)?;
        if small.is_some() {
            self.mdd.manager_mut().remember(key, answer.word());
        }
        Ok(answer)
    }
}
