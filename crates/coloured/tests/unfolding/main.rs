//! Unfolded nets mean what coloured nets mean, and are as small as they should be.

mod cases;
mod corpus;
mod direct;
mod names;

use direct::Marking;
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_coloured::{Net, UnfoldLimits, Unfolded, unfold, unfolded_sizes};
use symbolon_explicit::{Options, explore};
use symbolon_petri::{PlaceId, TransitionId, lower};
use symbolon_testkit::{random_coloured_net, seeds};

/// Nets with more markings than this are not compared.
const MOST_MARKINGS: usize = 400;

/// The unfolding of a net, which obeys all invariants.
fn unfolded(net: &Net) -> Unfolded {
    assert_eq!(net.check(), Ok(()));
    let unfolded = unfold(net, UnfoldLimits::default(), &Budget::unlimited()).expect("it can be unfolded");
    assert_eq!(unfolded.net.check(), Ok(()));
    let sizes =
        unfolded_sizes(net, UnfoldLimits::default(), &Budget::unlimited()).expect("it can be counted");
    assert_eq!(sizes.places.iter().sum::<u64>(), unfolded.net.places.len() as u64);
    for (transition, count) in net.transition_ids().zip(sizes.transitions) {
        assert_eq!(count, unfolded.transitions_of(transition).len() as u128);
    }
    unfolded
}

/// A marking of the unfolded net in terms of the coloured one.
fn folded(net: &Net, unfolded: &Unfolded, state: &[u64]) -> Marking {
    let mut marking = Marking::new();
    for (instance, &count) in state.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (place, code) = unfolded.place_and_code(PlaceId(instance as u32));
        let colour = net.places[place.index()].domain.colour(net, code);
        assert_eq!(unfolded.find_place(place, code), Some(PlaceId(instance as u32)));
        marking.insert((place.0, colour), count);
    }
    marking
}

/// Compares an unfolded net with the direct exploration; `false` if that has too many markings.
fn check(net: &Net) -> bool {
    let Some(direct) = direct::explore(net, MOST_MARKINGS) else { return false };
    let unfolded = unfolded(net);
    let found = explore(&lower(&unfolded.net), &Options::default(), &Budget::unlimited())
        .unwrap_or_else(|_| panic!("the unfolded net has as few markings"));
    assert_eq!(found.state_count(), direct.markings.len(), "markings");
    let edges: usize = direct.markings.values().map(BTreeSet::len).sum();
    assert_eq!(found.edge_count(), edges as u64, "edges");
    let dead = direct.markings.values().filter(|enabled| enabled.is_empty()).count();
    assert_eq!(found.dead_states().len(), dead, "dead markings");
    for state in found.states() {
        let marking = folded(net, &unfolded, &state);
        let expected =
            direct.markings.get(&marking).unwrap_or_else(|| panic!("{marking:?} is not reachable"));
        let mut enabled = BTreeSet::new();
        for (number, transition) in unfolded.net.transitions.iter().enumerate() {
            if transition.arcs.iter().all(|arc| arc.admits(state[arc.place().index()])) {
                let instance = TransitionId(number as u32);
                let (coloured, binding) = unfolded.transition_and_binding(instance);
                assert_eq!(unfolded.find_transition(coloured, binding), Some(instance));
                enabled.insert((coloured.0, binding.to_vec()));
            }
        }
        assert_eq!(enabled, *expected, "enabled in {marking:?}");
    }
    true
}

#[test]
fn random_nets_mean_the_same() {
    let (mut compared, mut all) = (0, 0);
    for seed in seeds(3000) {
        all += 1;
        if check(&random_coloured_net(seed)) {
            compared += 1;
        }
    }
    println!("{compared} of {all} random coloured nets were compared");
    assert!(all < 100 || compared * 10 >= all * 6, "{compared} of {all} nets are small enough");
}
