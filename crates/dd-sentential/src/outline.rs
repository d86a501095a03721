//! A diagram as plain data, to be drawn.

use crate::edge::Edge;
use crate::sdd::Sdd;
use crate::vtree::VtreeNode;
use rustc_hash::FxHashMap;
use symbolon_dd_core::{Root, Variable};

/// The decision nodes of a function, each before the nodes below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The nodes. A function and its negation are one.
    pub nodes: Vec<DiagramNode>,
    /// The function.
    pub root: DiagramEdge,
}

/// A decision node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramNode {
    /// Its vtree node.
    pub vtree: VtreeNode,
    /// Its elements: prime and sub.
    pub elements: Vec<(DiagramEdge, DiagramEdge)>,
}

/// A function in a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramEdge {
    /// This value everywhere.
    Constant(bool),
    /// True where the variable has this value.
    Literal(Variable, bool),
    /// The node of this number, or its negation.
    Node {
        /// The index in [`Diagram::nodes`].
        index: usize,
        /// Whether the negation is meant.
        is_negated: bool,
    },
}

impl Sdd {
    /// The diagram of a function.
    pub fn diagram(&self, a: &Root) -> Diagram {
        let root = Edge::of(a);
        let mut indices: Vec<u32> =
            self.edges_below(&[root.regular()]).into_iter().map(|edge| edge.index() as u32).collect();
        indices.reverse();
        // A node that is reached with both signs stands here twice; it comes first where it is
        // reached from above.
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let mut kept = Vec::new();
        for index in indices {
            numbers.entry(index).or_insert_with(|| {
                kept.push(index);
                kept.len() - 1
            });
        }
        let edge_of = |edge: Edge| {
            if edge.is_constant() {
                DiagramEdge::Constant(edge == Edge::TRUE)
            } else if self.is_decision(edge) {
                let index = numbers[&(edge.index() as u32)];
                DiagramEdge::Node { index, is_negated: !edge.is_regular() }
            } else {
                DiagramEdge::Literal(Variable(self.place(edge)), edge.is_regular())
            }
        };
        let nodes = kept.iter().map(|&index| {
            let edge = Edge::to(index);
            let elements = self.elements_of(edge).into_iter();
            DiagramNode {
                vtree: VtreeNode(self.place(edge)),
                elements: elements.map(|(prime, sub)| (edge_of(prime), edge_of(sub))).collect(),
            }
        });
        Diagram { nodes: nodes.collect(), root: edge_of(root) }
    }
}
