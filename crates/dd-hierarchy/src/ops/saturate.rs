//! Saturation: all sequences reachable by any number of steps of a relation.
//!
//! Automatic saturation for hierarchies (Hamez, Thierry-Mieg, Kordon, 2008): every part of the
//! relation runs where it acts, inside labels too. With the split of
//! [`crate::hierarchy::relation`], for a node n and a relation S:
//!
//! ```text
//! close(S, n)          arcs (close(L, a), close(F, c)) for the arcs (a, c) of n, then iterate G
//! fire(S, (l, f), n)   arcs (fire(L, l, a), fire(F, f, c)), then iterate G
//! iterate G on m       m ← m ∪ arcs (fire(L, l, a), fire(F, f, c)) for each pair (l, f) of G in turn, until no pair adds anything
//! ```
//!
//! Both are pure functions with remembered answers. `(L + F)*` on a product is `L* × F*`, so that
//! only G iterates, and what G fires is closed under L and F before it comes back. A leaf node
//! iterates in place, on a frame, firing only children that changed, as saturation on multi-valued
//! diagrams does.

use crate::hierarchy::frame::Frame;
use crate::hierarchy::relation::RelationId;
use crate::hierarchy::{Form, Hierarchy};
use crate::ops::image::Operand;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId, Root};

impl Hierarchy {
    /// The sequences reachable from `set` by any number of steps of `relation`, none included.
    ///
    /// If it is interrupted, [`Hierarchy::take_partial`] has what was found by then.
    pub fn closure(&mut self, relation: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        self.partial.clear();
        let answer = self.outermost(&[set], |hierarchy| hierarchy.close(relation, set))?;
        self.without_beyond(answer)
    }

    /// What the last closure, interrupted, had found: disjoint sets of one part of the state, each
    /// reachable together with some values of the part beside it and the initial values everywhere
    /// else. So their sizes, added up, are a number of states that were reached at least.
    pub fn take_partial(&mut self) -> Vec<Root> {
        std::mem::take(&mut self.partial)
    }

    /// Keeps what the innermost interrupted loop had found, if it runs on a part of the initial
    /// state: makes no node, because memory may be what ran out.
    fn keep_partial(&mut self, sets: Vec<NodeId>) {
        if self.firing == 0 && self.partial.is_empty() {
            self.partial = sets.into_iter().map(|set| self.manager.root(set)).collect();
        }
    }

    fn closed_key(&self, sum: RelationId, set: NodeId) -> Key {
        Key::new(self.operations.saturate, 0, set.word(), sum.0)
    }

    /// What is remembered as the closure of a set.
    fn known_closure(&mut self, sum: RelationId, set: NodeId) -> Option<NodeId> {
        self.manager.recall(self.closed_key(sum, set)).map(NodeId::from_word)
    }

