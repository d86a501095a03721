//! The nodes of a set as plain data: for drawing, for counting, for comparing.

use crate::hierarchy::{Form, Hierarchy};
use rustc_hash::FxHashSet;
use symbolon_dd_core::NodeId;

/// What stands on an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// A value.
    Value(u64),
    /// A set of sequences: the node of a component.
    Node(NodeId),
}

/// A node with its arcs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNode {
    /// The node.
    pub node: NodeId,
    /// The variable of a leaf node; `None` for a set node, and for ⊤, which has no arcs.
    pub variable: Option<u32>,
    /// Labels and children, in the order in which they are stored.
    pub arcs: Vec<(Label, NodeId)>,
}

/// How many nodes and arcs a set has; terminals do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCount {
    /// Leaf nodes.
    pub leaves: usize,
    /// Set nodes.
    pub sets: usize,
    /// Arcs of both.
    pub arcs: usize,
    /// The most arcs of a set node: where hierarchy does not pay, this grows.
    pub widest: usize,
    /// Words of memory that the nodes take.
    pub words: usize,
}

impl NodeCount {
    /// All nodes.
    pub fn nodes(&self) -> usize {
        self.leaves + self.sets
    }
}

impl Hierarchy {
    /// All nodes of a set, those of labels included, from the root on; terminals are left out.
    pub fn listing(&self, set: NodeId) -> Vec<ListedNode> {
        self.nodes_of(set).into_iter().map(|node| self.listed(node)).collect()
    }

    /// How large a set is as a diagram.
    pub fn node_count(&self, set: NodeId) -> NodeCount {
        let mut count = NodeCount::default();
        for node in self.nodes_of(set) {
            match self.form(node) {
                Form::Leaf(view) => {
                    count.leaves += 1;
                    count.arcs += view.length;
                }
                Form::Set(view) => {
                    count.sets += 1;
                    count.arcs += view.length;
                    count.widest = count.widest.max(view.length);
                }
                Form::Empty | Form::One | Form::Undefined => {}
            }
            count.words += 1 + self.manager.words(node).len();
        }
        count
    }

    fn nodes_of(&self, set: NodeId) -> Vec<NodeId> {
        let mut seen = FxHashSet::default();
        let mut nodes = Vec::new();
        let mut waiting = vec![set];
        while let Some(node) = waiting.pop() {
            if !node.is_terminal() && seen.insert(node) {
                nodes.push(node);
                let from = waiting.len();
                waiting.extend(self.manager.children_of(node));
                waiting[from..].reverse();
            }
        }
        nodes
    }

    pub(crate) fn listed(&self, node: NodeId) -> ListedNode {
        let (variable, arcs) = match self.form(node) {
            Form::Leaf(view) => {
                let arcs = (0..view.length).map(|position| {
                    let (code, child) = self.leaf_arc(&view, position);
                    (Label::Value(self.values.value(code)), child)
                });
                (Some(view.variable), arcs.collect())
            }
            Form::Set(view) => {
                let arcs = (0..view.length).map(|position| {
                    let (label, child) = self.set_arc(&view, position);
                    (Label::Node(label), child)
                });
                (None, arcs.collect())
            }
            Form::Empty | Form::One | Form::Undefined => (None, Vec::new()),
        };
        ListedNode { node, variable, arcs }
    }
}
