//! Refutations on instances of the Model Checking Contest: of every place, that it holds more than
//! its upper bound; of sums, that they exceed what semiflows allow; with the time that a program
//! takes.

use std::fs;
use std::time::{Duration, Instant};
use symbolon_budget::Budget;
use symbolon_petri::analysis::{AnalysisOptions, LinearConstraint, LinearPrograms, SemiflowUse, analyse};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::read::read_pnml;
use symbolon_petri::{Net, PlaceId};
use symbolon_testkit::{RandomNumbers, contest_instance};

fn read(instance: &str) -> Option<Net> {
    let folder = contest_instance(instance)?;
    let bytes = fs::read(folder.join("model.pnml")).expect("a readable file");
    Some(read_pnml(&bytes, &Budget::unlimited()).expect("a net").net)
}

/// For some semiflows: that a part of the sum exceeds its value. The state equation alone refutes
/// all of these.
fn check(instance: &str) {
    let Some(net) = read(instance) else { return };
    let budget = Budget::unlimited();
    let options = AnalysisOptions { semiflow_use: SemiflowUse::Always, ..AnalysisOptions::default() };
    let analysis = analyse(&net, &options, &budget).unwrap();
    let incidence = Incidence::without(&net, &analysis.dead.transition_flags(&net));
    let alone = LinearPrograms::new(&net, &incidence, Duration::from_secs(10));
    let mut numbers = RandomNumbers::new(5);
    let (mut count, mut longest, mut total) = (0, Duration::ZERO, Duration::ZERO);
    for invariant in analysis.invariants.iter().step_by(1 + analysis.invariants.len() / 12) {
        let kept = invariant.terms.iter().filter(|_| numbers.percent(60));
        let terms: Vec<_> = kept.map(|&(variable, weight)| (PlaceId(variable.0), weight as i64)).collect();
        let Some(beyond) = LinearConstraint::at_least(&terms, invariant.value as i64 + 1) else { continue };
        let cube = [beyond];
        let start = Instant::now();
        let found = alone.refute(&cube, &budget).unwrap();
        let taken = start.elapsed();
        (longest, total, count) = (longest.max(taken), total + taken, count + 1);
        let found = found.unwrap_or_else(|| panic!("{instance}: {cube:?} is not refuted"));
        assert!(found.verify(&net, &incidence, None), "{}", found.display(&net, &incidence));
    }
    println!("{instance}: {count} refuted, {:?} on average, at most {longest:?}", total / count.max(1));
    assert!(count > 0, "{instance} has no semiflow");
}

#[test]
fn parts_of_semiflows_are_bounded() {
    for instance in
        ["Kanban-PT-00050", "FMS-PT-00500", "Philosophers-PT-000050", "AutoFlight-PT-06b", "Dekker-PT-015"]
    {
        check(instance);
    }
}

/// That no reachable marking has tokens in both places, which takes traps or facts.
fn check_exclusion(instance: &str, places: [&str; 2]) {
    let Some(net) = read(instance) else { return };
    let budget = Budget::unlimited();
    let analysis = analyse(&net, &AnalysisOptions::default(), &budget).unwrap();
    let incidence = Incidence::without(&net, &analysis.dead.transition_flags(&net));
    let marked = places.map(|id| {
        let index = net.places.iter().position(|place| place.id == id);
        let place = PlaceId(index.unwrap_or_else(|| panic!("{instance} has no place {id}")) as u32);
        LinearConstraint::at_least(&[(place, 1)], 1).expect("a small number")
    });
    let knowing = LinearPrograms::new(&net, &incidence, Duration::from_secs(10)).knowing(&analysis);
    let start = Instant::now();
    let found = knowing.refute(&marked, &budget).unwrap();
    println!("{instance}: {places:?} in {:?}", start.elapsed());
    let found = found.unwrap_or_else(|| panic!("{instance}: {places:?} is not refuted"));
    assert!(found.verify(&net, &incidence, Some(&analysis)), "{}", found.display(&net, &incidence));
}

#[test]
fn mutual_exclusion() {
    check_exclusion("Peterson-PT-2", ["CS_0", "CS_1"]);
    check_exclusion("Peterson-PT-3", ["CS_1", "CS_2"]);
}
