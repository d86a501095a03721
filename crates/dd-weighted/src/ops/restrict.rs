//! A function on a set only.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Edd<'_> {
    /// The function with ∞ outside a set of [`symbolon_dd_mdd::Mdd`]. So the dangling weight of the
    /// distances, restricted to the dead vectors, is the distance of the nearest deadlock.
    pub fn restrict(&mut self, of: Edge, set: NodeId) -> Result<Edge, Interrupted> {
        if of.is_nothing() || set.is_empty() {
            return Ok(Edge::NOTHING);
        }
        let edge = self.outermost(&[of.node, set], |edd| edd.restrict_node(of.node, set))?;
        edge.plus(of.weight)
    }

    fn restrict_node(&mut self, node: NodeId, set: NodeId) -> Result<Edge, Interrupted> {
        // Terminal cases: neither is EMPTY.
        if node.is_terminal() {
            return Ok(Edge::new(0, node));
        }

        // Recall.
        let key = Key::new(self.kind.operations.restrict, 0, node.word(), set.word());
        let weight_key = Key::new(self.kind.operations.restrict_weight, 0, node.word(), set.word());
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            if known == 0 {
                return Ok(Edge::NOTHING);
            }
            if let Some(weight) = self.mdd.manager_mut().recall(weight_key) {
                return Ok(Edge::new(u64::from(weight), NodeId::from_word(known)));
            }
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.view(node);
        let sets = self.mdd.manager().view(set);
        let mut frame = self.open_frame();
        for offset in 0..view.length {
            let edge = self.nth_edge(&view, offset);
            let code = view.lo + offset;
            let place = code.wrapping_sub(sets.tag) as usize;
            if edge.is_nothing() || place >= sets.length {
                continue;
            }
            let child = NodeId::from_word(self.mdd.manager().word_at(sets.start + place));
            if !child.is_empty() {
                let kept = self.restrict_node(edge.node, child)?.plus(edge.weight)?;
                if !kept.is_nothing() {
                    let place = self.place_for(&mut frame, code)?;
                    self.set_frame_edge(&frame, place, kept);
                }
            }
        }

        // Build and remember, unless the weight is too large for the cache.
        let answer = self.close_frame(frame)?;
        let weight = if answer.is_nothing() { 0 } else { answer.weight };
        if let Ok(weight) = u32::try_from(weight) {
            self.mdd.manager_mut().remember(weight_key, weight);
            self.mdd.manager_mut().remember(key, answer.node.word());
        }
        Ok(answer)
    }
}
