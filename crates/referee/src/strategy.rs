//! What groups of agents can force, whatever the others do.
//!
//! In a state the members of a group each pick an action. The others pick theirs, and choices that
//! evolutions leave open are made against the group. A pick is possible if some step follows from
//! it. The group can force a set of states in one step if some possible pick leads into the set,
//! whatever the others do; everything else is a fixpoint of that.
//!
//! With [`Sight::Own`] strategies are uniform: an agent does the same in all states that look the
//! same to it, and the strategy must win in every state that some member cannot tell from the
//! present one. All strategies are listed.
//!
//! With fairness constraints, `S` has the states from which a fair path starts, and every set below
//! is a part of it:
//!
//! ```text
//! Force(T)    = the states in which the group can act so that every next state in S lies in T
//! Meet(T)     = S - Force(S - T)
//! Fair        = greatest Z = for all c: Meet(least Y = (Z and c) or Meet(Y))
//!
//! <g> X f     = Force(f or (S - Fair))
//! <g> G f     = greatest Z = f and Force(Z)
//! <g> (f U h) = S - greatest Z = bad or (not h and for all c:
//!                                   Meet(least Y = bad or not h and ((Z and c) or Meet(Y))))
//!               where bad = not f and not h and Fair
//! <g> F h     = <g> (true U h)
//! ```
//!
//! These are the equations of the book (reference, agents), which explains them.

use crate::check::{Checker, Sight};
use crate::formula::Formula;
use std::collections::{BTreeMap, BTreeSet};

/// For each state, what the group may pick and where each pick may lead.
pub(crate) type Moves = Vec<BTreeMap<Vec<String>, BTreeSet<usize>>>;

/// A member of a group, by its number there, and what it sees.
type Sighting = (usize, Vec<i128>);

/// What a strategy is to achieve, with the states in which the operands hold.
enum Goal {
    Next(Vec<bool>),
    Until(Vec<bool>, Vec<bool>),
    Globally(Vec<bool>),
}

/// The most uniform strategies that are listed.
const STRATEGIES: usize = 50_000;

