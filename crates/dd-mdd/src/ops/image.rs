//! Image and preimage under one event.

use crate::mdd::{Mdd, Side};
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors that `event` reaches in one step from a vector of `set`.
    pub fn image(&mut self, event: usize, set: NodeId) -> Result<NodeId, Interrupted> {
        let group = self.events.event_group(event)?;
        let level = self.level_count;
        self.outermost(&[set], |mdd| mdd.step_forward(Side::Events, group, set, level))
    }

    /// The vectors of `within` from which `event` leads into `target` in one step.
    ///
    /// Nothing outside `within` is ever built, so that an event that forgets a value (a reset)
    /// has a finite preimage.
    pub fn preimage(&mut self, event: usize, target: NodeId, within: NodeId) -> Result<NodeId, Interrupted> {
        let group = self.events.event_group(event)?;
        let level = self.level_count;
        self.outermost(&[target, within], |mdd| mdd.step_backward(group, target, within, level))
    }

    /// The vectors that a residual reaches in one step from a vector of `set`.
    pub fn image_by_residual(&mut self, residual: u32, set: NodeId) -> Result<NodeId, Interrupted> {
        let group = self.residual_group(residual)?;
        let level = self.level_count;
        self.outermost(&[set], |mdd| mdd.step_forward(Side::Events, group, set, level))
    }

    /// The vectors of `within` from which a residual leads into `target` in one step.
    pub fn preimage_by_residual(
        &mut self,
        residual: u32,
        target: NodeId,
        within: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let group = self.residual_group(residual)?;
        let level = self.level_count;
        self.outermost(&[target, within], |mdd| mdd.step_backward(group, target, within, level))
    }

    fn residual_group(&mut self, residual: u32) -> Result<GroupId, Interrupted> {
        let lazy = self.lazy.as_ref().expect("residuals have a source");
        self.events.residual_group(residual, &**lazy)
    }

    /// The image of `set` under a group of one side. Under guards nothing moves: the image is the
    /// part of `set` in which something of the group is enabled.
    pub(crate) fn step_forward(
        &mut self,
        side: Side,
        group: GroupId,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases: below the bottom of the event nothing changes.
        if group == GroupId::IDENTITY || set.is_empty() {
            return Ok(set);
        }

        // Recall.
        let operation = match side {
            Side::Events => self.operations.image,
            Side::Guards => self.operations.restrict,
        };
        let key = Mdd::group_key(operation, group, set);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse.
        let view = self.view(set);
        let mut frame = self.open_frame();
        let acts_here = self.relation(side).level(group) == level;
        for offset in 0..view.length {
            let child = self.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            if acts_here {
                let row = self.row(side, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.relation(side).step_at(position);
                    let moved = self.step_forward(side, rest, child, level - 1)?;
                    self.add_to_frame(&mut frame, to, moved)?;
                }
            } else {
                let moved = self.step_forward(side, group, child, level - 1)?;
                self.add_to_frame(&mut frame, code, moved)?;
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    pub(crate) fn step_backward(
        &mut self,
        group: GroupId,
        target: NodeId,
        within: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if target.is_empty() || within.is_empty() {
            return Ok(NodeId::EMPTY);
        }
        if group == GroupId::IDENTITY {
            return self.intersect(target, within);
        }

        // Recall.
        let key = Key::new(self.operations.preimage, group.0, target.word(), within.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse, along the steps that leave `within`.
        let (goal, from) = (self.view(target), self.view(within));
        let mut frame = self.open_frame();
        let acts_here = self.events.level(group) == level;
        for offset in 0..from.length {
            let child = self.nth_child(&from, offset);
            if child.is_empty() {
                continue;
            }
            let code = from.tag + offset as u32;
            if acts_here {
                let row = self.row(Side::Events, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.events.step_at(position);
                    let moved = self.step_backward(rest, self.child(&goal, to), child, level - 1)?;
                    self.add_to_frame(&mut frame, code, moved)?;
                }
            } else {
                let moved = self.step_backward(group, self.child(&goal, code), child, level - 1)?;
                self.add_to_frame(&mut frame, code, moved)?;
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// Unites `node` with the child for `code` of a frame.
    #[inline]
    pub(crate) fn add_to_frame(
        &mut self,
        frame: &mut crate::frame::Frame,
        code: u32,
        node: NodeId,
    ) -> Result<(), Interrupted> {
        if !node.is_empty() {
            let place = self.place_for(frame, code, None)?;
            let old = NodeId::from_word(self.manager.scratch.get(place));
            let new = self.unite(old, node)?;
            self.manager.scratch.set(place, new.word());
        }
        Ok(())
    }
}
