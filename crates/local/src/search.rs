//! Searches for the truth of formulas.

use crate::ctl::Values;
use crate::formula::StateFormula;
use crate::states::{StateNumber, States};
use crate::successors::Successors;
use crate::visits::{Stopped, Visits};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, Model};

/// A model of which states are visited as formulas ask for them. States that were met stay known from
/// one formula to the next.
#[derive(Debug)]
pub struct LocalSearch<'m> {
    visits: Visits<'m>,
    initial: StateNumber,
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
        let visits = Visits {
            model,
            successors: Successors::new(model),
            states,
            meter: Meter::new(budget.clone()),
            steps_left: 0,
            seed: 0,
            at: number,
            values: initial.to_vec(),
            changes: Vec::new(),
        };
        Ok(LocalSearch { visits, initial: number })
    }

    /// The number of states that were met.
    pub fn state_count(&self) -> usize {
        self.visits.states.count() as usize
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
        (self.visits.steps_left, self.visits.seed) = (most_steps, seed);
        let initial = self.initial;
        Values::new(&mut self.visits, &formula, paths).value(formula.root, initial)
    }
}