    /// The closure of `set` under `sum`.
    pub(crate) fn close(&mut self, sum: RelationId, set: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_empty() || self.relations.is_still(sum) {
            return Ok(set);
        }

        // Recall.
        if let Some(known) = self.known_closure(sum, set) {
            return Ok(known);
        }
        self.manager.step()?;

        // A safe point (K6): `set` is reachable from the caller's part of the scratch stack.
        self.safe_point();

        // Split and recurse, then close under what touches both the first slot and the rest.
        let split = self.relations.split(sum)?;
        let answer = match self.form(set) {
            Form::Leaf(view) => {
                let frame = self.open_frame();
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let child = self.close(split.rest, child)?;
                    self.append(code, child);
                }
                self.close_leaf_frame(sum, frame, view.variable)?
            }
            Form::Set(view) => {
                let mark = self.manager.scratch.height();
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let label = self.close(split.local, label)?;
                    self.manager.scratch.push(label.word());
                    let child = self.close(split.rest, child)?;
                    self.manager.scratch.push(child.word());
                }
                let node = self.canonical_set(mark)?;
                self.close_set_node(sum, node)?
            }
            _ => self.undefined(),
        };

        // Remember, also that what is closed stays as it is.
        let (before, after) = (self.closed_key(sum, set), self.closed_key(sum, answer));
        self.manager.remember(before, answer.word());
        self.manager.remember(after, answer.word());
        Ok(answer)
    }

    /// The closure of a set node that is closed under `L` and `F` of the sum.
    pub(crate) fn close_set_node(&mut self, sum: RelationId, node: NodeId) -> Result<NodeId, Interrupted> {
        let both = self.relations.split(sum)?.both;
        let Form::Set(_) = self.form(node) else { return Ok(node) };
        if both == RelationId::NONE {
            return Ok(node);
        }
        if let Some(known) = self.known_closure(sum, node) {
            return Ok(known);
        }

        // Both the node and what has become of it are rooted: firing collects.
        let mark = self.manager.scratch.height();
        self.manager.scratch.push(node.word());
        let at = self.manager.scratch.height();
        self.manager.scratch.push(node.word());
        let pairs = self.relations.pair_count(both);
        let (mut pair, mut quiet) = (0, 0);
        while quiet < pairs {
            let current = NodeId::from_word(self.manager.scratch.get(at));
            let next = match self.add_pair(sum, pair, current).and_then(|next| {
                self.end_beyond(next)?;
                Ok(next)
            }) {
                Ok(next) => next,
                Err(why) => {
                    self.keep_partial(vec![current]);
                    return Err(why);
                }
            };
            quiet = if next == current { quiet + 1 } else { 0 };
            self.manager.scratch.set(at, next.word());
            pair = (pair + 1) % pairs;
        }
        let answer = NodeId::from_word(self.manager.scratch.get(at));
        self.manager.scratch.truncate(mark);
        let (before, after) = (self.closed_key(sum, node), self.closed_key(sum, answer));
        self.manager.remember(before, answer.word());
        self.manager.remember(after, answer.word());
        Ok(answer)
    }

    /// A node with what one pair of `G` makes of it, closed under `L` and `F`.
    fn add_pair(&mut self, sum: RelationId, pair: usize, node: NodeId) -> Result<NodeId, Interrupted> {
        self.manager.step()?;
        let Form::Set(view) = self.form(node) else { return Ok(node) };
        let split = self.relations.split(sum)?;
        let (first, rest) = self.relations.pair(split.both, pair);
        let mark = self.manager.scratch.height();
        for position in 0..view.length {
            let (label, child) = self.set_arc(&view, position);
            self.fire_arc(
                (split.local, split.rest),
                (RelationId(first), rest),
                (label, child),
                Operand::Closed,
            )?;
        }
        let fired = self.canonical_set(mark)?;
        self.unite(node, fired)
    }

    /// The closure of the node of a frame whose children are closed under `F` of the sum. The frame
    /// is gone then.
    pub(crate) fn close_leaf_frame(
        &mut self,
        sum: RelationId,
        frame: Frame,
        variable: u32,
    ) -> Result<NodeId, Interrupted> {
        let split = self.relations.split(sum)?;
        if split.both == RelationId::NONE {
            return self.close_frame(frame, variable);
        }
        // If the node exists already, its closure may be known: most loops end here.
        let found = self.find_frame(&frame, variable);
        let known = found.and_then(|node| self.known_closure(sum, node));
        if let Some(known) = known {
            self.drop_frame(frame);
            return Ok(known);
        }
        let collections = self.collections;
        if let Err(why) = self.close_under_steps(sum, &frame) {
            let children = (0..self.frame_length(&frame)).map(|position| self.frame_arc(&frame, position).1);
            self.keep_partial(children.collect());
            return Err(why);
        }
        let answer = self.close_frame(frame, variable)?;
        // What was found is not rooted, and may be gone by now (K5).
        if let Some(node) = found
            && collections == self.collections
        {
            let key = self.closed_key(sum, node);
            self.manager.remember(key, answer.word());
        }
        let key = self.closed_key(sum, answer);
        self.manager.remember(key, answer.word());
        Ok(answer)
    }

    /// Fires what acts on the first value, alone or with the rest, on a frame until nothing
    /// changes.
    fn close_under_steps(&mut self, sum: RelationId, frame: &Frame) -> Result<(), Interrupted> {
        let split = self.relations.split(sum)?;
        let mut dirty_count = self.frame_length(frame);
        (0..dirty_count).for_each(|position| *self.dirty_flag(frame, position) = true);
        let mut position = 0;
        while dirty_count > 0 {
            // The next dirty child, sweeping upwards and around.
            if position >= self.frame_length(frame) {
                position = 0;
            }
            if !*self.dirty_flag(frame, position) {
                position += 1;
                continue;
            }
            *self.dirty_flag(frame, position) = false;
            dirty_count -= 1;
            self.manager.step()?;
            let (code, _) = self.frame_arc(frame, position);
            let row = self.row(split.both, code)?;
            for step in row.first..row.end {
                let (to, rest) = self.relations.step_at(step);
                let (_, child) = self.frame_arc(frame, position);
                let length = self.frame_length(frame);
                if let Some(changed) = self.fire_into_frame(split.rest, rest, child, frame, to)? {
                    let is_new = self.frame_length(frame) > length;
                    // A new child below this one moves it up.
                    position += usize::from(is_new && changed <= position);
                    let flag = self.dirty_flag(frame, changed);
                    dirty_count += usize::from(!*flag);
                    *flag = true;
                }
            }
            position += 1;
        }
        Ok(())
    }

    /// Fires a relation on a child of the topmost frame, which is closed, and adds what comes of it
    /// for `code`. If that is interrupted, the frame is as it was, and topmost again.
    fn fire_into_frame(
        &mut self,
        sum: RelationId,
        relation: RelationId,
        child: NodeId,
        frame: &Frame,
        code: u32,
    ) -> Result<Option<usize>, Interrupted> {
        let (height, cells) = (self.manager.scratch.height(), self.cells.len());
        let added = match self.fire(sum, relation, child, Operand::Closed) {
            Ok(fired) if self.firing == 0 && !fired.is_empty() && self.values.beyond() == Some(code) => {
                Err(Interrupted::Overflow)
            }
            Ok(fired) => self.end_beyond(fired).and_then(|()| self.add_to_frame(frame, code, fired)),
            Err(why) => Err(why),
        };
        if added.is_err() {
            self.manager.scratch.truncate(height);
            self.cells.truncate(cells);
        }
        added
    }
}
