//! Saturation with distances at the terminals: the paper's *ADD-Exact* (its figure 6).
//!
//! Figure 6 never reaches its terminal case: it returns as soon as the relation is "1", before any
//! number is incremented. Here firing an event moves numbers only, and what comes out of it is
//! incremented once, at the top of the event, by an operation of its own, which drops numbers above
//! the bound. So the values within the bound are exact, and nothing else is kept.

use crate::add::{Add, Arithmetic, Unary};
use crate::frame::{Frame, Sweep};
use crate::slot::Slot;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};
use symbolon_dd_mdd::{GroupId, Side};

impl Add<'_> {
    /// For each vector the least number of events that lead to it, plus the value of `from` where
    /// they start, if that is within the bound ([`Add::set_bound`]).
    pub fn saturate(&mut self, from: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.mdd.level_count();
        self.outermost(&[from], |add| add.saturate_node(from, level))
    }

    #[inline]
    pub(crate) fn open_frame(&self) -> Frame {
        Frame::open(self.mdd, &self.kind.slots)
    }

    fn saturate_node(&mut self, node: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if node.is_empty() || level == 0 {
            return Ok(node);
        }

        // Recall.
        let key = Key::new(self.kind.operations.unary, Unary::Saturate as u32, node.word(), 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse: children first, then the events of this level.
        let view = self.mdd.manager().view(node);
        let mut frame = self.open_frame();
        frame.lo = view.tag;
        for offset in 0..view.length {
            let child = NodeId::from_word(self.mdd.manager().word_at(view.start + offset));
            let child = self.saturate_node(child, level - 1)?;
            self.mdd.manager_mut().scratch.push(child.word());
            self.kind.slots.push(Slot::default());
            frame.length += 1;
        }
        self.close_under_events(&mut frame, level)?;

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.mdd.manager_mut().note(answer);
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// The saturated closure of the image of a saturated node under `group`, whose events have
    /// their tops above `level`; no number is incremented.
    fn fire(&mut self, group: GroupId, node: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases: below the bottom of the events nothing changes.
        if group == GroupId::IDENTITY || node.is_empty() {
            return Ok(node);
        }

        // Recall.
        let key = Key::new(self.kind.operations.fire, group.number(), node.word(), 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // A safe point (K6): `node` is reachable from the caller's frame, our own is not yet open.
        self.mdd.manager_mut().collect_if_due();

        // Split and recurse.
        let view = self.mdd.manager().view(node);
        let mut frame = self.open_frame();
        let acts_here = self.mdd.relation(Side::Events).level(group) == level;
        for offset in 0..view.length {
            let child = NodeId::from_word(self.mdd.manager().word_at(view.start + offset));
            let code = view.tag + offset as u32;
            if child.is_empty() {
                continue;
            }
            if acts_here {
                let row = self.mdd.row(Side::Events, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.mdd.relation(Side::Events).step_at(position);
                    let fired = self.fire(rest, child, level - 1)?;
                    self.add_to_frame(&mut frame, to, fired, level)?;
                }
            } else {
                let fired = self.fire(group, child, level - 1)?;
                self.add_to_frame(&mut frame, code, fired, level)?;
            }
        }

        // Close under the events of this level, unless there are none or the node is known to be
        // closed.
        let has_events = self.mdd.relation(Side::Events).top_group(level) != GroupId::NONE;
        let known = if has_events { self.find_frame(&frame) } else { None };
        let answer = match known {
            Some(known) if self.mdd.manager().is_noted(known) => {
                frame.discard(self.mdd, &mut self.kind.slots);
                known
            }
            _ => {
                self.close_under_events(&mut frame, level)?;
                let closed = self.close_frame(frame)?;
                self.mdd.manager_mut().note(closed);
                closed
            }
        };
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// Fires the events whose top is `level` on a frame until nothing changes.
    fn close_under_events(&mut self, frame: &mut Frame, level: u32) -> Result<(), Interrupted> {
        let group = self.mdd.relation(Side::Events).top_group(level);
        if group == GroupId::NONE {
            return Ok(());
        }
        let mut sweep = Sweep::of_all(frame, &mut self.kind.slots);
        while let Some(code) = sweep.next(frame, self.mdd, &mut self.kind.slots) {
            self.mdd.manager_mut().step()?;
            let row = self.mdd.row(Side::Events, group, code)?;
            for position in row.first..row.end {
                let (to, rest) = self.mdd.relation(Side::Events).step_at(position);
                let source = frame.child((code - frame.lo) as usize, self.mdd);
                let fired = self.fire(rest, source, level - 1)?;
                let fired = self.increment(fired)?;
                if fired.is_empty() {
                    continue;
                }
                let place = frame.place(to, self.mdd, &mut self.kind.slots)?;
                let old = frame.child(place, self.mdd);
                let new = self.combine(Arithmetic::Minimum, old, fired, level - 1)?;
                if new != old {
                    self.mdd.manager_mut().scratch.set(frame.base + place, new.word());
                    sweep.has_changed(frame, place, &mut self.kind.slots);
                }
            }
        }
        Ok(())
    }

    /// The function with 1 added to every value; values above the bound become ∞.
    fn increment(&mut self, node: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if node.is_empty() {
            return Ok(node);
        }
        if let Some(number) = self.as_number(node) {
            let more = number.checked_add(1).ok_or(Interrupted::Overflow)?;
            let is_within = u64::try_from(more).is_ok_and(|more| more <= self.bound());
            return if is_within { self.number(more) } else { Ok(NodeId::EMPTY) };
        }

        // Recall.
        let key = Key::new(self.kind.operations.unary, Unary::Increment as u32, node.word(), 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.mdd.manager().view(node);
        let mut frame = self.open_frame();
        frame.lo = view.tag;
        frame.length = view.length as u32;
        for offset in 0..view.length {
            let child = NodeId::from_word(self.mdd.manager().word_at(view.start + offset));
            let child = self.increment(child)?;
            self.mdd.manager_mut().scratch.push(child.word());
            self.kind.slots.push(Slot::default());
        }

        // Build and remember. What was closed under events within the bound is so still.
        let answer = self.close_frame(frame)?;
        let manager = self.mdd.manager_mut();
        if manager.is_noted(node) {
            manager.note(answer);
        }
        manager.remember(key, answer.word());
        Ok(answer)
    }

    /// Takes the minimum of a function and the child for `code` of a frame.
    fn add_to_frame(
        &mut self,
        frame: &mut Frame,
        code: u32,
        node: NodeId,
        level: u32,
    ) -> Result<(), Interrupted> {
        if !node.is_empty() {
            let place = frame.place(code, self.mdd, &mut self.kind.slots)?;
            let old = frame.child(place, self.mdd);
            let new = self.combine(Arithmetic::Minimum, old, node, level - 1)?;
            self.mdd.manager_mut().scratch.set(frame.base + place, new.word());
        }
        Ok(())
    }

    /// The node of a frame, if it exists already; EMPTY for an empty frame. The frame stays.
    fn find_frame(&self, frame: &Frame) -> Option<NodeId> {
        let Some((first, end)) = frame.trimmed(self.mdd) else { return Some(NodeId::EMPTY) };
        let range = frame.base + first..frame.base + end;
        self.mdd.manager().find_node(self.kind.node, frame.lo + first as u32, range)
    }
}
