//! Kronecker-style local matrices: the other way to write events down.
//!
//! A component whose local states are known beforehand can be one value, the number of its state; what an event does in it is
//! then a matrix between numbers, an [`Action::Map`]. Matrices make shorter sequences and simpler nodes; they need the
//! local states first, all combinations of which are written out, where relations ([`crate::RelationId`]) need none.
//! `tests/local_matrices.rs` compares the two.

use crate::action::Action;
use crate::hierarchy::Hierarchy;
use crate::relation::RelationId;
use crate::shape::ShapeId;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;

/// The states of a component, numbered.
#[derive(Clone, Debug)]
pub struct LocalStates {
    shape: ShapeId,
    states: Vec<Vec<u64>>,
    numbers: FxHashMap<Vec<u64>, u64>,
}

impl LocalStates {
    /// Numbers the states of a component of this shape, in the order given.
    pub fn new(shape: ShapeId, states: impl IntoIterator<Item = Vec<u64>>) -> LocalStates {
        let mut local = LocalStates { shape, states: Vec::new(), numbers: FxHashMap::default() };
        for state in states {
            if !local.numbers.contains_key(&state) {
                local.numbers.insert(state.clone(), local.states.len() as u64);
                local.states.push(state);
            }
        }
        local
    }

    /// The number of a state.
    pub fn number(&self, state: &[u64]) -> Option<u64> {
        self.numbers.get(state).copied()
    }

    /// The states, by number.
    pub fn states(&self) -> &[Vec<u64>] {
        &self.states
    }
}

impl Hierarchy {
    /// A relation on a component as a matrix between the numbers of its states. Steps to states that have no number are
    /// left out.
    pub fn local_matrix(&mut self, relation: RelationId, local: &LocalStates) -> Result<Action, Interrupted> {
        let mut steps = Vec::new();
        for (from, state) in (0..).zip(&local.states) {
            let node = self.singleton(local.shape, state)?;
            let image = self.image(relation, node)?;
            let mut to: Vec<u64> = self.states(image).filter_map(|state| local.number(&state)).collect();
            to.sort_unstable();
            steps.extend(to.into_iter().map(|to| (from, to)));
        }
        Ok(Action::Map(steps.into()))
    }
}
