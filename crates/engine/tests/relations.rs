//! Events of any form, synchronous steps and questions about agents: every kind of state sets, by every strategy, under
//! several orders and hierarchies, against plain enumeration, on random models.

use std::collections::{BTreeMap, BTreeSet};
use symbolon_budget::Budget;
use symbolon_budget::Interrupted;
use symbolon_dd_core::Limits;
use symbolon_engine::bounded::{self, Method, Search, Target};
use symbolon_engine::hierarchy::{Item, Tree};
use symbolon_engine::order::{Blocks, Heuristic, Order};
use symbolon_engine::{
    BddSets, ExploreOptions, Explored, Failure, HierarchyChoice, HierarchySets, MddSets, OrderChoice,
    Reordering, Saturation, StateSets, Strategy, explore, explore_binary, explore_flat, explore_hierarchy,
    trace_to,
};
use symbolon_model::{
    ActionVariable, Change, Choice, Comparison, Component, ComponentId, Event, EventId, Expr, Facts, Line,
    Model, Part, Predicate, Reaction, State, Step, Values, Variable, VariableId,
};
use symbolon_testkit::{
    RandomNumbers, random_general_model, random_predicate, random_synchronous_model, seeds, shrink_model,
};

const STRATEGIES: [Strategy; 3] = [Strategy::Bfs, Strategy::Chaining, Strategy::Saturation];

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

impl Listed for BddSets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.states_of(set).collect()
    }
}

impl Listed for HierarchySets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.states_of(set).collect()
    }
}

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

fn check<S: Listed>(truth: &Truth, mut explored: Explored<S>, strategy: Strategy, seed: u64) {
    let model = truth.model;
    let hierarchy = explored.hierarchy.as_ref().map_or("", |hierarchy| &hierarchy.name);
    let context =
        format!("{} by {strategy:?} under {} {hierarchy}", explored.sets.kind(), explored.plan.name);
    let reached = explored.reached.clone();
    let sets = &mut explored.sets;
    assert_eq!(sets.list(&reached), truth.states, "states, {context}");
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
    assert_eq!(sets.list(&dead), truly_dead, "dead, {context}");
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
        assert_eq!(sets.list(&enabled), truly, "enabled, {context}");
    }

    let numbers = &mut RandomNumbers::new(seed);
    let variables: Vec<VariableId> = model.variable_ids().collect();
    for round in 0..4 {
        // Answers are the same whether a universe is known or not, and whether a question stays inside it or not.
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
        assert_eq!(sets.list(&within), true_within, "{p:?}, {context}");
        assert_eq!(sets.list(&target), true_target, "{q:?}, {context}");
        for event in model.event_ids() {
            let found = sets.image(event, &within).expect("nothing stops it");
            assert_eq!(sets.list(&found), truth.image_by(event, &true_within), "image, {context}");
            let found = sets.preimage(event, &target, &within).expect("nothing stops it");
            let truly = truth.filter(&true_within, |state| {
                truth.moves(event, state).iter().any(|(_, next)| true_target.contains(next))
            });
            assert_eq!(sets.list(&found), truly, "preimage, {context}");
            if let Some(after) = true_target.iter().next() {
                let found = sets.preimage_of_state(event, after, &within).expect("nothing stops it");
                let truly = truth.filter(&true_within, |state| {
                    truth.moves(event, state).iter().any(|(_, next)| next == after)
                });
                assert_eq!(sets.list(&found), truly, "preimage of a state, {context}");
            }
        }
        let found = sets.image_of_any(&within).expect("nothing stops it");
        assert_eq!(sets.list(&found), truth.image(&true_within), "image of any, {context}");
        let found = sets.preimage_of_any(&target, &within).expect("nothing stops it");
        let truly = truth.preimage(&true_target, &true_within);
        assert_eq!(sets.list(&found), truly, "preimage of any, {context}");
        let found = sets.forward_closure(&target, &within).expect("nothing stops it");
        let truly = truth.closure(&true_target, |set| &truth.image(set) & &true_within);
        assert_eq!(sets.list(&found), truly, "forward, {context}");
        if round == 0 || round == 2 {
            let closed = sets.forward_closure(&target, &reached).expect("nothing stops it");
            sets.restrict_to(&closed);
            // What is made for this universe is of no use for the next, which is larger.
            let found = sets.preimage_of_any(&target, &closed).expect("nothing stops it");
            let true_closed = truth.closure(&true_target, |set| truth.image(set));
            let truly = truth.preimage(&true_target, &true_closed);
            assert_eq!(sets.list(&found), truly, "preimage in a universe, {context}");
        }
        let found = sets.backward_closure(&target, &within).expect("nothing stops it");
        let truly = truth.closure(&true_target, |set| truth.preimage(set, &true_within));
        assert_eq!(sets.list(&found), truly, "backward, {context}");
        sets.collect_if_due();

        let seen: Vec<VariableId> = variables.iter().copied().filter(|_| numbers.percent(50)).collect();
        let view = |state: &State| seen.iter().map(|id| state[id.index()]).collect::<Vec<u64>>();
        let found = sets
            .observation()
            .expect("every kind has it")
            .same_observation(&target, &seen, &within)
            .expect("nothing stops it");
        let views: BTreeSet<_> = true_target.iter().map(view).collect();
        let truly = truth.filter(&true_within, |state| views.contains(&view(state)));
        assert_eq!(sets.list(&found), truly, "same observation of {seen:?}, {context}");
        let group: Vec<VariableId> = model.action_ids().filter(|_| numbers.percent(50)).collect();
        let found = sets
            .forcing()
            .expect("every kind has it")
            .can_force(&group, &target, &within)
            .expect("nothing stops it");
        let truly = truth.filter(&true_within, |state| truth.can_force(state, &group, &true_target));
        assert_eq!(sets.list(&found), truly, "{group:?} can force, {context}");
        sets.collect_if_due();
    }
}

