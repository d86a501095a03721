//! Random models against breadth-first search.
//!
//! Bounded nets with and without facts, several initial states, nets with unbounded places, and models whose parts are
//! expressions. Every semantics must find what lies within the bound and nothing that cannot be reached; one event a step
//! must find exactly the distance; induction must never prove what a search refutes.

use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_model::{Change, Comparison, Event, Expr, Model, Part, Predicate, State, Variable, VariableId};
use symbolon_petri::{Net, Place, PlaceId, Transition, analysis, lower, lower_with};
use symbolon_sat::{Goal, NormalForms, Options, Outcome, Proof, Semantics, prove, search};
use symbolon_testkit::{RandomNumbers, random_model, random_net, seeds};

const ALL: [Semantics; 3] = [Semantics::Interleaving, Semantics::Step, Semantics::Chained];

/// The distances of all states up to `depth`, and whether there are no others.
struct Reference {
    distances: BTreeMap<State, usize>,
    is_complete: bool,
}

/// Breadth-first search, unless there are more than `limit` states or a value leaves the range.
fn reference(model: &Model, depth: usize, limit: usize) -> Option<Reference> {
    let mut distances: BTreeMap<State, usize> =
        model.initial.iter().map(|state| (state.clone(), 0)).collect();
    let mut layer: Vec<State> = distances.keys().cloned().collect();
    for distance in 1..=depth {
        if layer.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for state in layer {
            for event in &model.events {
                if let Some(after) = event.fire(&state).ok()?
                    && !distances.contains_key(&after)
                {
                    distances.insert(after.clone(), distance);
                    next.push(after);
                }
            }
        }
        if distances.len() > limit {
            return None;
        }
        layer = next;
    }
    Some(Reference { distances, is_complete: layer.is_empty() })
}

/// How often each outcome was seen.
#[derive(Debug, Default)]
struct Seen {
    found: u64,
    none: u64,
    proved: u64,
}

/// Asks for `goal` within `bound` in every semantics and compares with the distances.
fn check(model: &Model, goal: &Goal, bound: usize, reference: &Reference, seen: &mut Seen) {
    let goals = reference.distances.iter().filter(|(state, _)| goal.contains(model, state));
    let distance = goals.map(|(_, distance)| *distance).min();
    for semantics in ALL {
        for normal_forms in [NormalForms::On, NormalForms::Off] {
            let options = Options { semantics, bound: Some(bound), normal_forms, ..Options::default() };
            let case = format!("{} {goal:?} {options:?}, at distance {distance:?}", model.name);
            let report = search(model, goal, &options, &Budget::unlimited())
                .unwrap_or_else(|stopped| panic!("{case}: {stopped}"));
            match report.outcome {
                Outcome::Found(found) => {
                    seen.found += 1;
                    let length = found.trace.events.len();
                    assert!(found.steps <= bound, "{case}");
                    // Within the bound the reference knows whether there is one; beyond it only if it is complete.
                    match distance {
                        Some(distance) => {
                            assert!(length >= distance, "{case}: {length} events");
                            assert!(found.steps <= distance, "{case}: {} steps", found.steps);
                            assert!(!found.is_shortest || length == distance, "{case}: {length} events");
                        }
                        None => assert!(!reference.is_complete, "{case}: found"),
                    }
                    if semantics == Semantics::Interleaving {
                        assert_eq!(Some(found.steps), distance, "{case}");
                        assert_eq!(found.steps, length, "{case}");
                    }
                }
                Outcome::NoneWithin(steps) => {
                    seen.none += 1;
                    assert_eq!(steps, bound, "{case}");
                    assert!(distance.is_none_or(|distance| distance > bound), "{case}: nothing found");
                }
                Outcome::Unreachable(_) => {
                    seen.proved += 1;
                    assert_eq!(distance, None, "{case}: called unreachable");
                }
            }
        }
    }
}

/// Tries a proof by induction.
fn check_induction(model: &Model, goal: &Goal, bound: usize, reference: &Reference, seen: &mut Seen) {
    let goals = reference.distances.iter().filter(|(state, _)| goal.contains(model, state));
    let distance = goals.map(|(_, distance)| *distance).min();
    let options = Options { bound: Some(bound), ..Options::default() };
    let report = prove(model, goal, &options, &Budget::unlimited())
        .unwrap_or_else(|stopped| panic!("{} {goal:?}: {stopped}", model.name));
    match report.outcome {
        Outcome::Found(found) => {
            seen.found += 1;
            assert_eq!((Some(found.steps), found.is_shortest), (distance, true), "{} {goal:?}", model.name);
        }
        Outcome::NoneWithin(_) => {
            seen.none += 1;
            assert!(distance.is_none_or(|distance| distance > bound), "{} {goal:?}", model.name);
        }
        Outcome::Unreachable(proof) => {
            seen.proved += u64::from(matches!(proof, Proof::Induction { .. }));
            assert_eq!(distance, None, "{} {goal:?}: proved by {proof:?}", model.name);
        }
    }
}

