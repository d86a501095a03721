//! Symbolic markings.

use super::shape::{ComponentShape, Shape};
use symbolon_budget::Interrupted;
use symbolon_coloured::LARGEST_FACTOR_COUNT;

/// A marking up to the names of colours.
///
/// The members of each static subclass are cut into *blocks*, of which only the sizes are known. A
/// token of a tuple of blocks stands for one token of each tuple of their members. Labels say which
/// components are equal: `(Z.0, Z.0)` is the diagonal of block Z, `(Z.0, Z.1)` all pairs of two
/// different members (SYM-3).
#[derive(Clone, Default)]
pub(crate) struct Marking {
    pub(crate) blocks: Vec<Block>,
    pub(crate) tokens: Tokens,
}

/// Members of a static subclass that nothing distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The static subclass.
    pub(crate) of: u32,
    /// The number of members.
    pub(crate) size: u32,
}

/// A multiset of tuples, by place.
#[derive(Clone, Default)]
pub(crate) struct Tokens {
    pub(crate) heads: Vec<Head>,
    /// The components of all tuples.
    pub(crate) pool: Vec<u32>,
}

/// A tuple with its multiplicity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) place: u32,
    /// Where its components begin in the pool.
    at: u32,
    pub(crate) count: u64,
}

/// The bits of a component that hold the label: a tuple has at most [`LARGEST_FACTOR_COUNT`] labels.
const LABEL_BITS: u32 = 6;

/// The component that stands for a member of a block.
pub(crate) fn component(block: u32, label: u32) -> u32 {
    block << LABEL_BITS | label
}

pub(crate) fn block_of(component: u32) -> u32 {
    component >> LABEL_BITS
}

pub(crate) fn label_of(component: u32) -> u32 {
    component & ((1 << LABEL_BITS) - 1)
}

/// Numbers the labels of each block in a tuple in the order in which they come.
pub(crate) fn normalise_labels(shapes: &[ComponentShape], tuple: &mut [u32]) {
    let mut raw = [0; LARGEST_FACTOR_COUNT];
    raw[..tuple.len()].copy_from_slice(tuple);
    for position in 0..tuple.len() {
        if !shapes[position].is_free || shapes[position].alike == 1 {
            continue;
        }
        let block = block_of(raw[position]);
        let mut next = 0;
        for earlier in (0..position).filter(|&earlier| shapes[earlier].is_free) {
            if raw[earlier] == raw[position] {
                next = label_of(tuple[earlier]);
                break;
            }
            if block_of(raw[earlier]) == block {
                next = next.max(label_of(tuple[earlier]) + 1);
            }
        }
        tuple[position] = component(block, next);
    }
}

impl Tokens {
    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.pool.clear();
    }

    /// Adds a tuple; the result is not sorted.
    pub(crate) fn push(&mut self, place: u32, tuple: &[u32], count: u64) {
        self.heads.push(Head { place, at: self.pool.len() as u32, count });
        self.pool.extend_from_slice(tuple);
    }

    pub(crate) fn tuple(&self, shape: &Shape, head: Head) -> &[u32] {
        let at = head.at as usize;
        &self.pool[at..at + shape.width(head.place)]
    }

    pub(crate) fn tuple_mut(&mut self, shape: &Shape, head: Head) -> &mut [u32] {
        let at = head.at as usize;
        &mut self.pool[at..at + shape.width(head.place)]
    }

    /// Sorts by place and tuple.
    pub(crate) fn sort(&mut self, shape: &Shape) {
        let pool = &self.pool;
        let key = |head: &Head| {
            let at = head.at as usize;
            (head.place, &pool[at..at + shape.width(head.place)])
        };
        if !self.heads.is_sorted_by(|a, b| key(a) <= key(b)) {
            self.heads.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        }
    }

    /// Sorts, and adds up equal tuples.
    pub(crate) fn sort_and_sum(&mut self, shape: &Shape) -> Result<(), Interrupted> {
        self.sort(shape);
        let pool = &self.pool;
        let mut is_too_large = false;
        self.heads.dedup_by(|later, kept| {
            let width = shape.width(kept.place);
            let (a, b) = (later.at as usize, kept.at as usize);
            let is_equal = later.place == kept.place && pool[a..a + width] == pool[b..b + width];
            if is_equal {
                let sum = kept.count.checked_add(later.count);
                is_too_large |= sum.is_none();
                kept.count = sum.unwrap_or(u64::MAX);
            }
            is_equal
        });
        if is_too_large { Err(Interrupted::Overflow) } else { Ok(()) }
    }

    /// Sorts, and keeps one of equal tuples, which have equal counts.
    pub(crate) fn sort_and_merge(&mut self, shape: &Shape) {
        self.sort(shape);
        let pool = &self.pool;
        self.heads.dedup_by(|later, kept| {
            let width = shape.width(kept.place);
            let (a, b) = (later.at as usize, kept.at as usize);
            later.place == kept.place && pool[a..a + width] == pool[b..b + width]
        });
    }

    /// The position of a tuple among sorted tokens.
    pub(crate) fn find(&self, shape: &Shape, place: u32, tuple: &[u32]) -> Option<usize> {
        self.heads.binary_search_by(|head| (head.place, self.tuple(shape, *head)).cmp(&(place, tuple))).ok()
    }

    /// The multiplicity of a tuple among sorted tokens.
    pub(crate) fn count(&self, shape: &Shape, place: u32, tuple: &[u32]) -> u64 {
        self.find(shape, place, tuple).map_or(0, |position| self.heads[position].count)
    }

    /// The tuples of one place among sorted tokens.
    pub(crate) fn of_place(&self, place: u32) -> &[Head] {
        let begin = self.heads.partition_point(|head| head.place < place);
        let length = self.heads[begin..].partition_point(|head| head.place == place);
        &self.heads[begin..begin + length]
    }
}

/// How many tuples of members a tuple of blocks stands for; `None` beyond 2^128.
pub(crate) fn tuple_count(shapes: &[ComponentShape], blocks: &[Block], tuple: &[u32]) -> Option<u128> {
    let mut product: u128 = 1;
    for (position, &entry) in tuple.iter().enumerate() {
        if !shapes[position].is_free {
            continue;
        }
        let is_seen = (0..position).any(|earlier| shapes[earlier].is_free && tuple[earlier] == entry);
        if !is_seen {
            // Labels are normal, so this many members of the block are taken before.
            let left = blocks[block_of(entry) as usize].size.checked_sub(label_of(entry))?;
            product = product.checked_mul(u128::from(left))?;
        }
    }
    Some(product)
}
