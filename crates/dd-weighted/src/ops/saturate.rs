//! Saturation with distances: the least number of events that lead to each vector.
//!
//! Figure 4 of Yu, Ciardo, Lüttgen, *Decision-diagram-based techniques for bounded reachability
//! checking of asynchronous systems* (STTT), on the algorithm of `dd-mdd`'s `saturate.rs`: what is
//! a union there is a minimum here, and firing an event costs 1. Without a bound it ends with the
//! exact distance of every reachable vector, if there are finitely many. With a bound B
//! ([`Edd::set_bound`]) edges heavier than B are left out wherever edges are made; it always ends,
//! finds every vector within distance B, and gives the true distance where that is at most B (a
//! vector within B has only prefixes within B). What else it finds has a distance of at most K·B,
//! with K levels. This is the paper's *EDD-Approx*; *EDD-Exact* is [`Edd::truncate`] of its answer,
//! once.
//!
//! Everything is invariant under adding a constant, so no weight is part of a question: what is
//! fired from an edge (w, p) is w plus what is fired from p.
//!
//! Where we deviate from the printed figure:
//! - TruncateExact there overwrites `v` with the weight of a child and adds it twice; the
//!   definition decides.
//! - It truncates exactly inside the recursion as one of its two variants. That is the same set,
//!   and slow: the cut destroys the structure that keeps diagrams small. And it must not look for a
//!   stored node instead of closing a frame, as firing does here: a cut node is closed only up to a
//!   smaller bound.
//! - K·B is only true if Minimum drops edges heavier than B, too: merging (0, p) with (d, q) makes
//!   edges of up to d + B, and they add up.
//! - Values above B in a bounded answer may exceed the true distance. Only values up to B are
//!   distances.
//!
//! - (W4) every noted node is saturated at the bound that is set: saturating and firing note what
//!   they check in, and the minimum of two saturated functions is saturated. So, if the frame about
//!   to be closed is a stored, noted node, it is closed already.

use crate::edd::{Edd, Unary};
use crate::edge::Edge;
use crate::frame::{Frame, Sweep};
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;
use symbolon_dd_mdd::{GroupId, Side};

impl Edd<'_> {
    /// For each vector the least number of events that lead to it, plus the value of `from` where
    /// they start.
    pub fn saturate(&mut self, from: Edge) -> Result<Edge, Interrupted> {
        if from.is_nothing() {
            return Ok(from);
        }
        let level = self.mdd.level_count();
        let node = self.outermost(&[from.node], |edd| edd.saturate_node(from.node, level))?;
        Ok(Edge::new(from.weight, node))
    }

    fn saturate_node(&mut self, node: NodeId, level: u32) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if node.is_terminal() {
            return Ok(node);
        }

        // Recall.
        let key = self.unary_key(Unary::Saturate, node, 0);
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse: children first, then the events of this level.
        let view = self.view(node);
        let mut frame = self.open_frame();
        frame.lo = view.lo;
        for offset in 0..view.length {
            let edge = self.nth_edge(&view, offset);
            let child = self.saturate_node(edge.node, level - 1)?;
            self.push_edge(Edge { weight: edge.weight, node: child });
            frame.length += 1;
        }
        self.close_under_events(&mut frame, level)?;

        // Build and remember. The least weight was 0, and events add to what they start from.
        let answer = self.close_normal_frame(frame)?;
        self.mdd.manager_mut().note(answer);
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// The edge of the frame of a fired group, closed under the events of its level, unless there
    /// are none or the node is known to be closed (W4). Apart from [`Edd::follow`] so that the
    /// recursion has small stack frames.
    #[inline(never)]
    pub(crate) fn finish_fired(&mut self, mut frame: Frame, level: u32) -> Result<Edge, Interrupted> {
        let weight = self.normalise_frame(&frame);
        let has_events = self.mdd.relation(Side::Events).top_group(level) != GroupId::NONE;
        let known = if has_events { self.find_frame(&frame)? } else { None };
        let node = match known {
            Some(known) if self.mdd.manager().is_noted(known) => {
                frame.discard(self.mdd, &mut self.kind.slots);
                known
            }
            _ => {
                self.close_under_events(&mut frame, level)?;
                let closed = self.close_normal_frame(frame)?;
                self.mdd.manager_mut().note(closed);
                closed
            }
        };
        Ok(Edge { weight, node })
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
                let source = self.frame_edge(frame, (code - frame.lo) as usize);
                let start = source.weight.checked_add(1).ok_or(Interrupted::Overflow)?;
                if start > self.bound() {
                    continue;
                }
                let fired = self.follow::<true>(rest, source.node, level - 1)?.plus(start)?;
                if fired.is_nothing() || fired.weight > self.bound() {
                    continue;
                }
                let place = self.place_for(frame, to)?;
                let old = self.frame_edge(frame, place);
                let new = self.minimum_of_edges(old, fired)?;
                if new != old {
                    self.set_frame_edge(frame, place, new);
                    sweep.has_changed(frame, place, &mut self.kind.slots);
                }
            }
        }
        Ok(())
    }
}
