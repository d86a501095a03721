//! Temporal logic in every kind of state sets, by every strategy, against the explicit checker, on random models and
//! random formulas of CTL, LTL and CTL*, under all path semantics, with and without fairness.

use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_dd_core::Limits;
use symbolon_engine::{
    Ending, ExploreOptions, Explored, HierarchyChoice, HierarchySets, MddSets, Saturation, Strategy,
    TemporalChecker, Witness, explore, explore_flat, explore_hierarchy,
};
use symbolon_explicit::{CheckOptions, Checked, Checker, Exploration, Lasso, Trace, replay, truth_on_lasso};
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
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
    checked: Checked,
}

/// Everything that the explicit checker knows about a model.
struct Truth<'m> {
    model: &'m Model,
    exploration: Exploration,
    cases: Vec<Case>,
}

fn truth(model: &Model, seed: u64) -> Truth<'_> {
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
            cases.push(Case { formula, paths, fairness, states, initially, checked });
        }
    }
    let exploration =
        symbolon_explicit::explore(model, &Default::default(), &Budget::unlimited()).expect("small");
    Truth { model, exploration, cases }
}

fn check<S: Listed>(truth: &Truth, mut explored: Explored<S>, seen: &mut Seen) {
    let model = truth.model;
    let reached = explored.reached.clone();
    let diagram = explored.sets.diagram();
    for case in &truth.cases {
        let Case { formula, paths, fairness, states, initially, .. } = case;
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

        let explained = checker.explain(formula, *paths, u64::MAX).expect("nothing stops it");
        assert_eq!(explained.holds, initially.iter().all(|&holds| holds), "{}", context());
        if let Some(witness) = &explained.witness {
            let first = &witness.states[0];
            let number = model.initial.iter().position(|state| state == first).expect("an initial state");
            assert_eq!(initially[number], explained.holds, "the witness begins where it must, {}", context());
            truth.check_witness(case, witness, &context, seen);
        }
        // What fails for a reason, and what holds for one, has a witness.
        let is_universal = matches!(formula.operator(formula.root()), Operator::ForAll(_));
        let is_existential = matches!(formula.operator(formula.root()), Operator::Exists(_));
        if is_universal && !explained.holds || is_existential && explained.holds {
            assert!(explained.witness.is_some(), "a witness, {}", context());
        }
    }
}

/// What witnesses were met.
#[derive(Debug, Default)]
struct Seen {
    traces: usize,
    dead_ends: usize,
    loops: usize,
    branches: usize,
    shortest: usize,
}

impl Truth<'_> {
    /// A witness is a run, and what it says of its formula is true.
    fn check_witness(&self, case: &Case, witness: &Witness, context: &impl Fn() -> String, seen: &mut Seen) {
        let trace = Trace { initial: witness.states[0].clone(), events: witness.events.clone() };
        // Branches begin in the middle of a run, which replaying a model from its initial states would refuse.
        let model = Model { initial: vec![trace.initial.clone()], ..self.model.clone() };
        assert_eq!(replay(&model, &trace).as_ref(), Ok(&witness.states), "a run, {}", context());
        let (path, negated) = match *case.formula.operator(witness.formula) {
            Operator::Exists(path) => (Some(path), false),
            Operator::ForAll(path) => (Some(path), true),
            ref operator if operator.is_temporal() => (Some(witness.formula), true),
            _ => (None, false),
        };
        let continued = match witness.ending {
            Ending::Open => self.continued(&model, trace),
            Ending::Dead => Some(Lasso { trace, loop_start: None }),
            Ending::Loop(start) => Some(Lasso { trace, loop_start: Some(start) }),
        };
        match witness.ending {
            Ending::Open => seen.traces += 1,
            Ending::Dead => seen.dead_ends += 1,
            Ending::Loop(_) => seen.loops += 1,
        }
        if let (Some(path), Some(lasso)) = (path, continued) {
            let says = truth_on_lasso(&model, &case.formula, path, &lasso, case.paths, |id, state| {
                Some(self.holds(case, id, state))
            });
            match says {
                Ok(says) => assert_eq!(says.holds, !negated, "{witness:?}, {}", context()),
                // How the path goes on was chosen here, and not well.
                Err(_) if witness.ending == Ending::Open => {}
                Err(error) => panic!("{error}: {witness:?}, {}", context()),
            }
        }
        if witness.is_shortest && !witness.events.is_empty() {
            seen.shortest += 1;
        }
        for branch in &witness.branches {
            seen.branches += 1;
            assert_eq!(branch.witness.states[0], witness.states[branch.position], "{}", context());
            self.check_witness(case, &branch.witness, context, seen);
        }
    }

    /// Whether a state formula holds in a state.
    fn holds(&self, case: &Case, id: FormulaId, state: &[u64]) -> bool {
        let number = self.exploration.states().position(|known| *known == *state).expect("reachable");
        case.checked.label(id).expect("a state formula")[number]
    }

    /// The trace, going on somehow until it ends or comes back.
    fn continued(&self, model: &Model, mut trace: Trace) -> Option<Lasso> {
        let mut states = replay(model, &trace).ok()?;
        let from = states.len() - 1;
        loop {
            let last = states.last()?.clone();
            let step =
                model.event_ids().find_map(|event| Some((event, model.event(event).fire(&last).ok()??)));
            let Some((event, next)) = step else { return Some(Lasso { trace, loop_start: None }) };
            trace.events.push(event);
            if let Some(start) = states[from..].iter().position(|state| *state == next) {
                return Some(Lasso { trace, loop_start: Some(from + start) });
            }
            states.push(next);
        }
    }
}

fn check_all(model: &Model, seed: u64, shares: &mut [[usize; 2]; 3], seen: &mut Seen) {
    let truth = truth(model, seed);
    for (number, case) in truth.cases.iter().enumerate() {
        let holds = case.initially.iter().all(|&holds| holds);
        shares[number / Paths::ALL.len()][usize::from(holds)] += 1;
    }
    let budget = Budget::unlimited();
    let strategies = [Strategy::Saturation, Strategy::Chaining, Strategy::Bfs];
    let strategy = strategies[seed as usize % 3];
    let limits = if seed % 4 < 2 { Limits::default() } else { TINY };
    let options = ExploreOptions { strategy, limits, ..ExploreOptions::default() };
    check(&truth, explore(model, &options, &budget).expect("nothing stops it"), seen);
    check(&truth, explore_flat(model, &options, &budget).expect("nothing stops it"), seen);
    let names = ["groups:2", "recursive:1", "nupn"];
    let hierarchy = HierarchyChoice::Named(names[seed as usize % 3].parse().expect("a hierarchy"));
    check(&truth, explore_hierarchy(model, &options, &hierarchy, &budget).expect("nothing stops it"), seen);
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
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(40) {
        let net = random_net(seed);
        let analysis =
            analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("nothing stops it");
        check_all(&lower_with(&net, &analysis), seed, &mut shares, &mut seen);
    }
    fair_shares(shares);
    println!("{seen:?}");
}

#[test]
fn random_formulas_about_models_with_several_initial_states() {
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(40) {
        check_all(&random_model(seed), seed, &mut shares, &mut seen);
    }
    fair_shares(shares);
    println!("{seen:?}");
}
