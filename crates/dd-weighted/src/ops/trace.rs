//! A shortest way to a vector, read off the distances.
//!
//! Backwards: a vector at distance d > 0 has a predecessor at distance d − 1. The path of the
//! current vector through the diagram is kept, with the sum of the weights below each level. An
//! event does not touch what lies above its top, so a predecessor is looked for from there down,
//! and as soon as it meets the path again with nothing left to undo, the sums must agree. Events
//! are tried from the one that succeeded last: neighbours in a model are neighbours in a trace.
//! They are tried from the last to the first, so that in the trace, which is read the other way,
//! independent events tend to stand in the order of the model.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;
use symbolon_dd_mdd::{GroupId, Side};

/// A shortest trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceBack {
    /// Where it starts, a vector of value 0, as values from level 1 upwards.
    pub initial: Vec<u64>,
    /// The numbers of its events, in order.
    pub events: Vec<usize>,
}

/// A vector on its path through the diagram; all lists are by level.
struct Path {
    codes: Vec<u32>,
    /// The node at each level, ONE at level 0.
    nodes: Vec<NodeId>,
    /// The sum of the weights of the edges taken at each level and below.
    below: Vec<u64>,
}

/// What a predecessor has at a level where it may differ from the vector.
struct Changed {
    code: u32,
    child: NodeId,
    below: u64,
}

impl Edd<'_> {
    /// A shortest trace to a vector, given by values from level 1 upwards. `distances` must be
    /// right on all vectors up to the value that it has there. `None` if it has none, or turns out
    /// to be wrong.
    pub fn trace_to(&mut self, distances: Edge, vector: &[u64]) -> Result<Option<TraceBack>, Interrupted> {
        let Some(mut path) = self.path_of(distances, vector) else { return Ok(None) };
        let top = path.below.len() - 1;
        let event_count = self.mdd.event_count();
        let mut events = Vec::new();
        let mut turn = event_count.saturating_sub(1);
        while distances.weight + path.below[top] > 0 {
            let mut found = None;
            for tried in 0..event_count {
                let event = (turn + event_count - tried) % event_count;
                if let Some(changed) = self.predecessor(&path, event)? {
                    found = Some((event, changed));
                    break;
                }
            }
            let Some((event, changed)) = found else { return Ok(None) };
            let event_top = self.mdd.event_top(event) as usize;
            for (level, new) in (1..=event_top).rev().zip(changed) {
                path.codes[level] = new.code;
                path.nodes[level - 1] = new.child;
                path.below[level] = new.below;
            }
            path.below[event_top + 1..].iter_mut().for_each(|sum| *sum -= 1);
            events.push(event);
            turn = event;
        }
        events.reverse();
        let levels = 1..=self.mdd.level_count();
        let initial = levels.map(|level| self.mdd.domain(level).value(path.codes[level as usize])).collect();
        Ok(Some(TraceBack { initial, events }))
    }

    fn path_of(&mut self, distances: Edge, vector: &[u64]) -> Option<Path> {
        let level_count = self.mdd.level_count() as usize;
        let mut path = Path {
            codes: vec![0; level_count + 1],
            nodes: vec![distances.node; level_count + 1],
            below: vec![0; level_count + 1],
        };
        for level in (1..=level_count).rev() {
            if path.nodes[level].is_empty() {
                return None;
            }
            path.codes[level] = self.mdd.code(level as u32, vector[level - 1]).ok()?;
            let edge = self.edge(&self.view(path.nodes[level]), path.codes[level]);
            path.nodes[level - 1] = edge.node;
            path.below[level] = edge.weight;
        }
        (1..=level_count)
            .for_each(|level| path.below[level] = path.below[level].saturating_add(path.below[level - 1]));
        (path.nodes[0] == NodeId::ONE).then_some(path)
    }

    /// A vector from which `event` leads to that of the path, one nearer: what it has from the top
    /// of the event down to where it meets the path again.
    fn predecessor(&mut self, path: &Path, event: usize) -> Result<Option<Vec<Changed>>, Interrupted> {
        let top = self.mdd.event_top(event);
        if top == 0 || path.below[top as usize] == 0 {
            return Ok(None);
        }
        self.mdd.manager_mut().step()?;
        let group = self.mdd.event_group(event)?;
        let mut changed = Vec::new();
        let wanted = path.below[top as usize] - 1;
        let is_found = self.undo(path, group, path.nodes[top as usize], top, wanted, &mut changed)?;
        Ok(is_found.then_some(changed))
    }

    /// Looks below a node at `level` for a vector of value `wanted` from which `group` leads to
    /// that of the path.
    fn undo(
        &mut self,
        path: &Path,
        group: GroupId,
        node: NodeId,
        level: u32,
        wanted: u64,
        changed: &mut Vec<Changed>,
    ) -> Result<bool, Interrupted> {
        if group == GroupId::IDENTITY && node == path.nodes[level as usize] {
            return Ok(wanted == path.below[level as usize]);
        }
        if level == 0 || wanted > self.largest_in(node) {
            return Ok(false);
        }
        let code = path.codes[level as usize];
        let view = self.view(node);
        let acts_here = group != GroupId::IDENTITY && self.mdd.relation(Side::Events).level(group) == level;
        let mut number = 0;
        loop {
            let step = if acts_here {
                self.mdd.back_step(group, code, number, view.end())?
            } else {
                (number == 0).then_some((code, group))
            };
            let Some((from, rest)) = step else { return Ok(false) };
            number += 1;
            let edge = self.edge(&view, from);
            if edge.is_nothing() || edge.weight > wanted {
                continue;
            }
            changed.push(Changed { code: from, child: edge.node, below: wanted });
            if self.undo(path, rest, edge.node, level - 1, wanted - edge.weight, changed)? {
                return Ok(true);
            }
            changed.pop();
        }
    }
}
