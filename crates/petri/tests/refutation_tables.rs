//! Refutations on small nets whose answers are known, what they look like, and that nobody can
//! forge one.

use std::time::Duration;
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_petri::analysis::{
    Analysis, AnalysisOptions, Attempt, Contradiction, Fact, LinearConstraint, LinearPrograms, Proof, Reason,
    Refutation, analyse,
};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{Net, PlaceId, TransitionId, families};
use symbolon_testkit::net_in_short as net;

/// Constraints in short: `0 2*1 -3*2 <= 4`, or with `>=`.
fn cube(texts: &[&str]) -> Vec<LinearConstraint> {
    let constraint = |text: &&str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (terms, &[sign, number]) = words.split_last_chunk::<2>().expect("a sign and a number");
        let term = |word: &&str| {
            let (factor, place) = word.split_once('*').unwrap_or(("1", word));
            (PlaceId(place.parse().expect("a place")), factor.parse().expect("a factor"))
        };
        let terms: Vec<(PlaceId, i64)> = terms.iter().map(term).collect();
        let number = number.parse().expect("a number");
        match sign {
            "<=" => LinearConstraint::at_most(&terms, number).expect("small numbers"),
            _ => LinearConstraint::at_least(&terms, number).expect("small numbers"),
        }
    };
    texts.iter().map(constraint).collect()
}

fn programs<'a>(net: &'a Net, incidence: &'a Incidence) -> LinearPrograms<'a> {
    LinearPrograms::new(net, incidence, Duration::from_secs(10))
}

/// The refutation by the state equation and traps alone, verified.
fn refute(net: &Net, constraints: &[&str]) -> Option<Refutation> {
    let incidence = Incidence::new(net);
    let found = programs(net, &incidence).refute(&cube(constraints), &Budget::unlimited()).unwrap();
    if let Some(refutation) = &found {
        assert!(refutation.verify(net, &incidence, None), "{}", refutation.display(net, &incidence));
    }
    found
}

fn check(net: &Net, constraints: &[&str], is_refuted: bool) {
    let found = refute(net, constraints);
    assert_eq!(found.is_some(), is_refuted, "{constraints:?} {net:?}");
}

#[test]
fn sums_of_small_nets() {
    // A token that moves between three places, two of them with a buffer of three beside.
    let ring = net(&[1, 0, 0], &["0 > 1", "1 > 2", "2 > 0"]);
    check(&ring, &["0 1 >= 2"], true);
    check(&ring, &["0 >= 1", "1 >= 1"], true);
    check(&ring, &["0 1 2 <= 0"], true);
    check(&ring, &["0 -1*1 >= 2"], true);
    check(&ring, &["0 -1*1 <= -2"], true);
    check(&ring, &["0 -1*1 >= 1"], false);
    check(&ring, &["2 >= 1"], false);
    check(&ring, &["0 <= -1"], true);
    check(&ring, &["<= -1"], true);
    check(&ring, &["<= 0"], false);
    check(&ring, &[], false);
    // Never more finished than begun: a difference with both signs, and places without bounds.
    let work = net(&[0, 0, 0], &["> 0 1", "1 > 2"]);
    check(&work, &["2 -1*0 >= 1"], true);
    check(&work, &["2 -1*0 <= -7"], false);
    check(&work, &["0 -1*1 -1*2 >= 1"], true);
    check(&work, &["0 -1*1 -1*2 <= -1"], true);
    // A sum that shrinks, not an invariant.
    let loss = net(&[3, 0], &["0 > 1", "1 >"]);
    check(&loss, &["0 1 >= 4"], true);
    check(&loss, &["0 1 <= 0"], false);
}

#[test]
fn steps_are_seen() {
    // Tokens come and go in threes.
    let threes = net(&[1, 0], &["> 0*3", "0*3 >", "> 1*6", "1*2 0*3 >"]);
    check(&threes, &["0 <= 3", "0 >= 2"], true);
    check(&threes, &["0 <= 4", "0 >= 2"], false);
    check(&threes, &["0 <= 0"], true);
    check(&threes, &["1 >= 3", "1 <= 3"], true);
    // With a reset, any number may be taken away.
    let reset = net(&[1, 1], &["> 0*3", "0*3 >", "1 ~0 >"]);
    check(&reset, &["0 <= 0"], false);
    check(&net(&[1, 0], &["> 1*3", "?0 ~0 >"]), &["0 1 <= 0"], false);
}

