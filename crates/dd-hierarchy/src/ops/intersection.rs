//! Intersection. Algorithm 4 of the thesis, with the case of the empty set that it leaves out, and
//! grouped by child: two pairs of children may have equal intersections.

use crate::hierarchy::signature::prove_disjoint;
use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use crate::label_index::{self, LabelIndex};
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
        let (x, y) = if x.length <= y.length { (x, y) } else { (y, x) };
        let labels = self.labels_of(y)?;
        let mut found = Vec::new();
        let mark = self.manager.scratch.height();
        for i in 0..x.length {
            let (label_a, child_a) = self.set_arc(x, i);
            self.meeting_labels(y, &labels, label_a, &mut found)?;
            for &j in &found {
                let (label_b, child_b) = self.set_arc(y, j);
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

    /// The labels of a wide node by their signatures.
    pub(crate) fn labels_of(&mut self, view: &SetView) -> Result<Option<LabelIndex>, Interrupted> {
        if view.length < label_index::WORTHWHILE {
            return Ok(None);
        }
        let mut index = LabelIndex::default();
        for position in 0..view.length {
            index.add(&self.signature(self.set_arc(view, position).0)?);
        }
        Ok(Some(index))
    }

    /// The positions of labels that may meet a given one: the equal one alone, if there is one.
    pub(crate) fn meeting_labels(
        &mut self,
        view: &SetView,
        labels: &Option<LabelIndex>,
        label: NodeId,
        found: &mut Vec<usize>,
    ) -> Result<(), Interrupted> {
        let masks = self.signature(label)?;
        match labels {
            Some(index) => index.candidates(&masks, found),
            None => {
                found.clear();
                for position in 0..view.length {
                    let other = self.set_arc(view, position).0;
                    if other == label || !prove_disjoint(&masks, &self.signature(other)?) {
                        found.push(position);
                    }
                }
            }
        }
        if let Some(&equal) = found.iter().find(|&&position| self.set_arc(view, position).0 == label) {
            found.clear();
            found.push(equal);
        }
        Ok(())
    }
}
