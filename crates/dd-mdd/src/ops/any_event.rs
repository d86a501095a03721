//! Image and preimage under all events at once.
//!
//! Events are dealt with where they act: below each node, those whose tops lie further down are
//! dealt with once, whatever stands above. One pass costs far less than one for each event.

use crate::mdd::{Mdd, Side};
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors that some event reaches in one step from a vector of `set`.
    pub fn image_of_any(&mut self, set: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.level_count;
        let mut answer = self.outermost(&[set], |mdd| mdd.any_forward(set, level))?;
        // Events that change nothing stand at no top. No operation here collects, so `answer` needs
        // no root.
        for number in 0..self.events.still_events().len() {
            let kept = self.image(self.events.still_events()[number], set)?;
            answer = self.union(answer, kept)?;
        }
        Ok(answer)
    }

    /// The vectors of `within` from which some event leads into `target` in one step.
    pub fn preimage_of_any(&mut self, target: NodeId, within: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.level_count;
        let mut answer = self.outermost(&[target, within], |mdd| mdd.any_backward(target, within, level))?;
        for number in 0..self.events.still_events().len() {
            let kept = self.preimage(self.events.still_events()[number], target, within)?;
            answer = self.union(answer, kept)?;
        }
        Ok(answer)
    }

    /// The image of `set` under the events with their tops at `level` or below.
    fn any_forward(&mut self, set: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases: no event has its top at the bottom.
        if set.is_terminal() {
            return Ok(NodeId::EMPTY);
        }

        // Recall.
        let key = Key::new(self.operations.image_of_any, 0, set.word(), 0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse.
        let group = self.events.top_group(level);
        let view = self.view(set);
        let mut frame = self.open_frame();
        for offset in 0..view.length {
            let child = self.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            let moved = self.any_forward(child, level - 1)?;
            self.add_to_frame(&mut frame, code, moved)?;
            if group != GroupId::NONE {
                let row = self.row(Side::Events, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.events.step_at(position);
                    let moved = self.step_forward(Side::Events, rest, child, level - 1)?;
                    self.add_to_frame(&mut frame, to, moved)?;
                }
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// The preimage of `target` in `within` under the events with their tops at `level` or below.
    fn any_backward(&mut self, target: NodeId, within: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases: no event has its top at the bottom.
        if target.is_empty() || within.is_terminal() {
            return Ok(NodeId::EMPTY);
        }

        // Recall.
        let key = Key::new(self.operations.preimage_of_any, 0, target.word(), within.word());
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse, along the steps that leave `within`.
        let group = self.events.top_group(level);
        let (goal, from) = (self.view(target), self.view(within));
        let mut frame = self.open_frame();
        for offset in 0..from.length {
            let child = self.nth_child(&from, offset);
            if child.is_empty() {
                continue;
            }
            let code = from.tag + offset as u32;
            let before = self.any_backward(self.child(&goal, code), child, level - 1)?;
            self.add_to_frame(&mut frame, code, before)?;
            if group != GroupId::NONE {
                let row = self.row(Side::Events, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.events.step_at(position);
                    let before = self.step_backward(rest, self.child(&goal, to), child, level - 1)?;
                    self.add_to_frame(&mut frame, code, before)?;
                }
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
