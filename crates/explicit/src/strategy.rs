//! Strategies as people are shown them: what a group of agents does in each state that it may come
//! to.
//!
//! A strategy is believed by following it. From the state where it begins, the group does what the
//! strategy says and the others do whatever they can; every path that comes of it must be as
//! promised: always in a set, or sooner or later in one, which is to say that no path goes round
//! before it is there.
//!
//! A counter-strategy, what the others answer to each action of a group that cannot force something, is
//! believed if after every action some next state is good: for ever, or until the group has lost.
//!
//! What fairness constraints change about both is in `fair_strategy.rs`.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use symbolon_model::{Model, State, Step, VariableId};

/// What a group does, state by state. It need not say anything about states that it never comes to,
/// nor about those in which nothing is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The action variables of the group's members.
    pub actions: Vec<VariableId>,
    /// States, and a value for each of these action variables.
    pub choices: Vec<(State, Box<[u64]>)>,
}

/// What a strategy is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// All next states satisfy the second formula.
    Next,
    /// The first formula holds until the second does, which it does one day.
    Until,
    /// The first formula holds forever.
    Globally,
}

/// Why a strategy is none for its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// It does not say what to do in a state that it comes to.
    #[error("the strategy is undefined in a state that it leads to")]
    NoChoice,
    /// What it says cannot be done, or leads nowhere.
    #[error("the strategy chooses an action that is not possible")]
    Impossible,
    /// A path comes to a state where the formula does not hold that should.
    #[error("the strategy leads to a state where the formula fails")]
    Fails,
    /// A path goes round forever before the goal.
    #[error("under the strategy a path goes round for ever before it comes to the goal")]
    GoesRound,
    /// A fair path is not as promised.
    #[error("under the strategy a fair path violates the formula")]
    FairPathFails,
    /// It leads to more states than are followed.
    #[error("the strategy leads to too many states")]
    TooLarge,
}

impl Strategy {
    /// The states that may come next after `state`, where the group does what the strategy says.
    pub(crate) fn next(&self, model: &Model, state: &State, action: &[u64]) -> Vec<State> {
        let width = model.variables.len();
        let mut found = Vec::new();
        for event in &model.events {
            Step::new(model, event).for_each(state, |joint, next| {
                let is_followed = self
                    .actions
                    .iter()
                    .zip(action)
                    .all(|(variable, &value)| joint[variable.index() - width] == value);
                if is_followed && !found.contains(next) {
                    found.push(next.clone());
                }
                true
            });
        }
        found
    }
}

/// What others answer to a group, state by state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterStrategy {
    /// The action variables of the group.
    pub group: Vec<VariableId>,
    /// Those of the others.
    pub others: Vec<VariableId>,
    /// What the others answer.
    pub answers: Vec<CounterAnswer>,
}

/// A state, what the group does in it, and what the others answer.
pub type CounterAnswer = (State, Box<[u64]>, Box<[u64]>);

/// Checks that a group cannot reach `goal` from `start` against these answers, where `holds` tells of a
/// state whether the first and whether the second formula holds there.
pub fn follow_counter_strategy(
    model: &Model,
    strategy: &CounterStrategy,
    start: &State,
    goal: Goal,
    mut holds: impl FnMut(&State) -> (bool, bool),
) -> Result<(), StrategyError> {
    let width = model.variables.len();
    let answers: FxHashMap<(&State, &[u64]), &[u64]> =
        strategy.answers.iter().map(|(state, own, answer)| ((state, &**own), &**answer)).collect();
    // What may come next, action by action of the group; states without answers are where it ends.
    let mut number_of: FxHashMap<State, usize> = FxHashMap::default();
    number_of.insert(start.clone(), 0);
    let mut states = vec![start.clone()];
    let mut next_of: Vec<Vec<Vec<usize>>> = Vec::new();
    let mut truths = Vec::new();
    while next_of.len() < states.len() {
        let state = states[next_of.len()].clone();
        truths.push(holds(&state));
        let mut by_action: BTreeMap<Box<[u64]>, Vec<usize>> = BTreeMap::new();
        for event in &model.events {
            Step::new(model, event).for_each(&state, |joint, next| {
                let picked = |actions: &[VariableId]| -> Box<[u64]> {
                    actions.iter().map(|action| joint[action.index() - width]).collect()
                };
                let own = picked(&strategy.group);
                let is_answer =
                    answers.get(&(&state, &*own)).is_some_and(|answer| **answer == *picked(&strategy.others));
                let good = by_action.entry(own).or_default();
                if is_answer {
                    let number = *number_of.entry(next.clone()).or_insert_with(|| {
                        states.push(next.clone());
                        states.len() - 1
                    });
                    good.push(number);
                }
                true
            });
        }
        next_of.push(by_action.into_values().collect());
    }
    let answered =
        |good: &[bool], state: usize| next_of[state].iter().all(|next| next.iter().any(|&next| good[next]));
    if goal == Goal::Next {
        let bad: Vec<bool> = truths.iter().map(|(_, second)| !second).collect();
        return if answered(&bad, 0) { Ok(()) } else { Err(StrategyError::Fails) };
    }
    // Until: the group never comes to the second formula. Globally: it leaves the first one some day.
    let is_kept = goal == Goal::Until;
    let mut good = vec![is_kept; states.len()];
    loop {
        let better = |state: usize| {
            let (first, second) = truths[state];
            match is_kept {
                true => !second && (!first || answered(&good, state)),
                false => !first || answered(&good, state),
            }
        };
        let next: Vec<bool> = (0..states.len()).map(better).collect();
        if next == good {
            return if good[0] { Ok(()) } else { Err(StrategyError::Fails) };
        }
        good = next;
    }
}

