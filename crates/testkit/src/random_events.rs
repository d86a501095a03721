//! Random models whose events are more than changes of single variables, each a function of its
//! seed.
//!
//! *General* models have guards and updates over several variables: sums, products, comparisons,
//! swaps, and some plain changes beside them. *Synchronous* models have agents that choose actions
//! and react, with finite domains, lines that leave them, reactions of agents or of single
//! variables, and initial states that are listed or described.

use crate::RandomNumbers;
use symbolon_model::{
    ActionVariable, Change, Choice, Comparison, Component, ComponentId, Event, Expr, Line, Model, Part,
    Predicate, Reaction, State, Values, Variable, VariableId,
};

/// No variable of a random general model has a larger value.
const LARGEST: u64 = 3;

/// A random expression over these variables.
pub fn random_expr(numbers: &mut RandomNumbers, variables: &[VariableId], depth: u32) -> Expr {
    let some = |numbers: &mut RandomNumbers| random_expr(numbers, variables, depth.saturating_sub(1));
    let several = |numbers: &mut RandomNumbers| (0..numbers.between(1, 3)).map(|_| some(numbers)).collect();
    match numbers.below(if depth == 0 { 50 } else { 100 }) {
        0..10 => Expr::Constant(numbers.between(0, 4) as i64 - 1),
        10..50 => Expr::Variable(*numbers.one_of(variables)),
        50..75 => Expr::Sum(several(numbers)),
        75..80 => {
            let factor = Expr::Constant(numbers.between(0, 4) as i64 - 2);
            Expr::Product(Box::new(factor), Box::new(some(numbers)))
        }
        80..85 => Expr::Product(Box::new(some(numbers)), Box::new(some(numbers))),
        85..88 => Expr::Quotient(Box::new(some(numbers)), Box::new(some(numbers))),
        88..91 => Expr::And(several(numbers)),
        91..94 => Expr::Or(several(numbers)),
        94..98 => Expr::Xor(several(numbers)),
        _ => Expr::Not(Box::new(some(numbers))),
    }
}

/// A random predicate over these variables.
pub fn random_predicate(numbers: &mut RandomNumbers, variables: &[VariableId], depth: u32) -> Predicate {
    let comparisons = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];
    let some = |numbers: &mut RandomNumbers| random_predicate(numbers, variables, depth.saturating_sub(1));
    match numbers.below(if depth == 0 { 50 } else { 100 }) {
        0..25 => {
            let value = Expr::Constant(numbers.between(0, 2) as i64);
            let variable = Expr::Variable(*numbers.one_of(variables));
            Predicate::Compare(variable, *numbers.one_of(&comparisons), value)
        }
        25..50 => Predicate::Compare(
            random_expr(numbers, variables, 2),
            *numbers.one_of(&comparisons),
            random_expr(numbers, variables, 1),
        ),
        50..60 => Predicate::Not(Box::new(some(numbers))),
        60..80 => Predicate::And((0..2).map(|_| some(numbers)).collect()),
        _ => Predicate::Or((0..numbers.between(1, 3)).map(|_| some(numbers)).collect()),
    }
}

fn variables(count: u64) -> Vec<Variable> {
    (0..count).map(|number| Variable { name: format!("v{number}") }).collect()
}

/// The general model that belongs to `seed`. Its values stay small: guards see to it.
pub fn random_general_model(seed: u64) -> Model {
    let numbers = &mut RandomNumbers::new(seed);
    let count = numbers.between(2, 5);
    let ids: Vec<VariableId> = (0..count as u32).map(VariableId).collect();
    let mut model = Model { name: format!("random general model {seed}"), ..Model::default() };
    model.variables = variables(count);
    if numbers.percent(30) {
        let largest = LARGEST as i64;
        model.values = ids.iter().map(|_| Values::Range { least: 0, largest }).collect();
    }
    for _ in 0..if numbers.percent(40) { numbers.between(2, 3) } else { 1 } {
        model.initial.push(ids.iter().map(|_| numbers.between(0, LARGEST)).collect());
    }
    for number in 0..numbers.between(2, 5) {
        let mut parts = Vec::new();
        let mut free = ids.clone();
        numbers.shuffle(&mut free);
        if numbers.percent(85) {
            let written = free.split_off(free.len() - numbers.between(1, 2) as usize);
            parts.push(random_update(numbers, &ids, written));
        }
        if (parts.is_empty() || numbers.percent(40))
            && let Some(variable) = free.pop()
        {
            parts.push(random_local(numbers, variable));
        }
        model.events.push(Event { name: format!("e{number}"), parts });
    }
    model
}

