//! Temporal logic on the quotient against the explicit checker on the unfolded net.

#[path = "../quotient/symmetric_nets.rs"]
mod symmetric_nets;

use std::collections::BTreeMap;
use std::sync::Arc;
use symbolon_budget::Budget;
use symbolon_coloured::families::generate;
use symbolon_coloured::{Net, PlaceId, TransitionId, UnfoldLimits, Unfolded, unfold};
use symbolon_engine::{Ending, StateSets, TemporalChecker, Witness, trace_to};
use symbolon_explicit::{CheckOptions, Checker, Options, explore as explore_all};
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, Event, EventId, Expr, Model, Part, Predicate, State, VariableId};
use symbolon_petri::{Arc as NetArc, lower};
use symbolon_symmetry::{
    LiftedStep, Quotient, QuotientSets, explore, find_symmetry, place_variable, quotient_model,
    quotient_steps, transition_event,
};
use symbolon_testkit::{Logic, random_coloured_net, random_formula, seeds};
use symmetric_nets::random_symmetric_net;

/// Nets with more markings than this are not compared.
const MOST_MARKINGS: usize = 1000;

/// A model to draw formulas about: its states are the totals of places in all symbolic markings.
fn drawing_model(net: &Net, quotient: &Quotient) -> Model {
    let never = vec![Part::General { guard: Box::new(Predicate::False), updates: Vec::new() }];
    let totals = |number| quotient.totals(number).expect("small numbers").into();
    let mut model = quotient_model(quotient).expect("small numbers");
    model.variables.truncate(net.places.len());
    model.initial = (0..quotient.symbolic_count() as u32).map(totals).collect();
    model.events.iter_mut().for_each(|event: &mut Event| event.parts = never.clone());
    model
}

/// An expression about totals of places, in terms of the unfolded net.
fn unfolded_expr(expr: &Expr, unfolded: &Unfolded) -> Expr {
    let inner = |expr: &Expr| unfolded_expr(expr, unfolded);
    let all = |exprs: &[Expr]| exprs.iter().map(inner).collect();
    match expr {
        Expr::Constant(number) => Expr::Constant(*number),
        Expr::Variable(variable) => {
            let colours = unfolded.places_of(PlaceId(variable.0));
            Expr::Sum(colours.map(|colour| Expr::Variable(VariableId(colour))).collect())
        }
        Expr::Sum(exprs) => Expr::Sum(all(exprs)),
        Expr::Product(a, b) => Expr::Product(Box::new(inner(a)), Box::new(inner(b))),
        Expr::Quotient(a, b) => Expr::Quotient(Box::new(inner(a)), Box::new(inner(b))),
        Expr::And(exprs) => Expr::And(all(exprs)),
        Expr::Or(exprs) => Expr::Or(all(exprs)),
        Expr::Xor(exprs) => Expr::Xor(all(exprs)),
        Expr::Not(expr) => Expr::Not(Box::new(inner(expr))),
    }
}

fn unfolded_predicate(predicate: &Predicate, unfolded: &Unfolded) -> Predicate {
    let all = |parts: &[Predicate]| parts.iter().map(|part| unfolded_predicate(part, unfolded)).collect();
    match predicate {
        Predicate::True => Predicate::True,
        Predicate::False => Predicate::False,
        Predicate::Compare(a, comparison, b) => {
            Predicate::Compare(unfolded_expr(a, unfolded), *comparison, unfolded_expr(b, unfolded))
        }
        Predicate::Not(inner) => Predicate::Not(Box::new(unfolded_predicate(inner, unfolded))),
        Predicate::And(parts) => Predicate::And(all(parts)),
        Predicate::Or(parts) => Predicate::Or(all(parts)),
    }
}

/// The same formula about the unfolded net.
fn unfolded_formula(formula: &Formula<Atom>, unfolded: &Unfolded) -> Formula<Atom> {
    let atom = |atom: &Atom| match atom {
        Atom::Holds(predicate) => Atom::Holds(unfolded_predicate(predicate, unfolded)),
        Atom::Fireable(events) => {
            let instances = events.iter().flat_map(|event| unfolded.transitions_of(TransitionId(event.0)));
            Atom::Fireable(instances.map(EventId).collect())
        }
    };
    formula.map_atoms(|_, one| Ok::<Atom, ()>(atom(one))).expect("every atom has a meaning")
}

