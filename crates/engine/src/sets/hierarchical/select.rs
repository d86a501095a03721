//! The sequences whose weighted sum compares with a number.
//!
//! As in multi-valued diagrams, one pass carries what the rest must still add up to, and the
//! smallest and largest sums below settle most of it. Labels of arcs are sets themselves: where
//! neither a label nor what follows it has one sum alone, the label is split by its sums.

use super::weights::{NOTHING, SlotWeight, Weights};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{Hierarchy, Label, NodeId};
use symbolon_dd_mdd::SumTest;

/// The sequences of `set` whose sum under `weights` passes `test` against `bound`.
pub(super) fn select(
    kernel: &mut Hierarchy,
    table: &Weights,
    weights: u32,
    set: NodeId,
    test: SumTest,
    bound: i128,
) -> Result<NodeId, Interrupted> {
    let mut selection = Selection {
        kernel,
        table,
        test,
        ranges: FxHashMap::default(),
        known: FxHashMap::default(),
        splits: FxHashMap::default(),
    };
    selection.select(weights, set, bound)
}

/// A set by the sums of its sequences.
type Split = Rc<[(i128, NodeId)]>;

struct Selection<'a> {
    kernel: &'a mut Hierarchy,
    table: &'a Weights,
    test: SumTest,
    /// The smallest and the largest sum of each node that was met.
    ranges: FxHashMap<(u32, NodeId), (i128, i128)>,
    known: FxHashMap<(u32, NodeId, i128), NodeId>,
    splits: FxHashMap<(u32, NodeId), Split>,
}

