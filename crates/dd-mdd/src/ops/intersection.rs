//! Intersection.

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors that lie in `a` and in `b`.
    pub fn intersection(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |mdd| mdd.intersect(a, b))
    }

    pub(crate) fn intersect(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if a == b {
            return Ok(a);
        }
        if a.is_empty() || b.is_empty() {
            return Ok(NodeId::EMPTY);
        }

        // Normalise: intersection commutes.
        let (a, b) = (a.min(b), a.max(b));

        // Recall.
        let key = Key::new(self.operations.intersection, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse, on the common part of the windows.
        let (view_a, view_b) = (self.view(a), self.view(b));
        let lo = view_a.tag.max(view_b.tag);
        let end = (view_a.tag + view_a.length as u32).min(view_b.tag + view_b.length as u32);
        let mut frame = self.open_frame();
        for code in lo..end {
            let child = self.intersect(self.child(&view_a, code), self.child(&view_b, code))?;
            if !child.is_empty() {
                let place = self.place_for(&mut frame, code, None)?;
                self.manager.scratch.set(place, child.word());
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
