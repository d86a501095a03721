//! Random models against breadth-first search, for every solver that is built in.
//!
//! Bounded nets with and without facts, several initial states, nets with unbounded places, models
//! whose parts are expressions, and agents who step together. Every semantics must find what lies
//! within the bound and nothing that cannot be reached; one event a step must find exactly the
//! distance; induction must never prove what a search refutes. A model that fails is made smaller
//! before it is shown.
//!
//! `SYMBOLON_RANDOM_NETS=4000 cargo test --release -p symbolon-sat --test agreement` tries as many
//! models of each kind, with bounds up to 20.

use std::collections::BTreeMap;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_explicit::explore;
use symbolon_model::{
    Change, Comparison, Event, Expr, Line, Model, Part, Predicate, Reaction, State, Values, Variable,
    VariableId,
};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, analysis, lower, lower_with};
use symbolon_sat::{
    Error, Found, Goal, NormalForms, Options, Outcome, Proof, Semantics, SolverName, Stopped, prove, search,
};
use symbolon_testkit::{
    RandomNumbers, random_model, random_net, random_synchronous_model, seeds, shrink_model,
};

const ALL: [Semantics; 3] = [Semantics::Interleaving, Semantics::Step, Semantics::Chained];

/// The solvers that are built in.
fn solvers() -> impl Iterator<Item = SolverName> {
    SolverName::ALL.into_iter().filter(|solver| solver.is_built_in())
}

