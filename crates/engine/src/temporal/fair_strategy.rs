//! Why a group can force something under fairness constraints: a strategy that wins on all fair paths.
//!
//! Three things may help the group, and each of them is played from sets that the verdict was found by:
//!
//! - it forces what is promised, in few steps, whether the path is fair or not (layers);
//! - it *evades*: from where the others cannot force that all constraints are met again and again, it sees
//!   to it that some constraint is met no more, and what else happens does not matter;
//! - it does one or the other, as the others decide: where they cannot hold out (keep the promise from
//!   being kept on a fair path), the rounds of that fixpoint say which constraint is met no more.
//!
//! In the rounds, the number of the round and then of the constraint never grow on a path, so in the end
//! one constraint is met no more (Klarlund, LICS 1992, has the same for Rabin conditions, and why nothing
//! needs to be remembered). So a strategy says what to do in each state. It may say something else in one
//! state before the promise is broken and after, if it forces before and evades after; then it evades
//! wherever it can, which is the same before and after.

use super::TemporalChecker;
use super::agents::HoldingOut;
use super::strategy::moves;
use super::witness::{Explanation, FairOutcomes, GroupStrategy, LeftOut, Witness};
use crate::policy::temporal::{MOST_MOVES, MOST_STRATEGY_STATES};
use crate::sets::core::StateSets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Operator};
use symbolon_model::{ObserverId, State, VariableId};

/// Where a group wins, in a form that can be played.
struct Plan<T> {
    aim: Aim<T>,
    /// Where, whatever the group does, some path is fair.
    fair: T,
    /// How it evades elsewhere.
    evading: Vec<HoldingOut<T>>,
}

enum Aim<T> {
    /// All next states lie here, or the group evades from there on.
    Next(T),
    Until {
        /// What holds until then.
        stay: T,
        /// By the number of steps in which it is forced; in the first, it is there.
        layers: Vec<T>,
        /// How it wins elsewhere.
        rounds: Vec<HoldingOut<T>>,
    },
    /// By staying here.
    Globally(T),
}

/// How far a path has come with what was promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Promise {
    /// No step was taken yet, of `X`.
    First,
    /// Neither kept nor broken.
    Open,
    /// Broken, so the path has to be unfair.
    Broken,
}

/// What became of playing a plan.
enum Played {
    Won(GroupStrategy),
    /// One state has to be left in two ways.
    Ambiguous,
    TooLarge,
    /// Nothing to be played: the sets say otherwise.
    Lost,
}

impl<S: StateSets> Explanation<'_, '_, S> {
    /// A strategy for `id`, that a group can force a path formula on all fair paths from a state on;
    /// `None` if there are too many outcomes.
    pub(super) fn fair_strategy(
        &mut self,
        id: FormulaId,
        (members, actions): (&[ObserverId], &[VariableId]),
        path: FormulaId,
        state: &State,
    ) -> Result<Option<Witness>, Interrupted> {
        let plan = self.fair_plan(actions, path)?;
        for evades_first in [false, true] {
            match self.play(&plan, (members, actions), evades_first, state)? {
                Played::Won(strategy) => {
                    let strategy = Some(strategy);
                    let witness = Witness { strategy, is_shortest: false, ..Witness::of(id, state.clone()) };
                    return Ok(Some(witness));
                }
                Played::Ambiguous => {}
                Played::TooLarge => {
                    self.left_out = Some(LeftOut::TooLarge);
                    return Ok(None);
                }
                Played::Lost => return Ok(None),
            }
        }
        Ok(None)
    }

