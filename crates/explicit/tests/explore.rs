//! The explorer against models whose state spaces can be counted by hand.

use std::collections::BTreeSet;
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_explicit::{Exploration, Options, Reason, ReplayError, Trace, explore, find, replay};
use symbolon_model::{Change, Event, EventId, Expr, Model, Part, Predicate, Variable, VariableId};

fn local(variable: u32, at_least: u64, change: i64) -> Part {
    Part::Local { variable: VariableId(variable), at_least, at_most: u64::MAX, change: Change::Add(change) }
}

fn model(variable_count: usize, initial: &[&[u64]], events: Vec<Vec<Part>>) -> Model {
    let name = |(index, parts)| Event { name: format!("e{index}"), parts };
    Model {
        name: "test".into(),
        variables: (0..variable_count).map(|v| Variable { name: format!("v{v}") }).collect(),
        initial: initial.iter().map(|&state| state.into()).collect(),
        events: events.into_iter().enumerate().map(name).collect(),
        ..Model::default()
    }
}

/// Tokens move one by one from the first variable along a line to the last.
fn line(variable_count: u32, tokens: u64) -> Model {
    let mut initial = vec![0; variable_count as usize];
    initial[0] = tokens;
    let events = (1..variable_count).map(|v| vec![local(v - 1, 1, -1), local(v, 0, 1)]).collect();
    model(variable_count as usize, &[&initial], events)
}

fn all(model: &Model) -> Exploration {
    explore(model, &Options::default(), &Budget::unlimited()).expect("nothing is limited")
}

/// What is known of a model by counting.
struct Known {
    states: usize,
    edges: u64,
    depth: usize,
    dead: usize,
    max_in_variable: u64,
    max_sum: u128,
    constant: &'static [u32],
    quasi_live: &'static [u32],
    live: &'static [u32],
}

fn check(name: &str, model: &Model, known: &Known) {
    let found = all(model);
    assert_eq!(found.state_count(), known.states, "{name}: states");
    assert_eq!(found.edge_count(), known.edges, "{name}: edges");
    assert_eq!(found.depth(), known.depth, "{name}: depth");
    assert_eq!(found.dead_states().len(), known.dead, "{name}: dead states");
    assert_eq!(found.max_in_variable(), known.max_in_variable, "{name}: max in variable");
    assert_eq!(found.max_sum(), known.max_sum, "{name}: max sum");
    let constant: Vec<_> = found.constant_variables().iter().map(|v| v.0).collect();
    assert_eq!(constant, known.constant, "{name}: constant variables");
    let quasi_live: Vec<_> = found.quasi_live_events().iter().map(|e| e.0).collect();
    assert_eq!(quasi_live, known.quasi_live, "{name}: quasi-live events");
    let live = found.live_events(model, &Budget::unlimited()).expect("nothing is limited");
    let live: Vec<_> = live.iter().map(|e| e.0).collect();
    assert_eq!(live, known.live, "{name}: live events");

    // Invariants EXPLICIT-X1 and EXPLICIT-X2, and that every trace is a run of the right length.
    let distinct: BTreeSet<_> = found.states().collect();
    assert_eq!(distinct.len(), found.state_count(), "{name}: EXPLICIT-X2");
    for (number, state) in found.states().enumerate() {
        assert_eq!(found.position(&state), Some(number), "{name}: {state:?}");
        let trace = found.trace_to(number);
        assert_eq!(trace.events.len(), found.distance(number), "{name}: distance of {state:?}");
        let states = replay(model, &trace).expect("a trace can be replayed");
        assert_eq!(states.last(), Some(&state), "{name}: the trace ends where it should");
    }
    let distances: Vec<_> = (0..found.state_count()).map(|n| found.distance(n)).collect();
    assert!(distances.is_sorted(), "{name}: EXPLICIT-X1");
    assert_eq!(distances.last(), Some(&found.depth()), "{name}: depth");
}

#[test]
fn small_models_are_counted_right() {
    // Two tokens on a line of three: a+b+c = 2.
    check(
        "line",
        &line(3, 2),
        &Known {
            states: 6,
            edges: 6,
            depth: 4,
            dead: 1,
            max_in_variable: 2,
            max_sum: 2,
            constant: &[],
            quasi_live: &[0, 1],
            live: &[],
        },
    );
    // A token that goes round, one event that is never enabled, and a variable nobody touches.
    let ring = model(
        3,
        &[&[1, 0, 7]],
        vec![
            vec![local(0, 1, -1), local(1, 0, 1)],
            vec![local(1, 1, -1), local(0, 0, 1)],
            vec![local(0, 2, -2)],
        ],
    );
    check(
        "ring",
        &ring,
        &Known {
            states: 2,
            edges: 2,
            depth: 1,
            dead: 0,
            max_in_variable: 7,
            max_sum: 8,
            constant: &[2],
            quasi_live: &[0, 1],
            live: &[0, 1],
        },
    );
    // A choice between two loops that are never left: e2 turns in one, e3 in the other, e4 in both.
    let choice = model(
        3,
        &[&[1, 0, 0]],
        vec![
            vec![local(0, 1, -1), local(1, 0, 1)],
            vec![local(0, 1, -1), local(2, 0, 1)],
            vec![local(1, 1, 0)],
            vec![local(2, 1, 0)],
            vec![Part::Local { variable: VariableId(0), at_least: 0, at_most: 0, change: Change::Add(0) }],
        ],
    );
    check(
        "choice",
        &choice,
        &Known {
            states: 3,
            edges: 6,
            depth: 1,
            dead: 0,
            max_in_variable: 1,
            max_sum: 1,
            constant: &[],
            quasi_live: &[0, 1, 2, 3, 4],
            live: &[4],
        },
    );
    // Two initial states, one given twice, of which neither reaches the other.
    let events = vec![vec![local(0, 1, -1)]];
    check(
        "several initial states",
        &model(2, &[&[1, 5], &[2, 300], &[1, 5]], events),
        &Known {
            states: 5,
            edges: 3,
            depth: 2,
            dead: 2,
            max_in_variable: 300,
            max_sum: 302,
            constant: &[],
            quasi_live: &[0],
            live: &[],
        },
    );
    // No variables, no events.
    check(
        "nothing",
        &model(0, &[&[]], vec![]),
        &Known {
            states: 1,
            edges: 0,
            depth: 0,
            dead: 1,
            max_in_variable: 0,
            max_sum: 0,
            constant: &[],
            quasi_live: &[],
            live: &[],
        },
    );
}

