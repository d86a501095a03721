//! Why a group cannot force something: what the others answer to each of its actions.
//!
//! A group picks first, and the others answer, so a counter-strategy has an answer for each state and
//! each action of the group that is possible there. Where the group was to reach something, the answers
//! keep it outside of where it wins; where it was to keep something, they bring it one step nearer to
//! where that fails. What the model leaves open is decided against the group, too: an answer is good if
//! some next state is.

use super::fair_strategy::meets;
use super::needs::can_force;
use super::strategy::responses;
use super::witness::{Explanation, FairOutcomes, GroupStrategy, LeftOut, Witness};
use crate::policy::temporal::{MOST_MOVES, MOST_STRATEGY_STATES};
use crate::sets::core::StateSets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Operator};
use symbolon_model::{ObserverId, State, VariableId};

/// Where a group loses, in a form that can be played against it.
enum Lost<T> {
    /// Some next state lies here, whatever it does.
    Next(T),
    /// The path can be kept in the first set, which lies outside of where the group wins, or comes to
    /// the second, where it has lost.
    KeptOut(T, T),
    /// By the number of steps in which what was to be kept fails; in the first it has failed.
    Layers(Vec<T>),
}

impl<S: StateSets> Explanation<'_, '_, S> {
    /// What the others answer to a group that cannot force a path formula from a state on; `None` if
    /// there is too much of it, which is noted. What beats a group that sees the whole state beats it with
    /// uniform strategies, too; where nothing does, that is noted: then what the others have to answer
    /// depends on the strategy that they meet.
    pub(super) fn counter_strategy(
        &mut self,
        id: FormulaId,
        group: &str,
        path: FormulaId,
        state: &State,
    ) -> Result<Option<Witness>, Interrupted> {
        let checker = &mut *self.question.checker;
        let observers = &checker.model.observers;
        let against_members = observers.members(group).unwrap_or_default();
        let action_of = |id: &ObserverId| observers.observer(*id).action;
        let against: Vec<VariableId> = against_members.iter().filter_map(action_of).collect();
        let members: Vec<ObserverId> = observers
            .ids()
            .filter(|id| action_of(id).is_some_and(|action| !against.contains(&action)))
            .collect();
        let actions: Vec<VariableId> = members.iter().filter_map(action_of).collect();
        if members.is_empty() {
            // Nobody answers: it is the model that leaves no way.
            return Ok(None);
        }
        if checker.uniform.is_some() && self.wins_with_full_sight(&against, path, state)? {
            self.left_out = Some(LeftOut::Uniform);
            return Ok(None);
        }
        let checker = &mut *self.question.checker;
        let is_kept = matches!(self.question.formula.operator(path), Operator::Globally(_));
        if !checker.fairness.is_empty() && !is_kept {
            return self.fair_counter_strategy((id, path), (&members, &actions), &against, state);
        }
        let lost = self.lost(&against, path)?;
        let checker = &mut *self.question.checker;
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        let mut used: FxHashMap<Box<[u64]>, usize> = FxHashMap::default();
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut open = VecDeque::from([state.clone()]);
        let mut moves_left = MOST_MOVES;
        seen.insert(state.clone());
        while let Some(here) = open.pop_front() {
            checker.sets.meter().step()?;
            let target = match &lost {
                Lost::Next(target) if here == *state && choices.is_empty() => target,
                Lost::Next(_) => {
                    ends.push(here);
                    continue;
                }
                Lost::KeptOut(_, failed) if checker.sets.contains(failed, &here) => {
                    ends.push(here);
                    continue;
                }
                Lost::KeptOut(kept, _) => kept,
                Lost::Layers(layers) => {
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
            let answers = responses(checker.model, &against, &actions, &here, &mut moves_left);
            let Some(answers) = answers else {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            };
            if answers.is_empty() {
                // Nothing can happen, so the group forces nothing.
                ends.push(here);
                continue;
            }
            let mut next_states = Vec::new();
            for (own, possible) in answers {
                let good = possible.into_iter().filter(|(_, next)| checker.sets.contains(target, next));
                let picked = good.max_by_key(|(answer, _)| {
                    (used.get(answer).copied().unwrap_or(0), std::cmp::Reverse(answer.clone()))
                });
                let Some((answer, next)) = picked else { return Ok(None) };
                *used.entry(answer.clone()).or_default() += 1;
                choices.push((with_actions(&here, checker.model.actions.len(), &against, &own), answer));
                next_states.push(next);
            }
            let is_over = matches!(lost, Lost::Next(_));
            open.extend(next_states.into_iter().filter(|next| seen.insert(next.clone()) || is_over));
            if choices.len() > MOST_STRATEGY_STATES {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            }
        }
        let constraints = self.question.checker.fairness.clone();
        let fair = (!constraints.is_empty()).then(|| {
            let sets = &mut *self.question.checker.sets;
            let meets = |state: &State| (state.clone(), meets(sets, &constraints, state));
            FairOutcomes { meets: seen.iter().map(meets).collect(), ..FairOutcomes::default() }
        });
        let strategy = Some(GroupStrategy { members, actions, choices, ends, against, fair });
        Ok(Some(Witness { strategy, is_shortest: false, ..Witness::of(id, state.clone()) }))
    }

    /// Whether the group could force the path formula if its members saw the whole state.
    fn wins_with_full_sight(
        &mut self,
        against: &[VariableId],
        path: FormulaId,
        state: &State,
    ) -> Result<bool, Interrupted> {
        let won = self.question.won_with_full_sight(against.to_vec(), path)?;
        Ok(self.question.checker.sets.contains(&won, state))
    }

    /// Where the group loses.
    fn lost(&mut self, against: &[VariableId], path: FormulaId) -> Result<Lost<S::Set>, Interrupted> {
        let everywhere = self.question.checker.reached.clone();
        let (stay, target) = match *self.question.formula.operator(path) {
            Operator::Next(f) => {
                let f = self.question.state(f)?;
                return Ok(Lost::Next(self.question.checker.sets.difference(&everywhere, &f)?));
            }
            Operator::Finally(g) => (everywhere.clone(), Some(self.question.state(g)?)),
            Operator::Until(f, g) => (self.question.state(f)?, Some(self.question.state(g)?)),
            Operator::Globally(f) => (self.question.state(f)?, None),
            _ => unreachable!("refused when the question was asked"),
        };
        let Some(target) = target else {
            // Where no fair path begins, nothing has to be kept.
            let mut game = self.question.game(against.to_vec());
            let mut kept = stay;
            let mut layers = vec![game.sets.difference(&everywhere, &kept)?];
            loop {
                let next = game.forced(&kept, &kept)?;
                if next == kept {
                    return Ok(Lost::Layers(layers));
                }
                layers.push(game.sets.difference(&everywhere, &next)?);
                kept = next;
            }
        };
        let sets = &mut *self.question.checker.sets;
        let mut won = target;
        let failed = sets.difference(&everywhere, &stay)?;
        let failed = sets.difference(&failed, &won)?;
        loop {
            let open = sets.difference(&stay, &won)?;
            let more = can_force(sets, against, &won, &open)?;
            if sets.is_empty(&more) {
                return Ok(Lost::KeptOut(sets.difference(&everywhere, &won)?, failed));
            }
            won = sets.union(&won, &more)?;
            sets.collect_if_due();
        }
    }
}

/// A state, and behind it a value for each action variable: what the group does, and 0 for the others.
fn with_actions(state: &State, action_count: usize, against: &[VariableId], own: &[u64]) -> State {
    let mut longer = state.to_vec();
    longer.resize(state.len() + action_count, 0);
    for (variable, &value) in against.iter().zip(own) {
        longer[variable.index()] = value;
    }
    longer.into()
}
