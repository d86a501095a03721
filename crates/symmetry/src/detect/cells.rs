//! Cells: members of a class that nothing has distinguished so far.

use super::bags::{Bag, Component};
use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, Hash};
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{ClassId, Net};

/// A partition of the members of each class.
pub(super) struct Cells {
    /// By class and member, the number of the cell, which no other class has.
    cell_of: Vec<Vec<u32>>,
    /// By cell, the number of members.
    sizes: Vec<u32>,
}

impl Cells {
    /// Every class is one cell.
    pub(super) fn new(net: &Net) -> Cells {
        let sizes: Vec<u32> = net.classes.iter().map(|class| class.size() as u32).collect();
        let cell_of = sizes.iter().zip(0..).map(|(size, cell)| vec![cell; *size as usize]).collect();
        Cells { cell_of, sizes }
    }

    /// The number of members of a class.
    pub(super) fn size(&self, class: ClassId) -> usize {
        self.cell_of[class.index()].len()
    }

    /// The cells of a class: members that are together.
    pub(super) fn of(&self, class: ClassId) -> Vec<Vec<u32>> {
        let mut position: FxHashMap<u32, usize> = FxHashMap::default();
        let mut cells: Vec<Vec<u32>> = Vec::new();
        for (member, cell) in self.cell_of[class.index()].iter().enumerate() {
            let next = cells.len();
            let position = *position.entry(*cell).or_insert(next);
            if position == next {
                cells.push(Vec::new());
            }
            cells[position].push(member as u32);
        }
        cells
    }

    /// Separates members of a class with different entries. Whether that changes anything.
    pub(super) fn split_by(&mut self, class: ClassId, table: &[u64]) -> bool {
        let members = (0..table.len() as u32).map(|member| (class, member, table[member as usize]));
        !self.split(members.collect()).is_empty()
    }

    /// Separates members that stand differently in a bag, up to the cells of what stands beside them.
    /// The classes in which that changes something.
    pub(super) fn split_by_bag(
        &mut self,
        bag: &Bag,
        number: u64,
        meter: &mut Meter,
    ) -> Result<Vec<ClassId>, Interrupted> {
        let mut signatures: FxHashMap<(ClassId, u32), u64> = FxHashMap::default();
        for (point, count) in &bag.points {
            meter.step()?;
            for &own in point {
                let Component::Constant(class, member) = own else { continue };
                // A sum, so that the order of points does not matter.
                let seen: Vec<(u8, u32)> = point.iter().map(|part| self.seen_beside(own, *part)).collect();
                let signature = signatures.entry((class, member)).or_default();
                *signature = signature.wrapping_add(hash((number, count, seen)));
            }
        }
        Ok(self.split(signatures.into_iter().map(|((class, member), sign)| (class, member, sign)).collect()))
    }

    /// What one component of a tuple says about another one: the same member, or its cell.
    fn seen_beside(&self, own: Component, other: Component) -> (u8, u32) {
        match other {
            _ if own == other => (0, 0),
            Component::Constant(class, member) => (1, self.cell_of[class.index()][member as usize]),
            Component::Symbol(number) => (2, number),
        }
    }

    /// Separates the members listed from all others, and from each other if their signatures differ.
    /// The classes in which that changes something, ascending.
    fn split(&mut self, mut listed: Vec<(ClassId, u32, u64)>) -> Vec<ClassId> {
        // In the order of members, so that the numbers of cells do not depend on hash order.
        listed.sort_unstable();
        let mut groups: Vec<Vec<(ClassId, u32)>> = Vec::new();
        let mut group_of: FxHashMap<(u32, u64), usize> = FxHashMap::default();
        for (class, member, signature) in listed {
            let cell = self.cell_of[class.index()][member as usize];
            let next = groups.len();
            let group = *group_of.entry((cell, signature)).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push((class, member));
        }
        let mut changed = Vec::new();
        for group in groups {
            let (class, first) = group[0];
            let cell = self.cell_of[class.index()][first as usize] as usize;
            if group.len() == self.sizes[cell] as usize {
                continue;
            }
            let next = self.sizes.len() as u32;
            self.sizes[cell] -= group.len() as u32;
            self.sizes.push(group.len() as u32);
            group.iter().for_each(|(class, member)| self.cell_of[class.index()][*member as usize] = next);
            changed.push(class);
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

fn hash(value: impl Hash) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(value)
}
