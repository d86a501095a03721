//! Orbits under more permutations than a net admits: how much partial symmetry could gain.
//!
//! A transition that treats one member differently breaks the symmetry of all markings, also of those in
//! which that member is like the others. Partial symmetry stores markings up to *all* permutations and
//! tells members apart only where such a transition needs it. At best one symbolic marking is then left
//! per orbit of reachable markings under all permutations; this counts these orbits.

use super::marking::{Block, Marking, Tokens, component};
use super::shape::Shape;
use super::store::Store;
use super::successors::Workspace;
use super::{Quotient, code};
use crate::symmetry::Symmetry;
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::ClassId;

impl Quotient {
    /// The number of orbits of the reachable markings under `symmetry`, which admits all permutations
    /// that the quotient was explored with, and perhaps others that the net notices.
    pub fn orbits_under(&self, symmetry: &Symmetry, budget: &Budget) -> Result<usize, Interrupted> {
        let coarse = Shape::new(self.net(), symmetry);
        let mut meter = Meter::new(budget.clone());
        let (mut store, mut work) = (Store::new(budget), Workspace::default());
        let mut marking = Marking::default();
        for number in 0..self.symbolic_count() as u32 {
            code::decode(&self.problem.shape, self.store.get(number), &mut marking);
            work.steps.firing.next = self.seen_coarsely(&marking, &coarse);
            work.steps.canonise(&coarse, &mut meter)?;
            store.insert(&work.steps.canonical.code)?;
        }
        Ok(store.len())
    }

    /// A marking with the blocks of a shape with larger static subclasses. A member of a class that was
    /// not free becomes a block of its own.
    fn seen_coarsely(&self, marking: &Marking, coarse: &Shape) -> Marking {
        let shape = &self.problem.shape;
        let static_of =
            |class: ClassId, member: u32| coarse.classes[class.index()].static_of[member as usize];
        let mut blocks: Vec<Block> = marking
            .blocks
            .iter()
            .map(|block| {
                let of = &shape.statics[block.of as usize];
                Block { of: static_of(of.class, of.members[0]), size: block.size }
            })
            .collect();
        let mut single: FxHashMap<(ClassId, u32), u32> = FxHashMap::default();
        for class in self.net().class_ids() {
            let (fine, coarse) = (&shape.classes[class.index()], &coarse.classes[class.index()]);
            if fine.static_of.is_empty() && !coarse.static_of.is_empty() {
                for member in 0..fine.size {
                    single.insert((class, member), blocks.len() as u32);
                    blocks.push(Block { of: static_of(class, member), size: 1 });
                }
            }
        }
        let mut tokens = Tokens::default();
        for &head in &marking.tokens.heads {
            let components = shape.components(head.place).iter().zip(marking.tokens.tuple(shape, head));
            let entry = |(of, &entry): (&super::shape::ComponentShape, &u32)| {
                single
                    .get(&(of.class, entry))
                    .filter(|_| !of.is_free)
                    .map_or(entry, |&block| component(block, 0))
            };
            let tuple: Vec<u32> = components.map(entry).collect();
            tokens.push(head.place, &tuple, head.count);
        }
        // Blocks of a class come in the order of its static subclasses.
        let mut order: Vec<u32> = (0..blocks.len() as u32).collect();
        order.sort_by_key(|&block| blocks[block as usize].of);
        let mut rank = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&block, position)| rank[block as usize] = position);
        let mut moved =
            Marking { blocks: order.iter().map(|&block| blocks[block as usize]).collect(), tokens };
        for position in 0..moved.tokens.heads.len() {
            let head = moved.tokens.heads[position];
            for (entry, of) in
                moved.tokens.tuple_mut(coarse, head).iter_mut().zip(coarse.components(head.place))
            {
                if of.is_free {
                    let block = super::marking::block_of(*entry);
                    *entry = component(rank[block as usize], super::marking::label_of(*entry));
                }
            }
        }
        moved.tokens.sort(coarse);
        moved
    }
}
