//! Nets without colours do whatever coloured nets do, and decide what they claim to decide.

use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::{
    Arc, Class, Domain, Guard, MemberTerm, MultisetTerm, Net, Relation, Skeleton, Transition, UnfoldLimits,
    Unfolded, strip, unfold,
};
use symbolon_explicit::{Options, explore};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{PlaceId, TransitionId, lower};
use symbolon_testkit::{corpus_folder, random_coloured_net, seeds};

/// Nets with more markings than this are not compared.
const MOST_MARKINGS: usize = 400;

/// What was seen of random nets, so that a test that sees nothing fails.
#[derive(Default, Debug)]
struct Seen {
    nets: u64,
    without_drains: u64,
    steps: u64,
    decided: u64,
    bounds: u64,
    dead: u64,
}

fn totals(net: &Net, unfolded: &Unfolded, marking: &[u64]) -> Vec<u64> {
    let total = |place| unfolded.places_of(place).map(|instance| marking[instance as usize]).sum();
    net.place_ids().map(total).collect()
}

/// The places that have drains.
fn drained(skeleton: &Skeleton) -> Vec<bool> {
    let mut is_drained = vec![false; skeleton.net.places.len()];
    for drain in &skeleton.net.transitions[skeleton.transition_count()..] {
        let mut accesses = drain.accesses();
        let access = accesses.next().expect("a drain takes a token");
        assert_eq!((access.at_least, access.least_taken(), access.put()), (1, 1, 0));
        assert_eq!(accesses.next(), None);
        is_drained[access.place.index()] = true;
    }
    is_drained
}

/// Compares a net with its skeleton, state by state; `None` if it has too many states.
fn check(net: &Net, seen: &mut Seen) -> Option<()> {
    let budget = Budget::unlimited();
    let unfolded = unfold(net, UnfoldLimits::default(), &budget).ok()?;
    let found =
        explore(&lower(&unfolded.net), &Options { state_limit: Some(MOST_MARKINGS) }, &budget).ok()?;
    let skeleton = strip(net).expect("numbers are small");
    assert_eq!(skeleton.net.check(), Ok(()));
    assert_eq!(skeleton.transition_count(), net.transitions.len());
    let is_drained = drained(&skeleton);
    let initial: Vec<u64> = unfolded.net.places.iter().map(|place| place.initial).collect();
    let stripped: Vec<u64> = skeleton.net.places.iter().map(|place| place.initial).collect();
    assert_eq!(totals(net, &unfolded, &initial), stripped, "initial totals");

    let analysis = analyse(&skeleton.net, &AnalysisOptions::thorough(), &budget).expect("unlimited");
    for state in found.states() {
        let before = totals(net, &unfolded, &state);
        let mut can_fire = vec![false; net.transitions.len()];
        for number in 0..unfolded.net.transitions.len() as u32 {
            let mut after = state.to_vec();
            if !unfolded.net.transitions[number as usize].fire(&mut after) {
                continue;
            }
            seen.steps += 1;
            let (coloured, _) = unfolded.transition_and_binding(TransitionId(number));
            can_fire[coloured.index()] = true;
            let after = totals(net, &unfolded, &after);
            let mut reached = before.clone();
            assert!(skeleton.net.transitions[coloured.index()].fire(&mut reached), "COL-S2 at {before:?}");
            for place in 0..after.len() {
                assert!(reached[place] >= after[place], "COL-S1: place {place}, {before:?} to {after:?}");
                assert!(
                    is_drained[place] || reached[place] == after[place],
                    "COL-S1: place {place} has no drain, {before:?} to {after:?}",
                );
            }
        }
        for transition in net.transition_ids() {
            if skeleton.decides(transition) {
                seen.decided += 1;
                let is_enabled = skeleton.net.transitions[transition.index()].is_enabled(&before);
                assert_eq!(is_enabled, can_fire[transition.index()], "COL-S3 at {before:?}");
            }
        }
        // What is proved of the skeleton holds of the totals.
        for (tokens, bound) in before.iter().zip(&analysis.upper_bounds) {
            assert!(bound.is_none_or(|bound| *tokens <= bound), "a bound, at {before:?}");
        }
        for invariant in &analysis.invariants {
            let sum = invariant.terms.iter().map(|(place, weight)| before[place.index()] * weight);
            assert_eq!(sum.sum::<u64>(), invariant.value, "an invariant, at {before:?}");
        }
        for (can, is_dead) in can_fire.iter().zip(analysis.dead.transition_flags(&skeleton.net)) {
            assert!(!(*can && is_dead), "a dead transition fires at {before:?}");
        }
    }
    seen.nets += 1;
    seen.without_drains += u64::from(is_drained.iter().all(|drained| !drained));
    seen.bounds += analysis.upper_bounds.iter().flatten().count() as u64;
    let dead = analysis.dead.transitions.iter().filter(|dead| dead.index() < net.transitions.len());
    seen.dead += dead.count() as u64;
    Some(())
}

