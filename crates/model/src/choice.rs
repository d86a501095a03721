//! Synchronous steps: every agent picks an action, and then all react at once.
//!
//! A step is one event whose parts are the agents' shares of it. A [`Choice`] picks an action from
//! those on offer in the state before; a [`Reaction`] reads that state and the actions of all, and
//! takes one of its lines that is enabled. Actions are variables of their own ([`ActionVariable`])
//! that live only during the step: their ids follow those of the model's variables, so that guards
//! compare them like any other variable, and state sets quantify them away.

use crate::component::ComponentId;
use crate::expr::{Expr, Predicate};
use crate::variable::VariableId;

/// What an agent does in a step. Its value is an index into `names`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionVariable {
    /// The component whose action this is.
    pub agent: ComponentId,
    /// What the actions are called.
    pub names: Vec<String>,
}

/// One agent picks an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action variable that is given a value.
    pub action: VariableId,
    /// Conditions on the state before, and what each offers where it holds. All offers that hold
    /// are joined.
    pub offers: Vec<(Predicate, Vec<u64>)>,
    /// What is on offer where no condition holds. Nothing: then the whole step cannot be taken.
    pub otherwise: Vec<u64>,
}

/// One of the enabled lines is taken; where none is enabled, nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The alternatives.
    pub lines: Vec<Line>,
}

/// A guarded assignment. A line that is enabled and assigns a value outside the domain of its
/// variable counts as enabled but cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Enabled only where this holds, of the state before and the actions of all.
    pub guard: Predicate,
    /// Assignments; each right-hand side reads the state before and the actions.
    pub updates: Vec<(VariableId, Expr)>,
}

impl Choice {
    /// The actions on offer, ascending and each once. `state` may be followed by values of actions.
    pub fn offered(&self, state: &[u64]) -> Vec<u64> {
        let held = self.offers.iter().filter(|(condition, _)| condition.holds(state) == Some(true));
        let mut offered: Vec<u64> = Vec::new();
        let mut any = false;
        for (_, actions) in held {
            any = true;
            offered.extend_from_slice(actions);
        }
        if !any {
            offered.extend_from_slice(&self.otherwise);
        }
        offered.sort_unstable();
        offered.dedup();
        offered
    }

    /// The variables that the choice reads or writes, ascending and each once; its action among
    /// them.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = vec![self.action];
        self.offers.iter().for_each(|(condition, _)| condition.collect_variables(&mut found));
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Reaction {
    /// The variables that some line writes, ascending and each once.
    pub fn written(&self) -> Vec<VariableId> {
        let mut written: Vec<_> =
            self.lines.iter().flat_map(|line| line.updates.iter().map(|(variable, _)| *variable)).collect();
        written.sort_unstable();
        written.dedup();
        written
    }

    /// The variables and actions that some line reads or writes, ascending and each once.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = self.written();
        for line in &self.lines {
            line.guard.collect_variables(&mut found);
            line.updates.iter().for_each(|(_, expr)| expr.collect_variables(&mut found));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
