//! What is reached, forwards or backwards, inside all reachable states: by saturation.
//!
//! All reachable states are closed under steps. So what is reached from some of them is found by
//! saturation as it is, and what reaches some of them by saturation with events turned round, no
//! value larger than it ever is, cut down to the reachable states at the end: a way that begins in
//! a reachable state never leaves them. On the way back states are met that are not reachable.
//! Linear invariants hold backwards as they do forwards, so that these are few in most models;
//! where they are not, steps run out, and chaining inside the set takes over.
//!
//! Other sets than this one are not closed, and for them there is chaining alone.

use super::HierarchySets;
use crate::policy::hierarchical::BACKWARD_STEPS;
use crate::sets::core::StateSets;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{NodeId, RelationId, Root};

/// A set that is closed under steps, and how they are undone in it.
pub(super) struct ClosedSet {
    set: Root,
    backward: Backward,
}

enum Backward {
    NotAsked,
    Known(RelationId),
    /// Not by a relation, or not in reasonable time.
    Unknown,
}

impl ClosedSet {
    /// A set that saturation found.
    pub(super) fn new(set: Root) -> ClosedSet {
        ClosedSet { set, backward: Backward::NotAsked }
    }
}

impl HierarchySets {
    /// Whether it is known of a set that no step leads out of it.
    fn is_closed(&self, set: &Root) -> bool {
        self.closed.as_ref().is_some_and(|closed| closed.set == *set)
    }

    /// What is reached from `from`, if nothing leads out of `within`; `None` if that is not known.
    pub(super) fn reached_by_saturation(
        &mut self,
        from: &Root,
        within: &Root,
    ) -> Option<Result<Root, Interrupted>> {
        let can = self.special.is_empty() && self.is_closed(within);
        can.then(|| {
            let node = self.kernel.closure(self.all, from.node());
            self.rooted(node)
        })
    }

    /// What reaches `target`, if nothing leads out of `within`; `None` if that is not known, or
    /// takes too long.
    pub(super) fn reaching_by_saturation(
        &mut self,
        target: &Root,
        within: &Root,
    ) -> Result<Option<Root>, Interrupted> {
        if !self.special.is_empty() || !self.is_closed(within) {
            return Ok(None);
        }
        let Some(back) = self.backward()? else { return Ok(None) };
        let granted = BACKWARD_STEPS.of(self.kernel.statistics().steps);
        let limit = self.meter().grant_at_most(granted);
        let found = self.kernel.closure(back, target.node());
        self.meter().restore(limit);
        match found {
            Ok(found) => {
                let found = self.kernel.root(found);
                self.intersection(&found, within).map(Some)
            }
            Err(Interrupted::Steps) => {
                // Unless the steps that were granted outside ran out, too.
                self.meter().step()?;
                self.set_backward(Backward::Unknown);
                Ok(None)
            }
            Err(why) => Err(why),
        }
    }

    /// The relation that undoes steps.
    fn backward(&mut self) -> Result<Option<RelationId>, Interrupted> {
        let set = match &self.closed {
            Some(ClosedSet { backward: Backward::Known(known), .. }) => return Ok(Some(*known)),
            Some(ClosedSet { backward: Backward::NotAsked, set }) => set.clone(),
            _ => return Ok(None),
        };
        let largest = self.largest_by_place(set.node())?;
        let events = self.kernel.inverse_events(&self.events, |place| largest[place as usize])?;
        let known = match events {
            Some(events) => Some(self.kernel.relation_of_events(self.shape, &events)?),
            None => None,
        };
        self.set_backward(known.map_or(Backward::Unknown, Backward::Known));
        Ok(known)
    }

    fn set_backward(&mut self, backward: Backward) {
        if let Some(closed) = &mut self.closed {
            closed.backward = backward;
        }
    }

    /// The largest value at each place of a set; of merged variables, the largest code.
    fn largest_by_place(&mut self, set: NodeId) -> Result<Vec<u64>, Interrupted> {
        let analysed = super::value_sets::analyse(&mut self.kernel, &self.encoding, self.shape, set)?;
        let level_count = self.encoding.level_count();
        let largest = |level: usize| match self.encoding.variables(level as u32) {
            [variable] => analysed.largest[variable.index()],
            several => several.len() as u64,
        };
        Ok((0..level_count).map(|place| largest(level_count - place)).collect())
    }
}
