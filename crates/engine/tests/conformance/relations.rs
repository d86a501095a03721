//! Events of any form, synchronous steps and questions about agents, by every strategy, under
//! several orders, against plain enumeration, on random models.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, assert_states};
use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::Interrupted;
use symbolon_dd_core::Limits;
use symbolon_engine::order::{Blocks, Heuristic, Order};
use symbolon_engine::{ExploreOptions, Explored, Failure, OrderChoice, StateSets, Strategy, trace_to};
use symbolon_model::{
    Change, Comparison, Event, EventId, Expr, Facts, Model, Part, Predicate, State, Step, Variable,
    VariableId,
};
use symbolon_testkit::{
    RandomNumbers, random_general_model, random_predicate, random_synchronous_model, seeds, shrink_model,
};

/// A model, state by state.
struct Truth<'m> {
    model: &'m Model,
    states: BTreeSet<State>,
    depth: u64,
}

type States = BTreeSet<State>;

impl<'m> Truth<'m> {
    fn of(model: &'m Model) -> Truth<'m> {
        let mut truth = Truth { model, states: States::new(), depth: 0 };
        let mut newest = truth.initial();
        truth.states.extend(newest.iter().cloned());
        loop {
            let next = truth.image(&newest);
            newest = next.difference(&truth.states).cloned().collect();
            if newest.is_empty() {
                return truth;
            }
            truth.states.extend(newest.iter().cloned());
            truth.depth += 1;
            assert!(truth.states.len() <= 3000, "random models are small");
        }
    }

    fn initial(&self) -> States {
        let Some(predicate) = &self.model.initially else {
            return self.model.initial.iter().cloned().collect();
        };
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for values in &self.model.values {
            let count = values.count().expect("finite");
            let longer = all.into_iter().flat_map(|state| {
                (0..count).map(move |value| state.iter().copied().chain([value]).collect())
            });
            all = longer.collect();
        }
        let states = all.into_iter().map(|state| state.into_boxed_slice());
        states.filter(|state| predicate.holds(state) == Some(true)).collect()
    }

    /// Successors under one event, with the joint actions that lead there (none for other events).
    fn moves(&self, event: EventId, state: &State) -> Vec<(Vec<u64>, State)> {
        let event = self.model.event(event);
        if !event.is_synchronous() {
            let next = event.fire(state).expect("in range");
            return next.into_iter().map(|next| (Vec::new(), next)).collect();
        }
        let mut found = Vec::new();
        Step::new(self.model, event).for_each(state, |action, next| {
            found.push((action.to_vec(), next.clone()));
            true
        });
        found
    }

    fn all_moves(&self, state: &State) -> Vec<(Vec<u64>, State)> {
        self.model.event_ids().flat_map(|event| self.moves(event, state)).collect()
    }

    fn image(&self, set: &States) -> States {
        set.iter().flat_map(|state| self.all_moves(state)).map(|(_, next)| next).collect()
    }

    fn image_by(&self, event: EventId, set: &States) -> States {
        set.iter().flat_map(|state| self.moves(event, state)).map(|(_, next)| next).collect()
    }

    fn filter(&self, set: &States, holds: impl Fn(&State) -> bool) -> States {
        set.iter().filter(|state| holds(state)).cloned().collect()
    }

    fn preimage(&self, target: &States, within: &States) -> States {
        self.filter(within, |state| self.all_moves(state).iter().any(|(_, next)| target.contains(next)))
    }

    fn closure(&self, from: &States, step: impl Fn(&States) -> States) -> States {
        let mut reached = from.clone();
        loop {
            let before = reached.len();
            reached.extend(step(&reached));
            if reached.len() == before {
                return reached;
            }
        }
    }

    /// Whether the owners of `group` can see to it that the next state lies in `target`.
    fn can_force(&self, state: &State, group: &[VariableId], target: &States) -> bool {
        let first = self.model.variables.len();
        let mut outcomes: BTreeMap<Vec<u64>, bool> = BTreeMap::new();
        for (action, next) in self.all_moves(state) {
            let own = group.iter().filter_map(|id| action.get(id.index() - first).copied()).collect();
            *outcomes.entry(own).or_insert(true) &= target.contains(&next);
        }
        outcomes.values().any(|&always| always)
    }
}

fn check<K: Kind>(truth: &Truth, mut explored: Explored<SetsOf<K>>, strategy: Strategy, seed: u64) {
    let model = truth.model;
    let hierarchy = explored.hierarchy.as_ref().map_or("", |hierarchy| &hierarchy.name);
    let context = format!("by {strategy:?} under {} {hierarchy}", explored.plan.name);
    let reached = explored.reached.clone();
    let sets = &mut explored.sets;
    assert_states(sets, &reached, &truth.states, || format!("states, {context}"));
    assert_eq!(sets.count(&reached), Ok(truth.states.len().into()), "count, {context}");
    if strategy == Strategy::Bfs && !truth.states.is_empty() {
        assert_eq!(explored.depth, Some(truth.depth), "depth, {context}");
    }
    let edges = (!model.is_synchronous()).then(|| {
        let enabled = |state: &State| model.events.iter().filter(|event| event.is_enabled(state)).count();
        truth.states.iter().map(enabled).sum::<usize>().into()
    });
    assert_eq!(sets.count_edges(&reached), Ok(edges), "edges, {context}");
    let dead = sets.dead(&reached).expect("nothing stops it");
    let truly_dead = truth.filter(&truth.states, |state| truth.all_moves(state).is_empty());
    assert_states(sets, &dead, &truly_dead, || format!("dead, {context}"));
    if !truly_dead.is_empty() {
        for layer_steps in [u64::MAX, 0] {
            let found = trace_to(sets, model, &reached, &dead, layer_steps).expect("nothing stops it");
            let found = found.expect("a dead state is reachable");
            let mut state = found.initial.clone();
            assert!(truth.initial().contains(&state), "initial, {context}");
            for (number, &event) in found.events.iter().enumerate() {
                let next = truth.moves(event, &state).into_iter().map(|(_, next)| next);
                let next: Vec<State> = next.collect();
                state = match found.states.get(number) {
                    Some(state) => state.clone(),
                    None => next[0].clone(),
                };
                assert!(next.contains(&state), "a run, {context}");
            }
            assert!(truly_dead.contains(&state), "dead at last, {context}");
        }
    }
    if !truth.states.is_empty() {
        let analysed = sets.analyse(&reached).expect("nothing stops it");
        let values = |variable: VariableId| truth.states.iter().map(move |state| state[variable.index()]);
        let largest: Vec<_> = model.variable_ids().filter_map(|variable| values(variable).max()).collect();
        let smallest: Vec<_> = model.variable_ids().filter_map(|variable| values(variable).min()).collect();
        assert_eq!((analysed.largest, analysed.smallest), (largest, smallest), "values, {context}");
    }
    let ever = sets.ever_enabled(&reached).expect("nothing stops it");
    for event in model.event_ids() {
        let enabled = sets.enabled(event, &reached).expect("nothing stops it");
        let truly = truth.filter(&truth.states, |state| !truth.moves(event, state).is_empty());
        assert_eq!(ever[event.index()], !truly.is_empty(), "ever enabled, {context}");
        assert_states(sets, &enabled, &truly, || format!("enabled, {context}"));
    }

    let numbers = &mut RandomNumbers::new(seed);
    let variables: Vec<VariableId> = model.variable_ids().collect();
    for round in 0..4 {
        // Answers are the same whether a universe is known or not, and whether a question stays
        // inside it or not.
        if round == 1 || round == 3 {
            sets.restrict_to(&reached);
        }
        let (p, q) = (random_predicate(numbers, &variables, 2), random_predicate(numbers, &variables, 2));
        let within = sets.select(&reached, &p).expect("nothing stops it");
        sets.collect_if_due();
        let target = sets.select(&reached, &q).expect("nothing stops it");
        sets.collect_if_due();
        let select =
            |predicate: &Predicate| truth.filter(&truth.states, |state| predicate.holds(state) == Some(true));
        let (true_within, true_target) = (select(&p), select(&q));
        assert_states(sets, &within, &true_within, || format!("{p:?}, {context}"));
        assert_states(sets, &target, &true_target, || format!("{q:?}, {context}"));
        for event in model.event_ids() {
            let found = sets.image(event, &within).expect("nothing stops it");
            assert_states(sets, &found, &truth.image_by(event, &true_within), || format!("image, {context}"));
            let found = sets.preimage(event, &target, &within).expect("nothing stops it");
            let truly = truth.filter(&true_within, |state| {
                truth.moves(event, state).iter().any(|(_, next)| true_target.contains(next))
            });
            assert_states(sets, &found, &truly, || format!("preimage, {context}"));
            if let Some(after) = true_target.iter().next() {
                let found = sets.preimage_of_state(event, after, &within).expect("nothing stops it");
                let truly = truth.filter(&true_within, |state| {
                    truth.moves(event, state).iter().any(|(_, next)| next == after)
                });
                assert_states(sets, &found, &truly, || format!("preimage of a state, {context}"));
            }
        }
        let found = sets.image_of_any(&within).expect("nothing stops it");
        assert_states(sets, &found, &truth.image(&true_within), || format!("image of any, {context}"));
        let found = sets.preimage_of_any(&target, &within).expect("nothing stops it");
        let truly = truth.preimage(&true_target, &true_within);
        assert_states(sets, &found, &truly, || format!("preimage of any, {context}"));
        let found = sets.forward_closure(&target, &within).expect("nothing stops it");
        let truly = truth.closure(&true_target, |set| &truth.image(set) & &true_within);
        assert_states(sets, &found, &truly, || format!("forward, {context}"));
        if round == 0 || round == 2 {
            let closed = sets.forward_closure(&target, &reached).expect("nothing stops it");
            sets.restrict_to(&closed);
            // What is made for this universe is of no use for the next, which is larger.
            let found = sets.preimage_of_any(&target, &closed).expect("nothing stops it");
            let true_closed = truth.closure(&true_target, |set| truth.image(set));
            let truly = truth.preimage(&true_target, &true_closed);
            assert_states(sets, &found, &truly, || format!("preimage in a universe, {context}"));
        }
        let found = sets.backward_closure(&target, &within).expect("nothing stops it");
        let truly = truth.closure(&true_target, |set| truth.preimage(set, &true_within));
        assert_states(sets, &found, &truly, || format!("backward, {context}"));
        sets.collect_if_due();

        let seen: Vec<VariableId> = variables.iter().copied().filter(|_| numbers.percent(50)).collect();
        let view = |state: &State| seen.iter().map(|id| state[id.index()]).collect::<Vec<u64>>();
        let Some(observation) = sets.observation() else { continue };
        let found = observation.same_observation(&target, &seen, &within).expect(UNLIMITED);
        let views: BTreeSet<_> = true_target.iter().map(view).collect();
        let truly = truth.filter(&true_within, |state| views.contains(&view(state)));
        assert_states(sets, &found, &truly, || format!("same observation of {seen:?}, {context}"));
        let group: Vec<VariableId> = model.action_ids().filter(|_| numbers.percent(50)).collect();
        let Some(forcing) = sets.forcing() else { continue };
        let found = forcing.can_force(&group, &target, &within).expect(UNLIMITED);
        let truly = truth.filter(&true_within, |state| truth.can_force(state, &group, &true_target));
        assert_states(sets, &found, &truly, || format!("{group:?} can force, {context}"));
        sets.collect_if_due();
    }
}

/// An order of the variables at random.
fn random_order(model: &Model, seed: u64) -> OrderChoice {
    let mut blocks: Vec<u32> = (0..model.variables.len() as u32).collect();
    RandomNumbers::new(seed).shuffle(&mut blocks);
    OrderChoice::Given { blocks: Blocks::single(model), order: Order { blocks } }
}

/// Checks all cells of a model. Returns whether there are dead states, and the number of states.
fn check_all<K: Kind>(model: &Model, seed: u64) -> (bool, usize) {
    let truth = Truth::of(model);
    for (number, strategy) in K::strategies(model).into_iter().enumerate() {
        let given = random_order(model, seed.wrapping_mul(3).wrapping_add(number as u64));
        let orders = [OrderChoice::Auto, OrderChoice::Named(Heuristic::AsGiven.into()), given];
        for (turn, order) in orders.into_iter().enumerate() {
            let cell = turn + number;
            let limits = if cell % 2 == 0 { Limits::default() } else { TINY };
            let options = ExploreOptions { order, strategy, limits, ..ExploreOptions::default() };
            let variant = (seed.wrapping_add(cell as u64)) % K::VARIANTS;
            check::<K>(&truth, K::explore(model, &options, variant).expect(UNLIMITED), strategy, seed);
        }
    }
    let has_dead = truth.states.iter().any(|state| truth.all_moves(state).is_empty());
    (has_dead, truth.states.len())
}

/// Checks random models; one that fails is shown as small as it gets.
fn check_random<K: Kind>(what: &str, count: u64, make: fn(u64) -> Model) {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    let count = wanted.map_or(count, |wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"));
    let (mut models, mut dead, mut several, mut states) = (0, 0, 0, 0);
    for seed in seeds(count) {
        let model = make(seed);
        let run = |model: &Model| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check_all::<K>(model, seed)))
        };
        match run(&model) {
            Ok((has_dead, state_count)) => {
                dead += u64::from(has_dead);
                states += state_count;
                several += u64::from(state_count > 3);
            }
            Err(panic) => {
                let smallest = shrink_model(&model, |model| run(model).is_err());
                eprintln!("the smallest model that fails: {smallest:#?}");
                std::panic::resume_unwind(panic);
            }
        }
        models += 1;
    }
    println!(
        "{models} {what} models, {dead} with dead states, {several} with more than 3 states, {states} states"
    );
    if models > 20 {
        assert!(dead * 5 >= models && (models - dead) * 5 >= models, "a fair share of dead states");
        assert!(several * 5 >= models * 2, "many models have some states");
    }
}

