//! Selecting, stepping by any event and closing within a set against the explicit explorer's list
//! of states, on random nets.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, assert_states};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_engine::{ExploreOptions, Explored, StateSets, Strategy};
use symbolon_model::{Change, Comparison, Event, Expr, Model, Part, Predicate, State, Variable, VariableId};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{RandomNumbers, random_model, random_net, seeds};

fn random_expr(numbers: &mut RandomNumbers, variable_count: u64, depth: u32) -> Expr {
    match numbers.below(if depth == 0 { 5 } else { 10 }) {
        0..1 => Expr::Constant(numbers.between(0, 3) as i64),
        1..5 => Expr::Variable(VariableId(numbers.below(variable_count) as u32)),
        5..8 => {
            let count = numbers.between(1, 3);
            Expr::Sum((0..count).map(|_| random_expr(numbers, variable_count, depth - 1)).collect())
        }
        8 => Expr::Product(
            Box::new(Expr::Constant(numbers.between(0, 4) as i64 - 2)),
            Box::new(random_expr(numbers, variable_count, depth - 1)),
        ),
        _ => Expr::Product(
            Box::new(random_expr(numbers, variable_count, depth - 1)),
            Box::new(random_expr(numbers, variable_count, depth - 1)),
        ),
    }
}

fn random_predicate(numbers: &mut RandomNumbers, variable_count: u64, depth: u32) -> Predicate {
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    match numbers.below(if depth == 0 { 5 } else { 10 }) {
        0..5 => Predicate::Compare(
            random_expr(numbers, variable_count, 2),
            *numbers.one_of(&comparisons),
            random_expr(numbers, variable_count, 2),
        ),
        5..6 => Predicate::Not(Box::new(random_predicate(numbers, variable_count, depth - 1))),
        6..8 => {
            Predicate::And((0..2).map(|_| random_predicate(numbers, variable_count, depth - 1)).collect())
        }
        _ => Predicate::Or((0..2).map(|_| random_predicate(numbers, variable_count, depth - 1)).collect()),
    }
}

/// What steps lead from and to, by plain enumeration.
struct Truth<'m> {
    model: &'m Model,
    states: BTreeSet<State>,
}

impl Truth<'_> {
    fn select(&self, set: &BTreeSet<State>, predicate: &Predicate) -> BTreeSet<State> {
        set.iter().filter(|state| predicate.holds(state) == Some(true)).cloned().collect()
    }

    fn successors(&self, state: &State) -> impl Iterator<Item = State> {
        self.model.events.iter().filter_map(|event| event.fire(state).expect("in range"))
    }

    fn image(&self, set: &BTreeSet<State>) -> BTreeSet<State> {
        set.iter().flat_map(|state| self.successors(state)).collect()
    }

    fn preimage(&self, target: &BTreeSet<State>, within: &BTreeSet<State>) -> BTreeSet<State> {
        within
            .iter()
            .filter(|state| self.successors(state).any(|next| target.contains(&next)))
            .cloned()
            .collect()
    }

    fn forward_closure(&self, from: &BTreeSet<State>, within: &BTreeSet<State>) -> BTreeSet<State> {
        let mut reached = from.clone();
        loop {
            let more: Vec<State> =
                self.image(&reached).into_iter().filter(|state| within.contains(state)).collect();
            let before = reached.len();
            reached.extend(more);
            if reached.len() == before {
                return reached;
            }
        }
    }

    fn backward_closure(&self, target: &BTreeSet<State>, within: &BTreeSet<State>) -> BTreeSet<State> {
        let mut reached = target.clone();
        loop {
            let before = reached.len();
            reached.extend(self.preimage(&reached, within));
            if reached.len() == before {
                return reached;
            }
        }
    }
}