#[test]
fn resets_lower_but_never_raise() {
    // p0 + p1 = 2 without the reset; with it only p0 + p1 <= 2.
    let reset = net(&[2, 0], &["0 > 1", "1 > 0", "~1 >"]);
    check(&reset, &["0 1 >= 3"], true);
    check(&reset, &["0 1 <= 1"], false);
    check(&reset, &["0 <= 0", "1 <= 0"], false);
    // A negative weight at a place that is reset proves nothing: p0 can be emptied while p1 stays.
    let copies = net(&[0, 0], &["> 0 1", "~0 >"]);
    check(&copies, &["0 -1*1 >= 1"], true);
    check(&copies, &["1 -1*0 >= 1"], false);
    // What a reset needs (a read arc) is gone for sure.
    let read = net(&[2, 0], &["?0*2 ~0 > 1*2", "1 > 0"]);
    check(&read, &["0 1 >= 3"], true);
}

#[test]
fn traps_stay_marked() {
    // t0 moves p0 to p1 and p2, t1 and t2 take one of them with p3 (never enough to empty both).
    // {p1, p2} is a trap here: each transition that takes from it puts back into it.
    let trap = net(&[1, 0, 1, 0], &["0 > 1", "1 > 2 3", "2 3 > 1", "2 > 1"]);
    check(&trap, &["1 <= 0", "2 <= 0"], true);
    let is_used = |refutation: &Refutation| {
        let facts = refutation.contradictions().into_iter().flat_map(|part| &part.facts);
        facts.into_iter().any(|(fact, _)| matches!(fact.reason, Reason::Trap(_)))
    };
    // By the state equation alone, t1 and t2 could take turns in emptying both: t2 twice after t1.
    let drained = net(&[0, 1, 1], &["0 1 > 2", "0 2 > 1", "1 2 > 0 1", "> 0", "1 > 2", "2*2 > 1 0"]);
    let found = refute(&drained, &["1 <= 0", "2 <= 0"]).expect("p1 and p2 are a trap");
    assert!(is_used(&found), "{found:?}");
    // Whoever resets a place of the trap and puts nothing back breaks it; who puts back does not.
    check(&net(&[1, 1, 1], &["0 1 > 2", "1 2 > 0 1", "2*2 > 1", "0 ~1 ~2 >"]), &["1 <= 0", "2 <= 0"], false);
    check(&net(&[1, 1, 1], &["0 1 > 2", "1 2 > 0 1", "2*2 > 1", "0 ~1 ~2 > 2"]), &["1 <= 0", "2 <= 0"], true);
    // A place that is read stays marked, unless it is taken or reset: p0 is a trap.
    check(&net(&[1, 1], &["1 ?0 ~1 >", "0*2 > 0"]), &["0 <= 0"], true);
    check(&net(&[2, 1], &["0 ?0*2 >", "1 >"]), &["0 <= 0"], true);
    check(&net(&[2, 1], &["0 ?0*1 >", "1 >"]), &["0 <= 0"], false);
    check(&net(&[1, 1], &["?0 ~0 > 1"]), &["0 <= 0"], false);
}

#[test]
fn inhibitors_only_forbid() {
    let inhibited = net(&[1, 0], &["0 !1 > 1", "1 > 0"]);
    check(&inhibited, &["0 1 >= 2"], true);
    check(&inhibited, &["1 >= 1"], false);
    // p1 is never marked, because p0 always is: beyond what a sum can say.
    check(&net(&[1, 0], &["?0 !0 > 1"]), &["1 >= 1"], false);
}

#[test]
fn broken_tokens_are_told_apart() {
    // The state equation allows half a token in p1 and in p2; no marking has p1 = p2 with one token
    // in all.
    let half = net(&[1, 0, 0], &["0 > 1", "0 > 2", "1 > 0", "2 > 0"]);
    check(&half, &["0 <= 0", "1 -1*2 <= 0", "2 -1*1 <= 0"], true);
}

fn analysis_of(net: &Net) -> Analysis {
    analyse(net, &AnalysisOptions::default(), &Budget::unlimited()).unwrap()
}

#[test]
fn facts_help() {
    // Exclusive by induction, not by an invariant: p1 is marked only where p0 was just emptied by a
    // reset.
    let net = net(&[1, 0, 0], &["0 > 1", "1 > 2", "2 > 0"]);
    let analysis = analysis_of(&net);
    let incidence = Incidence::new(&net);
    let knowing = programs(&net, &incidence).knowing(&analysis);
    let cube = cube(&["0 >= 1", "2 >= 1"]);
    let found = knowing.refute(&cube, &Budget::unlimited()).unwrap().expect("exclusive");
    let parts = found.contradictions();
    assert!(parts.len() == 1 && parts[0].weights.is_empty(), "no program was needed: {found:?}");
    assert!(found.verify(&net, &incidence, Some(&analysis)));
    assert!(!found.verify(&net, &incidence, None), "facts are known from the analysis alone");
}