/// How many models the environment asks for, if it does.
fn wanted() -> Option<u64> {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    wanted.map(|wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"))
}

/// The largest bound that is tried: a small one, or 20 where the environment asks for many models.
fn most_steps(few: u64) -> u64 {
    if wanted().is_some() { 20 } else { few }
}

/// Without normal forms no more steps than these are tried: the orders of independent events are
/// too many.
const MOST_WITHOUT_NORMAL_FORMS: usize = 7;

/// A question that takes longer is left open.
const PATIENCE: Duration = Duration::from_secs(20);

/// The distances of all states up to `depth`, and whether there are no others.
struct Reference {
    distances: BTreeMap<State, usize>,
    depth: usize,
    is_complete: bool,
}

/// Breadth-first search, up to `most` steps and, of these, as many as lead to no more than `limit`
/// states; unless a value leaves the range.
fn reference(model: &Model, most: usize, limit: usize) -> Option<Reference> {
    let mut distances: BTreeMap<State, usize> =
        model.initial.iter().map(|state| (state.clone(), 0)).collect();
    let mut layer: Vec<State> = distances.keys().cloned().collect();
    let mut depth = 0;
    while depth < most && !layer.is_empty() {
        let mut next = Vec::new();
        for state in &layer {
            for event in &model.events {
                if let Some(after) = event.fire(state).ok()?
                    && !distances.contains_key(&after)
                {
                    distances.insert(after.clone(), depth + 1);
                    next.push(after);
                }
            }
        }
        if distances.len() > limit {
            distances.retain(|_, distance| *distance <= depth);
            return Some(Reference { distances, depth, is_complete: false });
        }
        (layer, depth) = (next, depth + 1);
    }
    // Where nothing is new, everything is within any distance.
    let is_complete = layer.is_empty();
    Some(Reference { distances, depth: if is_complete { most } else { depth }, is_complete })
}

impl Reference {
    /// How far the nearest state of a goal is.
    fn distance(&self, model: &Model, goal: &Goal) -> Option<usize> {
        let goals = self.distances.iter().filter(|(state, _)| goal.contains(model, state));
        goals.map(|(_, distance)| *distance).min()
    }
}

/// How often each outcome was seen.
#[derive(Clone, Debug, Default)]
struct Seen {
    found: u64,
    none: u64,
    proved: u64,
    /// Too long for our patience.
    open: u64,
    /// Values that are too wide to be encoded, which is told.
    refused: u64,
}

impl Seen {
    /// Hardly any question was left open.
    fn demand_answers(&self) {
        let answered = self.found + self.none + self.proved;
        assert!(self.open * 100 <= answered && self.refused * 5 <= answered, "{self:?}");
    }
}

fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn patient() -> Budget {
    Budget::new(Limits { time: Some(PATIENCE), memory: None })
}

fn is_timeout(stopped: &Stopped) -> bool {
    stopped.error == Error::Interrupted(Interrupted::Timeout)
}

/// Demands that a model passes an examination; if it does not, a smaller one that does not either
/// is shown.
fn check(model: &Model, mut examine: impl FnMut(&Model) -> Result<(), String>) {
    if let Err(first) = examine(model) {
        let smaller = shrink_model(model, |smaller| examine(smaller).is_err());
        let why = examine(&smaller).err().unwrap_or_default();
        panic!("{why} (first seen as: {first})\n{smaller:#?}");
    }
}

/// Asks for `goal` within `bound` in every semantics and compares with the distances.
fn examine(
    model: &Model,
    goal: &Goal,
    bound: usize,
    reference: &Reference,
    seen: &mut Seen,
) -> Result<(), String> {
    let distance = reference.distance(model, goal);
    for solver in solvers() {
        for (semantics, normal_forms) in
            ALL.into_iter().flat_map(|one| [(one, NormalForms::On), (one, NormalForms::Off)])
        {
            if normal_forms == NormalForms::Off && bound > MOST_WITHOUT_NORMAL_FORMS {
                continue;
            }
            let options =
                Options { semantics, bound: Some(bound), normal_forms, solver, ..Options::default() };
            let case = || format!("{} {goal:?} {options:?}, at distance {distance:?}", model.name);
            match search(model, goal, &options, &patient()) {
                Err(stopped) if is_timeout(&stopped) => seen.open += 1,
                Err(Stopped { error: Error::Unsupported { .. }, .. }) => seen.refused += 1,
                Err(stopped) => return Err(format!("{}: {stopped}", case())),
                Ok(report) => match report.outcome {
                    Outcome::Found(found) => {
                        seen.found += 1;
                        let wrong = wrong_find(&found, semantics, bound, distance, reference);
                        demand(wrong.is_none(), || format!("{}: {}", case(), wrong.unwrap_or_default()))?;
                    }
                    Outcome::NoneWithin(steps) => {
                        seen.none += 1;
                        let is_right = steps == bound && distance.is_none_or(|distance| distance > bound);
                        demand(is_right, || format!("{}: nothing found within {steps}", case()))?;
                    }
                    Outcome::Unreachable(_) => {
                        seen.proved += 1;
                        demand(distance.is_none(), || format!("{}: called unreachable", case()))?;
                    }
                },
            }
        }
    }
    Ok(())
}

/// What is wrong with something that was found.
fn wrong_find(
    found: &Found,
    semantics: Semantics,
    bound: usize,
    distance: Option<usize>,
    reference: &Reference,
) -> Option<String> {
    let (steps, length) = (found.steps, found.run.event_count());
    // Within the bound the reference knows whether there is one; beyond it only if it is complete.
    let is_right = match distance {
        Some(distance) => {
            length >= distance && steps <= distance && (!found.is_shortest || length == distance)
        }
        None => !reference.is_complete && length > reference.depth,
    };
    let is_exact = semantics != Semantics::Interleaving || (Some(steps), length) == (distance, steps);
    (!is_right || !is_exact || steps > bound).then(|| format!("{steps} steps, {length} events"))
}

/// Tries a proof by induction.
fn examine_induction(
    model: &Model,
    goal: &Goal,
    bound: usize,
    reference: &Reference,
    seen: &mut Seen,
) -> Result<(), String> {
    let distance = reference.distance(model, goal);
    for solver in solvers() {
        let options = Options { bound: Some(bound), solver, ..Options::default() };
        let case = || format!("{} {goal:?} {options:?} by induction, at distance {distance:?}", model.name);
        let (is_right, outcome) = match prove(model, goal, &options, &patient()) {
            Err(stopped) if is_timeout(&stopped) => {
                seen.open += 1;
                continue;
            }
            Err(stopped) => return Err(format!("{}: {stopped}", case())),
            Ok(report) => {
                let is_right = match &report.outcome {
                    Outcome::Found(found) => (Some(found.steps), found.is_shortest) == (distance, true),
                    Outcome::NoneWithin(_) => distance.is_none_or(|distance| distance > bound),
                    Outcome::Unreachable(_) => distance.is_none(),
                };
                (is_right, report.outcome)
            }
        };
        match outcome {
            Outcome::Found(_) => seen.found += 1,
            Outcome::NoneWithin(_) => seen.none += 1,
            Outcome::Unreachable(Proof::Induction { .. }) => seen.proved += 1,
            Outcome::Unreachable(Proof::RunsEnd { .. }) => {}
        }
        demand(is_right, || format!("{}: {outcome:?}", case()))?;
    }
    Ok(())
}

/// A goal that some states of the reference satisfy, or perhaps none.
fn random_goal(model: &Model, reference: &Reference, numbers: &mut RandomNumbers) -> Goal {
    if numbers.percent(40) || model.variables.is_empty() {
        return Goal::Deadlock;
    }
    let states: Vec<&State> = reference.distances.keys().collect();
    let state = *numbers.one_of(&states);
    let variable = |numbers: &mut RandomNumbers| numbers.below(model.variables.len() as u64) as usize;
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    let mut parts = Vec::new();
    for _ in 0..numbers.between(1, 3) {
        let (a, b) = (variable(numbers), variable(numbers));
        let of = |index: usize| Expr::Variable(VariableId(index as u32));
        let nudge = numbers.below(3) as i64 - 1;
        parts.push(match numbers.below(4) {
            0 => Predicate::Compare(of(a), *numbers.one_of(&comparisons), of(b)),
            1 => Predicate::Compare(
                Expr::Sum(vec![of(a), of(b)]),
                *numbers.one_of(&comparisons),
                Expr::Constant((state[a] + state[b]) as i64 + nudge),
            ),
            _ => Predicate::Compare(
                of(a),
                *numbers.one_of(&comparisons[..2]),
                Expr::Constant(state[a] as i64 + nudge.max(0)),
            ),
        });
    }
    Goal::Holds(match numbers.below(3) {
        0 => Predicate::Or(parts),
        1 => Predicate::Not(Box::new(Predicate::Or(parts))),
        _ => Predicate::And(parts),
    })
}

/// A net with facts that were proved of it, or a model with several initial states and no facts.
fn bounded_model(seed: u64) -> Model {
    if seed.is_multiple_of(2) {
        let net = random_net(seed);
        let found = analysis::analyse(&net, &analysis::AnalysisOptions::default(), &Budget::unlimited())
            .expect("the budget has no limits");
        lower_with(&net, &found)
    } else {
        random_model(seed)
    }
}

#[test]
fn bounded_nets_agree_with_breadth_first_search() {
    let (mut seen, mut induction) = (Seen::default(), Seen::default());
    for seed in seeds(wanted().unwrap_or(1200)) {
        let model = bounded_model(seed);
        let all = reference(&model, usize::MAX, 100_000).expect("random nets are small");
        let mut numbers = RandomNumbers::new(seed ^ 0x5a7);
        let bound = numbers.between(0, most_steps(7)) as usize;
        let goal = random_goal(&model, &all, &mut numbers);
        check(&model, |model| {
            let all = reference(model, usize::MAX, 100_000).expect("smaller nets are small");
            examine(model, &goal, bound, &all, &mut seen)?;
            examine_induction(model, &goal, bound.min(4), &all, &mut induction)
        });
    }
    let total = seen.found + seen.none + seen.proved;
    eprintln!("{seen:?}, by induction {induction:?}");
    seen.demand_answers();
    induction.demand_answers();
    if total > 1000 {
        assert!(seen.found * 5 > total && (seen.none + seen.proved) * 5 > total, "{seen:?}");
        assert!(induction.proved > 20, "{induction:?}");
    }
}

/// Any arcs at all, with weights up to 3: mostly unbounded.
fn unbounded_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed ^ 0x0b0);
    let mut net = Net { name: format!("unbounded net {seed}"), ..Net::default() };
    for index in 0..numbers.between(1, 5) {
        // A few numbers that are too large for the small encoding.
        let initial = if numbers.percent(8) { numbers.between(15, 40) } else { numbers.below(4) };
        net.places.push(Place { id: format!("p{index}"), label: None, initial });
    }
    let places: Vec<PlaceId> = net.place_ids().collect();
    for index in 0..numbers.between(1, 5) {
        let mut transition = Transition { id: format!("t{index}"), ..Transition::default() };
        for &place in &places {
            let weight = |numbers: &mut RandomNumbers| numbers.between(1, 3);
            if numbers.percent(35) {
                transition.add(Arc::Input { place, weight: weight(&mut numbers) });
            }
            if numbers.percent(35) {
                let weight = weight(&mut numbers) + 8 * numbers.below(5) / 4;
                transition.add(Arc::Output { place, weight });
            }
            if numbers.percent(12) {
                let weight = weight(&mut numbers) + numbers.below(20);
                transition.add(Arc::Inhibitor { place, weight });
            }
            if numbers.percent(8) {
                transition.add(Arc::Read { place, weight: weight(&mut numbers) });
            }
            if numbers.percent(8) {
                transition.add(Arc::Reset { place });
            }
        }
        net.transitions.push(transition);
    }
    net
}

