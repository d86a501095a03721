//! Known figures by every strategy, and that each strategy is truly itself.

use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_engine::{ExploreOptions, Explored, StateSets, Strategy, deep_stack, explore};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{families, lower_with};

const STRATEGIES: [Strategy; 3] = [Strategy::Saturation, Strategy::Chaining, Strategy::Bfs];

fn explore_family<T: Send>(call: &str, strategy: Strategy, then: impl FnOnce(Explored) -> T + Send) -> T {
    let budget = Budget::unlimited();
    let (family, parameters) = families::parse(call).expect("a family");
    let net = family.generate(&parameters, &budget).expect("a net");
    let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("nothing stops it");
    let model = lower_with(&net, &analysis);
    let answer = deep_stack::run(model.variables.len(), &budget, || {
        let options = ExploreOptions { strategy, ..ExploreOptions::default() };
        Ok(then(explore(&model, &options, &budget).expect("nothing stops it")))
    });
    answer.expect("nothing stops it")
}

fn check(call: &str, states: &str, edges: Option<u64>) {
    for strategy in STRATEGIES {
        explore_family(call, strategy, |mut explored| {
            let count = explored.sets.count(&explored.reached).expect("nothing stops it");
            assert_eq!(count.to_string(), states, "{call} by {strategy:?}");
            if let Some(edges) = edges {
                let counted = explored.sets.count_edges(&explored.reached);
                assert_eq!(counted, Ok(Some(BigUint::from(edges))), "{call} by {strategy:?}");
            }
        });
    }
}

#[test]
fn known_figures_by_every_strategy() {
    check("kanban:5", "2546432", Some(24_460_016));
    check("kanban:10", "1005927208", None);
    check("fms:5", "2895018", None);
    check("philosophers:10", "59049", None);
    check("dekker:10", "6144", Some(171_530));
    check("peterson:2", "20754", None);
    check("token-ring:5", "166", None);
    check("shared-memory:5", "1863", None);
    check("swimming-pool:1", "89621", None);
    // The Lucas number L(3 · 6).
    check("philosophers-left-right:6", "5778", None);
}

#[test]
fn peaks_differ_as_the_strategies_do() {
    let peaks = STRATEGIES.map(|strategy| {
        explore_family("kanban:10", strategy, |explored| explored.sets.statistics().peak_nodes)
    });
    println!("peak nodes of kanban:10 by saturation, chaining, breadth-first search: {peaks:?}");
    assert!(peaks[0] < peaks[1] && peaks[1] < peaks[2], "{peaks:?}");
}

#[test]
fn equal_runs_take_equal_steps() {
    let run =
        || explore_family("slotted-ring:6", Strategy::Saturation, |explored| explored.sets.statistics());
    assert_eq!(run(), run());
}

#[test]
fn many_levels_do_not_overflow_the_stack() {
    let digits = explore_family("philosophers:20000", Strategy::Saturation, |mut explored| {
        explored.sets.count(&explored.reached).expect("nothing stops it").to_string().len()
    });
    // 3^20000 has 9543 digits.
    assert_eq!(digits, 9543);
}
