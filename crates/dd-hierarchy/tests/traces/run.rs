//! Runs a trace on a manager with tiny tables, and on plain sets beside it.

use crate::format::{Call, Event, Trace, Tree};
use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_hierarchy::{Action, Events, Hierarchy, Limits, NodeId, RelationId, Root, ShapeId, Slot};

type Plain = BTreeSet<Vec<u64>>;

const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 6, collection_words: 10, collection_growth: 0 };

/// What a trace met.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) calls: u64,
    pub(crate) interruptions: u64,
    pub(crate) collections: u64,
}

struct Run {
    sets: Hierarchy,
    shape: ShapeId,
    events: Vec<Event>,
    list: Events,
    all: RelationId,
    known: BTreeMap<String, (Root, Plain)>,
    outcome: Outcome,
}

/// Runs a trace. What disagrees comes back as text.
pub(crate) fn run(trace: &Trace) -> Result<Outcome, String> {
    let mut sets = Hierarchy::new(Meter::new(Budget::unlimited()), TINY).map_err(|why| why.to_string())?;
    let shape = shape_of(&mut sets, &trace.shape);
    let mut run = Run {
        sets,
        shape,
        events: Vec::new(),
        list: Events::default(),
        all: RelationId::NONE,
        known: BTreeMap::new(),
        outcome: Outcome::default(),
    };
    for (number, call) in trace.calls.iter().enumerate() {
        run.call(call).map_err(|why| format!("call {number}, {call}: {why}"))?;
        run.outcome.calls += 1;
        run.outcome.collections = run.sets.statistics().collections;
        run.check().map_err(|why| format!("after call {number}, {call}: {why}"))?;
    }
    Ok(run.outcome)
}

fn shape_of(sets: &mut Hierarchy, slots: &[Tree]) -> ShapeId {
    let slots: Vec<Slot> = slots
        .iter()
        .map(|slot| match slot {
            Tree::Value => Slot::Value,
            Tree::Component(slots) => Slot::Component(shape_of(sets, slots)),
        })
        .collect();
    sets.shape(&slots).expect("few shapes")
}

impl Run {
    fn call(&mut self, call: &Call) -> Result<(), String> {
        match call {
            Call::Set { name, operation, numbers, sets, within } => {
                let operands: Option<Vec<(Root, Plain)>> =
                    sets.iter().map(|set| self.known.get(set).cloned()).collect();
                if let Some(operands) = operands {
                    self.compute(name, operation, numbers, &operands, *within)?;
                }
            }
            Call::Events(events) => {
                let places = self.sets.place_count(self.shape) as u32;
                self.events = events.clone();
                self.events.iter_mut().for_each(|event| event.retain(|(place, _)| *place < places));
                self.list = Events::default();
                for event in &self.events {
                    let parts: Vec<_> = event
                        .iter()
                        .map(|(place, action)| {
                            (*place, self.sets.action(action.clone()).expect("few actions"))
                        })
                        .collect();
                    self.list.push(parts);
                }
                let all = self.sets.relation_of_events(self.shape, &self.list);
                self.all = all.map_err(|why| why.to_string())?;
            }
            Call::Count(set) => {
                if let Some((root, plain)) = self.known.get(set).cloned() {
                    let count = self.sets.count(root.node());
                    let enabled = |state: &Vec<u64>| {
                        self.events.iter().filter(|event| !successors(event, state).is_empty()).count()
                    };
                    let edges: usize = plain.iter().map(enabled).sum();
                    let found = (count, self.sets.count_edges(self.all, root.node()));
                    if found != (Ok(Some(plain.len().into())), Ok(Some(edges.into()))) {
                        return Err(format!("{found:?}, not {} states and {edges} edges", plain.len()));
                    }
                }
            }
            Call::Drop(set) => drop(self.known.remove(set)),
            Call::Collect => self.sets.collect(),
            Call::Collected(least) if self.outcome.collections < *least => {
                return Err(format!("only {} collections have happened", self.outcome.collections));
            }
            Call::Interrupted(least) if self.outcome.interruptions < *least => {
                return Err(format!("only {} calls were interrupted", self.outcome.interruptions));
            }
            Call::Collected(_) | Call::Interrupted(_) => {}
        }
        Ok(())
    }

