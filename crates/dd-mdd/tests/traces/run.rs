//! Runs a trace on diagrams with tiny tables and on plain sets side by side.

use crate::format::{Call, SetOperation, Trace};
use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_mdd::{Action, EventActions, Limits, Mdd, NodeId, Root};

/// A set of vectors, level 1 first.
pub(crate) type Plain = BTreeSet<Vec<u64>>;

/// Tables in which collisions and collections happen all the time.
const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 5, collection_words: 10, collection_growth: 0 };

/// Closures beyond this size are not computed, on either side.
const LARGEST_CLOSURE: usize = 5_000;

/// Steps for a call without a limit of its own: far more than any of them needs.
const MOST_STEPS: u64 = 2_000_000;

/// What a trace did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// Calls that were carried out.
    pub(crate) calls: u64,
    /// Calls that ran out of steps.
    pub(crate) interruptions: u64,
    /// Collections.
    pub(crate) collections: u64,
}

/// Where and how diagrams and plain sets disagree.
#[derive(Clone, Debug)]
pub(crate) struct Disagreement {
    /// The number of the call, from 0.
    pub(crate) call: usize,
    /// What was found.
    pub(crate) message: String,
}

/// Runs a trace; the first disagreement ends it.
pub(crate) fn run(trace: &Trace) -> Result<Outcome, Disagreement> {
    let domains = trace.levels.iter().map(|kind| kind.domain()).collect();
    let mdd = Mdd::new(domains, Meter::new(Budget::unlimited()), TINY).expect("no limit");
    let level_count = trace.levels.len();
    let mut world =
        World { mdd, level_count, events: Vec::new(), sets: BTreeMap::new(), done: Outcome::default() };
    for (number, call) in trace.calls.iter().enumerate() {
        let step = world.call(call).and_then(|()| world.check_all());
        step.map_err(|message| Disagreement { call: number, message: format!("{call}: {message}") })?;
    }
    world.done.collections = world.mdd.statistics().collections;
    // Without owners nothing lives on, interrupted calls or not (K4).
    world.sets.clear();
    world.mdd.collect();
    match world.mdd.statistics().nodes {
        0 => Ok(world.done),
        nodes => {
            let message = format!("{nodes} nodes have no owner and survive a collection");
            Err(Disagreement { call: trace.calls.len(), message })
        }
    }
}

/// The diagrams, and what they should mean.
struct World {
    mdd: Mdd,
    level_count: usize,
    events: Vec<EventActions>,
    sets: BTreeMap<String, (Root, Plain)>,
    done: Outcome,
}

impl World {
    /// Carries out one call and compares its answer.
    fn call(&mut self, call: &Call) -> Result<(), String> {
        self.mdd.meter_mut().grant_steps(Some(MOST_STEPS));
        match call {
            Call::Set { name, operation, within } => return self.set(name, operation, *within),
            Call::Events(events) => {
                self.mdd.set_events(events.clone()).map_err(|why| why.to_string())?;
                self.events.clone_from(events);
            }
            Call::Count(set) => {
                let Some((root, plain)) = self.sets.get(set) else { return Ok(()) };
                same(self.mdd.count(root.node()), Ok(plain.len().into()))?;
            }
            Call::Edges(set) => {
                let Some((root, plain)) = self.sets.get(set) else { return Ok(()) };
                let enabled =
                    |event: &EventActions| plain.iter().filter(|v| fire(event, v).is_some()).count();
                let edges: usize = self.events.iter().map(enabled).sum();
                same(self.mdd.count_edges(root.node()), Ok(edges.into()))?;
            }
            Call::Ever(set) => {
                let Some((root, plain)) = self.sets.get(set) else { return Ok(()) };
                let ever = |event: &EventActions| plain.iter().any(|vector| fire(event, vector).is_some());
                same(self.mdd.ever_enabled(root.node()), Ok(self.events.iter().map(ever).collect()))?;
            }
            Call::Largest(set) => {
                let Some((root, plain)) = self.sets.get(set) else { return Ok(()) };
                let sum = |vector: &Vec<u64>| vector.iter().map(|&value| i128::from(value)).sum::<i128>();
                let mdd = &self.mdd;
                let found =
                    mdd.largest(root.node(), |level, code| Ok(i128::from(mdd.domain(level).value(code))));
                same(found, Ok(plain.iter().map(sum).max()))?;
            }
            Call::Contains(set, vector) => {
                let Some((root, plain)) = self.sets.get(set) else { return Ok(()) };
                same(self.mdd.contains(root.node(), vector), plain.contains(vector))?;
            }
            Call::Drop(set) => {
                self.sets.remove(set);
            }
            Call::Collect => self.mdd.collect(),
            Call::Breathe => self.mdd.collect_if_due(),
            Call::Collected(times) => {
                let found = self.mdd.statistics().collections;
                if found < *times {
                    return Err(format!("only {found} collections happened"));
                }
            }
            Call::Interrupted(times) => {
                let found = self.done.interruptions;
                if found < *times {
                    return Err(format!("only {found} calls were interrupted"));
                }
            }
        }
        self.done.calls += 1;
        Ok(())
    }

