//! Steps of several events in a fixed order, each seeing what those before it did.
//!
//! No step is empty, and an event is moved forward as far as it can: into the step before, to its
//! place in the order, unless it happens there already or an event in between keeps it from moving.
//! The order is that in which tokens could arrive, so that a wave of events fits into one step.

use super::{LONGEST_NORMAL_FORM, Unrolling};
use crate::action::{Actions, Effect};
use crate::error::Error;
use crate::{Clauses, Literal};
use std::rc::Rc;
use symbolon_model::{Change, EventId, Model};

impl<C: Clauses> Unrolling<'_, C> {
    pub(super) fn chained(&mut self) -> Result<Vec<(EventId, Literal)>, Error> {
        let actions = Rc::clone(&self.actions);
        let chain = Rc::clone(&self.chain);
        let mut taken = vec![Literal::FALSE; actions.list.len()];
        let mut step = Vec::new();
        for &index in &chain.0 {
            let action = &actions.list[index as usize];
            // The guards speak about the state that the events before have left.
            self.guards[action.event.index()] = None;
            let happens = self.happens(action.event)?;
            if happens == Literal::FALSE {
                continue;
            }
            taken[index as usize] = happens;
            step.push((action.event, happens));
            self.demand_forward(index as usize, &taken);
            let mut written = Vec::with_capacity(action.writes.len());
            let before = std::mem::take(&mut self.state);
            for &(variable, effect) in &action.writes {
                let (result, fits) = self.result(&before, variable, effect, action.event)?;
                self.circuit.imply(happens, fits);
                written.push(self.circuit.choose_number(happens, &result, &before[variable.index()]));
            }
            self.state = before;
            for ((variable, _), number) in action.writes.iter().zip(written) {
                self.state[variable.index()] = number;
            }
        }
        self.circuit.clause(&taken);
        self.taken = taken;
        Ok(step)
    }

    /// The action with this index, which was just chosen to happen or not, could not have happened
    /// a step earlier.
    fn demand_forward(&mut self, index: usize, taken: &[Literal]) {
        let (Some(obstacles), false) = (self.obstacles.clone(), self.taken.is_empty()) else { return };
        if obstacles[index].len() > LONGEST_NORMAL_FORM {
            return;
        }
        let positions = &self.chain.1;
        let mut clause = vec![!taken[index]];
        for &other in &obstacles[index] {
            let other = other as usize;
            // Itself stands in the way in the step before; what stands before it, in this one.
            let is_in_this_step = positions[other] < positions[index];
            clause.push(if is_in_this_step { taken[other] } else { self.taken[other] });
        }
        self.circuit.clause(&clause);
    }
}

/// The actions in the order in which they could first happen if nothing was ever used up.
pub(super) fn order(model: &Model, actions: &Actions<'_>) -> Vec<u32> {
    let mut can_be_marked = vec![model.initially.is_some(); model.variables.len()];
    for state in &model.initial {
        for (marked, &value) in can_be_marked.iter_mut().zip(state) {
            *marked |= value > 0;
        }
    }
    let mut rest: Vec<u32> = (0..actions.list.len() as u32).collect();
    let mut order = Vec::with_capacity(rest.len());
    loop {
        let mut later = Vec::new();
        for &index in &rest {
            let action = &actions.list[index as usize];
            let tests = &actions.conditions[action.event.index()].tests;
            if tests.iter().any(|&(variable, at_least, _)| at_least > 0 && !can_be_marked[variable.index()]) {
                later.push(index);
                continue;
            }
            order.push(index);
            for (variable, effect) in &action.writes {
                let is_marked = !matches!(effect, Effect::Change(Change::Add(..0) | Change::Set(0)));
                can_be_marked[variable.index()] |= is_marked;
            }
        }
        if later.len() == rest.len() {
            order.extend(later);
            return order;
        }
        rest = later;
    }
}
