//! Lowering: a net becomes the model that every kind of diagram is built from.
//!
//! A place becomes a variable of the same number, a transition an event of the same number, a unit
//! a component. All arcs between one transition and one place become one part, as [`Access`]
//! combines them.
//!
//! A transition that only tests stays an event: it is an edge of the reachability graph, though it
//! leads back to where it started.

use crate::access::{Access, TokenChange};
use crate::analysis::Analysis;
pub use crate::ids::{event_of, variable_of};
use crate::net::{Net, Transition, Unit};
use symbolon_model::{
    Change, Component, ComponentId, Event, Facts, Model, Origins, Part, Source, State, Variable, VariableId,
};

/// The model of `net`, with nothing claimed of its reachable states.
pub fn lower(net: &Net) -> Model {
    let initial: State = net.places.iter().map(|place| place.initial).collect();
    Model {
        name: net.name.clone(),
        variables: net.places.iter().map(|place| Variable { name: place.id.clone() }).collect(),
        origins: origins_of(net.places.len()),
        initial: vec![initial],
        events: net.transitions.iter().map(lowered).collect(),
        components: components_of(net),
        ..Model::default()
    }
}

/// The model of `net` with the facts that `analysis` proved of it. Of the exclusive sets it states
/// the disjoint choice, so that each can become one variable as it stands.
pub fn lower_with(net: &Net, analysis: &Analysis) -> Model {
    Model { facts: facts_of(analysis), ..lower(net) }
}

/// What `analysis` proved of a net, as facts about its model.
pub fn facts_of(analysis: &Analysis) -> Facts {
    Facts {
        invariants: analysis.invariants.clone(),
        exclusive: analysis.merged.clone(),
        // A state holds no larger values. A bound beyond that says only that the net is finite; as
        // a fact it would let diagrams leave out the test whether a value still fits.
        upper_bounds: analysis
            .upper_bounds
            .iter()
            .map(|bound| bound.filter(|&b| b <= i64::MAX as u64))
            .collect(),
    }
}

/// Like [`lower_with`], but gives up the net on the way: a net of millions of arcs and its model
/// need not be in memory together.
pub fn into_model(net: Net, analysis: &Analysis) -> Model {
    let initial: State = net.places.iter().map(|place| place.initial).collect();
    let components = components_of(&net);
    let Net { name, places, transitions, .. } = net;
    Model {
        name,
        origins: origins_of(places.len()),
        initial: vec![initial],
        events: turned_into(transitions, |transition| Event {
            parts: parts_of(&transition),
            name: transition.id,
        }),
        variables: turned_into(places, |place| Variable { name: place.id }),
        components,
        facts: facts_of(analysis),
        ..Model::default()
    }
}

/// The number of items that [`turned_into`] converts at a time.
const BLOCK: usize = 1 << 16;

/// Each item, converted. Few items give their own memory to the new ones. Many go from the back and
/// in blocks: the old vector shrinks as it empties, and the large request for a block makes the
/// allocator join what the block before it gave back.
fn turned_into<T, U>(mut items: Vec<T>, convert: impl Fn(T) -> U) -> Vec<U> {
    if items.len() <= BLOCK {
        return items.into_iter().map(convert).collect();
    }
    let mut converted = Vec::with_capacity(items.len());
    while !items.is_empty() {
        let kept = items.len().saturating_sub(BLOCK);
        let block: Vec<U> = items.drain(kept..).rev().map(&convert).collect();
        converted.extend(block);
        items.shrink_to_fit();
    }
    converted.reverse();
    converted
}

/// Every variable is a place.
fn origins_of(place_count: usize) -> Origins {
    let mut origins = Origins::default();
    origins.add(VariableId(0), place_count as u32, Source::Places);
    origins
}

fn lowered(transition: &Transition) -> Event {
    Event { name: transition.id.clone(), parts: parts_of(transition) }
}

/// One part per place that the transition touches, ascending.
pub(crate) fn parts_of(transition: &Transition) -> Vec<Part> {
    let mut parts = Vec::with_capacity(transition.arcs.len());
    parts.extend(transition.accesses().map(part_of));
    parts.shrink_to_fit();
    parts
}

fn part_of(access: Access) -> Part {
    let Access { place, at_least, at_most, change } = access;
    let change = match change {
        // Both are below 2^63 (PETRI-P3), so neither the casts nor the difference can wrap.
        TokenChange::Move { taken, put } => Change::Add(put as i64 - taken as i64),
        TokenChange::Refill { put } => Change::Set(put),
    };
    Part::Local { variable: variable_of(place), at_least, at_most, change }
}

/// The units as a tree with one root. A source with several roots, or with places outside all
/// units, gets a root of the net's name around the units (places outside all units belong to the
/// root).
fn components_of(net: &Net) -> Vec<Component> {
    if net.units.is_empty() {
        return Vec::new();
    }
    let root_count = net.units.iter().filter(|unit| unit.parent.is_none()).count();
    let first_is_root = net.units.first().is_some_and(|unit| unit.parent.is_none());
    let extra_root = root_count != 1 || !first_is_root;
    let shift = u32::from(extra_root);

    let mut components = Vec::with_capacity(net.units.len() + 1);
    if extra_root {
        components.push(Component { name: net.name.clone(), parent: None, variables: Vec::new() });
    }
    let mut unassigned = vec![true; net.places.len()];
    for (index, unit) in net.units.iter().enumerate() {
        // A parent stands before its children; what a source got wrong hangs below the root.
        let parent = unit.parent.filter(|&parent| (parent as usize) < index).map(|parent| parent + shift);
        let parent = parent.or((extra_root || index > 0).then_some(0)).map(ComponentId);
        let variables = claim_places(unit, &mut unassigned);
        components.push(Component { name: unit.id.clone(), parent, variables });
    }
    let left_over = net.place_ids().filter(|place| unassigned[place.index()]).map(variable_of);
    let root = &mut components[0].variables;
    root.extend(left_over);
    root.sort_unstable();
    components
}