/// The markings along a run of the unfolded net, the initial one first.
fn replay(unfolded: &Unfolded, run: &[LiftedStep]) -> Vec<Vec<u64>> {
    let mut marking: Vec<u64> = unfolded.net.places.iter().map(|place| place.initial).collect();
    let mut markings = vec![marking.clone()];
    for step in run {
        let instance = unfolded.find_transition(step.transition, &step.binding).expect("it can fire");
        let arcs = &unfolded.net.transitions[instance.index()].arcs;
        assert!(arcs.iter().all(|arc| arc.admits(marking[arc.place().index()])), "{step:?} is not enabled");
        for arc in arcs {
            let tokens = &mut marking[arc.place().index()];
            match *arc {
                NetArc::Input { weight, .. } => *tokens -= weight,
                NetArc::Output { weight, .. } => *tokens += weight,
                NetArc::Reset { .. } => *tokens = 0,
                NetArc::Read { .. } | NetArc::Inhibitor { .. } => {}
            }
        }
        markings.push(marking.clone());
    }
    markings
}

/// A witness on the quotient becomes a run of the unfolded net with the same totals, and a loop
/// closes.
fn check_witness(net: &Net, unfolded: &Unfolded, quotient: &Quotient, witness: &Witness) -> bool {
    let budget = Budget::unlimited();
    let steps = quotient_steps(&witness.events, &witness.states[1..]);
    assert_eq!(steps.len(), witness.events.len());
    let run = quotient.lift(&steps, &budget).expect("a run of the quotient");
    for (marking, state) in replay(unfolded, &run).iter().zip(&witness.states) {
        let totals: Vec<u64> = net
            .place_ids()
            .map(|place| unfolded.places_of(place).map(|colour| marking[colour as usize]).sum())
            .collect();
        assert_eq!(totals, state[..state.len() - 1]);
    }
    let Ending::Loop(position) = witness.ending else { return false };
    let lasso = quotient
        .lift_lasso(&steps[..position], &steps[position..], &budget)
        .expect("a lasso of the quotient");
    let whole: Vec<LiftedStep> = lasso.stem.iter().chain(&lasso.cycle).cloned().collect();
    let markings = replay(unfolded, &whole);
    assert_eq!(markings.last(), markings.get(lasso.stem.len()));
    true
}

#[derive(Default, Debug)]
struct Met {
    nets: u64,
    holds: u64,
    fails: u64,
    witnesses: u64,
    loops: u64,
}

fn check(net: &Net, seed: u64, met: &mut Met) {
    let budget = Budget::unlimited();
    let Ok(unfolded) = unfold(net, UnfoldLimits::default(), &budget) else { return };
    let lowered = lower(&unfolded.net);
    let options = Options { state_limit: Some(MOST_MARKINGS) };
    let Ok(explored) = explore_all(&lowered, &options, &budget) else { return };
    let symmetry = find_symmetry(net, &[], &budget).expect("unlimited");
    let quotient = Arc::new(explore(net, &symmetry, &budget).expect("unlimited"));
    let model = quotient_model(&quotient).expect("small numbers");
    let mut sets = QuotientSets::new(Arc::clone(&quotient), &budget).expect("unlimited");
    let drawing = drawing_model(net, &quotient);
    let mut truth = Checker::new(&lowered, &CheckOptions::default(), &budget).expect("small");
    let all = sets.all();
    assert_eq!(sets.count(&all), Ok(explored.state_count().into()));
    met.nets += 1;
    for (number, logic) in Logic::ALL.into_iter().enumerate() {
        for (turn, paths) in Paths::ALL.into_iter().enumerate() {
            let seed = 100 * seed + 10 * number as u64 + turn as u64;
            let formula = random_formula(&drawing, logic, 3 + (seed % 8) as usize, seed);
            let expected = truth.check(&unfolded_formula(&formula, &unfolded), paths, &[]).expect("small");
            let context = || format!("{paths}: {formula:?}");
            let mut checker = TemporalChecker::new(&mut sets, &model, &all).expect("unlimited");
            let found = checker.satisfying(&formula, paths).expect("unlimited");
            let count = expected.answer().iter().filter(|holds| **holds).count();
            assert_eq!(checker.sets().count(&found), Ok(count.into()), "{}", context());
            let explained = checker.explain(&formula, paths, u64::MAX).expect("unlimited");
            assert_eq!(explained.holds, expected.holds(), "{}", context());
            met.holds += u64::from(explained.holds);
            met.fails += u64::from(!explained.holds);
            if let Some(witness) = explained.witness {
                met.witnesses += 1;
                met.loops += u64::from(check_witness(net, &unfolded, &quotient, &witness));
            }
        }
    }
    // Deadlocks and bounds.
    let dead = sets.dead(&all).expect("unlimited");
    assert_eq!(sets.count(&dead), Ok(explored.dead_states().len().into()));
    for place in net.place_ids() {
        let largest = sets.largest(&all, &[(place_variable(place), 1)]).expect("unlimited");
        let total = |state: State| unfolded.places_of(place).map(|one| state[one as usize]).sum::<u64>();
        assert_eq!(largest, explored.states().map(total).max().map(i128::from));
    }
    let mut enabled: BTreeMap<TransitionId, usize> = BTreeMap::new();
    for state in explored.states() {
        for transition in net.transition_ids() {
            let mut instances = unfolded.transitions_of(transition);
            if instances.any(|instance| lowered.event(EventId(instance)).is_enabled(&state)) {
                *enabled.entry(transition).or_default() += 1;
            }
        }
    }
    for transition in net.transition_ids() {
        let found = sets.enabled(transition_event(transition), &all).expect("unlimited");
        assert_eq!(sets.count(&found), Ok(enabled.get(&transition).copied().unwrap_or(0).into()));
    }
}

