//! Every transformation of nets does what it claims: on random nets, each claim is compared with
//! explicit search on the original, and lifted runs are replayed there.
//!
//! `SYMBOLON_SEED=n` runs one seed alone, `SYMBOLON_TIMES=20` twenty times as many.

use num_bigint::BigUint;
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Exploration, Options, check, explore, replay};
use symbolon_logic::Paths;
use symbolon_model::{Atom, EventId, Linear, Model, State, VariableId};
use symbolon_petri::analysis::{dead_parts, redundant_parts};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::transform::{MOST_TRANSITIONS, drop_dead_parts, drop_redundant_parts, to_safe_net};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, lower};
use symbolon_reduction::{Atoms, Claim, Reduction, Scope};
use symbolon_testkit::{Logic, RandomNumbers, random_atom, random_formula, random_net, seeds};

fn all_states(model: &Model) -> Exploration {
    let options = Options { state_limit: Some(20_000) };
    explore(model, &options, &Budget::unlimited()).expect("random nets are small")
}

/// A random net with parts that can be left out: dead ones, equal ones, constant ones, implied
/// ones.
fn net_with_needless_parts(seed: u64) -> Net {
    let mut net = random_net(seed);
    let mut numbers = RandomNumbers::new(seed ^ 0x0bad_cafe);
    let place = |net: &mut Net, initial| {
        let id = PlaceId(net.places.len() as u32);
        net.places.push(Place { id: format!("extra{}", id.0), label: None, initial });
        id
    };
    if numbers.percent(50) {
        // A copy of a transition.
        let original = numbers.one_of(&net.transitions).clone();
        net.transitions.push(Transition { id: "copy".into(), ..original });
    }
    if numbers.percent(50) {
        // A constant that some transitions ask for, sometimes for too much of it.
        let constant = place(&mut net, numbers.between(1, 2));
        for transition in &mut net.transitions {
            match numbers.below(8) {
                0 => transition.add(Arc::Read { place: constant, weight: numbers.between(1, 2) }),
                1 => transition.add(Arc::Inhibitor { place: constant, weight: numbers.between(2, 3) }),
                2 => {
                    transition.add(Arc::Input { place: constant, weight: 1 });
                    transition.add(Arc::Output { place: constant, weight: 1 });
                }
                _ => {}
            }
        }
    }
    if numbers.percent(50) {
        // A place that does what another one does, with more tokens.
        let by = PlaceId(numbers.below(net.places.len() as u64) as u32);
        let surplus = numbers.below(3);
        let initial = net.places[by.index()].initial + surplus;
        let implied = place(&mut net, initial);
        for transition in &mut net.transitions {
            let copies: Vec<Arc> = transition.arcs.iter().copied().filter(|arc| arc.place() == by).collect();
            for arc in copies {
                match arc {
                    Arc::Input { .. } | Arc::Output { .. } | Arc::Reset { .. } => {
                        transition.add(arc.at(implied))
                    }
                    Arc::Read { .. } if numbers.percent(50) => transition.add(arc.at(implied)),
                    Arc::Read { .. } | Arc::Inhibitor { .. } => {}
                }
            }
        }
    }
    if numbers.percent(50) {
        // A place that never has a token, and what needs one there.
        let empty = place(&mut net, 0);
        let mut dead = numbers.one_of(&net.transitions).clone();
        dead.id = "dead".into();
        dead.add(Arc::Input { place: empty, weight: 1 });
        net.transitions.push(dead);
        net.transitions[0].add(Arc::Inhibitor { place: empty, weight: 1 });
        net.transitions[0].add(Arc::Reset { place: empty });
    }
    net
}

/// The reductions of a net, alone and one after the other, with their names.
fn reductions(net: &Net, bounds: &[u64]) -> Vec<(&'static str, Reduction<Net>)> {
    let dead = |net: &Net| drop_dead_parts(net, &dead_parts(net, &[]));
    let redundant = |net: &Net| drop_redundant_parts(net, &redundant_parts(net, &Incidence::new(net)));
    let safe = |net: &Net, bounds: &[u64]| {
        to_safe_net(net, bounds, MOST_TRANSITIONS, &Budget::unlimited()).expect("bounds are small")
    };
    let first = dead(net);
    let second = redundant(&first.result);
    let both = first.then(second);
    let bounds_of_both: Vec<u64> = all_states(&lower(&both.result)).variable_maxima().to_vec();
    let all = both.then(safe(&both.result, &bounds_of_both));
    vec![
        ("dead parts", dead(net)),
        ("redundant parts", redundant(net)),
        ("safe net", safe(net, bounds)),
        ("dead, then redundant parts", both),
        ("all three", all),
    ]
}

