//! Strategies of agents who see only a part of the state: in states that look the same to it, an
//! agent does the same.
//!
//! A group has such a strategy in a state if one wins there and wherever a member might believe to
//! be: in all states that look the same to some member (Busard, Pecheur, Qu and Raimondi,
//! Information and Computation 2015). No agent remembers anything. Whether there is one is hard to
//! say, NP-hard already for one agent, and no fixpoint says it: strategies are tried. So states are
//! listed here, and there may not be too many of them.
//!
//! What is tried is the beginning of a strategy: what some members do at some sights. Two games
//! bound what can come of it. In one, an agent that is not bound yet sees everything: where that is
//! lost, so is every strategy that begins like this. In the other, nothing can be done where an
//! agent is not bound yet: where that is won, this beginning is enough. In between, the first sight
//! that comes up on the way and is not bound yet is bound, in all possible ways.

use super::{Question, TemporalChecker};
use crate::sets::core::StateSets;
use crate::temporal::fair_strategy::Promise;
use crate::temporal::witness::{FairOutcomes, GroupStrategy};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_budget::{Interrupted, Meter};
use symbolon_logic::{FormulaId, Operator};
use symbolon_model::{ObserverId, State, Step, VariableId};

/// What a group may do in a state, and where that may lead.
struct Move {
    /// What each member does.
    actions: Box<[u64]>,
    next: Vec<usize>,
}

/// The states, what the group can do, and who sees what.
pub(super) struct Arena {
    pub(super) states: Vec<State>,
    numbers: FxHashMap<State, usize>,
    moves: Vec<Vec<Move>>,
    /// For each member and each state, the number of what is seen.
    sights: Vec<Vec<usize>>,
    /// What paths meet again and again that the group has to care for.
    constraints: Vec<Vec<bool>>,
    actions: Vec<VariableId>,
    members: Vec<ObserverId>,
}

/// What a strategy is for: operands as labels of states.
pub(super) enum Aim {
    Next(Vec<bool>),
    Until(Vec<bool>, Vec<bool>),
    Globally(Vec<bool>),
}

/// A beginning of a strategy: what members do at sights, by the numbers of both.
type Bound = FxHashMap<(usize, usize), u64>;

impl<S: StateSets> TemporalChecker<'_, S> {
    /// The states one by one, and what the group can do in them.
    pub(super) fn arena(&mut self, group: &str) -> Result<Arena, Interrupted> {
        let model = self.model;
        let observers = &model.observers;
        let members: Vec<ObserverId> = observers.members(group).unwrap_or_default();
        let members: Vec<ObserverId> =
            members.into_iter().filter(|&id| observers.observer(id).action.is_some()).collect();
        let actions: Vec<VariableId> =
            members.iter().filter_map(|&id| observers.observer(id).action).collect();
        let mut states = Vec::new();
        let mut rest = self.reached.clone();
        while let Some(state) = self.sets.choose(&rest) {
            let one = self.sets.singleton(&state)?;
            rest = self.sets.difference(&rest, &one)?;
            self.sets.collect_if_due();
            states.push(state);
        }
        let numbers: FxHashMap<State, usize> =
            states.iter().enumerate().map(|(number, state)| (state.clone(), number)).collect();
        let width = model.variables.len();
        let mut moves = Vec::with_capacity(states.len());
        for state in &states {
            let mut here: Vec<Move> = Vec::new();
            let mut stopped = Ok(());
            for event in &model.events {
                Step::new(model, event).for_each(state, |joint, next| {
                    stopped = self.sets.meter().step();
                    let own: Box<[u64]> =
                        actions.iter().map(|action| joint[action.index() - width]).collect();
                    // A state that does not count is none that the group has to care for.
                    let to = numbers.get(next);
                    match here.iter_mut().find(|known| known.actions == own) {
                        Some(known) => {
                            let is_known = to.is_some_and(|to| known.next.contains(to));
                            known.next.extend(to.filter(|_| !is_known));
                        }
                        None => here.push(Move { actions: own, next: to.into_iter().copied().collect() }),
                    }
                    stopped.is_ok()
                });
            }
            stopped?;
            moves.push(here);
        }
        let sights = members.iter().map(|&member| {
            let is_bound = self.uniform.as_ref().is_some_and(|agents| agents.contains(&member));
            let seen = &observers.observer(member).variables;
            let mut known: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
            let sight = |(number, state): (usize, &State)| {
                if !is_bound {
                    return number;
                }
                let values: Vec<u64> = seen.iter().map(|variable| state[variable.index()]).collect();
                let next = known.len();
                *known.entry(values).or_insert(next)
            };
            states.iter().enumerate().map(sight).collect()
        });
        let sights = sights.collect();
        let fairness = self.fairness.clone();
        let constraints = fairness.iter().map(|set| self.label(&states, set)).collect();
        Ok(Arena { states, numbers, moves, sights, constraints, actions, members })
    }

    fn label(&mut self, states: &[State], set: &S::Set) -> Vec<bool> {
        states.iter().map(|state| self.sets.contains(set, state)).collect()
    }
}

