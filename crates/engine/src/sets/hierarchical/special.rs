//! Events of hierarchical diagrams that are more than lists of actions.
//!
//! They walk through diagrams one at a time ([`super::walk`]); saturation alternates between them
//! and the closure under all other events, which the kernel saturates.

use super::{HierarchySets, walk};
use crate::sets::core::StateSets;
use crate::sets::residual::Residuals;
use crate::sets::setup::SetupError;
use crate::sets::synchronous::{self, Related, SynchronousStep, Waypoints};
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{NodeId, Root};
use symbolon_model::{Event, EventId, Model, Part, VariableId};

/// Whether an event is more than a list of actions, one a place.
pub(super) fn is_special(event: &Event) -> bool {
    event.parts.iter().any(|part| !matches!(part, Part::Local { .. }))
}

/// An event that is more than a list of actions.
#[derive(Clone, Debug)]
pub(super) enum SpecialEvent {
    /// One relation, and where it is enabled.
    Relation { event: EventId, steps: u32, guard: u32 },
    /// A synchronous step.
    Step(SynchronousStep),
}

impl SpecialEvent {
    pub(super) fn event(&self) -> EventId {
        match self {
            SpecialEvent::Relation { event, .. } => *event,
            SpecialEvent::Step(step) => step.event,
        }
    }
}

impl HierarchySets {
    /// Makes the relations of special events and of initial states.
    pub(super) fn set_up_relations(&mut self, model: &Model) -> Result<(), SetupError> {
        let special: Vec<EventId> =
            model.event_ids().filter(|&event| is_special(model.event(event))).collect();
        if special.is_empty() && model.initially.is_none() && model.values.is_empty() {
            return Ok(());
        }
        let mut residuals = Residuals::new(model, &self.encoding);
        for event in special {
            self.kernel.meter_mut().step()?;
            self.special.push(if model.event(event).is_synchronous() {
                SpecialEvent::Step(SynchronousStep::new(model, event, &mut residuals)?)
            } else {
                let (steps, guard) = residuals.event(model.event(event))?;
                SpecialEvent::Relation { event, steps, guard }
            });
        }
        if let Some(predicate) = &model.initially {
            let variables: Vec<VariableId> = model.variable_ids().collect();
            self.initially = Some(residuals.any_state(&variables, predicate)?);
        }
        self.residuals = Some(Box::new(residuals));
        Ok(())
    }

    /// What a special event is.
    pub(super) fn special(&self, event: EventId) -> Option<SpecialEvent> {
        self.special.iter().find(|special| special.event() == event).cloned()
    }

    pub(super) fn special_image(&mut self, special: &SpecialEvent, from: &Root) -> Result<Root, Interrupted> {
        match special {
            SpecialEvent::Relation { steps, .. } => self.follow(*steps, from),
            SpecialEvent::Step(step) => synchronous::image(self, step, from),
        }
    }

    pub(super) fn special_preimage(
        &mut self,
        special: &SpecialEvent,
        target: &Root,
        within: &Root,
    ) -> Result<Root, Interrupted> {
        match special {
            SpecialEvent::Relation { steps, .. } => self.follow_back(*steps, target, within),
            SpecialEvent::Step(step) => synchronous::preimage(self, step, Some(target), within),
        }
    }

    pub(super) fn special_enabled(
        &mut self,
        special: &SpecialEvent,
        set: &Root,
    ) -> Result<Root, Interrupted> {
        match special {
            SpecialEvent::Relation { guard, .. } => self.follow(*guard, set),
            SpecialEvent::Step(step) => synchronous::preimage(self, step, None, set),
        }
    }

    /// Whether some event is a synchronous step.
    pub(super) fn has_steps(&self) -> bool {
        self.special.iter().any(|special| matches!(special, SpecialEvent::Step(_)))
    }

    /// Adds to `reached` all that is reached from it. On interruption it holds what was found.
    pub(super) fn close(&mut self, reached: &mut Root) -> Result<(), Interrupted> {
        let mut newest = reached.clone();
        loop {
            // Closed under the other events, then one step by each special one from what is new.
            let grown = self.kernel.union(reached.node(), newest.node());
            let grown = self.rooted(grown)?;
            let closed = self.kernel.closure(self.all, grown.node());
            let closed = self.rooted(closed)?;
            let first_round = *reached == newest;
            let from = if first_round { closed.clone() } else { self.difference(&closed, reached)? };
            *reached = closed;
            let mut found = self.none();
            for special in self.special.clone() {
                let one = self.special_image(&special, &from)?;
                found = self.union(&found, &one)?;
                self.collect_if_due();
            }
            newest = self.difference(&found, reached)?;
            if self.is_empty(&newest) {
                return Ok(());
            }
        }
    }

    /// Runs a walk; if it fails because too few values of an open domain are tried, runs it again
    /// with more.
    fn growing(
        &mut self,
        walk: impl Fn(&mut HierarchySets, &mut Residuals) -> Result<NodeId, Interrupted>,
    ) -> Result<Root, Interrupted> {
        let mut residuals = self.take_residuals();
        let node = loop {
            match walk(self, &mut residuals) {
                Err(Interrupted::Overflow) if residuals.grow() => {}
                answer => break answer,
            }
        };
        self.residuals = Some(residuals);
        self.rooted(node)
    }

    fn take_residuals(&mut self) -> Box<Residuals> {
        self.residuals.take().unwrap_or_else(|| Box::new(Residuals::of_encoding(&self.encoding)))
    }
}

impl Related for HierarchySets {
    fn follow(&mut self, relation: u32, from: &Root) -> Result<Root, Interrupted> {
        self.growing(|sets, residuals| {
            walk::forward(&mut sets.kernel, residuals, sets.shape, relation, from.node())
        })
    }

    fn follow_back(&mut self, relation: u32, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        self.growing(|sets, residuals| {
            walk::backward(&mut sets.kernel, residuals, sets.shape, relation, target.node(), within.node())
        })
    }

    fn with_residuals<T>(&mut self, make: impl FnOnce(&mut Residuals) -> T) -> T {
        let mut residuals = self.take_residuals();
        let made = make(&mut residuals);
        self.residuals = Some(residuals);
        made
    }

    fn waypoints(&mut self) -> &mut Option<Waypoints<Root>> {
        &mut self.waypoints
    }
}
