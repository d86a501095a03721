//! Intersection. Algorithm 4 of the thesis, with the case of the empty set that it leaves out, and
//! grouped by child: two pairs of children may have equal intersections.

use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences that lie in `a` and in `b`.
    pub fn intersection(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |hierarchy| hierarchy.intersect(a, b))
    }

    pub(crate) fn intersect(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if a == b || a.is_empty() {
            return Ok(a);
        }
        if b.is_empty() {
            return Ok(b);
        }

        // Normalise: intersection commutes.
        let (a, b) = (a.min(b), a.max(b));

        // Recall.
        let key = Key::new(self.operations.intersection, 0, a.word(), b.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split, recurse, build and remember. Sequences that begin differently are different.
        let answer = match (self.form(a), self.form(b)) {
            (Form::Leaf(x), Form::Leaf(y)) if x.variable == y.variable => self.intersect_leaves(&x, &y)?,
            (Form::Set(x), Form::Set(y)) => self.intersect_sets(&x, &y)?,
            (Form::Undefined, _) | (_, Form::Undefined) => self.undefined(),
            _ => NodeId::EMPTY,
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn intersect_leaves(&mut self, x: &LeafView, y: &LeafView) -> Result<NodeId, Interrupted> {
        let (mut i, mut j) = (0, 0);
        let frame = self.open_frame();
        while i < x.length && j < y.length {
            let ((p, child_a), (q, child_b)) = (self.leaf_arc(x, i), self.leaf_arc(y, j));
            if p == q {
                let child = self.intersect(child_a, child_b)?;
                self.append(p, child);
            }
            i += usize::from(p <= q);
            j += usize::from(q <= p);
        }
        self.close_frame(frame, x.variable)
    }

    fn intersect_sets(&mut self, x: &SetView, y: &SetView) -> Result<NodeId, Interrupted> {
        let mark = self.manager.scratch.height();
        for i in 0..x.length {
            let (label_a, child_a) = self.set_arc(x, i);
            for j in 0..y.length {
                let (label_b, child_b) = self.set_arc(y, j);
                if label_a != label_b && self.are_surely_disjoint(label_a, label_b)? {
                    continue;
                }
                let label = self.intersect(label_a, label_b)?;
                if label.is_empty() {
                    continue;
                }
                let child = self.intersect(child_a, child_b)?;
                if !child.is_empty() {
                    self.push_arc(label, child);
                }
                if label == label_a {
                    // Nothing of this label is left for the others.
                    break;
                }
            }
        }
        self.disjoint_set(mark)
    }
}
