//! The pointwise minimum.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Edd<'_> {
    /// The smaller value of two functions, vector by vector. Edges below the root that are heavier
    /// than the bound are left out.
    pub fn minimum(&mut self, a: Edge, b: Edge) -> Result<Edge, Interrupted> {
        self.outermost(&[a.node, b.node], |edd| edd.minimum_of_edges(a, b))
    }

    #[inline]
    pub(crate) fn minimum_of_edges(&mut self, a: Edge, b: Edge) -> Result<Edge, Interrupted> {
        if b.is_nothing() {
            return Ok(a);
        }
        if a.is_nothing() {
            return Ok(b);
        }
        // Normalise: the minimum commutes, and what both weigh weighs on the answer.
        let a_is_first = (a.weight, a.node) <= (b.weight, b.node);
        let (light, heavy) = if a_is_first { (a, b) } else { (b, a) };
        let node = self.minimum_of_nodes(light.node, heavy.node, heavy.weight - light.weight)?;
        Ok(Edge::new(light.weight, node))
    }

    /// The minimum of `light` and of `heavy` with `difference` added. Its least value is that of
    /// `light`, which is 0.
    fn minimum_of_nodes(
        &mut self,
        light: NodeId,
        heavy: NodeId,
        difference: u64,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if light == heavy || difference > self.bound() {
            return Ok(light);
        }

        // Recall. Larger differences do not fit a key; no state space has such distances.
        let is_small = difference <= u64::from(Key::LARGEST_SMALL);
        let small = if is_small { difference as u32 } else { 0 };
        let key = Key::new(self.kind.operations.minimum, small, light.word(), heavy.word());
        if is_small && let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse. Most minima equal an operand: watch for it, and make no node.
        let (light_view, heavy_view) = (self.view(light), self.view(heavy));
        let lo = light_view.lo.min(heavy_view.lo);
        let end = light_view.end().max(heavy_view.end());
        let mut frame = self.open_frame();
        frame.lo = lo;
        frame.length = end - lo;
        let (mut is_light, mut is_heavy) = (true, difference == 0);
        for code in lo..end {
            let a = self.edge(&light_view, code);
            let mut b = self.edge(&heavy_view, code).plus(difference)?;
            if b.weight > self.bound() {
                b = Edge::NOTHING;
            }
            let edge = self.minimum_of_edges(a, b)?;
            is_light &= edge == a;
            is_heavy &= edge == b;
            self.push_edge(edge);
        }

        // Build and remember.
        let answer = if is_light || is_heavy {
            frame.discard(self.mdd, &mut self.kind.slots);
            if is_light { light } else { heavy }
        } else {
            let made = self.close_normal_frame(frame)?;
            // The minimum of saturated functions is saturated (W4).
            let manager = self.mdd.manager_mut();
            if manager.is_noted(light) && manager.is_noted(heavy) {
                manager.note(made);
            }
            made
        };
        if is_small {
            self.mdd.manager_mut().remember(key, answer.word());
        }
        Ok(answer)
    }
}
