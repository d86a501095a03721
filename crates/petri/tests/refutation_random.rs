//! Refutations of linear constraints on random nets, against all reachable markings.
//!
//! `SYMBOLON_SEED=n` runs one seed alone; `--nocapture` shows how many of the constraints that no
//! reachable marking satisfies are refuted, and by what.

use std::time::Duration;
use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_petri::analysis::{
    Analysis, AnalysisOptions, Attempt, Extreme, LinearConstraint, LinearPrograms, Reason, Refutation,
    analyse,
};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{Net, PlaceId, lower};
use symbolon_testkit::{RandomNumbers, STATE_LIMIT, random_net, seeds};

/// A net with all its reachable markings.
struct Explored {
    net: Net,
    markings: Vec<Vec<u64>>,
}

fn explored(seed: u64) -> Explored {
    let net = random_net(seed);
    let options = Options { state_limit: Some(STATE_LIMIT) };
    let found = explore(&lower(&net), &options, &Budget::unlimited()).expect("random nets are small");
    Explored { net, markings: found.states().map(|state| state.to_vec()).collect() }
}

/// What is tried on a net: with all that is known of it, or with the state equation alone.
fn with_programs(
    explored: &Explored,
    is_knowing: bool,
    test: impl FnOnce(&LinearPrograms, &Incidence, Option<&Analysis>),
) {
    let net = &explored.net;
    let limit = Duration::from_secs(20);
    if is_knowing {
        let analysis = analyse(net, &AnalysisOptions::default(), &Budget::unlimited()).unwrap();
        let incidence = Incidence::without(net, &analysis.dead.transition_flags(net));
        let programs = LinearPrograms::new(net, &incidence, limit).knowing(&analysis);
        test(&programs, &incidence, Some(&analysis));
    } else {
        let incidence = Incidence::new(net);
        test(&LinearPrograms::new(net, &incidence, limit), &incidence, None);
    }
}

fn random_terms(net: &Net, numbers: &mut RandomNumbers, most: u64) -> Vec<(PlaceId, i64)> {
    let factors = [-2, -1, -1, 1, 1, 1, 2, 3];
    (0..numbers.between(1, most))
        .map(|_| (PlaceId(numbers.below(net.places.len() as u64) as u32), *numbers.one_of(&factors)))
        .collect()
}

fn value(terms: &[(PlaceId, i64)], marking: &[u64]) -> i64 {
    terms.iter().map(|&(place, factor)| factor * marking[place.index()] as i64).sum()
}

/// Constraints near what a reachable marking satisfies, so that both outcomes are common: sums that
/// may be a little smaller, or the exact contents of some places after one token was moved.
fn random_cube(explored: &Explored, numbers: &mut RandomNumbers) -> Vec<LinearConstraint> {
    let mut near = numbers.one_of(&explored.markings).clone();
    if numbers.percent(40) {
        let count = *numbers.one_of(&[1, 1, 2, 3, 5]);
        let constraint = |_| {
            let terms = random_terms(&explored.net, numbers, 3);
            let at_most = value(&terms, &near) - numbers.below(3) as i64;
            LinearConstraint::at_most(&terms, at_most).expect("small numbers")
        };
        return (0..count).map(constraint).collect();
    }
    let (from, to) = (numbers.below(near.len() as u64) as usize, numbers.below(near.len() as u64) as usize);
    near[from] = near[from].saturating_sub(1);
    near[to] += u64::from(numbers.percent(80));
    let mut cube = Vec::new();
    for (place, &tokens) in near.iter().enumerate() {
        if numbers.percent(60) || place == from || place == to {
            let (term, tokens) = ([(PlaceId(place as u32), 1)], tokens as i64);
            cube.extend(LinearConstraint::at_most(&term, tokens));
            cube.extend(LinearConstraint::at_least(&term, tokens));
        }
    }
    cube
}

fn satisfies(marking: &[u64], cube: &[LinearConstraint]) -> bool {
    cube.iter().all(|constraint| value(&constraint.terms, marking) <= constraint.at_most)
}

#[derive(Default, Debug)]
struct Tally {
    unreachable: u32,
    trivial: u32,
    refuted: u32,
    by_glance: u32,
    by_trap: u32,
    by_cases: u32,
    hints: u32,
}

impl Tally {
    fn count(&mut self, refutation: &Refutation) {
        let parts = refutation.contradictions();
        let uses = |wanted: fn(&Reason) -> bool| {
            parts.iter().flat_map(|part| &part.facts).any(|(fact, _)| wanted(&fact.reason))
        };
        self.refuted += 1;
        let is_glance = parts.iter().all(|part| part.weights.is_empty());
        let is_trivial = is_glance && parts.iter().all(|part| part.facts.is_empty());
        self.trivial += u32::from(is_trivial);
        self.by_glance += u32::from(is_glance && !is_trivial);
        self.by_trap += u32::from(uses(|reason| matches!(reason, Reason::Trap(_))));
        self.by_cases += u32::from(parts.len() > 1);
    }
}

