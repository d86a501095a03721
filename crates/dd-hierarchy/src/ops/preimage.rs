//! Preimage: one step back, inside a known set.

use crate::hierarchy::relation::{On, RelationId};
use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences of `within` from which `relation` leads into `target` in one step.
    ///
    /// Nothing outside `within` is ever built, so that a relation that forgets a value has a finite
    /// preimage.
    pub fn preimage(
        &mut self,
        relation: RelationId,
        target: NodeId,
        within: NodeId,
    ) -> Result<NodeId, Interrupted> {
        self.outermost(&[target, within], |hierarchy| hierarchy.step_back(relation, target, within))
    }

    fn step_back(
        &mut self,
        relation: RelationId,
        target: NodeId,
        within: NodeId,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if target.is_empty() || within.is_empty() || relation == RelationId::NONE {
            return Ok(NodeId::EMPTY);
        }
        if self.relations.is_still(relation) {
            return self.intersect(target, within);
        }

        // Recall.
        let key = Key::new(self.operations.preimage, relation.0, target.word(), within.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse, along the steps that leave `within`. Build and remember.
        let answer = match (self.form(target), self.form(within), self.relations.on(relation)) {
            (Form::Leaf(goal), Form::Leaf(from), On::Value | On::Either)
                if goal.variable == from.variable =>
            {
                self.step_back_leaf(relation, target, &goal, &from)?
            }
            (Form::Set(goal), Form::Set(from), On::Component | On::Either) => {
                self.step_back_set(relation, &goal, &from)?
            }
            _ => self.undefined(),
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn step_back_leaf(
        &mut self,
        relation: RelationId,
        target: NodeId,
        goal: &LeafView,
        from: &LeafView,
    ) -> Result<NodeId, Interrupted> {
        debug_assert!(!target.is_terminal());
        let frame = self.open_frame();
        for position in 0..from.length {
            let (code, child) = self.leaf_arc(from, position);
            if self.relations.identity(relation) > 0 {
                let kept = self.intersect(self.leaf_child(goal, code), child)?;
                self.add_to_frame(&frame, code, kept)?;
            }
            let value = self.values.value(code);
            for pair in 0..self.relations.pair_count(relation) {
                let (first, rest) = self.relations.pair(relation, pair);
                let targets = self.relations.action(first).targets(value);
                for target in targets.first..targets.end {
                    let to = self.relations.action(first).target(value, target);
                    let Some(to) = to.and_then(|to| self.values.known_code(to)) else { continue };
                    let before = self.step_back(rest, self.leaf_child(goal, to), child)?;
                    self.add_to_frame(&frame, code, before)?;
                }
            }
        }
        self.close_frame(frame, from.variable)
    }

    fn step_back_set(
        &mut self,
        relation: RelationId,
        goal: &SetView,
        from: &SetView,
    ) -> Result<NodeId, Interrupted> {
        let mark = self.manager.scratch.height();
        for position in 0..from.length {
            let (label, child) = self.set_arc(from, position);
            for end in 0..goal.length {
                let (goal_label, goal_child) = self.set_arc(goal, end);
                if self.relations.identity(relation) > 0 {
                    let kept = self.intersect(goal_label, label)?;
                    if !kept.is_empty() {
                        let rest = self.intersect(goal_child, child)?;
                        self.push_arc(kept, rest);
                    }
                }
                for pair in 0..self.relations.pair_count(relation) {
                    let (first, rest) = self.relations.pair(relation, pair);
                    let before = self.step_back(RelationId(first), goal_label, label)?;
                    if !before.is_empty() {
                        let rest = self.step_back(rest, goal_child, child)?;
                        self.push_arc(before, rest);
                    }
                }
            }
        }
        self.canonical_set(mark)
    }
}
