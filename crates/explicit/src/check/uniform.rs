//! Strategies of agents who see only a part of the state, listed one by one.
//!
//! A uniform strategy says for each member of a group, and for each class of states that look the
//! same to it, what it does. The group has one in a state if the same strategy wins in all states
//! that look the same to some member. There are as many strategies as there are ways to choose:
//! this is for systems that fit on a page.

use super::Checker;
use super::labelling::CtlPath;
use super::strategies::{Game, NamedMoves, targets};
use super::structure::Structure;
use crate::Reason;
use symbolon_model::ObserverId;

/// More strategies are not listed.
const MOST_STRATEGIES: u64 = 1 << 14;

impl Checker<'_> {
    /// The states in which the group has a strategy whose paths are all like this, and in which
    /// those members who are `uniform` do the same wherever they see the same.
    pub(super) fn can_force_uniformly(
        &mut self,
        structure: &Structure,
        uniform: &[ObserverId],
        group: &str,
        moves: &NamedMoves,
        path: CtlPath<'_>,
    ) -> Result<Vec<bool>, Reason> {
        let observers = &self.model.observers;
        let members = observers.members(group).ok_or(Reason::UnknownAgent)?;
        let acting = members.iter().filter(|&&id| observers.observer(id).action.is_some());
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for id in acting {
            let everything = self.model.variable_ids().collect::<Vec<_>>();
            let is_uniform = uniform.contains(id);
            classes.push(self.classes(if is_uniform {
                &observers.observer(*id).variables
            } else {
                &everything
            })?);
        }
        // A digit for each member and class that has a choice: the actions to choose from.
        let mut digits: Vec<(usize, usize, Vec<u64>)> = Vec::new();
        let universe = structure.universe();
        for (state, here) in moves.iter().enumerate().filter(|(state, _)| universe[*state]) {
            for (member, classes) in classes.iter().enumerate() {
                let class = classes[state];
                let place = digits.iter().position(|digit| (digit.0, digit.1) == (member, class));
                let place = place.unwrap_or_else(|| {
                    digits.push((member, class, Vec::new()));
                    digits.len() - 1
                });
                for (action, _) in here {
                    if !digits[place].2.contains(&action[member]) {
                        digits[place].2.push(action[member]);
                    }
                }
            }
        }
        digits.retain(|(_, _, actions)| !actions.is_empty());
        let count = digits.iter().try_fold(1_u64, |count, digit| count.checked_mul(digit.2.len() as u64));
        if count.is_none_or(|count| count > MOST_STRATEGIES) {
            return Err(Reason::Unsupported);
        }
        let mut answer = vec![false; moves.len()];
        let mut picked = vec![0; digits.len()];
        loop {
            self.meter.step()?;
            let allowed = targets(moves, |state, action| {
                digits.iter().zip(&picked).all(|((member, class, actions), &number)| {
                    classes[*member][state] != *class || action[*member] == actions[number]
                })
            });
            let won = Game { moves: &allowed, constraints: structure.constraints() }.won(path)?;
            for (state, answer) in answer.iter_mut().enumerate() {
                let may_be = |other: usize| {
                    other == state || classes.iter().any(|classes| classes[other] == classes[state])
                };
                *answer |= (0..won.len()).all(|other| !universe[other] || !may_be(other) || won[other]);
            }
            let mut place = 0;
            while place < picked.len() {
                picked[place] += 1;
                if picked[place] < digits[place].2.len() {
                    break;
                }
                picked[place] = 0;
                place += 1;
            }
            if place == picked.len() {
                return Ok(answer);
            }
        }
    }
}