/// Follows `strategy` from `start`: whether every path is as `goal` says, where `holds` tells of a
/// state whether the first and whether the second formula holds there.
pub fn follow_strategy(
    model: &Model,
    strategy: &Strategy,
    start: &State,
    goal: Goal,
    mut holds: impl FnMut(&State) -> (bool, bool),
) -> Result<(), StrategyError> {
    let choices: FxHashMap<&State, &[u64]> =
        strategy.choices.iter().map(|(state, action)| (state, &**action)).collect();
    let next_of = |state: &State| {
        let action = choices.get(state).ok_or(StrategyError::NoChoice)?;
        let next = strategy.next(model, state, action);
        if next.is_empty() { Err(StrategyError::Impossible) } else { Ok(next) }
    };
    if goal == Goal::Next {
        let next = next_of(start)?;
        return if next.iter().all(|next| holds(next).1) { Ok(()) } else { Err(StrategyError::Fails) };
    }
    // Depth first, so that a state that is met while its own outcomes are looked at is met on a
    // round.
    let mut is_done: FxHashMap<State, bool> = FxHashMap::default();
    let mut open: Vec<(State, Vec<State>)> = Vec::new();
    let mut enter =
        |state: State, open: &mut Vec<(State, Vec<State>)>, is_done: &mut FxHashMap<State, bool>| {
            let (first, second) = holds(&state);
            if goal == Goal::Until && second {
                is_done.insert(state, true);
                return Ok(());
            }
            if !first {
                return Err(StrategyError::Fails);
            }
            let next = next_of(&state)?;
            is_done.insert(state.clone(), false);
            open.push((state, next));
            Ok(())
        };
    enter(start.clone(), &mut open, &mut is_done)?;
    while let Some((state, next)) = open.last_mut() {
        let Some(to) = next.pop() else {
            is_done.insert(state.clone(), true);
            open.pop();
            continue;
        };
        match is_done.get(&to) {
            Some(true) => {}
            Some(false) if goal == Goal::Globally => {}
            Some(false) => return Err(StrategyError::GoesRound),
            None => enter(to, &mut open, &mut is_done)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::{
        ActionVariable, Choice, Comparison, ComponentId, Event, Expr, Line, Part, Predicate, Reaction,
        Variable,
    };

    /// Two agents show a side of a coin each; `x` becomes 1 where the sides differ.
    fn pennies() -> Model {
        let side = |id: u32| Expr::Variable(VariableId(id));
        let compare = |comparison| Predicate::Compare(side(1), comparison, side(2));
        let line = |comparison, value| Line {
            guard: compare(comparison),
            updates: vec![(VariableId(0), Expr::Constant(value))],
        };
        let choice = |id| Choice { action: VariableId(id), offers: Vec::new(), otherwise: vec![0, 1] };
        let action = |agent| ActionVariable {
            agent: ComponentId(agent),
            names: ["heads", "tails"].map(String::from).to_vec(),
        };
        let lines = vec![line(Comparison::Equal, 0), line(Comparison::NotEqual, 1)];
        let parts = vec![
            Part::Choice(Box::new(choice(1))),
            Part::Choice(Box::new(choice(2))),
            Part::Reaction(Box::new(Reaction { lines })),
        ];
        Model {
            variables: vec![Variable { name: "x".into() }],
            initial: vec![vec![0].into()],
            actions: vec![action(1), action(2)],
            events: vec![Event { name: "step".into(), parts }],
            ..Model::default()
        }
    }

    /// What the second agent answers to the first one, in both states.
    fn answers(answer: impl Fn(u64) -> u64) -> CounterStrategy {
        let state = |x: u64| -> State { vec![x].into() };
        let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let answer = |(x, own): (u64, u64)| (state(x), vec![own].into(), vec![answer(own)].into());
        CounterStrategy {
            group: vec![VariableId(1)],
            others: vec![VariableId(2)],
            answers: all.map(answer).to_vec(),
        }
    }

    #[test]
    fn answers_are_followed_to_their_ends() {
        let model = pennies();
        let start: State = vec![0].into();
        let follow = |strategy: &CounterStrategy, goal, holds: fn(&State) -> (bool, bool)| {
            follow_counter_strategy(&model, strategy, &start, goal, holds)
        };
        let (same, other) = (answers(|own| own), answers(|own| 1 - own));
        let is_one: fn(&State) -> (bool, bool) = |state| (true, state[0] == 1);
        // The same side keeps x at 0, so it never becomes 1; the other side makes it 1.
        for goal in [Goal::Until, Goal::Next] {
            assert_eq!(follow(&same, goal, is_one), Ok(()));
            assert_eq!(follow(&other, goal, is_one), Err(StrategyError::Fails));
        }
        let stays_zero: fn(&State) -> (bool, bool) = |state| (state[0] == 0, false);
        assert_eq!(follow(&other, Goal::Globally, stays_zero), Ok(()));
        assert_eq!(follow(&same, Goal::Globally, stays_zero), Err(StrategyError::Fails));
        // An answer to one action is not enough, and what has no answer is not believed.
        let always_heads = answers(|_| 0);
        assert_eq!(follow(&always_heads, Goal::Until, is_one), Err(StrategyError::Fails));
        let mut half = same;
        half.answers.retain(|(_, own, _)| own[0] == 0);
        assert_eq!(follow(&half, Goal::Until, is_one), Err(StrategyError::Fails));
    }
}
