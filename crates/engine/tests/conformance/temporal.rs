//! Temporal logic by every strategy against the explicit checker, on random models and random
//! formulas of CTL, LTL and CTL*, under all path semantics, with and without fairness.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, assert_states};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_dd_core::Limits;
use symbolon_engine::{Ending, ExploreOptions, Explored, StateSets, TemporalChecker, Witness};
use symbolon_explicit::{
    self as explicit, CheckOptions, Checked, Checker, Exploration, Run, Trace, Tree, shown_by_tree,
};
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, EventId, Model, State, Step};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{
    Logic, random_atom, random_formula, random_general_model, random_model, random_net,
    random_synchronous_model, seeds,
};

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

fn check<K: Kind>(truth: &Truth, mut explored: Explored<SetsOf<K>>, seen: &mut Seen) {
    let model = truth.model;
    let reached = explored.reached.clone();
    for (number, case) in truth.cases.iter().enumerate() {
        // Sometimes there is no time for shortest ways.
        let layer_steps = if number % 3 == 0 { 200 } else { u64::MAX };
        let Case { formula, paths, fairness, states, initially, .. } = case;
        let context = || format!("{paths}, fairness {fairness:?}: {formula:?}");
        let mut checker =
            TemporalChecker::new(&mut explored.sets, model, &reached).expect("nothing stops it");
        checker.set_fairness(fairness).expect("nothing stops it");
        let found = checker.satisfying(formula, *paths).expect("nothing stops it");
        assert_states(checker.sets(), &found, states, context);
        // Of synchronous models, initial states without a fair path do not count there.
        if model.is_synchronous() && !fairness.is_empty() {
            continue;
        }
        let found = checker.satisfying_initially(formula, *paths).expect("nothing stops it");
        for (state, holds) in model.initial.iter().zip(initially) {
            assert_eq!(checker.sets().contains(&found, state), *holds, "initially, {}", context());
        }
        assert_eq!(checker.holds(formula, *paths), Ok(initially.iter().all(|&holds| holds)));

        let explained = checker.explain(formula, *paths, layer_steps).expect("nothing stops it");
        assert_eq!(explained.holds, initially.iter().all(|&holds| holds), "{}", context());
        if let Some(witness) = &explained.witness {
            let first = &witness.states[0];
            let number = model.initial.iter().position(|state| state == first).expect("an initial state");
            assert_eq!(initially[number], explained.holds, "the witness begins where it must, {}", context());
            if model.is_synchronous() {
                // Events do not say where they lead, but states do.
                assert!(is_run(model, witness), "{witness:?}, {}", context());
            } else {
                truth.check_witness(case, witness, explained.holds, &context);
            }
            seen.add(witness);
        }
        // What fails for a reason, and what holds for one, has a witness.
        let is_universal = matches!(formula.operator(formula.root()), Operator::ForAll(_));
        let is_existential = matches!(formula.operator(formula.root()), Operator::Exists(_));
        if layer_steps == u64::MAX && (is_universal && !explained.holds || is_existential && explained.holds)
        {
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
    /// A witness is a run that branches, and shows what was claimed.
    fn check_witness(&self, case: &Case, witness: &Witness, holds: bool, context: &impl Fn() -> String) {
        let otherwise = |id, state: &[u64]| Some(self.holds(case, id, state));
        let shown = shown_by_tree(self.model, &case.formula, case.paths, &tree(witness), otherwise);
        let shown = shown.unwrap_or_else(|error| panic!("{error}: {witness:?}, {}", context()));
        assert!(
            if holds { shown.holds } else { shown.fails },
            "it shows {shown:?}: {witness:?}, {}",
            context()
        );
    }

    /// Whether a state formula holds in a state.
    fn holds(&self, case: &Case, id: FormulaId, state: &[u64]) -> bool {
        let number = self.exploration.states().position(|known| *known == *state).expect("reachable");
        case.checked.label(id).expect("a state formula")[number]
    }
}

/// Where an event leads.
fn successors(model: &Model, event: EventId, state: &State) -> Vec<State> {
    let event = model.event(event);
    if !event.is_synchronous() {
        return event.fire(state).expect("in range").into_iter().collect();
    }
    let mut found = Vec::new();
    Step::new(model, event).for_each(state, |_, next| {
        found.push(next.clone());
        true
    });
    found
}

/// Whether a witness and its branches go along events, and end as they say.
fn is_run(model: &Model, witness: &Witness) -> bool {
    let mut steps = witness.events.iter().zip(witness.states.windows(2));
    let last = witness.states.last().expect("a path has a state");
    let ends = match witness.ending {
        Ending::Open => true,
        Ending::Dead => model.event_ids().all(|event| successors(model, event, last).is_empty()),
        Ending::Loop(start) => start < witness.events.len() && witness.states[start] == *last,
    };
    ends && witness.states.len() == witness.events.len() + 1
        && steps.all(|(&event, pair)| successors(model, event, &pair[0]).contains(&pair[1]))
        && witness.branches.iter().all(|branch| {
            branch.witness.states[0] == witness.states[branch.position] && is_run(model, &branch.witness)
        })
}

fn tree(witness: &Witness) -> Tree {
    let ending = match witness.ending {
        Ending::Open => explicit::Ending::Open,
        Ending::Dead => explicit::Ending::Dead,
        Ending::Loop(start) => explicit::Ending::Loop(start),
    };
    let branches = witness.branches.iter().map(|branch| explicit::Branch {
        position: branch.position,
        link: explicit::Link::Path,
        formula: branch.witness.formula,
        tree: tree(&branch.witness),
    });
    let trace = Trace { initial: witness.states[0].clone(), events: witness.events.clone() };
    Tree { run: Run::Events(trace), ending, strategy: None, branches: branches.collect() }
}

impl Seen {
    fn add(&mut self, witness: &Witness) {
        match witness.ending {
            Ending::Open => self.traces += 1,
            Ending::Dead => self.dead_ends += 1,
            Ending::Loop(_) => self.loops += 1,
        }
        self.shortest += usize::from(witness.is_shortest && !witness.events.is_empty());
        self.branches += witness.branches.len();
        witness.branches.iter().for_each(|branch| self.add(&branch.witness));
    }
}

fn check_all<K: Kind>(model: &Model, seed: u64, shares: &mut [[usize; 2]; 3], seen: &mut Seen) {
    let truth = truth(model, seed);
    for (number, case) in truth.cases.iter().enumerate() {
        let holds = case.initially.iter().all(|&holds| holds);
        shares[number / Paths::ALL.len()][usize::from(holds)] += 1;
    }
    let strategies = K::strategies(model);
    let strategy = strategies[seed as usize % strategies.len()];
    let limits = if seed % 4 < 2 { Limits::default() } else { TINY };
    let options = ExploreOptions { strategy, limits, ..ExploreOptions::default() };
    check::<K>(&truth, K::explore(model, &options, seed % K::VARIANTS).expect(UNLIMITED), seen);
}

fn fair_shares(shares: [[usize; 2]; 3]) {
    for (logic, [fails, holds]) in Logic::ALL.into_iter().zip(shares) {
        println!("{logic:?}: {holds} hold, {fails} fail");
        if holds + fails > 30 {
            assert!(holds * 5 >= holds + fails && fails * 5 >= holds + fails, "a fair share of verdicts");
        }
    }
}

pub(crate) fn of_nets<K: Kind>() {
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(70) {
        let net = random_net(seed);
        let analysis =
            analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("nothing stops it");
        check_all::<K>(&lower_with(&net, &analysis), seed, &mut shares, &mut seen);
    }
    fair_shares(shares);
    println!("{seen:?}");
}

pub(crate) fn of_models_with_several_initial_states<K: Kind>() {
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(70) {
        check_all::<K>(&random_model(seed), seed, &mut shares, &mut seen);
    }
    fair_shares(shares);
    println!("{seen:?}");
}

pub(crate) fn of_general_models<K: Kind>() {
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(40) {
        check_all::<K>(&random_general_model(seed), seed, &mut shares, &mut seen);
    }
    println!("{shares:?} {seen:?}");
}

pub(crate) fn of_synchronous_models<K: Kind>() {
    let (mut shares, mut seen) = ([[0; 2]; 3], Seen::default());
    for seed in seeds(80) {
        let model = random_synchronous_model(seed);
        // Formulas are drawn around listed initial states.
        if model.initially.is_none() {
            check_all::<K>(&model, seed, &mut shares, &mut seen);
        }
    }
    println!("{shares:?} {seen:?}");
}
