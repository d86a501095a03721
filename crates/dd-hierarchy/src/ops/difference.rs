//! Difference. Algorithm 5 of the thesis, without the edges to the empty set that it makes.

use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences that lie in `a` but not in `b`.
    pub fn difference(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |hierarchy| hierarchy.subtract(a, b))
    }

    pub(crate) fn subtract(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases. ⊤ stands for any set, so that ⊤ without ⊤ may still be any set.
        if a.is_empty() || b.is_empty() {
            return Ok(a);
        }
        if a == b && self.is_well_defined(a) {
            return Ok(NodeId::EMPTY);
        }

        // Recall.
        let key = Key::new(self.operations.difference, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split, recurse, build and remember. Sequences that begin differently are different.
        let answer = match (self.form(a), self.form(b)) {
            (Form::Leaf(x), Form::Leaf(y)) if x.variable == y.variable => self.subtract_leaves(a, &x, &y)?,
            (Form::Set(x), Form::Set(y)) => self.subtract_sets(&x, &y)?,
            (Form::Undefined, _) | (_, Form::Undefined) => self.undefined(),
            _ => a,
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn subtract_leaves(&mut self, a: NodeId, x: &LeafView, y: &LeafView) -> Result<NodeId, Interrupted> {
        let mut is_a = true;
        let frame = self.open_frame();
        for position in 0..x.length {
            let (code, child_a) = self.leaf_arc(x, position);
            let child = self.subtract(child_a, self.leaf_child(y, code))?;
            is_a &= child == child_a;
            self.append(code, child);
        }
        if is_a {
            self.drop_frame(frame);
            return Ok(a);
        }
        self.close_frame(frame, x.variable)
    }

    fn subtract_sets(&mut self, x: &SetView, y: &SetView) -> Result<NodeId, Interrupted> {
        let labels = self.labels_of(y)?;
        let mut found = Vec::new();
        let mark = self.manager.scratch.height();
        for i in 0..x.length {
            let (label_a, child_a) = self.set_arc(x, i);
            self.meeting_labels(y, &labels, label_a, &mut found)?;
            // What is left of the label is met by no arc of `b` so far.
            let mut left = label_a;
            for &j in &found {
                let (label_b, child_b) = self.set_arc(y, j);
                let label = self.intersect(left, label_b)?;
                if label.is_empty() {
                    continue;
                }
                left = self.subtract(left, label)?;
                let child = self.subtract(child_a, child_b)?;
                if !child.is_empty() {
                    self.push_arc(label, child);
                }
                if left.is_empty() {
                    break;
                }
            }
            if !left.is_empty() {
                self.push_arc(left, child_a);
            }
        }
        self.disjoint_set(mark)
    }
}
