//! `states` and `deadlock`: figures, witnesses that replay, nets that are not bounded.

use crate::ask::{deadlock, states};
use crate::nets::{HAND_MADE, TINY_NETS, UNBOUNDED, family, loaded, net, tiny_net};
use crate::truth::{fire, initial, truth};
use symbolon_budget::Budget;
use symbolon_checker::{
    Amount, DeadlockOptions, DeadlockReport, Diagram, DiagramKind, EdgesChoice, Event, Job, Loaded, Options,
    Reason, Shape, ShownValue, StateCount, Stop, StrategyChoice, Witness,
};

const STRATEGIES: [StrategyChoice; 3] =
    [StrategyChoice::Bfs, StrategyChoice::Chaining, StrategyChoice::Saturation];

fn finite(number: u64) -> Amount {
    Amount::Finite(number.into())
}

/// The tokens of a place.
fn tokens(value: &ShownValue) -> u64 {
    match value {
        ShownValue::Number(number) => u64::try_from(*number).expect("a number of tokens"),
        other => panic!("{other} is no number of tokens"),
    }
}

/// Walks along a witness by the rule of firing alone and demands that it ends in a deadlock.
fn check_witness(loaded: &Loaded, witness: &Witness, context: &str) {
    let net = loaded.net();
    let index = |name: &str| net.places.iter().position(|place| place.id == name).expect("a place");
    let mut marking = initial(net);
    let mut shown = vec![0; net.places.len()];
    witness.initial.iter().for_each(|(place, value)| shown[index(place)] = tokens(value));
    assert_eq!(shown, marking, "{context}");
    assert_eq!((witness.shape, witness.loop_start), (Shape::Trace, None), "{context}");
    for step in &witness.steps {
        let transition = net.transitions.iter().find(|transition| transition.id == step.event);
        let next = fire(transition.expect("a transition"), &marking).expect("an enabled transition");
        let mut changed = marking.clone();
        for (place, old, new) in &step.changes {
            assert_eq!(tokens(old), marking[index(place)], "{context}");
            assert_ne!(old, new, "{context}");
            changed[index(place)] = tokens(new);
        }
        assert_eq!(changed, next, "{context}: {}", step.event);
        marking = next;
    }
    assert!(net.transitions.iter().all(|t| fire(t, &marking).is_none()), "{context}: it ends in a deadlock");
    // The end is shown in the order of the net, as the beginning is.
    let last = net.places.iter().zip(&marking).filter(|(_, tokens)| **tokens > 0);
    let last: Vec<(String, ShownValue)> =
        last.map(|(place, tokens)| (place.id.clone(), (*tokens).into())).collect();
    assert_eq!(witness.last, last, "{context}");
}

fn found(loaded: &Loaded, options: &Options) -> DeadlockReport {
    match deadlock(loaded, options, &Budget::unlimited()) {
        Ok(report) => report,
        other => panic!("{}: {other:?}", loaded.name()),
    }
}

fn check_deadlock(loaded: &Loaded, options: &Options) {
    let truth = truth(loaded.net(), 100_000).expect("a small net");
    let report = found(loaded, options);
    let context = format!("{} by {}: {report:?}", loaded.name(), report.method);
    assert_eq!(report.deadlock, truth.nearest_dead.is_some(), "{context}");
    assert_eq!(report.witness.is_some(), report.deadlock, "{context}");
    if let Some(count) = &report.dead_states {
        assert_eq!(*count, truth.dead.into(), "{context}");
    }
    if let Some(witness) = &report.witness {
        check_witness(loaded, witness, &context);
        // The layers of nets as small as these are always affordable.
        assert!(witness.shortest, "{context}");
        assert_eq!(Some(witness.steps.len() as u64), truth.nearest_dead, "{context}");
    }
    assert_eq!(report.distance, truth.nearest_dead, "{context}");
}

fn check_states(loaded: &Loaded, options: &Options) {
    let truth = truth(loaded.net(), 100_000).expect("a small net");
    let report = match states(loaded, options, &Budget::unlimited()) {
        Ok(report) => report,
        other => panic!("{}: {other:?}", loaded.name()),
    };
    let context = format!("{}: {report:?}", loaded.name());
    assert_eq!(report.states, StateCount::Finite(truth.distances.len().into()), "{context}");
    let edges = (options.edges != EdgesChoice::No).then(|| finite(truth.edges));
    assert_eq!(
        report.edges,
        if options.diagram == Diagram::Explicit { Some(finite(truth.edges)) } else { edges }
    );
    assert_eq!(report.max_tokens_in_place, Some(finite(truth.most_in_place)), "{context}");
    assert_eq!(report.max_tokens_per_marking, Some(finite(truth.most_per_marking)), "{context}");
    let tells_depth = options.diagram == Diagram::Explicit || options.strategy == StrategyChoice::Bfs;
    let depth = truth.distances.values().max().copied().filter(|_| tells_depth);
    assert_eq!(report.depth, depth, "{context}");
}

