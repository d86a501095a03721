//! Relations that are known by their residuals, on hierarchical diagrams.
//!
//! A relation walks along a sequence, place by place, and what remains of it
//! ([`crate::sets::residual`]) goes on with what follows. A label is a set of sequences, which may
//! leave different residuals behind: the walk through it splits it, one part for each residual, and
//! each part goes on with what follows the label under its own residual. Different labels may lead
//! to meeting ones; building the node again sorts that out. What a residual does not speak of,
//! labels and rests alike, is passed whole.

use crate::sets::residual::{NO_VALUE, Residuals};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{Hierarchy, Label, NodeId, ShapeId, Slot};
use symbolon_dd_mdd::DONE;

/// What a relation leads to from `from`, a set of states of `shape`.
pub(super) fn forward(
    kernel: &mut Hierarchy,
    residuals: &mut Residuals,
    shape: ShapeId,
    relation: u32,
    from: NodeId,
) -> Result<NodeId, Interrupted> {
    let mut walk = Walk::new(kernel, residuals, shape);
    let found = walk.forward(relation, from, At::start(shape))?;
    Ok(done(&found))
}

/// The states of `within` from which a relation leads into `target`.
pub(super) fn backward(
    kernel: &mut Hierarchy,
    residuals: &mut Residuals,
    shape: ShapeId,
    relation: u32,
    target: NodeId,
    within: NodeId,
) -> Result<NodeId, Interrupted> {
    let mut walk = Walk::new(kernel, residuals, shape);
    let found = walk.backward(relation, target, within, At::start(shape))?;
    Ok(done(&found))
}

/// The part that leaves nothing to be tested.
fn done(parts: &Parts) -> NodeId {
    parts.iter().find(|(residual, _)| *residual == DONE).map_or(NodeId::EMPTY, |&(_, node)| node)
}

/// A set by the residuals that its sequences leave behind.
type Parts = Rc<[(u32, NodeId)]>;

/// Where a residual leads from a value: values, and the residuals that remain.
type Steps = Rc<[(u64, u32)]>;

/// A position in a sequence: the slot of a shape, and the place of what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    shape: ShapeId,
    slot: usize,
    place: usize,
}

impl At {
    fn start(shape: ShapeId) -> At {
        At { shape, slot: 0, place: 0 }
    }

    /// The position behind a slot that takes `places` places.
    fn behind(self, places: usize) -> At {
        At { slot: self.slot + 1, place: self.place + places, ..self }
    }
}

struct Walk<'a> {
    kernel: &'a mut Hierarchy,
    residuals: &'a mut Residuals,
    /// The number of places in all: place 0 is the highest level.
    place_count: usize,
    /// The slots of each shape, and how many places lie from each slot to the end.
    shapes: FxHashMap<ShapeId, Rc<[(Slot, usize)]>>,
    steps: FxHashMap<(u32, u64), Steps>,
    walked: FxHashMap<(u32, NodeId, usize), Parts>,
    walked_back: FxHashMap<(u32, NodeId, NodeId, usize), Parts>,
}

