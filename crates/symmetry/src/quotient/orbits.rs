//! Sizes of orbits, exact, and their sums over many markings.
//!
//! The permutations of a symmetry are `∏ |static|! · ∏ |rotating|` in number. Those that fix a marking
//! permute members inside blocks, and whole blocks by its automorphisms, so the orbit has
//! `∏ |static|! · ∏ |rotating| / (∏ |block|! · |automorphisms|)` markings (SYM-4).

use super::marking::Block;
use super::shape::Shape;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use symbolon_budget::{Interrupted, Meter};

/// A sum over markings, sorted by the sizes of their blocks.
#[derive(Default)]
pub(crate) struct OrbitSums {
    /// By [`sizes_key`], the parts of the sum by number of automorphisms.
    parts: FxHashMap<Box<[u32]>, Vec<Part>>,
    key: Vec<u32>,
}

struct Part {
    automorphisms: u128,
    /// The number of symbolic markings.
    count: u64,
    /// The sum of the numbers of bindings that are enabled in one marking of each orbit.
    weight: u128,
}

/// Numbers of markings and of their edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) markings: BigUint,
    pub(crate) edges: BigUint,
}

impl OrbitSums {
    /// Adds a marking with the number of its automorphisms and of enabled bindings.
    pub(crate) fn add(
        &mut self,
        shape: &Shape,
        blocks: &[Block],
        automorphisms: u128,
        weight: u128,
    ) -> Result<(), Interrupted> {
        sizes_key(shape, blocks, &mut self.key);
        if !self.parts.contains_key(&self.key[..]) {
            self.parts.insert(self.key.clone().into(), Vec::new());
        }
        let Some(parts) = self.parts.get_mut(&self.key[..]) else { return Ok(()) };
        match parts.iter_mut().find(|part| part.automorphisms == automorphisms) {
            Some(part) => {
                part.count += 1;
                part.weight = part.weight.checked_add(weight).ok_or(Interrupted::Overflow)?;
            }
            None => parts.push(Part { automorphisms, count: 1, weight }),
        }
        Ok(())
    }

    /// The sums of orbit sizes.
    pub(crate) fn totals(&self, shape: &Shape, meter: &mut Meter) -> Result<Totals, Interrupted> {
        // Sorted keys differ little from one to the next, so the quotient of factorials follows by
        // small factors.
        let mut keys: Vec<&[u32]> = self.parts.keys().map(|key| &**key).collect();
        keys.sort_unstable();
        let mut quotient = Multinomial::new(shape);
        let mut totals = Totals { markings: BigUint::ZERO, edges: BigUint::ZERO };
        for key in keys {
            quotient.move_to(key, meter)?;
            for part in &self.parts[key] {
                let orbit = || &quotient.value / part.automorphisms;
                totals.markings += orbit() * part.count;
                totals.edges += orbit() * part.weight;
            }
        }
        Ok(totals)
    }
}

/// The sizes of blocks, descending, per static subclass; blocks with one member do not matter, and 1
/// ends each list.
fn sizes_key(shape: &Shape, blocks: &[Block], key: &mut Vec<u32>) {
    key.clear();
    let mut rest = blocks;
    for of in 0..shape.statics.len() as u32 {
        let begin = key.len();
        // Blocks are sorted by static subclass.
        let length = rest.iter().position(|block| block.of != of).unwrap_or(rest.len());
        key.extend(rest[..length].iter().map(|block| block.size).filter(|size| *size > 1));
        rest = &rest[length..];
        key[begin..].sort_unstable_by(|a, b| b.cmp(a));
        key.push(1);
    }
}

/// `∏ |static|! · ∏ |rotating| / ∏ |block|!` for changing blocks.
struct Multinomial {
    /// By static subclass.
    sizes: Vec<Vec<u32>>,
    value: BigUint,
}

impl Multinomial {
    fn new(shape: &Shape) -> Multinomial {
        let mut value = BigUint::from(1_u32);
        for of in &shape.statics {
            for factor in 2..=of.members.len() as u32 {
                value *= factor;
            }
        }
        for class in &shape.rotating {
            value *= shape.classes[class.index()].size;
        }
        Multinomial { sizes: vec![Vec::new(); shape.statics.len()], value }
    }

    /// Sizes only shrink first and only grow then, so every quotient on the way is whole.
    fn move_to(&mut self, key: &[u32], meter: &mut Meter) -> Result<(), Interrupted> {
        let lists = || key.split_inclusive(|size| *size == 1).map(|list| &list[..list.len() - 1]);
        for (sizes, target) in self.sizes.iter_mut().zip(lists()) {
            sizes.resize(sizes.len().max(target.len()), 1);
            for (position, size) in sizes.iter_mut().enumerate() {
                while *size > target.get(position).copied().unwrap_or(1) {
                    meter.step()?;
                    self.value *= *size;
                    *size -= 1;
                }
            }
        }
        for (sizes, target) in self.sizes.iter_mut().zip(lists()) {
            for (size, target) in sizes.iter_mut().zip(target) {
                while *size < *target {
                    meter.step()?;
                    *size += 1;
                    self.value /= *size;
                }
            }
        }
        Ok(())
    }
}
