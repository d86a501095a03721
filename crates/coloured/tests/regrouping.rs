//! Regrouping undoes unfolding: whatever is regrouped unfolds to the same net again.

use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_coloured::families::generate;
use symbolon_coloured::{
    Belonging, ClassId, Colouring, Net, Regrouped, UnfoldLimits, Unfolded, regroup, unfold,
};
use symbolon_petri as petri;
use symbolon_testkit::{random_coloured_net, seeds};

/// The colouring of an unfolding by the members of some classes. Members of other classes stay part
/// of what a place is.
fn colouring(net: &Net, unfolded: &Unfolded, classes: &[ClassId]) -> Colouring {
    let mut families = BTreeMap::new();
    let places = unfolded.net.place_ids().map(|instance| {
        let (place, code) = unfolded.place_and_code(instance);
        let domain = &net.places[place.index()].domain;
        let colour = domain.colour(net, code);
        let number = |class: &ClassId| classes.iter().position(|one| one == class);
        let members = domain.0.iter().zip(&colour);
        let members = members.filter_map(|(class, &member)| Some((number(class)? as u32, member))).collect();
        let fixed: Vec<u32> = domain
            .0
            .iter()
            .zip(&colour)
            .map(|(class, &member)| if number(class).is_some() { u32::MAX } else { member })
            .collect();
        let count = families.len() as u32;
        Belonging { family: *families.entry((place, fixed)).or_insert(count), members }
    });
    let places = places.collect();
    let sizes = classes.iter().map(|class| net.classes[class.index()].size() as u32).collect();
    Colouring { class_sizes: sizes, places, labels: Vec::new() }
}

/// The arcs of a transition, by the colours of places.
fn arcs(transition: &petri::Transition, colour: impl Fn(petri::PlaceId) -> (u32, u64)) -> Vec<String> {
    let mut arcs: Vec<String> = transition
        .arcs
        .iter()
        .map(|arc| format!("{:?} {:?}", colour(arc.place()), arc.at(petri::PlaceId(0))))
        .collect();
    arcs.sort();
    arcs
}

/// Compares a regrouped net, unfolded again, with the net that it was made of (REGROUP-1).
fn check(original: &petri::Net, regrouped: &Regrouped, context: &str) {
    assert_eq!(regrouped.net.check(), Ok(()), "{context}");
    let again = unfold(&regrouped.net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
    let colour_of = |place: petri::PlaceId| {
        let (place, code) = regrouped.colours[place.index()];
        (place.0, code)
    };
    let again_colour_of = |place: petri::PlaceId| {
        let (place, code) = again.place_and_code(place);
        (place.0, code)
    };
    for (place, known) in original.places.iter().enumerate() {
        let (family, code) = regrouped.colours[place];
        let found = again.find_place(family, code).map_or(0, |id| again.net.places[id.index()].initial);
        assert_eq!(found, known.initial, "{context}: initial marking of {}", known.id);
    }
    let mut met = vec![0; original.transitions.len()];
    for instance in again.net.transition_ids() {
        let (transition, binding) = again.transition_and_binding(instance);
        let meant = regrouped.original(transition, binding);
        let meant = meant.unwrap_or_else(|| panic!("{context}: {transition:?} {binding:?} is no transition"));
        met[meant.index()] += 1;
        let ours = arcs(&again.net.transitions[instance.index()], again_colour_of);
        // Arcs of places that never change are left out by the unfolding.
        let mut theirs = original.transitions[meant.index()].clone();
        theirs.arcs.retain(|arc| !again.is_constant(regrouped.colours[arc.place().index()].0));
        assert_eq!(ours, arcs(&theirs, colour_of), "{context}: {meant:?}");
        let repeats = regrouped.repeats(transition);
        assert!(met[meant.index()] <= repeats, "{context}: {meant:?} is meant more than {repeats} times");
    }
    // The unfolding leaves out what can never be enabled; what is left is there in full.
    for (number, count) in met.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        let first = (again.net.transition_ids()).find(|instance| {
            let (transition, binding) = again.transition_and_binding(*instance);
            regrouped.original(transition, binding) == Some(petri::TransitionId(number as u32))
        });
        let (transition, _) = again.transition_and_binding(first.expect("it was met"));
        assert_eq!(count, regrouped.repeats(transition), "{context}: transition {number}");
    }
}

fn regrouped(net: &Net, classes: &[ClassId]) -> (petri::Net, Option<Regrouped>) {
    let budget = Budget::unlimited();
    let unfolded = unfold(net, UnfoldLimits::default(), &budget).expect("it is small");
    let colouring = colouring(net, &unfolded, classes);
    let found = regroup(&unfolded.net, &colouring, &budget).expect("nothing interrupts it");
    (unfolded.net, found)
}

#[test]
fn families_whose_members_can_be_exchanged_are_found_again() {
    // The classes are those whose members can be exchanged; transitions as there are in the source.
    for (family, classes, transitions) in [
        ("client-server:4,3", vec![0, 1], 5),
        ("distributed-db:5", vec![0], 4),
        ("distributed-db:4,pairs", vec![0], 4),
    ] {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let classes: Vec<ClassId> = net
            .class_ids()
            .filter(|class| !net.classes[class.index()].is_dot())
            .enumerate()
            .filter(|(number, _)| classes.contains(number))
            .map(|(_, class)| class)
            .collect();
        let (original, found) = regrouped(&net, &classes);
        let found = found.unwrap_or_else(|| panic!("{family} is symmetric"));
        assert!(found.net.transitions.len() <= transitions, "{family}: {}", found.net.transitions.len());
        check(&original, &found, family);
    }
}

#[test]
fn what_is_not_symmetric_is_refused() {
    let net = generate("philosophers-coloured:5", &Budget::unlimited()).expect("a family");
    let classes: Vec<ClassId> =
        net.class_ids().filter(|class| !net.classes[class.index()].is_dot()).collect();
    assert!(regrouped(&net, &classes).1.is_none());
}

#[test]
fn whatever_is_regrouped_unfolds_to_the_same_net() {
    let mut count = 0;
    for seed in seeds(400) {
        let net = random_coloured_net(seed);
        let classes: Vec<ClassId> =
            net.class_ids().filter(|class| !net.classes[class.index()].is_dot()).collect();
        let single = classes.iter().map(|class| vec![*class]);
        for classes in single.chain([classes.clone()]) {
            if let (original, Some(found)) = regrouped(&net, &classes) {
                check(&original, &found, &format!("seed {seed}, classes {classes:?}"));
                count += u32::from(!original.transitions.is_empty());
            }
        }
    }
    assert!(count > 100, "only {count} nets were symmetric");
}

#[test]
fn transitions_that_do_the_same_stay_two() {
    let budget = Budget::unlimited();
    let mut net = generate("client-server:4,3", &budget).expect("a family");
    let mut twin = net.transitions[1].clone();
    twin.id = "accept_too".into();
    net.transitions.push(twin);
    let (original, found) = regrouped(&net, &[ClassId(0), ClassId(1)]);
    let found = found.expect("it is symmetric");
    check(&original, &found, "with a twin");
    assert_eq!(found.net.transitions.len(), net.transitions.len());
    let again = unfold(&found.net, UnfoldLimits::default(), &budget).expect("it is small");
    assert_eq!(again.net.transitions.len(), original.transitions.len());
}
