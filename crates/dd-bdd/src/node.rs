//! Edges, and how a node lies in memory.
//!
//! ```text
//! edge     31..1 number of a node │ 0 sign          node     level │ low │ high      12 bytes
//! ```
//!
//! A signed edge stands for the negation of what its node stands for, so negation is one bit
//! (BDD-K2 says which of the two ways to write a function is the stored one). Node 0 is the only
//! terminal: the function *false*; its negation is *true*. As words, edges agree with the terminals
//! of [`NodeId`]: 0 is EMPTY, 1 is ONE.
//!
//! The level lies in the node, rather than a variable that a table turns into a level: a trial
//! before this kernel put the detour at 7 % of the instructions of every operation.

use std::ops::Not;
use symbolon_dd_core::{NodeId, Root};

/// An edge to a node, with a sign: a Boolean function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge(u32);

impl Edge {
    pub(crate) const FALSE: Edge = Edge(0);
    pub(crate) const TRUE: Edge = Edge(1);
    /// Numbers of nodes lie below this.
    pub(crate) const INDEX_END: usize = 1 << 31;

    /// The unsigned edge to a node.
    #[inline]
    pub(crate) fn to(index: u32) -> Edge {
        Edge(index << 1)
    }

    /// The function that a root keeps alive.
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

    /// 1 if the edge is signed, else 0.
    #[inline]
    pub(crate) fn sign(self) -> u32 {
        self.0 & 1
    }

    #[inline]
    pub(crate) fn is_terminal(self) -> bool {
        self.0 < 2
    }

    /// The edge, negated if `sign` is 1.
    #[inline]
    pub(crate) fn signed(self, sign: u32) -> Edge {
        Edge(self.0 ^ sign)
    }

    /// The edge without its sign.
    #[inline]
    pub(crate) fn unsigned(self) -> Edge {
        Edge(self.0 & !1)
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// A stored node.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Node {
    /// The level; while variables are moved, the variable instead.
    pub(crate) level: u32,
    /// What the function is where the variable is false.
    pub(crate) low: Edge,
    /// What it is where the variable is true. Never signed (BDD-K2).
    pub(crate) high: Edge,
}

const _: () = assert!(size_of::<Node>() == 12);
