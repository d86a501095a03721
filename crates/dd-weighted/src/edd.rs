//! Edge-valued diagrams in the store of a manager of sets: how operations reach nodes.

use crate::edge::{Edge, Function};
use crate::slot::Slot;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Kind, NodeId, NodeShape, Operation, OperationShape};
use symbolon_dd_mdd::Mdd;

/// What a manager of sets knows of edge-valued diagrams. It belongs to that one manager.
pub struct EddKind {
    /// Nodes whose largest value fits 32 bits (W3).
    pub(crate) narrow: Kind,
    /// All others.
    pub(crate) wide: Kind,
    pub(crate) operations: Operations,
    /// Weights and flags of the frames under construction; their children lie on the scratch stack.
    pub(crate) slots: Vec<Slot>,
    /// Edges heavier than this are left out by [`Edd::minimum`] and [`Edd::saturate`]; `u64::MAX`
    /// leaves out none.
    bound: u64,
}

/// The cached operations.
pub(crate) struct Operations {
    /// The small number is the difference of the weights.
    pub(crate) minimum: Operation,
    /// The node of the answer, and its weight.
    pub(crate) restrict: Operation,
    pub(crate) restrict_weight: Operation,
    pub(crate) fire: Operation,
    pub(crate) image: Operation,
    /// One operand; the small number says which ([`Unary`]).
    pub(crate) unary: Operation,
}

/// The operations on one node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unary {
    Saturate,
    Support,
    FromSet,
    Truncate,
}

/// Edge-valued diagrams, ready for operations.
pub struct Edd<'m> {
    /// The sets that share the store; also a way to their own operations.
    pub mdd: &'m mut Mdd,
    pub(crate) kind: &'m mut EddKind,
}

/// Where the edges of a node lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeView {
    pub(crate) lo: u32,
    pub(crate) length: u32,
    start: usize,
    is_wide: bool,
}

impl EdgeView {
    /// One more than the last code of the window.
    #[inline]
    pub(crate) fn end(&self) -> u32 {
        self.lo + self.length
    }
}

impl EddKind {
    /// Introduces edge-valued diagrams to a manager of sets.
    pub fn new(mdd: &mut Mdd) -> EddKind {
        let manager = mdd.manager_mut();
        EddKind {
            narrow: manager.register_kind(NodeShape { skip: 1, stride: 2, child_mask: 0b10 }),
            wide: manager.register_kind(NodeShape { skip: 2, stride: 3, child_mask: 0b100 }),
            operations: Operations {
                minimum: manager.register_operation(OperationShape::NODES),
                restrict: manager.register_operation(OperationShape::NODES),
                restrict_weight: manager
                    .register_operation(OperationShape { answer_is_node: false, ..OperationShape::NODES }),
                fire: manager.register_pair_operation(),
                image: manager.register_pair_operation(),
                unary: manager.register_operation(OperationShape::UNARY),
            },
            slots: Vec::new(),
            bound: u64::MAX,
        }
    }
}

impl<'m> Edd<'m> {
    /// The diagrams of this kind in the manager that it was made for.
    pub fn new(mdd: &'m mut Mdd, kind: &'m mut EddKind) -> Edd<'m> {
        Edd { mdd, kind }
    }

    /// From now on, [`Edd::minimum`], [`Edd::image`] and [`Edd::saturate`] leave out edges heavier
    /// than this.
    ///
    /// The bound is no part of the keys of the cache: changing it forgets all answers and notes
    /// (W4).
    pub fn set_bound(&mut self, bound: Option<u64>) {
        let bound = bound.unwrap_or(u64::MAX);
        if bound != self.kind.bound {
            self.kind.bound = bound;
            self.mdd.manager_mut().forget_answers();
            self.mdd.manager_mut().clear_notes();
        }
    }

    /// Edges heavier than this are left out.
    #[inline]
    pub(crate) fn bound(&self) -> u64 {
        self.kind.bound
    }

    /// Keeps a function alive.
    pub fn function(&mut self, edge: Edge) -> Function {
        Function { weight: edge.weight, root: self.mdd.root(edge.node) }
    }

    /// The edges of a node.
    #[inline]
    pub(crate) fn view(&self, node: NodeId) -> EdgeView {
        let manager = self.mdd.manager();
        let view = manager.view(node);
        let is_wide = manager.kind(node) == self.kind.wide;
        let (skip, stride) = if is_wide { (2, 3) } else { (1, 2) };
        let length = ((view.length - skip) / stride) as u32;
        EdgeView { lo: view.tag, length, start: view.start + skip, is_wide }
    }

    /// The edge at an offset of the window.
    #[inline]
    pub(crate) fn nth_edge(&self, view: &EdgeView, offset: u32) -> Edge {
        let manager = self.mdd.manager();
        let (weight, node) = if view.is_wide {
            let at = view.start + 3 * offset as usize;
            (two_words(manager.word_at(at), manager.word_at(at + 1)), manager.word_at(at + 2))
        } else {
            let at = view.start + 2 * offset as usize;
            (u64::from(manager.word_at(at)), manager.word_at(at + 1))
        };
        if node == 0 { Edge::NOTHING } else { Edge { weight, node: NodeId::from_word(node) } }
    }

    /// The edge for a code.
    #[inline]
    pub(crate) fn edge(&self, view: &EdgeView, code: u32) -> Edge {
        let offset = code.wrapping_sub(view.lo);
        if offset < view.length { self.nth_edge(view, offset) } else { Edge::NOTHING }
    }

    /// The edges of a node that lead somewhere: code, weight and child, ascending by code.
    pub fn edges(&self, node: NodeId) -> impl Iterator<Item = (u32, Edge)> + use<'_, 'm> {
        let view = (!node.is_terminal()).then(|| self.view(node));
        view.into_iter().flat_map(move |view| {
            (0..view.length)
                .map(move |offset| (view.lo + offset, self.nth_edge(&view, offset)))
                .filter(|(_, edge)| !edge.is_nothing())
        })
    }

    /// The largest value of the function of a node (W2).
    #[inline]
    pub(crate) fn largest_in(&self, node: NodeId) -> u64 {
        if node.is_terminal() {
            return 0;
        }
        let manager = self.mdd.manager();
        let start = manager.view(node).start;
        if manager.kind(node) == self.kind.wide {
            two_words(manager.word_at(start), manager.word_at(start + 1))
        } else {
            u64::from(manager.word_at(start))
        }
    }

    /// The key of an operation on one node.
    #[inline]
    pub(crate) fn unary_key(&self, which: Unary, node: NodeId, number: u32) -> Key {
        Key::new(self.kind.operations.unary, which as u32, node.word(), number)
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
}

/// A number from its lower and its upper half.
#[inline]
pub(crate) fn two_words(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}
