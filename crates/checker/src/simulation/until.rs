//! Walks by chance that go on until something is true of the state.

use super::{Simulation, Walk};
use crate::error::{Error, InputError};
use crate::resolve::properties_of_texts;
use symbolon_budget::Budget;
use symbolon_logic::{Formula, Operator};
use symbolon_model::{Atom, Model};

/// A formula about one state.
#[derive(Clone, Debug)]
pub struct Condition(Formula<Atom>);

impl Condition {
    /// Whether it is true in a state; not where something in it is divided by 0.
    fn holds(&self, model: &Model, state: &[u64]) -> bool {
        let mut truth = vec![false; self.0.size()];
        for (id, operator) in self.0.subformulas() {
            truth[id.index()] = match *operator {
                Operator::True => true,
                Operator::Deadlock => model.event_ids().all(|event| !model.can_happen(event, state)),
                Operator::Atom(ref atom) => atom.holds(model, state).unwrap_or(false),
                Operator::Not(f) => !truth[f.index()],
                Operator::And(f, g) => truth[f.index()] && truth[g.index()],
                Operator::Or(f, g) => truth[f.index()] || truth[g.index()],
                Operator::Implies(f, g) => !truth[f.index()] || truth[g.index()],
                Operator::Equivalent(f, g) => truth[f.index()] == truth[g.index()],
                // `condition` lets no other operator pass.
                _ => false,
            };
        }
        truth[self.0.root().index()]
    }
}

impl Simulation {
    /// The condition that a text says.
    pub fn condition(&mut self, text: &str) -> Result<Condition, Error> {
        // Names are looked up in what was read, from which the model was taken.
        std::mem::swap(&mut self.model, &mut self.loaded.model);
        let read = properties_of_texts(&self.loaded, &[text.to_string()], None);
        std::mem::swap(&mut self.model, &mut self.loaded.model);
        let property = read?.properties.remove(0);
        let is_plain = |operator: &Operator<Atom>| {
            matches!(
                operator,
                Operator::True
                    | Operator::False
                    | Operator::Deadlock
                    | Operator::Atom(_)
                    | Operator::Not(_)
                    | Operator::And(..)
                    | Operator::Or(..)
                    | Operator::Implies(..)
                    | Operator::Equivalent(..)
            )
        };
        if property.formula.subformulas().all(|(_, operator)| is_plain(operator)) {
            return Ok(Condition(property.formula));
        }
        let message = format!("'{text}' looks at more than one state, expected a formula about a state");
        let hint = "such as: until p + q >= 2 & !r; command ‹check› answers formulas about runs";
        Err(InputError::plain(message).with_hint(hint).into())
    }

    /// Whether this is true where the simulation stands.
    pub fn is_true(&self, condition: &Condition) -> bool {
        condition.holds(&self.model, &self.state)
    }

    /// Takes random steps until the condition is true, at most so many; whether it is.
    pub fn walk_until(&mut self, condition: &Condition, steps: u64, budget: &Budget) -> (Walk, bool) {
        let walk = self.walk_while(steps, budget, |model, state| !condition.holds(model, state));
        let is_true = self.is_true(condition);
        (walk, is_true)
    }
}