#[test]
fn skeletons_of_random_nets_do_what_the_nets_do() {
    let mut seen = Seen::default();
    let all = seeds(3000).filter(|&seed| check(&random_coloured_net(seed), &mut seen).is_none()).count()
        as u64
        + seen.nets;
    println!("of {all} nets: {seen:?}");
    if all > 100 {
        assert!(seen.nets * 10 >= all * 6, "{seen:?}");
        assert!(seen.without_drains * 5 >= seen.nets, "{seen:?}");
        assert!(seen.decided > 1000 && seen.bounds > 1000 && seen.dead > 10, "{seen:?}");
    }
}

/// A net with a class of three colours, a place that holds all of them, and a transition.
fn with_transition(guard: Guard, arcs: impl FnOnce(Parts) -> Vec<Arc>) -> Skeleton {
    let mut net = Net::default();
    let class = net.add_class(Class::range("C", 1, 3));
    let (x, y) = (net.add_variable("x", class), net.add_variable("y", class));
    let domain = Domain::of(class);
    let all = MultisetTerm::All(domain.clone());
    let place = net.add_place("p", domain, all.clone());
    let (x, y) = (MemberTerm::variable(x), MemberTerm::variable(y));
    let parts = Parts { place, all, x: MultisetTerm::Member(x), y: MultisetTerm::Member(y) };
    net.add_transition(Transition::new("t", guard, arcs(parts)));
    let skeleton = strip(&net).expect("numbers are small");
    check(&net, &mut Seen::default()).expect("it is small");
    skeleton
}

struct Parts {
    place: symbolon_coloured::PlaceId,
    all: MultisetTerm,
    x: MultisetTerm,
    y: MultisetTerm,
}

const P: PlaceId = PlaceId(0);

fn arcs_of(skeleton: &Skeleton) -> &[symbolon_petri::Arc] {
    &skeleton.net.transitions[0].arcs
}

#[test]
fn all_but_one_is_an_exact_number() {
    let skeleton = with_transition(Guard::Constant(true), |Parts { place, all, x, .. }| {
        vec![Arc::Input { place, tokens: all.minus(x) }]
    });
    assert_eq!(arcs_of(&skeleton), [symbolon_petri::Arc::Input { place: P, weight: 2 }]);
    assert_eq!(skeleton.net.transitions.len(), 1, "no drain");
}

#[test]
fn a_difference_that_may_be_empty_needs_a_drain() {
    let skeleton = with_transition(Guard::Constant(true), |Parts { place, x, y, .. }| {
        vec![Arc::Input { place, tokens: x.minus(y) }]
    });
    assert_eq!(arcs_of(&skeleton), []);
    assert_eq!(skeleton.net.transitions.len(), 2, "a drain");
}

