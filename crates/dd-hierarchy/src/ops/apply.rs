//! Homomorphisms applied to sets, fixpoints by automatic saturation.
//!
//! Whatever a frame still needs when it calls another lies on the scratch stack: relations and
//! fixpoints collect.

use crate::hierarchy::homomorphism::{End, FirstSlot, Homomorphism, HomomorphismId, Inductive, Parts};
use crate::hierarchy::relation::{On, RelationId};
use crate::hierarchy::{Form, Hierarchy};
use crate::ops::image::Operand;
use std::sync::Arc;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Hierarchy {
    /// What a homomorphism makes of a set.
    pub fn apply(&mut self, homomorphism: HomomorphismId, set: NodeId) -> Result<NodeId, Interrupted> {
        let answer = self.outermost(&[set], |hierarchy| hierarchy.map(homomorphism, set))?;
        self.without_beyond(answer)
    }

    fn map(&mut self, homomorphism: HomomorphismId, set: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_empty() || homomorphism == HomomorphismId::IDENTITY {
            return Ok(set);
        }
        if homomorphism == HomomorphismId::ZERO {
            return Ok(NodeId::EMPTY);
        }
        if matches!(self.form(set), Form::Undefined) {
            return Ok(set);
        }

        // Recall.
        let key = Key::new(self.operations.apply, homomorphism.0, set.word(), 0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse, build and remember. Intermediate results lie on the scratch stack from
        // here on.
        let mark = self.manager.scratch.height();
        let answer = self.map_by_kind(homomorphism, set)?;
        self.manager.scratch.truncate(mark);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    fn map_by_kind(&mut self, homomorphism: HomomorphismId, set: NodeId) -> Result<NodeId, Interrupted> {
        match self.homomorphisms.get(homomorphism).clone() {
            Homomorphism::Identity => Ok(set),
            Homomorphism::Relation(relation) => self.fire(RelationId::NONE, relation, set, Operand::Closed),
            Homomorphism::Constant(answer) => Ok(answer.node()),
            Homomorphism::Sum(parts) => self.map_by_sum(&parts, set),
            Homomorphism::Composition { outer, inner } => {
                let between = self.map(inner, set)?;
                self.manager.scratch.push(between.word());
                self.map(outer, between)
            }
            Homomorphism::Intersection(other) => self.intersect(set, other.node()),
            Homomorphism::Difference(other) => self.subtract(set, other.node()),
            Homomorphism::FollowedBy(tail) => self.concatenate(set, tail.node()),
            Homomorphism::PrecededBy(head) => self.concatenate(head.node(), set),
            Homomorphism::Assign { variable, value, then } => {
                let code = self.values.code(value)?;
                let rest = self.map(then, set)?;
                let frame = self.open_frame();
                self.append(code, rest);
                self.close_frame(frame, variable)
            }
            Homomorphism::Local { first, rest } => self.map_local(first, rest, set),
            Homomorphism::Fixpoint(body) => self.map_to_fixpoint(homomorphism, body, set),
            Homomorphism::Conditional { condition, then, otherwise } => {
                let chosen = self.map(condition, set)?;
                self.manager.scratch.push(chosen.word());
                let mapped = self.map(then, chosen)?;
                self.manager.scratch.push(mapped.word());
                let others = self.subtract(set, chosen)?;
                self.manager.scratch.push(others.word());
                let other = self.map(otherwise, others)?;
                self.unite(mapped, other)
            }
            Homomorphism::Inductive(inductive) => self.map_inductively(homomorphism, &*inductive, set),
        }
    }

    fn map_by_sum(&mut self, parts: &[HomomorphismId], set: NodeId) -> Result<NodeId, Interrupted> {
        let at = self.manager.scratch.height();
        self.manager.scratch.push(NodeId::EMPTY.word());
        for &part in parts {
            let mapped = self.map(part, set)?;
            let sum = self.unite(NodeId::from_word(self.manager.scratch.get(at)), mapped)?;
            self.manager.scratch.set(at, sum.word());
        }
        Ok(NodeId::from_word(self.manager.scratch.get(at)))
    }

    fn map_local(
        &mut self,
        first: HomomorphismId,
        rest: HomomorphismId,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        match self.form(set) {
            Form::Set(view) => {
                let mark = self.manager.scratch.height();
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let label = self.map(first, label)?;
                    self.manager.scratch.push(label.word());
                    let child = self.map(rest, child)?;
                    self.manager.scratch.push(child.word());
                }
                self.canonical_set(mark)
            }
            Form::Leaf(view) if first == HomomorphismId::IDENTITY => {
                let frame = self.open_frame();
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let child = self.map(rest, child)?;
                    self.append(code, child);
                }
                self.close_frame(frame, view.variable)
            }
            _ => Ok(self.undefined()),
        }
    }

    fn map_inductively(
        &mut self,
        homomorphism: HomomorphismId,
        inductive: &dyn Inductive,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let at = self.manager.scratch.height();
        match self.form(set) {
            Form::One => Ok(match inductive.on_end() {
                End::Empty => NodeId::EMPTY,
                End::One => NodeId::ONE,
                End::Undefined => self.undefined(),
            }),
            Form::Leaf(view) if inductive.skips(view.variable) => {
                self.map_local(HomomorphismId::IDENTITY, homomorphism, set)
            }
            Form::Set(_) if inductive.skips_components() => {
                self.map_local(HomomorphismId::IDENTITY, homomorphism, set)
            }
            Form::Leaf(view) => {
                self.manager.scratch.push(NodeId::EMPTY.word());
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let value = self.values.value(code);
                    let next = inductive.on_value(self, view.variable, value)?;
                    self.add_mapped(at, next, child)?;
                }
                Ok(NodeId::from_word(self.manager.scratch.get(at)))
            }
            Form::Set(view) => {
                self.manager.scratch.push(NodeId::EMPTY.word());
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let next = inductive.on_component(self, label)?;
                    self.add_mapped(at, next, child)?;
                }
                Ok(NodeId::from_word(self.manager.scratch.get(at)))
            }
            Form::Empty | Form::Undefined => Ok(set),
        }
    }

    /// Unites what a homomorphism makes of a set with what lies at a height of the scratch stack.
    fn add_mapped(
        &mut self,
        at: usize,
        homomorphism: HomomorphismId,
        set: NodeId,
    ) -> Result<(), Interrupted> {
        let mapped = self.map(homomorphism, set)?;
        let sum = self.unite(NodeId::from_word(self.manager.scratch.get(at)), mapped)?;
        self.manager.scratch.set(at, sum.word());
        Ok(())
    }

    fn map_to_fixpoint(
        &mut self,
        fixpoint: HomomorphismId,
        body: HomomorphismId,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        if let Homomorphism::Relation(relation) = *self.homomorphisms.get(body) {
            return self.close(relation, set);
        }
        // A safe point (K6): `set` is reachable from the caller's part of the scratch stack.
        self.safe_point();
        let slot = match self.form(set) {
            Form::Leaf(view) => Some(FirstSlot::Value(view.variable)),
            Form::Set(_) => Some(FirstSlot::Component),
            _ => None,
        };
        let parts = match slot {
            Some(slot) => self.take_apart(fixpoint, body, slot)?,
            None => Arc::new(Parts { product: HomomorphismId::IDENTITY, iterated: self.parts_of_sum(body) }),
        };

        // Closed under what acts in the first slot alone and in the rest alone; then the others in
        // turn.
        let at = self.manager.scratch.height();
        let closed = self.map(parts.product, set)?;
        self.manager.scratch.push(closed.word());
        let (mut turn, mut quiet) = (0, 0);
        while quiet < parts.iterated.len() {
            self.manager.step()?;
            let current = NodeId::from_word(self.manager.scratch.get(at));
            let mapped = self.map(parts.iterated[turn], current)?;
            self.manager.scratch.push(mapped.word());
            let mapped = self.close_product(parts.product, slot, mapped)?;
            let next = self.unite(current, mapped)?;
            self.manager.scratch.truncate(at);
            self.manager.scratch.push(next.word());
            quiet = if next == current { quiet + 1 } else { 0 };
            turn = (turn + 1) % parts.iterated.len();
        }
        let answer = NodeId::from_word(self.manager.scratch.get(at));
        let key = Key::new(self.operations.apply, fixpoint.0, answer.word(), 0);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// The product closure of a set, if it begins with a slot of the sort that the product was made
    /// for. A set that begins otherwise cannot be united with the current one: what comes of that
    /// is ⊤ in any case.
    fn close_product(
        &mut self,
        product: HomomorphismId,
        slot: Option<FirstSlot>,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let here = match self.form(set) {
            Form::Leaf(view) => Some(FirstSlot::Value(view.variable)),
            Form::Set(_) => Some(FirstSlot::Component),
            _ => None,
        };
        if here == slot { self.map(product, set) } else { Ok(set) }
    }

    fn parts_of_sum(&self, body: HomomorphismId) -> Vec<HomomorphismId> {
        match self.homomorphisms.get(body) {
            Homomorphism::Sum(parts) => parts.iter().copied().collect(),
            _ => vec![body],
        }
    }

    /// The fixpoint of a sum, for sequences that begin with such a slot.
    fn take_apart(
        &mut self,
        fixpoint: HomomorphismId,
        body: HomomorphismId,
        slot: FirstSlot,
    ) -> Result<Arc<Parts>, Interrupted> {
        if let Some(known) = self.homomorphisms.parts.get(&(fixpoint, slot)) {
            return Ok(Arc::clone(known));
        }
        let (mut inside, mut behind, mut iterated) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.parts_of_sum(body) {
            match *self.homomorphisms.get(part) {
                Homomorphism::Identity => {}
                Homomorphism::Relation(relation) if self.fits(relation, slot) => {
                    let split = self.relations.split(relation)?;
                    inside.push(self.by_relation(split.local)?);
                    behind.push(self.by_relation(split.rest)?);
                    if split.both != RelationId::NONE {
                        iterated.push(self.by_relation(split.both)?);
                    }
                }
                Homomorphism::Local { first: HomomorphismId::IDENTITY, rest } => behind.push(rest),
                Homomorphism::Local { first, rest: HomomorphismId::IDENTITY }
                    if slot == FirstSlot::Component =>
                {
                    inside.push(first);
                }
                _ if self.skips(part, slot) => behind.push(part),
                _ => iterated.push(part),
            }
        }
        let inside = self.sum_of(&inside)?;
        let behind = self.sum_of(&behind)?;
        let (inside, behind) = (self.fixpoint(inside)?, self.fixpoint(behind)?);
        let parts = Arc::new(Parts { product: self.local(inside, behind)?, iterated });
        self.homomorphisms.parts.insert((fixpoint, slot), Arc::clone(&parts));
        Ok(parts)
    }

    fn fits(&self, relation: RelationId, slot: FirstSlot) -> bool {
        match self.relations.on(relation) {
            On::Either => true,
            On::Value => slot != FirstSlot::Component,
            On::Component => slot == FirstSlot::Component,
        }
    }

    /// Whether a homomorphism leaves the first slot of sequences that begin so as it is, and goes
    /// on behind it.
    fn skips(&self, homomorphism: HomomorphismId, slot: FirstSlot) -> bool {
        match self.homomorphisms.get(homomorphism) {
            Homomorphism::Identity => true,
            Homomorphism::Inductive(inductive) => match slot {
                FirstSlot::Value(variable) => inductive.skips(variable),
                FirstSlot::Component => inductive.skips_components(),
            },
            Homomorphism::Sum(parts) => parts.iter().all(|&part| self.skips(part, slot)),
            Homomorphism::Composition { outer, inner } => {
                self.skips(*outer, slot) && self.skips(*inner, slot)
            }
            Homomorphism::Fixpoint(body) => self.skips(*body, slot),
            Homomorphism::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.skips(*part, slot))
            }
            _ => false,
        }
    }
}
