//! The largest value of a weighted sum of variables over a set.
//!
//! The kernel weighs values by one factor each. A merged block needs more: each of its codes has a
//! weight of its own. So weights are built here along the shape, hash-consed as shapes are, and
//! equal parts of a model are weighed once.

use crate::sets::encoding::Encoding;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{Hierarchy, Label, ListedNode, NodeId, ShapeId, Slot};
use symbolon_model::VariableId;

/// What a value weighs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ValueWeight {
    /// So much a unit.
    Factor(i128),
    /// So much for each code.
    ByCode(Box<[i128]>),
}

/// The weight of a first slot: an index into the table of value weights, or weights of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SlotWeight {
    Value(u32),
    Component(u32),
}

/// Weights of a sequence, by number. 0: nothing weighs anything.
pub(super) const NOTHING: u32 = 0;

#[derive(Default)]
pub(super) struct Weights {
    of_values: Vec<ValueWeight>,
    value_ids: FxHashMap<ValueWeight, u32>,
    /// The first slot and the rest of each sequence; entry 0 stands for nothing.
    sequences: Vec<(SlotWeight, u32)>,
    sequence_ids: FxHashMap<(SlotWeight, u32), u32>,
}

/// The largest sum over a set; `None` for the empty set.
pub(super) fn largest(
    kernel: &mut Hierarchy,
    encoding: &Encoding,
    shape: ShapeId,
    set: NodeId,
    weights: &[(VariableId, i64)],
) -> Result<Option<i128>, Interrupted> {
    if set.is_empty() {
        return Ok(None);
    }
    let weights = weights.iter().map(|&(variable, weight)| (variable, i128::from(weight)));
    let (table, whole) = Weights::new(kernel, encoding, shape, weights)?;
    let nodes = kernel.listing(set).into_iter().map(|listed| (listed.node, listed)).collect();
    let mut search = Search { kernel, weights: &table, nodes, known: FxHashMap::default() };
    search.largest(whole, set).map(Some)
}

impl Weights {
    /// The table of these weights, and the weights of a whole state in it.
    pub(super) fn new(
        kernel: &mut Hierarchy,
        encoding: &Encoding,
        shape: ShapeId,
        weights: impl IntoIterator<Item = (VariableId, i128)>,
    ) -> Result<(Weights, u32), Interrupted> {
        let level_count = encoding.level_count();
        let mut by_place: Vec<Option<ValueWeight>> = vec![None; level_count];
        for (variable, weight) in weights {
            let level = encoding.level_of(variable);
            let block = encoding.variables(level).len();
            let slot = &mut by_place[level_count - level as usize];
            let start = match block {
                1 => ValueWeight::Factor(0),
                _ => ValueWeight::ByCode(vec![0; block + 1].into()),
            };
            let sum = match slot.get_or_insert(start) {
                ValueWeight::Factor(factor) => factor,
                ValueWeight::ByCode(codes) => &mut codes[encoding.code_of(variable) as usize],
            };
            *sum = sum.checked_add(weight).ok_or(Interrupted::Overflow)?;
        }
        let mut table = Weights::default();
        // Entry 0 of both tables is "nothing"; its contents are never looked at.
        table.of_values.push(ValueWeight::Factor(0));
        table.sequences.push((SlotWeight::Value(0), NOTHING));
        let whole = table.along(kernel, shape, &by_place)?;
        Ok((table, whole))
    }

    /// The first slot and the rest of weights that are not [`NOTHING`].
    pub(super) fn sequence_at(&self, weights: u32) -> (SlotWeight, u32) {
        self.sequences[weights as usize]
    }

    /// The weights of a sequence of this shape, whose places weigh this.
    fn along(
        &mut self,
        kernel: &mut Hierarchy,
        shape: ShapeId,
        places: &[Option<ValueWeight>],
    ) -> Result<u32, Interrupted> {
        let mut end = places.len();
        let mut rest = NOTHING;
        for slot in kernel.slots(shape).into_iter().rev() {
            kernel.meter_mut().step()?;
            let first = match slot {
                Slot::Value => {
                    end -= 1;
                    SlotWeight::Value(self.value(&places[end]))
                }
                Slot::Component(component) => {
                    let start = end - kernel.place_count(component);
                    let inside = self.along(kernel, component, &places[start..end])?;
                    end = start;
                    SlotWeight::Component(inside)
                }
            };
            rest = self.sequence(first, rest);
        }
        Ok(rest)
    }

    fn value(&mut self, weight: &Option<ValueWeight>) -> u32 {
        let Some(weight) = weight else { return NOTHING };
        if let Some(&known) = self.value_ids.get(weight) {
            return known;
        }
        let id = self.of_values.len() as u32;
        self.of_values.push(weight.clone());
        self.value_ids.insert(weight.clone(), id);
        id
    }

    fn sequence(&mut self, first: SlotWeight, rest: u32) -> u32 {
        if rest == NOTHING && matches!(first, SlotWeight::Value(NOTHING) | SlotWeight::Component(NOTHING)) {
            return NOTHING;
        }
        let next = self.sequences.len() as u32;
        let id = *self.sequence_ids.entry((first, rest)).or_insert(next);
        if id == next {
            self.sequences.push((first, rest));
        }
        id
    }

    /// What a value weighs.
    pub(super) fn of_value(&self, weight: u32, value: u64) -> Result<i128, Interrupted> {
        match &self.of_values[weight as usize] {
            ValueWeight::Factor(factor) => factor.checked_mul(i128::from(value)).ok_or(Interrupted::Overflow),
            ValueWeight::ByCode(codes) => Ok(codes[value as usize]),
        }
    }
}

struct Search<'a> {
    kernel: &'a mut Hierarchy,
    weights: &'a Weights,
    nodes: FxHashMap<NodeId, ListedNode>,
    known: FxHashMap<(u32, NodeId), i128>,
}

impl Search<'_> {
    fn largest(&mut self, weights: u32, node: NodeId) -> Result<i128, Interrupted> {
        // Terminal cases: what follows weighs nothing.
        if weights == NOTHING || node.is_terminal() {
            return Ok(0);
        }

        // Recall.
        if let Some(&answer) = self.known.get(&(weights, node)) {
            return Ok(answer);
        }
        self.kernel.meter_mut().step()?;

        // Split and recurse.
        let (first, rest) = self.weights.sequences[weights as usize];
        let arc_count = self.nodes.get(&node).map_or(0, |listed| listed.arcs.len());
        let mut answer = i128::MIN;
        for position in 0..arc_count {
            let (label, child) = self.nodes[&node].arcs[position];
            let here = match (first, label) {
                (SlotWeight::Value(weight), Label::Value(value)) => self.weights.of_value(weight, value)?,
                (SlotWeight::Component(weights), Label::Node(label)) => self.largest(weights, label)?,
                (SlotWeight::Value(_), Label::Node(_)) | (SlotWeight::Component(_), Label::Value(_)) => 0,
            };
            let below = self.largest(rest, child)?;
            answer = answer.max(here.checked_add(below).ok_or(Interrupted::Overflow)?);
        }

        // Remember.
        self.known.insert((weights, node), answer);
        Ok(answer)
    }
}
