//! Random nets against their unfolding: markings, edges, deadlocks, largest numbers, totals, and
//! runs, which are replayed on the unfolded net.

use super::symmetric_nets::random_symmetric_net;
use symbolon_budget::Budget;
use symbolon_coloured::{Net, PlaceId, UnfoldLimits, Unfolded, unfold};
use symbolon_explicit::{Exploration, Options};
use symbolon_petri::{Arc, lower};
use symbolon_symmetry::{LiftedStep, Quotient, QuotientStep, explore, find_symmetry};
use symbolon_testkit::{RandomNumbers, random_coloured_net, seeds};

/// What the tests look for in random nets.
#[derive(Default)]
struct Met {
    nets: u64,
    reduced: u64,
    rotating: u64,
    with_automorphisms: u64,
    lassos: u64,
    repeated: u64,
}

/// Nets with more markings than this are not compared.
const MOST_MARKINGS: usize = 3000;

/// The marking of the unfolded net after a run, which must be one.
fn replay(unfolded: &Unfolded, from: &[u64], run: &[LiftedStep]) -> Vec<u64> {
    let mut marking = from.to_vec();
    for step in run {
        let instance = unfolded.find_transition(step.transition, &step.binding);
        let instance = instance.unwrap_or_else(|| panic!("{step:?} is never enabled"));
        let arcs = &unfolded.net.transitions[instance.index()].arcs;
        assert!(arcs.iter().all(|arc| arc.admits(marking[arc.place().index()])), "{step:?} is not enabled");
        for arc in arcs {
            let tokens = &mut marking[arc.place().index()];
            match *arc {
                Arc::Input { weight, .. } => *tokens -= weight,
                Arc::Output { weight, .. } => *tokens += weight,
                Arc::Reset { .. } => *tokens = 0,
                Arc::Read { .. } | Arc::Inhibitor { .. } => {}
            }
        }
    }
    marking
}

/// By place of the coloured net, the number of tokens.
fn totals(net: &Net, unfolded: &Unfolded, marking: &[u64]) -> Vec<u64> {
    let range = |place: PlaceId| unfolded.places_of(place).map(|instance| marking[instance as usize]).sum();
    net.place_ids().map(range).collect()
}

/// A random walk in the quotient.
fn walk(quotient: &Quotient, length: usize, numbers: &mut RandomNumbers) -> Vec<QuotientStep> {
    let (mut at, mut path) = (0, Vec::new());
    for _ in 0..length {
        let steps = quotient.steps_from(at);
        if steps.is_empty() {
            break;
        }
        let step = *numbers.one_of(steps);
        path.push(step);
        at = step.target;
    }
    path
}

fn check_run(net: &Net, unfolded: &Unfolded, quotient: &Quotient, path: &[QuotientStep]) -> Vec<u64> {
    let initial: Vec<u64> = unfolded.net.places.iter().map(|place| place.initial).collect();
    let run = quotient.lift(path, &Budget::unlimited()).expect("a path of the quotient");
    assert_eq!(run.len(), path.len());
    let marking = replay(unfolded, &initial, &run);
    let end = path.last().map_or(0, |step| step.target);
    assert_eq!(quotient.totals(end), Some(totals(net, unfolded, &marking)));
    marking
}

fn check_lasso(unfolded: &Unfolded, quotient: &Quotient, path: &[QuotientStep], met: &mut Met) {
    // The first marking that comes twice closes a cycle.
    let visited: Vec<u32> = std::iter::once(0).chain(path.iter().map(|step| step.target)).collect();
    let again = (1..visited.len()).find_map(|end| {
        let start = visited[..end].iter().position(|number| *number == visited[end])?;
        Some((start, end))
    });
    let Some((start, end)) = again else { return };
    let lasso = quotient
        .lift_lasso(&path[..start], &path[start..end], &Budget::unlimited())
        .expect("a lasso of the quotient");
    met.lassos += 1;
    met.repeated += u64::from(lasso.repetitions > 1);
    let initial: Vec<u64> = unfolded.net.places.iter().map(|place| place.initial).collect();
    let knot = replay(unfolded, &initial, &lasso.stem);
    assert_eq!(replay(unfolded, &knot, &lasso.cycle), knot, "the cycle does not close");
}

