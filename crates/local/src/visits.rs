//! The states that were met, and how far a search may go.

use crate::states::{StateNumber, States};
use crate::successors::{Cursor, Successors};
use symbolon_budget::{Interrupted, MemoryAccount, Meter};
use symbolon_model::{EventId, Model, VariableId};

/// A model of which states are visited one by one.
#[derive(Debug)]
pub(crate) struct Visits<'m> {
    pub(crate) model: &'m Model,
    pub(crate) successors: Successors<'m>,
    pub(crate) states: States,
    pub(crate) meter: Meter,
    /// The steps that the present search may still take.
    pub(crate) steps_left: u64,
    /// What the order of next states depends on.
    pub(crate) seed: u32,
    /// The state whose values are in `values`.
    pub(crate) at: StateNumber,
    pub(crate) values: Vec<u64>,
    pub(crate) changes: Vec<(VariableId, u64)>,
}

/// Why a formula has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The budget ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The steps that were allowed are taken.
    #[error("the steps that were allowed are taken")]
    Steps,
    /// The formula is not one of CTL about paths that may end, or speaks of agents.
    #[error("formulas of this kind are not searched")]
    Unsupported,
    /// Something in an atom is divided by 0.
    #[error("something in the formula is divided by 0")]
    AtomWithoutValue,
}

impl Visits<'_> {
    pub(crate) fn memory(&self) -> &MemoryAccount {
        self.meter.budget().memory()
    }

    /// The values of the variables in a state.
    pub(crate) fn state(&mut self, number: StateNumber) -> &[u64] {
        if self.at != number {
            self.states.read(number, &mut self.values);
            self.at = number;
        }
        &self.values
    }

    /// Where the next states of a state begin.
    pub(crate) fn first_of(&self, number: StateNumber) -> Cursor {
        let mixed =
            u64::from(self.seed).wrapping_mul(u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Cursor::beginning((mixed >> 33) as u32)
    }

    /// The state that the next enabled event leads to.
    pub(crate) fn successor(
        &mut self,
        number: StateNumber,
        cursor: &mut Cursor,
    ) -> Result<Option<StateNumber>, Stopped> {
        self.state(number);
        let Some(event) = self.successors.next(&self.values, cursor) else { return Ok(None) };
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Stopped::Steps)?;
        self.meter.step()?;
        self.fire(number, event).map(Some)
    }

    /// Whether nothing is enabled in a state.
    pub(crate) fn is_dead(&mut self, number: StateNumber) -> bool {
        self.state(number);
        self.successors.next(&self.values, &mut Cursor::default()).is_none()
    }

    fn fire(&mut self, from: StateNumber, event: EventId) -> Result<StateNumber, Stopped> {
        let Visits { model, states, values, changes, .. } = self;
        changes.clear();
        let written =
            model.event(event).each_write(values, |variable, value| changes.push((variable, value)));
        // The value of a variable that no state can hold ends the search: where it leads is not known.
        written.map_err(|_| Interrupted::Overflow)?;
        Ok(states.insert_changed(from, changes)?)
    }
}
