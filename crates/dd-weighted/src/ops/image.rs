//! What a group of events leads to: one step forward, or firing for saturation, which closes what
//! it makes.

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
        let image = self.outermost(&[of.node], |edd| edd.follow::<false>(group, of.node, level))?;
        image.plus(of.weight)
    }

    /// The image of a node under `group`, or its saturated closure (`FIRES`): then the node is
    /// saturated, and the events of the group have their tops above `level`. Events cost nothing
    /// here.
    pub(crate) fn follow<const FIRES: bool>(
        &mut self,
        group: GroupId,
        node: NodeId,
        level: u32,
    ) -> Result<Edge, Interrupted> {
        // Terminal cases: below the bottom of the events nothing changes.
        if group == GroupId::IDENTITY {
            return Ok(Edge::new(0, node));
        }

        // Recall.
        let operations = &self.kind.operations;
        let operation = if FIRES { operations.fire } else { operations.image };
        let key = Key::new(operation, group.number(), node.word(), 0);
        if let Some(known) = self.recall_edge(key) {
            return Ok(known);
        }
        self.mdd.manager_mut().step()?;

        // A safe point of firing (K6): `node` is reachable from the caller's frame, our own is not
        // yet open.
        if FIRES {
            self.mdd.manager_mut().collect_if_due();
        }

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
                    let moved = self.follow::<FIRES>(rest, edge.node, level - 1)?.plus(edge.weight)?;
                    self.add_to_frame(&mut frame, to, moved)?;
                }
            } else {
                let moved = self.follow::<FIRES>(group, edge.node, level - 1)?.plus(edge.weight)?;
                self.add_to_frame(&mut frame, code, moved)?;
            }
        }

        // Build and remember.
        let answer = if FIRES { self.finish_fired(frame, level)? } else { self.close_frame(frame)? };
        self.remember_edge(key, answer);
        Ok(answer)
    }

    /// The remembered answer of an operation whose answers are edges.
    #[inline]
    pub(crate) fn recall_edge(&mut self, key: Key) -> Option<Edge> {
        let (weight, node) = self.mdd.manager_mut().recall_pair(key)?;
        Some(if node.is_empty() { Edge::NOTHING } else { Edge::new(u64::from(weight), node) })
    }

    /// Remembers an edge, unless its weight is too large for the cache: no state space has such
    /// distances.
    #[inline]
    pub(crate) fn remember_edge(&mut self, key: Key, edge: Edge) {
        if edge.is_nothing() {
            self.mdd.manager_mut().remember_pair(key, 0, edge.node);
        } else if let Ok(weight) = u32::try_from(edge.weight) {
            self.mdd.manager_mut().remember_pair(key, weight, edge.node);
        }
    }
}
