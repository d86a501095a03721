//! How much work saturation does, held fast: steps, nodes made and nodes of the answer for a list
//! of models under fixed orders and under `auto`. Steps are deterministic (E3), so a slower kernel
//! or a worse order shows here, whatever the machine does at the moment.
//!
//! The figures are in `steps.txt`. The test fails if one rises by more than 2 %; if figures fall,
//! it passes and prints the table. `SYMBOLON_UPDATE=1 cargo test -p symbolon-engine --test steps`
//! writes the table anew.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use symbolon_budget::Budget;
use symbolon_engine::{ExploreOptions, OrderChoice, StateSets, deep_stack, explore};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{families, lower_with};

const MODELS: [&str; 12] = [
    "kanban:20",
    "fms:10",
    "slotted-ring:15",
    "philosophers:200",
    "philosophers-left-right:200",
    "dekker:15",
    "peterson:2",
    "peterson:3",
    "token-ring:8",
    "shared-memory:8",
    "swimming-pool:1",
    "round-robin:10",
];

const ORDERS: [&str; 3] = ["force", "merged:force", "auto"];

/// A figure may rise by one in so many.
const TOLERANCE: u64 = 50;

/// What one exploration took.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    model: String,
    order: String,
    /// Steps, nodes made, nodes of the reachable set.
    figures: [u64; 3],
}

const FIGURES: [&str; 3] = ["steps", "made", "final"];

fn measure(model: &str, order: &str) -> Row {
    let budget = Budget::unlimited();
    let (family, parameters) = families::parse(model).expect("a family");
    let net = family.generate(&parameters, &budget).expect("a net");
    let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
    let lowered = lower_with(&net, &analysis);
    let choice = match (order, order.strip_prefix("merged:")) {
        ("auto", _) => OrderChoice::Auto,
        (_, Some(name)) => OrderChoice::Merged(name.parse().expect("an order")),
        (name, None) => OrderChoice::Named(name.parse().expect("an order")),
    };
    let options = ExploreOptions { order: choice, ..ExploreOptions::default() };
    let figures = deep_stack::run(lowered.variables.len(), &budget, || {
        let explored = explore(&lowered, &options, &budget).expect("nothing stops it");
        let statistics = explored.sets.statistics();
        let nodes = explored.sets.node_count(&explored.reached) as u64;
        Ok([statistics.steps, statistics.created_nodes, nodes])
    });
    Row { model: model.into(), order: order.into(), figures: figures.expect("nothing stops it") }
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steps.txt")
}

fn written(rows: &[Row]) -> String {
    let mut text =
        format!("# {:<28} {:<22} {:>10} {:>10} {:>10}\n", "model", "order", "steps", "made", "final");
    for Row { model, order, figures: [steps, made, nodes] } in rows {
        writeln!(text, "{model:<30} {order:<22} {steps:>10} {made:>10} {nodes:>10}").expect("text grows");
    }
    text
}

fn read(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [model, order, figures @ ..] = words.as_slice() else { panic!("no row: '{line}'") };
            let figures: Vec<u64> = figures.iter().map(|word| word.parse().expect("a number")).collect();
            let figures = figures.try_into().unwrap_or_else(|_| panic!("three figures: '{line}'"));
            Row { model: (*model).into(), order: (*order).into(), figures }
        })
        .collect()
}

/// What got worse from `known` to `found`, in words.
fn compare(known: &[Row], found: &[Row]) -> Vec<String> {
    let mut worse = Vec::new();
    for row in found {
        let name = format!("{} under {}", row.model, row.order);
        let Some(before) =
            known.iter().find(|known| (&known.model, &known.order) == (&row.model, &row.order))
        else {
            worse.push(format!("{name} is not in the table"));
            continue;
        };
        for (figure, (&old, &new)) in FIGURES.iter().zip(before.figures.iter().zip(&row.figures)) {
            if new > old + old / TOLERANCE {
                worse.push(format!("{name}: {figure} rose from {old} to {new}"));
            }
        }
    }
    worse
}

#[test]
fn saturation_takes_no_more_steps_than_it_did() {
    let mut found = Vec::new();
    for model in MODELS {
        for order in ORDERS {
            found.push(measure(model, order));
        }
    }
    let table = written(&found);
    if std::env::var_os("SYMBOLON_UPDATE").is_some() {
        fs::write(path(), &table).expect("the table can be written");
        return;
    }
    let known = read(&fs::read_to_string(path()).expect("steps.txt lies beside this file"));
    if known != found {
        println!("{table}");
    }
    let worse = compare(&known, &found);
    assert!(worse.is_empty(), "{}\n(SYMBOLON_UPDATE=1 writes this table)\n{table}", worse.join("\n"));
}

#[test]
fn only_what_rises_is_worse() {
    let row =
        |steps, made, nodes| Row { model: "m".into(), order: "o".into(), figures: [steps, made, nodes] };
    let known = [row(1000, 500, 10)];
    let check = |found: Row, worse: usize| {
        assert_eq!(compare(&known, std::slice::from_ref(&found)).len(), worse, "{found:?}")
    };
    check(row(1000, 500, 10), 0);
    check(row(900, 400, 9), 0);
    check(row(1020, 510, 10), 0);
    check(row(1021, 510, 10), 1);
    check(row(1021, 511, 11), 3);
    check(Row { model: "other".into(), ..row(1, 1, 1) }, 1);
    assert_eq!(read(&written(&known)), known);
}