    fn compute(
        &mut self,
        name: &str,
        operation: &str,
        numbers: &[u64],
        operands: &[(Root, Plain)],
        within: Option<u64>,
    ) -> Result<(), String> {
        let event = numbers.first().map_or(usize::MAX, |&number| number as usize);
        let single = match (operation, self.events.get(event)) {
            ("image" | "preimage" | "enabled", None) => return Ok(()),
            ("image" | "preimage" | "enabled", Some(_)) => self
                .sets
                .relation_of_event(self.shape, self.list.parts(event))
                .map_err(|why| why.to_string())?,
            _ => RelationId::NONE,
        };
        let plain = |position: usize| &operands[position].1;
        let node = |position: usize| operands[position].0.node();
        let steps = |events: &[Event], from: &Plain| -> Plain {
            from.iter().flat_map(|state| events.iter().flat_map(|event| successors(event, state))).collect()
        };
        let one = || std::slice::from_ref(&self.events[event]);
        let (sets, all) = (&mut self.sets, self.all);
        sets.meter_mut().grant_steps(within);
        let (expected, answer): (Plain, Result<NodeId, Interrupted>) = match operation {
            "singleton" => {
                if numbers.len() != sets.place_count(self.shape) {
                    sets.meter_mut().grant_steps(None);
                    return Ok(());
                }
                (Plain::from([numbers.to_vec()]), sets.singleton(self.shape, numbers))
            }
            "union" => (plain(0) | plain(1), sets.union(node(0), node(1))),
            "intersection" => (plain(0) & plain(1), sets.intersection(node(0), node(1))),
            "difference" => (plain(0) - plain(1), sets.difference(node(0), node(1))),
            "image" => (steps(one(), plain(0)), sets.image(single, node(0))),
            "step" => (steps(&self.events, plain(0)), sets.image(all, node(0))),
            "enabled" => {
                let states = plain(0).iter().filter(|state| !successors(&one()[0], state).is_empty());
                let guard = sets.guard(single).expect("few relations");
                (states.cloned().collect(), sets.image(guard, node(0)))
            }
            "dead" => {
                let stuck =
                    |state: &&Vec<u64>| self.events.iter().all(|event| successors(event, state).is_empty());
                (plain(0).iter().filter(stuck).cloned().collect(), sets.dead(all, node(0)))
            }
            "preimage" => {
                let leads = |state: &&Vec<u64>| !successors(&one()[0], state).is_disjoint(plain(0));
                (plain(1).iter().filter(leads).cloned().collect(), sets.preimage(single, node(0), node(1)))
            }
            _ => {
                let mut reached = plain(0).clone();
                loop {
                    let more = steps(&self.events, &reached);
                    if more.is_subset(&reached) {
                        break;
                    }
                    reached.extend(more);
                }
                (reached, sets.closure(all, node(0)))
            }
        };
        sets.meter_mut().grant_steps(None);
        match answer {
            Ok(answer) => {
                let root = sets.root(answer);
                self.known.insert(name.into(), (root, expected));
            }
            Err(Interrupted::Steps) if within.is_some() => self.outcome.interruptions += 1,
            Err(why) => return Err(format!("interrupted: {why}")),
        }
        Ok(())
    }

    /// Every set is what it should be, equal sets are equal nodes, and all invariants hold.
    fn check(&mut self) -> Result<(), String> {
        for (name, (root, plain)) in &self.known {
            let found: Plain = self.sets.states(root.node()).collect();
            if found != *plain {
                return Err(format!("{name} is {found:?}, not {plain:?}"));
            }
            for (other, (twin, same)) in &self.known {
                if (root == twin) != (plain == same) {
                    return Err(format!("K3: {name} and {other}"));
                }
            }
        }
        self.sets.validate().map_err(|violation| format!("{violation:?}"))
    }
}

/// The independent reading of an event.
fn successors(event: &Event, state: &[u64]) -> Plain {
    let mut states = Plain::from([state.to_vec()]);
    for (place, action) in event {
        let place = *place as usize;
        let results = |value: u64| -> Vec<u64> {
            match action {
                Action::Keep => vec![value],
                Action::Shift { at_least, at_most, delta } => {
                    let to =
                        value.checked_add_signed(*delta).filter(|_| (*at_least..=*at_most).contains(&value));
                    to.into_iter().collect()
                }
                Action::Assign { at_least, at_most, to } => {
                    if (*at_least..=*at_most).contains(&value) {
                        vec![*to]
                    } else {
                        vec![]
                    }
                }
                Action::Map(steps) => {
                    steps.iter().filter(|step| step.0 == value).map(|step| step.1).collect()
                }
            }
        };
        let mut next = Plain::new();
        for state in states {
            for value in results(state[place]) {
                let mut after = state.clone();
                after[place] = value;
                next.insert(after);
            }
        }
        states = next;
    }
    states
}
