//! Where nothing is enabled.

use crate::hierarchy::relation::RelationId;
use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use crate::ops::image::Operand;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences of `set` in which no event of `relation` is enabled.
    ///
    /// What is enabled inside a component is taken away inside that component: with the enabled
    /// sequences computed first and subtracted at the end, everything that is alive would be built
    /// before it is thrown away.
    pub fn dead(&mut self, relation: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        let test = self.guard(relation)?;
        self.outermost(&[set], |hierarchy| hierarchy.exclude(test, set))
    }

    fn exclude(&mut self, test: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases: nothing is tested, or nothing has to hold.
        if set.is_empty() || test == RelationId::NONE {
            return Ok(set);
        }
        if self.relations.identity(test) > 0 {
            return Ok(NodeId::EMPTY);
        }

        // Recall.
        let key = Key::new(self.operations.exclude, test.0, set.word(), 0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // A safe point (K6): `set` is reachable from the caller's part of the scratch stack.
        self.safe_point();

        // Split and recurse, build and remember.
        let mark = self.manager.scratch.height();
        let answer = match self.form(set) {
            Form::Leaf(view) => self.exclude_from_leaf(test, &view)?,
            Form::Set(view) => self.exclude_from_set(test, &view)?,
            _ => self.undefined(),
        };
        self.manager.scratch.truncate(mark);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn exclude_from_leaf(&mut self, test: RelationId, view: &LeafView) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(test)?;
        let frame = self.open_frame();
        for position in 0..view.length {
            let (code, child) = self.leaf_arc(view, position);
            let value = self.values.value(code);
            let mut left = self.exclude(split.rest, child)?;
            for pair in 0..self.relations.pair_count(split.both) {
                let (first, rest) = self.relations.pair(split.both, pair);
                let targets = self.relations.action(first).targets(value);
                if targets.first == targets.end {
                    continue;
                }
                let at = self.manager.scratch.height();
                self.manager.scratch.push(left.word());
                let enabled = self.fire(RelationId::NONE, rest, left, Operand::Closed)?;
                left = self.subtract(left, enabled)?;
                self.manager.scratch.truncate(at);
            }
            self.append(code, left);
        }
        self.close_frame(frame, view.variable)
    }

    fn exclude_from_set(&mut self, test: RelationId, view: &SetView) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(test)?;
        let mark = self.manager.scratch.height();
        for position in 0..view.length {
            let (label, child) = self.set_arc(view, position);
            let label = self.exclude(split.local, label)?;
            self.manager.scratch.push(label.word());
            let child = self.exclude(split.rest, child)?;
            self.manager.scratch.push(child.word());
        }
        // Parts of disjoint labels are disjoint, here and below.
        let left = self.disjoint_set(mark)?;
        self.manager.scratch.push(left.word());
        for pair in 0..self.relations.pair_count(split.both) {
            let left = NodeId::from_word(self.manager.scratch.get(mark));
            let Form::Set(view) = self.form(left) else { break };
            let (first, rest) = self.relations.pair(split.both, pair);
            let arcs = self.manager.scratch.height();
            for position in 0..view.length {
                let (label, child) = self.set_arc(&view, position);
                self.fire_arc(
                    (RelationId::NONE, RelationId::NONE),
                    (RelationId(first), rest),
                    (label, child),
                    Operand::Closed,
                )?;
            }
            let enabled = self.disjoint_set(arcs)?;
            let left = self.subtract(left, enabled)?;
            self.manager.scratch.set(mark, left.word());
        }
        Ok(NodeId::from_word(self.manager.scratch.get(mark)))
    }
}