#[test]
fn unbounded_nets_agree_with_breadth_first_search() {
    let (mut seen, mut far) = (Seen::default(), 0);
    for seed in seeds(wanted().unwrap_or(800)) {
        let mut numbers = RandomNumbers::new(seed ^ 0xfeed);
        let model = lower(&unbounded_net(seed));
        let wished = numbers.between(0, most_steps(6)) as usize;
        let near = reference(&model, wished, 30_000).expect("values are small");
        let (bound, goal) = (near.depth, random_goal(&model, &near, &mut numbers));
        far += u64::from(bound > 12);
        check(&model, |model| {
            let near = reference(model, bound, usize::MAX).expect("values are small");
            examine(model, &goal, bound, &near, &mut seen)
        });
    }
    eprintln!("{seen:?}, {far} with bounds above 12");
    seen.demand_answers();
}

/// A model whose events are expressions over a few variables.
fn expression_model(seed: u64) -> Model {
    let mut numbers = RandomNumbers::new(seed ^ 0xe59);
    let count = numbers.between(1, 4);
    let variables = (0..count).map(|index| Variable { name: format!("x{index}") }).collect();
    let initial =
        (0..numbers.between(1, 2)).map(|_| (0..count).map(|_| numbers.below(5)).collect()).collect();
    let mut events = Vec::new();
    for index in 0..numbers.between(1, 5) {
        let mut parts = Vec::new();
        let mut free: Vec<u32> = (0..count as u32).collect();
        numbers.shuffle(&mut free);
        if numbers.percent(40) {
            let variable = VariableId(free.pop().unwrap_or(0));
            let at_least = numbers.below(3);
            let change = if numbers.percent(60) {
                Change::Add(numbers.below(3) as i64 - at_least.min(1) as i64)
            } else {
                Change::Set(numbers.below(4))
            };
            parts.push(Part::Local { variable, at_least, at_most: numbers.between(2, 6), change });
        }
        let guard = random_predicate(count, 2, &mut numbers);
        let written = free.iter().take(numbers.between(1, 2) as usize);
        let updates = written
            .map(|&variable| {
                let value = random_expression(count, 2, &mut numbers);
                // Truth values keep some results small; quotients bring them back.
                let value = match numbers.below(3) {
                    0 => Expr::Quotient(
                        Box::new(value),
                        Box::new(Expr::Constant(numbers.between(2, 3) as i64)),
                    ),
                    1 => Expr::Sum(vec![Expr::Xor(vec![value]), Expr::Variable(VariableId(variable))]),
                    _ => value,
                };
                (VariableId(variable), value)
            })
            .collect();
        parts.push(Part::General { guard: Box::new(guard), updates });
        events.push(Event { name: format!("e{index}"), parts });
    }
    Model { name: format!("expressions {seed}"), variables, initial, events, ..Model::default() }
}

