//! Saturation that counts rounds: supersets of what a number of events reaches, without storing
//! distances.
//!
//! Figures 7 and 8 of Yu, Ciardo, Lüttgen, *Decision-diagram-based techniques for bounded
//! reachability checking of asynchronous systems* (STTT). A node is closed under the events of its
//! level in rounds, each firing all of them from what was there when it began; after as many rounds
//! as its bound allows it stops, closed or not. The budget is B at every node (*locally bounded*,
//! MDD-SatL), or what the rounds further up have left of it (*globally bounded*, MDD-SatG); then it
//! is part of the question that the cache is asked. Both find every vector within distance B, only
//! reachable ones, and stop also where values grow for ever.
//!
//! Where we deviate from the printed figures:
//! - Line 4 of figure 8 drops the counter when it saturates the children; it is passed on.
//! - Read literally, the image saturates what it makes from the bottom up, over and over. Here it
//!   closes each node that it makes at its own level only: its children are closed already.
//!   Otherwise the bounds below would not hold.
//! - The bounds are corrected. With K levels, local vectors have a distance of at most (B + 1)^K −
//!   1; global ones of at most D_K(B), where D_0 = 0 and D_l(b) = b + D_{l−1}(b) + Σ_{j=1..b}
//!   D_{l−1}(j).
//! - Only children that changed in the last round are fired again, which finds the same. They are
//!   fired as a whole: to fire only what was new in them was faster on one net and five times
//!   slower on another (`bench/distances.md`).
//!
//! What is made here is closed under nothing in particular, so no node is noted (MDD-S1), and none
//! is looked up to save its rounds.

use crate::frame::Frame;
use crate::mdd::Mdd;
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

/// What bounds the rounds at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// The bound itself, at every node.
    Local,
    /// What the rounds at nodes above have left of it.
    Global,
}

impl Mdd {
    /// `set`, all vectors reachable from it by at most `bound` events, and perhaps more reachable
    /// ones.
    pub fn saturate_bounded(
        &mut self,
        rounds: Rounds,
        bound: u64,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        // More rounds than this are never run.
        let bound = u32::try_from(bound).unwrap_or(u32::MAX);
        let level = self.level_count;
        self.outermost(&[set], |mdd| mdd.saturate_in_rounds(rounds, bound, set, level))
    }

    fn saturate_in_rounds(
        &mut self,
        rounds: Rounds,
        budget: u32,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_terminal() {
            return Ok(set);
        }

        // Recall.
        let key = Key::new(self.operations.saturate_bounded, rounds as u32, set.word(), budget);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // Split and recurse: children first, then the events of this level.
        let mut frame = self.open_frame();
        let view = self.view(set);
        for offset in 0..view.length {
            let child = self.saturate_in_rounds(rounds, budget, self.nth_child(&view, offset), level - 1)?;
            self.add_to_frame(&mut frame, view.tag + offset as u32, child)?;
        }
        self.close_in_rounds(rounds, budget, &mut frame, level)?;

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// What `group`, whose events have their tops above `level`, makes of `set`, closed in rounds
    /// at every level.
    fn fire_bounded(
        &mut self,
        rounds: Rounds,
        budget: u32,
        group: GroupId,
        set: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases: below the bottom of the events nothing changes.
        if group == GroupId::IDENTITY || set.is_empty() {
            return Ok(set);
        }

        // Recall.
        let operation = self.operations.fire_bounded[rounds as usize];
        let key = Key::new(operation, group.0, set.word(), budget);
        if let Some(known) = self.manager.recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.manager.step()?;

        // A safe point (K6): `set` is reachable from the caller's frame, our own is not yet open.
        self.manager.collect_if_due();

        // Split and recurse.
        let view = self.view(set);
        let mut frame = self.open_frame();
        let acts_here = self.events.level(group) == level;
        for offset in 0..view.length {
            let child = self.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            if acts_here {
                let row = self.events.row(group, code, &mut self.domains, &mut self.lazy)?;
                for position in row.first..row.end {
                    let (to, rest) = self.events.step_at(position);
                    let fired = self.fire_bounded(rounds, budget, rest, child, level - 1)?;
                    self.add_to_frame(&mut frame, to, fired)?;
                }
            } else {
                let fired = self.fire_bounded(rounds, budget, group, child, level - 1)?;
                self.add_to_frame(&mut frame, code, fired)?;
            }
        }
        self.close_in_rounds(rounds, budget, &mut frame, level)?;

        // Build and remember.
        let answer = self.close_frame(frame)?;
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// Fires the events whose top is `level` on a frame, in at most `budget` rounds. In each,
    /// everything is fired from the frame as the round before left it; the next one grows on top of
    /// it and takes its place.
    fn close_in_rounds(
        &mut self,
        rounds: Rounds,
        budget: u32,
        frame: &mut Frame,
        level: u32,
    ) -> Result<(), Interrupted> {
        let group = self.events.top_group(level);
        if group == GroupId::NONE {
            return Ok(());
        }
        let flags = self.dirty.len();
        self.dirty.resize(flags + frame.length as usize, true);
        for round in 0..budget {
            if !self.dirty[flags..].contains(&true) {
                break;
            }
            let left = match rounds {
                Rounds::Local => budget,
                Rounds::Global => budget - round,
            };
            let mut next = Frame { base: self.manager.scratch.height(), ..*frame };
            for offset in 0..frame.length as usize {
                let word = self.manager.scratch.get(frame.base + offset);
                self.manager.scratch.push(word);
            }
            let next_flags = self.dirty.len();
            self.dirty.resize(next_flags + frame.length as usize, false);
            for offset in 0..frame.length as usize {
                let source = NodeId::from_word(self.manager.scratch.get(frame.base + offset));
                if !self.dirty[flags + offset] || source.is_empty() {
                    continue;
                }
                self.manager.step()?;
                let row =
                    self.events.row(group, frame.lo + offset as u32, &mut self.domains, &mut self.lazy)?;
                for position in row.first..row.end {
                    let (to, rest) = self.events.step_at(position);
                    let fired = self.fire_bounded(rounds, left, rest, source, level - 1)?;
                    if fired.is_empty() {
                        continue;
                    }
                    let place = self.place_for(&mut next, to, Some(next_flags))?;
                    let old = NodeId::from_word(self.manager.scratch.get(place));
                    let new = self.unite(old, fired)?;
                    if new != old {
                        self.manager.scratch.set(place, new.word());
                        self.dirty[next_flags + (to - next.lo) as usize] = true;
                    }
                }
            }
            self.manager.scratch.remove(frame.base, frame.length as usize);
            self.dirty.drain(flags..next_flags);
            *frame = Frame { base: frame.base, ..next };
        }
        self.dirty.truncate(flags);
        Ok(())
    }
}
