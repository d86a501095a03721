//! Edges: a weight and a node. A function is an edge into its diagram.

use symbolon_budget::Interrupted;
use symbolon_dd_core::{NodeId, Root};

/// A weight and the node below it. Equal functions are equal edges (W1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What is added to every value below; `u64::MAX`, for ∞, where there is nothing below.
    pub weight: u64,
    /// The node.
    pub node: NodeId,
}

impl Edge {
    /// The function that is ∞ everywhere.
    pub const NOTHING: Edge = Edge { weight: u64::MAX, node: NodeId::EMPTY };

    /// The edge into a node that is not EMPTY.
    #[inline]
    pub(crate) fn new(weight: u64, node: NodeId) -> Edge {
        debug_assert!(!node.is_empty() && weight < u64::MAX);
        Edge { weight, node }
    }

    /// Whether this is [`Edge::NOTHING`].
    #[inline]
    pub fn is_nothing(self) -> bool {
        self.node.is_empty()
    }

    /// The function with `more` added to every value; ∞ stays ∞.
    #[inline]
    pub fn plus(self, more: u64) -> Result<Edge, Interrupted> {
        if self.is_nothing() {
            return Ok(self);
        }
        match self.weight.checked_add(more) {
            Some(weight) if weight < u64::MAX => Ok(Edge { weight, node: self.node }),
            _ => Err(Interrupted::Overflow),
        }
    }
}

/// A function that stays alive as long as this value or a clone of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub(crate) weight: u64,
    pub(crate) root: Root,
}

impl Function {
    /// The edge into its diagram.
    pub fn edge(&self) -> Edge {
        Edge { weight: self.weight, node: self.root.node() }
    }
}