fn random_expression(count: u64, depth: u64, numbers: &mut RandomNumbers) -> Expr {
    let below = |numbers: &mut RandomNumbers| random_expression(count, depth.saturating_sub(1), numbers);
    match if depth == 0 { numbers.below(2) } else { numbers.below(9) } {
        0 => Expr::Constant(numbers.below(6) as i64 - 2),
        1 | 2 => Expr::Variable(VariableId(numbers.below(count) as u32)),
        3 | 4 => Expr::Sum(vec![below(numbers), below(numbers)]),
        5 => Expr::Product(Box::new(below(numbers)), Box::new(below(numbers))),
        6 => Expr::Quotient(Box::new(below(numbers)), Box::new(below(numbers))),
        7 => Expr::Not(Box::new(below(numbers))),
        _ => {
            let operands = vec![below(numbers), below(numbers)];
            match numbers.below(3) {
                0 => Expr::And(operands),
                1 => Expr::Or(operands),
                _ => Expr::Xor(operands),
            }
        }
    }
}

fn random_predicate(count: u64, depth: u64, numbers: &mut RandomNumbers) -> Predicate {
    let comparisons = [Comparison::Less, Comparison::LessOrEqual, Comparison::NotEqual, Comparison::Equal];
    match if depth == 0 { 0 } else { numbers.below(5) } {
        3 => Predicate::Not(Box::new(random_predicate(count, depth - 1, numbers))),
        4 => Predicate::Or(vec![
            random_predicate(count, depth - 1, numbers),
            random_predicate(count, depth - 1, numbers),
        ]),
        _ => Predicate::Compare(
            random_expression(count, 2, numbers),
            *numbers.one_of(&comparisons),
            random_expression(count, 1, numbers),
        ),
    }
}

