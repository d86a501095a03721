//! Concatenation.

use crate::hierarchy::{Form, Hierarchy};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences of `a`, each followed by a sequence of `b`.
    pub fn concatenation(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |hierarchy| hierarchy.concatenate(a, b))
    }

    pub(crate) fn concatenate(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if a.is_empty() || b.is_empty() {
            return Ok(NodeId::EMPTY);
        }
        if a == NodeId::ONE {
            return Ok(b);
        }
        if b == NodeId::ONE {
            return Ok(a);
        }

        // Recall.
        let key = Key::new(self.operations.concatenate, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split, recurse, build and remember. Different children stay different when continued
        // alike.
        let answer = match self.form(a) {
            Form::Leaf(view) => {
                let frame = self.open_frame();
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let child = self.concatenate(child, b)?;
                    self.append(code, child);
                }
                self.close_frame(frame, view.variable)?
            }
            Form::Set(view) => {
                let mark = self.manager.scratch.height();
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let child = self.concatenate(child, b)?;
                    self.push_arc(label, child);
                }
                self.disjoint_set(mark)?
            }
            _ => self.undefined(),
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
