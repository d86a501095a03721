//! From arbitrary arcs to a canonical set node.
//!
//! Arcs (label, child) are gathered on the scratch stack. A stored set node has non-empty, pairwise
//! disjoint labels and distinct, non-empty children, ascending (HIER-K2); two rules bring any arcs
//! into that form:
//!
//! ```text
//! equal children    a→x, b→x                becomes   a∪b→x
//! meeting labels    a→x, b→y, a∩b not ∅     becomes   a∖b→x, b∖a→y, a∩b→x∪y
//! ```
//!
//! Most pairs of labels are disjoint, and most disjoint pairs show it by their signatures
//! ([`crate::hierarchy::signature`]), so that nothing has to be computed for them.

use crate::hierarchy::Hierarchy;
use crate::hierarchy::signature::{Masks, prove_disjoint};
use crate::label_index::{self, LabelIndex};
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// Arcs with disjoint labels on the scratch stack, between `first` and `end`, which other arcs may
/// meet.
pub(crate) struct Parts {
    first: usize,
    end: usize,
    /// Where there are many: the same by their signatures. A label that was cut since is still
    /// found by all of its old one.
    index: Option<LabelIndex>,
    found: Vec<usize>,
}

impl Parts {
    /// No parts yet; they will begin at `first`, and there will be about `expected`.
    pub(crate) fn new(first: usize, expected: usize) -> Parts {
        let index = (expected >= label_index::WORTHWHILE).then(LabelIndex::default);
        Parts { first, end: first, index, found: Vec::new() }
    }
}

/// What is left of an arc that meets parts.
struct Arc {
    label: NodeId,
    child: NodeId,
    masks: Masks,
}

impl Hierarchy {
    /// Puts an arc on top of the scratch stack.
    #[inline]
    pub(crate) fn push_arc(&mut self, label: NodeId, child: NodeId) {
        self.manager.scratch.push(label.word());
        self.manager.scratch.push(child.word());
    }

    #[inline]
    fn arc_at(&self, at: usize) -> (NodeId, NodeId) {
        let scratch = &self.manager.scratch;
        (NodeId::from_word(scratch.get(at)), NodeId::from_word(scratch.get(at + 1)))
    }

    #[inline]
    fn set_arc_at(&mut self, at: usize, label: NodeId, child: NodeId) {
        self.manager.scratch.set(at, label.word());
        self.manager.scratch.set(at + 1, child.word());
    }

    /// The node of the arcs from `mark` on, whatever they are. They are gone then.
    pub(crate) fn canonical_set(&mut self, mark: usize) -> Result<NodeId, Interrupted> {
        self.group_by_child(mark)?;
        let end = self.manager.scratch.height();
        if end - mark > 2 {
            // Each arc meets the parts made of those before it; then the parts move down to `mark`.
            let mut parts = Parts::new(end, (end - mark) / 2);
            for at in (mark..end).step_by(2) {
                let (label, child) = self.arc_at(at);
                self.refine(&mut parts, label, child)?;
                self.admit_new_parts(&mut parts)?;
            }
            let height = self.manager.scratch.height();
            for (to, from) in (mark..).zip(end..height) {
                let word = self.manager.scratch.get(from);
                self.manager.scratch.set(to, word);
            }
            self.manager.scratch.truncate(mark + height - end);
        }
        self.disjoint_set(mark)
    }

    /// The node of the arcs from `mark` on, whose labels are disjoint. They are gone then.
    pub(crate) fn disjoint_set(&mut self, mark: usize) -> Result<NodeId, Interrupted> {
        self.group_by_child(mark)?;
        let end = self.manager.scratch.height();
        let labels = (mark..end).step_by(2).map(|at| self.arc_at(at).0);
        let answer = if end == mark {
            NodeId::EMPTY
        } else if self.met_undefined && labels.into_iter().any(|label| !self.is_well_defined(label)) {
            // Whether labels are disjoint cannot be known.
            self.undefined()
        } else {
            let made = self.manager.make_node(self.kinds.set, 0, mark..end)?;
            self.inherit_undefined(made);
            made
        };
        self.manager.scratch.truncate(mark);
        Ok(answer)
    }