/// The places of `unit` that no earlier unit named.
fn claim_places(unit: &Unit, unassigned: &mut [bool]) -> Vec<VariableId> {
    let mut variables: Vec<VariableId> = unit
        .places
        .iter()
        .filter(|place| std::mem::replace(&mut unassigned[place.index()], false))
        .map(|&place| variable_of(place))
        .collect();
    variables.sort_unstable();
    variables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arc::Arc;
    use crate::net::{Place, PlaceId};
    use symbolon_model::Origin;

    fn place(id: &str, initial: u64) -> Place {
        Place { id: id.into(), label: None, initial }
    }

    /// Weights of the arcs between one transition and one place: in, out, read, inhibitor, reset.
    struct Arcs(u64, u64, u64, u64, bool);

    fn check(arcs: Arcs, at_least: u64, at_most: u64, change: Change) {
        let place = PlaceId(0);
        let list = [
            (arcs.0 > 0).then_some(Arc::Input { place, weight: arcs.0 }),
            (arcs.1 > 0).then_some(Arc::Output { place, weight: arcs.1 }),
            (arcs.2 > 0).then_some(Arc::Read { place, weight: arcs.2 }),
            (arcs.3 > 0).then_some(Arc::Inhibitor { place, weight: arcs.3 }),
            arcs.4.then_some(Arc::Reset { place }),
        ];
        let transition = Transition::new("t", list.into_iter().flatten().collect());
        let expected = Part::Local { variable: VariableId(0), at_least, at_most, change };
        assert_eq!(parts_of(&transition), [expected]);
    }

    #[test]
    fn all_arcs_of_one_place_become_one_part() {
        check(Arcs(2, 0, 0, 0, false), 2, u64::MAX, Change::Add(-2));
        check(Arcs(0, 3, 0, 0, false), 0, u64::MAX, Change::Add(3));
        check(Arcs(2, 3, 0, 0, false), 2, u64::MAX, Change::Add(1));
        check(Arcs(1, 1, 4, 0, false), 4, u64::MAX, Change::Add(0));
        check(Arcs(0, 0, 1, 0, false), 1, u64::MAX, Change::Add(0));
        check(Arcs(0, 0, 0, 1, false), 0, 0, Change::Add(0));
        check(Arcs(0, 1, 0, 5, false), 0, 4, Change::Add(1));
        check(Arcs(0, 0, 0, 0, true), 0, u64::MAX, Change::Set(0));
        check(Arcs(2, 3, 0, 9, true), 2, 8, Change::Set(3));
    }

    #[test]
    fn parts_ascend_by_place_and_testing_transitions_stay() {
        let net = Net {
            name: "n".into(),
            places: vec![place("a", 1), place("b", 0), place("c", 7)],
            transitions: vec![
                Transition::new(
                    "move",
                    vec![
                        Arc::Input { place: PlaceId(2), weight: 1 },
                        Arc::Output { place: PlaceId(0), weight: 1 },
                        Arc::Read { place: PlaceId(1), weight: 1 },
                    ],
                ),
                Transition::new("test", vec![Arc::Read { place: PlaceId(0), weight: 1 }]),
            ],
            ..Net::default()
        };
        let model = lower(&net);
        assert_eq!(model.initial, vec![State::from([1, 0, 7])]);
        assert_eq!(model.origins.of(VariableId(2)), Origin::Place);
        assert_eq!(model.origins.of(VariableId(3)), Origin::Variable);
        assert_eq!(model.events.len(), 2);
        assert_eq!(model.events[0].variables(), [VariableId(0), VariableId(1), VariableId(2)]);
        assert_eq!(model.events[1].fire(&[1, 0, 7]), Ok(Some([1, 0, 7].into())));
        assert!(model.components.is_empty());
    }

    #[test]
    fn units_become_a_tree_with_one_root() {
        let unit = |id: &str, parent, places: &[u32]| Unit {
            id: id.into(),
            parent,
            places: places.iter().map(|&place| PlaceId(place)).collect(),
        };
        let mut net = Net {
            name: "n".into(),
            places: (0..4).map(|index| place(&format!("p{index}"), 0)).collect(),
            units: vec![
                unit("root", None, &[]),
                unit("left", Some(0), &[2, 1]),
                unit("right", Some(0), &[1, 3]),
            ],
            ..Net::default()
        };
        let names_and_variables = |net: &Net| -> Vec<(String, Option<u32>, Vec<u32>)> {
            let tree = lower(net).components.into_iter();
            tree.map(|c| (c.name, c.parent.map(|p| p.0), c.variables.iter().map(|v| v.0).collect())).collect()
        };
        assert_eq!(
            names_and_variables(&net),
            [
                ("root".into(), None, vec![0]),
                ("left".into(), Some(0), vec![1, 2]),
                ("right".into(), Some(0), vec![3]),
            ]
        );
        net.units = vec![unit("left", None, &[0, 1]), unit("right", None, &[2, 3])];
        assert_eq!(
            names_and_variables(&net),
            [
                ("n".into(), None, vec![]),
                ("left".into(), Some(0), vec![0, 1]),
                ("right".into(), Some(0), vec![2, 3]),
            ]
        );
    }
}
