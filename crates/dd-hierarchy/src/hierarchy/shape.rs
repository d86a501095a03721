//! Shapes: trees of components, and what is built along them.
//!
//! A component is a sequence of slots; a slot is a value or a component. A shape describes such a
//! sequence, is hash-consed, and mirrors the nodes: a first slot and the shape of the rest. A
//! million equal components, paired, paired again and so on, are twenty shapes.
//!
//! The values of a state are numbered from 0 in the order in which a walk through the tree meets
//! them: the *places* of the shape. Along a shape a state becomes a set ([`Hierarchy::singleton`]),
//! a list of events becomes one relation ([`Hierarchy::relation_of_events`]), and weights of places
//! become weights of the parts ([`Hierarchy::weights`]).

use crate::hierarchy::Hierarchy;
use crate::hierarchy::relation::{ActionId, On, RelationId};
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// The shape of a sequence of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(u32);

impl ShapeId {
    /// The empty sequence.
    pub const END: ShapeId = ShapeId(0);
}

/// One slot of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A value.
    Value,
    /// A component of this shape.
    Component(ShapeId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    slot: Slot,
    rest: ShapeId,
}

/// All shapes of a manager. Index 0 is the empty sequence.
pub(crate) struct Shapes {
    shapes: Vec<Shape>,
    /// The number of places of each shape.
    places: Vec<u64>,
    ids: FxHashMap<Shape, ShapeId>,
    /// Weights: what the first slot weighs (a number, or the weights of a component), and the rest.
    pub(crate) weights: Vec<Weight>,
    weight_ids: FxHashMap<Weight, WeightId>,
}

/// Weights of the places of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WeightId(pub(crate) u32);

impl WeightId {
    /// Every place weighs 0.
    pub const ZERO: WeightId = WeightId(0);
}

/// The weight of a first slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SlotWeight {
    Value(i64),
    Component(WeightId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Weight {
    pub(crate) slot: SlotWeight,
    pub(crate) rest: WeightId,
}

/// A list of events: each is what happens at which place, in one long vector.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// Where the parts of each event end; 32 bits number places and parts alike.
    ends: Vec<u32>,
    parts: Vec<(u32, ActionId)>,
}

impl Events {
    /// Adds an event: actions at distinct places. Places without action are left out.
    pub fn push(&mut self, parts: impl IntoIterator<Item = (u32, ActionId)>) {
        let start = self.parts.len();
        self.parts.extend(parts.into_iter().filter(|&(_, action)| action != ActionId::KEEP));
        self.parts[start..].sort_unstable_by_key(|&(place, _)| place);
        assert!(self.parts.len() <= u32::MAX as usize, "events have at most 2^32 parts");
        self.ends.push(self.parts.len() as u32);
    }

    /// Gives back room that was kept for more events.
    pub fn shrink(&mut self) {
        self.ends.shrink_to_fit();
        self.parts.shrink_to_fit();
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What an event does, ascending by place.
    pub fn parts(&self, event: usize) -> &[(u32, ActionId)] {
        let start = if event == 0 { 0 } else { self.ends[event - 1] };
        &self.parts[start as usize..self.ends[event] as usize]
    }
}

impl Shapes {
    pub(crate) fn new() -> Shapes {
        let end = Shape { slot: Slot::Value, rest: ShapeId::END };
        let zero = Weight { slot: SlotWeight::Value(0), rest: WeightId::ZERO };
        Shapes {
            shapes: vec![end],
            places: vec![0],
            ids: FxHashMap::default(),
            weights: vec![zero],
            weight_ids: FxHashMap::default(),
        }
    }

    fn places_of_slot(&self, slot: Slot) -> u64 {
        match slot {
            Slot::Value => 1,
            Slot::Component(shape) => self.places[shape.0 as usize],
        }
    }

    /// The slots of a shape, each with its first place, beginning at `place`.
    fn slots(&self, shape: ShapeId, place: u64) -> impl Iterator<Item = (Slot, u64)> + '_ {
        let mut next = (shape, place);
        std::iter::from_fn(move || {
            let (shape, place) = next;
            if shape == ShapeId::END {
                return None;
            }
            let Shape { slot, rest } = self.shapes[shape.0 as usize];
            next = (rest, place + self.places_of_slot(slot));
            Some((slot, place))
        })
    }

    fn weight(&mut self, slot: SlotWeight, rest: WeightId) -> Result<WeightId, Interrupted> {
        let is_zero = matches!(slot, SlotWeight::Value(0) | SlotWeight::Component(WeightId::ZERO));
        if is_zero && rest == WeightId::ZERO {
            return Ok(WeightId::ZERO);
        }
        let weight = Weight { slot, rest };
        if let Some(&known) = self.weight_ids.get(&weight) {
            return Ok(known);
        }
        let id = WeightId(u32::try_from(self.weights.len()).map_err(|_| Interrupted::Overflow)?);
        self.weights.push(weight);
        self.weight_ids.insert(weight, id);
        Ok(id)
    }
}

