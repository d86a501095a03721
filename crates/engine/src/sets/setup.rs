//! How state sets of one kind of diagram are set up for a model.
//!
//! A kind of diagram is two types: its state sets, which implement [`StateSets`], and its set-up,
//! which implements [`DiagramSetup`] and lives in the same file. Exploration knows kinds by this
//! trait alone: it sets up state sets for every order that takes part in a race, and once more for
//! the order that wins.

use crate::order::{Blocks, Heuristic, Order};
use crate::sets::core::StateSets;
use crate::sets::core::capabilities::Capability;
use std::fmt;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_model::Model;

/// What a kind of diagram cannot do with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The model has an event with a construct that the kind does not express.
    Construct {
        /// The event in which it occurs.
        event: String,
        /// What it is.
        construct: &'static str,
    },
    /// A given vtree has another number of leaves than the model has bits.
    Vtree {
        /// Its leaves.
        leaves: usize,
        /// The bits of the model.
        bits: usize,
    },
    /// The question needs something that the kind does not offer for this model.
    Capability(Capability),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Construct { event, construct } => {
                write!(f, "event '{event}' has {construct}, which this diagram does not express")
            }
            Unsupported::Vtree { leaves, bits } => {
                write!(f, "the vtree has {leaves} leaves, but the model has {bits} bits")
            }
            Unsupported::Capability(capability) => write!(f, "this diagram does not offer {capability}"),
        }
    }
}

/// Why state sets could not be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// The budget ran out.
    Interrupted(Interrupted),
    /// The kind of diagram cannot do what is asked with this model.
    Unsupported(Unsupported),
}

impl From<Interrupted> for SetupError {
    fn from(why: Interrupted) -> Self {
        SetupError::Interrupted(why)
    }
}

/// A kind of diagram, ready to set up state sets for a model.
pub trait DiagramSetup {
    /// The state sets of this kind.
    type Sets: StateSets;

    /// Whether an order on unmerged variables joins a race of orders on merged ones.
    const RACES_UNMERGED: bool = false;

    /// Whether the state sets of this model will offer a capability. This costs nothing and is
    /// asked before anything is set up; without an answer of its own a kind offers the core alone.
    fn supports(&self, _model: &Model, _capability: Capability) -> bool {
        false
    }

    /// State sets of `model` with these blocks in this order.
    fn set_up(
        &self,
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        meter: Meter,
        limits: Limits,
    ) -> Result<Self::Sets, SetupError>;

    /// After an interruption: whether it came from a guess that was too narrow (too few bits, say),
    /// and the next state sets will be wider, so that it is worth starting again.
    fn widen(&self, _model: &Model, _sets: &Self::Sets) -> bool {
        false
    }

    /// A few orders of which one is good for this model, the most promising first; empty if all
    /// candidates have to race.
    fn proven_orders(&self, _model: &Model) -> &'static [Heuristic] {
        &[]
    }

    /// Called once when all reachable states are known.
    fn finish(&self, _sets: &mut Self::Sets, _reached: &<Self::Sets as StateSets>::Set) {}

    /// The number of levels that diagrams of `model` may have in the end: operations recurse once
    /// per level.
    fn most_levels(&self, model: &Model) -> usize {
        model.variables.len() + model.actions.len()
    }

    /// Fails unless every capability in `needs` is supported.
    fn check(&self, model: &Model, needs: &[Capability]) -> Result<(), Unsupported> {
        match needs.iter().find(|&&need| !self.supports(model, need)) {
            Some(&missing) => Err(Unsupported::Capability(missing)),
            None => Ok(()),
        }
    }
}
