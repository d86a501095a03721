//! Strategies under fairness constraints, followed in the whole state space.
//!
//! A strategy must keep what it promises on all fair paths, so where a path breaks it, the path is followed
//! on: it must not be fair. The others, against whom a group loses, must be able to make some path fair that
//! breaks it, whatever the group does. They remember which constraint is to be met next, beginning with the
//! first, and whether the promise is broken: a state that meets the constraint passes on to the next one.

use super::{Judge, fixpoint};
use crate::formula::Formula;
use crate::witness::{Row, Table};
use std::collections::BTreeMap;

/// How far a path has come with a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    /// Of `X`, before the step.
    First,
    /// Neither kept nor broken.
    Open,
    /// Broken.
    Broken,
}

/// A promise, with the states in which its operands hold.
struct Promised {
    is_next: bool,
    is_kept_forever: bool,
    until: Vec<bool>,
    done: Vec<bool>,
}

impl Promised {
    fn first(&self) -> Promise {
        if self.is_next { Promise::First } else { Promise::Open }
    }

    /// What a state makes of a promise; `None` if it is kept.
    fn at(&self, state: usize, promise: Promise) -> Option<Promise> {
        match promise {
            Promise::First | Promise::Broken => Some(promise),
            Promise::Open if self.done[state] => None,
            Promise::Open if self.is_next || !self.until[state] => Some(Promise::Broken),
            Promise::Open => Some(Promise::Open),
        }
    }
}

/// What a promise becomes with a step.
fn after(promise: Promise) -> Promise {
    if promise == Promise::First { Promise::Open } else { promise }
}

impl Judge<'_, '_> {
    fn promised(&self, path: &Formula) -> Result<Promised, String> {
        let count = self.checker.graph.states.len();
        let label = |f: &Formula| self.checker.label(f);
        let (until, done) = match path {
            Formula::Next(f) | Formula::Finally(f) => (vec![true; count], label(f)?),
            Formula::Until(f, g) => (label(f)?, label(g)?),
            Formula::Globally(f) => (label(f)?, vec![false; count]),
            other => return Err(format!("no strategy for {other:?}")),
        };
        let is_next = matches!(path, Formula::Next(_));
        Ok(Promised { is_next, is_kept_forever: matches!(path, Formula::Globally(_)), until, done })
    }