#[test]
fn what_is_refuted_is_unreachable() {
    let budget = Budget::unlimited();
    let mut tallies = [Tally::default(), Tally::default()];
    for seed in seeds(1500) {
        let explored = explored(seed);
        let is_knowing = seed % 2 == 0;
        let mut numbers = RandomNumbers::new(seed ^ 0x5eed);
        with_programs(&explored, is_knowing, |programs, incidence, analysis| {
            for _ in 0..6 {
                let tally = &mut tallies[usize::from(is_knowing)];
                let cube = random_cube(&explored, &mut numbers);
                let witness = explored.markings.iter().find(|marking| satisfies(marking, &cube));
                tally.unreachable += u32::from(witness.is_none());
                match programs.try_to_refute(&cube, &budget).unwrap() {
                    Attempt::Refuted(refutation) => {
                        let told = refutation.display(&explored.net, incidence).to_string();
                        assert_eq!(witness, None, "SYMBOLON_SEED={seed}\n{told}\n{:?}", explored.net);
                        assert!(refutation.verify(&explored.net, incidence, analysis), "{told}");
                        assert_eq!(refutation.cube, cube);
                        tally.count(&refutation);
                    }
                    Attempt::Open(potential) => {
                        // Every reachable marking solves the relaxation, so one that satisfies
                        // gives a hint.
                        assert!(witness.is_none() || potential.is_some(), "SYMBOLON_SEED={seed} {cube:?}");
                        if let Some(potential) = potential {
                            tally.hints += 1;
                            check_potential(&explored.net, &potential.marking, &cube, seed);
                        }
                    }
                }
            }
        });
    }
    for (tally, what) in tallies.iter().zip(["the state equation alone", "all that is known"]) {
        println!("{what}: {tally:?}");
        if std::env::var("SYMBOLON_SEED").is_err() {
            let (refuted, unreachable) = (tally.refuted - tally.trivial, tally.unreachable - tally.trivial);
            println!("{refuted} of {unreachable} that are not trivial: {} %", 100 * refuted / unreachable);
            assert!(refuted * 10 > unreachable * 7, "{tally:?}");
            assert!(tally.by_trap > 5 && tally.by_cases > 1, "{tally:?}");
        }
    }
}

/// The marking of a hint satisfies the constraints, up to the solver's tolerance.
fn check_potential(net: &Net, marking: &[f64], cube: &[LinearConstraint], seed: u64) {
    assert_eq!(marking.len(), net.places.len());
    assert!(marking.iter().all(|&tokens| tokens > -1e-4), "SYMBOLON_SEED={seed}");
    for constraint in cube {
        let sum: f64 = constraint.terms.iter().map(|&(p, factor)| factor as f64 * marking[p.index()]).sum();
        assert!(sum < constraint.at_most as f64 + 1e-4, "SYMBOLON_SEED={seed}: {constraint:?}");
    }
}

#[test]
fn ranges_hold_every_reachable_value() {
    let budget = Budget::unlimited();
    let (mut asked, mut found, mut exact) = (0, 0, 0);
    for seed in seeds(600) {
        let explored = explored(seed);
        let mut numbers = RandomNumbers::new(seed ^ 0x0a51);
        with_programs(&explored, seed % 2 == 0, |programs, incidence, analysis| {
            let terms = random_terms(&explored.net, &mut numbers, 4);
            let range = programs.range(&terms, &budget).unwrap();
            let values = explored.markings.iter().map(|marking| value(&terms, marking));
            let (least, most) = values.fold((i64::MAX, i64::MIN), |(a, b), v| (a.min(v), b.max(v)));
            let context = format!("SYMBOLON_SEED={seed} {terms:?} is {least}..={most}: {range:?}");
            assert!(range.smallest.as_ref().is_none_or(|extreme| extreme.value <= least), "{context}");
            assert!(range.largest.as_ref().is_none_or(|extreme| extreme.value >= most), "{context}");
            let ends = [(&range.smallest, least), (&range.largest, most)];
            for (extreme, end) in ends {
                asked += 1;
                if let Some(extreme) = extreme {
                    assert!(extreme.proof.verify(&explored.net, incidence, analysis), "{context}");
                    found += 1;
                    exact += u32::from(extreme.value == end);
                }
            }
            // The proofs are about the numbers next to the ends.
            let beyond = |extreme: &Option<Extreme>| extreme.as_ref().map(|e| e.proof.cube.clone());
            let above = range.largest.as_ref().and_then(|e| LinearConstraint::at_least(&terms, e.value + 1));
            let below = range.smallest.as_ref().and_then(|e| LinearConstraint::at_most(&terms, e.value - 1));
            assert_eq!(beyond(&range.largest), above.map(|constraint| vec![constraint]), "{context}");
            assert_eq!(beyond(&range.smallest), below.map(|constraint| vec![constraint]), "{context}");
        });
    }
    println!("{asked} ends, {found} found, {exact} exact");
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || exact * 10 > asked * 6, "{asked} {found} {exact}");
}
