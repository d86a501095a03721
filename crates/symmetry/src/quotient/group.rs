//! Grouping: blocks whose members can be exchanged become one block.
//!
//! Two members can be exchanged if swapping them fixes the marking. That is an equivalence, so each
//! block is compared with one of each group. Members of one block can always be exchanged, so for
//! two blocks the test is whether every tuple that mentions them keeps its multiplicity when its
//! members are put into either block in any way: lines, columns and, where a class occurs twice,
//! the diagonal.

use super::canonical::mix;
use super::marking::{Block, Marking, Tokens, block_of, component, label_of, normalise_labels};
use super::shape::Shape;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::LARGEST_FACTOR_COUNT;

/// Buffers of groupings.
#[derive(Default)]
pub(crate) struct Grouper {
    /// By block before, its block afterwards; the largest number if it was empty.
    pub(crate) group_of: Vec<u32>,
    signatures: Vec<u64>,
    sorted: Vec<u32>,
    moved: Tokens,
    blocks: Vec<Block>,
}

/// The group of an empty block.
pub(crate) const NO_GROUP: u32 = u32::MAX;

impl Grouper {
    /// Joins all blocks that can be joined, and drops empty ones. Tokens are sorted before and after.
    pub(crate) fn group(
        &mut self,
        shape: &Shape,
        marking: &mut Marking,
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        self.sign(shape, marking);
        let Grouper { signatures, sorted, group_of, .. } = &mut *self;
        sorted.clear();
        let filled =
            (0..marking.blocks.len() as u32).filter(|&block| marking.blocks[block as usize].size > 0);
        sorted.extend(filled);
        let key = |block: &u32| (marking.blocks[*block as usize].of, signatures[*block as usize]);
        sorted.sort_by_key(key);
        group_of.clear();
        group_of.resize(marking.blocks.len(), NO_GROUP);
        // First each group is the number of one of its blocks.
        for alike in sorted.chunk_by(|a, b| key(a) == key(b)) {
            let mut groups: Vec<u32> = Vec::new();
            'blocks: for &block in alike {
                for &group in &groups {
                    if can_join(shape, marking, group, block, meter)? {
                        group_of[block as usize] = group;
                        continue 'blocks;
                    }
                }
                groups.push(block);
                group_of[block as usize] = block;
            }
        }
        self.join(shape, marking);
        Ok(())
    }

    /// A hash of the tuples in which a block stands alone among those of its static subclass. Blocks
    /// that can be joined have equal ones.
    fn sign(&mut self, shape: &Shape, marking: &Marking) {
        self.signatures.clear();
        self.signatures.resize(marking.blocks.len(), 0);
        let of = |entry: u32| marking.blocks[block_of(entry) as usize].of;
        for &head in &marking.tokens.heads {
            let shapes = shape.components(head.place);
            let tuple = marking.tokens.tuple(shape, head);
            for (position, &entry) in tuple.iter().enumerate() {
                if !shapes[position].is_free {
                    continue;
                }
                let is_alone = (0..tuple.len()).all(|other| {
                    other == position || !shapes[other].is_free || of(tuple[other]) != of(entry)
                });
                if is_alone {
                    let mut seen = mix(mix(u64::from(head.place), position as u64), head.count);
                    for (other, &entry) in tuple.iter().enumerate().filter(|(other, _)| *other != position) {
                        seen = mix(mix(seen, other as u64), u64::from(entry));
                    }
                    let signature = &mut self.signatures[block_of(entry) as usize];
                    *signature = signature.wrapping_add(seen);
                }
            }
        }
    }

    /// Replaces blocks by their groups, which get numbers without gaps.
    fn join(&mut self, shape: &Shape, marking: &mut Marking) {
        let count = marking.blocks.len();
        let is_joined = (0..count).any(|block| self.group_of[block] != block as u32);
        if !is_joined {
            return;
        }
        self.blocks.clear();
        let mut number_of = vec![NO_GROUP; count];
        for (block, number) in number_of.iter_mut().enumerate() {
            if self.group_of[block] == block as u32 {
                *number = self.blocks.len() as u32;
                self.blocks.push(Block { of: marking.blocks[block].of, size: 0 });
            }
        }
        for block in 0..count {
            if self.group_of[block] != NO_GROUP {
                let group = number_of[self.group_of[block] as usize];
                self.group_of[block] = group;
                self.blocks[group as usize].size += marking.blocks[block].size;
            }
        }
        self.moved.clear();
        for &head in &marking.tokens.heads {
            let shapes = shape.components(head.place);
            let mut tuple = [0; LARGEST_FACTOR_COUNT];
            let tuple = &mut tuple[..shapes.len()];
            tuple.copy_from_slice(marking.tokens.tuple(shape, head));
            rename(shapes, tuple, |block| self.group_of[block as usize]);
            self.moved.push(head.place, tuple, head.count);
        }
        self.moved.sort_and_merge(shape);
        std::mem::swap(&mut marking.blocks, &mut self.blocks);
        std::mem::swap(&mut marking.tokens, &mut self.moved);
    }
}