pub(crate) fn of_general_models<K: Kind>() {
    check_random::<K>("general", 30, random_general_model);
}

pub(crate) fn of_synchronous_models<K: Kind>() {
    check_random::<K>("synchronous", 30, random_synchronous_model);
}

fn variable(number: u32) -> Expr {
    Expr::Variable(VariableId(number))
}

fn plain_model(initial: &[u64], events: Vec<Event>) -> Model {
    Model {
        variables: (0..initial.len()).map(|number| Variable { name: format!("v{number}") }).collect(),
        initial: vec![initial.into()],
        events,
        ..Model::default()
    }
}

fn update(guard: Predicate, updates: Vec<(u32, Expr)>) -> Event {
    let updates = updates.into_iter().map(|(number, expr)| (VariableId(number), expr)).collect();
    Event { name: "event".into(), parts: vec![Part::General { guard: Box::new(guard), updates }] }
}

fn compare(a: Expr, comparison: Comparison, b: i64) -> Predicate {
    Predicate::Compare(a, comparison, Expr::Constant(b))
}

/// Explores by every strategy, in both orders of two or more variables, and counts.
fn explore_everywhere<K: Kind>(model: &Model, mut check: impl FnMut(Result<String, Failure>)) {
    let down: Vec<u32> = (0..model.variables.len() as u32).collect();
    let up: Vec<u32> = down.iter().rev().copied().collect();
    for (number, strategy) in K::strategies(model).into_iter().enumerate() {
        for (turn, blocks) in [&down, &up].into_iter().enumerate() {
            let order = Order { blocks: blocks.clone() };
            let given = OrderChoice::Given { blocks: Blocks::single(model), order };
            let options = ExploreOptions { order: given, strategy, ..ExploreOptions::default() };
            for variant in K::variants(number + turn) {
                check(K::explore(model, &options, variant).map(|explored| {
                    let Explored { mut sets, reached, .. } = explored;
                    sets.count(&reached).expect(UNLIMITED).to_string()
                }));
            }
        }
    }
}

