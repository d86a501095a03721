//! Where events are enabled.

use crate::mdd::{Mdd, Side};
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

impl Mdd {
    /// The vectors of `set` in which `event` is enabled.
    pub fn enabled(&mut self, event: usize, set: NodeId) -> Result<NodeId, Interrupted> {
        self.prepare_guards()?;
        let group = self.guards.event_group(event)?;
        let level = self.level_count;
        self.outermost(&[set], |mdd| mdd.step_forward(Side::Guards, group, set, level))
    }

    /// The vectors of `set` in which no event is enabled.
    ///
    /// Works by locality: below each node the events with tops further down are dealt with once.
    pub fn dead(&mut self, set: NodeId) -> Result<NodeId, Interrupted> {
        self.prepare_guards()?;
        if self.guards.empty_event_count() > 0 {
            return Ok(NodeId::EMPTY);
        }
        let level = self.level_count;
        self.outermost(&[set], |mdd| mdd.dead_below(set, level))
    }

    /// For each event, whether it is enabled in some vector of `set`.
    pub fn ever_enabled(&mut self, set: NodeId) -> Result<Vec<bool>, Interrupted> {
        self.prepare_guards()?;
        let levels = self.nodes_by_level(set);
        let mut answer = Vec::with_capacity(self.guards.event_count());
        for event in 0..self.guards.event_count() {
            // What lies above the top of an event does not matter: every node is on some path.
            let top = self.guards.event_top(event);
            let group = self.guards.event_group(event)?;
            let mut enabled = false;
            for &node in levels.level(top) {
                let part = self.outermost(&[set], |mdd| mdd.step_forward(Side::Guards, group, node, top))?;
                if !part.is_empty() {
                    enabled = true;
                    break;
                }
            }
            answer.push(enabled);
        }
        Ok(answer)
    }

    /// The vectors of `set` in which nothing of `group` is enabled.
    fn exclude(&mut self, group: GroupId, set: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases: the identity, however often it stands there, is enabled everywhere.
        if set.is_empty() || self.guards.level(group) == 0 {
            return Ok(NodeId::EMPTY);
        }

        // Recall.
        let key = Mdd::group_key(self.operations.exclude, group, set);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse.
        let view = self.view(set);
        let mut frame = self.open_frame();
        let acts_here = self.guards.level(group) == level;
        for offset in 0..view.length {
            let mut child = self.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            if acts_here {
                let row = self.guards.row(group, code, &mut self.domains, &mut self.lazy)?;
                for position in row.first..row.end {
                    let (_, rest) = self.guards.step_at(position);
                    child = self.exclude(rest, child, level - 1)?;
                }
            } else {
                child = self.exclude(group, child, level - 1)?;
            }
            self.add_to_frame(&mut frame, code, child)?;
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// The vectors of `set` in which no event with its top at `level` or below is enabled.
    fn dead_below(&mut self, set: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_terminal() {
            return Ok(set);
        }

        // Recall.
        let key = Key::new(self.operations.dead, 0, set.word(), 0);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse.
        let view = self.view(set);
        let mut frame = self.open_frame();
        for offset in 0..view.length {
            let child = self.dead_below(self.nth_child(&view, offset), level - 1)?;
            self.add_to_frame(&mut frame, view.tag + offset as u32, child)?;
        }
        let below = self.close_frame(frame)?;
        let group = self.guards.top_group(level);

        // Build and remember.
        let answer = if group == GroupId::NONE { below } else { self.exclude(group, below, level)? };
        self.manager.remember(key, answer.word());
        Ok(answer)
    }
}