#[test]
fn general_parts_read_the_old_state() {
    let fibonacci = vec![Part::General {
        guard: Box::new(Predicate::Not(Box::new(Predicate::Compare(
            Expr::Variable(VariableId(1)),
            symbolon_model::Comparison::Greater,
            Expr::Constant(100_000),
        )))),
        updates: vec![
            (VariableId(0), Expr::Variable(VariableId(1))),
            (VariableId(1), Expr::Sum(vec![Expr::Variable(VariableId(0)), Expr::Variable(VariableId(1))])),
        ],
    }];
    let found = all(&model(2, &[&[0, 1]], vec![fibonacci]));
    assert_eq!(found.state(found.state_count() - 1), [75_025, 121_393].into());
    assert_eq!(found.variable_maxima(), [75_025, 121_393]);
}

#[test]
fn the_first_wanted_state_ends_a_search() {
    let model = line(4, 3);
    let limit = Options { state_limit: Some(20) };
    let wanted = |state: &[u64]| state[2] == 2;
    let trace = find(&model, &limit, &Budget::unlimited(), wanted).unwrap().expect("it can be reached");
    assert_eq!(trace.events.len(), 4);
    assert!(replay(&model, &trace).unwrap().last().is_some_and(|state| wanted(state)));
    assert_eq!(all(&model).shortest_trace(wanted), Some(trace));
    let never = find(&model, &limit, &Budget::unlimited(), |state| state[3] > 3);
    assert_eq!(never, Ok(None));
    let at_once = find(&model, &limit, &Budget::unlimited(), |state| state[0] == 3);
    assert_eq!(at_once, Ok(Some(Trace { initial: [3, 0, 0, 0].into(), events: vec![] })));
}

#[test]
fn limits_stop_an_exploration() {
    let counter = model(1, &[&[0]], vec![vec![local(0, 0, 1)]]);
    let stopped = |options: Options, budget: &Budget| {
        let stopped = explore(&counter, &options, budget).expect_err("a counter never ends");
        (stopped.reason, stopped.states)
    };
    let unlimited = Budget::unlimited();
    assert_eq!(stopped(Options { state_limit: Some(100) }, &unlimited), (Reason::StateLimit, 101));
    let little = Budget::new(Limits { time: None, memory: Some(1 << 24) });
    let (reason, states) = stopped(Options::default(), &little);
    assert_eq!(reason, Reason::Interrupted(Interrupted::Memory));
    assert!(states > 1000 && little.memory().charged() == 0);
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(stopped(Options::default(), &cancelled).0, Reason::Interrupted(Interrupted::Cancelled));

    let exact = explore(&line(2, 9), &Options { state_limit: Some(10) }, &unlimited);
    assert_eq!(exact.map(|found| found.state_count()), Ok(10), "a limit that is just kept");

    let full = model(1, &[&[i64::MAX as u64 - 1]], vec![vec![local(0, 0, 1)]]);
    let stopped = explore(&full, &Options::default(), &unlimited).expect_err("too large");
    assert_eq!(stopped.reason, Reason::Overflow { event: EventId(0), variable: VariableId(0) });
    assert_eq!(stopped.states, 2);
}

#[test]
fn replay_refuses_what_is_no_run() {
    let model = line(3, 1);
    let start: Box<[u64]> = [1, 0, 0].into();
    let run = |initial: &[u64], events: &[u32]| {
        let events = events.iter().map(|&event| EventId(event)).collect();
        replay(&model, &Trace { initial: initial.into(), events })
    };
    assert_eq!(run(&start, &[0, 1]), Ok(vec![start.clone(), [0, 1, 0].into(), [0, 0, 1].into()]));
    assert_eq!(run(&[0, 1, 0], &[1]), Err(ReplayError::NotInitial));
    assert_eq!(run(&[1, 0], &[0]), Err(ReplayError::NotInitial));
    assert_eq!(run(&start, &[0, 0]), Err(ReplayError::NotEnabled { step: 1, event: EventId(0) }));
    assert_eq!(run(&start, &[0, 2]), Err(ReplayError::UnknownEvent { step: 1 }));
}