#[test]
fn a_hint_leads_there() {
    let ring = net(&[1, 0, 0], &["0 > 1", "1 > 2", "2 > 0"]);
    let incidence = Incidence::new(&ring);
    let attempt =
        programs(&ring, &incidence).try_to_refute(&cube(&["2 >= 1"]), &Budget::unlimited()).unwrap();
    let Attempt::Open(Some(potential)) = attempt else { panic!("{attempt:?}") };
    let counts: Vec<_> = potential.counts.iter().map(|&(t, count)| (t, count.round() as i64)).collect();
    assert_eq!(counts, [(TransitionId(0), 1), (TransitionId(1), 1)]);
    assert!((potential.marking[2] - 1.0).abs() < 1e-6);
}

#[test]
fn ranges_of_small_nets() {
    let check = |net: &Net, terms: &[(u32, i64)], expected: (Option<i64>, Option<i64>)| {
        let incidence = Incidence::new(net);
        let terms: Vec<_> = terms.iter().map(|&(place, factor)| (PlaceId(place), factor)).collect();
        let range = programs(net, &incidence).range(&terms, &Budget::unlimited()).unwrap();
        let values = (range.smallest.map(|end| end.value), range.largest.map(|end| end.value));
        assert_eq!(values, expected, "{terms:?} {net:?}");
    };
    let ring = net(&[3, 0], &["0 > 1", "1 > 0"]);
    check(&ring, &[(0, 1), (1, -1)], (Some(-3), Some(3)));
    check(&ring, &[(0, 2), (1, 2)], (Some(6), Some(6)));
    check(&ring, &[(1, 1), (1, 1)], (Some(0), Some(6)));
    check(&ring, &[], (Some(0), Some(0)));
    let work = net(&[0, 0, 0], &["> 0 1", "1 > 2"]);
    check(&work, &[(0, 1), (2, -1)], (Some(0), None));
    check(&work, &[(0, 1), (1, -1), (2, -1)], (Some(0), Some(0)));
    let twos = net(&[7, 0], &["0*2 > 1"]);
    check(&twos, &[(0, 1)], (Some(1), Some(7)));
    check(&twos, &[(1, 1)], (Some(0), Some(3)));
}