impl Checker<'_> {
    /// Where the group can force the path formula.
    pub(crate) fn forced(&self, group: &str, path: &Formula) -> Result<Vec<bool>, String> {
        let members = self.graph.model.agents().members(group)?;
        let moves = self.moves(&members);
        let goal = self.goal(path)?;
        match self.sight {
            Sight::Everything => Ok(self.won(&goal, &moves)),
            Sight::Own => self.won_uniformly(&goal, &members, &moves),
        }
    }

    /// What a strategy is to achieve. Its operands are labelled once, however many strategies are
    /// tried.
    fn goal(&self, path: &Formula) -> Result<Goal, String> {
        Ok(match path {
            Formula::Next(f) => Goal::Next(self.label(f)?),
            Formula::Finally(f) => Goal::Until(vec![true; self.graph.states.len()], self.label(f)?),
            Formula::Until(f, g) => Goal::Until(self.label(f)?, self.label(g)?),
            Formula::Globally(f) => Goal::Globally(self.label(f)?),
            other => return Err(format!("no strategy for {other:?}")),
        })
    }

    /// The picks of some agents.
    pub(crate) fn moves(&self, members: &[usize]) -> Moves {
        let agents = &self.graph.model.agents().list;
        let mut moves: Moves = vec![BTreeMap::new(); self.graph.states.len()];
        for (from, steps) in self.graph.steps.iter().enumerate() {
            for (step, to) in steps {
                let picked = members.iter().filter_map(|&member| agents[member].acts);
                let pick: Vec<String> = picked.map(|position| step.label[position].clone()).collect();
                moves[from].entry(pick).or_default().insert(*to);
            }
        }
        moves
    }

    /// Where some strategy wins that may pick anything of `moves` in each state.
    fn won(&self, goal: &Goal, moves: &Moves) -> Vec<bool> {
        if !self.paths.fair.is_empty() {
            return self.won_fairly(goal, moves);
        }
        let count = self.graph.states.len();
        let force = |target: &[bool]| -> Vec<bool> {
            moves.iter().map(|picks| picks.values().any(|next| next.iter().all(|&to| target[to]))).collect()
        };
        let until = |f: &[bool], g: &[bool]| {
            let mut set = g.to_vec();
            loop {
                let forced = force(&set);
                let more: Vec<bool> = (0..count).map(|state| g[state] || f[state] && forced[state]).collect();
                if more == set {
                    return set;
                }
                set = more;
            }
        };
        match goal {
            Goal::Next(f) => force(f),
            Goal::Until(f, g) => until(f, g),
            Goal::Globally(f) => {
                let mut set = f.clone();
                loop {
                    let forced = force(&set);
                    let fewer: Vec<bool> = (0..count).map(|state| f[state] && forced[state]).collect();
                    if fewer == set {
                        break set;
                    }
                    set = fewer;
                }
            }
        }
    }

    /// The same under fairness constraints.
    fn won_fairly(&self, goal: &Goal, moves: &Moves) -> Vec<bool> {
        type Set = Vec<bool>;
        let space = &self.universe;
        let count = space.len();
        let set = |holds: &dyn Fn(usize) -> bool| -> Set {
            (0..count).map(|state| space[state] && holds(state)).collect()
        };
        let force = |target: &Set| {
            let inside = |next: &BTreeSet<usize>| next.iter().all(|&to| !space[to] || target[to]);
            set(&|state| moves[state].values().any(inside))
        };
        let meet = |target: &Set| {
            let forced = force(&set(&|state| !target[state]));
            set(&|state| !forced[state])
        };
        let fixpoint = |start: Set, change: &dyn Fn(&Set) -> Set| {
            let mut found = start;
            loop {
                let next = change(&found);
                if next == found {
                    return found;
                }
                found = next;
            }
        };
        let (all, none) = (space.clone(), vec![false; count]);
        // `greatest Z = bad or (within and for all c: Meet(least Y = bad or within and ((Z and c)
        // or Meet(Y))))`
        let again_and_again = |bad: &Set, within: &Set| {
            fixpoint(all.clone(), &|z: &Set| {
                let mut found = set(&|state| within[state]);
                for constraint in &self.paths.fair {
                    let least = fixpoint(none.clone(), &|y: &Set| {
                        let met = meet(y);
                        set(&|state| {
                            bad[state] || within[state] && (z[state] && constraint[state] || met[state])
                        })
                    });
                    let met = meet(&least);
                    found = set(&|state| found[state] && met[state]);
                }
                set(&|state| bad[state] || found[state])
            })
        };
        let fair = again_and_again(&none, &all);
        let until = |f: &Set, h: &Set| {
            let bad = set(&|state| !f[state] && !h[state] && fair[state]);
            let lost = again_and_again(&bad, &set(&|state| !h[state]));
            set(&|state| !lost[state])
        };
        match goal {
            Goal::Next(f) => force(&set(&|state| f[state] || !fair[state])),
            Goal::Globally(f) => fixpoint(all.clone(), &|z: &Set| {
                let forced = force(z);
                set(&|state| f[state] && forced[state])
            }),
            Goal::Until(f, h) => until(f, h),
        }
    }

    /// Where some uniform strategy wins, here and in every state that a member cannot tell from
    /// this one.
    fn won_uniformly(&self, goal: &Goal, members: &[usize], moves: &Moves) -> Result<Vec<bool>, String> {
        let agents = &self.graph.model.agents().list;
        let states = &self.graph.states;
        let seen = |member: usize, state: usize| -> Vec<i128> {
            agents[member].sees.iter().map(|&variable| states[state][variable]).collect()
        };
        // Where a member has to decide, and between which actions.
        let mut choices: BTreeMap<Sighting, BTreeSet<String>> = BTreeMap::new();
        for (state, picks) in moves.iter().enumerate() {
            for pick in picks.keys() {
                for (number, &member) in members.iter().enumerate() {
                    let known = choices.entry((number, seen(member, state))).or_default();
                    known.insert(pick[number].clone());
                }
            }
        }
        let count =
            choices.values().map(BTreeSet::len).try_fold(1_usize, |count, more| count.checked_mul(more));
        if count.is_none_or(|count| count > STRATEGIES) {
            return Err("too many uniform strategies".to_string());
        }
        let mut won = vec![false; states.len()];
        let choices: Vec<(Sighting, Vec<String>)> =
            choices.into_iter().map(|(when, actions)| (when, actions.into_iter().collect())).collect();
        for number in 0..count.unwrap_or(0) {
            // The digits of the number are the choices.
            let mut rest = number;
            let mut chosen: BTreeMap<&Sighting, &String> = BTreeMap::new();
            for (when, actions) in &choices {
                chosen.insert(when, &actions[rest % actions.len()]);
                rest /= actions.len();
            }
            let mut allowed: Moves = moves.clone();
            for (state, picks) in allowed.iter_mut().enumerate() {
                picks.retain(|pick, _| {
                    members.iter().enumerate().all(|(number, &member)| {
                        chosen
                            .get(&(number, seen(member, state)))
                            .is_some_and(|action| **action == pick[number])
                    })
                });
            }
            let wins = self.won(goal, &allowed);
            for (state, won) in won.iter_mut().enumerate() {
                *won |= members.iter().all(|&member| {
                    let here = seen(member, state);
                    (0..states.len())
                        .all(|other| !self.universe[other] || seen(member, other) != here || wins[other])
                });
            }
        }
        Ok(won)
    }
}