fn check_figures(net: &Net, unfolded: &Unfolded, explored: &Exploration, quotient: &Quotient) {
    let figures = quotient.figures();
    assert_eq!(figures.markings, explored.state_count().into(), "markings");
    assert_eq!(figures.edges, explored.edge_count().into(), "edges");
    assert_eq!(figures.largest_count, explored.max_in_variable(), "largest number of tokens");
    assert_eq!(figures.largest_sum, explored.max_sum(), "most tokens");
    let dead: num_bigint::BigUint = quotient.dead().map(|number| quotient.orbit_size(number)).sum();
    assert_eq!(dead, explored.dead_states().len().into(), "dead markings");
    // Totals: as many markings with each vector of totals.
    let mut expected: std::collections::BTreeMap<Vec<u64>, num_bigint::BigUint> = Default::default();
    for state in explored.states() {
        *expected.entry(totals(net, unfolded, &state)).or_default() += 1_u32;
    }
    let mut found: std::collections::BTreeMap<Vec<u64>, num_bigint::BigUint> = Default::default();
    for number in 0..quotient.symbolic_count() as u32 {
        let totals = quotient.totals(number).expect("small numbers");
        *found.entry(totals).or_default() += quotient.orbit_size(number);
    }
    assert_eq!(found, expected, "totals");
}

fn check(net: &Net, seed: u64, met: &mut Met) {
    let budget = Budget::unlimited();
    let Ok(unfolded) = unfold(net, UnfoldLimits::default(), &budget) else { return };
    let options = Options { state_limit: Some(MOST_MARKINGS) };
    let Ok(explored) = symbolon_explicit::explore(&lower(&unfolded.net), &options, &budget) else { return };
    let symmetry = find_symmetry(net, &[], &budget).expect("unlimited");
    let quotient = explore(net, &symmetry, &budget).expect("unlimited");
    met.nets += 1;
    met.reduced += u64::from(quotient.symbolic_count() < explored.state_count());
    met.rotating += u64::from(symmetry.is_useful() && !symmetry.has_free_class());
    let all = 0..quotient.symbolic_count() as u32;
    met.with_automorphisms += u64::from(all.clone().any(|number| quotient.automorphisms(number) > 1));
    check_figures(net, &unfolded, &explored, &quotient);
    let mut numbers = RandomNumbers::new(seed);
    let last = quotient.symbolic_count() as u32 - 1;
    let depth = quotient.path_to(last).len();
    assert_eq!(depth, explored.depth(), "distances");
    for number in [last, numbers.below(u64::from(last) + 1) as u32] {
        check_run(net, &unfolded, &quotient, &quotient.path_to(number));
    }
    for _ in 0..3 {
        let path = walk(&quotient, 30, &mut numbers);
        check_run(net, &unfolded, &quotient, &path);
        check_lasso(&unfolded, &quotient, &path, met);
    }
    let predecessors = quotient.predecessors();
    let pairs: usize = all
        .map(|number| {
            let mut targets: Vec<u32> = quotient.steps_from(number).iter().map(|step| step.target).collect();
            targets.sort_unstable();
            targets.dedup();
            assert!(targets.iter().all(|&target| predecessors[target as usize].contains(&number)));
            targets.len()
        })
        .sum();
    assert_eq!(pairs, predecessors.iter().map(Vec::len).sum::<usize>());
}

fn describe(met: &Met) -> String {
    format!(
        "{} nets, {} reduced, {} rotating, {} with automorphisms, {} lassos, {} repeated",
        met.nets, met.reduced, met.rotating, met.with_automorphisms, met.lassos, met.repeated
    )
}

#[test]
fn random_nets_agree_with_their_unfolding() {
    let mut met = Met::default();
    for seed in seeds(300) {
        check(&random_coloured_net(seed), seed, &mut met);
    }
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(met.reduced > 30 && met.rotating > 5, "{}", describe(&met));
    }
}

#[test]
fn random_symmetric_nets_agree_with_their_unfolding() {
    let mut met = Met::default();
    for seed in seeds(500) {
        let net = random_symmetric_net(seed);
        assert_eq!(net.check(), Ok(()));
        check(&net, seed, &mut met);
    }
    eprintln!("{}", describe(&met));
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(10 * met.reduced > 7 * met.nets, "{}", describe(&met));
        assert!(10 * met.with_automorphisms > 3 * met.nets, "{}", describe(&met));
        assert!(met.repeated > 10, "{}", describe(&met));
    }
}
