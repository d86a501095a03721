//! The largest value of a weighted sum.

use crate::hierarchy::shape::{SlotWeight, Weight, WeightId};
use crate::hierarchy::{Form, Hierarchy};
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Hierarchy {
    /// The largest weighted sum of values over a set; `None` for the empty set, and for one that is
    /// not well defined.
    pub fn largest(&mut self, weights: WeightId, set: NodeId) -> Result<Option<i128>, Interrupted> {
        if set.is_empty() || !self.is_well_defined(set) {
            return Ok(None);
        }
        self.largest_below(weights, set, &mut FxHashMap::default()).map(Some)
    }

    fn largest_below(
        &mut self,
        weights: WeightId,
        node: NodeId,
        known: &mut FxHashMap<(WeightId, NodeId), i128>,
    ) -> Result<i128, Interrupted> {
        // Terminal cases: what follows weighs nothing.
        if weights == WeightId::ZERO || node.is_terminal() {
            return Ok(0);
        }

        // Recall.
        if let Some(&answer) = known.get(&(weights, node)) {
            return Ok(answer);
        }
        self.manager.step()?;

        // Split and recurse.
        let Weight { slot, rest } = self.shapes.weights[weights.0 as usize];
        let mut answer = i128::MIN;
        match self.form(node) {
            Form::Leaf(view) => {
                let weight = match slot {
                    SlotWeight::Value(weight) => i128::from(weight),
                    SlotWeight::Component(_) => 0,
                };
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    // Both factors are below 2^63.
                    let first = weight * i128::from(self.values.value(code));
                    let below = self.largest_below(rest, child, known)?;
                    answer = answer.max(first.checked_add(below).ok_or(Interrupted::Overflow)?);
                }
            }
            Form::Set(view) => {
                let weights = match slot {
                    SlotWeight::Component(weights) => weights,
                    SlotWeight::Value(_) => WeightId::ZERO,
                };
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let first = self.largest_below(weights, label, known)?;
                    let below = self.largest_below(rest, child, known)?;
                    answer = answer.max(first.checked_add(below).ok_or(Interrupted::Overflow)?);
                }
            }
            Form::Empty | Form::One | Form::Undefined => answer = 0,
        }

        // Remember.
        known.insert((weights, node), answer);
        Ok(answer)
    }
}
