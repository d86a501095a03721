//! Why a group can force something: what its members do in each state that they may come to.
//!
//! The sets of the fixpoint say where the group wins and, where something is to be reached, in how
//! many steps. From the state in question on, the outcomes are followed one by one: in each state
//! the group picks an action after which all next states are good, and one it has picked before if
//! it can, so that the whole can be written in few lines. Strategies with more outcomes than a
//! person would look at are not written down.

use super::needs::can_force;
use super::witness::{Explanation, GroupStrategy, LeftOut, Witness};
use crate::policy::temporal::{MOST_MOVES, MOST_STRATEGY_STATES};
use crate::sets::core::StateSets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Operator};
use symbolon_model::{Model, State, Step, VariableId};

/// Where a group wins, in a form that can be played.
enum Won<T> {
    /// In one step: all next states lie here.
    Next(T),
    /// By number of steps or fewer, counted from 0: there it has won.
    Layers(Vec<T>),
    /// By staying here.
    Kept(T),
}

impl<S: StateSets> Explanation<'_, '_, S> {
    /// A strategy for `id`, that a group can force a path formula, from a state on; `None` if there
    /// are too many outcomes, which is noted.
    pub(super) fn strategy(
        &mut self,
        id: FormulaId,
        group: &str,
        path: FormulaId,
        state: &State,
    ) -> Result<Option<Witness>, Interrupted> {
        let checker = &mut *self.question.checker;
        if checker.uniform.is_some() {
            let arena = checker.arena(group)?;
            let aim = self.question.aim(&arena, path)?;
            let found = arena.strategy(&aim, state, self.question.checker.sets.meter())?;
            if found.as_ref().is_some_and(|found| found.choices.len() > MOST_STRATEGY_STATES) {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            }
            let witness = |strategy| Witness {
                strategy: Some(strategy),
                is_shortest: false,
                ..Witness::of(id, state.clone())
            };
            return Ok(found.map(witness));
        }
        let observers = &checker.model.observers;
        let members = observers.members(group).unwrap_or_default();
        let actions: Vec<VariableId> =
            members.iter().filter_map(|&id| observers.observer(id).action).collect();
        if !checker.fairness.is_empty() {
            return self.fair_strategy(id, (&members, &actions), path, state);
        }
        let won = self.won(&actions, path)?;
        let checker = &mut *self.question.checker;
        let model = checker.model;
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        let mut used: FxHashMap<Box<[u64]>, usize> = FxHashMap::default();
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut open = std::collections::VecDeque::from([state.clone()]);
        let mut moves_left = MOST_MOVES;
        seen.insert(state.clone());
        while let Some(here) = open.pop_front() {
            checker.sets.meter().step()?;
            let target = match &won {
                Won::Next(target) if choices.is_empty() => target,
                Won::Next(_) => {
                    ends.push(here);
                    continue;
                }
                Won::Kept(kept) => kept,
                Won::Layers(layers) => {
                    match layers.iter().position(|layer| checker.sets.contains(layer, &here)) {
                        Some(0) => {
                            ends.push(here);
                            continue;
                        }
                        Some(rank) => &layers[rank - 1],
                        None => return Ok(None),
                    }
                }
            };
            let Some(moves) = moves(model, &actions, &here, &mut moves_left) else {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            };
            let good = moves
                .into_iter()
                .filter(|(_, next)| next.iter().all(|next| checker.sets.contains(target, next)));
            let picked = good.max_by_key(|(action, _)| {
                let count = used.get(action).copied().unwrap_or(0);
                (count, std::cmp::Reverse(action.clone()))
            });
            let Some((action, next)) = picked else { return Ok(None) };
            *used.entry(action.clone()).or_default() += 1;
            choices.push((here, action));
            // After the one step of `X` even the first state may come again.
            let is_over = matches!(won, Won::Next(_));
            open.extend(next.into_iter().filter(|next| seen.insert(next.clone()) || is_over));
            if choices.len() > MOST_STRATEGY_STATES {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            }
        }
        let strategy =
            Some(GroupStrategy { members, actions, choices, ends, against: Vec::new(), fair: None });
        Ok(Some(Witness { strategy, is_shortest: false, ..Witness::of(id, state.clone()) }))
    }

    /// Where the group wins.
    fn won(&mut self, actions: &[VariableId], path: FormulaId) -> Result<Won<S::Set>, Interrupted> {
        let (stay, target) = match *self.question.formula.operator(path) {
            Operator::Next(f) => return Ok(Won::Next(self.question.state(f)?)),
            Operator::Finally(g) => (self.question.checker.reached.clone(), Some(self.question.state(g)?)),
            Operator::Until(f, g) => (self.question.state(f)?, Some(self.question.state(g)?)),
            Operator::Globally(f) => (self.question.state(f)?, None),
            _ => unreachable!("refused when the question was asked"),
        };
        let sets = &mut *self.question.checker.sets;
        let Some(target) = target else {
            let mut kept = stay;
            loop {
                let next = can_force(sets, actions, &kept, &kept)?;
                if next == kept {
                    return Ok(Won::Kept(kept));
                }
                kept = next;
                sets.collect_if_due();
            }
        };
        let mut layers = vec![target];
        loop {
            let won = layers[layers.len() - 1].clone();
            let open = sets.difference(&stay, &won)?;
            let more = can_force(sets, actions, &won, &open)?;
            if sets.is_empty(&more) {
                return Ok(Won::Layers(layers));
            }
            layers.push(sets.union(&won, &more)?);
            sets.collect_if_due();
        }
    }
}

/// What the others can do, and where that may lead, by what a group does.
pub(super) type Responses = BTreeMap<Box<[u64]>, Vec<(Box<[u64]>, State)>>;

/// For each joint action of a group that is possible in a state, what the others can do; `None` if there
/// are too many.
pub(super) fn responses(
    model: &Model,
    group: &[VariableId],
    others: &[VariableId],
    state: &State,
    left: &mut usize,
) -> Option<Responses> {
    let width = model.variables.len();
    let mut responses = Responses::new();
    for event in model.events.iter().filter(|event| event.is_synchronous()) {
        Step::new(model, event).for_each(state, |joint, next| {
            *left = left.saturating_sub(1);
            let picked = |actions: &[VariableId]| -> Box<[u64]> {
                actions.iter().map(|action| joint[action.index() - width]).collect()
            };
            responses.entry(picked(group)).or_default().push((picked(others), next.clone()));
            *left > 0
        });
    }
    (*left > 0).then_some(responses)
}

/// Where each joint action of the group may lead from a state; `None` if there are too many.
pub(super) fn moves(
    model: &Model,
    actions: &[VariableId],
    state: &State,
    left: &mut usize,
) -> Option<BTreeMap<Box<[u64]>, Vec<State>>> {
    let width = model.variables.len();
    let mut moves: BTreeMap<Box<[u64]>, Vec<State>> = BTreeMap::new();
    let mut known: FxHashSet<(Box<[u64]>, State)> = FxHashSet::default();
    for event in model.events.iter().filter(|event| event.is_synchronous()) {
        Step::new(model, event).for_each(state, |joint, next| {
            *left = left.saturating_sub(1);
            let own: Box<[u64]> = actions.iter().map(|action| joint[action.index() - width]).collect();
            if known.insert((own.clone(), next.clone())) {
                moves.entry(own).or_default().push(next.clone());
            }
            *left > 0
        });
    }
    (*left > 0).then_some(moves)
}