impl<S: StateSets> Question<'_, '_, S> {
    /// Where a group has a uniform strategy for a path formula whose operands are known.
    pub(super) fn has_uniform_strategy(
        &mut self,
        group: &str,
        path: FormulaId,
    ) -> Result<S::Set, Interrupted> {
        let arena = self.checker.arena(group)?;
        let aim = self.aim(&arena, path)?;
        let meter = self.checker.sets.meter();
        let mut answer: Vec<Option<bool>> = vec![None; arena.states.len()];
        while let Some(number) = answer.iter().position(Option::is_none) {
            let found = arena.search(&aim, &arena.believed(number), meter)?;
            answer[number] = Some(found.is_some());
            if let Some(bound) = found {
                // It may win elsewhere, too.
                let won = arena.win(&aim, &bound, Missing::Stuck);
                for (other, answer) in answer.iter_mut().enumerate() {
                    let wins = || arena.believed(other).iter().all(|&state| won[state]);
                    if answer.is_none() && won[other] && wins() {
                        *answer = Some(true);
                    }
                }
            }
        }
        let mut set = self.checker.sets.none();
        for (state, holds) in arena.states.iter().zip(answer) {
            if holds == Some(true) {
                let one = self.checker.sets.singleton(state)?;
                set = self.checker.sets.union(&set, &one)?;
                self.checker.sets.collect_if_due();
            }
        }
        Ok(set)
    }

    /// The operands of a path formula, as labels.
    pub(super) fn aim(&mut self, arena: &Arena, path: FormulaId) -> Result<Aim, Interrupted> {
        let label = |question: &mut Self, id: FormulaId| {
            let set = question.state(id)?;
            Ok::<_, Interrupted>(question.checker.label(&arena.states, &set))
        };
        Ok(match *self.formula.operator(path) {
            Operator::Next(f) => Aim::Next(label(self, f)?),
            Operator::Finally(g) => Aim::Until(vec![true; arena.states.len()], label(self, g)?),
            Operator::Until(f, g) => Aim::Until(label(self, f)?, label(self, g)?),
            Operator::Globally(f) => Aim::Globally(label(self, f)?),
            _ => unreachable!("refused when the question was asked"),
        })
    }
}

/// What those can do who are not bound yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// Anything, as if they saw everything.
    Free,
    /// Nothing at all.
    Stuck,
}

impl Arena {
    /// The states where some member might believe to be.
    fn believed(&self, state: usize) -> Vec<usize> {
        let looks_alike = |other: &usize| {
            *other == state || self.sights.iter().any(|sights| sights[*other] == sights[state])
        };
        (0..self.states.len()).filter(looks_alike).collect()
    }

    /// The beginning of a strategy that wins in all of these states.
    fn search(&self, aim: &Aim, starts: &[usize], meter: &mut Meter) -> Result<Option<Bound>, Interrupted> {
        // Beginnings that are still to be tried; each is larger than one that was not enough.
        let mut open: Vec<Bound> = vec![Bound::default()];
        while let Some(bound) = open.pop() {
            for _ in 0..=self.states.len() / 8 {
                meter.step()?;
            }
            let may_win = self.win(aim, &bound, Missing::Free);
            if !starts.iter().all(|&state| may_win[state]) {
                continue;
            }
            let wins = self.win(aim, &bound, Missing::Stuck);
            if starts.iter().all(|&state| wins[state]) {
                return Ok(Some(bound));
            }
            let Some((member, sight, state)) = self.first_open(aim, starts, &bound) else { continue };
            let mut tried: Vec<u64> = Vec::new();
            let fitting =
                self.moves[state].iter().filter(|one| self.is_allowed(one, state, &bound, Missing::Free));
            for action in fitting.map(|one| one.actions[member]) {
                if !tried.contains(&action) {
                    tried.push(action);
                }
            }
            for &action in tried.iter().rev() {
                let mut more = bound.clone();
                more.insert((member, sight), action);
                open.push(more);
            }
        }
        Ok(None)
    }