#[test]
fn expressions_agree_with_breadth_first_search() {
    let (mut seen, mut compared) = (Seen::default(), 0);
    for seed in seeds(wanted().unwrap_or(900)) {
        let mut numbers = RandomNumbers::new(seed ^ 0xab);
        let model = expression_model(seed);
        let wished = numbers.between(0, most_steps(4)) as usize;
        // What overflows has no distances; another test has one that does.
        let Some(near) = reference(&model, wished + 1, 5_000) else { continue };
        let (bound, goal) = (near.depth.saturating_sub(1), random_goal(&model, &near, &mut numbers));
        // Steps of several events meet states that lie beyond the bound, where values may overflow.
        let beyond = reference(&model, 3 * bound + 3, 20_000);
        if beyond.is_some_and(|beyond| beyond.depth == 3 * bound + 3) {
            compared += 1;
            check(&model, |model| match reference(model, bound + 1, usize::MAX) {
                Some(near) => examine(model, &goal, bound, &near, &mut seen),
                None => Ok(()),
            });
        }
    }
    eprintln!("{compared} models, {seen:?}");
    seen.demand_answers();
}

/// The distances of all states of a small model, by explicit search.
fn all_distances(model: &Model) -> Reference {
    let explored =
        explore(model, &symbolon_explicit::Options::default(), &Budget::unlimited()).expect("it is small");
    let distances = explored.states().enumerate().map(|(number, state)| (state, explored.distance(number)));
    Reference { distances: distances.collect(), depth: usize::MAX, is_complete: true }
}

#[test]
fn steps_of_all_agents_agree_with_breadth_first_search() {
    let mut seen = Seen::default();
    for seed in seeds(wanted().unwrap_or(150)) {
        let model = random_synchronous_model(seed);
        let found = all_distances(&model);
        if found.distances.is_empty() {
            continue;
        }
        let mut numbers = RandomNumbers::new(seed);
        for _ in 0..4 {
            let goal = random_goal(&model, &found, &mut numbers);
            if goal == Goal::Deadlock {
                let refused = search(&model, &goal, &Options::default(), &patient());
                assert!(
                    matches!(refused, Err(Stopped { error: Error::Unsupported { .. }, .. })),
                    "{refused:?}"
                );
                continue;
            }
            let bound = numbers.below(most_steps(8) + 1) as usize;
            let mut examine_both = |model: &Model| {
                let found = all_distances(model);
                examine(model, &goal, bound, &found, &mut seen)?;
                examine_induction(model, &goal, bound, &found, &mut seen)
            };
            check(&model, &mut examine_both);
        }
    }
    println!("{seen:?}");
    seen.demand_answers();
    assert!(seen.found > 100 && seen.none > 20 && seen.proved > 20, "{seen:?}");
}

/// Somebody sets one of two variables in each step, never both.
#[test]
fn one_line_of_a_reaction_is_taken() {
    let set =
        |variable| Line { guard: Predicate::True, updates: vec![(VariableId(variable), Expr::Constant(1))] };
    let reaction = Reaction { lines: vec![set(0), set(1)] };
    let step = Event { name: "step".into(), parts: vec![Part::Reaction(Box::new(reaction))] };
    let names = ["a", "b"].map(|name| Variable { name: name.into() });
    let model = Model {
        variables: names.into(),
        values: vec![Values::Boolean; 2],
        initial: vec![[0, 0].into()],
        events: vec![step],
        ..Model::default()
    };
    let is_set = |variable| {
        Predicate::Compare(Expr::Variable(VariableId(variable)), Comparison::Equal, Expr::Constant(1))
    };
    let goal = Goal::Holds(Predicate::And(vec![is_set(0), is_set(1)]));
    let report = search(&model, &goal, &Options::default(), &patient()).expect("an answer");
    let Outcome::Found(found) = report.outcome else { panic!("{report:?}") };
    assert_eq!((found.steps, found.run.event_count(), found.is_shortest), (2, 2, true));
}
