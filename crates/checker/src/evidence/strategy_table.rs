//! Strategies in few words: a table of regions of states, each with what the group does there.
//!
//! A strategy is found state by state. Where two states differ in something that makes no
//! difference for what the group does, it is too long to read. So the states are split by the
//! variable that separates actions best, those that the group sees before others, until each part
//! has one action. Parts of one split in which the group does the same are one row. States that the
//! strategy never leads to count as anything.

use crate::report::{StrategyOutcome, StrategyRow, StrategyTable};
use crate::value_names::{ShownValue, shown_state, shown_value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use symbolon_engine::GroupStrategy;
use symbolon_model::{Model, State, Step, VariableId};

/// How a row says which fairness constraint is to be met next, counted from 1.
const TURN: &str = "next fairness";
/// How a row says whether the formula is violated already.
const VIOLATED: &str = "violated";

/// The strategy as a table, and where it leads.
pub(super) fn table(model: &Model, strategy: &GroupStrategy) -> StrategyTable {
    let name = |id| model.observers.observer(id).name.clone();
    let splitting = Splitting { model, strategy, first: by_sight(model, strategy) };
    let all: Vec<usize> = (0..strategy.choices.len()).collect();
    let mut rows = Vec::new();
    let mut row_of = vec![0; strategy.choices.len()];
    for (when, part) in splitting.rows(all) {
        part.iter().for_each(|&choice| row_of[choice] = rows.len());
        let values = |(variable, values): (VariableId, Vec<u64>)| {
            let shown = values.into_iter().map(|value| shown_value(model, variable, value)).collect();
            (model.variables[variable.index()].name.clone(), shown)
        };
        rows.push(StrategyRow {
            when: when.into_iter().map(values).collect::<Vec<(String, Vec<ShownValue>)>>(),
            actions: group_actions(model, strategy, &strategy.choices[part[0]].1),
            states: part.len(),
        });
    }
    let members = strategy.members.iter().map(|&id| name(id)).collect();
    let states: FxHashSet<&State> = states(strategy).collect();
    let state_count = states.len();
    StrategyTable {
        members,
        against: Vec::new(),
        rows,
        outcomes: outcomes(model, strategy, &row_of),
        state_count,
        is_fair: strategy.fair.is_some(),
    }
}

/// A counter-strategy as a table: what the others do, by the state and by what the group does.
pub(super) fn counter_table(model: &Model, strategy: &GroupStrategy) -> StrategyTable {
    let observers = &model.observers;
    let name = |id| observers.observer(id).name.clone();
    let mut first = strategy.against.clone();
    // What is remembered stands behind what everybody does.
    let turn = VariableId((model.variables.len() + model.actions.len()) as u32);
    let violated = VariableId(turn.0 + 1);
    if strategy.choices.first().is_some_and(|(longer, _)| longer.len() > turn.index()) {
        first.extend([turn, violated]);
    }
    first.extend(by_sight(model, strategy));
    let splitting = Splitting { model, strategy, first };
    let mut rows = Vec::new();
    for (when, part) in splitting.rows((0..strategy.choices.len()).collect()) {
        let values = |(variable, values): (VariableId, Vec<u64>)| match model.action(variable) {
            _ if variable == turn => {
                let number = |value: u64| ShownValue::Number(i128::from(value) + 1);
                (TURN.to_string(), values.into_iter().map(number).collect())
            }
            _ if variable == violated => {
                let word = |value: u64| ShownValue::Word(if value == 1 { "yes" } else { "no" }.into());
                (VIOLATED.to_string(), values.into_iter().map(word).collect())
            }
            Some(action) => {
                let owner = observers.list.iter().find(|observer| observer.action == Some(variable));
                let named = |value: u64| {
                    let name = action.names.get(value as usize).cloned().unwrap_or_default();
                    ShownValue::Word(name)
                };
                let owner = owner.map_or_else(String::new, |owner| owner.name.clone());
                (owner, values.into_iter().map(named).collect())
            }
            None => {
                let shown = values.into_iter().map(|value| shown_value(model, variable, value)).collect();
                (model.variables[variable.index()].name.clone(), shown)
            }
        };
        rows.push(StrategyRow {
            when: when.into_iter().map(values).collect::<Vec<(String, Vec<ShownValue>)>>(),
            actions: group_actions(model, strategy, &strategy.choices[part[0]].1),
            states: part.len(),
        });
    }
    let width = model.variables.len();
    let mut states: Vec<&[u64]> = Vec::new();
    let mut known: FxHashSet<&[u64]> = FxHashSet::default();
    let all = strategy.choices.iter().map(|(state, _)| &state[..width]);
    for state in all.chain(strategy.ends.iter().map(|state| &state[..])) {
        if known.insert(state) {
            states.push(state);
        }
    }
    // Where the answers may lead, among the states that have answers or are ends.
    let number_of: FxHashMap<&[u64], usize> = states.iter().copied().zip(0..).collect();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (longer, answer) in &strategy.choices {
        let from: State = longer[..width].into();
        for event in model.events.iter().filter(|event| event.is_synchronous()) {
            Step::new(model, event).for_each(&from, |joint, after| {
                let is_own =
                    strategy.against.iter().all(|id| joint[id.index() - width] == longer[id.index()]);
                let mut others = strategy.actions.iter().zip(answer);
                if is_own && others.all(|(id, &value)| joint[id.index() - width] == value) {
                    next[number_of[&from[..]]].extend(number_of.get(&after[..]));
                }
                true
            });
        }
    }
    let outcome = |(state, mut next): (&&[u64], Vec<usize>)| {
        next.sort_unstable();
        next.dedup();
        StrategyOutcome { state: shown_state(model, state), row: None, next, is_unfair: false }
    };
    let owners = observers
        .list
        .iter()
        .filter(|observer| observer.action.is_some_and(|action| strategy.against.contains(&action)));
    StrategyTable {
        members: strategy.members.iter().map(|&id| name(id)).collect(),
        against: owners.map(|observer| observer.name.clone()).collect(),
        rows,
        state_count: states.len(),
        outcomes: states.iter().zip(next).map(outcome).collect(),
        is_fair: strategy.fair.is_some(),
    }
}

/// The states that a strategy leads to: where it says what to do, where nothing is left to do, and where no
/// fair path begins.
fn states(strategy: &GroupStrategy) -> impl Iterator<Item = &State> {
    let unfair = strategy.fair.iter().flat_map(|fair| &fair.unfair);
    strategy.choices.iter().map(|(state, _)| state).chain(&strategy.ends).chain(unfair)
}

/// All variables, those that a member of the group sees first.
fn by_sight(model: &Model, strategy: &GroupStrategy) -> Vec<VariableId> {
    let is_seen = |id: &VariableId| {
        strategy.members.iter().any(|&member| model.observers.observer(member).variables.contains(id))
    };
    let (mut seen, hidden): (Vec<_>, Vec<_>) = model.variable_ids().partition(is_seen);
    seen.extend(hidden);
    seen
}

/// The action of each member.
fn group_actions(model: &Model, strategy: &GroupStrategy, action: &[u64]) -> Vec<(String, String)> {
    let actions = strategy.actions.iter().zip(action).filter_map(|(&variable, &value)| {
        let owner = model.observers.list.iter().find(|observer| observer.action == Some(variable))?;
        let name = model.action(variable)?.names.get(value as usize)?;
        Some((owner.name.clone(), name.clone()))
    });
    actions.collect()
}

/// The states that the strategy leads to, and what may come after each.
fn outcomes(model: &Model, strategy: &GroupStrategy, row_of: &[usize]) -> Vec<StrategyOutcome> {
    let states: Vec<&State> = states(strategy).collect();
    let first_unfair = strategy.choices.len() + strategy.ends.len();
    // A state may be left once and then be an end, as the first one under `X`.
    let mut numbers: FxHashMap<&State, usize> = FxHashMap::default();
    states.iter().enumerate().for_each(|(number, state)| {
        numbers.insert(state, number);
    });
    let width = model.variables.len();
    let mut outcomes = Vec::with_capacity(states.len());
    for (number, state) in states.iter().enumerate() {
        let mut next: Vec<usize> = Vec::new();
        if let Some((_, action)) = strategy.choices.get(number) {
            for event in model.events.iter().filter(|event| event.is_synchronous()) {
                Step::new(model, event).for_each(state, |joint, after| {
                    let mut own = strategy.actions.iter().zip(action);
                    if own.all(|(variable, &value)| joint[variable.index() - width] == value) {
                        next.extend(numbers.get(after));
                    }
                    true
                });
            }
            next.sort_unstable();
            next.dedup();
        }
        outcomes.push(StrategyOutcome {
            state: shown_state(model, state),
            row: row_of.get(number).copied(),
            next,
            is_unfair: number >= first_unfair,
        });
    }
    outcomes
}

/// What variables have which values.
type When = Vec<(VariableId, Vec<u64>)>;

/// A row: where, and the choices that are made there, by their numbers.
type Part = (When, Vec<usize>);

struct Splitting<'a> {
    model: &'a Model,
    strategy: &'a GroupStrategy,
    /// The variables, those to be preferred first.
    first: Vec<VariableId>,
}