/// The gated queue: everyone who waits is let in at once.
fn gated_queue() -> Model {
    let wait = update(
        compare(Expr::Sum(vec![variable(0), variable(1)]), Comparison::Less, 40),
        vec![(0, Expr::Sum(vec![variable(0), Expr::Constant(1)]))],
    );
    let let_in = update(
        compare(variable(1), Comparison::Equal, 0),
        vec![(0, Expr::Constant(0)), (1, Expr::Sum(vec![variable(0), variable(1)]))],
    );
    let leave = update(
        compare(variable(1), Comparison::Greater, 0),
        vec![(1, Expr::Sum(vec![variable(1), Expr::Constant(-1)]))],
    );
    plain_model(&[0, 0], vec![wait, let_in, leave])
}

pub(crate) fn with_domains_that_grow<K: Kind>() {
    let model = gated_queue();
    // All pairs with a sum of at most 40.
    explore_everywhere::<K>(&model, |found| assert_eq!(found.as_deref(), Ok("861")));
}

pub(crate) fn that_overflow<K: Kind>() {
    let is_overflow = |found: Result<String, Failure>| {
        assert!(matches!(found, Err(Failure::Interrupted(Interrupted::Overflow, _))), "{found:?}");
    };
    // Doubling; going below 0, where only the other variable tells so; dividing by 0.
    let double = update(Predicate::True, vec![(0, Expr::Sum(vec![variable(0), variable(0)]))]);
    explore_everywhere::<K>(&plain_model(&[1, 0], vec![double]), is_overflow);
    let minus = |number| Expr::Product(Box::new(Expr::Constant(-1)), Box::new(variable(number)));
    let below = || update(Predicate::True, vec![(0, Expr::Sum(vec![variable(0), minus(1)]))]);
    explore_everywhere::<K>(&plain_model(&[1, 2], vec![below()]), is_overflow);
    let quotient = Expr::Quotient(Box::new(variable(0)), Box::new(variable(1)));
    explore_everywhere::<K>(
        &plain_model(&[3, 0], vec![update(Predicate::True, vec![(0, quotient)])]),
        is_overflow,
    );

    // What the guard keeps from happening is no overflow.
    let mut guarded = below();
    let Part::General { guard, .. } = &mut guarded.parts[0] else { panic!("a general part") };
    **guard = compare(Expr::Sum(vec![variable(0), minus(1)]), Comparison::GreaterOrEqual, 0);
    explore_everywhere::<K>(&plain_model(&[5, 2], vec![guarded]), |found| {
        assert_eq!(found.as_deref(), Ok("3"))
    });
}

