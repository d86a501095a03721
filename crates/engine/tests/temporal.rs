//! Temporal logic in every kind of state sets, by every strategy, against the explicit checker, on random models and
//! random formulas of CTL, LTL and CTL*, under all path semantics, with and without fairness.

use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_dd_core::Limits;
use symbolon_engine::{
    ExploreOptions, Explored, HierarchyChoice, HierarchySets, MddSets, Saturation, Strategy, TemporalChecker,
    explore, explore_flat, explore_hierarchy,
};
use symbolon_explicit::{CheckOptions, Checker};
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, Model, State};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{Logic, random_atom, random_formula, random_model, random_net, seeds};

/// Tables so small that collections run all the time.
const TINY: Limits =
    Limits { cache_bits: 4, largest_cache_bits: 6, collection_words: 64, collection_growth: 0 };

/// State sets that can list what they hold.
trait Listed: Saturation {
    fn list(&self, set: &Self::Set) -> BTreeSet<State>;
}

impl Listed for MddSets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.mdd().vectors(set.node()).map(|vector| self.encoding().decode(&vector)).collect()
    }
}

impl Listed for HierarchySets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.states_of(set).collect()
    }
}

/// A formula, and what is true of it.
struct Case {
    formula: Formula<Atom>,
    paths: Paths,
    fairness: Vec<Formula<Atom>>,
    states: BTreeSet<State>,
    initially: Vec<bool>,
}

fn cases(model: &Model, seed: u64) -> Vec<Case> {
    let options = CheckOptions::default();
    let mut checker = Checker::new(model, &options, &Budget::unlimited()).expect("small");
    let mut cases = Vec::new();
    for (number, logic) in Logic::ALL.into_iter().enumerate() {
        for (turn, paths) in Paths::ALL.into_iter().enumerate() {
            let seed = 100 * seed + 10 * number as u64 + turn as u64;
            let formula = random_formula(model, logic, 3 + (seed % 9) as usize, seed);
            let fairness = if (number + turn) % 3 == 0 && seed.is_multiple_of(2) {
                (0..1 + seed % 2).map(|turn| random_atom(model, seed + turn)).collect()
            } else {
                Vec::new()
            };
            let checked = checker.check(&formula, paths, &fairness).expect("small");
            let exploration = checker.exploration();
            let states = (0..exploration.state_count())
                .filter(|&number| checked.answer()[number])
                .map(|number| exploration.state(number))
                .collect();
            let initially = checked.holds_initially();
            cases.push(Case { formula, paths, fairness, states, initially });
        }
    }
    cases
}

fn check<S: Listed>(model: &Model, mut explored: Explored<S>, cases: &[Case]) {
    let reached = explored.reached.clone();
    let diagram = explored.sets.diagram();
    for case in cases {
        let Case { formula, paths, fairness, states, initially } = case;
        let context = || format!("{diagram}, {paths}, fairness {fairness:?}: {formula:?}");
        let mut checker =
            TemporalChecker::new(&mut explored.sets, model, &reached).expect("nothing stops it");
        checker.set_fairness(fairness, *paths).expect("nothing stops it");
        let found = checker.satisfying(formula, *paths).expect("nothing stops it");
        assert_eq!(checker.sets().list(&found), *states, "{}", context());
        let found = checker.satisfying_initially(formula, *paths).expect("nothing stops it");
        for (state, holds) in model.initial.iter().zip(initially) {
            assert_eq!(checker.sets().contains(&found, state), *holds, "initially, {}", context());
        }
        assert_eq!(checker.holds(formula, *paths), Ok(initially.iter().all(|&holds| holds)));
    }
}

fn check_all(model: &Model, seed: u64, shares: &mut [[usize; 2]; 3]) {
    let cases = cases(model, seed);
    for (number, case) in cases.iter().enumerate() {
        let holds = case.initially.iter().all(|&holds| holds);
        shares[number / Paths::ALL.len()][usize::from(holds)] += 1;
    }
    let budget = Budget::unlimited();
    let strategies = [Strategy::Saturation, Strategy::Chaining, Strategy::Bfs];
    let strategy = strategies[seed as usize % 3];
    let limits = if seed % 4 < 2 { Limits::default() } else { TINY };
    let options = ExploreOptions { strategy, limits, ..ExploreOptions::default() };
    check(model, explore(model, &options, &budget).expect("nothing stops it"), &cases);
    check(model, explore_flat(model, &options, &budget).expect("nothing stops it"), &cases);
    let names = ["groups:2", "recursive:1", "nupn"];
    let hierarchy = HierarchyChoice::Named(names[seed as usize % 3].parse().expect("a hierarchy"));
    check(model, explore_hierarchy(model, &options, &hierarchy, &budget).expect("nothing stops it"), &cases);
}

fn fair_shares(shares: [[usize; 2]; 3]) {
    for (logic, [fails, holds]) in Logic::ALL.into_iter().zip(shares) {
        println!("{logic:?}: {holds} hold, {fails} fail");
        if holds + fails > 30 {
            assert!(holds * 5 >= holds + fails && fails * 5 >= holds + fails, "a fair share of verdicts");
        }
    }
}

#[test]
fn random_formulas_about_random_nets() {
    let mut shares = [[0; 2]; 3];
    for seed in seeds(40) {
        let net = random_net(seed);
        let analysis =
            analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("nothing stops it");
        check_all(&lower_with(&net, &analysis), seed, &mut shares);
    }
    fair_shares(shares);
}

#[test]
fn random_formulas_about_models_with_several_initial_states() {
    let mut shares = [[0; 2]; 3];
    for seed in seeds(40) {
        check_all(&random_model(seed), seed, &mut shares);
    }
    fair_shares(shares);
}