impl Hierarchy {
    /// The shape of these slots.
    pub fn shape(&mut self, slots: &[Slot]) -> Result<ShapeId, Interrupted> {
        slots.iter().rev().try_fold(ShapeId::END, |rest, &slot| {
            let shape = Shape { slot, rest };
            if let Some(&known) = self.shapes.ids.get(&shape) {
                return Ok(known);
            }
            let id = ShapeId(u32::try_from(self.shapes.shapes.len()).map_err(|_| Interrupted::Overflow)?);
            let places = self.shapes.places_of_slot(slot) + self.shapes.places[rest.0 as usize];
            // Places are numbered by 32 bits.
            let places = u32::try_from(places).map_err(|_| Interrupted::Overflow)?;
            self.shapes.shapes.push(shape);
            self.shapes.places.push(u64::from(places));
            self.shapes.ids.insert(shape, id);
            Ok(id)
        })
    }

    /// The slots of a shape.
    pub fn slots(&self, shape: ShapeId) -> Vec<Slot> {
        self.shapes.slots(shape, 0).map(|(slot, _)| slot).collect()
    }

    /// The number of places of a shape.
    pub fn place_count(&self, shape: ShapeId) -> usize {
        self.shapes.places[shape.0 as usize] as usize
    }

    /// The set of one state, given by its values place by place.
    pub fn singleton(&mut self, shape: ShapeId, values: &[u64]) -> Result<NodeId, Interrupted> {
        assert_eq!(values.len(), self.place_count(shape), "one value a place");
        self.outermost(&[], |hierarchy| hierarchy.encode(shape, values))
    }

    fn encode(&mut self, shape: ShapeId, values: &[u64]) -> Result<NodeId, Interrupted> {
        let slots: Vec<(Slot, u64)> = self.shapes.slots(shape, 0).collect();
        let mut node = NodeId::ONE;
        for &(slot, place) in slots.iter().rev() {
            self.manager.step()?;
            let place = place as usize;
            node = match slot {
                Slot::Value => {
                    let code = self.values.code(values[place])?;
                    let frame = self.open_frame();
                    self.append(code, node);
                    self.close_frame(frame, 0)?
                }
                Slot::Component(shape) => {
                    let label = self.encode(shape, &values[place..place + self.place_count(shape)])?;
                    let mark = self.manager.scratch.height();
                    self.push_arc(label, node);
                    self.disjoint_set(mark)?
                }
            };
        }
        Ok(node)
    }

    /// The sum of the relations of all events, split once along the tree: each event is found where
    /// it acts, and pairs with equal first parts are one. Costs events × depth.
    pub fn relation_of_events(&mut self, shape: ShapeId, events: &Events) -> Result<RelationId, Interrupted> {
        let mut numbers: Vec<u32> = (0..events.len() as u32).collect();
        let still = numbers.iter().filter(|&&event| events.parts(event as usize).is_empty()).count();
        numbers.retain(|&event| !events.parts(event as usize).is_empty());
        numbers.sort_by_key(|&event| events.parts(event as usize)[0].0);
        let moving = self.split_events(shape, 0, events, &numbers)?;
        let mut sum = vec![moving];
        sum.extend(std::iter::repeat_n(RelationId::IDENTITY, still));
        self.relations.sum_all(sum)
    }

    /// The relation of one event.
    pub fn relation_of_event(
        &mut self,
        shape: ShapeId,
        parts: &[(u32, ActionId)],
    ) -> Result<RelationId, Interrupted> {
        let mut event = Events::default();
        event.push(parts.iter().copied());
        self.chain(shape, 0, event.parts(0))
    }

