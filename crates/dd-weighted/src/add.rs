//! Algebraic diagrams: functions from vectors to integers, the numbers standing at the terminals.
//!
//! A node is a window of children as in sets; below level 1 stand *numbers*, nodes of two words.
//! EMPTY is ∞: the function says nothing there. ∞ is larger than every number, so a minimum has a
//! value wherever one of its operands has one, and all other operations where both have.
//!
//! At a level above 0, a number stands for the constant function, wherever the other operand has a
//! value: so `apply(Plus, f, number(3))` adds 3 to every value of `f`.

mod apply;
mod saturate;

use crate::edd::two_words;
use crate::frame::Frame;
use crate::slot::Slot;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Kind, NodeId, NodeShape, Operation, OperationShape, Root};
use symbolon_dd_mdd::Mdd;

/// What a manager of sets knows of algebraic diagrams. It belongs to that one manager.
pub struct AddKind {
    pub(crate) node: Kind,
    pub(crate) number: Kind,
    pub(crate) operations: Operations,
    pub(crate) slots: Vec<Slot>,
    /// [`Add::saturate`] leaves out values above this.
    bound: u64,
}

/// The cached operations.
pub(crate) struct Operations {
    /// Two operands; the small number says which.
    pub(crate) apply: Operation,
    /// One operand; the small number says which ([`Unary`]).
    pub(crate) unary: Operation,
    pub(crate) fire: Operation,
}

/// The operations on one node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unary {
    Saturate,
    Increment,
}

/// What two numbers are combined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The sum.
    Plus,
    /// The difference.
    Minus,
    /// The product.
    Times,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// =
    Equal,
    /// ≠
    NotEqual,
    /// <
    Less,
    /// ≤
    AtMost,
}

/// Algebraic diagrams, ready for operations.
pub struct Add<'m> {
    /// The sets that share the store; also a way to their own operations.
    pub mdd: &'m mut Mdd,
    pub(crate) kind: &'m mut AddKind,
}

impl AddKind {
    /// Introduces algebraic diagrams to a manager of sets.
    pub fn new(mdd: &mut Mdd) -> AddKind {
        let manager = mdd.manager_mut();
        AddKind {
            node: manager.register_kind(NodeShape { skip: 0, stride: 1, child_mask: 1 }),
            number: manager.register_kind(NodeShape { skip: 2, stride: 1, child_mask: 0 }),
            operations: Operations {
                apply: manager.register_operation(OperationShape::NODES),
                unary: manager.register_operation(OperationShape::UNARY),
                fire: manager.register_operation(OperationShape::UNARY),
            },
            slots: Vec::new(),
            bound: u64::MAX,
        }
    }
}

