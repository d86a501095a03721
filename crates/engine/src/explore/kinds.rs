//! Questions to a kind of diagram that is known by name.
//!
//! The type of state sets differs from kind to kind, so a question is a value with a generic method
//! ([`Question`]), and [`ask`] is the one place where a [`DiagramKind`] becomes a type.

use super::choose_vtree::explore_under_vtree;
use super::{ExploreOptions, Explored, Failure, explore_in_tree, explore_with};
use crate::sets::bdd::BddSetup;
use crate::sets::core::StateSets;
use crate::sets::core::capabilities::Capability;
use crate::sets::hierarchical::DddSetup;
use crate::sets::kind::{DiagramKind, with_diagram_kinds};
use crate::sets::mdd::MddSetup;
use crate::sets::sentential::SententialSetup;
use crate::sets::setup::DiagramSetup;
use symbolon_budget::{Budget, Interrupted};
use symbolon_model::Model;

/// A question about all reachable states.
pub trait Question {
    /// What answers it.
    type Answer;

    /// What the question needs of state sets beyond the core.
    fn needs(&self) -> Vec<Capability> {
        Vec::new()
    }

    /// The answer. The question owns what was explored, and may keep it.
    fn answer<S: StateSets>(self, explored: Explored<S>) -> Result<Self::Answer, Interrupted>;
}

macro_rules! dispatch {
    ($($kind:ident $name:literal $kernel:literal ($setup:expr) $explore:ident, $doc:literal;)*) => {
        /// Explores a model with a kind of diagram and puts a question to the result. A kind that
        /// lacks what the question needs says so before it starts. Call it on a stack that is deep
        /// enough for [`stack_levels`] ([`crate::deep_stack`]).
        pub fn ask<Q: Question>(
            diagram: DiagramKind,
            model: &Model,
            options: &ExploreOptions,
            budget: &Budget,
            question: Q,
        ) -> Result<Result<Q::Answer, Interrupted>, Failure> {
            match diagram {
                $(DiagramKind::$kind => {
                    let setup = ($setup)(model, options);
                    setup.check(model, &question.needs()).map_err(Failure::Unsupported)?;
                    Ok(question.answer($explore(&setup, model, options, budget)?))
                })*
            }
        }

        /// Whether a kind of diagram has a capability for a model.
        pub fn supports(diagram: DiagramKind, model: &Model, capability: Capability) -> bool {
            let options = &ExploreOptions::default();
            match diagram {
                $(DiagramKind::$kind => ($setup)(model, options).supports(model, capability),)*
            }
        }

        /// The number of levels that diagrams of a model may have in the end.
        pub fn stack_levels(diagram: DiagramKind, model: &Model) -> usize {
            let options = &ExploreOptions::default();
            match diagram {
                $(DiagramKind::$kind => ($setup)(model, options).most_levels(model),)*
            }
        }
    };
}

with_diagram_kinds!(dispatch);