impl Selection<'_> {
    fn select(&mut self, weights: u32, node: NodeId, bound: i128) -> Result<NodeId, Interrupted> {
        // Terminal cases: nothing is left, or everything below agrees.
        if node.is_empty() {
            return Ok(node);
        }
        let range = self.range(weights, node)?;
        if let Some(passes) = self.test.decided(range.0, range.1, bound) {
            return Ok(if passes { node } else { NodeId::EMPTY });
        }

        // Recall.
        if let Some(&known) = self.known.get(&(weights, node, bound)) {
            return Ok(known);
        }
        self.kernel.meter_mut().step()?;

        // Split, recurse and build.
        let (first, rest) = self.table.sequence_at(weights);
        let mut values: Vec<(u64, NodeId)> = Vec::new();
        let mut components: Vec<(NodeId, NodeId)> = Vec::new();
        for (label, child) in self.kernel.arcs(node) {
            match (first, label) {
                (SlotWeight::Value(weight), Label::Value(value)) => {
                    let here = self.table.of_value(weight, value)?;
                    values.push((value, self.select(rest, child, minus(bound, here)?)?));
                }
                (SlotWeight::Component(inside), Label::Node(label)) => {
                    self.select_arc(inside, label, rest, child, bound, &mut components)?;
                }
                // Weights mirror the shape that all sequences have.
                (SlotWeight::Value(_), Label::Node(_)) | (SlotWeight::Component(_), Label::Value(_)) => {}
            }
        }
        let answer = match first {
            SlotWeight::Value(_) => self.kernel.from_values(&values)?,
            SlotWeight::Component(_) => self.kernel.from_components(&components)?,
        };

        // Remember.
        self.known.insert((weights, node, bound), answer);
        Ok(answer)
    }

    /// What is left of the arc (label, child), as arcs.
    fn select_arc(
        &mut self,
        inside: u32,
        label: NodeId,
        rest: u32,
        child: NodeId,
        bound: i128,
        arcs: &mut Vec<(NodeId, NodeId)>,
    ) -> Result<(), Interrupted> {
        let (least, most) = self.range(inside, label)?;
        let (least_after, most_after) = self.range(rest, child)?;
        let whole = self.test.decided(plus(least, least_after)?, plus(most, most_after)?, bound);
        if let Some(passes) = whole {
            if passes {
                arcs.push((label, child));
            }
        } else if least_after == most_after {
            arcs.push((self.select(inside, label, minus(bound, least_after)?)?, child));
        } else if least == most {
            arcs.push((label, self.select(rest, child, minus(bound, least)?)?));
        } else {
            for &(sum, part) in &*self.split(inside, label)? {
                arcs.push((part, self.select(rest, child, minus(bound, sum)?)?));
            }
        }
        Ok(())
    }

    /// The sequences of a set by their sums.
    fn split(&mut self, weights: u32, node: NodeId) -> Result<Split, Interrupted> {
        // Terminal cases.
        if weights == NOTHING || node.is_terminal() {
            return Ok([(0, node)].into());
        }

        // Recall.
        if let Some(known) = self.splits.get(&(weights, node)) {
            return Ok(known.clone());
        }
        self.kernel.meter_mut().step()?;

        // Split, recurse and build.
        let (first, rest) = self.table.sequence_at(weights);
        let mut values: std::collections::BTreeMap<i128, Vec<(u64, NodeId)>> = Default::default();
        let mut components: std::collections::BTreeMap<i128, Vec<(NodeId, NodeId)>> = Default::default();
        for (label, child) in self.kernel.arcs(node) {
            let after = self.split(rest, child)?;
            match (first, label) {
                (SlotWeight::Value(weight), Label::Value(value)) => {
                    let here = self.table.of_value(weight, value)?;
                    for &(sum, part) in &*after {
                        values.entry(plus(here, sum)?).or_default().push((value, part));
                    }
                }
                (SlotWeight::Component(inside), Label::Node(label)) => {
                    for &(here, part) in &*self.split(inside, label)? {
                        for &(sum, follow) in &*after {
                            components.entry(plus(here, sum)?).or_default().push((part, follow));
                        }
                    }
                }
                (SlotWeight::Value(_), Label::Node(_)) | (SlotWeight::Component(_), Label::Value(_)) => {}
            }
        }
        let mut answer = Vec::with_capacity(values.len() + components.len());
        for (sum, arcs) in values {
            answer.push((sum, self.kernel.from_values(&arcs)?));
        }
        for (sum, arcs) in components {
            answer.push((sum, self.kernel.from_components(&arcs)?));
        }

        // Remember.
        let answer: Split = answer.into();
        self.splits.insert((weights, node), answer.clone());
        Ok(answer)
    }

    /// The smallest and the largest sum of a set that is not empty.
    fn range(&mut self, weights: u32, node: NodeId) -> Result<(i128, i128), Interrupted> {
        if weights == NOTHING || node.is_terminal() {
            return Ok((0, 0));
        }
        if let Some(&known) = self.ranges.get(&(weights, node)) {
            return Ok(known);
        }
        self.kernel.meter_mut().step()?;
        let (first, rest) = self.table.sequence_at(weights);
        let mut range = (i128::MAX, i128::MIN);
        for (label, child) in self.kernel.arcs(node) {
            let here = match (first, label) {
                (SlotWeight::Value(weight), Label::Value(value)) => {
                    let weight = self.table.of_value(weight, value)?;
                    (weight, weight)
                }
                (SlotWeight::Component(inside), Label::Node(label)) => self.range(inside, label)?,
                (SlotWeight::Value(_), Label::Node(_)) | (SlotWeight::Component(_), Label::Value(_)) => {
                    (0, 0)
                }
            };
            let after = self.range(rest, child)?;
            range.0 = range.0.min(plus(here.0, after.0)?);
            range.1 = range.1.max(plus(here.1, after.1)?);
        }
        self.ranges.insert((weights, node), range);
        Ok(range)
    }
}

fn plus(a: i128, b: i128) -> Result<i128, Interrupted> {
    a.checked_add(b).ok_or(Interrupted::Overflow)
}

fn minus(a: i128, b: i128) -> Result<i128, Interrupted> {
    a.checked_sub(b).ok_or(Interrupted::Overflow)
}