impl<'m> Add<'m> {
    /// The diagrams of this kind in the manager that it was made for.
    pub fn new(mdd: &'m mut Mdd, kind: &'m mut AddKind) -> Add<'m> {
        Add { mdd, kind }
    }

    /// Keeps a function alive.
    pub fn root(&mut self, node: NodeId) -> Root {
        self.mdd.root(node)
    }

    /// A number.
    pub fn number(&mut self, number: i64) -> Result<NodeId, Interrupted> {
        let kind = self.kind.number;
        let manager = self.mdd.manager_mut();
        let mark = manager.scratch.height();
        manager.scratch.push(number as u32);
        manager.scratch.push((number >> 32) as u32);
        let made = manager.make_node(kind, 0, mark..mark + 2);
        manager.scratch.truncate(mark);
        made
    }

    /// The number that a node is, if it is one.
    #[inline]
    pub(crate) fn as_number(&self, node: NodeId) -> Option<i64> {
        let manager = self.mdd.manager();
        if node.is_terminal() || manager.kind(node) != self.kind.number {
            return None;
        }
        let start = manager.view(node).start;
        Some(two_words(manager.word_at(start), manager.word_at(start + 1)) as i64)
    }

    /// The value of a vector, given by values from level 1 upwards; `None` for ∞.
    pub fn value(&mut self, of: NodeId, vector: &[u64]) -> Option<i64> {
        let mut node = of;
        for level in (1..=self.mdd.level_count()).rev() {
            if node.is_empty() {
                return None;
            }
            let code = self.mdd.code(level, vector[level as usize - 1]).ok()?;
            node = self.child(node, code);
        }
        self.as_number(node)
    }

    /// The vectors on which a function has a value, as a set of [`symbolon_dd_mdd::Mdd`].
    pub fn support(&mut self, of: NodeId) -> Result<NodeId, Interrupted> {
        self.compare(Relation::Equal, of, of)
    }

    /// The least value of a function on a set of [`symbolon_dd_mdd::Mdd`]; `None` if it has none
    /// there.
    pub fn smallest_on(&mut self, of: NodeId, set: NodeId) -> Result<Option<i64>, Interrupted> {
        let zero = self.number(0)?;
        let restricted = self.outermost(&[of, set, zero], |add| {
            let mask = add.node_of_set(set, zero)?;
            add.combine(Arithmetic::Plus, of, mask, add.mdd.level_count())
        })?;
        let level = self.mdd.level_count();
        let children = |node| self.mdd.manager().words(node).iter().map(|&word| NodeId::from_word(word));
        let levels = symbolon_dd_mdd::NodesByLevel::collect(&[restricted], level, usize::MAX, children);
        let levels = levels.expect("no limit was set");
        Ok(levels.level(0).iter().filter_map(|&number| self.as_number(number)).min())
    }

    /// The number of nodes of a function, numbers not counted.
    pub fn node_count(&self, of: NodeId) -> usize {
        let level = self.mdd.level_count();
        let children = |node| self.mdd.manager().words(node).iter().map(|&word| NodeId::from_word(word));
        let levels = symbolon_dd_mdd::NodesByLevel::collect(&[of], level, usize::MAX, children);
        levels.expect("no limit was set").node_count()
    }

    /// The child of a node for a code; EMPTY outside the window.
    #[inline]
    pub(crate) fn child(&self, node: NodeId, code: u32) -> NodeId {
        let manager = self.mdd.manager();
        let view = manager.view(node);
        let offset = code.wrapping_sub(view.tag) as usize;
        if offset < view.length {
            NodeId::from_word(manager.word_at(view.start + offset))
        } else {
            NodeId::EMPTY
        }
    }

    /// The node of a frame, which leaves the stacks.
    pub(crate) fn close_frame(&mut self, frame: Frame) -> Result<NodeId, Interrupted> {
        let node = match frame.trimmed(self.mdd) {
            None => NodeId::EMPTY,
            Some((first, end)) => {
                let range = frame.base + first..frame.base + end;
                self.mdd.manager_mut().make_node(self.kind.node, frame.lo + first as u32, range)?
            }
        };
        frame.discard(self.mdd, &mut self.kind.slots);
        Ok(node)
    }

    /// Runs an operation from outside. If it is interrupted, whatever it left on the stacks goes.
    pub(crate) fn outermost<T>(
        &mut self,
        operands: &[NodeId],
        operation: impl FnOnce(&mut Self) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        let height = self.mdd.manager().scratch.height();
        let slots = self.kind.slots.len();
        operands.iter().for_each(|operand| self.mdd.manager_mut().scratch.push(operand.word()));
        let answer = operation(self);
        self.mdd.manager_mut().scratch.truncate(height);
        self.kind.slots.truncate(slots);
        answer
    }

    /// From now on [`Add::saturate`] leaves out values above this. Changing it forgets all answers
    /// and notes.
    pub fn set_bound(&mut self, bound: Option<u64>) {
        let bound = bound.unwrap_or(u64::MAX);
        if bound != self.kind.bound {
            self.kind.bound = bound;
            self.mdd.manager_mut().forget_answers();
            self.mdd.manager_mut().clear_notes();
        }
    }

    #[inline]
    pub(crate) fn bound(&self) -> u64 {
        self.kind.bound
    }
}
