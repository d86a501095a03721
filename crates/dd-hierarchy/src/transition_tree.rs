//! Transition trees, as the thesis has them (definition 9): the plain baseline.
//!
//! The tree of a transition has the structure of the whole model, with a pair (tokens taken, tokens given) at every place,
//! also at those that the transition does not touch. Firing (algorithms 7 and 8) walks diagram and tree
//! together. Nothing is shared between trees, and nothing is skipped: that is what [`crate::RelationId`] improves on, and
//! what this is here to be compared with.

use crate::hierarchy::{Form, Hierarchy};
use crate::values::BEYOND;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

/// A tree with a pair of numbers at every place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransitionTree {
    /// A place: tokens taken, tokens given.
    Place(u64, u64),
    /// A component.
    Component(Vec<TransitionTree>),
}

/// A transition tree that a manager knows: the number of the first slot of its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeId(u32);

/// One slot of a tree; the next one has the next number.
#[derive(Clone, Copy, Debug)]
enum TreeSlot {
    Place(u64, u64),
    Component(TreeId),
}

/// The trees of a manager.
#[derive(Debug, Default)]
pub(crate) struct TransitionTrees {
    slots: Vec<TreeSlot>,
}

impl TransitionTrees {
    fn add(&mut self, slots: &[TransitionTree]) -> Result<TreeId, Interrupted> {
        let inner: Result<Vec<TreeSlot>, Interrupted> = slots
            .iter()
            .map(|slot| match slot {
                TransitionTree::Place(taken, given) => Ok(TreeSlot::Place(*taken, *given)),
                TransitionTree::Component(slots) => Ok(TreeSlot::Component(self.add(slots)?)),
            })
            .collect();
        let first = u32::try_from(self.slots.len()).map_err(|_| Interrupted::Overflow)?;
        self.slots.extend(inner?);
        if self.slots.len() > Key::LARGEST_SMALL as usize {
            return Err(Interrupted::Overflow);
        }
        Ok(TreeId(first))
    }
}

impl Hierarchy {
    /// Makes the tree of a transition known; it has a slot for every slot of the model.
    pub fn transition_tree(&mut self, slots: &[TransitionTree]) -> Result<TreeId, Interrupted> {
        self.trees.add(slots)
    }

    /// The states that a transition reaches in one step from a state of `set`.
    pub fn fire_transition(&mut self, tree: TreeId, set: NodeId) -> Result<NodeId, Interrupted> {
        let answer = self.outermost(&[set], |hierarchy| hierarchy.fire_tree(tree, set))?;
        self.without_beyond(answer)
    }

    fn fire_tree(&mut self, tree: TreeId, set: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_terminal() {
            return Ok(set);
        }

        // Recall.
        let key = Key::new(self.operations.fire_tree, tree.0, set.word(), 0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse: the rest of the sequence first, as printed. Build and remember.
        let next = TreeId(tree.0 + 1);
        let answer = match (self.form(set), self.trees.slots.get(tree.0 as usize).copied()) {
            (Form::Leaf(view), Some(TreeSlot::Place(taken, given))) => {
                let frame = self.open_frame();
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let value = self.values.value(code);
                    let Some(left) = value.checked_sub(taken).filter(|_| value != BEYOND) else { continue };
                    let child = self.fire_tree(next, child)?;
                    let to = self.values.code_of_step(left.checked_add(given))?;
                    self.add_to_frame(&frame, to, child)?;
                }
                self.close_frame(frame, view.variable)?
            }
            (Form::Set(view), Some(TreeSlot::Component(inner))) => {
                let mark = self.manager.scratch.height();
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let child = self.fire_tree(next, child)?;
                    let label = self.fire_tree(inner, label)?;
                    self.push_arc(label, child);
                }
                // Taking and giving tokens is injective: disjoint labels stay disjoint.
                self.disjoint_set(mark)?
            }
            _ => self.undefined(),
        };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
