//! Structural analysis of small nets with known answers, and certificates that must fail when
//! tampered with.

use std::time::Duration;
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_model::{ExclusiveSet, VariableId};
use symbolon_petri::analysis::{
    AnalysisOptions, Boundedness, ImpliedPlace, LinearPrograms, Pump, ShrinkingSum, analyse, dead_parts,
    disjoint_cover, exclusive_sets, find_pump, place_semiflows, redundant_parts,
};
use symbolon_petri::families::generate;
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{Net, PlaceId, TransitionId, Unit, UnitClaim};
use symbolon_testkit::net_in_short as net;

fn check_exclusive(net: &Net, expected: &[(&[u32], bool)]) {
    let mut sets = exclusive_sets(net, &Budget::unlimited()).unwrap();
    sets.sort_by(|a, b| a.variables.cmp(&b.variables));
    let expected: Vec<ExclusiveSet> = expected
        .iter()
        .map(|&(variables, exactly_one)| ExclusiveSet {
            variables: variables.iter().map(|&variable| VariableId(variable)).collect(),
            exactly_one,
        })
        .collect();
    assert_eq!(sets, expected, "{net:?}");
}

#[test]
fn exclusive_sets_of_small_nets() {
    check_exclusive(&net(&[1, 0], &["0 > 1", "1 > 0"]), &[(&[0, 1], true)]);
    // Two tokens, or a place that receives from nowhere, are not exclusive.
    check_exclusive(&net(&[1, 1], &["0 > 1", "1 > 0"]), &[]);
    check_exclusive(&net(&[1, 0], &["0 > 1", "1 > 0", "> 1"]), &[]);
    // A token that may get lost, in a reset or into nowhere.
    check_exclusive(&net(&[1, 0], &["0 > 1", "1 > 0", "1 >"]), &[(&[0, 1], false)]);
    check_exclusive(&net(&[1, 0, 1], &["0 > 1", "1 > 0", "2 ~0 > 2"]), &[(&[0, 1], false)]);
    // A read arc keeps its token: the output is a second one.
    check_exclusive(&net(&[1, 0], &["?0 > 1"]), &[]);
    // A reset of a place that is read takes at least that token.
    check_exclusive(&net(&[1, 0], &["?0 ~0 > 1", "1 > 0"]), &[(&[0, 1], false)]);
    // Mutual exclusion: two processes and a lock.
    check_exclusive(
        &net(&[1, 0, 1, 0, 1], &["0 4 > 1", "1 > 0 4", "2 4 > 3", "3 > 2 4"]),
        &[(&[0, 1], true), (&[1, 3, 4], true), (&[2, 3], true)],
    );
    check_exclusive(&net(&[1, 0], &["0 > 1*2", "1*2 > 0"]), &[]);
}