pub(crate) fn of_merged_variables<K: Kind>() {
    // One token on three places moves by one or, where the counter is odd, by two.
    let mut model = plain_model(
        &[1, 0, 0, 0],
        vec![
            update(
                compare(variable(3), Comparison::Less, 5),
                vec![
                    (0, variable(2)),
                    (1, variable(0)),
                    (2, variable(1)),
                    (3, Expr::Sum(vec![variable(3), variable(0), variable(1)])),
                ],
            ),
            Event {
                name: "back".into(),
                parts: vec![
                    Part::General {
                        guard: Box::new(compare(
                            Expr::Xor(vec![variable(3), variable(1)]),
                            Comparison::Equal,
                            1,
                        )),
                        updates: vec![(VariableId(0), variable(1)), (VariableId(1), Expr::Constant(0))],
                    },
                    Part::Local { variable: VariableId(3), at_least: 1, at_most: 4, change: Change::Add(-1) },
                ],
            },
        ],
    );
    model.facts = Facts {
        exclusive: vec![symbolon_model::ExclusiveSet {
            variables: (0..3).map(VariableId).collect(),
            exactly_one: true,
        }],
        ..Facts::default()
    };
    let truth = Truth::of(&model);
    for strategy in K::strategies(&model) {
        for order in [OrderChoice::Merged(Heuristic::AsGiven.into()), OrderChoice::Auto] {
            let options = ExploreOptions { order, strategy, ..ExploreOptions::default() };
            check::<K>(&truth, K::explore(&model, &options, 0).expect(UNLIMITED), strategy, 1);
        }
    }
}
