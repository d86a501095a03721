//! Bounded search against explicit search, on random nets: every method, merged variables and raced orders included.
//!
//! What a method finds must be there, what it proves absent must be absent, exact methods must know the distance, and every
//! trace must replay.

use symbolon_budget::Budget;
use symbolon_engine::bounded::{Method, Search, Target, distances, search};
use symbolon_engine::{OrderChoice, deep_stack};
use symbolon_explicit::{Options, Trace, explore, replay};
use symbolon_model::{Comparison, Expr, Model, Predicate, VariableId};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{families, lower_with};
use symbolon_testkit::{STATE_LIMIT, random_growing_model, random_model, random_net, seeds};

/// A model whose exclusive places are known, so that they share levels.
fn analysed(seed: u64) -> Model {
    let net = random_net(seed);
    let analysis =
        analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("nothing stops it");
    lower_with(&net, &analysis)
}

/// Whether a state is in the target.
fn is_goal(model: &Model, target: Target<'_>, state: &[u64]) -> bool {
    match target {
        Target::Dead => !model.events.iter().any(|event| event.is_enabled(state)),
        Target::Holds(predicate) => predicate.holds(state) == Some(true),
    }
}

/// Asks one question of one model; `nearest` is the true distance of the target, if it is known to be reachable or known not to be.
fn check(model: &Model, question: &Search<'_>, nearest: Option<Option<u64>>) {
    let answer = search(model, question, &Budget::unlimited()).expect("nothing stops it");
    let Search { target, bound, method, .. } = *question;
    let what = format!("{method} within {bound:?} of {}", model.name);
    match &answer.found {
        None => {
            if let Some(Some(distance)) = nearest {
                assert!(
                    bound.is_some_and(|bound| bound < distance),
                    "{what}: misses the target at {distance}"
                );
                assert!(!answer.is_complete, "{what}: proves that there is none");
            }
        }
        Some(found) => {
            assert!(nearest != Some(None), "{what}: finds what is not there");
            let trace = found.trace.as_ref().expect("a trace is found");
            let (initial, events) = (trace.initial.clone(), trace.events.clone());
            let states = replay(model, &Trace { initial, events }).expect("the trace replays");
            assert!(is_goal(model, target, &states[states.len() - 1]), "{what}: the trace ends elsewhere");
            let length = states.len() as u64 - 1;
            if let Some(distance) = found.distance {
                assert!(
                    nearest.flatten().is_none_or(|nearest| nearest == distance),
                    "{what}: says {distance}"
                );
                assert_eq!(length, distance, "{what}: the trace is as long as the distance");
                assert!(bound.is_none_or(|bound| distance <= bound), "{what}: {distance} is too far");
            }
            assert!(!method.is_exact() || found.distance.is_some(), "{what}: knows the distance");
            let is_shortest = nearest.flatten().is_none_or(|nearest| nearest == length);
            assert!(!trace.is_shortest || is_shortest, "{what}: {length} is not shortest, {nearest:?} is");
        }
    }
}

#[test]
fn methods_agree_with_explicit_search() {
    for seed in seeds(60) {
        let model = if seed % 2 == 0 { analysed(seed) } else { random_model(seed) };
        let explored = explore(&model, &Options { state_limit: Some(STATE_LIMIT) }, &Budget::unlimited())
            .expect("random models are small");
        let last = explored.state(explored.state_count() - 1);
        let variable = VariableId((seed % model.variables.len() as u64) as u32);
        let value = Expr::Constant(last[variable.index()] as i64);
        let predicate = Predicate::Compare(Expr::Variable(variable), Comparison::Equal, value);
        for target in [Target::Dead, Target::Holds(&predicate)] {
            let first = (0..explored.state_count()).find(|&n| is_goal(&model, target, &explored.state(n)));
            let nearest = first.map(|number| explored.distance(number) as u64);
            for method in Method::ALL {
                for bound in [None, Some(seed % 3), Some(4 + seed % 9)] {
                    if bound.is_none() && method != Method::Auto {
                        continue;
                    }
                    let order = OrderChoice::Auto;
                    let is_finite = seed % 5 != 0;
                    check(&model, &Search { target, bound, method, is_finite, order }, Some(nearest));
                }
            }
        }
    }
}

#[test]
fn growing_nets_are_searched_within_bounds() {
    for seed in seeds(40) {
        let model = random_growing_model(seed);
        for method in Method::ALL {
            let (bound, order) = (Some(seed % 4), OrderChoice::Auto);
            check(&model, &Search { target: Target::Dead, bound, method, is_finite: false, order }, None);
        }
    }
}

#[test]
fn families_have_known_distances() {
    // The largest distance, and that of the nearest deadlock.
    let check_family = |family: &str, depth: u64, deadlock: Option<u64>| {
        let budget = Budget::unlimited();
        let (parsed, parameters) = families::parse(family).expect("a family");
        let net = parsed.generate(&parameters, &budget).expect("a net");
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
        let model = lower_with(&net, &analysis);
        let answer = deep_stack::run(2 * model.variables.len(), &budget, || {
            let Ok(mut all) = distances(&model, &OrderChoice::Auto, &budget) else {
                panic!("nothing stops it");
            };
            let histogram = all.histogram()?;
            assert_eq!(histogram.len() as u64, depth + 1, "{family}");
            let states: num_bigint::BigUint = histogram.iter().sum();
            let function = all.function.edge();
            assert_eq!(all.sets.edd().count(function)?, states, "{family}");
            let question = Search {
                target: Target::Dead,
                bound: None,
                method: Method::Auto,
                is_finite: true,
                order: OrderChoice::Auto,
            };
            check(&model, &question, Some(deadlock));
            Ok(all.depth())
        });
        assert_eq!(answer, Ok(Some(depth)), "{family}");
    };
    check_family("philosophers:50", 50, Some(50));
    check_family("dekker:15", 16, None);
    check_family("philosophers:1000", 1000, Some(1000));
}
