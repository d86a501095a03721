//! Why a group cannot force something under fairness constraints: what the others answer, so that some
//! path is fair and violates the formula, whatever the group does.
//!
//! The others bring about one constraint after the other, so they remember which one is next. The layers of
//! the last round of the fixpoint that found where they hold out say how: each answer leads one layer
//! nearer to where that constraint is met. Once the formula is violated, only fairness is left to care
//! for; that is remembered, too. What the model leaves open is decided against the group.
//!
//! A group that is to keep something loses when it fails, whether the path is fair in the end or not:
//! there, nothing has to be remembered, and `counter_strategy.rs` has all that is needed.

use super::TemporalChecker;
use super::fair_strategy::meets;
use super::strategy::responses;
use super::witness::{Explanation, FairOutcomes, GroupStrategy, LeftOut, Witness};
use crate::policy::temporal::{MOST_MOVES, MOST_STRATEGY_STATES};
use crate::sets::core::StateSets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Operator};
use symbolon_model::{ObserverId, State, VariableId};

/// Where the others hold out, in a form that can be played.
struct Resistance<T> {
    /// Whether the formula is about the next state.
    is_next: bool,
    /// Where the formula is violated for good, and some path is fair.
    violated: T,
    /// For each constraint, the layers before it is met, or before `violated`; none for `X`.
    holding: Vec<Vec<T>>,
    /// For each constraint, the layers before it is met by a path that only has to be fair.
    fair: Vec<Vec<T>>,
}

/// What the others remember: the constraint that is to be met next, and whether the formula is violated.
type Memory = (usize, bool);

impl<S: StateSets> Explanation<'_, '_, S> {
    /// What the others answer to a group that cannot force `X` or `U` on all fair paths from a state on;
    /// `None` if there is too much of it.
    pub(super) fn fair_counter_strategy(
        &mut self,
        (id, path): (FormulaId, FormulaId),
        (members, actions): (&[ObserverId], &[VariableId]),
        against: &[VariableId],
        state: &State,
    ) -> Result<Option<Witness>, Interrupted> {
        let resistance = self.resistance(against, path)?;
        let TemporalChecker { sets, model, reached, fairness, .. } = &mut *self.question.checker;
        let (mut choices, mut ends, mut outcomes) = (Vec::new(), Vec::new(), FairOutcomes::default());
        let mut used: FxHashMap<Box<[u64]>, usize> = FxHashMap::default();
        let is_violated = !resistance.is_next && sets.contains(&resistance.violated, state);
        let mut open: VecDeque<(State, Memory)> = VecDeque::from([(state.clone(), (0, is_violated))]);
        let mut seen: FxHashSet<(State, Memory)> = open.iter().cloned().collect();
        let mut known: FxHashSet<State> = FxHashSet::default();
        let mut moves_left = MOST_MOVES;
        while let Some((here, (turn, is_violated))) = open.pop_front() {
            sets.meter().step()?;
            if known.insert(here.clone()) {
                outcomes.meets.push((here.clone(), meets(*sets, fairness, &here)));
                if sets.contains(&resistance.violated, &here) {
                    outcomes.violated.push(here.clone());
                }
            }
            let Some(answers) = responses(model, against, actions, &here, &mut moves_left) else {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            };
            if answers.is_empty() {
                // Nothing can happen, and the path that stays here is fair.
                ends.push(here);
                continue;
            }
            let layers = match is_violated {
                true => Some(&resistance.fair[turn]),
                false => resistance.holding.get(turn),
            };
            for (own, possible) in answers {
                // How far it is from each next state.
                let mut rank = |next: &State| match layers {
                    _ if !sets.contains(reached, next) => None,
                    Some(layers) => layers.iter().position(|layer| sets.contains(layer, next)),
                    None => sets.contains(&resistance.violated, next).then_some(0),
                };
                let ranked = possible.into_iter().filter_map(|(answer, next)| {
                    let rank = rank(&next)?;
                    Some((rank, answer, next))
                });
                let picked = ranked.min_by_key(|(rank, answer, _)| {
                    let count = used.get(answer).copied().unwrap_or(0);
                    (*rank, std::cmp::Reverse(count), answer.clone())
                });
                let Some((_, answer, next)) = picked else { return Ok(None) };
                *used.entry(answer.clone()).or_default() += 1;
                let memory = [turn as u64, u64::from(is_violated)];
                choices.push((remembering(&here, model.actions.len(), against, &own, memory), answer));
                let is_met = sets.contains(&fairness[turn], &next);
                let turn = if is_met { (turn + 1) % fairness.len() } else { turn };
                let is_violated = is_violated || sets.contains(&resistance.violated, &next);
                let arrived = (next, (turn, is_violated || resistance.is_next));
                if seen.insert(arrived.clone()) {
                    open.push_back(arrived);
                }
            }
            if choices.len() > MOST_STRATEGY_STATES {
                self.left_out = Some(LeftOut::TooLarge);
                return Ok(None);
            }
        }
        let strategy = GroupStrategy {
            members: members.to_vec(),
            actions: actions.to_vec(),
            choices,
            ends,
            against: against.to_vec(),
            fair: Some(outcomes),
        };
        let strategy = Some(strategy);
        Ok(Some(Witness { strategy, is_shortest: false, ..Witness::of(id, state.clone()) }))
    }

    fn resistance(
        &mut self,
        against: &[VariableId],
        path: FormulaId,
    ) -> Result<Resistance<S::Set>, Interrupted> {
        let everywhere = self.question.checker.reached.clone();
        let operator = self.question.formula.operator(path).clone();
        let (stay, goal) = match operator {
            Operator::Next(f) => (self.question.checker.sets.none(), self.question.state(f)?),
            Operator::Finally(g) => (everywhere.clone(), self.question.state(g)?),
            Operator::Until(f, g) => (self.question.state(f)?, self.question.state(g)?),
            _ => unreachable!("what is to be kept needs no memory"),
        };
        let mut game = self.question.game(against.to_vec());
        let none = game.sets.none();
        let able = game.unavoidably_fair()?;
        let mut fair = Vec::new();
        for constraint in 0..game.constraints.len() {
            fair.push(game.layers_to(constraint, &everywhere, &none, &able)?);
        }
        let not_yet = game.sets.difference(&everywhere, &goal)?;
        let violated = game.sets.difference(&not_yet, &stay)?;
        let violated = game.sets.intersection(&violated, &able)?;
        let mut holding = Vec::new();
        let is_next = matches!(operator, Operator::Next(_));
        if !is_next {
            let kept = game.others_hold_out(&not_yet, &violated, None)?;
            for constraint in 0..game.constraints.len() {
                holding.push(game.layers_to(constraint, &not_yet, &violated, &kept)?);
            }
        }
        Ok(Resistance { is_next, violated, holding, fair })
    }
}

/// A state, behind it a value for each action variable (what the group does, and 0 for the others), and
/// what is remembered.
fn remembering(
    state: &State,
    action_count: usize,
    against: &[VariableId],
    own: &[u64],
    memory: [u64; 2],
) -> State {
    let mut longer = state.to_vec();
    longer.resize(state.len() + action_count, 0);
    for (variable, &value) in against.iter().zip(own) {
        longer[variable.index()] = value;
    }
    longer.extend(memory);
    longer.into()
}