/// Any order and tree over the variables: shuffled, and grouped by chance.
fn random_tree(model: &Model, seed: u64) -> (OrderChoice, HierarchyChoice) {
    let numbers = &mut RandomNumbers::new(seed);
    let mut order: Vec<u32> = (0..model.variables.len() as u32).collect();
    numbers.shuffle(&mut order);
    let mut items = Vec::new();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let (first, others) = rest.split_at(numbers.between(1, rest.len() as u64) as usize);
        let inside: Vec<Item> = first.iter().map(|&block| Item::Block(block)).collect();
        items.push(Item::Group(inside));
        rest = others;
    }
    let blocks = Blocks::single(model);
    let given = OrderChoice::Given { blocks: blocks.clone(), order: Order { blocks: order } };
    (given, HierarchyChoice::Given { blocks, tree: Tree::new(items) })
}

fn check_all(model: &Model, seed: u64) -> (bool, usize) {
    let budget = Budget::unlimited();
    let truth = Truth::of(model);
    for (number, strategy) in STRATEGIES.into_iter().enumerate() {
        let (given, tree) = random_tree(model, seed.wrapping_mul(3).wrapping_add(number as u64));
        let orders = [OrderChoice::Auto, OrderChoice::Named(Heuristic::AsGiven.into()), given];
        for (turn, order) in orders.into_iter().enumerate() {
            let limits = if (turn + number) % 2 == 0 { Limits::default() } else { TINY };
            let options = ExploreOptions { order, strategy, limits };
            check(&truth, explore(model, &options, &budget).expect("nothing stops it"), strategy, seed);
            let ddd = explore_flat(model, &options, &budget).expect("nothing stops it");
            check(&truth, ddd, strategy, seed);
            let reordering = [Reordering::Off, Reordering::Dynamic, Reordering::Off][turn];
            let bdd = explore_binary(model, &options, reordering, &budget).expect("nothing stops it");
            check(&truth, bdd, strategy, seed);
            let halves = HierarchyChoice::Named("recursive:1".parse().expect("a hierarchy"));
            let hierarchy = [tree.clone(), halves, HierarchyChoice::default()][turn].clone();
            let set = explore_hierarchy(model, &options, &hierarchy, &budget).expect("nothing stops it");
            check(&truth, set, strategy, seed);
        }
    }
    let has_dead = truth.states.iter().any(|state| truth.all_moves(state).is_empty());
    (has_dead, truth.states.len())
}

