//! Image: one step. Also the step of saturation, which closes what it makes.

use crate::hierarchy::relation::{KEEP, On, RelationId};
use crate::hierarchy::{Form, Hierarchy, LeafView, SetView};
use rustc_hash::FxHashSet;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

/// What is known of a set on which a relation is fired, when the answer is to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// It is closed itself: what is left as it is needs no closure.
    Closed,
    /// Nothing is known.
    Any,
}

impl Hierarchy {
    /// The sequences that `relation` reaches in one step from a sequence of `set`; ⊤ where it acts
    /// behind the end of a sequence, or on a value where there is a component.
    pub fn image(&mut self, relation: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        let answer = self.outermost(&[set], |hierarchy| {
            hierarchy.fire(RelationId::NONE, relation, set, Operand::Closed)
        })?;
        self.without_beyond(answer)
    }

    /// The set, unless one of its states has a value that cannot be held: that is an overflow.
    pub(crate) fn without_beyond(&self, set: NodeId) -> Result<NodeId, Interrupted> {
        match self.values.beyond() {
            Some(beyond) => self.look_for_beyond(beyond, set).map(|_| set),
            None => Ok(set),
        }
    }

    /// [`Hierarchy::without_beyond`] of a reachable set while a closure runs, so that it ends
    /// early. Looks seldom enough to cost little, and not at all while it is unknown whether the
    /// set is reachable.
    pub(crate) fn end_beyond(&mut self, set: NodeId) -> Result<(), Interrupted> {
        let Some(beyond) = self.values.beyond() else { return Ok(()) };
        let steps = self.manager.meter_mut().steps();
        if self.firing > 0 || steps < self.next_look_for_beyond {
            return Ok(());
        }
        let seen = self.look_for_beyond(beyond, set)?;
        self.next_look_for_beyond = steps + seen as u64;
        Ok(())
    }

    /// The number of nodes of a set in which no value is `beyond`.
    fn look_for_beyond(&self, beyond: u32, set: NodeId) -> Result<usize, Interrupted> {
        let mut seen = FxHashSet::default();
        let mut open = vec![set];
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.form(node) {
                Form::Leaf(view) => {
                    for position in 0..view.length {
                        let (code, child) = self.leaf_arc(&view, position);
                        if child.is_empty() {
                            continue;
                        }
                        if code == beyond {
                            return Err(Interrupted::Overflow);
                        }
                        open.push(child);
                    }
                }
                Form::Set(view) => {
                    for position in 0..view.length {
                        let (label, child) = self.set_arc(&view, position);
                        open.extend([label, child]);
                    }
                }
                _ => {}
            }
        }
        Ok(seen.len())
    }

    /// The closure under `sum` of the image of `set` under `relation`.
    ///
    /// With nothing as `sum` this is the plain image. The closure is exact even where the relation
    /// leaves a label as it is: a label that was split (a∖b) need not be closed, although the node
    /// as a whole is. The children of a closed node are closed, because their labels are disjoint.
    pub(crate) fn fire(
        &mut self,
        sum: RelationId,
        relation: RelationId,
        set: NodeId,
        operand: Operand,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_empty() || relation == RelationId::NONE {
            return Ok(NodeId::EMPTY);
        }
        if self.relations.is_still(relation) {
            return if operand == Operand::Closed { Ok(set) } else { self.close(sum, set) };
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
            (Form::Leaf(view), On::Value | On::Either) => self.fire_leaf(sum, relation, &view, operand),
            (Form::Set(view), On::Component | On::Either) => self.fire_set(sum, relation, &view, operand),
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
        operand: Operand,
    ) -> Result<NodeId, Interrupted> {
        let rest_sum = self.relations.split(sum)?.rest;
        let frame = self.open_frame();
        if let Some(rest) = self.relations.skips_to(relation) {
            for position in 0..view.length {
                let (code, child) = self.leaf_arc(view, position);
                let fired = self.fire(rest_sum, rest, child, operand)?;
                self.append(code, fired);
            }
        } else {
            for position in 0..view.length {
                let (code, child) = self.leaf_arc(view, position);
                let row = self.row(relation, code)?;
                for step in row.first..row.end {
                    let (to, rest) = self.relations.step_at(step);
                    let fired = self.fire(rest_sum, rest, child, operand)?;
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
        operand: Operand,
    ) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(sum)?;
        let mark = self.manager.scratch.height();
        for position in 0..view.length {
            let (label, child) = self.set_arc(view, position);
            if self.relations.identity(relation) > 0 {
                let label = self.close(split.local, label)?;
                self.manager.scratch.push(label.word());
                let child = self.fire(split.rest, RelationId::IDENTITY, child, operand)?;
                self.manager.scratch.push(child.word());
            }
            for pair in 0..self.relations.pair_count(relation) {
                let (first, rest) = self.relations.pair(relation, pair);
                debug_assert_eq!(KEEP, RelationId::IDENTITY.0);
                let arc = (label, child);
                self.fire_arc((split.local, split.rest), (RelationId(first), rest), arc, operand)?;
            }
        }
        let node = self.canonical_set(mark)?;
        self.close_set_node(sum, node)
    }

    /// Puts the arc that a pair (first, rest) makes of (label, child) on the scratch stack, if it
    /// has a state. The answers are closed under `local` and `rest_sum`; of the child, it may be
    /// known that it is. The label goes first: in the trial before this kernel the other order cost
    /// up to five times the time.
    pub(crate) fn fire_arc(
        &mut self,
        (local, rest_sum): (RelationId, RelationId),
        (first, rest): (RelationId, RelationId),
        (label, child): (NodeId, NodeId),
        child_is: Operand,
    ) -> Result<(), Interrupted> {
        let label = self.fire(local, first, label, Operand::Any)?;
        if label.is_empty() {
            return Ok(());
        }
        let mark = self.manager.scratch.height();
        self.manager.scratch.push(label.word());
        let child = self.fire(rest_sum, rest, child, child_is)?;
        if child.is_empty() {
            self.manager.scratch.truncate(mark);
        } else {
            self.manager.scratch.push(child.word());
        }
        Ok(())
    }
}