impl<'a> Walk<'a> {
    fn new(kernel: &'a mut Hierarchy, residuals: &'a mut Residuals, shape: ShapeId) -> Walk<'a> {
        let place_count = kernel.place_count(shape);
        Walk {
            kernel,
            residuals,
            place_count,
            shapes: FxHashMap::default(),
            steps: FxHashMap::default(),
            walked: FxHashMap::default(),
            walked_back: FxHashMap::default(),
        }
    }

    /// The slot at a position, and how many places there are from it to the end of its sequence.
    fn slot(&mut self, at: At) -> (Slot, usize) {
        let kernel = &*self.kernel;
        let slots = self.shapes.entry(at.shape).or_insert_with(|| {
            let mut left = 0;
            let slots = kernel.slots(at.shape).into_iter().rev();
            let mut slots: Vec<(Slot, usize)> = slots
                .map(|slot| {
                    left += match slot {
                        Slot::Value => 1,
                        Slot::Component(shape) => kernel.place_count(shape),
                    };
                    (slot, left)
                })
                .collect();
            slots.reverse();
            slots.into()
        });
        slots[at.slot]
    }

    /// The place where a residual acts next.
    fn place_of(&self, residual: u32) -> usize {
        self.place_count - self.residuals.level(residual) as usize
    }

    /// Where a residual leads from a value.
    fn steps(&mut self, residual: u32, value: u64) -> Result<Steps, Interrupted> {
        if let Some(known) = self.steps.get(&(residual, value)) {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        self.residuals.steps_from(residual, value, &mut found)?;
        let found: Steps = found.into();
        self.steps.insert((residual, value), found.clone());
        Ok(found)
    }

    fn forward(&mut self, residual: u32, node: NodeId, at: At) -> Result<Parts, Interrupted> {
        // Terminal cases: nothing remains to be done, or nothing in this sequence.
        if node.is_empty() {
            return Ok([].into());
        }
        if residual == DONE || node == NodeId::ONE {
            return Ok([(residual, node)].into());
        }
        let (slot, left) = self.slot(at);
        let place = self.place_of(residual);
        if place >= at.place + left {
            return Ok([(residual, node)].into());
        }

        // Recall.
        if let Some(known) = self.walked.get(&(residual, node, at.place)) {
            return Ok(known.clone());
        }
        self.kernel.meter_mut().step()?;

        // Split and recurse.
        let mut split = Split::default();
        for (label, child) in self.kernel.arcs(node) {
            match (slot, label) {
                (Slot::Value, Label::Value(value)) if place == at.place => {
                    for &(to, below) in &*self.steps(residual, value)? {
                        // What leads nowhere is followed for its failures alone.
                        let to = if to == NO_VALUE { value } else { to };
                        for &(left, rest) in &*self.forward(below, child, at.behind(1))? {
                            split.values.entry(left).or_default().push((to, rest));
                        }
                    }
                }
                (Slot::Value, Label::Value(value)) => {
                    for &(left, rest) in &*self.forward(residual, child, at.behind(1))? {
                        split.values.entry(left).or_default().push((value, rest));
                    }
                }
                (Slot::Component(shape), Label::Node(label)) => {
                    let behind = at.behind(self.kernel.place_count(shape));
                    let inside = At { shape, slot: 0, place: at.place };
                    for &(between, part) in &*self.forward(residual, label, inside)? {
                        for &(left, rest) in &*self.forward(between, child, behind)? {
                            split.components.entry(left).or_default().push((part, rest));
                        }
                    }
                }
                // All sequences have the one shape.
                (Slot::Value, Label::Node(_)) | (Slot::Component(_), Label::Value(_)) => {}
            }
        }

        // Build and remember.
        let answer = split.build(self.kernel)?;
        self.walked.insert((residual, node, at.place), answer.clone());
        Ok(answer)
    }

    fn backward(
        &mut self,
        residual: u32,
        target: NodeId,
        within: NodeId,
        at: At,
    ) -> Result<Parts, Interrupted> {
        // Terminal cases: nothing remains to be done, or nothing in this sequence.
        if target.is_empty() || within.is_empty() {
            return Ok([].into());
        }
        let is_passed = residual == DONE || within == NodeId::ONE || {
            let (_, left) = self.slot(at);
            self.place_of(residual) >= at.place + left
        };
        if is_passed {
            let both = self.kernel.intersection(target, within)?;
            return Ok(if both.is_empty() { [].into() } else { [(residual, both)].into() });
        }

        // Recall.
        let key = (residual, target, within, at.place);
        if let Some(known) = self.walked_back.get(&key) {
            return Ok(known.clone());
        }
        self.kernel.meter_mut().step()?;

        // Split and recurse, along the steps that leave `within`.
        let (slot, _) = self.slot(at);
        let acts_here = self.place_of(residual) == at.place;
        let goals = self.kernel.arcs(target);
        let mut split = Split::default();
        for (label, child) in self.kernel.arcs(within) {
            match (slot, label) {
                (Slot::Value, Label::Value(value)) => {
                    let steps =
                        if acts_here { self.steps(residual, value)? } else { [(value, residual)].into() };
                    for &(to, below) in &*steps {
                        let goal = goals.iter().find(|(label, _)| *label == Label::Value(to));
                        let Some(&(_, goal)) = goal else { continue };
                        for &(left, rest) in &*self.backward(below, goal, child, at.behind(1))? {
                            split.values.entry(left).or_default().push((value, rest));
                        }
                    }
                }
                (Slot::Component(shape), Label::Node(label)) => {
                    let behind = at.behind(self.kernel.place_count(shape));
                    let inside = At { shape, slot: 0, place: at.place };
                    for &(goal_label, goal) in &goals {
                        let Label::Node(goal_label) = goal_label else { continue };
                        for &(between, part) in &*self.backward(residual, goal_label, label, inside)? {
                            for &(left, rest) in &*self.backward(between, goal, child, behind)? {
                                split.components.entry(left).or_default().push((part, rest));
                            }
                        }
                    }
                }
                (Slot::Value, Label::Node(_)) | (Slot::Component(_), Label::Value(_)) => {}
            }
        }

        // Build and remember.
        let answer = split.build(self.kernel)?;
        self.walked_back.insert(key, answer.clone());
        Ok(answer)
    }
}

/// Arcs by the residuals that they leave behind.
#[derive(Default)]
struct Split {
    values: BTreeMap<u32, Vec<(u64, NodeId)>>,
    components: BTreeMap<u32, Vec<(NodeId, NodeId)>>,
}

impl Split {
    fn build(self, kernel: &mut Hierarchy) -> Result<Parts, Interrupted> {
        let mut answer = Vec::with_capacity(self.values.len() + self.components.len());
        for (residual, arcs) in self.values {
            answer.push((residual, kernel.from_any_values(&arcs)?));
        }
        for (residual, arcs) in self.components {
            answer.push((residual, kernel.from_components(&arcs)?));
        }
        Ok(answer.into())
    }
}
