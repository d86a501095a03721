//! The diagram of a set as the textbooks draw it: a node tests a bit, and a function and its
//! negation are two nodes.
//!
//! Sets are stored with signs on edges, so that both are one node; the second of the two says so.

use super::BddSets;
use crate::sets::outline::{BinaryChild, BinaryNode, BinaryOutline};
use std::cmp::Reverse;
use std::collections::HashMap;
use symbolon_dd_bdd::{NodeId, PlainNode, Root, Variable};
use symbolon_model::VariableId;

impl BddSets {
    /// The number of nodes of [`BddSets::outline`].
    pub fn outline_size(&self, set: &Root) -> usize {
        self.bdd.plain_node_count([set])
    }

    /// The diagram of a set as plain data, level by level.
    pub fn outline(&self, set: &Root) -> BinaryOutline {
        // All bits of states, from the top.
        let mut bits: Vec<(Variable, VariableId, usize)> = Vec::new();
        for variable in self.bits.variables() {
            bits.extend(
                self.bits.of(variable).iter().enumerate().map(|(place, &bit)| (bit, variable, place)),
            );
        }
        bits.sort_by_key(|&(bit, ..)| Reverse(self.bdd.level_of(bit)));
        let depth_of: HashMap<Variable, usize> =
            bits.iter().enumerate().map(|(depth, &(bit, ..))| (bit, depth)).collect();

        let mut nodes = self.bdd.plain_nodes(set);
        nodes.sort_by_key(|node| depth_of[&node.variable]);
        let numbers: HashMap<NodeId, usize> =
            nodes.iter().enumerate().map(|(number, node)| (node.function, number)).collect();
        let child = |function: NodeId| match numbers.get(&function) {
            Some(&number) => BinaryChild::Node(number),
            None if function == NodeId::ONE => BinaryChild::Yes,
            None => BinaryChild::No,
        };
        let outlined = |(number, node): (usize, &PlainNode)| {
            let depth = depth_of[&node.variable];
            let (_, variable, bit) = bits[depth];
            let bit_count = self.bits.of(variable).len();
            let negates = numbers.get(&node.negation).copied().filter(|&other| other < number);
            let (low, high) = (child(node.low), child(node.high));
            BinaryNode { variable, bit, bit_count, depth, negates, low, high }
        };
        BinaryOutline { nodes: nodes.iter().enumerate().map(outlined).collect(), root: child(set.node()) }
    }
}