    /// The first sight on the way at which an agent is not bound: who, which, and in what state.
    fn first_open(&self, aim: &Aim, starts: &[usize], bound: &Bound) -> Option<(usize, usize, usize)> {
        let mut is_met = vec![false; self.states.len()];
        let mut met: Vec<usize> = starts.to_vec();
        starts.iter().for_each(|&state| is_met[state] = true);
        let mut next = 0;
        while let Some(&state) = met.get(next) {
            next += 1;
            if matches!(aim, Aim::Until(_, goal) if goal[state]) && self.constraints.is_empty() {
                continue;
            }
            for (member, sights) in self.sights.iter().enumerate() {
                if !bound.contains_key(&(member, sights[state])) {
                    return Some((member, sights[state], state));
                }
            }
            let allowed =
                self.moves[state].iter().filter(|one| self.is_allowed(one, state, bound, Missing::Free));
            for to in allowed.flat_map(|one| one.next.iter().copied()) {
                if !std::mem::replace(&mut is_met[to], true) {
                    met.push(to);
                }
            }
        }
        None
    }

    fn is_allowed(&self, one: &Move, state: usize, bound: &Bound, missing: Missing) -> bool {
        let fits = |(member, action): (usize, &u64)| match bound.get(&(member, self.sights[member][state])) {
            Some(bound) => bound == action,
            None => missing == Missing::Free,
        };
        one.actions.iter().enumerate().all(fits)
    }

    /// Where the group wins if it is bound like this.
    fn win(&self, aim: &Aim, bound: &Bound, missing: Missing) -> Vec<bool> {
        let allowed: Vec<Vec<&[usize]>> = self
            .moves
            .iter()
            .enumerate()
            .map(|(state, moves)| {
                let fitting = moves.iter().filter(|one| self.is_allowed(one, state, bound, missing));
                fitting.map(|one| &one.next[..]).collect()
            })
            .collect();
        let game = Game { allowed, constraints: &self.constraints };
        match aim {
            Aim::Next(f) => game.next(f),
            Aim::Until(f, g) => game.until(f, g),
            Aim::Globally(f) => game.globally(f),
        }
    }

    /// What the group does from a state on, as a strategy that wins in all states that might be it.
    pub(super) fn strategy(
        &self,
        aim: &Aim,
        state: &State,
        meter: &mut Meter,
    ) -> Result<Option<GroupStrategy>, Interrupted> {
        let Some(&start) = self.numbers.get(state) else { return Ok(None) };
        let Some(bound) = self.search(aim, &self.believed(start), meter)? else { return Ok(None) };
        if !self.constraints.is_empty() {
            return Ok(self.fair_strategy(aim, start, &bound));
        }
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        let mut is_met = vec![false; self.states.len()];
        // The state itself first, then those with which a member may confuse it.
        let mut met = vec![start];
        met.extend(self.believed(start).into_iter().filter(|&other| other != start));
        met.iter().for_each(|&state| is_met[state] = true);
        let start_count = met.len();
        // After the one step of `X`, a state where it begins may come again.
        if matches!(aim, Aim::Next(_)) {
            is_met.fill(false);
        }
        let mut next = 0;
        while let Some(&here) = met.get(next) {
            next += 1;
            let is_over = match aim {
                Aim::Next(_) => next > start_count,
                Aim::Until(_, goal) => goal[here],
                Aim::Globally(_) => false,
            };
            if is_over {
                ends.push(self.states[here].clone());
                continue;
            }
            let chosen =
                self.moves[here].iter().find(|one| self.is_allowed(one, here, &bound, Missing::Stuck));
            let Some(one) = chosen else { return Ok(None) };
            choices.push((self.states[here].clone(), one.actions.clone()));
            met.extend(one.next.iter().copied().filter(|&to| !std::mem::replace(&mut is_met[to], true)));
        }
        let (members, actions) = (self.members.clone(), self.actions.clone());
        Ok(Some(GroupStrategy { members, actions, choices, ends, against: Vec::new(), fair: None }))
    }

    /// The same under fairness constraints: a path that breaks what was promised is unfair, and is followed
    /// on.
    fn fair_strategy(&self, aim: &Aim, start: usize, bound: &Bound) -> Option<GroupStrategy> {
        let (mut choices, mut ends, mut outcomes) = (Vec::new(), Vec::new(), FairOutcomes::default());
        let first = if matches!(aim, Aim::Next(_)) { Promise::First } else { Promise::Open };
        let mut met: Vec<(usize, Promise)> = vec![(start, first)];
        met.extend(self.believed(start).into_iter().filter(|&other| other != start).map(|one| (one, first)));
        let mut is_met: FxHashSet<(usize, Promise)> = met.iter().copied().collect();
        let mut is_chosen = vec![false; self.states.len()];
        let mut next = 0;
        while let Some(&(here, mut promise)) = met.get(next) {
            next += 1;
            if promise == Promise::Open {
                let (is_kept, is_broken) = match aim {
                    Aim::Next(f) => (f[here], true),
                    Aim::Until(f, goal) => (goal[here], !f[here]),
                    Aim::Globally(_) => (false, false),
                };
                if is_kept {
                    ends.push(self.states[here].clone());
                    continue;
                }
                if is_broken {
                    promise = Promise::Broken;
                    outcomes.violated.push(self.states[here].clone());
                }
            }
            let mut moves = self.moves[here].iter();
            let one = moves.find(|one| self.is_allowed(one, here, bound, Missing::Stuck))?;
            if !std::mem::replace(&mut is_chosen[here], true) {
                choices.push((self.states[here].clone(), one.actions.clone()));
            }
            let after = if promise == Promise::Broken { promise } else { Promise::Open };
            met.extend(one.next.iter().map(|&to| (to, after)).filter(|&to| is_met.insert(to)));
        }
        let mut is_listed = vec![false; self.states.len()];
        for &(here, _) in &met {
            if !std::mem::replace(&mut is_listed[here], true) {
                let meets = self.constraints.iter().map(|constraint| constraint[here]).collect();
                outcomes.meets.push((self.states[here].clone(), meets));
            }
        }
        let (members, actions) = (self.members.clone(), self.actions.clone());
        let fair = Some(outcomes);
        Some(GroupStrategy { members, actions, choices, ends, against: Vec::new(), fair })
    }
}

