//! What a function is made of: its nodes and its variables.

use crate::Variable;
use crate::bdd::Bdd;
use crate::node::Edge;
use rustc_hash::FxHashSet;
use symbolon_dd_core::{NodeId, Root};

/// A node of a diagram without signs: a function that is not constant, split by its top variable.
/// *False* is [`NodeId::EMPTY`], *true* is [`NodeId::ONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainNode {
    /// The function.
    pub function: NodeId,
    /// Its negation, which is stored as the same node.
    pub negation: NodeId,
    /// The variable that it depends on and that stands highest.
    pub variable: Variable,
    /// What it is where the variable is false.
    pub low: NodeId,
    /// What it is where the variable is true.
    pub high: NodeId,
}

impl Bdd {
    /// The variables that a function depends on, ascending.
    pub fn support(&self, a: &Root) -> Vec<Variable> {
        let nodes = self.nodes_below(&[Edge::of(a)]);
        let mut levels: Vec<u32> = nodes.into_iter().map(|index| self.store.node_at(index).level).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut support: Vec<Variable> =
            levels.into_iter().map(|level| self.order.variable_at[level as usize]).collect();
        support.sort_unstable();
        support
    }

    /// The inner nodes that these functions have together; the terminal is not counted.
    pub fn node_count<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> usize {
        let edges: Vec<Edge> = functions.into_iter().map(Edge::of).collect();
        self.nodes_below(&edges).len()
    }

    /// Whether a function has more inner nodes than this; looks at no more of them.
    pub(crate) fn has_more_nodes(&self, a: &Root, most_nodes: usize) -> bool {
        let mut met = FxHashSet::default();
        let mut waiting = vec![Edge::of(a)];
        while let Some(edge) = waiting.pop() {
            if !edge.is_terminal() && met.insert(edge.index() as u32) {
                if met.len() > most_nodes {
                    return true;
                }
                let node = self.store.node(edge);
                waiting.push(node.high);
                waiting.push(node.low);
            }
        }
        false
    }

    /// The inner nodes that these functions would have together if edges carried no signs, as in
    /// the textbooks.
    pub fn plain_node_count<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> usize {
        let edges: Vec<Edge> = functions.into_iter().map(Edge::of).collect();
        self.functions_below(&edges).len()
    }

    /// The nodes of a function as the textbooks have them, without signs on edges: the function
    /// itself first, each before those below it on the way it was first met; none for a constant.
    pub fn plain_nodes(&self, a: &Root) -> Vec<PlainNode> {
        let node = |edge: Edge| {
            let level = self.level(edge);
            let (low, high) = self.cofactors(edge, level);
            let variable = self.order.variable_at[level as usize];
            PlainNode {
                function: edge.id(),
                negation: (!edge).id(),
                variable,
                low: low.id(),
                high: high.id(),
            }
        };
        self.functions_below(&[Edge::of(a)]).into_iter().map(node).collect()
    }

    /// The nodes that edges reach, without the terminal; each before those below it on the way it
    /// was first met.
    pub(crate) fn nodes_below(&self, edges: &[Edge]) -> Vec<u32> {
        let mut met = FxHashSet::default();
        let mut nodes = Vec::new();
        let mut waiting: Vec<Edge> = edges.iter().rev().copied().collect();
        while let Some(edge) = waiting.pop() {
            if !edge.is_terminal() && met.insert(edge.index() as u32) {
                nodes.push(edge.index() as u32);
                let node = self.store.node(edge);
                waiting.push(node.high);
                waiting.push(node.low);
            }
        }
        nodes
    }

    /// The functions that edges reach, without constants: the nodes of the plain diagram.
    pub(crate) fn functions_below(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut met = FxHashSet::default();
        let mut functions = Vec::new();
        let mut waiting: Vec<Edge> = edges.iter().rev().copied().collect();
        while let Some(edge) = waiting.pop() {
            if !edge.is_terminal() && met.insert(edge) {
                functions.push(edge);
                let (low, high) = self.cofactors(edge, self.level(edge));
                waiting.push(high);
                waiting.push(low);
            }
        }
        functions
    }
}