/// Replaces blocks in a tuple; members of blocks that become one stay different.
fn rename(shapes: &[super::shape::ComponentShape], tuple: &mut [u32], group: impl Fn(u32) -> u32) {
    let mut old = [0; LARGEST_FACTOR_COUNT];
    old[..tuple.len()].copy_from_slice(tuple);
    for position in 0..tuple.len() {
        if !shapes[position].is_free {
            continue;
        }
        let label = match shapes[position].alike {
            1 => 0,
            // The first position with this member, until labels are normal.
            _ => (0..position)
                .find(|&first| shapes[first].is_free && old[first] == old[position])
                .unwrap_or(position) as u32,
        };
        tuple[position] = component(group(block_of(old[position])), label);
    }
    normalise_labels(shapes, tuple);
}

/// Whether the members of two blocks of one static subclass can be exchanged.
fn can_join(
    shape: &Shape,
    marking: &Marking,
    a: u32,
    b: u32,
    meter: &mut Meter,
) -> Result<bool, Interrupted> {
    let sizes = [marking.blocks[a as usize].size, marking.blocks[b as usize].size];
    for &head in &marking.tokens.heads {
        let shapes = shape.components(head.place);
        let tuple = marking.tokens.tuple(shape, head);
        let mentions = |entry: u32| block_of(entry) == a || block_of(entry) == b;
        // The different members of the two blocks, by the first position at which each stands.
        let mut members = [0; LARGEST_FACTOR_COUNT];
        let mut count = 0;
        for position in 0..tuple.len() {
            let is_first =
                || !(0..position).any(|first| shapes[first].is_free && tuple[first] == tuple[position]);
            if shapes[position].is_free && mentions(tuple[position]) && is_first() {
                members[count] = position;
                count += 1;
            }
        }
        if count == 0 {
            continue;
        }
        for choice in 0..1_u64 << count {
            meter.step()?;
            let into_b = choice.count_ones();
            if into_b > sizes[1] || count as u32 - into_b > sizes[0] {
                continue;
            }
            let mut moved = [0; LARGEST_FACTOR_COUNT];
            let moved = &mut moved[..tuple.len()];
            moved.copy_from_slice(tuple);
            for position in 0..tuple.len() {
                if !shapes[position].is_free {
                    continue;
                }
                let member = members[..count].iter().position(|&first| tuple[first] == tuple[position]);
                if let Some(member) = member {
                    let block = if choice >> member & 1 == 1 { b } else { a };
                    let label = if shapes[position].alike == 1 { 0 } else { members[member] as u32 };
                    moved[position] = component(block, label);
                } else {
                    moved[position] = component(block_of(tuple[position]), label_of(tuple[position]));
                }
            }
            normalise_labels(shapes, moved);
            if marking.tokens.count(shape, head.place, moved) != head.count {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
