//! An order for some functions, whatever becomes of the others.
//!
//! Sifting counts all nodes, also those of functions that only help, such as the clusters of a
//! relation. What is good for those may be bad for the set that everything is about. So that set
//! alone is copied to a manager of its own and sifted there; the order found is then taken on by
//! all.

use super::Method;
use crate::bdd::{Bdd, Stop};
use crate::node::Edge;
use rustc_hash::FxHashMap;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::Root;

impl Bdd {
    /// Looks for an order in which these functions have fewer nodes, and takes it on. When
    /// interrupted, functions are as valid as before and the order is the one reached.
    pub fn reorder_for(&mut self, functions: &[&Root], method: Method) -> Result<(), Interrupted> {
        let meter = Meter::new(self.meter.budget().clone());
        let mut copy = Bdd::new(self.variable_count(), meter, self.limits)?;
        copy.order = self.order.clone();
        copy.groups = self.groups.clone();
        let kept = self.copy_into(&mut copy, functions)?;
        copy.reorder(method)?;
        let order = copy.order();
        drop(kept);
        drop(copy);
        self.set_order(&order)
    }

    /// The same functions in another manager with the same order.
    fn copy_into(&self, copy: &mut Bdd, functions: &[&Root]) -> Result<Vec<Root>, Interrupted> {
        let edges: Vec<Edge> = functions.iter().map(|root| Edge::of(root)).collect();
        let mut below = self.nodes_below(&edges);
        below.sort_unstable_by_key(|&index| self.store.node_at(index).level);
        // Making a node is no safe point (BDD-K6): nothing is collected on the way.
        let mut copies: FxHashMap<u32, Edge> = FxHashMap::default();
        copies.insert(0, Edge::FALSE);
        let at =
            |copies: &FxHashMap<u32, Edge>, edge: Edge| copies[&(edge.index() as u32)].signed(edge.sign());
        for index in below {
            let node = self.store.node_at(index);
            let (low, high) = (at(&copies, node.low), at(&copies, node.high));
            let made = copy.mk(node.level, low, high).map_err(|stop| match stop {
                Stop::Interrupted(why) => why,
                Stop::Reorder | Stop::TooLarge => {
                    unreachable!("a new manager neither reorders nor has a limit")
                }
            })?;
            copies.insert(index, made);
        }
        Ok(edges.into_iter().map(|edge| copy.hand_out(at(&copies, edge))).collect())
    }
}
