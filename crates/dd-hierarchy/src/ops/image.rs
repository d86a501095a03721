//! Image: one step. Also the step of saturation, which closes what it makes.

use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use crate::relation::{KEEP, On, RelationId};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// The sequences that `relation` reaches in one step from a sequence of `set`; ⊤ where it acts behind the end of
    /// a sequence, or on a value where there is a component.
    pub fn image(&mut self, relation: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[set], |hierarchy| hierarchy.fire(RelationId::NONE, relation, set))
    }

    /// The closure under `sum` of the image of `set` under `relation`.
    ///
    /// With nothing as `sum` this is the plain image. The closure is exact even where the relation leaves a label
    /// as it is: a label that was split (a∖b) need not be closed, although the node as a whole is.
    pub(crate) fn fire(
        &mut self,
        sum: RelationId,
        relation: RelationId,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_empty() || relation == RelationId::NONE {
            return Ok(NodeId::EMPTY);
        }
        if self.relations.is_still(relation) {
            return self.close(sum, set);
        }

        // Recall.
        let key = Key::new(self.operations.fire, relation.0, set.word(), sum.0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // A safe point (K6): `set` is reachable from the caller's part of the scratch stack.
        self.safe_point();

        // Split and recurse, then close under what touches both the first slot and the rest.
        self.firing += 1;
        let answer = match (self.form(set), self.relations.on(relation)) {
            (Form::Leaf(view), On::Value | On::Either) => self.fire_leaf(sum, relation, &view),
            (Form::Set(view), On::Component | On::Either) => self.fire_set(sum, relation, &view),
            _ => Ok(self.undefined()),
        };
        self.firing -= 1;

        // Remember.
        let answer = answer?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn fire_leaf(
        &mut self,
        sum: RelationId,
        relation: RelationId,
        view: &LeafView,
    ) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(sum)?;
        let frame = self.open_frame();
        for position in 0..view.length {
            let (code, child) = self.leaf_arc(view, position);
            if self.relations.identity(relation) > 0 {
                let closed = self.close(split.rest, child)?;
                self.add_to_frame(&frame, code, closed)?;
            }
            let value = self.values.value(code);
            for pair in 0..self.relations.pair_count(relation) {
                let (first, rest) = self.relations.pair(relation, pair);
                let targets = self.relations.action(first).targets(value);
                for target in targets.first..targets.end {
                    let to = self.relations.action(first).target(value, target)?;
                    let to = self.values.code(to)?;
                    let fired = self.fire(split.rest, rest, child)?;
                    self.add_to_frame(&frame, to, fired)?;
                }
            }
        }
        self.close_leaf_frame(sum, frame, view.variable)
    }

    fn fire_set(
        &mut self,
        sum: RelationId,
        relation: RelationId,
        view: &SetView,
    ) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(sum)?;
        let mark = self.manager.scratch.height();
        for position in 0..view.length {
            let (label, child) = self.set_arc(view, position);
            if self.relations.identity(relation) > 0 {
                let label = self.close(split.local, label)?;
                self.manager.scratch.push(label.word());
                let child = self.close(split.rest, child)?;
                self.manager.scratch.push(child.word());
            }
            for pair in 0..self.relations.pair_count(relation) {
                let (first, rest) = self.relations.pair(relation, pair);
                debug_assert_eq!(KEEP, RelationId::IDENTITY.0);
                self.fire_arc(split.local, RelationId(first), label, split.rest, rest, child)?;
            }
        }
        let node = self.canonical_set(mark)?;
        self.close_set_node(sum, node)
    }

    /// Puts the arc that a pair makes of (label, child) on the scratch stack, if it has a state. The label goes first:
    /// in the trial before this kernel the other order cost up to five times the time.
    pub(crate) fn fire_arc(
        &mut self,
        local: RelationId,
        first: RelationId,
        label: NodeId,
        rest_sum: RelationId,
        rest: RelationId,
        child: NodeId,
    ) -> Result<(), Interrupted> {
        let label = self.fire(local, first, label)?;
        if label.is_empty() {
            return Ok(());
        }
        let mark = self.manager.scratch.height();
        self.manager.scratch.push(label.word());
        let child = self.fire(rest_sum, rest, child)?;
        if child.is_empty() {
            self.manager.scratch.truncate(mark);
        } else {
            self.manager.scratch.push(child.word());
        }
        Ok(())
    }
}