    /// The sum of those events, sorted by first place, that act within a shape that begins at
    /// `place`.
    fn split_events(
        &mut self,
        shape: ShapeId,
        place: u64,
        events: &Events,
        numbers: &[u32],
    ) -> Result<RelationId, Interrupted> {
        // Down the sequence: what begins in each slot.
        let mut left = numbers;
        let mut begun: Vec<(Slot, u64, &[u32], ShapeId)> = Vec::new();
        let mut at = (shape, place);
        while at.0 != ShapeId::END && !left.is_empty() {
            let Shape { slot, rest } = self.shapes.shapes[at.0.0 as usize];
            let end = at.1 + self.shapes.places_of_slot(slot);
            let here = left.partition_point(|&event| u64::from(events.parts(event as usize)[0].0) < end);
            begun.push((slot, at.1, &left[..here], rest));
            left = &left[here..];
            at = (rest, end);
        }
        assert!(left.is_empty(), "an event acts at a place that the shape does not have");

        // Up again: local to the slot, local to the rest, both.
        let mut rest_sum = RelationId::NONE;
        for (slot, place, here, rest) in begun.into_iter().rev() {
            self.manager.step()?;
            let end = place + self.shapes.places_of_slot(slot);
            let mut pairs = vec![(crate::hierarchy::relation::KEEP, rest_sum)];
            let mut local: Vec<u32> = Vec::new();
            for &event in here {
                let parts = events.parts(event as usize);
                let inside = parts.partition_point(|&(at, _)| u64::from(at) < end);
                match slot {
                    Slot::Component(_) if inside == parts.len() => local.push(event),
                    Slot::Component(component) => {
                        let first = self.chain(component, place, &parts[..inside])?;
                        pairs.push((first.0, self.chain(rest, end, &parts[inside..])?));
                    }
                    Slot::Value => {
                        let first = parts[0].1;
                        pairs.push((first.0, self.chain(rest, end, &parts[inside..])?));
                    }
                }
            }
            let on = match slot {
                Slot::Value => On::Value,
                Slot::Component(component) => {
                    let first = self.split_events(component, place, events, &local)?;
                    pairs.push((first.0, RelationId::IDENTITY));
                    On::Component
                }
            };
            rest_sum = self.relations.make(on, 0, pairs)?;
        }
        Ok(rest_sum)
    }

    /// The relation of one event, whose parts lie within a shape that begins at `place`.
    fn chain(
        &mut self,
        shape: ShapeId,
        place: u64,
        parts: &[(u32, ActionId)],
    ) -> Result<RelationId, Interrupted> {
        let mut left = parts;
        let mut firsts: Vec<(On, u32)> = Vec::new();
        let mut at = (shape, place);
        while at.0 != ShapeId::END && !left.is_empty() {
            let Shape { slot, rest } = self.shapes.shapes[at.0.0 as usize];
            let end = at.1 + self.shapes.places_of_slot(slot);
            let here = left.partition_point(|&(place, _)| u64::from(place) < end);
            firsts.push(match slot {
                _ if here == 0 => (On::Either, crate::hierarchy::relation::KEEP),
                Slot::Value => (On::Value, left[0].1.0),
                Slot::Component(component) => (On::Component, self.chain(component, at.1, &left[..here])?.0),
            });
            left = &left[here..];
            at = (rest, end);
        }
        assert!(left.is_empty(), "an event acts at a place that the shape does not have");
        firsts
            .into_iter()
            .rev()
            .try_fold(RelationId::IDENTITY, |rest, (on, first)| self.relations.make_pair(on, first, rest))
    }

    /// The weights of the places of a shape; places that are not named weigh 0.
    pub fn weights(&mut self, shape: ShapeId, weights: &[(u32, i64)]) -> Result<WeightId, Interrupted> {
        let mut sorted = weights.to_vec();
        sorted.sort_unstable();
        self.weights_from(shape, 0, &sorted)
    }

    /// The weights of a sequence whose first slot is a value.
    pub fn weigh_value(&mut self, weight: i64, rest: WeightId) -> Result<WeightId, Interrupted> {
        self.shapes.weight(SlotWeight::Value(weight), rest)
    }

    /// The weights of a sequence whose first slot is a component.
    pub fn weigh_component(&mut self, weights: WeightId, rest: WeightId) -> Result<WeightId, Interrupted> {
        self.shapes.weight(SlotWeight::Component(weights), rest)
    }

    fn weights_from(
        &mut self,
        shape: ShapeId,
        place: u64,
        weights: &[(u32, i64)],
    ) -> Result<WeightId, Interrupted> {
        let mut left = weights;
        let mut firsts: Vec<SlotWeight> = Vec::new();
        let mut at = (shape, place);
        while at.0 != ShapeId::END && !left.is_empty() {
            let Shape { slot, rest } = self.shapes.shapes[at.0.0 as usize];
            let end = at.1 + self.shapes.places_of_slot(slot);
            let here = left.partition_point(|&(place, _)| u64::from(place) < end);
            firsts.push(match slot {
                Slot::Value => {
                    let sum =
                        left[..here].iter().try_fold(0_i64, |sum, &(_, weight)| sum.checked_add(weight));
                    SlotWeight::Value(sum.ok_or(Interrupted::Overflow)?)
                }
                Slot::Component(component) => {
                    SlotWeight::Component(self.weights_from(component, at.1, &left[..here])?)
                }
            });
            left = &left[here..];
            at = (rest, end);
        }
        assert!(left.is_empty(), "a weight names a place that the shape does not have");
        firsts.into_iter().rev().try_fold(WeightId::ZERO, |rest, slot| self.shapes.weight(slot, rest))
    }
}
