//! Union. Algorithm 3 of the thesis, for both kinds of node.

use crate::canonical::Parts;
use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences that lie in `a` or in `b`; ⊤ where they begin differently.
    pub fn union(&mut self, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[a, b], |hierarchy| hierarchy.unite(a, b))
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

        // Split, recurse, build and remember.
        let answer = match (self.form(a), self.form(b)) {
            (Form::Leaf(x), Form::Leaf(y)) if x.variable == y.variable => self.unite_leaves(a, &x, b, &y)?,
            (Form::Set(x), Form::Set(y)) => self.unite_sets(&x, &y)?,
            _ => self.undefined(),
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn unite_leaves(
        &mut self,
        a: NodeId,
        x: &LeafView,
        b: NodeId,
        y: &LeafView,
    ) -> Result<NodeId, Interrupted> {
        // Most unions equal an operand: watch for it, and make no node.
        let (mut is_a, mut is_b) = (true, true);
        let (mut i, mut j) = (0, 0);
        let frame = self.open_frame();
        while i < x.length || j < y.length {
            let left = (i < x.length).then(|| self.leaf_arc(x, i));
            let right = (j < y.length).then(|| self.leaf_arc(y, j));
            let code = match (left, right) {
                (Some((p, _)), Some((q, _))) => p.min(q),
                (Some((p, _)), None) | (None, Some((p, _))) => p,
                (None, None) => break,
            };
            let child_at = |arc: Option<(u32, NodeId)>| match arc {
                Some((at, child)) if at == code => child,
                _ => NodeId::EMPTY,
            };
            let (child_a, child_b) = (child_at(left), child_at(right));
            i += usize::from(!child_a.is_empty());
            j += usize::from(!child_b.is_empty());
            let child = self.unite(child_a, child_b)?;
            is_a &= child == child_a;
            is_b &= child == child_b;
            self.append(code, child);
        }
        if is_a || is_b {
            self.drop_frame(frame);
            return Ok(if is_a { a } else { b });
        }
        self.close_frame(frame, x.variable)
    }

    fn unite_sets(&mut self, x: &SetView, y: &SetView) -> Result<NodeId, Interrupted> {
        // The arcs of the wider operand, refined by those of the other, which meet none but them.
        let (x, y) = if x.length >= y.length { (x, y) } else { (y, x) };
        let mark = self.manager.scratch.height();
        for position in 0..x.length {
            let (label, child) = self.set_arc(x, position);
            self.push_arc(label, child);
        }
        let mut parts = Parts::new(mark, x.length);
        self.admit_new_parts(&mut parts)?;
        for position in 0..y.length {
            let (label, child) = self.set_arc(y, position);
            self.refine(&mut parts, label, child)?;
        }
        self.disjoint_set(mark)
    }
}
