//! Arithmetic and comparisons, vector by vector.

use crate::add::{Add, Arithmetic, Relation};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId};

// The small numbers of the cache's keys: arithmetic begins with 0.
const FIRST_RELATION: u32 = 8;
const OF_SET: u32 = 16;

impl Arithmetic {
    fn of(self, a: i64, b: i64) -> Result<i64, Interrupted> {
        let answer = match self {
            Arithmetic::Plus => a.checked_add(b),
            Arithmetic::Minus => a.checked_sub(b),
            Arithmetic::Times => a.checked_mul(b),
            Arithmetic::Minimum => Some(a.min(b)),
            Arithmetic::Maximum => Some(a.max(b)),
        };
        answer.ok_or(Interrupted::Overflow)
    }

    fn commutes(self) -> bool {
        self != Arithmetic::Minus
    }
}

impl Relation {
    fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
        }
    }
}

impl Add<'_> {
    /// The function that is `number` on a set of [`symbolon_dd_mdd::Mdd`] and ∞ elsewhere.
    pub fn of_set(&mut self, set: NodeId, number: i64) -> Result<NodeId, Interrupted> {
        let number = self.number(number)?;
        self.outermost(&[set, number], |add| add.node_of_set(set, number))
    }

    pub(crate) fn node_of_set(&mut self, set: NodeId, number: NodeId) -> Result<NodeId, Interrupted> {
        // Terminal cases.
        if set.is_empty() {
            return Ok(set);
        }
        if set == NodeId::ONE {
            return Ok(number);
        }

        // Recall.
        let key = Key::new(self.kind.operations.apply, OF_SET, set.word(), number.word());
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let mark = self.mdd.manager().scratch.height();
        let view = self.mdd.manager().view(set);
        for offset in 0..view.length {
            let child = NodeId::from_word(self.mdd.manager().word_at(view.start + offset));
            let child = self.node_of_set(child, number)?;
            self.mdd.manager_mut().scratch.push(child.word());
        }

        // Build and remember.
        let end = self.mdd.manager().scratch.height();
        let answer = self.mdd.manager_mut().make_node(self.kind.node, view.tag, mark..end)?;
        self.mdd.manager_mut().scratch.truncate(mark);
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// Two functions combined vector by vector. Numbers stand for constants.
    pub fn apply(&mut self, arithmetic: Arithmetic, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.mdd.level_count();
        self.outermost(&[a, b], |add| add.combine(arithmetic, a, b, level))
    }

    pub(crate) fn combine(
        &mut self,
        arithmetic: Arithmetic,
        a: NodeId,
        b: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases. Constants have values where the other operand has.
        let is_choice = matches!(arithmetic, Arithmetic::Minimum | Arithmetic::Maximum);
        if is_choice && a == b {
            return Ok(a);
        }
        if a.is_empty() || b.is_empty() {
            let other = if a.is_empty() { b } else { a };
            let keeps = arithmetic == Arithmetic::Minimum && (level == 0 || self.as_number(other).is_none());
            return Ok(if keeps { other } else { NodeId::EMPTY });
        }
        let (number_a, number_b) = (self.as_number(a), self.as_number(b));
        if let (Some(a), Some(b)) = (number_a, number_b) {
            let number = arithmetic.of(a, b)?;
            return self.number(number);
        }

        // Normalise.
        let (a, b) = if arithmetic.commutes() { (a.min(b), a.max(b)) } else { (a, b) };

        // Recall.
        let key = Key::new(self.kind.operations.apply, arithmetic as u32, a.word(), b.word());
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse. Many minima equal an operand: watch for it, and make no node.
        let (lo, end) = self.windows(a, b);
        let mut frame = self.open_frame();
        frame.lo = lo;
        frame.length = end - lo;
        let (mut is_a, mut is_b) = (true, true);
        for code in lo..end {
            let (child_a, child_b) = (self.child_or_number(a, code), self.child_or_number(b, code));
            let child = self.combine(arithmetic, child_a, child_b, level - 1)?;
            is_a &= child == child_a;
            is_b &= child == child_b;
            self.mdd.manager_mut().scratch.push(child.word());
            self.kind.slots.push(Default::default());
        }

        // Build and remember.
        let answer = if is_a && self.as_number(a).is_none() {
            frame.discard(self.mdd, &mut self.kind.slots);
            a
        } else if is_b && self.as_number(b).is_none() {
            frame.discard(self.mdd, &mut self.kind.slots);
            b
        } else {
            let made = self.close_frame(frame)?;
            // The minimum of saturated functions is saturated.
            let manager = self.mdd.manager_mut();
            if arithmetic == Arithmetic::Minimum && manager.is_noted(a) && manager.is_noted(b) {
                manager.note(made);
            }
            made
        };
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// The vectors on which both functions have values, and these compare so. A set of
    /// [`symbolon_dd_mdd::Mdd`].
    ///
    /// With a number for one of them, it is a threshold.
    pub fn compare(&mut self, relation: Relation, a: NodeId, b: NodeId) -> Result<NodeId, Interrupted> {
        let level = self.mdd.level_count();
        self.outermost(&[a, b], |add| add.compare_below(relation, a, b, level))
    }

    fn compare_below(
        &mut self,
        relation: Relation,
        a: NodeId,
        b: NodeId,
        level: u32,
    ) -> Result<NodeId, Interrupted> {
        // Terminal cases. Two constants above level 0 have no values anywhere.
        if a.is_empty() || b.is_empty() {
            return Ok(NodeId::EMPTY);
        }
        if let (Some(a), Some(b)) = (self.as_number(a), self.as_number(b)) {
            let holds = level == 0 && relation.holds(a, b);
            return Ok(if holds { NodeId::ONE } else { NodeId::EMPTY });
        }

        // Recall.
        let small = FIRST_RELATION + relation as u32;
        let key = Key::new(self.kind.operations.apply, small, a.word(), b.word());
        if let Some(known) = self.mdd.manager_mut().recall(key) {
            return Ok(NodeId::from_word(known));
        }
        self.mdd.manager_mut().step()?;

        // Split and recurse.
        let (lo, end) = self.windows(a, b);
        let mut frame = self.open_frame();
        frame.lo = lo;
        frame.length = end - lo;
        for code in lo..end {
            let (child_a, child_b) = (self.child_or_number(a, code), self.child_or_number(b, code));
            let child = self.compare_below(relation, child_a, child_b, level - 1)?;
            self.mdd.manager_mut().scratch.push(child.word());
            self.kind.slots.push(Default::default());
        }

        // Build and remember.
        let answer = match frame.trimmed(self.mdd) {
            None => NodeId::EMPTY,
            Some((first, end)) => {
                let (kind, range) = (self.mdd.set_kind(), frame.base + first..frame.base + end);
                self.mdd.manager_mut().make_node(kind, lo + first as u32, range)?
            }
        };
        frame.discard(self.mdd, &mut self.kind.slots);
        self.mdd.manager_mut().remember(key, answer.word());
        Ok(answer)
    }

    /// The codes on which two nodes, one of which may be a number, can have children.
    fn windows(&self, a: NodeId, b: NodeId) -> (u32, u32) {
        let window = |node| {
            let view = self.mdd.manager().view(node);
            (view.tag, view.tag + view.length as u32)
        };
        match (self.as_number(a).is_some(), self.as_number(b).is_some()) {
            (true, _) => window(b),
            (_, true) => window(a),
            _ => {
                let ((lo_a, end_a), (lo_b, end_b)) = (window(a), window(b));
                (lo_a.min(lo_b), end_a.max(end_b))
            }
        }
    }

    /// The child for a code; of a number, the number.
    #[inline]
    fn child_or_number(&self, node: NodeId, code: u32) -> NodeId {
        if self.as_number(node).is_some() { node } else { self.child(node, code) }
    }
}