fn check<K: Kind>(truth: &Truth, mut explored: Explored<SetsOf<K>>, seed: u64) -> (usize, usize) {
    let sets = &mut explored.sets;
    let reached = explored.reached.clone();
    let mut numbers = RandomNumbers::new(seed);
    let (mut some, mut all) = (0, 0);
    for _ in 0..4 {
        let count = truth.model.variables.len() as u64;
        let (p, q) = (random_predicate(&mut numbers, count, 2), random_predicate(&mut numbers, count, 2));
        let within = sets.select(&reached, &p).expect("nothing stops it");
        sets.collect_if_due();
        let target = sets.select(&reached, &q).expect("nothing stops it");
        sets.collect_if_due();
        let (true_within, true_target) = (truth.select(&truth.states, &p), truth.select(&truth.states, &q));
        assert_states(sets, &within, &true_within, || format!("{p:?}"));
        assert_states(sets, &target, &true_target, || format!("{q:?}"));
        all += 1;
        some += usize::from(!true_within.is_empty() && true_within.len() < truth.states.len());

        let found = sets.image_of_any(&within).expect("nothing stops it");
        assert_states(sets, &found, &truth.image(&true_within), || format!("image of {p:?}"));
        let found = sets.preimage_of_any(&target, &within).expect("nothing stops it");
        let expected = truth.preimage(&true_target, &true_within);
        assert_states(sets, &found, &expected, || format!("preimage of {q:?} in {p:?}"));
        let found = sets.forward_closure(&target, &within).expect("nothing stops it");
        let expected = truth.forward_closure(&true_target, &true_within);
        assert_states(sets, &found, &expected, || format!("forward from {q:?} in {p:?}"));
        let found = sets.backward_closure(&target, &within).expect("nothing stops it");
        let expected = truth.backward_closure(&true_target, &true_within);
        assert_states(sets, &found, &expected, || format!("backward from {q:?} in {p:?}"));
        sets.collect_if_due();
    }
    (some, all)
}

fn check_all<K: Kind>(model: &Model, seed: u64) -> (usize, usize) {
    let budget = Budget::unlimited();
    let states = symbolon_explicit::explore(model, &Default::default(), &budget).expect("small");
    let truth = Truth { model, states: states.states().collect() };
    let strategies = K::strategies(model);
    let strategy = strategies[strategies.len() - 1];
    let limits = if seed.is_multiple_of(2) { Default::default() } else { TINY };
    let options = ExploreOptions { strategy, limits, ..ExploreOptions::default() };
    let mut found = (0, 0);
    for variant in K::variants(seed as usize) {
        found = check::<K>(&truth, K::explore(model, &options, variant).expect(UNLIMITED), seed);
    }
    found
}

pub(crate) fn on_nets_with_merged_variables<K: Kind>() {
    let (mut some, mut all) = (0, 0);
    for seed in seeds(24) {
        let net = random_net(seed);
        let analysis =
            analyse(&net, &AnalysisOptions::default(), &Budget::unlimited()).expect("nothing stops it");
        let found = check_all::<K>(&lower_with(&net, &analysis), seed);
        (some, all) = (some + found.0, all + found.1);
    }
    println!("{some} of {all} predicates tell states apart");
    assert!(all < 10 || some * 4 >= all, "predicates tell states apart");
}

pub(crate) fn on_random_models<K: Kind>() {
    for seed in seeds(24) {
        check_all::<K>(&random_model(seed), seed);
    }
}

pub(crate) fn values_beyond_32_bits<K: Kind>() {
    // A counter in steps of 2^40 beside a small one.
    let huge = 1_u64 << 40;
    let part = |variable, at_least, delta| Part::Local {
        variable: VariableId(variable),
        at_least,
        at_most: u64::MAX,
        change: Change::Add(delta),
    };
    let model = Model {
        variables: (0..2).map(|i| Variable { name: format!("v{i}") }).collect(),
        initial: vec![[5 * huge, 0].into()],
        events: vec![Event { name: "e".into(), parts: vec![part(0, huge, -(huge as i64)), part(1, 0, 1)] }],
        ..Model::default()
    };
    if K::MULTIPLIES_LARGE_NUMBERS {
        for seed in seeds(10) {
            check_all::<K>(&model, seed);
        }
    }
    let budget = Budget::unlimited();
    let states = symbolon_explicit::explore(&model, &Default::default(), &budget).expect("small");
    let truth = Truth { model: &model, states: states.states().collect() };
    let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
    let Explored { mut sets, reached, .. } = K::explore(&model, &options, 0).expect(UNLIMITED);
    for bound in [0, 1, 2 * huge as i64, 3 * huge as i64 + 1, i64::MAX] {
        let v = |index| Expr::Variable(VariableId(index));
        let sum = Expr::Sum(vec![v(0), Expr::Product(Box::new(Expr::Constant(huge as i64)), Box::new(v(1)))]);
        for p in [
            Predicate::Compare(v(0), Comparison::LessOrEqual, Expr::Constant(bound)),
            Predicate::Compare(sum, Comparison::Equal, Expr::Constant(bound)),
        ] {
            let found = sets.select(&reached, &p).expect(UNLIMITED);
            assert_states(&mut sets, &found, &truth.select(&truth.states, &p), || format!("{p:?}"));
        }
    }
}