fn check_cells(loaded: &Loaded) {
    for strategy in STRATEGIES {
        for edges in [EdgesChoice::Auto, EdgesChoice::Yes, EdgesChoice::No] {
            check_states(loaded, &Options { strategy, edges, ..Options::default() });
        }
        check_deadlock(loaded, &Options { strategy, no_shortcuts: true, ..Options::default() });
    }
    let explicit = Options { diagram: Diagram::Explicit, ..Options::default() };
    check_states(loaded, &explicit);
    check_deadlock(loaded, &explicit);
}

#[test]
fn hand_made_nets_in_every_cell() {
    for (name, text) in HAND_MADE {
        let mut net = net(text);
        net.name = name.into();
        let loaded = loaded(net);
        check_cells(&loaded);
        check_deadlock(&loaded, &Options::default());
    }
}

#[test]
fn families_in_every_cell() {
    for call in
        ["kanban:1", "fms:1", "philosophers:3", "philosophers-left-right:3", "dekker:3", "shared-memory:2"]
    {
        check_cells(&family(call));
    }
}

#[test]
fn tiny_nets_by_diagrams() {
    for number in (7..TINY_NETS).step_by(61) {
        let loaded = loaded(tiny_net(number));
        if truth(loaded.net(), 200).is_some() {
            for strategy in STRATEGIES {
                let options = Options { strategy, no_shortcuts: true, ..Options::default() };
                check_states(&loaded, &options);
                check_deadlock(&loaded, &options);
            }
        }
    }
}

#[test]
fn a_deadlock_of_a_net_that_is_not_bounded() {
    for (name, text) in UNBOUNDED {
        let mut net = net(text);
        net.name = name.into();
        let loaded = loaded(net);
        let place = loaded.unbounded_place().expect(name).to_string();
        for diagram in [Diagram::Auto, Diagram::Kind(DiagramKind::Mdd)] {
            let options = Options { diagram, ..Options::default() };
            match states(&loaded, &options, &Budget::unlimited()) {
                Ok(report) => {
                    assert_eq!(
                        report.states,
                        StateCount::Infinite { why: format!("place '{place}' is unbounded") },
                        "{name}"
                    );
                    assert_eq!(report.edges, Some(Amount::Infinite), "{name}");
                    assert_eq!(report.max_tokens_in_place, Some(Amount::Infinite), "{name}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
        // In two of them the source goes on for ever, so that neither answer can be proved by
        // searching.
        let has_deadlock = text.contains("u: b -> c");
        for no_shortcuts in [false, true] {
            let options = Options { no_shortcuts, ..Options::default() };
            match deadlock(&loaded, &options, &Budget::unlimited()) {
                Ok(report) => {
                    assert!(has_deadlock && report.deadlock, "{name}: {report:?}");
                    check_witness(&loaded, report.witness.as_ref().expect("a witness"), name);
                    if no_shortcuts {
                        assert_eq!(
                            (report.method.as_str(), report.distance),
                            ("explicit", Some(1)),
                            "{name}"
                        );
                    } else {
                        assert_eq!(
                            (report.method.as_str(), report.distance),
                            ("random-walk", None),
                            "{name}"
                        );
                    }
                }
                Err(Stop::Unknown(unknown)) => {
                    assert!(!has_deadlock, "{name}: {unknown:?}");
                    assert_eq!(unknown.reason, Reason::Unbounded, "{name}");
                    assert!(unknown.detail.contains(&place), "{name}: {}", unknown.detail);
                    assert!(unknown.partial.states_at_least > Some(1000_u32.into()), "{name}: {unknown:?}");
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
}

#[test]
fn a_marking_too_large_for_a_state_is_no_answer() {
    // The net is bounded, but the explorers would have to count beyond 2^63 on the way.
    let half = 1_u64 << 62;
    let loaded = loaded(net(&format!("a=1 b={half}\nt: a -> b*{half}")));
    for diagram in [Diagram::Kind(DiagramKind::Mdd), Diagram::Explicit] {
        let options = Options { diagram, ..Options::default() };
        match states(&loaded, &options, &Budget::unlimited()) {
            Err(Stop::Unknown(unknown)) => assert_eq!(unknown.reason, Reason::Overflow),
            other => panic!("{other:?}"),
        }
    }
}

/// Whoever is interrupted while a trace is searched knows that there is a deadlock.
#[test]
fn a_deadlock_is_headings_before_a_trace_is_searched() {
    let loaded = family("philosophers:40");
    let budget = Budget::unlimited();
    let options = Options { no_shortcuts: true, ..Options::default() };
    let cancelled = budget.clone();
    let job = Job::observed_at_changes(budget, move |event| {
        if let Event::Deadlock(report) = event {
            assert!(report.deadlock && report.witness.is_none(), "{report:?}");
            cancelled.cancel();
        }
    });
    let answer = job.deadlock(&loaded, DeadlockOptions::default(), &options);
    let Ok(report) = answer else { panic!("{answer:?}") };
    assert!(report.deadlock && report.witness.is_none());
    assert_eq!(report.no_witness.as_deref(), Some("interrupted"));
    assert_eq!(report.dead_states, Some(2_u64.into()));
}