    /// Computes a set and compares it.
    fn set(&mut self, name: &str, operation: &SetOperation, within: Option<u64>) -> Result<(), String> {
        let Some(expected) = self.expect(operation) else { return Ok(()) };
        let node = |name: &String| self.sets[name].0.node();
        self.mdd.meter_mut().grant_steps(Some(within.unwrap_or(MOST_STEPS)));
        let answer = match operation {
            SetOperation::Singleton(vector) => self.mdd.singleton(vector),
            SetOperation::Union(a, b) => self.mdd.union(node(a), node(b)),
            SetOperation::Intersection(a, b) => self.mdd.intersection(node(a), node(b)),
            SetOperation::Difference(a, b) => self.mdd.difference(node(a), node(b)),
            SetOperation::Image(event, a) => self.mdd.image(*event, node(a)),
            SetOperation::Preimage(event, a, b) => self.mdd.preimage(*event, node(a), node(b)),
            SetOperation::Saturate(a) => self.mdd.saturate(node(a)),
            SetOperation::Enabled(event, a) => self.mdd.enabled(*event, node(a)),
            SetOperation::Dead(a) => self.mdd.dead(node(a)),
        };
        self.done.calls += 1;
        match answer {
            Ok(node) => {
                let root = self.mdd.root(node);
                same(&self.read(node), &expected)?;
                self.sets.insert(name.to_string(), (root, expected));
                Ok(())
            }
            Err(Interrupted::Steps) if within.is_some() => {
                self.done.interruptions += 1;
                self.check_partial(&expected)
            }
            Err(why) => Err(format!("stopped: {why}")),
        }
    }

    /// What an operation should give; `None` if a name in it means nothing, or the answer is too
    /// large.
    fn expect(&self, operation: &SetOperation) -> Option<Plain> {
        let set = |name: &String| self.sets.get(name).map(|(_, plain)| plain);
        Some(match operation {
            SetOperation::Singleton(vector) => Plain::from([vector.clone()]),
            SetOperation::Union(a, b) => set(a)?.union(set(b)?).cloned().collect(),
            SetOperation::Intersection(a, b) => set(a)?.intersection(set(b)?).cloned().collect(),
            SetOperation::Difference(a, b) => set(a)?.difference(set(b)?).cloned().collect(),
            SetOperation::Image(event, a) => {
                let event = self.events.get(*event)?;
                set(a)?.iter().filter_map(|vector| fire(event, vector)).collect()
            }
            SetOperation::Preimage(event, a, b) => {
                let (event, target) = (self.events.get(*event)?, set(a)?);
                let leads = |v: &&Vec<u64>| fire(event, v).is_some_and(|next| target.contains(&next));
                set(b)?.iter().filter(leads).cloned().collect()
            }
            SetOperation::Saturate(a) => closure(&self.events, set(a)?)?,
            SetOperation::Enabled(event, a) => {
                let event = self.events.get(*event)?;
                set(a)?.iter().filter(|vector| fire(event, vector).is_some()).cloned().collect()
            }
            SetOperation::Dead(a) => {
                let is_dead = |v: &&Vec<u64>| self.events.iter().all(|event| fire(event, v).is_none());
                set(a)?.iter().filter(is_dead).cloned().collect()
            }
        })
    }

    /// An interrupted saturation claims no more than what lies in the closure, cut to its levels.
    fn check_partial(&mut self, closure: &Plain) -> Result<(), String> {
        let Some(partial) = self.mdd.take_partial() else { return Ok(()) };
        // Each of the sets belongs to another value of the level above.
        let length = partial.level as usize + 1;
        let cut: BTreeSet<&[u64]> = closure.iter().map(|vector| &vector[..length]).collect();
        let nodes: Vec<NodeId> = partial.sets.iter().map(Root::node).collect();
        let claimed = self.mdd.count_small(&nodes, partial.level).ok_or("a small set was not counted")?;
        if claimed > cut.len().into() {
            return Err(format!("{claimed} vectors were claimed to level {length}, {} exist", cut.len()));
        }
        Ok(())
    }

    /// All invariants hold, every set still means what it meant, and equal sets are equal nodes
    /// (K3).
    fn check_all(&self) -> Result<(), String> {
        self.mdd.validate().map_err(|violation| format!("{} {}", violation.invariant, violation.detail))?;
        for (name, (root, plain)) in &self.sets {
            same(&self.read(root.node()), plain)
                .map_err(|message| format!("afterwards, {name}: {message}"))?;
            for (other, (other_root, other_plain)) in &self.sets {
                if (root == other_root) != (plain == other_plain) {
                    return Err(format!(
                        "K3: {name} is {:?}, {other} is {:?}",
                        root.node(),
                        other_root.node()
                    ));
                }
            }
        }
        Ok(())
    }

    fn read(&self, set: NodeId) -> Plain {
        debug_assert_eq!(self.level_count, self.mdd.level_count() as usize);
        self.mdd.vectors(set).collect()
    }
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

/// The independent reading of an event: on one vector.
fn fire(event: &EventActions, vector: &[u64]) -> Option<Vec<u64>> {
    let mut next = vector.to_vec();
    for (level, action) in event {
        let value = &mut next[*level as usize - 1];
        *value = match action {
            Action::Keep => *value,
            Action::Shift { at_least, at_most, delta } if (*at_least..=*at_most).contains(value) => {
                value.checked_add_signed(*delta)?
            }
            Action::Assign { at_least, at_most, to } if (*at_least..=*at_most).contains(value) => *to,
            Action::Map(steps) => {
                let step = steps.iter().find(|(from, _)| u64::from(*from) == *value);
                step.map(|(_, to)| u64::from(*to))?
            }
            Action::Shift { .. } | Action::Assign { .. } => return None,
        };
    }
    Some(next)
}

/// All that can be reached, unless that is too much.
fn closure(events: &[EventActions], initial: &Plain) -> Option<Plain> {
    let mut reached = initial.clone();
    let mut waiting: Vec<Vec<u64>> = initial.iter().cloned().collect();
    while let Some(vector) = waiting.pop() {
        for next in events.iter().filter_map(|event| fire(event, &vector)) {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
        if reached.len() > LARGEST_CLOSURE {
            return None;
        }
    }
    Some(reached)
}