/// Checks random models; one that fails is shown as small as it gets.
fn check_random(what: &str, count: u64, make: fn(u64) -> Model) {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    let count = wanted.map_or(count, |wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"));
    let (mut models, mut dead, mut several, mut states) = (0, 0, 0, 0);
    for seed in seeds(count) {
        let model = make(seed);
        let run =
            |model: &Model| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check_all(model, seed)));
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

#[test]
fn random_general_models() {
    check_random("general", 30, random_general_model);
}

#[test]
fn random_synchronous_models() {
    check_random("synchronous", 30, random_synchronous_model);
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

/// Explores by every kind of diagram and strategy, in both orders of two or more variables.
fn explore_everywhere(model: &Model, mut check: impl FnMut(Result<String, Failure>)) {
    let budget = Budget::unlimited();
    let count = model.variables.len();
    let down: Vec<u32> = (0..count as u32).collect();
    let up: Vec<u32> = down.iter().rev().copied().collect();
    for strategy in STRATEGIES {
        for blocks in [&down, &up] {
            let given =
                OrderChoice::Given { blocks: Blocks::single(model), order: Order { blocks: blocks.clone() } };
            let options = ExploreOptions { order: given, strategy, ..ExploreOptions::default() };
            fn counted<S: StateSets>(explored: Explored<S>) -> String {
                let Explored { mut sets, reached, .. } = explored;
                sets.count(&reached).expect("nothing stops it").to_string()
            }
            check(explore(model, &options, &budget).map(counted));
            check(explore_flat(model, &options, &budget).map(counted));
            check(explore_binary(model, &options, Reordering::Off, &budget).map(counted));
            let items = blocks
                .chunks(2)
                .map(|some| Item::Group(some.iter().map(|&block| Item::Block(block)).collect()));
            let tree = Tree::new(items.collect());
            let choice = HierarchyChoice::Given { blocks: Blocks::single(model), tree };
            check(explore_hierarchy(model, &options, &choice, &budget).map(counted));
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

#[test]
fn domains_grow_as_far_as_they_must() {
    let model = gated_queue();
    // All pairs with a sum of at most 40.
    explore_everywhere(&model, |found| assert_eq!(found.as_deref(), Ok("861")));
}

#[test]
fn domains_grow_in_bounded_search() {
    let model = gated_queue();
    let twelve = compare(variable(1), Comparison::Equal, 12);
    for blocks in [vec![0, 1], vec![1, 0]] {
        let rough = [Method::Chain, Method::EddApprox, Method::EvbddApprox];
        for method in rough.into_iter().chain([Method::EddExact, Method::AddExact, Method::Auto]) {
            let search = Search {
                target: Target::Holds(&twelve),
                bound: Some(13),
                method,
                is_finite: true,
                order: OrderChoice::Given {
                    blocks: Blocks::single(&model),
                    order: Order { blocks: blocks.clone() },
                },
            };
            let found = bounded::search(&model, &search, &Budget::unlimited());
            let found = found.expect("nothing stops it").found.expect("twelve can wait");
            let is_exact = matches!(method, Method::EddExact | Method::AddExact);
            assert!(!is_exact || found.distance == Some(13), "{method:?}: {found:?}");
        }
    }
}

#[test]
fn overflow_is_told_and_never_wrapped() {
    let is_overflow = |found: Result<String, Failure>| {
        assert!(matches!(found, Err(Failure::Interrupted(Interrupted::Overflow, _))), "{found:?}");
    };
    // Doubling; going below 0, where only the other variable tells so; dividing by 0.
    let double = update(Predicate::True, vec![(0, Expr::Sum(vec![variable(0), variable(0)]))]);
    explore_everywhere(&plain_model(&[1, 0], vec![double]), is_overflow);
    let minus = |number| Expr::Product(Box::new(Expr::Constant(-1)), Box::new(variable(number)));
    let below = || update(Predicate::True, vec![(0, Expr::Sum(vec![variable(0), minus(1)]))]);
    explore_everywhere(&plain_model(&[1, 2], vec![below()]), is_overflow);
    let quotient = Expr::Quotient(Box::new(variable(0)), Box::new(variable(1)));
    explore_everywhere(
        &plain_model(&[3, 0], vec![update(Predicate::True, vec![(0, quotient)])]),
        is_overflow,
    );

    // What the guard keeps from happening is no overflow.
    let mut guarded = below();
    let Part::General { guard, .. } = &mut guarded.parts[0] else { panic!("a general part") };
    **guard = compare(Expr::Sum(vec![variable(0), minus(1)]), Comparison::GreaterOrEqual, 0);
    explore_everywhere(&plain_model(&[5, 2], vec![guarded]), |found| assert_eq!(found.as_deref(), Ok("3")));
}

#[test]
fn merged_variables_take_part() {
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
    let budget = Budget::unlimited();
    for strategy in STRATEGIES {
        for order in [OrderChoice::Merged(Heuristic::AsGiven.into()), OrderChoice::Auto] {
            let options = ExploreOptions { order, strategy, ..ExploreOptions::default() };
            check(&truth, explore(&model, &options, &budget).expect("nothing stops it"), strategy, 1);
            check(&truth, explore_flat(&model, &options, &budget).expect("nothing stops it"), strategy, 1);
            let bdd = explore_binary(&model, &options, Reordering::Off, &budget).expect("nothing stops it");
            check(&truth, bdd, strategy, 1);
        }
    }
}

#[test]
fn initial_states_are_never_listed() {
    // A hundred bits, any even number of them set; an agent may flip the first.
    let count = 100;
    let bits: Vec<Expr> = (0..count).map(variable).collect();
    let flip = Line {
        guard: compare(variable(count), Comparison::Equal, 1),
        updates: vec![(VariableId(0), Expr::Not(Box::new(variable(0))))],
    };
    let choice = Choice { action: VariableId(count), offers: Vec::new(), otherwise: vec![0, 1] };
    let model = Model {
        variables: (0..count).map(|number| Variable { name: format!("b{number}") }).collect(),
        values: vec![Values::Boolean; count as usize],
        initially: Some(Box::new(compare(Expr::Xor(bits), Comparison::Equal, 0))),
        components: vec![Component { name: "agent".into(), parent: None, variables: vec![VariableId(0)] }],
        actions: vec![ActionVariable { agent: ComponentId(0), names: vec!["wait".into(), "flip".into()] }],
        events: vec![Event {
            name: "step".into(),
            parts: vec![
                Part::Choice(Box::new(choice)),
                Part::Reaction(Box::new(Reaction { lines: vec![flip] })),
            ],
        }],
        ..Model::default()
    };
    let all = (num_bigint::BigUint::from(1_u32) << count).to_string();
    explore_everywhere(&model, |found| assert_eq!(found.as_ref(), Ok(&all)));
}
