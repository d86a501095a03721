//! The nets of the paper on bounded search, with their known deadlock distances, for every solver
//! that is built in.
//!
//! `cargo test --release -p symbolon-sat --features cadical --test nets -- --nocapture` prints the
//! table of `bench/sat.md`: the least number of steps, found with everything below it refuted, and
//! for each solver the seconds that the thread worked on the whole search, encoding included, and
//! the dead ends that it met.

use std::time::Duration;
use symbolon_budget::Budget;
use symbolon_model::Model;
use symbolon_petri::{analysis, lower_with, read::read_pnml};
use symbolon_sat::{Goal, Options, Outcome, Semantics, SolverName, search};
use symbolon_testkit::corpus_folder;

use Semantics::{Chained, Interleaving, Step};

/// The net of this name, and the distance of its nearest deadlock.
fn net(name: &str) -> Option<(Model, usize)> {
    let folder = corpus_folder(name)?.join("nets");
    let bytes = std::fs::read(folder.join(format!("{name}.pnml"))).expect("a net of the paper");
    let net = read_pnml(&bytes, &Budget::unlimited()).expect("well formed").net;
    let proved = analysis::analyse(&net, &analysis::AnalysisOptions::default(), &Budget::unlimited());
    let text = std::fs::read_to_string(folder.join("expected.json")).expect("the distances of the paper");
    let expected: serde_json::Value = serde_json::from_str(&text).expect("well formed");
    let distance = expected[name]["deadlock_distance"].as_u64().expect("a distance") as usize;
    Some((lower_with(&net, &proved.expect("no limits")), distance))
}

/// The time that this thread has worked; 0 where the system does not tell it.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// The solvers that are built in.
fn solvers() -> impl Iterator<Item = SolverName> {
    SolverName::ALL.into_iter().filter(|solver| solver.is_built_in())
}

/// Finds the deadlock of a net with every solver and prints a row of the table.
fn check(name: &str, semantics: Semantics) {
    let Some((model, distance)) = net(name) else { return };
    let (mut row, mut measured) = (String::new(), String::new());
    for solver in solvers() {
        let start = thread_time();
        let options = Options { semantics, bound: Some(distance), solver, ..Options::default() };
        let what = format!("{name} {semantics:?} {solver}");
        let report = search(&model, &Goal::Deadlock, &options, &Budget::unlimited());
        let report = report.unwrap_or_else(|stopped| panic!("{what}: {stopped}"));
        let seconds = thread_time().saturating_sub(start).as_secs_f64();
        let Outcome::Found(found) = report.outcome else { panic!("{what}: {report:?}") };
        let (steps, events, effort) = (found.steps, found.run.event_count(), report.effort);
        measured += &format!(" {seconds:.3} | {} | {} |", effort.conflicts, effort.clauses);
        // The steps are the least for everybody; events are as many as that solution has.
        row = format!("| {name} | {semantics:?} | {steps} |");
        if semantics == Interleaving {
            assert_eq!((steps, events), (distance, distance), "{what}");
        } else {
            assert!(steps <= distance && events >= distance, "{what}");
        }
    }
    println!("{row}{measured}");
}

#[test]
fn deadlocks_are_found_at_their_distance() {
    let columns: String =
        solvers().map(|solver| format!(" {solver}: seconds | dead ends | clauses |")).collect();
    println!("| net | semantics | steps |{columns}");
    for name in ["dp_12", "hs_75", "hs_100", "sentest_75", "sentest_100", "dac_15", "kanban_dl_1"] {
        check(name, Interleaving);
    }
    for name in
        ["dp_12", "hs_75", "hs_100", "sentest_100", "dac_15", "kanban_dl_1", "kanban_dl_3", "fms_dl_3"]
    {
        check(name, Step);
        check(name, Chained);
    }
}

/// Rows that take seconds each without optimisation, for the table alone: `SYMBOLON_SAT=all cargo
/// test --release -p symbolon-sat --features cadical --test nets -- --nocapture`.
#[test]
fn larger_rows_of_the_table() {
    if std::env::var("SYMBOLON_SAT").as_deref() != Ok("all") {
        println!("SKIPPED: the larger rows run with SYMBOLON_SAT=all");
        return;
    }
    check("fms_dl_3", Interleaving);
    for (name, semantics) in
        [("kanban_dl_10", Step), ("kanban_dl_10", Chained), ("fms_dl_7", Step), ("fms_dl_7", Chained)]
    {
        check(name, semantics);
    }
}
