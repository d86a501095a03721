//! The diagram of a set as the textbooks draw it: a node tests a bit, and a function and its negation are two nodes.
//!
//! Sets are stored with signs on edges, so that both are one node; pictures have no signs. So nodes are met here as
//! functions, each by what is left of the set once some bits are known.

use super::BddSets;
use crate::state_sets::StateSets;
use std::collections::HashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_bdd::{Root, Variable};
use symbolon_model::VariableId;

/// The nodes of a set, the root first, each before the nodes below it; none if the set is all or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryOutline {
    /// The nodes; terminals are not among them.
    pub nodes: Vec<BinaryNode>,
    /// Where the set begins.
    pub root: BinaryChild,
}

/// A node of a binary diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryNode {
    /// The variable that it tests a bit of.
    pub variable: VariableId,
    /// Which bit: 0 is the one of least weight.
    pub bit: usize,
    /// The number of bits that this variable has.
    pub bit_count: usize,
    /// How many levels lie above.
    pub depth: usize,
    /// Where to go if the bit is 0.
    pub low: BinaryChild,
    /// Where to go if the bit is 1.
    pub high: BinaryChild,
}

/// Where an edge of a binary diagram leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryChild {
    /// The states on this way are not in the set.
    #[default]
    No,
    /// They are.
    Yes,
    /// To the node of this number.
    Node(usize),
}

impl BddSets {
    /// The number of nodes of [`BddSets::outline`].
    pub fn outline_size(&self, set: &Root) -> usize {
        self.bdd.plain_node_count([set])
    }

    /// The diagram of a set as plain data. Takes time that grows with the square of the number of nodes.
    pub fn outline(&mut self, set: &Root) -> Result<BinaryOutline, Interrupted> {
        // All bits of states, from the top.
        let mut bits: Vec<(Variable, VariableId, usize)> = Vec::new();
        for variable in self.bits.variables() {
            bits.extend(
                self.bits.of(variable).iter().enumerate().map(|(place, &bit)| (bit, variable, place)),
            );
        }
        bits.sort_by_key(|&(bit, ..)| std::cmp::Reverse(self.bdd.level_of(bit)));
        let (nothing, everything) = (self.bdd.constant(false), self.bdd.constant(true));
        let mut outline = BinaryOutline::default();
        // What each edge that was met leads to, nodes by the order in which they are met within a level.
        let mut functions: Vec<Root> = Vec::new();
        let mut numbers = HashMap::new();
        let mut waiting = vec![set.clone()];
        for (depth, &(bit, variable, place)) in bits.iter().enumerate() {
            let mut below = Vec::new();
            for function in std::mem::take(&mut waiting) {
                if numbers.contains_key(&function.node()) || function == nothing || function == everything {
                    continue;
                }
                if !self.bdd.support(&function).contains(&bit) {
                    below.push(function);
                    continue;
                }
                self.meter().step()?;
                numbers.insert(function.node(), outline.nodes.len());
                below.push(self.bdd.restrict(&function, &[(bit, false)])?);
                below.push(self.bdd.restrict(&function, &[(bit, true)])?);
                let bit_count = self.bits.of(variable).len();
                let (low, high) = (BinaryChild::No, BinaryChild::No);
                outline.nodes.push(BinaryNode { variable, bit: place, bit_count, depth, low, high });
                functions.push(function);
            }
            waiting = below;
        }
        let child = |function: &Root| match numbers.get(&function.node()) {
            Some(&number) => BinaryChild::Node(number),
            None if *function == everything => BinaryChild::Yes,
            None => BinaryChild::No,
        };
        outline.root = child(set);
        for (node, function) in outline.nodes.iter_mut().zip(&functions) {
            let bit = self.bits.of(node.variable)[node.bit];
            node.low = child(&self.bdd.restrict(function, &[(bit, false)])?);
            node.high = child(&self.bdd.restrict(function, &[(bit, true)])?);
        }
        Ok(outline)
    }
}