impl Splitting<'_> {
    /// Parts of these choices with one action each, in the order of their first choices.
    fn rows(&self, choices: Vec<usize>) -> Vec<Part> {
        if choices.is_empty() {
            // Where the goal is reached at once, there is nothing to do.
            return Vec::new();
        }
        let Some(variable) = self.best_split(&choices) else { return vec![(Vec::new(), choices)] };
        let mut parts: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for choice in choices {
            let value = self.strategy.choices[choice].0[variable.index()];
            parts.entry(value).or_default().push(choice);
        }
        // Values for which the rest of the table is the same are merged.
        let mut merged: Vec<(Vec<u64>, Vec<Part>)> = Vec::new();
        for (value, part) in parts {
            let rows = self.rows(part);
            let described = |rows: &[Part]| -> Vec<(When, Vec<u64>)> {
                rows.iter().map(|(when, part)| (when.clone(), self.action(part[0]).to_vec())).collect()
            };
            match merged.iter_mut().find(|(_, known)| described(known) == described(&rows)) {
                Some((values, known)) => {
                    values.push(value);
                    known.iter_mut().zip(rows).for_each(|((_, known), (_, more))| known.extend(more));
                }
                None => merged.push((vec![value], rows)),
            }
        }
        let mut rows: Vec<Part> = Vec::new();
        for (values, inner) in merged {
            rows.extend(inner.into_iter().map(|(when, mut part)| {
                part.sort_unstable();
                ([(variable, values.clone())].into_iter().chain(when).collect(), part)
            }));
        }
        rows.sort_by_key(|(_, part)| part[0]);
        rows
    }

    fn action(&self, choice: usize) -> &[u64] {
        &self.strategy.choices[choice].1
    }

    /// The variable whose values determine the action best; `None` if there is one action.
    fn best_split(&self, choices: &[usize]) -> Option<VariableId> {
        let first = self.action(*choices.first()?);
        if choices.iter().all(|&choice| self.action(choice) == first) {
            return None;
        }
        let score = |variable: &VariableId| {
            let mut parts: BTreeMap<u64, BTreeMap<&[u64], usize>> = BTreeMap::new();
            for &choice in choices {
                let value = self.strategy.choices[choice].0[variable.index()];
                *parts.entry(value).or_default().entry(self.action(choice)).or_default() += 1;
            }
            (parts.len() > 1).then(|| disorder(&parts))
        };
        let scored = self.first.iter().filter_map(|variable| Some((score(variable)?, *variable)));
        debug_assert!(self.model.variables.len() <= self.first.len());
        scored.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, variable)| variable)
    }
}

/// How much is left open about actions when parts are known: the entropy, weighted by the size of
/// the parts, and rounded so that equal ones are equal on every machine.
fn disorder(parts: &BTreeMap<u64, BTreeMap<&[u64], usize>>) -> u64 {
    let of_part = |actions: &BTreeMap<&[u64], usize>| {
        let size: usize = actions.values().sum();
        actions.values().map(|&count| count as f64 * (size as f64 / count as f64).log2()).sum::<f64>()
    };
    (parts.values().map(of_part).sum::<f64>() * 1024.0).round() as u64
}
