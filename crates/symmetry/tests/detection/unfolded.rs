//! Random nets: a symmetry found in the coloured net maps the unfolded net to itself.

use super::symmetry;
use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_coloured::{ClassId, Net, UnfoldLimits, Unfolded, unfold};
use symbolon_petri::{Arc, PlaceId, TransitionId};
use symbolon_symmetry::Kind;
use symbolon_testkit::{random_coloured_net, seeds};

/// Whether a permutation of one class maps the unfolded net to itself.
fn is_symmetry(net: &Net, unfolded: &Unfolded, class: ClassId, image: &dyn Fn(u32) -> u32) -> bool {
    let mut image_of = Vec::new();
    for instance in 0..unfolded.net.places.len() as u32 {
        let (place, code) = unfolded.place_and_code(PlaceId(instance));
        let domain = &net.places[place.index()].domain;
        let mut colour = domain.colour(net, code);
        for (member, of) in colour.iter_mut().zip(&domain.0) {
            if *of == class {
                *member = image(*member);
            }
        }
        let Some(moved) = unfolded.find_place(place, domain.code(net, &colour)) else { return false };
        if unfolded.net.places[moved.index()].initial != unfolded.net.places[instance as usize].initial {
            return false;
        }
        image_of.push(moved);
    }
    let arcs = |number: u32, moved: bool| {
        let mut arcs: BTreeMap<String, u32> = BTreeMap::new();
        for arc in &unfolded.net.transitions[number as usize].arcs {
            let place = if moved { image_of[arc.place().index()] } else { arc.place() };
            let arc = match *arc {
                Arc::Input { weight, .. } => Arc::Input { place, weight },
                Arc::Read { weight, .. } => Arc::Read { place, weight },
                Arc::Inhibitor { weight, .. } => Arc::Inhibitor { place, weight },
                Arc::Reset { .. } => Arc::Reset { place },
                Arc::Output { weight, .. } => Arc::Output { place, weight },
            };
            *arcs.entry(format!("{arc:?}")).or_default() += 1;
        }
        arcs
    };
    (0..unfolded.net.transitions.len() as u32).all(|instance| {
        let (transition, binding) = unfolded.transition_and_binding(TransitionId(instance));
        let variables = unfolded.variables_of(transition);
        let moved: Vec<u32> = binding
            .iter()
            .zip(variables)
            .map(|(member, variable)| {
                let of = net.variables[variable.index()].class;
                if of == class { image(*member) } else { *member }
            })
            .collect();
        let moved = unfolded.find_transition(transition, &moved);
        moved.is_some_and(|moved| arcs(instance, true) == arcs(moved.0, false))
    })
}

/// How many swaps and rotations of a net were compared with its unfolding.
#[derive(Default)]
pub(super) struct Swaps {
    /// Swaps that are found.
    found: u64,
    /// Swaps that fix the unfolded net, and are not found.
    missed: u64,
    /// Rotations that are found.
    rotations: u64,
}

/// Compares every swap and rotation with the unfolded net.
pub(super) fn check_swaps(net: &Net) -> Swaps {
    let mut swaps = Swaps::default();
    let unfolded = unfold(net, UnfoldLimits::default(), &Budget::unlimited()).expect("it can be unfolded");
    for (class, found) in net.class_ids().zip(&symmetry(net).classes) {
        let size = net.classes[class.index()].size() as u32;
        let subclasses = found.subclass_of_members(u64::from(size));
        for a in 0..size {
            for b in a + 1..size {
                let swap = |member| match member {
                    _ if member == a => b,
                    _ if member == b => a,
                    _ => member,
                };
                let is_symmetric = is_symmetry(net, &unfolded, class, &swap);
                if subclasses[a as usize] == subclasses[b as usize] {
                    assert!(is_symmetric, "{a} and {b} of {class:?}");
                    swaps.found += 1;
                } else if is_symmetric {
                    swaps.missed += 1;
                }
            }
        }
        if found.kind == Kind::Rotating {
            assert!(is_symmetry(net, &unfolded, class, &|member| (member + 1) % size));
            swaps.rotations += 1;
        }
    }
    swaps
}

#[test]
fn random_symmetries_map_the_unfolded_net_to_itself() {
    let mut all = Swaps::default();
    for seed in seeds(1000) {
        let swaps = check_swaps(&random_coloured_net(seed));
        all.found += swaps.found;
        all.missed += swaps.missed;
        all.rotations += swaps.rotations;
    }
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        // Unfolded nets lack what can never happen, so they have symmetries that their source lacks.
        assert!(all.found > all.missed, "{} found, {} missed", all.found, all.missed);
        assert!(all.rotations > 20, "{} rotations", all.rotations);
    }
}