/// A goal that some states of the reference satisfy, or perhaps none.
fn random_goal(model: &Model, reference: &Reference, numbers: &mut RandomNumbers) -> Goal {
    if numbers.percent(40) || model.variables.is_empty() {
        return Goal::Deadlock;
    }
    let states: Vec<&State> = reference.distances.keys().collect();
    let state = *numbers.one_of(&states);
    let variable = |numbers: &mut RandomNumbers| numbers.below(model.variables.len() as u64) as usize;
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    let mut parts = Vec::new();
    for _ in 0..numbers.between(1, 3) {
        let (a, b) = (variable(numbers), variable(numbers));
        let of = |index: usize| Expr::Variable(VariableId(index as u32));
        let nudge = numbers.below(3) as i64 - 1;
        parts.push(match numbers.below(4) {
            0 => Predicate::Compare(of(a), *numbers.one_of(&comparisons), of(b)),
            1 => Predicate::Compare(
                Expr::Sum(vec![of(a), of(b)]),
                *numbers.one_of(&comparisons),
                Expr::Constant((state[a] + state[b]) as i64 + nudge),
            ),
            _ => Predicate::Compare(
                of(a),
                *numbers.one_of(&comparisons[..2]),
                Expr::Constant(state[a] as i64 + nudge.max(0)),
            ),
        });
    }
    Goal::Holds(match numbers.below(3) {
        0 => Predicate::Or(parts),
        1 => Predicate::Not(Box::new(Predicate::Or(parts))),
        _ => Predicate::And(parts),
    })
}

/// A net with facts that were proved of it, or a model with several initial states and no facts.
fn bounded_model(seed: u64) -> Model {
    if seed.is_multiple_of(2) {
        let net = random_net(seed);
        let found = analysis::analyse(&net, &analysis::AnalysisOptions::default(), &Budget::unlimited())
            .expect("the budget has no limits");
        lower_with(&net, &found)
    } else {
        random_model(seed)
    }
}

#[test]
fn bounded_nets_agree_with_breadth_first_search() {
    let (mut seen, mut induction) = (Seen::default(), Seen::default());
    for seed in seeds(1200) {
        let model = bounded_model(seed);
        let all = reference(&model, usize::MAX, 100_000).expect("random nets are small");
        let mut numbers = RandomNumbers::new(seed ^ 0x5a7);
        let bound = numbers.between(0, 7) as usize;
        let goal = random_goal(&model, &all, &mut numbers);
        check(&model, &goal, bound, &all, &mut seen);
        check_induction(&model, &goal, bound.min(4), &all, &mut induction);
    }
    let total = seen.found + seen.none + seen.proved;
    eprintln!("{seen:?}, by induction {induction:?}");
    if total > 1000 {
        assert!(seen.found * 5 > total && (seen.none + seen.proved) * 5 > total, "{seen:?}");
        assert!(induction.proved > 20, "{induction:?}");
    }
}

/// Any arcs at all, with weights up to 3: mostly unbounded.
fn unbounded_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed ^ 0x0b0);
    let mut net = Net { name: format!("unbounded net {seed}"), ..Net::default() };
    for index in 0..numbers.between(1, 5) {
        // A few numbers that are too large for the small encoding.
        let initial = if numbers.percent(8) { numbers.between(15, 40) } else { numbers.below(4) };
        net.places.push(Place { id: format!("p{index}"), label: None, initial });
    }
    let places: Vec<PlaceId> = net.place_ids().collect();
    for index in 0..numbers.between(1, 5) {
        let mut transition = Transition { id: format!("t{index}"), ..Transition::default() };
        for &place in &places {
            let weight = |numbers: &mut RandomNumbers| numbers.between(1, 3);
            if numbers.percent(35) {
                transition.inputs.push((place, weight(&mut numbers)));
            }
            if numbers.percent(35) {
                transition.outputs.push((place, weight(&mut numbers) + 8 * numbers.below(5) / 4));
            }
            if numbers.percent(12) {
                transition.inhibitors.push((place, weight(&mut numbers) + numbers.below(20)));
            }
            if numbers.percent(8) {
                transition.reads.push((place, weight(&mut numbers)));
            }
            if numbers.percent(8) {
                transition.resets.push(place);
            }
        }
        net.transitions.push(transition);
    }
    net
}

#[test]
fn unbounded_nets_agree_with_breadth_first_search() {
    let mut seen = Seen::default();
    for seed in seeds(800) {
        let mut numbers = RandomNumbers::new(seed ^ 0xfeed);
        let model = lower(&unbounded_net(seed));
        let bound = numbers.between(0, 6) as usize;
        let Some(near) = reference(&model, bound, 30_000) else { continue };
        let goal = random_goal(&model, &near, &mut numbers);
        check(&model, &goal, bound, &near, &mut seen);
    }
    eprintln!("{seen:?}");
}

