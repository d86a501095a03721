//! Events of multi-valued diagrams that are more than lists of actions.

use super::MddSets;
use crate::sets::residual::{Residuals, SharedResiduals};
use crate::sets::setup::SetupError;
use crate::sets::synchronous::{Related, SynchronousStep, Waypoints};
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::{LazyEvent, Mdd, NodeId, Root};
use symbolon_model::{Event, EventId, Model, Part, VariableId};

/// Whether an event is more than a list of actions, one a level.
pub(crate) fn is_special(event: &Event) -> bool {
    event.parts.iter().any(|part| !matches!(part, Part::Local { .. }))
}

impl MddSets {
    /// Gives the kernel the events that were left out, and makes the relations of steps and of
    /// initial states.
    pub(super) fn set_up_relations(&mut self, model: &Model) -> Result<(), SetupError> {
        let special: Vec<EventId> =
            model.event_ids().filter(|&event| is_special(model.event(event))).collect();
        if special.is_empty() && model.initially.is_none() && model.values.is_empty() {
            return Ok(());
        }
        let mut residuals = Residuals::new(model, &self.encoding);
        let mut lazy = Vec::with_capacity(special.len());
        for event in special {
            self.mdd.meter_mut().step()?;
            let (steps, guard) = if model.event(event).is_synchronous() {
                self.steps.push(SynchronousStep::new(model, event, &mut residuals)?);
                // To the kernel it never happens.
                let never = residuals.never();
                (never, never)
            } else {
                residuals.event(model.event(event))?
            };
            lazy.push(LazyEvent { event: event.index(), steps, guard });
        }
        if let Some(predicate) = &model.initially {
            let variables: Vec<VariableId> = model.variable_ids().collect();
            self.initially = Some(residuals.any_state(&variables, predicate)?);
        }
        self.share(residuals);
        Ok(self.mdd.set_lazy_events(lazy)?)
    }

    fn share(&mut self, residuals: Residuals) {
        let shared = SharedResiduals::new(residuals);
        self.mdd.set_lazy_steps(Box::new(shared.clone()));
        self.residuals = Some(shared);
    }

    /// The synchronous step that an event is, if it is one.
    pub(super) fn step_of(&self, event: EventId) -> Option<SynchronousStep> {
        self.steps.iter().find(|step| step.event == event).cloned()
    }

    /// Runs an operation of the kernel; if it fails because too few values of an open domain are
    /// tried, runs it again with more.
    pub(super) fn growing(
        &mut self,
        operation: impl Fn(&mut Mdd) -> Result<NodeId, Interrupted>,
    ) -> Result<Root, Interrupted> {
        loop {
            match operation(&mut self.mdd) {
                Err(Interrupted::Overflow) if self.tries_more_values() => {}
                answer => return answer.map(|node| self.mdd.root(node)),
            }
        }
    }

    /// After an overflow: whether it may go away, because more values of an open domain are tried
    /// from now on.
    pub(crate) fn tries_more_values(&mut self) -> bool {
        let grows = self.residuals.as_ref().is_some_and(|residuals| residuals.get().grow());
        if grows {
            self.mdd.forget_rows();
        }
        grows
    }
}

impl Related for MddSets {
    fn follow(&mut self, relation: u32, from: &Root) -> Result<Root, Interrupted> {
        self.growing(|mdd| mdd.image_by_residual(relation, from.node()))
    }

    fn follow_back(&mut self, relation: u32, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        self.growing(|mdd| mdd.preimage_by_residual(relation, target.node(), within.node()))
    }

    fn with_residuals<T>(&mut self, make: impl FnOnce(&mut Residuals) -> T) -> T {
        if self.residuals.is_none() {
            self.share(Residuals::of_encoding(&self.encoding));
        }
        let residuals = self.residuals.as_ref().expect("made just now");
        make(&mut residuals.get())
    }

    fn waypoints(&mut self) -> &mut Option<Waypoints<Root>> {
        &mut self.waypoints
    }
}