/// Checks every claim of a reduction; `context` names the case.
fn check_reduction(
    original: &Model,
    found: &Exploration,
    reduction: &Reduction<Net>,
    seed: u64,
    context: &str,
) {
    assert_eq!(reduction.result.check(), Ok(()), "{context}");
    let result = lower(&reduction.result);
    let reduced = all_states(&result);
    let Reduction { preserves, lift, weigh, .. } = reduction;
    assert_eq!(
        (weigh.variable_count(), weigh.event_count()),
        (original.variables.len(), original.events.len())
    );

    // RED-2 and RED-3, state by state.
    let mut lifted: BTreeSet<State> = BTreeSet::new();
    for state in reduced.states() {
        let before = lift.state(&state);
        assert!(found.contains(&before), "{context}: {state:?} stands for {before:?}");
        for variable in original.variable_ids() {
            let read = weigh.sum(&Linear::variable(variable)).expect("every place reads");
            assert_eq!(read.value(&state), i128::from(before[variable.index()]), "{context}");
        }
        for event in original.event_ids() {
            let read = weigh.fireable(event).expect("every transition reads");
            let expected = original.event(event).is_enabled(&before);
            assert_eq!(read.holds(&result, &state), Some(expected), "{context}: {event:?} in {before:?}");
        }
        lifted.insert(before);
    }

    // Figures.
    let sum =
        |weight: &dyn Fn(&[u64]) -> BigUint| reduced.states().map(|state| weight(&state)).sum::<BigUint>();
    assert!(preserves.claims(Claim::StateCount) && preserves.claims(Claim::EdgeCount));
    assert_eq!(sum(&|state| weigh.states(state)), BigUint::from(found.state_count()), "{context}: states");
    assert_eq!(lifted.len(), found.state_count(), "{context}: all states are stood for");
    let edges = |state: &[u64]| weigh.edges(state, &|event: EventId| result.event(event).is_enabled(state));
    assert_eq!(sum(&edges), BigUint::from(found.edge_count()), "{context}: edges");
    if weigh.counts_events() {
        assert_eq!(reduced.edge_count(), found.edge_count(), "{context}: edges are events");
    }
    let largest = |sum: &Linear| reduced.states().map(|state| sum.value(&state)).max().unwrap_or(0);
    let of_variables: Vec<i128> = original
        .variable_ids()
        .map(|variable| largest(&weigh.sum(&Linear::variable(variable)).expect("it reads")))
        .collect();
    assert!(preserves.claims(Claim::LargestValue) && preserves.claims(Claim::LargestSum));
    assert!(preserves.claims_for(Claim::Bounds, &Atoms { variables: Scope::All, ..Atoms::all() }));
    assert_eq!(
        of_variables,
        found.variable_maxima().iter().map(|&m| i128::from(m)).collect::<Vec<_>>(),
        "{context}"
    );
    let all = Linear { terms: original.variable_ids().map(|variable| (variable, 1)).collect(), constant: 0 };
    let total = largest(&weigh.sum(&all).expect("it reads"));
    assert_eq!(total as u128, found.max_sum(), "{context}: the largest marking");

    // Questions.
    assert!(preserves.claims(Claim::Deadlock) && preserves.claims(Claim::ShortestRuns));
    assert_eq!(reduced.dead_states().len(), found.dead_states().len(), "{context}: dead states");
    let budget = Budget::unlimited();
    let live = found.live_events(original, &budget).expect("small");
    let live_in_result = reduced.live_events(&result, &budget).expect("small");
    let (quasi_live, quasi_live_in_result) = (found.quasi_live_events(), reduced.quasi_live_events());
    for event in original.event_ids() {
        let read = weigh.fireable(event).expect("it reads");
        let Atom::Fireable(copies) = &read else {
            panic!("{context}: copies of a transition are transitions")
        };
        let is_quasi_live = copies.iter().any(|copy| quasi_live_in_result.contains(copy));
        assert_eq!(is_quasi_live, quasi_live.contains(&event), "{context}: {event:?}");
        // A single copy is live if and only if the transition is; several are live together or not
        // at all.
        if let [copy] = copies[..] {
            assert_eq!(live_in_result.contains(&copy), live.contains(&event), "{context}: {event:?}");
        }
    }

    // Runs: to the farthest state, to a dead one, and to states of a random atom.
    let mut targets = vec![reduced.state_count() - 1];
    targets.extend(reduced.dead_states().first());
    for target in targets {
        let run = reduced.trace_to(target);
        let lifted = lift.run(&run).expect("every run lifts");
        let states = replay(original, &lifted.run).unwrap_or_else(|why| panic!("{context}: {why}"));
        assert_eq!(states.len(), lifted.run.events.len() + 1);
        assert_eq!(states.last(), Some(&lift.state(&reduced.state(target))), "{context}");
        let number = found.position(&states[states.len() - 1]).expect("it is reachable");
        assert_eq!(found.distance(number), lifted.run.events.len(), "{context}: a shortest run stays one");
    }

    // Formulas, under every path semantics, with and without fairness.
    let options = CheckOptions::default();
    for (index, logic) in Logic::ALL.into_iter().enumerate() {
        let formula = random_formula(original, logic, 8, seed.wrapping_add(index as u64));
        let constraint = random_atom(original, seed.wrapping_add(index as u64));
        for paths in Paths::ALL {
            let is_fair = paths == Paths::Infinite;
            let read = reduction.read_formula(&formula, paths, is_fair).expect("everything is claimed");
            let fairness = if is_fair { vec![constraint.clone()] } else { Vec::new() };
            let read_fairness: Vec<_> = fairness
                .iter()
                .map(|one| reduction.read_formula(one, paths, is_fair).expect("everything is claimed"))
                .collect();
            let verdict =
                check(original, &formula, paths, &fairness, &options, &budget).expect("small").holds();
            let of_result = check(&result, &read, paths, &read_fairness, &options, &budget).expect("small");
            assert_eq!(of_result.holds(), verdict, "{context}: {formula:?} under {paths}");
        }
    }
}