    fn fair_plan(&mut self, actions: &[VariableId], path: FormulaId) -> Result<Plan<S::Set>, Interrupted> {
        let everywhere = self.question.checker.reached.clone();
        let none = self.question.checker.sets.none();
        let mut evading = Vec::new();
        let mut game = self.question.game(actions.to_vec());
        let fair = game.others_hold_out(&everywhere, &none, Some(&mut evading))?;
        let (stay, goal) = match *self.question.formula.operator(path) {
            Operator::Next(f) => {
                let f = self.question.state(f)?;
                return Ok(Plan { aim: Aim::Next(f), fair, evading });
            }
            Operator::Globally(f) => {
                let mut kept = self.question.state(f)?;
                let mut game = self.question.game(actions.to_vec());
                loop {
                    let next = game.forced(&kept, &kept)?;
                    if next == kept {
                        return Ok(Plan { aim: Aim::Globally(kept), fair, evading });
                    }
                    kept = next;
                }
            }
            Operator::Finally(g) => (everywhere.clone(), self.question.state(g)?),
            Operator::Until(f, g) => (self.question.state(f)?, self.question.state(g)?),
            _ => unreachable!("refused when the question was asked"),
        };
        let mut game = self.question.game(actions.to_vec());
        let mut layers = vec![goal.clone()];
        loop {
            let won = &layers[layers.len() - 1];
            let open = game.sets.difference(&stay, won)?;
            let more = game.forced(won, &open)?;
            if game.sets.is_empty(&more) {
                break;
            }
            layers.push(game.sets.union(won, &more)?);
        }
        let not_yet = game.sets.difference(&everywhere, &goal)?;
        let failed = game.sets.difference(&not_yet, &stay)?;
        let failed = game.sets.intersection(&failed, &fair)?;
        let mut rounds = Vec::new();
        game.others_hold_out(&not_yet, &failed, Some(&mut rounds))?;
        Ok(Plan { aim: Aim::Until { stay, layers, rounds }, fair, evading })
    }

    /// Follows all outcomes of a plan. With `evades_first` the group evades wherever it can.
    fn play(
        &mut self,
        plan: &Plan<S::Set>,
        (members, actions): (&[ObserverId], &[VariableId]),
        evades_first: bool,
        state: &State,
    ) -> Result<Played, Interrupted> {
        let TemporalChecker { sets, model, reached, fairness, .. } = &mut *self.question.checker;
        let mut chosen: FxHashMap<State, Box<[u64]>> = FxHashMap::default();
        let mut used: FxHashMap<Box<[u64]>, usize> = FxHashMap::default();
        let (mut choices, mut ends, mut outcomes) = (Vec::new(), Vec::new(), FairOutcomes::default());
        let first = if matches!(plan.aim, Aim::Next(_)) { Promise::First } else { Promise::Open };
        let mut open = VecDeque::from([(state.clone(), first)]);
        let mut seen: FxHashSet<(State, Promise)> = open.iter().cloned().collect();
        let mut moves_left = MOST_MOVES;
        while let Some((here, mut promise)) = open.pop_front() {
            sets.meter().step()?;
            if !sets.contains(reached, &here) {
                if !outcomes.unfair.contains(&here) {
                    outcomes.unfair.push(here);
                }
                continue;
            }
            if promise == Promise::Open {
                let (is_kept, is_broken) = match &plan.aim {
                    Aim::Next(f) => (sets.contains(f, &here), true),
                    Aim::Until { stay, layers, .. } => {
                        (sets.contains(&layers[0], &here), !sets.contains(stay, &here))
                    }
                    Aim::Globally(_) => (false, false),
                };
                if is_kept {
                    ends.push(here);
                    continue;
                }
                if is_broken {
                    promise = Promise::Broken;
                    outcomes.violated.push(here.clone());
                }
            }
            let Some(moves) = moves(model, actions, &here, &mut moves_left) else {
                return Ok(Played::TooLarge);
            };
            let evades = !sets.contains(&plan.fair, &here);
            // Moves that are good, and those among them that come nearer.
            let (good_moves, nearer) = match &plan.aim {
                _ if promise == Promise::Broken || evades && (evades_first || promise == Promise::First) => {
                    (evasive(*sets, reached, &moves, &plan.evading, &here), Vec::new())
                }
                Aim::Next(f) => {
                    let is_good = |next: &State| {
                        sets.contains(f, next)
                            || !sets.contains(&plan.fair, next)
                            || !sets.contains(reached, next)
                    };
                    (good(&moves, is_good), Vec::new())
                }
                Aim::Globally(kept) => (forcing(*sets, reached, &moves, kept), Vec::new()),
                Aim::Until { layers, rounds, .. } => {
                    let layer = layers.iter().position(|layer| sets.contains(layer, &here));
                    match layer {
                        Some(rank) => (forcing(*sets, reached, &moves, &layers[rank - 1]), Vec::new()),
                        None if evades => (evasive(*sets, reached, &moves, &plan.evading, &here), Vec::new()),
                        None => {
                            let good = evasive(*sets, reached, &moves, rounds, &here);
                            let round = round_of(*sets, rounds, &here);
                            let comes_nearer = |next: &State| {
                                let won = &layers[layers.len() - 1];
                                sets.contains(won, next) || round_of(*sets, rounds, next) < round
                            };
                            let nearer = some(&moves, &good, comes_nearer);
                            (good, nearer)
                        }
                    }
                }
            };
            let picked = match chosen.get(&here) {
                Some(known) if good_moves.contains(&&**known) => known.clone(),
                Some(_) => return Ok(Played::Ambiguous),
                None => {
                    let among = if nearer.is_empty() { &good_moves } else { &nearer };
                    let best = among.iter().max_by_key(|action| {
                        (used.get(**action).copied().unwrap_or(0), std::cmp::Reverse(action.to_vec()))
                    });
                    let Some(best) = best else { return Ok(Played::Lost) };
                    let picked: Box<[u64]> = (*best).into();
                    *used.entry(picked.clone()).or_default() += 1;
                    choices.push((here.clone(), picked.clone()));
                    chosen.insert(here.clone(), picked.clone());
                    picked
                }
            };
            let next = moves.get(&picked).cloned().unwrap_or_default();
            let after = if promise == Promise::Broken { promise } else { Promise::Open };
            open.extend(next.into_iter().map(|next| (next, after)).filter(|next| seen.insert(next.clone())));
            if choices.len() > MOST_STRATEGY_STATES {
                return Ok(Played::TooLarge);
            }
        }
        let states = choices.iter().map(|(state, _)| state).chain(&ends);
        outcomes.meets = states.map(|state| (state.clone(), meets(*sets, fairness, state))).collect();
        let (members, actions) = (members.to_vec(), actions.to_vec());
        let fair = Some(outcomes);
        Ok(Played::Won(GroupStrategy { members, actions, choices, ends, against: Vec::new(), fair }))
    }
}