/// A model whose events are expressions over a few variables.
fn expression_model(seed: u64) -> Model {
    let mut numbers = RandomNumbers::new(seed ^ 0xe59);
    let count = numbers.between(1, 4);
    let variables = (0..count).map(|index| Variable { name: format!("x{index}") }).collect();
    let initial =
        (0..numbers.between(1, 2)).map(|_| (0..count).map(|_| numbers.below(5)).collect()).collect();
    let mut events = Vec::new();
    for index in 0..numbers.between(1, 5) {
        let mut parts = Vec::new();
        let mut free: Vec<u32> = (0..count as u32).collect();
        numbers.shuffle(&mut free);
        if numbers.percent(40) {
            let variable = VariableId(free.pop().unwrap_or(0));
            let at_least = numbers.below(3);
            let change = if numbers.percent(60) {
                Change::Add(numbers.below(3) as i64 - at_least.min(1) as i64)
            } else {
                Change::Set(numbers.below(4))
            };
            parts.push(Part::Local { variable, at_least, at_most: numbers.between(2, 6), change });
        }
        let guard = random_predicate(count, 2, &mut numbers);
        let written = free.iter().take(numbers.between(1, 2) as usize);
        let updates = written
            .map(|&variable| {
                let value = random_expression(count, 2, &mut numbers);
                // Truth values keep some results small; quotients bring them back.
                let value = match numbers.below(3) {
                    0 => Expr::Quotient(
                        Box::new(value),
                        Box::new(Expr::Constant(numbers.between(2, 3) as i64)),
                    ),
                    1 => Expr::Sum(vec![Expr::Xor(vec![value]), Expr::Variable(VariableId(variable))]),
                    _ => value,
                };
                (VariableId(variable), value)
            })
            .collect();
        parts.push(Part::General { guard: Box::new(guard), updates });
        events.push(Event { name: format!("e{index}"), parts });
    }
    Model { name: format!("expressions {seed}"), variables, initial, events, ..Model::default() }
}

fn random_expression(count: u64, depth: u64, numbers: &mut RandomNumbers) -> Expr {
    let below = |numbers: &mut RandomNumbers| random_expression(count, depth.saturating_sub(1), numbers);
    match if depth == 0 { numbers.below(2) } else { numbers.below(9) } {
        0 => Expr::Constant(numbers.below(6) as i64 - 2),
        1 | 2 => Expr::Variable(VariableId(numbers.below(count) as u32)),
        3 | 4 => Expr::Sum(vec![below(numbers), below(numbers)]),
        5 => Expr::Product(Box::new(below(numbers)), Box::new(below(numbers))),
        6 => Expr::Quotient(Box::new(below(numbers)), Box::new(below(numbers))),
        7 => Expr::Not(Box::new(below(numbers))),
        _ => {
            let operands = vec![below(numbers), below(numbers)];
            match numbers.below(3) {
                0 => Expr::And(operands),
                1 => Expr::Or(operands),
                _ => Expr::Xor(operands),
            }
        }
    }
}

fn random_predicate(count: u64, depth: u64, numbers: &mut RandomNumbers) -> Predicate {
    let comparisons = [Comparison::Less, Comparison::LessOrEqual, Comparison::NotEqual, Comparison::Equal];
    match if depth == 0 { 0 } else { numbers.below(5) } {
        3 => Predicate::Not(Box::new(random_predicate(count, depth - 1, numbers))),
        4 => Predicate::Or(vec![
            random_predicate(count, depth - 1, numbers),
            random_predicate(count, depth - 1, numbers),
        ]),
        _ => Predicate::Compare(
            random_expression(count, 2, numbers),
            *numbers.one_of(&comparisons),
            random_expression(count, 1, numbers),
        ),
    }
}

#[test]
fn expressions_agree_with_breadth_first_search() {
    let (mut seen, mut compared) = (Seen::default(), 0);
    for seed in seeds(900) {
        let mut numbers = RandomNumbers::new(seed ^ 0xab);
        let model = expression_model(seed);
        let bound = numbers.between(0, 4) as usize;
        // What overflows has no distances; the next test has one that does.
        let Some(near) = reference(&model, bound + 1, 5_000) else { continue };
        let goal = random_goal(&model, &near, &mut numbers);
        // Steps of several events meet states that lie beyond the bound, where values may overflow.
        if reference(&model, 3 * bound + 3, 20_000).is_some() {
            compared += 1;
            check(&model, &goal, bound, &near, &mut seen);
        }
    }
    eprintln!("{compared} models, {seen:?}");
}
