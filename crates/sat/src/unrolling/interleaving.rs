//! Exactly one event per step.
//!
//! The *commuting order*: of two neighbours that can swap, the one with the smaller number stands
//! first. As a clause for each event of a step: the event of the step before has a smaller number,
//! or is one of the few that it cannot be swapped with. The first half is one literal, because
//! "exactly one" is said by a ladder whose rungs are "this event or one before it".

use super::{LONGEST_NORMAL_FORM, Unrolling};
use crate::error::Error;
use crate::{Clauses, Literal};
use std::rc::Rc;
use symbolon_model::EventId;

impl<C: Clauses> Unrolling<'_, C> {
    pub(super) fn interleaved(&mut self) -> Result<Vec<(EventId, Literal)>, Error> {
        let actions = Rc::clone(&self.actions);
        let mut taken = Vec::with_capacity(actions.list.len());
        for action in &actions.list {
            taken.push(self.happens(action.event)?);
        }
        let prefixes = self.circuit.ladder(&taken);
        self.circuit.clause(&[prefixes.last().copied().unwrap_or(Literal::FALSE)]);
        if !self.taken.is_empty() {
            self.demand_commuting_order(&taken);
        }

        let before = self.state.clone();
        for variable in self.model.variable_ids() {
            if !actions.writers[variable.index()].is_empty() {
                self.state[variable.index()] = self.write_once(&before, variable, &taken)?;
            }
        }
        let events = actions.list.iter().map(|action| action.event);
        let step = events.zip(taken.iter().copied()).filter(|(_, taken)| *taken != Literal::FALSE).collect();
        self.taken = taken;
        self.prefixes = prefixes;
        Ok(step)
    }

    fn demand_commuting_order(&mut self, taken: &[Literal]) {
        let Some(obstacles) = self.obstacles.clone() else { return };
        let mut clause = Vec::new();
        for (index, &happens) in taken.iter().enumerate() {
            if happens == Literal::FALSE {
                continue;
            }
            let later =
                &obstacles[index][obstacles[index].partition_point(|&other| (other as usize) < index)..];
            if later.len() > LONGEST_NORMAL_FORM {
                continue;
            }
            clause.clear();
            clause.push(!happens);
            if index > 0 {
                clause.push(self.prefixes[index - 1]);
            }
            clause.extend(later.iter().map(|&other| self.taken[other as usize]));
            self.circuit.clause(&clause);
        }
    }
}
