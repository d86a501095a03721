//! All agents step at once.
//!
//! A step has a number for each agent's action and a literal for each line of a reaction: whether
//! it is the one that is taken. There is nothing to bring into a normal form, and one step is one
//! step in every semantics.

use super::Unrolling;
use crate::error::Error;
use crate::number::{LARGEST_VALUE, Number, Way};
use crate::{Clauses, Literal};
use symbolon_model::{Choice, EventId, Part, Reaction, VariableId};

/// The event of a model that has no other ([`Actions::new`](crate::action::Actions::new)).
const STEP: EventId = EventId(0);

impl<C: Clauses> Unrolling<'_, C> {
    /// Adds the one event that the model has.
    pub(super) fn synchronous(&mut self) -> Result<Vec<(EventId, Literal)>, Error> {
        let before = self.state.clone();
        let mut both = before.clone();
        for action in &self.model.actions {
            both.push(self.circuit.fresh_number((action.names.len() as u64).saturating_sub(1)));
        }
        for part in &self.model.event(STEP).parts {
            self.meter.step()?;
            match part {
                Part::Choice(choice) => self.demand_offer(&both, choice)?,
                Part::Reaction(reaction) => self.react(&both, reaction)?,
                Part::Local { .. } | Part::General { .. } => {}
            }
        }
        self.joint_actions.push(both.split_off(before.len()));
        Ok(vec![(STEP, Literal::TRUE)])
    }

    /// Demands that an action is one of those on offer.
    fn demand_offer(&mut self, both: &[Number], choice: &Choice) -> Result<(), Error> {
        let mut conditions = Vec::with_capacity(choice.offers.len());
        for (condition, _) in &choice.offers {
            let holds = self.circuit.holds(both, condition);
            conditions.push(holds.map_err(|_| self.too_wide(STEP))?);
        }
        let some = self.circuit.any(&conditions);
        let action = &both[choice.action.index()];
        for value in 0..=action.largest() {
            let offers = choice.offers.iter().zip(&conditions);
            let offering =
                offers.filter(|((_, actions), _)| actions.contains(&value)).map(|(_, &holds)| holds);
            let mut offering: Vec<Literal> = offering.collect();
            if choice.otherwise.contains(&value) {
                offering.push(!some);
            }
            let (reaches, exceeds) =
                (self.circuit.at_least(action, value), self.circuit.at_least(action, value + 1));
            // The action is smaller, larger, or on offer.
            offering.extend([!reaches, exceeds]);
            self.circuit.clause(&offering);
        }
        Ok(())
    }

    /// Takes one of the enabled lines, if one is enabled.
    fn react(&mut self, both: &[Number], reaction: &Reaction) -> Result<(), Error> {
        let mut ways: Vec<(VariableId, Vec<Way>)> =
            reaction.written().into_iter().map(|variable| (variable, Vec::new())).collect();
        let (mut enabled, mut taken) = (Vec::new(), Vec::new());
        for line in &reaction.lines {
            let holds = self.circuit.holds(both, &line.guard).map_err(|_| self.too_wide(STEP))?;
            if holds == Literal::FALSE {
                continue;
            }
            let takes = self.circuit.fresh();
            self.circuit.imply(takes, holds);
            for (variable, expression) in &line.updates {
                let value = self.circuit.evaluate(both, expression).map_err(|_| self.too_wide(STEP))?;
                let limit = self.actions.domain[variable.index()].unwrap_or(LARGEST_VALUE);
                let (result, fits) = self.circuit.natural(&value, limit);
                self.circuit.imply(takes, fits);
                let written = ways.iter_mut().find(|(known, _)| known == variable);
                let (_, written) = written.expect("a line writes what its reaction writes");
                written.push(Way { taken: takes, result, may_rise: true, may_fall: true });
            }
            enabled.push(holds);
            taken.push(takes);
        }
        self.circuit.at_most_one(&taken);
        for holds in enabled {
            let mut clause = taken.clone();
            clause.push(!holds);
            self.circuit.clause(&clause);
        }
        for (variable, ways) in ways {
            if !ways.is_empty() {
                let number = &both[variable.index()];
                let limit = self.actions.domain[variable.index()].unwrap_or(u64::MAX);
                self.state[variable.index()] = self.circuit.written(number, &ways, limit);
            }
        }
        Ok(())
    }
}