#[test]
fn nobody_forges_a_proof() {
    let net = net(&[2, 0, 1, 1], &["0 > 1", "1 > 0", "2 > 3", "3 > 2", "~2 >", "0 3 > 1 3"]);
    let incidence = Incidence::new(&net);
    let analysis = analysis_of(&net);
    let constraint = cube(&["0 1 >= 3"]);
    let proof =
        Contradiction { weights: vec![(PlaceId(0), 1), (PlaceId(1), 1)], facts: Vec::new(), times: vec![1] };
    let is_proof = |cube: &[LinearConstraint], proof: &Contradiction| {
        let proof = Proof::Contradiction(proof.clone());
        Refutation { cube: cube.to_vec(), proof }.verify(&net, &incidence, Some(&analysis))
    };
    assert!(is_proof(&constraint, &proof), "the honest one");
    let forged = |what: &str, forge: &dyn Fn(&mut Contradiction)| {
        let mut forgery = proof.clone();
        forge(&mut forgery);
        assert!(!is_proof(&constraint, &forgery), "{what}: {forgery:?}");
    };
    forged("a weight that firings increase", &|proof| proof.weights[0].1 = 2);
    forged("a weight too few", &|proof| proof.weights.truncate(1));
    forged("no weights", &|proof| proof.weights.clear());
    forged("a place twice", &|proof| proof.weights.insert(0, (PlaceId(0), 1)));
    forged("a place that is none", &|proof| proof.weights.push((PlaceId(9), 1)));
    forged("a constraint too many", &|proof| proof.times.push(1));
    forged("no constraint", &|proof| proof.times.clear());
    forged("a constraint not used", &|proof| proof.times[0] = 0);
    forged("used too often", &|proof| proof.times[0] = 2);
    // Huge numbers are refused, not wrapped.
    forged("huge", &|proof| {
        proof.weights = vec![(PlaceId(0), i64::MAX), (PlaceId(1), i64::MAX)];
        proof.times[0] = u64::MAX;
    });
    let growing = Contradiction { weights: vec![(PlaceId(1), 1)], ..proof.clone() };
    assert!(!is_proof(&cube(&["1 >= 1"]), &growing), "nothing is wrong but that a firing increases the sum");
    assert!(!is_proof(&cube(&["0 1 >= 2"]), &proof), "of what is reachable");
    assert!(!is_proof(&[LinearConstraint { terms: vec![(PlaceId(9), -1)], at_most: -1 }], &proof));
    let unordered = LinearConstraint { terms: vec![(PlaceId(1), -1), (PlaceId(0), -1)], at_most: -3 };
    assert!(!is_proof(&[unordered], &proof), "terms out of order");

    // A negative weight at a place that is reset: p3 − p2 and the like.
    let reset = Contradiction { weights: vec![(PlaceId(2), -1), (PlaceId(3), -1)], ..proof.clone() };
    assert!(!is_proof(&cube(&["2 3 <= 1"]), &reset));
    assert!(!is_proof(&cube(&["2 3 <= 0"]), &reset));

    // Facts that nobody proved.
    let with_fact = |reason: Reason, terms: &[(u32, i64)], at_most: i64| {
        let terms = terms.iter().map(|&(place, factor)| (PlaceId(place), factor)).collect();
        let fact = Fact { reason, constraint: LinearConstraint { terms, at_most } };
        Contradiction { weights: Vec::new(), facts: vec![(fact, 1)], times: vec![1] }
    };
    let asked = cube(&["0 >= 3"]);
    assert!(is_proof(&asked, &with_fact(Reason::UpperBound(PlaceId(0)), &[(0, 1)], 2)), "a fact");
    let asked = cube(&["0 >= 2"]);
    assert!(!is_proof(&asked, &with_fact(Reason::UpperBound(PlaceId(0)), &[(0, 1)], 1)));
    assert!(!is_proof(&asked, &with_fact(Reason::UpperBound(PlaceId(9)), &[(0, 1)], 1)));
    assert!(!is_proof(&asked, &with_fact(Reason::AtMostOne(1_000), &[(0, 1)], 1)));
    let asked = cube(&["2 3 <= 0"]);
    let trap = |places: &[u32]| Reason::Trap(places.iter().map(|&place| PlaceId(place)).collect());
    assert!(!is_proof(&asked, &with_fact(trap(&[2, 3]), &[(2, -1), (3, -1)], -1)), "a reset empties it");
    assert!(!is_proof(&cube(&["1 <= 0"]), &with_fact(trap(&[1]), &[(1, -1)], -1)), "no trap");
    assert!(!is_proof(&cube(&["1 <= 0"]), &with_fact(trap(&[9]), &[(1, -1)], -1)), "no place");
    assert!(!is_proof(&cube(&["<= 0"]), &with_fact(trap(&[]), &[], -1)), "nothing marked");
    assert!(is_proof(&cube(&["0 1 <= 0"]), &with_fact(trap(&[0, 1]), &[(0, -1), (1, -1)], -1)), "a trap");
    assert!(!is_proof(&cube(&["0 1 <= 1"]), &with_fact(trap(&[0, 1]), &[(0, -1), (1, -1)], -2)), "too much");
}

#[test]
fn a_token_that_may_get_lost_is_not_always_there() {
    let net = net(&[1, 0], &["0 > 1", "1 > 0", "1 >"]);
    let (incidence, analysis) = (Incidence::new(&net), analysis_of(&net));
    assert!(analysis.merged.len() == 1 && !analysis.merged[0].exactly_one);
    let both = |factor| vec![(PlaceId(0), factor), (PlaceId(1), factor)];
    let is_proof = |reason: Reason, factor: i64, asked: &str| {
        let fact = Fact { reason, constraint: LinearConstraint { terms: both(factor), at_most: factor } };
        let contradiction = Contradiction { weights: Vec::new(), facts: vec![(fact, 1)], times: vec![1] };
        let refutation = Refutation { cube: cube(&[asked]), proof: Proof::Contradiction(contradiction) };
        refutation.verify(&net, &incidence, Some(&analysis))
    };
    assert!(is_proof(Reason::AtMostOne(0), 1, "0 1 >= 2"));
    assert!(!is_proof(Reason::AtLeastOne(0), -1, "0 1 <= 0"));
}

