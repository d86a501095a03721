//! One step forward.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};
use symbolon_dd_mdd::{GroupId, Side};

impl Edd<'_> {
    /// For each vector the least value of a vector from which `event` leads to it.
    pub fn image(&mut self, event: usize, of: Edge) -> Result<Edge, Interrupted> {
        let group = self.mdd.event_group(event)?;
        self.image_of_group(group, of)
    }

    /// For each vector the least value of a vector from which an event of `group` leads to it.
    pub(crate) fn image_of_group(&mut self, group: GroupId, of: Edge) -> Result<Edge, Interrupted> {
        if of.is_nothing() {
            return Ok(of);
        }
        let level = self.mdd.level_count();
        let image = self.outermost(&[of.node], |edd| edd.step_forward(group, of.node, level))?;
        image.plus(of.weight)
    }

    fn step_forward(&mut self, group: GroupId, node: NodeId, level: u32) -> Result<Edge, Interrupted> {
        // Terminal cases: below the bottom of the events nothing changes.
        if group == GroupId::IDENTITY {
            return Ok(Edge::new(0, node));
        }

        // Recall.
        let key = Key::new(self.kind.operations.image, group.number(), node.word(), 0);
        if let Some(known) = self.recall_edge(key) {
            return Ok(known);
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let view = self.view(node);
        let mut frame = self.open_frame();
        let acts_here = self.mdd.relation(Side::Events).level(group) == level;
        for offset in 0..view.length {
            let edge = self.nth_edge(&view, offset);
            if edge.is_nothing() {
                continue;
            }
            let code = view.lo + offset;
            if acts_here {
                let row = self.mdd.row(Side::Events, group, code)?;
                for position in row.first..row.end {
                    let (to, rest) = self.mdd.relation(Side::Events).step_at(position);
                    let moved = self.step_forward(rest, edge.node, level - 1)?.plus(edge.weight)?;
                    self.add_to_frame(&mut frame, to, moved)?;
                }
            } else {
                let moved = self.step_forward(group, edge.node, level - 1)?.plus(edge.weight)?;
                self.add_to_frame(&mut frame, code, moved)?;
            }
        }

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.remember_edge(key, answer);
        Ok(answer)
    }
}
