//! Diagrams against plain sets: exhaustively on tiny domains, randomly on larger ones and over
//! several shapes, and with tables so small that collections and collisions happen all the time.

mod exploring;
mod homomorphisms;
mod laws;
mod philosophers;
mod sequences;
mod sets;

use crate::{Action, Events, Hierarchy, Limits, NodeId, ShapeId, Slot};
use std::collections::BTreeSet;
use symbolon_budget::{Budget, Meter};
use symbolon_testkit::RandomNumbers;

/// The same, as plain sets of states.
type Plain = BTreeSet<Vec<u64>>;

/// Tables so small that everything is collected and pushed out all the time.
const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 6, collection_words: 10, collection_growth: 0 };

fn manager(limits: Limits) -> Hierarchy {
    Hierarchy::new(Meter::new(Budget::unlimited()), limits).expect("no limit")
}

/// Shapes of five places: flat, pairs, recursive, uneven, wrapped.
fn shapes(sets: &mut Hierarchy) -> Vec<ShapeId> {
    let mut shape = |slots: &[Slot]| sets.shape(slots).expect("few shapes");
    let one = shape(&[Slot::Value]);
    let two = shape(&[Slot::Value; 2]);
    let three = shape(&[Slot::Component(two), Slot::Component(one)]);
    let deep = shape(&[Slot::Component(one)]);
    let deeper = shape(&[Slot::Component(deep), Slot::Component(deep)]);
    vec![
        shape(&[Slot::Value; 5]),
        shape(&[Slot::Component(two), Slot::Component(two), Slot::Value]),
        shape(&[Slot::Component(three), Slot::Component(two)]),
        shape(&[Slot::Value, Slot::Component(three), Slot::Value]),
        shape(&[Slot::Component(deeper), Slot::Component(one), Slot::Component(deeper)]),
    ]
}

/// The set of these states, state by state.
fn build(sets: &mut Hierarchy, shape: ShapeId, plain: &Plain) -> NodeId {
    plain.iter().fold(NodeId::EMPTY, |so_far, state| {
        let one = sets.singleton(shape, state).expect("no limit");
        sets.union(so_far, one).expect("no limit")
    })
}

fn read(sets: &Hierarchy, set: NodeId) -> Plain {
    sets.states(set).collect()
}

fn valid(sets: &mut Hierarchy) {
    sets.validate().unwrap_or_else(|violation| panic!("{violation:?}"));
}

fn random_set(random: &mut RandomNumbers, places: usize, values: u64, size: u64) -> Plain {
    let count = random.below(size + 1);
    (0..count).map(|_| (0..places).map(|_| random.below(values)).collect()).collect()
}

/// An event of a plain model: actions at places.
type PlainEvent = Vec<(u32, Action)>;

/// A few events that keep all values below `values`.
fn random_events(random: &mut RandomNumbers, places: usize, values: u64) -> Vec<PlainEvent> {
    let action = |random: &mut RandomNumbers| {
        let at_least = random.below(values);
        let at_most = if random.percent(25) { random.below(values) } else { values - 1 };
        match random.below(6) {
            0 | 1 => Action::Keep,
            2 => Action::test(at_least, at_most),
            3 => Action::Assign { at_least, at_most, to: random.below(values) },
            4 => {
                let steps: BTreeSet<(u64, u64)> =
                    (0..random.below(5)).map(|_| (random.below(values), random.below(values))).collect();
                Action::Map(steps.into_iter().collect())
            }
            _ => match random.below(3) {
                0 => Action::Shift { at_least: at_least.min(1), at_most, delta: -1 },
                _ => Action::Shift { at_least, at_most: at_most.min(values - 2), delta: 1 },
            },
        }
    };
    (0..random.below(6))
        .map(|_| {
            let touched: Vec<u32> = (0..places as u32).filter(|_| random.percent(45)).collect();
            touched.into_iter().map(|place| (place, action(random))).collect()
        })
        .collect()
}

/// The independent reading of an action.
fn results(action: &Action, value: u64) -> Vec<u64> {
    match action {
        Action::Keep => vec![value],
        Action::Shift { at_least, at_most, delta } => {
            let to = value as i64 + delta;
            if (*at_least..=*at_most).contains(&value) && to >= 0 { vec![to as u64] } else { vec![] }
        }
        Action::Assign { at_least, at_most, to } => {
            if (*at_least..=*at_most).contains(&value) {
                vec![*to]
            } else {
                vec![]
            }
        }
        Action::Map(steps) => steps.iter().filter(|step| step.0 == value).map(|step| step.1).collect(),
    }
}

/// The independent reading of an event.
fn fire(event: &PlainEvent, state: &[u64]) -> Plain {
    let mut states = Plain::from([state.to_vec()]);
    for (place, action) in event {
        let place = *place as usize;
        let step = |state: &Vec<u64>| {
            let to = results(action, state[place]);
            let before = state.clone();
            to.into_iter().map(move |value| {
                let mut after = before.clone();
                after[place] = value;
                after
            })
        };
        states = states.iter().flat_map(step).collect();
    }
    states
}

fn plain_image(events: &[PlainEvent], from: &Plain) -> Plain {
    from.iter().flat_map(|state| events.iter().flat_map(|event| fire(event, state))).collect()
}

fn plain_closure(events: &[PlainEvent], from: &Plain) -> Plain {
    let mut reached = from.clone();
    loop {
        let next = plain_image(events, &reached);
        let before = reached.len();
        reached.extend(next);
        if reached.len() == before {
            return reached;
        }
    }
}

/// Events as the manager takes them.
fn events_of(sets: &mut Hierarchy, events: &[PlainEvent]) -> Events {
    let mut list = Events::default();
    for event in events {
        let parts: Vec<_> = event
            .iter()
            .map(|(place, action)| (*place, sets.action(action.clone()).expect("few actions")))
            .collect();
        list.push(parts);
    }
    list
}
