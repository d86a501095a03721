//! Events: what may happen, and its effect.

use crate::choice::{Choice, Reaction};
use crate::{Expr, Predicate, State, VariableId};

/// The number of an event in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

impl EventId {
    /// The number as an index into tables with one entry an event.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something that may happen: enabled where all its parts are, and then all parts act at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name, unique in the model.
    pub name: String,
    /// The conjunction of tests and updates.
    pub parts: Vec<Part>,
}

/// A test and an update over few variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The common case, kept small because nets have millions: one variable is compared with an
    /// interval and changed.
    Local {
        /// The variable that is tested and changed.
        variable: VariableId,
        /// Enabled only from this value on.
        at_least: u64,
        /// Enabled only up to this value; `u64::MAX` tests nothing.
        at_most: u64,
        /// What becomes of the variable.
        change: Change,
    },
    /// Any test, and any number of assignments, evaluated in the state before the event.
    General {
        /// Enabled only where this holds. Boxed, so that the other case stays small.
        guard: Box<Predicate>,
        /// Assignments; each right-hand side reads the old state.
        updates: Vec<(VariableId, Expr)>,
    },
    /// An agent picks its action in a synchronous step.
    Choice(Box<Choice>),
    /// An agent reacts to the actions of all in a synchronous step.
    Reaction(Box<Reaction>),
}

// Nets have millions of parts, and all but a few are local: the rest must not make them larger.
const _: () = assert!(size_of::<Part>() <= 40);

/// What an event does to one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// Adds this (zero: only a test). Never below 0 where the part is enabled.
    Add(i64),
    /// Assigns this, whatever the old value.
    Set(u64),
}

impl Change {
    /// The new value, or `None` outside the range of values (below 0 or above 2^63 − 1).
    pub fn apply(self, value: u64) -> Option<u64> {
        match self {
            Change::Add(delta) => value.checked_add_signed(delta).filter(|&new| new <= i64::MAX as u64),
            Change::Set(new) => Some(new),
        }
    }
}

impl Part {
    /// Whether the part is enabled in `state`.
    pub fn is_enabled(&self, state: &[u64]) -> bool {
        match self {
            Part::Local { variable, at_least, at_most, .. } => {
                (*at_least..=*at_most).contains(&state[variable.index()])
            }
            Part::General { guard, .. } => guard.holds(state) == Some(true),
            Part::Choice(choice) => !choice.offered(state).is_empty(),
            Part::Reaction(_) => true,
        }
    }

    /// The variables that the part reads or writes, each once, in no particular order.
    pub fn variables(&self) -> Vec<VariableId> {
        match self {
            Part::Local { variable, .. } => vec![*variable],
            Part::General { guard, updates } => {
                let mut found = Vec::new();
                guard.collect_variables(&mut found);
                for (variable, expr) in updates {
                    found.push(*variable);
                    expr.collect_variables(&mut found);
                }
                found.sort_unstable();
                found.dedup();
                found
            }
            Part::Choice(choice) => choice.variables(),
            Part::Reaction(reaction) => reaction.variables(),
        }
    }
}

impl Event {
    /// Whether the event is a synchronous step (M5), which may lead to several states.
    pub fn is_synchronous(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Choice(_) | Part::Reaction(_)))
    }

    /// Whether the event can happen in `state`. Of a synchronous step it says only that every agent
    /// has an action; [`crate::Step::for_each`] knows whether it leads anywhere.
    pub fn is_enabled(&self, state: &[u64]) -> bool {
        self.parts.iter().all(|part| part.is_enabled(state))
    }

    /// The state after an event that is not a synchronous step, `None` where it is not enabled, and
    /// `Err` where a value leaves the range of values.
    pub fn fire(&self, state: &[u64]) -> Result<Option<State>, OutOfRange> {
        if !self.is_enabled(state) {
            return Ok(None);
        }
        let mut next: State = state.into();
        self.each_write(state, |variable, value| next[variable.index()] = value)?;
        Ok(Some(next))
    }

    /// Calls `write` with the new value of each variable that the event writes in `state`, where it
    /// must be enabled. Once the answer is `Err`, what was written before is worth nothing.
    pub fn each_write(
        &self,
        state: &[u64],
        mut write: impl FnMut(VariableId, u64),
    ) -> Result<(), OutOfRange> {
        for part in &self.parts {
            match part {
                Part::Local { variable, change, .. } => {
                    write(*variable, change.apply(state[variable.index()]).ok_or(OutOfRange(*variable))?);
                }
                Part::General { updates, .. } => {
                    for (variable, expr) in updates {
                        let value = expr.evaluate(state).and_then(|value| u64::try_from(value).ok());
                        write(
                            *variable,
                            value.filter(|&new| new <= i64::MAX as u64).ok_or(OutOfRange(*variable))?,
                        );
                    }
                }
                // A step may lead to several states: `Step` lists them.
                Part::Choice(_) | Part::Reaction(_) => {}
            }
        }
        Ok(())
    }

    /// The variables that the event reads or writes, ascending.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found: Vec<_> = self.parts.iter().flat_map(Part::variables).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// An event would give this variable a value that no state can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange(pub VariableId);

#[cfg(test)]
mod tests {
    use super::*;

    fn local(variable: u32, at_least: u64, at_most: u64, change: Change) -> Part {
        Part::Local { variable: VariableId(variable), at_least, at_most, change }
    }

    #[test]
    fn parts_act_together_on_the_old_state() {
        let event = Event {
            name: "swap".into(),
            parts: vec![Part::General {
                guard: Box::new(Predicate::True),
                updates: vec![
                    (VariableId(0), Expr::Variable(VariableId(1))),
                    (VariableId(1), Expr::Variable(VariableId(0))),
                ],
            }],
        };
        assert_eq!(event.fire(&[3, 5]), Ok(Some([5, 3].into())));
    }

    #[test]
    fn intervals_guard_and_changes_apply() {
        let event = Event {
            name: "t".into(),
            parts: vec![local(0, 1, 4, Change::Add(-1)), local(1, 0, 0, Change::Set(7))],
        };
        assert_eq!(event.fire(&[1, 0]), Ok(Some([0, 7].into())));
        assert_eq!(event.fire(&[5, 0]), Ok(None));
        assert_eq!(event.fire(&[1, 1]), Ok(None));
    }

    #[test]
    fn overflow_is_an_error_and_not_a_wrap() {
        let event = Event { name: "t".into(), parts: vec![local(0, 0, u64::MAX, Change::Add(1))] };
        assert_eq!(event.fire(&[i64::MAX as u64]), Err(OutOfRange(VariableId(0))));
    }
}
