//! Strategies and counter-strategies under fairness constraints, followed until they are believed.
//!
//! A strategy wins if every fair path that comes of it is as promised. A path may also break the promise
//! and be unfair, so what comes after that is followed, too. Whether some fair path breaks the promise is
//! a question about cycles: one that meets every constraint, in the part where the promise is not kept.
//!
//! A counter-strategy wins if, whatever the group does, some path is fair and breaks the promise. To meet
//! all constraints again and again, the others remember which one is next (its *turn*), and whether the
//! promise is broken already. Both follow from the path alone: a state that meets the constraint whose
//! turn it is passes the turn on.
//!
//! A state from which no fair path begins is none that anybody cares for.

use crate::digraph::Digraph;
use crate::strategy::{Goal, Strategy, StrategyError};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use symbolon_budget::{Budget, Meter};
use symbolon_logic::Paths;
use symbolon_model::{Model, State, Step, VariableId};

/// What a strategy under fairness constraints is followed by.
pub struct FairPlay<'f> {
    /// What paths are.
    pub paths: Paths,
    /// The number of constraints.
    pub constraint_count: usize,
    /// Which constraints a state meets; `None` if no fair path begins there, which is known otherwise.
    pub meets: &'f mut dyn FnMut(&State) -> Option<Vec<bool>>,
    /// More states are not followed.
    pub most_states: usize,
}

/// What the others answer to a group under fairness constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairCounterStrategy {
    /// The action variables of the group.
    pub group: Vec<VariableId>,
    /// Those of the others.
    pub others: Vec<VariableId>,
    /// What the others answer.
    pub answers: FxHashMap<Challenge, Box<[u64]>>,
}

/// A state, what the others remember, and what the group does.
pub type Challenge = (State, Memory, Box<[u64]>);

/// What the others remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Memory {
    /// The constraint that is to be met next.
    pub turn: usize,
    /// Whether the formula is violated already, so that only fairness is left to care for.
    pub is_violated: bool,
}

/// How far a path has come with what was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Promise {
    /// No step was taken yet, of `X`.
    First,
    /// Neither kept nor broken.
    Open,
    /// Broken: now the path has to be unfair.
    Broken,
}

/// Follows `strategy` from `start`: whether every fair path is as `goal` says, where `holds` says of a
/// state whether the first and whether the second formula holds there. Where the strategy says nothing,
/// the group may do anything. For `G`, a path that breaks the promise must not go on fairly whatever the
/// group does from then on.
pub fn follow_fair_strategy(
    model: &Model,
    strategy: &Strategy,
    start: &State,
    goal: Goal,
    mut holds: impl FnMut(&State) -> (bool, bool),
    play: &mut FairPlay<'_>,
) -> Result<(), StrategyError> {
    let choices: FxHashMap<&State, &[u64]> =
        strategy.choices.iter().map(|(state, action)| (state, &**action)).collect();
    // Where a step leads: nothing if the promise is kept there.
    let mut arrive = |state: &State, promise: Promise| {
        let (first, second) = holds(state);
        match (goal, promise) {
            (_, Promise::First | Promise::Broken) => Some(promise),
            (Goal::Next | Goal::Until, Promise::Open) if second => None,
            (Goal::Next, Promise::Open) => Some(Promise::Broken),
            (Goal::Until | Goal::Globally, Promise::Open) if first => Some(Promise::Open),
            (Goal::Until | Goal::Globally, Promise::Open) => Some(Promise::Broken),
        }
    };
    let begin = if goal == Goal::Next { Promise::First } else { Promise::Open };
    let Some(promise) = arrive(start, begin) else { return Ok(()) };
    let mut nodes = vec![(start.clone(), promise)];
    let mut number_of: FxHashMap<(State, Promise), usize> = FxHashMap::from_iter([(nodes[0].clone(), 0)]);
    let mut graph = Digraph::with_capacity(1, 1);
    let mut met = vec![Vec::new(); play.constraint_count];
    while graph.node_count() < nodes.len() {
        if nodes.len() > play.most_states {
            return Err(StrategyError::TooLarge);
        }
        let number = graph.node_count();
        let (state, promise) = nodes[number].clone();
        let meets = (play.meets)(&state);
        met.iter_mut()
            .enumerate()
            .for_each(|(which, met)| met.push(meets.as_ref().is_some_and(|meets| meets[which])));
        if meets.is_some() {
            let is_free = goal == Goal::Globally && promise == Promise::Broken;
            let next = match choices.get(&state).filter(|_| !is_free) {
                Some(action) => match strategy.next(model, &state, action) {
                    next if next.is_empty() => return Err(StrategyError::Impossible),
                    next => next,
                },
                None => {
                    let anything = Strategy { actions: Vec::new(), choices: Vec::new() };
                    anything.next(model, &state, &[])
                }
            };
            if next.is_empty() && play.paths != Paths::Infinite {
                // A path that ends stays there.
                graph.push_edge(number);
            }
            let after = if promise == Promise::Broken { promise } else { Promise::Open };
            for to in next {
                let Some(promise) = arrive(&to, after) else { continue };
                let number = *number_of.entry((to.clone(), promise)).or_insert_with(|| {
                    nodes.push((to, promise));
                    nodes.len() - 1
                });
                graph.push_edge(number);
            }
        }
        graph.push_node();
    }
    // Where a path must not stay if it is fair.
    let is_bad = |(_, promise): &(State, Promise)| goal == Goal::Until || *promise == Promise::Broken;
    let kept: Vec<bool> = nodes.iter().map(is_bad).collect();
    let meter = &mut Meter::new(Budget::unlimited());
    let cycles = graph.restricted_to(&kept).on_cycles_through(&met, meter).unwrap_or_default();
    if cycles.contains(&true) { Err(StrategyError::FairPathFails) } else { Ok(()) }
}

