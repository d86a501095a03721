//! Difference.

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors that lie in `a` and not in `b`.
    pub fn difference(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |mdd| mdd.subtract(a, b))
    }

    pub(crate) fn subtract(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if a == b || a.is_empty() {
            return Ok(NodeId::EMPTY);
        }
        if b.is_empty() {
            return Ok(a);
        }

        // Recall.
        let key = Key::new(self.operations.difference, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse.
        let (view_a, view_b) = (self.view(a), self.view(b));
        let mark = self.manager.scratch.height();
        let mut frame = self.open_frame();
        let mut is_a = true;
        for offset in 0..view_a.length {
            let code = view_a.tag + offset as u32;
            let child_a = self.nth_child(&view_a, offset);
            let child = self.subtract(child_a, self.child(&view_b, code))?;
            is_a &= child == child_a;
            if !child.is_empty() {
                let place = self.place_for(&mut frame, code, None)?;
                self.manager.scratch.set(place, child.word());
            }
        }

        // Build and remember.
        let answer = if is_a { a } else { self.close_frame(frame)? };
        self.manager.scratch.truncate(mark);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
