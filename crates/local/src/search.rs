//! Searches for the truth of formulas: the states that were met, and how far a search may go.

use crate::ctl::Values;
use crate::formula::StateFormula;
use crate::states::{StateNumber, States};
use crate::successors::{Cursor, Successors};
use symbolon_budget::{Budget, Interrupted, MemoryAccount, Meter};
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, EventId, Model, VariableId};

/// A model of which states are visited as formulas ask for them. States that were met stay known from
/// one formula to the next.
#[derive(Debug)]
pub struct LocalSearch<'m> {
    pub(crate) model: &'m Model,
    successors: Successors<'m>,
    states: States,
    initial: StateNumber,
    meter: Meter,
    /// The steps that the present search may still take.
    steps_left: u64,
    /// What the order of next states depends on.
    seed: u32,
    /// The state whose values are in `values`.
    at: StateNumber,
    values: Vec<u64>,
    changes: Vec<(VariableId, u64)>,
}

/// Why a model, or a formula, is not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// All agents step at once.
    #[error("synchronous steps are not searched")]
    Synchronous,
    /// There are several initial states, or none.
    #[error("several initial states are not searched")]
    InitialStates,
    /// The budget ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
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

impl<'m> LocalSearch<'m> {
    /// Prepares searches in a model.
    pub fn new(model: &'m Model, budget: &Budget) -> Result<LocalSearch<'m>, Refused> {
        if model.is_synchronous() {
            return Err(Refused::Synchronous);
        }
        let [initial] = &model.initial[..] else { return Err(Refused::InitialStates) };
        let bounds = &model.facts.upper_bounds;
        let bound = |variable: usize| bounds.get(variable).copied().flatten();
        let mut states = States::new((0..model.variables.len()).map(bound), budget);
        let number = states.insert(initial)?;
        Ok(LocalSearch {
            model,
            successors: Successors::new(model),
            states,
            initial: number,
            meter: Meter::new(budget.clone()),
            steps_left: 0,
            seed: 0,
            at: number,
            values: initial.to_vec(),
            changes: Vec::new(),
        })
    }

    /// The number of states that were met.
    pub fn state_count(&self) -> usize {
        self.states.count() as usize
    }

    /// Whether a formula of CTL holds in the initial state. The search ends after so many steps, each
    /// from a state to a next one.
    pub fn check(&mut self, formula: &Formula<Atom>, paths: Paths, most_steps: u64) -> Result<bool, Stopped> {
        self.check_in_order(formula, paths, most_steps, 0)
    }

    /// The same, where next states come in an order that depends on a seed: a search that goes deep may
    /// miss what is near.
    pub fn check_in_order(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
        most_steps: u64,
        seed: u32,
    ) -> Result<bool, Stopped> {
        // Whether a path can go on for ever is not asked of each state.
        if paths == Paths::Infinite {
            return Err(Stopped::Unsupported);
        }
        let formula = StateFormula::of(formula).ok_or(Stopped::Unsupported)?;
        (self.steps_left, self.seed) = (most_steps, seed);
        let initial = self.initial;
        Values::new(self, &formula, paths).value(formula.root, initial)
    }

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
        let LocalSearch { model, states, values, changes, .. } = self;
        changes.clear();
        let written =
            model.event(event).each_write(values, |variable, value| changes.push((variable, value)));
        // The value of a variable that no state can hold ends the search: where it leads is not known.
        written.map_err(|_| Interrupted::Overflow)?;
        Ok(states.insert_changed(from, changes)?)
    }
}