/// Which fairness constraints a state meets.
pub(super) fn meets<S: StateSets>(sets: &mut S, fairness: &[S::Set], state: &State) -> Box<[bool]> {
    fairness.iter().map(|constraint| sets.contains(constraint, state)).collect()
}

type Moves = BTreeMap<Box<[u64]>, Vec<State>>;

/// The actions after which every next state is good.
fn good(moves: &Moves, mut is_good: impl FnMut(&State) -> bool) -> Vec<&[u64]> {
    let fitting = moves.iter().filter(|(_, next)| next.iter().all(&mut is_good));
    fitting.map(|(action, _)| &**action).collect()
}

/// The actions after which every next state that counts lies in the target.
fn forcing<'m, S: StateSets>(
    sets: &mut S,
    reached: &S::Set,
    moves: &'m Moves,
    target: &S::Set,
) -> Vec<&'m [u64]> {
    good(moves, |next| sets.contains(target, next) || !sets.contains(reached, next))
}

/// Those of some actions after which some next state is good.
fn some<'m>(moves: &Moves, actions: &[&'m [u64]], mut is_good: impl FnMut(&State) -> bool) -> Vec<&'m [u64]> {
    let fitting = actions.iter().filter(|action| moves[**action].iter().any(&mut is_good));
    fitting.copied().collect()
}

/// The actions that keep the others from what they were held to be able to do, in a state in which the
/// rounds say that they cannot: there is a constraint which they cannot bring about that it is met.
fn evasive<'m, S: StateSets>(
    sets: &mut S,
    reached: &S::Set,
    moves: &'m Moves,
    rounds: &[HoldingOut<S::Set>],
    here: &State,
) -> Vec<&'m [u64]> {
    let Some(round) = round_of(sets, rounds, here) else { return Vec::new() };
    let mut by_constraint = rounds[round]
        .near
        .iter()
        .map(|near| good(moves, |next| !sets.contains(near, next) || !sets.contains(reached, next)));
    by_constraint.find(|actions| !actions.is_empty()).unwrap_or_default()
}

/// The round after which a state is found not to be one in which the others hold out.
fn round_of<S: StateSets>(sets: &mut S, rounds: &[HoldingOut<S::Set>], state: &State) -> Option<usize> {
    rounds.iter().position(|round| !sets.contains(&round.kept, state)).and_then(|after| after.checked_sub(1))
}
