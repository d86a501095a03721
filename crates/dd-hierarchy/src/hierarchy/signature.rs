//! Signatures: what can be said of a set without computing anything, to see that two sets are
//! disjoint.
//!
//! A signature has four masks of 64 bits. Each belongs to a function from sequences to numbers
//! modulo 64 and says which numbers occur: the sum of all values, a weighted sum in which the place
//! counts, the first value, the last value. If two masks of one function have no bit in common, the
//! sets have no sequence in common. The sum is the strongest of the four, because components of
//! real models tend to keep token counts.
//!
//! Signatures lie in a table beside the nodes. They are computed when first asked for, so a flat
//! diagram, which has no labels, has none.

use crate::hierarchy::{Form, Hierarchy};
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// A sequence v₀ v₁ v₂ … weighs v₀ + w·(v₁ + w·(v₂ + …)), for each of these w. All are odd, so that
/// no value is lost.
const WEIGHTS: [u32; 2] = [1, 3];
const FIRST: usize = WEIGHTS.len();
const LAST: usize = FIRST + 1;
const FUNCTIONS: usize = LAST + 1;

/// A mask for each function.
pub(crate) type Masks = [u64; FUNCTIONS];

/// Nothing is known: every number may occur.
const ANYTHING: Masks = [u64::MAX; FUNCTIONS];
/// The empty sequence: sums are 0, there is no first and no last value.
const END: Masks = {
    let mut masks = [1; FUNCTIONS];
    masks[FIRST] = u64::MAX;
    masks[LAST] = u64::MAX;
    masks
};

/// Signatures by node; all masks 0 for those not computed.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    table: Vec<Masks>,
    charged: u64,
}

impl Hierarchy {
    /// Whether the signatures prove that two sets are disjoint.
    #[inline]
    pub(crate) fn are_surely_disjoint(&mut self, a: NodeId, b: NodeId) -> Result<bool, Interrupted> {
        Ok(prove_disjoint(&self.signature(a)?, &self.signature(b)?))
    }

    /// The signature of a set.
    #[inline]
    pub(crate) fn signature(&mut self, node: NodeId) -> Result<Masks, Interrupted> {
        match self.signatures.table.get(place_of(node)) {
            Some(known) if known[0] != 0 => Ok(*known),
            _ => self.add_signature(node),
        }
    }

    #[cold]
    fn add_signature(&mut self, node: NodeId) -> Result<Masks, Interrupted> {
        let masks = self.compute_signature(node)?;
        let place = place_of(node);
        if place >= self.signatures.table.len() {
            let length = (place + 1).next_power_of_two();
            let bytes = ((length - self.signatures.table.len()) * size_of::<Masks>()) as u64;
            self.manager.meter().budget().memory().charge(bytes)?;
            self.signatures.charged += bytes;
            self.signatures.table.resize(length, [0; FUNCTIONS]);
        }
        self.signatures.table[place] = masks;
        Ok(masks)
    }

    fn compute_signature(&mut self, node: NodeId) -> Result<Masks, Interrupted> {
        let mut masks = [0; FUNCTIONS];
        match self.form(node) {
            Form::One => return Ok(END),
            Form::Empty | Form::Undefined => return Ok(ANYTHING),
            Form::Leaf(view) => {
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    let rest = self.signature(child)?;
                    let value = (self.values.value(code) % 64) as u32;
                    for (function, &weight) in WEIGHTS.iter().enumerate() {
                        masks[function] |= times(weight, rest[function]).rotate_left(value);
                    }
                    masks[FIRST] |= 1 << value;
                    masks[LAST] |= if child == NodeId::ONE { 1 << value } else { rest[LAST] };
                }
            }
            Form::Set(view) => {
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    let (first, rest) = (self.signature(label)?, self.signature(child)?);
                    for (function, &weight) in WEIGHTS.iter().enumerate() {
                        masks[function] |= sums(first[function], times(weight, rest[function]));
                    }
                    masks[FIRST] |= first[FIRST];
                    masks[LAST] |= if child == NodeId::ONE { first[LAST] } else { rest[LAST] };
                }
            }
        }
        Ok(masks)
    }

    /// Whether the signature kept for a node, if any, is the one it has.
    pub(crate) fn signature_is_current(&mut self, node: NodeId) -> Result<bool, Interrupted> {
        let kept = self.signatures.table.get(place_of(node)).copied();
        Ok(match kept {
            Some(masks) if masks[0] != 0 => masks == self.compute_signature(node)?,
            _ => true,
        })
    }

    /// After a collection: dead nodes give their places back.
    pub(crate) fn forget_signatures_of_the_dead(&mut self) {
        if self.signatures.table.is_empty() {
            return;
        }
        let mut kept = vec![[0; FUNCTIONS]; self.signatures.table.len()];
        for node in self.manager.stored_nodes() {
            let place = place_of(node);
            if let (Some(new), Some(old)) = (kept.get_mut(place), self.signatures.table.get(place)) {
                *new = *old;
            }
        }
        self.signatures.table = kept;
    }
}

impl Drop for Hierarchy {
    fn drop(&mut self) {
        self.manager.meter().budget().memory().release(self.signatures.charged);
    }
}

/// Where the signature of a node lies: each has a place of its own, because nodes have two words at
/// the least; ONE has the first.
#[inline]
fn place_of(node: NodeId) -> usize {
    node.word() as usize / 2
}

/// Whether some function has no value in common.
#[inline]
pub(crate) fn prove_disjoint(a: &Masks, b: &Masks) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b == 0)
}

/// The numbers wi for i of a mask.
fn times(weight: u32, mask: u64) -> u64 {
    if weight == 1 || mask == u64::MAX {
        return mask;
    }
    ones(mask).fold(0, |sum, one| sum | 1 << (weight * one % 64))
}

/// The numbers i + j for i of one mask and j of the other.
fn sums(a: u64, b: u64) -> u64 {
    if a == u64::MAX || b == u64::MAX {
        return u64::MAX;
    }
    ones(a).fold(0, |sum, one| sum | b.rotate_left(one))
}

/// The positions of the bits of a mask.
fn ones(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let one = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (one < 64).then_some(one)
    })
}
