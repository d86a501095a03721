//! Edges: a node and a sign, in one word.

use symbolon_dd_core::{NodeId, Root};

/// A function: twice the number of its node, and the value of the function where all variables are
/// true (SDD-K5). The constants are the two edges of node 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const FALSE: Edge = Edge(0);
    pub(crate) const TRUE: Edge = Edge(1);
    /// Numbers of nodes are smaller.
    pub(crate) const INDEX_END: usize = 1 << 31;

    /// The function that is stored at a node.
    #[inline]
    pub(crate) fn to(index: u32) -> Edge {
        Edge(index << 1 | 1)
    }

    #[inline]
    pub(crate) fn of(root: &Root) -> Edge {
        Edge(root.node().word())
    }

    #[inline]
    pub(crate) fn from_word(word: u32) -> Edge {
        Edge(word)
    }

    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn id(self) -> NodeId {
        NodeId::from_word(self.0)
    }

    /// The number of the node.
    #[inline]
    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the function is the one that is stored, rather than its negation.
    #[inline]
    pub(crate) fn is_regular(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    #[inline]
    pub(crate) fn constant(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    /// The negation, if `negate`.
    #[inline]
    pub(crate) fn flipped(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }

    /// The edge without its sign.
    #[inline]
    pub(crate) fn regular(self) -> Edge {
        Edge(self.0 | 1)
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// A case of a node: what must hold of the left variables, and what of the right ones then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Element {
    pub(crate) prime: Edge,
    pub(crate) sub: Edge,
}

impl Element {
    #[inline]
    pub(crate) fn new(prime: Edge, sub: Edge) -> Element {
        Element { prime, sub }
    }
}

const _: () = assert!(size_of::<Element>() == 8);