/// A game on listed states: for each, the moves that are allowed, as the states to which each may
/// lead.
struct Game<'a> {
    allowed: Vec<Vec<&'a [usize]>>,
    constraints: &'a [Vec<bool>],
}

impl Game<'_> {
    fn next(&self, f: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            return self.forced(f);
        }
        let fair = self.unavoidably_fair();
        let failed: Vec<bool> = fair.iter().zip(f).map(|(&fair, &f)| fair && !f).collect();
        not(self.unavoidable(&failed))
    }

    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            let mut won = g.to_vec();
            loop {
                let more = self.forced(&won);
                let next: Vec<bool> = (0..won.len()).map(|at| won[at] || f[at] && more[at]).collect();
                if next == won {
                    return won;
                }
                won = next;
            }
        }
        let fair = self.unavoidably_fair();
        let not_g = not(g.to_vec());
        let failed: Vec<bool> = (0..g.len()).map(|at| not_g[at] && !f[at] && fair[at]).collect();
        not(self.others_hold_out(&not_g, &failed))
    }

    fn globally(&self, f: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            let mut kept = f.to_vec();
            loop {
                let more = self.forced(&kept);
                let next: Vec<bool> = kept.iter().zip(more).map(|(&kept, more)| kept && more).collect();
                if next == kept {
                    return kept;
                }
                kept = next;
            }
        }
        // The others bring about that f fails, whether the path is fair in the end or not.
        let mut lost = not(f.to_vec());
        loop {
            let more = self.unavoidable(&lost);
            let next: Vec<bool> = lost.iter().zip(more).map(|(&lost, more)| lost || more).collect();
            if next == lost {
                return not(lost);
            }
            lost = next;
        }
    }

    /// Where some move leads into the target, whatever the others do.
    fn forced(&self, target: &[bool]) -> Vec<bool> {
        let forces = |moves: &Vec<&[usize]>| moves.iter().any(|next| next.iter().all(|&to| target[to]));
        self.allowed.iter().map(forces).collect()
    }

    /// Where every move may lead into the target.
    fn unavoidable(&self, target: &[bool]) -> Vec<bool> {
        let meets = |moves: &Vec<&[usize]>| moves.iter().all(|next| next.iter().any(|&to| target[to]));
        self.allowed.iter().map(meets).collect()
    }

    fn unavoidably_fair(&self) -> Vec<bool> {
        let size = self.allowed.len();
        self.others_hold_out(&vec![true; size], &vec![false; size])
    }

    /// Where, whatever the group does, some path stays in `within` and is fair, or does so until it
    /// comes to `target`.
    fn others_hold_out(&self, within: &[bool], target: &[bool]) -> Vec<bool> {
        let mut kept = vec![true; within.len()];
        loop {
            let mut left = within.to_vec();
            for constraint in self.constraints {
                let mut on_the_way: Vec<bool> = (0..within.len())
                    .map(|at| target[at] || constraint[at] && within[at] && kept[at])
                    .collect();
                loop {
                    let before = self.unavoidable(&on_the_way);
                    let next: Vec<bool> =
                        (0..within.len()).map(|at| on_the_way[at] || within[at] && before[at]).collect();
                    if next == on_the_way {
                        break;
                    }
                    on_the_way = next;
                }
                let one = self.unavoidable(&on_the_way);
                left.iter_mut().zip(one).for_each(|(left, one)| *left &= one);
            }
            let next: Vec<bool> = left.iter().zip(target).map(|(&left, &target)| left || target).collect();
            if next == kept {
                return kept;
            }
            kept = next;
        }
    }
}

fn not(label: Vec<bool>) -> Vec<bool> {
    label.into_iter().map(|holds| !holds).collect()
}