#[test]
fn verdicts_on_quotients_are_those_of_unfolded_nets() {
    let mut met = Met::default();
    for seed in seeds(300) {
        check(&random_symmetric_net(seed), seed, &mut met);
        check(&random_coloured_net(seed), seed, &mut met);
    }
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(met.nets > 150 && met.witnesses > 200 && met.loops > 40, "{met:?}");
        assert!(met.holds > 300 && met.fails > 300, "{met:?}");
    }
}

#[test]
fn shortest_traces_on_quotients_are_as_short_as_on_unfolded_nets() {
    for seed in seeds(100) {
        let net = random_symmetric_net(seed);
        let budget = Budget::unlimited();
        let Ok(unfolded) = unfold(&net, UnfoldLimits::default(), &budget) else { continue };
        let options = Options { state_limit: Some(MOST_MARKINGS) };
        let Ok(explored) = explore_all(&lower(&unfolded.net), &options, &budget) else { continue };
        let symmetry = find_symmetry(&net, &[], &budget).expect("unlimited");
        let quotient = Arc::new(explore(&net, &symmetry, &budget).expect("unlimited"));
        let model = quotient_model(&quotient).expect("small numbers");
        let mut sets = QuotientSets::new(Arc::clone(&quotient), &budget).expect("unlimited");
        let all = sets.all();
        let dead = sets.dead(&all).expect("unlimited");
        let expected = explored.dead_states().iter().map(|&state| explored.distance(state)).min();
        let found = match sets.is_empty(&dead) {
            true => None,
            false => trace_to(&mut sets, &model, &all, &dead, u64::MAX).expect("unlimited"),
        };
        assert_eq!(found.as_ref().map(|trace| trace.events.len()), expected);
        if let Some(trace) = found {
            assert!(trace.is_shortest);
            let run = quotient.lift(&quotient_steps(&trace.events, &trace.states), &budget).expect("a run");
            let end = replay(&unfolded, &run).pop().expect("it has a marking");
            let admits = |arc: &NetArc| arc.admits(end[arc.place().index()]);
            assert!(!unfolded.net.transitions.iter().any(|one| one.arcs.iter().all(admits)));
        }
    }
}

#[test]
fn questions_about_one_member_split_it_off() {
    // With c1 split off, the quotient knows more, and counts the same markings.
    let budget = Budget::unlimited();
    let net = generate("client-server:4,2", &budget).expect("a family");
    let client = net.class_ids().next().expect("it has classes");
    let plain = explore(&net, &find_symmetry(&net, &[], &budget).expect("unlimited"), &budget);
    let split = explore(&net, &find_symmetry(&net, &[(client, 0)], &budget).expect("unlimited"), &budget);
    let (plain, split) = (plain.expect("unlimited"), split.expect("unlimited"));
    assert!(plain.symbolic_count() < split.symbolic_count());
    assert_eq!(plain.figures(), split.figures());
}
