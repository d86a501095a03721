//! From functions to sets and back.

use crate::edd::{Edd, Unary};
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Edd<'_> {
    /// The function that is 0 on a set and ∞ elsewhere.
    pub fn of_set(&mut self, set: NodeId) -> Result<Edge, Interrupted> {
        if set.is_empty() {
            return Ok(Edge::NOTHING);
        }
        let node = self.outermost(&[set], |edd| edd.node_of_set(set))?;
        Ok(Edge::new(0, node))
    }

    fn node_of_set(&mut self, set: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_terminal() {
            return Ok(set);
        }

        // Recall.
        let key = self.unary_key(Unary::FromSet, set, 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.mdd.manager().view(set);
        let mut frame = self.open_frame();
        frame.lo = view.tag;
        frame.length = view.length as u32;
        for offset in 0..view.length {
            let child = NodeId::from_word(self.mdd.manager().word_at(view.start + offset));
            let node = self.node_of_set(child)?;
            self.push_edge(Edge { weight: 0, node });
        }

        // Build and remember.
        let answer = self.close_normal_frame(frame)?;
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// The vectors on which a function has a value at all, as a set of [`symbolon_dd_mdd::Mdd`].
    pub fn support(&mut self, of: Edge) -> Result<NodeId, Interrupted> {
        self.outermost(&[of.node], |edd| edd.support_of_node(of.node))
    }

    /// The vectors on which the value of a function is at most `most`.
    pub fn at_most(&mut self, of: Edge, most: u64) -> Result<NodeId, Interrupted> {
        let cut = self.truncate(of, most)?;
        self.support(cut)
    }

    fn support_of_node(&mut self, node: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if node.is_terminal() {
            return Ok(node);
        }

        // Recall.
        let key = self.unary_key(Unary::Support, node, 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.view(node);
        let mark = self.mdd.manager().scratch.height();
        for offset in 0..view.length {
            let child = self.support_of_node(self.nth_edge(&view, offset).node)?;
            self.mdd.manager_mut().scratch.push(child.word());
        }

        // Build and remember.
        let (kind, end) = (self.mdd.set_kind(), self.mdd.manager().scratch.height());
        let answer = self.mdd.manager_mut().make_node(kind, view.lo, mark..end)?;
        self.mdd.manager_mut().scratch.truncate(mark);
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }
}