#[test]
fn reductions_preserve_what_they_claim_and_lift_runs() {
    let (mut smaller, mut merged, mut safer) = (0, 0, 0);
    for seed in seeds(40) {
        let net = net_with_needless_parts(seed);
        let model = lower(&net);
        let found = all_states(&model);
        for (name, reduction) in reductions(&net, found.variable_maxima()) {
            let context = format!("SYMBOLON_SEED={seed}, {name}");
            check_reduction(&model, &found, &reduction, seed, &context);
            smaller += u32::from(reduction.result.places.len() < net.places.len());
            merged += u32::from(!reduction.weigh.counts_events());
            safer += u32::from(found.max_in_variable() > 1 && name == "safe net");
        }
    }
    let is_one = std::env::var("SYMBOLON_SEED").is_ok();
    assert!(is_one || (smaller > 50 && merged > 20 && safer > 8), "{smaller} {merged} {safer}");
}

#[test]
fn constants_and_implied_places_read_as_sums() {
    let net = Net {
        places: vec![
            Place { id: "p".into(), initial: 1, ..Place::default() },
            Place { id: "more".into(), initial: 3, ..Place::default() },
            Place { id: "constant".into(), initial: 2, ..Place::default() },
        ],
        transitions: vec![
            Transition::moving("take", [(PlaceId(0), 1), (PlaceId(1), 1)], []),
            Transition::moving("same", [(PlaceId(0), 1), (PlaceId(1), 1)], []),
            Transition::new("never", vec![Arc::Read { place: PlaceId(2), weight: 3 }]),
        ],
        ..Net::default()
    };
    let reduction = drop_redundant_parts(&net, &redundant_parts(&net, &Incidence::new(&net)));
    assert_eq!((reduction.result.places.len(), reduction.result.transitions.len()), (1, 1));
    let sum = |place| reduction.weigh.sum(&Linear::variable(VariableId(place)));
    assert_eq!(sum(0), Some(Linear::variable(VariableId(0))));
    assert_eq!(sum(1), Some(Linear { terms: vec![(VariableId(0), 1)], constant: 2 }));
    assert_eq!(sum(2), Some(Linear::constant(2)));
    assert_eq!(reduction.weigh.fireable(EventId(1)), Some(Atom::Fireable(vec![EventId(0)])));
    assert_eq!(reduction.weigh.fireable(EventId(2)), Some(Atom::Fireable(Vec::new())));
    assert_eq!(*reduction.lift.state(&[1]), [1, 3, 2]);
}