/// Whether some fair path begins in a state.
pub fn begins_fair_path(
    model: &Model,
    state: &State,
    play: &mut FairPlay<'_>,
) -> Result<bool, StrategyError> {
    // A path that must be unfair from the first state on, whatever anybody does.
    let anything = Strategy { actions: Vec::new(), choices: Vec::new() };
    match follow_fair_strategy(model, &anything, state, Goal::Globally, |_| (false, false), play) {
        Ok(()) => Ok(false),
        Err(StrategyError::FairPathFails) => Ok(true),
        Err(why) => Err(why),
    }
}

/// Checks that against these answers a group can force neither `X` nor `U` from `start`, where `holds`
/// says of a state whether the first and whether the second formula holds there: whatever it does, some
/// path violates the formula and is fair. Counter-strategies for `G` need no fairness: see
/// [`follow_counter_strategy`](crate::follow_counter_strategy).
pub fn follow_fair_counter_strategy(
    model: &Model,
    strategy: &FairCounterStrategy,
    start: &State,
    goal: Goal,
    mut holds: impl FnMut(&State) -> (bool, bool),
    play: &mut FairPlay<'_>,
) -> Result<(), StrategyError> {
    let width = model.variables.len();
    type Node = (State, Memory);
    let mut nodes: Vec<Node> = Vec::new();
    let mut number_of: FxHashMap<Node, usize> = FxHashMap::default();
    // For each node and each action of the group, where the answer may lead, and whether all constraints
    // were met on the way there.
    let mut next_of: Vec<Vec<Vec<(usize, bool)>>> = Vec::new();
    // Nodes in which a path ends, and is fair.
    let mut is_end: Vec<bool> = Vec::new();
    let mut arrive = |state: &State, memory: Option<Memory>| -> Option<Memory> {
        let (first, second) = holds(state);
        let is_violated = memory.is_some_and(|memory| memory.is_violated);
        let turn = memory.map_or(0, |memory| memory.turn);
        let is_violated = match (goal, memory) {
            (Goal::Next, None) => false,
            _ if is_violated => true,
            (Goal::Next | Goal::Until, _) if second => return None,
            (Goal::Next, Some(_)) => true,
            (Goal::Until | Goal::Globally, _) => !first,
        };
        Some(Memory { turn, is_violated })
    };
    let Some(memory) = arrive(start, None) else { return Err(StrategyError::Fails) };
    nodes.push((start.clone(), memory));
    number_of.insert(nodes[0].clone(), 0);
    while next_of.len() < nodes.len() {
        if nodes.len() > play.most_states {
            return Err(StrategyError::TooLarge);
        }
        let (state, memory) = nodes[next_of.len()].clone();
        let mut by_action: BTreeMap<Box<[u64]>, Vec<State>> = BTreeMap::new();
        for event in &model.events {
            Step::new(model, event).for_each(&state, |joint, next| {
                let picked = |actions: &[VariableId]| -> Box<[u64]> {
                    actions.iter().map(|action| joint[action.index() - width]).collect()
                };
                let own = picked(&strategy.group);
                let answer = strategy.answers.get(&(state.clone(), memory, own.clone()));
                let is_answer = answer.is_some_and(|answer| *answer == picked(&strategy.others));
                let good = by_action.entry(own).or_default();
                if is_answer && !good.contains(next) {
                    good.push(next.clone());
                }
                true
            });
        }
        let is_fair_end = by_action.is_empty()
            && play.paths != Paths::Infinite
            && (play.meets)(&state).is_some_and(|meets| !meets.contains(&false));
        is_end.push(is_fair_end);
        let mut here = Vec::new();
        for states in by_action.into_values() {
            let mut answered = Vec::new();
            for next in states {
                let Some(arrived) = arrive(&next, Some(memory)) else { continue };
                let Some(meets) = (play.meets)(&next) else { continue };
                let is_met = meets.get(memory.turn).copied().unwrap_or(true);
                let turn = if is_met { memory.turn + 1 } else { memory.turn };
                let is_round = turn >= play.constraint_count;
                let node = (next, Memory { turn: if is_round { 0 } else { turn }, ..arrived });
                let number = *number_of.entry(node.clone()).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                answered.push((number, is_round));
            }
            here.push(answered);
        }
        next_of.push(here);
    }
    // The greatest set of nodes from which, whatever the group does, some path comes to the end of a round
    // in that set.
    let mut good = vec![true; nodes.len()];
    loop {
        let mut near = vec![false; nodes.len()];
        loop {
            let comes = |node: usize| {
                let answered = |next: &Vec<(usize, bool)>| {
                    next.iter().any(|&(next, is_round)| near[next] || is_round && good[next])
                };
                is_end[node] || !next_of[node].is_empty() && next_of[node].iter().all(answered)
            };
            let next: Vec<bool> = (0..nodes.len()).map(comes).collect();
            if next == near {
                break;
            }
            near = next;
        }
        if near == good {
            return if good[0] { Ok(()) } else { Err(StrategyError::Fails) };
        }
        good = near;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::{
        ActionVariable, Choice, Comparison, ComponentId, Event, Expr, Line, Part, Predicate, Reaction,
        Variable,
    };

    /// Two agents show a side of a coin each; `x` is 1 after they have shown different ones.
    fn pennies() -> Model {
        let side = |id: u32| Expr::Variable(VariableId(id));
        let line = |comparison, value| Line {
            guard: Predicate::Compare(side(1), comparison, side(2)),
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

    fn state(x: u64) -> State {
        vec![x].into()
    }

    /// Constraints: that `x` has each of these values again and again.
    fn with_play<T>(values: &[u64], then: impl FnOnce(&mut FairPlay<'_>) -> T) -> T {
        let mut meets = |state: &State| Some(values.iter().map(|&value| state[0] == value).collect());
        let paths = Paths::Infinite;
        then(&mut FairPlay { paths, constraint_count: values.len(), meets: &mut meets, most_states: 100 })
    }

    /// The first agent always shows heads, or its side is not said.
    fn follow(
        is_bound: bool,
        values: &[u64],
        goal: Goal,
        holds: fn(&State) -> (bool, bool),
    ) -> Result<(), StrategyError> {
        let choices = [0, 1].map(|x| (state(x), vec![0].into()));
        let choices = if is_bound { choices.to_vec() } else { Vec::new() };
        let strategy = Strategy { actions: vec![VariableId(1)], choices };
        with_play(values, |play| follow_fair_strategy(&pennies(), &strategy, &state(0), goal, holds, play))
    }

    #[test]
    fn fair_paths_alone_have_to_keep_the_promise() {
        let to_one: fn(&State) -> (bool, bool) = |state| (true, state[0] == 1);
        let at_zero: fn(&State) -> (bool, bool) = |state| (state[0] == 0, false);
        // A fair path comes to 1 by itself; without the constraint, x may stay 0.
        for is_bound in [true, false] {
            assert_eq!(follow(is_bound, &[1], Goal::Until, to_one), Ok(()));
            assert_eq!(follow(is_bound, &[0], Goal::Until, to_one), Err(StrategyError::FairPathFails));
            assert_eq!(follow(is_bound, &[], Goal::Until, to_one), Err(StrategyError::FairPathFails));
            assert_eq!(follow(is_bound, &[0, 1], Goal::Globally, at_zero), Err(StrategyError::FairPathFails));
            // What no state meets makes all paths unfair.
            assert_eq!(follow(is_bound, &[7], Goal::Globally, at_zero), Ok(()));
            assert_eq!(follow(is_bound, &[7], Goal::Next, to_one), Ok(()));
        }
        assert_eq!(follow(true, &[1], Goal::Next, to_one), Err(StrategyError::FairPathFails));
        let begins = |values: &[u64]| with_play(values, |play| begins_fair_path(&pennies(), &state(0), play));
        assert_eq!((begins(&[0, 1]), begins(&[7])), (Ok(true), Ok(false)));
        let small = with_play(&[7], |play| {
            play.most_states = 1;
            begins_fair_path(&pennies(), &state(0), play)
        });
        assert_eq!(small, Err(StrategyError::TooLarge));
    }

    /// What the second agent answers, by what is remembered and what the first one shows.
    fn answers(
        answer: impl Fn(Memory, u64) -> u64,
        values: &[u64],
        goal: Goal,
        holds: fn(&State) -> (bool, bool),
    ) -> Result<(), StrategyError> {
        let mut answers = FxHashMap::default();
        for (x, own, turn, is_violated) in
            (0..16).map(|bits| (bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits > 7))
        {
            let memory = Memory { turn: turn as usize, is_violated };
            answers.insert((state(x), memory, vec![own].into()), vec![answer(memory, own)].into());
        }
        let (group, others) = (vec![VariableId(1)], vec![VariableId(2)]);
        let strategy = FairCounterStrategy { group, others, answers };
        with_play(values, |play| {
            follow_fair_counter_strategy(&pennies(), &strategy, &state(0), goal, holds, play)
        })
    }

    #[test]
    fn answers_have_to_lead_to_fair_paths() {
        let to_one: fn(&State) -> (bool, bool) = |state| (true, state[0] == 1);
        let to_seven: fn(&State) -> (bool, bool) = |state| (true, state[0] == 7);
        // The same side keeps x at 0, which is fair only if x need not be 1.
        assert_eq!(answers(|_, own| own, &[0], Goal::Until, to_one), Ok(()));
        assert_eq!(answers(|_, own| own, &[1], Goal::Until, to_one), Err(StrategyError::Fails));
        assert_eq!(answers(|_, own| 1 - own, &[0], Goal::Until, to_one), Err(StrategyError::Fails));
        // x is 0 and 1 again and again if the turn is remembered.
        let in_turn = |memory: Memory, own: u64| if memory.turn == 1 { 1 - own } else { own };
        assert_eq!(answers(in_turn, &[0, 1], Goal::Until, to_seven), Ok(()));
        assert_eq!(answers(|_, own| own, &[0, 1], Goal::Until, to_seven), Err(StrategyError::Fails));
        // After the step of X, only fairness is left to care for.
        let first = |memory: Memory, own: u64| if memory.is_violated { 1 - own } else { own };
        assert_eq!(answers(first, &[1], Goal::Next, to_one), Ok(()));
        assert_eq!(answers(first, &[0], Goal::Next, to_one), Err(StrategyError::Fails));
    }
}
