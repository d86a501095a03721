//! Constrained saturation: what is reached, forwards or backwards, without leaving a set.
//!
//! Zhao and Ciardo (ATVA 2009). As in saturation (`saturate.rs`), events are fired where they act,
//! from the bottom up; a second operand, the set that no step may enter from outside, walks along
//! with the first, and whatever a firing makes is built inside it. So nothing is made that would be
//! cut away later. Two deviations: backwards, steps are looked up by the code they lead to
//! (`Relation::back_step`), so that no inverse relation is stored; and what was made under one
//! constraint is closed again under another before it is given back, where an event has no action
//! left.
//!
//! A node is *closed* under events with their tops at or below its level, *within* a constraint at
//! the same level. The notes of saturation (MDD-S1) say nothing here: nodes closed within one set
//! are open within another.

use crate::frame::Frame;
use crate::mdd::Mdd;
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId, View};

/// Which way steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

impl Mdd {
    /// `set`, and all vectors of `within` that are reached from it by steps that end in `within`.
    pub fn forward_closure(&mut self, set: NodeId, within: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.level_count;
        self.outermost(&[set, within], |mdd| mdd.close_within(Direction::Forward, set, within, level))
    }

    /// `set`, and all vectors of `within` from which it is reached by steps that start in `within`.
    pub fn backward_closure(&mut self, set: NodeId, within: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.level_count;
        self.outermost(&[set, within], |mdd| mdd.close_within(Direction::Backward, set, within, level))
    }

    fn close_within(
        &mut self,
        direction: Direction,
        set: NodeId,
        within: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases: there is nothing to add.
        if set.is_terminal() || within.is_empty() || set == within {
            return Ok(set);
        }

        // Recall.
        let key = Key::new(self.operations.close_within[direction as usize], 0, set.word(), within.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse: children first, then the events of this level.
        let (view, bounds) = (self.view(set), self.view(within));
        let mut frame = self.open_frame();
        for offset in 0..view.length {
            let code = view.tag + offset as u32;
            let child = self.nth_child(&view, offset);
            let child = self.close_within(direction, child, self.child(&bounds, code), level - 1)?;
            if !child.is_empty() {
                let place = self.place_for(&mut frame, code, None)?;
                self.manager.scratch.set(place, child.word());
            }
        }
        self.close_frame_within(direction, &mut frame, &bounds, level)?;

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// What `group`, whose events have their tops above `level`, leads to from `set` in `within`,
    /// closed within it.
    fn fire_within(
        &mut self,
        direction: Direction,
        group: GroupId,
        set: NodeId,
        within: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases. Below the bottom of the events nothing changes, but the constraint is
        // another one.
        if set.is_empty() || within.is_empty() {
            return Ok(NodeId::EMPTY);
        }
        if group == GroupId::IDENTITY {
            let kept = self.intersect(set, within)?;
            if kept == within {
                return Ok(kept);
            }
            let mark = self.manager.scratch.height();
            self.manager.scratch.push(kept.word());
            let closed = self.close_within(direction, kept, within, level)?;
            self.manager.scratch.truncate(mark);
            return Ok(closed);
        }

        // Recall.
        let operation = self.operations.fire_within[direction as usize];
        let key = Key::new(operation, group.0, set.word(), within.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // A safe point (K6): both operands are reachable from the caller's frame or operands, our
        // own frame is not yet open.
        self.manager.collect_if_due();

        // Split and recurse.
        let (view, bounds) = (self.view(set), self.view(within));
        let acts_here = self.events.level(group) == level;
        let mut frame = self.open_frame();
        for offset in 0..view.length {
            let child = self.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            if acts_here {
                let mut steps = self.steps_from(direction, group, code, &bounds)?;
                while let Some((to, rest)) = self.next_step(direction, group, code, &mut steps) {
                    let bound = self.child(&bounds, to);
                    let fired = self.fire_within(direction, rest, child, bound, level - 1)?;
                    self.add_to_frame(&mut frame, to, fired)?;
                }
            } else {
                let bound = self.child(&bounds, code);
                let fired = self.fire_within(direction, group, child, bound, level - 1)?;
                self.add_to_frame(&mut frame, code, fired)?;
            }
        }
        self.close_frame_within(direction, &mut frame, &bounds, level)?;

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// Fires the events whose top is `level` on a frame, inside `bounds`, until nothing changes.
    fn close_frame_within(
        &mut self,
        direction: Direction,
        frame: &mut Frame,
        bounds: &View,
        level: u32,
    ) -> Result<(), Interrupted> {
        let group = self.events.top_group(level);
        if group == GroupId::NONE {
            return Ok(());
        }
        let mut sweep = self.sweep_all(frame);
        while let Some(code) = self.next_changed(&mut sweep, frame) {
            self.manager.step()?;
            let mut steps = self.steps_from(direction, group, code, bounds)?;
            while let Some((to, rest)) = self.next_step(direction, group, code, &mut steps) {
                let source = self.manager.scratch.get(frame.base + (code - frame.lo) as usize);
                let (source, bound) = (NodeId::from_word(source), self.child(bounds, to));
                let fired = self.fire_within(direction, rest, source, bound, level - 1)?;
                if !fired.is_empty() {
                    self.add_in_sweep(&mut sweep, frame, to, fired)?;
                }
            }
        }
        Ok(())
    }

    /// The numbers of the steps of `group` from `code` that may end inside `bounds`.
    #[inline]
    fn steps_from(
        &mut self,
        direction: Direction,
        group: GroupId,
        code: u32,
        bounds: &View,
    ) -> Result<std::ops::Range<usize>, Interrupted> {
        match direction {
            Direction::Forward => {
                let row = self.events.row(group, code, &mut self.domains, &mut self.lazy)?;
                Ok(row.first as usize..row.end as usize)
            }
            Direction::Backward => {
                let end = bounds.tag + bounds.length as u32;
                self.events.learn_back(group, end, &mut self.domains, &mut self.lazy)?;
                Ok(self.events.first_back_step(group, code, bounds.tag)..usize::MAX)
            }
        }
    }

    /// The next of these steps.
    #[inline]
    fn next_step(
        &self,
        direction: Direction,
        group: GroupId,
        code: u32,
        steps: &mut std::ops::Range<usize>,
    ) -> Option<(u32, GroupId)> {
        let number = steps.next()?;
        match direction {
            Direction::Forward => Some(self.events.step_at(number as u32)),
            Direction::Backward => self.events.back_step(group, code, number),
        }
    }
}