#[test]
fn both_cases_are_checked() {
    let net = net(&[1, 0, 0], &["0 > 1", "0 > 2", "1 > 0", "2 > 0"]);
    let incidence = Incidence::new(&net);
    let texts = ["0 <= 0", "1 -1*2 <= 0", "2 -1*1 <= 0"];
    let honest = refute(&net, &texts).expect("no marking");
    let Proof::Cases { place, at_most, few, many } = &honest.proof else { panic!("{honest:?}") };
    let is_proof = |proof: Proof| Refutation { proof, ..honest.clone() }.verify(&net, &incidence, None);
    assert!(is_proof(honest.proof.clone()));
    let cases = |place, at_most, few: &Proof, many: &Proof| Proof::Cases {
        place,
        at_most,
        few: Box::new(few.clone()),
        many: Box::new(many.clone()),
    };
    assert!(!is_proof(cases(*place, *at_most, many, few)));
    assert!(!is_proof(cases(*place, *at_most, few, few)));
    assert!(!is_proof(cases(*place, *at_most, many, many)));
    assert!(!is_proof(cases(PlaceId(9), *at_most, few, many)));
    assert!(!is_proof(cases(*place, i64::MAX, few, many)));
    assert!(!is_proof((**few).clone()));
}

#[test]
fn a_spent_budget_is_no_answer() {
    let net = net(&[1, 0], &["0 > 1", "1 > 0"]);
    let incidence = Incidence::new(&net);
    let budget = Budget::new(Limits { time: Some(Duration::ZERO), memory: None });
    let outcome = programs(&net, &incidence).refute(&cube(&["0 1 >= 2"]), &budget);
    assert_eq!(outcome, Err(Interrupted::Timeout));
}

#[test]
fn proofs_can_be_read() {
    let told = |net: &Net, constraints: &[LinearConstraint]| {
        let incidence = Incidence::new(net);
        let found = programs(net, &incidence).refute(constraints, &Budget::unlimited()).unwrap();
        found.expect("a refutation").display(net, &incidence).to_string()
    };
    // Two neighbours never eat together.
    let table = families::generate("philosophers", &[3], &Budget::unlimited()).expect("a family");
    let eating = |id: &str| {
        let index = table.places.iter().position(|place| place.id == id).expect("a place");
        LinearConstraint::at_least(&[(PlaceId(index as u32), 1)], 1).expect("a small number")
    };
    let expected = "\
no reachable marking satisfies all of
  Eat_1 ≥ 1
  Eat_2 ≥ 1
because these cannot hold together:
  Fork_1 + Catch1_2 + Catch2_1 + Eat_1 + Eat_2 ≤ 1 (the initial value; no firing increases it)
  Eat_1 ≥ 1 (asked for)
  Eat_2 ≥ 1 (asked for)
  added up: Fork_1 + Catch1_2 + Catch2_1 ≤ -1, which no marking satisfies
";
    assert_eq!(told(&table, &[eating("Eat_1"), eating("Eat_2")]), expected);
    let threes = net(&[1, 2], &["> 0*3", "0*3 >", "0 1 > 0 1"]);
    let expected = "\
no reachable marking satisfies all of
  p1 ≤ 3
  p0 ≤ 3
  p0 ≥ 2
because these cannot hold together:
  p0 ≤ 1 (asked for, given the steps it changes by)
  p0 ≥ 4 (asked for, given the steps it changes by)
  added up: 0 ≤ -3, which no marking satisfies
";
    assert_eq!(told(&threes, &cube(&["1 <= 3", "0 <= 3", "0 >= 2"])), expected);
    let half = net(&[1, 0, 0], &["0 > 1", "0 > 2", "1 > 0", "2 > 0"]);
    let expected = "\
no reachable marking satisfies all of
  p0 ≤ 0
  p1 - p2 ≤ 0
  p1 - p2 ≥ 0
because these cannot hold together:
  if p1 ≤ 0:
    -p0 - p1 - p2 ≤ -1 (the initial value; no firing increases it)
    2 times: p0 ≤ 0 (asked for)
    p1 - p2 ≥ 0 (asked for)
    2 times: p1 ≤ 0 (in this case)
    added up: p0 ≤ -1, which no marking satisfies
  if p1 ≥ 1:
    p0 + p1 + p2 ≤ 1 (the initial value; no firing increases it)
    2 times: p0 ≤ 0 (asked for)
    p1 - p2 ≤ 0 (asked for)
    2 times: p1 ≥ 1 (in this case)
    added up: 3·p0 ≤ -1, which no marking satisfies
";
    assert_eq!(told(&half, &cube(&["0 <= 0", "1 -1*2 <= 0", "2 -1*1 <= 0"])), expected);
}