#[test]
fn unequal_variables_make_a_sum_of_distinct_colours() {
    let (x, y) = (symbolon_coloured::VariableId(0), symbolon_coloured::VariableId(1));
    let guard =
        |relation| Guard::Compare { left: MemberTerm::variable(y), relation, right: MemberTerm::variable(x) };
    let arcs = |Parts { place, all, x, y }: Parts| vec![Arc::Input { place, tokens: all.minus(x.plus(y)) }];
    let exact = with_transition(guard(Relation::Unequal), arcs);
    assert_eq!(arcs_of(&exact), [symbolon_petri::Arc::Input { place: P, weight: 1 }]);
    assert_eq!(exact.net.transitions.len(), 1, "no drain");
    for guard in [Guard::Constant(true), guard(Relation::LessOrEqual), guard(Relation::Equal)] {
        let inexact = with_transition(guard, arcs);
        assert_eq!(inexact.net.transitions.len(), 2, "a drain");
    }
}

#[test]
fn inhibitors_and_resets_are_kept_where_every_colour_occurs() {
    let skeleton = with_transition(Guard::Constant(true), |Parts { place, all, x, .. }| {
        vec![
            Arc::Inhibitor { place, tokens: all.clone().times(2).plus(x) },
            Arc::Reset { place, tokens: all },
        ]
    });
    // Of one colour at most two tokens, of the others at most one.
    let inhibitor = symbolon_petri::Arc::Inhibitor { place: P, weight: 5 };
    assert_eq!(arcs_of(&skeleton), [inhibitor, symbolon_petri::Arc::Reset { place: P }]);
    let skeleton = with_transition(Guard::Constant(true), |Parts { place, x, .. }| {
        vec![Arc::Inhibitor { place, tokens: x.clone() }, Arc::Reset { place, tokens: x }]
    });
    assert_eq!(arcs_of(&skeleton), []);
    assert_eq!(skeleton.net.transitions.len(), 2, "a drain");
}

#[test]
fn what_is_given_back_cancels_whatever_it_is() {
    let skeleton = with_transition(Guard::Constant(true), |Parts { place, x, y, .. }| {
        let tokens = x.minus(y);
        vec![Arc::Input { place, tokens: tokens.clone() }, Arc::Output { place, tokens }]
    });
    assert_eq!(skeleton.net.transitions.len(), 1, "no drain");
}

#[test]
fn a_token_of_any_colour_decides() {
    let of = |guard, twice: bool| {
        with_transition(guard, |Parts { place, x, y, .. }| {
            vec![Arc::Input { place, tokens: if twice { x.plus(y) } else { x } }]
        })
    };
    let decides = |skeleton: &Skeleton| skeleton.decides(symbolon_coloured::TransitionId(0));
    assert!(decides(&of(Guard::Constant(true), false)));
    assert!(!decides(&of(Guard::Constant(false), false)));
    assert!(!decides(&of(Guard::Constant(true), true)));
}

#[test]
fn public_nets_are_stripped() {
    let Some(folder) = corpus_folder("skeletons of coloured nets") else { return };
    let mut stripped = 0;
    for entry in std::fs::read_dir(folder.join("mcc")).expect("the contest's nets are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.contains("-COL-") {
            continue;
        }
        let bytes = std::fs::read(entry.path().join("model.pnml")).expect("the file can be read");
        let net = read_pnml(&bytes, &Budget::unlimited()).expect("it is read").net;
        let skeleton = strip(&net).unwrap_or_else(|| panic!("{name} has no skeleton"));
        assert_eq!(skeleton.net.check(), Ok(()), "{name}");
        let drains = skeleton.net.transitions.len() - skeleton.transition_count();
        let decided = net.transition_ids().filter(|&transition| skeleton.decides(transition)).count();
        println!("{name}: {drains} drains, {decided} of {} decided", net.transitions.len());
        assert_eq!(drains, 0, "{name}");
        stripped += 1;
    }
    assert_eq!(stripped, 55);
}
