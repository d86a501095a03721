//! Steps of several events that may happen in every order.
//!
//! Events that take from a variable together need as much as they take together; then all put. An
//! event that only tests a variable, or does anything else to it, excludes all others that write it
//! (and a writer of this last kind excludes all that touch it). So whatever order the events of a
//! step are put in, each is enabled when its turn comes, and the result is the same.
//!
//! No step is empty, and an event that need not wait for any event of the step before belongs into
//! that step (the normal form of Foata): moving it there gives a run to the same state that is no
//! longer, and the moving ends.

use super::{LONGEST_NORMAL_FORM, Unrolling};
use crate::action::{Effect, Manner};
use crate::error::Error;
use crate::number::Number;
use crate::{Clauses, Literal};
use std::rc::Rc;
use symbolon_model::{EventId, VariableId};

impl<C: Clauses> Unrolling<'_, C> {
    pub(super) fn joint(&mut self) -> Result<Vec<(EventId, Literal)>, Error> {
        let actions = Rc::clone(&self.actions);
        let mut taken = Vec::with_capacity(actions.list.len());
        for action in &actions.list {
            taken.push(self.happens(action.event)?);
        }
        self.circuit.clause(&taken);
        if !self.taken.is_empty() {
            self.demand_foata(&taken);
        }
        for variable in self.model.variable_ids() {
            self.exclude_conflicts(variable, &taken);
        }
        // Of events that move the one token of an exclusive set no two are enabled together.
        for movers in &actions.movers {
            let movers: Vec<Literal> = movers.iter().map(|&mover| taken[mover as usize]).collect();
            self.circuit.at_most_one(&movers);
        }

        let before = self.state.clone();
        for variable in self.model.variable_ids() {
            let writers = &actions.writers[variable.index()];
            if writers.is_empty() {
                continue;
            }
            self.state[variable.index()] = if actions.limit(variable).is_some_and(|limit| limit <= 1) {
                // Two that take from it, or put to it, or one of each, exceed the limit in one
                // order or the other.
                let writers: Vec<Literal> =
                    writers.iter().map(|(action, _)| taken[*action as usize]).collect();
                self.circuit.at_most_one(&writers);
                self.write_once(&before, variable, &taken)?
            } else {
                self.write_together(&before, variable, &taken)?
            };
        }
        let events = actions.list.iter().map(|action| action.event);
        let step = events.zip(taken.iter().copied()).filter(|(_, taken)| *taken != Literal::FALSE).collect();
        self.taken = taken;
        Ok(step)
    }

    fn demand_foata(&mut self, taken: &[Literal]) {
        let Some(waited_for) = self.obstacles.clone() else { return };
        let mut clause = Vec::new();
        for (index, &happens) in taken.iter().enumerate() {
            if happens != Literal::FALSE && waited_for[index].len() <= LONGEST_NORMAL_FORM {
                clause.clear();
                clause.push(!happens);
                clause.extend(waited_for[index].iter().map(|&other| self.taken[other as usize]));
                self.circuit.clause(&clause);
            }
        }
    }

    fn exclude_conflicts(&mut self, variable: VariableId, taken: &[Literal]) {
        let actions = Rc::clone(&self.actions);
        let (mut readers, mut flows, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for &(action, access) in &actions.touching[variable.index()] {
            let literal = taken[action as usize];
            if literal != Literal::FALSE {
                match access.manner() {
                    Manner::Read => readers.push(literal),
                    Manner::Flow { .. } => flows.push(literal),
                    Manner::Other => others.push(literal),
                }
            }
        }
        if !others.is_empty() {
            let is_moved = self.circuit.any(&flows);
            others.push(is_moved);
            self.circuit.at_most_one(&others);
        }
        let writers = if others.is_empty() { flows } else { others };
        if readers.is_empty() || writers.is_empty() {
            return;
        }
        let is_written = self.circuit.any(&writers);
        for reader in readers {
            self.circuit.imply(reader, !is_written);
        }
    }

    /// First all take, then all put; an event that does anything else acts alone.
    fn write_together(
        &mut self,
        before: &[Number],
        variable: VariableId,
        taken: &[Literal],
    ) -> Result<Number, Error> {
        let actions = Rc::clone(&self.actions);
        let limit = actions.range(variable);
        let mut number = before[variable.index()].clone();
        let touching = || {
            actions.touching[variable.index()]
                .iter()
                .map(|(action, access)| (taken[*action as usize], *action, access.manner()))
                .filter(|(happens, ..)| *happens != Literal::FALSE)
        };
        for (happens, _, manner) in touching() {
            if let Manner::Flow { take: take @ 1.., .. } = manner {
                let is_there = self.circuit.at_least(&number, take);
                self.circuit.imply(happens, is_there);
                number = self.circuit.plus_if(happens, &number, -small(take)?, u64::MAX);
            }
        }
        for (happens, action, manner) in touching() {
            match manner {
                Manner::Flow { put: put @ 1.., .. } => {
                    let added = small(put)?;
                    let limit = limit.or_else(|| number.limit_of_sum(added));
                    if let Some(most) = limit {
                        let room = most
                            .checked_sub(put)
                            .map_or(Literal::FALSE, |most| !self.circuit.at_least(&number, most + 1));
                        self.circuit.imply(happens, room);
                    }
                    number = self.circuit.plus_if(happens, &number, added, limit.unwrap_or(u64::MAX));
                }
                Manner::Other => {
                    let action = &actions.list[action as usize];
                    let effect: Option<Effect<'_>> = action
                        .writes
                        .iter()
                        .find(|(written, _)| *written == variable)
                        .map(|(_, effect)| *effect);
                    let Some(effect) = effect else { continue };
                    let (result, fits) = self.result(before, variable, effect, action.event)?;
                    self.circuit.imply(happens, fits);
                    number = self.circuit.choose_number(happens, &result, &number);
                }
                Manner::Flow { .. } | Manner::Read => {}
            }
        }
        Ok(number)
    }
}

fn small(amount: u64) -> Result<i64, Error> {
    i64::try_from(amount).map_err(|_| symbolon_budget::Interrupted::Overflow.into())
}