#[test]
fn units_are_proved_and_never_believed() {
    let claim = |mut net: Net, units: &[(Option<u32>, &[u32])]| {
        net.unit_claim = UnitClaim::UnitSafe;
        let unit = |(index, &(parent, places)): (usize, &(Option<u32>, &[u32]))| Unit {
            id: format!("u{index}"),
            parent,
            places: places.iter().map(|&place| PlaceId(place)).collect(),
        };
        net.units = units.iter().enumerate().map(unit).collect();
        net
    };
    // A wrong claim: t1 marks p1 while p0 stays marked.
    check_exclusive(&claim(net(&[1, 0], &["0 > 0 1"]), &[(None, &[0, 1])]), &[]);
    // A read arc keeps its token, and a parent's token may stay.
    check_exclusive(&claim(net(&[1, 0], &["?0 > 1"]), &[(None, &[0, 1])]), &[]);
    check_exclusive(&claim(net(&[1, 0], &["0 > 0 1"]), &[(None, &[0]), (Some(0), &[1])]), &[]);
    // A transition that needs two tokens of the unit cannot fire, whatever it would do.
    let blocked = claim(net(&[1, 0, 0], &["0 > 1", "1 > 0", "0*2 > 0 1 2"]), &[(None, &[0, 1])]);
    check_exclusive(&blocked, &[(&[0, 1], true)]);
    // A parent whose token becomes one in each child: with its parent, each child is exclusive.
    let fork = net(&[1, 0, 0, 0, 0], &["0 > 1 2", "1 > 3", "2 > 4", "3 4 > 0"]);
    let fork = claim(fork, &[(None, &[0]), (Some(0), &[1, 3]), (Some(0), &[2, 4])]);
    let sets = exclusive_sets(&fork, &Budget::unlimited()).unwrap();
    assert_eq!(sets.iter().filter(|set| set.exactly_one && set.variables.len() == 3).count(), 2);
    let cover = disjoint_cover(&sets, 5);
    assert_eq!(cover.iter().map(|set| set.variables.len()).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(cover.iter().map(|set| set.exactly_one).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn families_merge_to_few_variables() {
    let check = |family: &str, parameters: &[u64], expected: usize| {
        let net = generate(family, parameters, &Budget::unlimited()).expect("a family");
        let sets = exclusive_sets(&net, &Budget::unlimited()).unwrap();
        let cover = disjoint_cover(&sets, net.places.len());
        let merged: usize = cover.iter().map(|set| set.variables.len()).sum();
        assert_eq!(net.places.len() - merged + cover.len(), expected, "{family} {parameters:?}");
    };
    check("philosophers", &[100], 200);
    check("dekker", &[20], 40);
    check("token-ring", &[10], 11);
    check("shared-memory", &[10], 21);
    check("peterson", &[3], 11);
    check("kanban", &[5], 16);
}

fn check_bounds(net: &Net, expected: &[Option<u64>]) {
    let analysis = analyse(net, &AnalysisOptions::thorough(), &Budget::unlimited()).unwrap();
    assert_eq!(analysis.upper_bounds, expected, "{net:?}");
}

#[test]
fn bounds_of_small_nets() {
    check_bounds(&net(&[3, 0], &["0 > 1", "1 > 0"]), &[Some(3), Some(3)]);
    // Two for one, and back: an invariant with weights.
    check_bounds(&net(&[4, 0], &["0*2 > 1", "1 > 0*2"]), &[Some(4), Some(2)]);
    // No invariant, but a sum that only shrinks: found by a linear program alone.
    check_bounds(&net(&[3, 0], &["0 > 1", "1 >"]), &[Some(3), Some(3)]);
    check_bounds(&net(&[2, 0], &["0 > 1*3", "1 ~0 > "]), &[Some(2), Some(6)]);
    // p1 grows for ever; p2 is never marked.
    check_bounds(&net(&[1, 0, 0, 0], &["0 > 0 1", "2 > 3"]), &[Some(1), None, Some(0), Some(0)]);
    // A reset empties, so that nothing bounds p0 from below, but its bound stays.
    check_bounds(&net(&[1, 0], &["0 > 1", "~1 > 0"]), &[None, None]);
}

#[test]
fn certificates_fail_when_tampered_with() {
    let net = generate("kanban", &[3], &Budget::unlimited()).expect("a family");
    let incidence = Incidence::new(&net);
    let programs = LinearPrograms::new(&net, &incidence, Duration::from_secs(10));
    let mut tampered = 0;
    for place in net.place_ids() {
        let sum = programs.bound(place, &Budget::unlimited()).unwrap().expect("kanban is bounded");
        assert!(sum.verify(&incidence));
        assert_eq!(sum.bound(&net, place), Some(3));
        for index in 0..sum.weights.len() {
            let mut weights = sum.weights.clone();
            weights[index].1 += 1;
            tampered += 1;
            assert!(!ShrinkingSum { weights }.verify(&incidence), "{sum:?} with {index} raised");
            let mut weights = sum.weights.clone();
            weights[index].1 = 0;
            assert!(!ShrinkingSum { weights }.verify(&incidence), "{sum:?} with {index} at 0");
        }
        let mut weights = sum.weights.clone();
        weights.reverse();
        assert!(weights.len() < 2 || !ShrinkingSum { weights }.verify(&incidence));
    }
    assert!(tampered > 30);
    assert!(!ShrinkingSum { weights: vec![(PlaceId(999), 1)] }.verify(&incidence));
}

/// Whether a search proves `net` unbounded, in `place`.
fn check_pump(net: &Net, place: Option<u32>) -> Option<Pump> {
    let pump = find_pump(net, Default::default(), &Budget::unlimited()).unwrap();
    assert_eq!(pump.as_ref().map(|pump| pump.place.0), place, "{net:?}");
    pump
}

#[test]
fn unbounded_nets_are_recognised() {
    check_pump(&net(&[1, 0], &["0 > 0 1"]), Some(1));
    check_pump(&net(&[0], &["> 0"]), Some(0));
    check_pump(&net(&[1, 0, 0], &["0 > 1", "1 > 0 2"]), Some(2));
    check_pump(&net(&[2, 0], &["0 > 1", "1 > 0"]), None);
    // An inhibitor stops the growth of its own place, but not that of another.
    check_pump(&net(&[1, 0], &["0 !1*5 > 0 1"]), None);
    check_pump(&net(&[1, 0, 0], &["0 !2 > 0 1"]), Some(1));
    // A reset undoes the growth of its own place, but not that of another.
    check_pump(&net(&[1, 0], &["0 ~1 > 0 1"]), None);
    check_pump(&net(&[1, 0, 0], &["0 ~2 > 0 1 2"]), Some(1));
}

#[test]
fn pumps_fail_when_tampered_with() {
    let net = net(&[1, 0, 0], &["0 > 1", "1 > 0 2", "0 2 > 0"]);
    let pump = check_pump(&net, Some(2)).expect("unbounded");
    assert!(pump.verify(&net));
    let tamper = |change: &dyn Fn(&mut Pump)| {
        let mut pump = pump.clone();
        change(&mut pump);
        assert!(!pump.verify(&net), "{pump:?}");
    };
    tamper(&|pump| pump.cycle.truncate(pump.cycle.len() - 1));
    tamper(&|pump| pump.cycle.clear());
    tamper(&|pump| pump.place = PlaceId(0));
    tamper(&|pump| pump.cycle.push(TransitionId(2)));
    tamper(&|pump| pump.cycle.push(TransitionId(77)));
    tamper(&|pump| pump.prefix.insert(0, TransitionId(1)));
}

#[test]
fn dead_parts_are_found() {
    let check = |net: &Net, bounds: &[Option<u64>], transitions: &[u32], places: &[u32]| {
        let dead = dead_parts(net, bounds);
        assert_eq!(dead.transitions.iter().map(|t| t.0).collect::<Vec<_>>(), transitions, "{net:?}");
        assert_eq!(dead.places.iter().map(|p| p.0).collect::<Vec<_>>(), places, "{net:?}");
    };
    check(&net(&[1, 0], &["0 > 1", "1 > 0"]), &[], &[], &[]);
    check(&net(&[1, 0, 0, 0], &["0 > 1", "2 > 3", "3 > 2"]), &[], &[1, 2], &[2, 3]);
    // More than the initial marking of a place that never grows.
    check(&net(&[1, 0], &["0*2 > 1", "0 > 0"]), &[], &[0], &[1]);
    check(&net(&[1, 0], &["?0*2 > 1"]), &[], &[0], &[1]);
    // A known bound says more than the structure.
    check(&net(&[1, 0, 0], &["0 > 1", "1 > 0", "1*2 > 2"]), &[], &[], &[]);
    check(&net(&[1, 0, 0], &["0 > 1", "1 > 0", "1*2 > 2"]), &[Some(1), Some(1), None], &[2], &[2]);
    // A reset that puts something may raise a place.
    check(&net(&[0, 0], &["~0 > 0*2", "0*2 > 1"]), &[], &[], &[]);
}

#[test]
fn dead_parts_sharpen_exclusive_sets_and_the_other_way_round() {
    // t2 needs two tokens of {p0, p1}; only it marks p2, so that t3, which would double p3, is
    // dead.
    let net = net(&[1, 0, 0, 1, 0], &["0 > 1", "1 > 0", "0 1 > 2", "2 3 > 3 4 2", "3 > 4", "4 > 3"]);
    let analysis = analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).unwrap();
    assert_eq!(analysis.dead.transitions, [TransitionId(2), TransitionId(3)]);
    assert_eq!(analysis.dead.places, [PlaceId(2)]);
    assert_eq!(analysis.boundedness, Boundedness::Bounded);
    assert_eq!(analysis.upper_bounds, [Some(1), Some(1), Some(0), Some(1), Some(1)]);
}

#[test]
fn redundant_parts_are_found() {
    let net = net(&[1, 0, 2, 0, 7], &["0 2 > 1 3", "1 3 > 0 2", "0 2 > 1 3", "?4 >"]);
    let redundant = redundant_parts(&net, &Incidence::new(&net));
    assert_eq!(redundant.parallel_transitions, [[TransitionId(0), TransitionId(2)]]);
    assert_eq!(redundant.constant_places, [PlaceId(4)]);
    assert_eq!(
        redundant.implied_places,
        [
            ImpliedPlace { place: PlaceId(2), by: PlaceId(0), surplus: 1 },
            ImpliedPlace { place: PlaceId(3), by: PlaceId(1), surplus: 0 },
        ]
    );
}

/// A transition may wait until a place is empty, which no place that is fuller says.
#[test]
fn a_place_that_inhibits_is_not_implied() {
    let net = net(&[1, 0, 2, 0], &["0 2 > 1 3", "1 3 > 0 2", "!2 >"]);
    let implied = redundant_parts(&net, &Incidence::new(&net)).implied_places;
    assert_eq!(implied, [ImpliedPlace { place: PlaceId(3), by: PlaceId(1), surplus: 0 }]);
}

#[test]
fn a_budget_that_ran_out_interrupts() {
    let net = generate("philosophers", &[300], &Budget::unlimited()).expect("a family");
    let spent = Budget::new(Limits { time: Some(Duration::ZERO), memory: None });
    let interrupted = Some(Interrupted::Timeout);
    assert_eq!(exclusive_sets(&net, &spent).err(), interrupted);
    assert_eq!(place_semiflows(&Incidence::new(&net), Default::default(), &spent).err(), interrupted);
    assert_eq!(find_pump(&net, Default::default(), &spent).err(), interrupted);
}
