//! A sentential diagram and its vtree as plain data.

use super::SententialSets;
use crate::sets::core::capabilities::Outlines;
use crate::sets::outline::{
    DiagramOutline, OutlineBit, OutlineVtreeKind, OutlineVtreeNode, SententialEdge, SententialNode,
    SententialOutline,
};
use rustc_hash::FxHashMap;
use symbolon_dd_core::{Root, Variable};
use symbolon_dd_sentential::{DiagramEdge, VtreeNode};

impl Outlines for SententialSets {
    fn outline_size(&self, set: &Root) -> usize {
        self.sdd.node_count([set])
    }

    fn outline_of(&self, set: &Root) -> DiagramOutline {
        let bits = self.bit_names();
        let (vtree, places) = self.vtree_outline(&bits);
        let diagram = self.sdd.diagram(set);
        let edge_of = |edge: DiagramEdge| match edge {
            DiagramEdge::Constant(value) => SententialEdge::Constant(value),
            DiagramEdge::Literal(variable, value) => match bits.get(&variable) {
                Some(&bit) => SententialEdge::Literal(bit, value),
                // The one bit of a model without variables: no set depends on it.
                None => SententialEdge::Constant(value),
            },
            DiagramEdge::Node { index, is_negated } => SententialEdge::Node { index, is_negated },
        };
        let nodes = diagram.nodes.into_iter().map(|node| SententialNode {
            vtree: places[&node.vtree],
            elements: node.elements.into_iter().map(|(prime, sub)| (edge_of(prime), edge_of(sub))).collect(),
        });
        let nodes = nodes.collect();
        DiagramOutline::Sentential(SententialOutline { vtree, nodes, root: edge_of(diagram.root) })
    }
}

impl SententialSets {
    fn bit_names(&self) -> FxHashMap<Variable, OutlineBit> {
        let mut names = FxHashMap::default();
        for variable in self.bits.variables().chain(self.actions.iter().copied()) {
            for (bits, is_primed) in [(self.bits.of(variable), false), (self.bits.primed(variable), true)] {
                for (bit, &leaf) in bits.iter().enumerate() {
                    let is_of_action = self.actions.contains(&variable);
                    let name = OutlineBit { variable, bit, bit_count: bits.len(), is_primed, is_of_action };
                    names.insert(leaf, name);
                }
            }
        }
        names
    }

    /// The vtree, and where each node of it stands in the list.
    fn vtree_outline(
        &self,
        bits: &FxHashMap<Variable, OutlineBit>,
    ) -> (Vec<OutlineVtreeNode>, FxHashMap<VtreeNode, usize>) {
        let vtree = self.sdd.vtree();
        let mut order: Vec<(VtreeNode, usize)> = Vec::new();
        let mut open = vec![(vtree.root(), 0)];
        while let Some((node, depth)) = open.pop() {
            order.push((node, depth));
            if let Some((left, right)) = vtree.children(node) {
                open.extend([(right, depth + 1), (left, depth + 1)]);
            }
        }
        let places: FxHashMap<VtreeNode, usize> =
            order.iter().enumerate().map(|(place, &(node, _))| (node, place)).collect();
        let nodes = order.iter().map(|&(node, depth)| {
            let kind = match vtree.children(node) {
                Some((left, right)) => OutlineVtreeKind::Inner(places[&left], places[&right]),
                None => {
                    let variable = vtree.variable(node);
                    OutlineVtreeKind::Leaf(variable.and_then(|variable| bits.get(&variable).copied()))
                }
            };
            OutlineVtreeNode { number: vtree.number(node), depth, kind }
        });
        (nodes.collect(), places)
    }
}
