//! Union.

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors that lie in `a` or in `b`.
    pub fn union(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |mdd| mdd.unite(a, b))
    }

    pub(crate) fn unite(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if a == b || b.is_empty() {
            return Ok(a);
        }
        if a.is_empty() {
            return Ok(b);
        }

        // Normalise: union commutes, so one key serves both argument orders.
        let (a, b) = (a.min(b), a.max(b));

        // Recall.
        let key = Key::new(self.operations.union, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse. Four unions in five equal an operand: watch for it, and make no node.
        let (view_a, view_b) = (self.view(a), self.view(b));
        let lo = view_a.tag.min(view_b.tag);
        let end = (view_a.tag + view_a.length as u32).max(view_b.tag + view_b.length as u32);
        let mark = self.manager.scratch.height();
        let (mut is_a, mut is_b) = (true, true);
        for code in lo..end {
            let (child_a, child_b) = (self.child(&view_a, code), self.child(&view_b, code));
            let child = self.unite(child_a, child_b)?;
            is_a &= child == child_a;
            is_b &= child == child_b;
            self.manager.scratch.push(child.word());
        }

        // Build and remember.
        let answer = if is_a {
            a
        } else if is_b {
            b
        } else {
            let end = self.manager.scratch.height();
            let made = self.manager.make_node(self.kind, lo, mark..end)?;
            // The union of saturated sets is saturated (MDD-S1).
            if self.manager.is_noted(a) && self.manager.is_noted(b) {
                self.manager.note(made);
            }
            made
        };
        self.manager.scratch.truncate(mark);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
