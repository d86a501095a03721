//! A vtree for some functions, whatever becomes of the others.
//!
//! A search counts all nodes, also those of functions that only help, such as the clusters of a
//! relation. So the functions that matter are copied to a manager of their own, a vtree is looked for
//! there, and the moves that led to it are made here: nodes of the vtree have the same numbers in
//! both.

use crate::edge::{Edge, Element};
use crate::sdd::{Sdd, Stop};
use crate::search::{Minimisation, Turn};
use rustc_hash::FxHashMap;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::Root;

impl Sdd {
    /// Looks for a vtree under which these functions have fewer elements, in several ways, each of
    /// which is a sequence of searches, and takes on the best. When interrupted, functions are as valid
    /// as before and the vtree is the one reached.
    pub fn minimise_for(&mut self, functions: &[&Root], ways: &[&[Minimisation]]) -> Result<(), Interrupted> {
        let mut best: Option<(usize, Vec<Turn>)> = None;
        for way in ways {
            let (size, turns) = self.searched_for(functions, way)?;
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, turns));
            }
        }
        best.map_or(Ok(()), |(_, turns)| self.turn_all(&turns))
    }

    /// The elements that the functions have after some searches, and the moves that led there.
    fn searched_for(
        &self,
        functions: &[&Root],
        way: &[Minimisation],
    ) -> Result<(usize, Vec<Turn>), Interrupted> {
        let meter = Meter::new(self.meter.budget().clone());
        let mut copy = Sdd::new(self.vtree.clone(), meter, self.limits)?;
        copy.minimising.atoms.clone_from(&self.minimising.atoms);
        copy.minimising.groups.clone_from(&self.minimising.groups);
        let kept = self.copy_into(&mut copy, functions)?;
        let mut turns = Vec::new();
        for &search in way {
            copy.minimise(search)?;
            turns.append(&mut copy.minimising.turns);
        }
        drop(kept);
        Ok((copy.store.size(), turns))
    }

    /// The same functions in another manager with the same vtree.
    pub(super) fn copy_into(&self, copy: &mut Sdd, functions: &[&Root]) -> Result<Vec<Root>, Interrupted> {
        let edges: Vec<Edge> = functions.iter().map(|root| Edge::of(root)).collect();
        let regular: Vec<Edge> = edges.iter().map(|edge| edge.regular()).collect();
        // Making a node is no operation from outside (SDD-K7): nothing is collected on the way.
        let mut copies: FxHashMap<u32, Edge> = FxHashMap::default();
        let at = |copies: &FxHashMap<u32, Edge>, edge: Edge| match self.is_decision(edge) {
            true => copies[&(edge.index() as u32)].flipped(!edge.is_regular()),
            // Constants and literals have the same numbers everywhere.
            false => edge,
        };
        for edge in self.edges_below(&regular) {
            if copies.contains_key(&(edge.index() as u32)) {
                continue;
            }
            let edge = edge.regular();
            for (prime, sub) in self.elements_of(edge) {
                copy.stack.push(Element::new(at(&copies, prime), at(&copies, sub)));
            }
            let made = copy.make(self.place(edge), 0).map_err(|stop| match stop {
                Stop::Interrupted(reason) => reason,
                Stop::TooLarge | Stop::Minimise => {
                    unreachable!("a new manager has no limit and keeps its vtree")
                }
            })?;
            copies.insert(edge.index() as u32, made);
        }
        Ok(edges.into_iter().map(|edge| copy.hand_out(at(&copies, edge))).collect())
    }
}