    fn rows<'t>(&self, table: &'t Table, state: usize) -> impl Iterator<Item = &'t Row> {
        let values = &self.checker.graph.states[state];
        table.rows.iter().filter(move |row| {
            row.when.iter().all(|(variable, allowed)| allowed.contains(&values[*variable]))
        })
    }

    /// Follows a strategy of these agents.
    pub(super) fn wins_fairly(
        &self,
        starts: &[usize],
        table: &Table,
        order: &[usize],
        path: &Formula,
    ) -> Result<(), String> {
        let checker = self.checker;
        let promised = self.promised(path)?;
        let moves = checker.moves(order);
        let mut nodes: Vec<(usize, Promise)> = Vec::new();
        let mut numbers: BTreeMap<(usize, Promise), usize> = BTreeMap::new();
        let mut edges: Vec<Vec<usize>> = Vec::new();
        let mut met = vec![false; checker.graph.states.len()];
        let mut enter = |state: usize, promise: Promise, nodes: &mut Vec<(usize, Promise)>| {
            met[state] = true;
            let promise = promised.at(state, promise)?;
            Some(*numbers.entry((state, promise)).or_insert_with(|| {
                nodes.push((state, promise));
                nodes.len() - 1
            }))
        };
        for &start in starts {
            enter(start, promised.first(), &mut nodes);
        }
        while edges.len() < nodes.len() {
            let (state, promise) = nodes[edges.len()];
            if !checker.universe[state] {
                // No path from there is fair.
                edges.push(Vec::new());
                continue;
            }
            if promised.is_kept_forever && promise == Promise::Broken {
                return Err("the strategy comes to a state in which its promise is broken".to_string());
            }
            let rows: Vec<&Row> = self.rows(table, state).collect();
            let [row] = rows.as_slice() else {
                return Err(format!("{} rows of the strategy fit a state", rows.len()));
            };
            let next = moves[state].get(&row.actions);
            let next = next.ok_or_else(|| format!("{:?} is not possible in a state", row.actions))?;
            let next = next.iter().filter_map(|&to| enter(to, after(promise), &mut nodes)).collect();
            edges.push(next);
        }
        let is_uniform = checker.sight == crate::check::Sight::Own;
        let counted = |&state: &usize| met[state] && (!is_uniform || checker.universe[state]);
        let outcomes = (0..met.len()).filter(counted).count();
        if outcomes != table.outcomes {
            return Err(format!("the strategy leads to {outcomes} states, not to {}", table.outcomes));
        }
        // The nodes from which a path goes on for ever, with the promise broken or open for ever, and meets
        // each constraint again and again.
        let is_bad = |node: usize| nodes[node].1 == Promise::Broken || !promised.is_kept_forever;
        let fair = &checker.paths.fair;
        let mut good: Vec<bool> = (0..nodes.len()).map(is_bad).collect();
        loop {
            let mut fewer = good.clone();
            for constraint in fair {
                let meets = |to: usize| good[to] && constraint[nodes[to].0];
                let near = fixpoint(vec![false; nodes.len()], |near, node| {
                    good[node] && edges[node].iter().any(|&to| good[to] && near[to] || meets(to))
                });
                fewer.iter_mut().zip(near).for_each(|(fewer, near)| *fewer &= near);
            }
            if fewer == good {
                break;
            }
            good = fewer;
        }
        match good.contains(&true) {
            true => Err("under the strategy a fair path violates the formula".to_string()),
            false => Ok(()),
        }
    }

    /// Follows a counter-strategy of `others` against a group.
    pub(super) fn prevents_fairly(
        &self,
        start: usize,
        table: &Table,
        (against, others): (&[usize], &[usize]),
        path: &Formula,
    ) -> Result<(), String> {
        type Node = (usize, Promise, usize);
        let checker = self.checker;
        let promised = self.promised(path)?;
        let both: Vec<usize> = against.iter().chain(others).copied().collect();
        let moves = checker.moves(&both);
        let fair = &checker.paths.fair;
        let Some(promise) = promised.at(start, promised.first()) else {
            return Err("the promise is kept where the counter-strategy begins".to_string());
        };
        let mut nodes: Vec<Node> = vec![(start, promise, 0)];
        let mut numbers: BTreeMap<Node, usize> = BTreeMap::from([(nodes[0], 0)]);
        // For each node and each pick of the group, where the answer may lead, and whether a round of the
        // constraints ends there.
        let mut answered: Vec<Vec<Vec<(usize, bool)>>> = Vec::new();
        while answered.len() < nodes.len() {
            let (state, promise, turn) = nodes[answered.len()];
            let mut by_own: BTreeMap<&[String], Vec<(usize, bool)>> = BTreeMap::new();
            for (pick, next) in &moves[state] {
                let (own, answer) = pick.split_at(against.len());
                let fits = |row: &&Row| {
                    let is_violated = promise == Promise::Broken;
                    row.after.iter().all(|(position, allowed)| allowed.contains(&own[*position]))
                        && row.turns.as_ref().is_none_or(|turns| turns.contains(&(turn + 1)))
                        && row.violated.as_ref().is_none_or(|violated| violated.contains(&is_violated))
                };
                let known = by_own.entry(own).or_default();
                if !self.rows(table, state).filter(fits).any(|row| row.actions == answer) {
                    continue;
                }
                for &to in next.iter().filter(|&&to| checker.universe[to]) {
                    let Some(promise) = promised.at(to, after(promise)) else { continue };
                    let turn = turn + usize::from(fair[turn][to]);
                    let is_round = turn == fair.len();
                    let node = (to, promise, if is_round { 0 } else { turn });
                    let number = *numbers.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    known.push((number, is_round));
                }
            }
            answered.push(by_own.into_values().collect());
        }
        let count = nodes.len();
        let is_prevented = if promised.is_kept_forever {
            // It fails some day, in a state that counts.
            fixpoint(vec![false; count], |good, node| {
                let answers = |next: &Vec<(usize, bool)>| next.iter().any(|&(to, _)| good[to]);
                nodes[node].1 == Promise::Broken || answered[node].iter().all(answers)
            })[0]
        } else {
            // A dead state that counts is one in which a path stays and is fair.
            let mut good = vec![true; count];
            loop {
                let near = fixpoint(vec![false; count], |near, node| {
                    let answers = |next: &Vec<(usize, bool)>| {
                        next.iter().any(|&(to, is_round)| near[to] || is_round && good[to])
                    };
                    answered[node].iter().all(answers)
                });
                if near == good {
                    break good[0];
                }
                good = near;
            }
        };
        match is_prevented {
            true => Ok(()),
            false => Err("the counter-strategy does not keep the group from it".to_string()),
        }
    }
}