fn random_update(numbers: &mut RandomNumbers, ids: &[VariableId], written: Vec<VariableId>) -> Part {
    let mut tests = Vec::new();
    if numbers.percent(80) {
        tests.push(random_predicate(numbers, ids, 2));
    }
    let updates: Vec<(VariableId, Expr)> = match written[..] {
        [a, b] if numbers.percent(30) => vec![(a, Expr::Variable(b)), (b, Expr::Variable(a))],
        _ => written.into_iter().map(|variable| (variable, random_expr(numbers, ids, 2))).collect(),
    };
    for (_, expr) in &updates {
        let limit = |comparison, number| Predicate::Compare(expr.clone(), comparison, Expr::Constant(number));
        tests.push(limit(Comparison::LessOrEqual, LARGEST as i64));
        tests.push(limit(Comparison::GreaterOrEqual, 0));
    }
    Part::General { guard: Box::new(Predicate::And(tests)), updates }
}

fn random_local(numbers: &mut RandomNumbers, variable: VariableId) -> Part {
    match numbers.below(3) {
        0 => Part::Local { variable, at_least: 1, at_most: u64::MAX, change: Change::Add(-1) },
        1 => Part::Local { variable, at_least: 0, at_most: LARGEST - 1, change: Change::Add(1) },
        _ => {
            let to = numbers.between(0, LARGEST);
            Part::Local {
                variable,
                at_least: 0,
                at_most: numbers.between(0, LARGEST),
                change: Change::Set(to),
            }
        }
    }
}

/// The synchronous model that belongs to `seed`.
pub fn random_synchronous_model(seed: u64) -> Model {
    let numbers = &mut RandomNumbers::new(seed);
    let agent_count = if numbers.percent(20) { 1 } else { numbers.between(2, 3) };
    let mut model = Model { name: format!("random synchronous model {seed}"), ..Model::default() };
    model.components.push(Component { name: "all".into(), parent: None, variables: Vec::new() });
    for agent in 0..agent_count {
        let first = model.variables.len() as u32;
        let own: Vec<VariableId> = (first..first + numbers.between(1, 2) as u32).map(VariableId).collect();
        for variable in &own {
            model.variables.push(Variable { name: format!("v{}", variable.0) });
            model.values.push(match numbers.below(4) {
                0..2 => Values::Boolean,
                2 => Values::Range { least: -1, largest: 1 },
                _ => Values::Named(vec!["a".into(), "b".into(), "c".into()]),
            });
        }
        let names = (0..numbers.between(1, 3)).map(|number| format!("action{number}")).collect();
        let name = format!("agent{agent}");
        model.components.push(Component { name, parent: Some(ComponentId(0)), variables: own });
        model.actions.push(ActionVariable { agent: ComponentId(agent as u32 + 1), names });
    }
    let states: Vec<VariableId> = model.variable_ids().collect();
    let with_actions: Vec<VariableId> = states.iter().copied().chain(model.action_ids()).collect();
    let mut parts = Vec::new();
    for (action, owner) in model.action_ids().zip(1..) {
        let count = model.action(action).map_or(1, |action| action.names.len() as u64);
        parts.push(Part::Choice(Box::new(random_choice(numbers, action, count, &states))));
        let own = model.components[owner].variables.clone();
        // One reaction of the agent, or one of each of its variables.
        let shares: Vec<Vec<VariableId>> =
            if numbers.percent(50) { vec![own] } else { own.into_iter().map(|one| vec![one]).collect() };
        for share in shares {
            let lines = (0..numbers.between(1, 3)).map(|_| random_line(numbers, &share, &with_actions));
            parts.push(Part::Reaction(Box::new(Reaction { lines: lines.collect() })));
        }
    }
    model.events.push(Event { name: "step".into(), parts });
    if numbers.percent(50) {
        model.initially = Some(Box::new(random_predicate(numbers, &states, 2)));
    } else {
        for _ in 0..numbers.between(1, 3) {
            let state: State =
                model.values.iter().map(|values| numbers.below(values.count().unwrap_or(1))).collect();
            model.initial.push(state);
        }
    }
    model
}

fn random_choice(
    numbers: &mut RandomNumbers,
    action: VariableId,
    count: u64,
    states: &[VariableId],
) -> Choice {
    let some_of = |numbers: &mut RandomNumbers, percentage| -> Vec<u64> {
        (0..count).filter(|_| numbers.percent(percentage)).collect()
    };
    let offers =
        (0..numbers.below(3)).map(|_| (random_predicate(numbers, states, 1), some_of(numbers, 70))).collect();
    Choice { action, offers, otherwise: some_of(numbers, 85) }
}

fn random_line(numbers: &mut RandomNumbers, own: &[VariableId], readable: &[VariableId]) -> Line {
    let written: Vec<VariableId> = own.iter().copied().filter(|_| numbers.percent(75)).collect();
    let updates = written
        .into_iter()
        .map(|variable| {
            let value = match numbers.below(3) {
                0 => Expr::Constant(numbers.between(0, 2) as i64),
                1 => {
                    let change = Expr::Constant(numbers.between(0, 2) as i64 - 1);
                    Expr::Sum(vec![Expr::Variable(variable), change])
                }
                _ => random_expr(numbers, readable, 2),
            };
            (variable, value)
        })
        .collect();
    Line { guard: random_predicate(numbers, readable, 1), updates }
}