    /// Lets all parts on the scratch stack be met by later arcs.
    pub(crate) fn admit_new_parts(&mut self, parts: &mut Parts) -> Result<(), Interrupted> {
        parts.end = self.manager.scratch.height();
        if let Some(index) = &mut parts.index {
            for at in (parts.first + 2 * index.len()..parts.end).step_by(2) {
                index.add(&self.signature(self.arc_at(at).0)?);
            }
        }
        Ok(())
    }

    /// Adds the arc (label, child) to parts. New parts come on top of the scratch stack, and are
    /// not met before they are admitted.
    pub(crate) fn refine(
        &mut self,
        parts: &mut Parts,
        label: NodeId,
        child: NodeId,
    ) -> Result<(), Interrupted> {
        let mut arc = Arc { label, child, masks: self.signature(label)? };
        if let Some(index) = &parts.index {
            let mut found = std::mem::take(&mut parts.found);
            index.candidates(&arc.masks, &mut found);
            let places = found.iter().map(|position| parts.first + 2 * position);
            let met = self.meet_parts(&mut arc, places);
            parts.found = found;
            met?;
        } else {
            self.meet_parts(&mut arc, (parts.first..parts.end).step_by(2))?;
        }
        if !arc.label.is_empty() {
            self.push_arc(arc.label, arc.child);
        }
        Ok(())
    }

    /// Takes from an arc what parts at these places have of its label.
    fn meet_parts(
        &mut self,
        arc: &mut Arc,
        places: impl Iterator<Item = usize> + Clone,
    ) -> Result<(), Interrupted> {
        // Equal labels first: no other part can meet this one then.
        for at in places.clone() {
            let (part, old) = self.arc_at(at);
            if part == arc.label {
                let new = self.unite(old, arc.child)?;
                self.set_arc_at(at, part, new);
                arc.label = NodeId::EMPTY;
                return Ok(());
            }
        }
        for at in places {
            let (part, old) = self.arc_at(at);
            if prove_disjoint(&self.signature(part)?, &arc.masks) {
                continue;
            }
            let both = self.intersect(part, arc.label)?;
            if both.is_empty() {
                continue;
            }
            let new = self.unite(old, arc.child)?;
            if both == part {
                self.set_arc_at(at, part, new);
            } else if new != old {
                let rest = self.subtract(part, both)?;
                self.set_arc_at(at, rest, old);
                self.push_arc(both, new);
            }
            arc.label = self.subtract(arc.label, both)?;
            if arc.label.is_empty() {
                return Ok(());
            }
            arc.masks = self.signature(arc.label)?;
        }
        Ok(())
    }

    /// Drops arcs without states, unites the labels of arcs with equal children, sorts by child.
    fn group_by_child(&mut self, mark: usize) -> Result<(), Interrupted> {
        let end = self.manager.scratch.height();
        let mut arcs: Vec<(u32, u32)> = (mark..end)
            .step_by(2)
            .map(|at| (self.manager.scratch.get(at + 1), self.manager.scratch.get(at)))
            .filter(|&(child, label)| child != 0 && label != 0)
            .collect();
        arcs.sort_unstable();
        arcs.dedup();
        // What is written lies at or below what is still to be read, and unions collect nothing
        // (K6).
        let mut to = mark;
        for (child, label) in arcs {
            let (child, label) = (NodeId::from_word(child), NodeId::from_word(label));
            if to > mark && self.arc_at(to - 2).1 == child {
                let sum = self.unite(self.arc_at(to - 2).0, label)?;
                self.set_arc_at(to - 2, sum, child);
            } else {
                self.set_arc_at(to, label, child);
                to += 2;
            }
        }
        self.manager.scratch.truncate(to);
        Ok(())
    }
}
