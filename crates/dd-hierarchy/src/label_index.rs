//! An index of labels by their signatures: which of many labels a given one may meet.
//!
//! Two wide nodes have a million pairs of labels, nearly all of them disjoint by their signatures,
//! and looking at each pair is what a union of such nodes would spend its time on. The index turns
//! the table around: for each function of the signature and each number modulo 64 it has the set of
//! labels for which that number occurs, as bits. The labels that a given one may meet come out 64
//! at a time.

use crate::hierarchy::signature::Masks;

/// With fewer labels than this, going through them one by one is as good.
pub(crate) const WORTHWHILE: usize = 32;

const FUNCTIONS: usize = size_of::<Masks>() / 8;
/// The words of a block: one for each function and number, with a bit for each of 64 labels.
const BLOCK: usize = FUNCTIONS * 64;

/// Labels 0, 1, 2, … by their signatures.
#[derive(Debug, Default)]
pub(crate) struct LabelIndex {
    blocks: Vec<u64>,
    count: usize,
}

impl LabelIndex {
    /// The number of labels.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds the next label.
    pub(crate) fn add(&mut self, masks: &Masks) {
        if self.count.is_multiple_of(64) {
            self.blocks.resize(self.blocks.len() + BLOCK, 0);
        }
        let block = self.blocks.len() - BLOCK;
        let bit = 1 << (self.count % 64);
        for (function, &mask) in masks.iter().enumerate() {
            let mut left = mask;
            while left != 0 {
                self.blocks[block + function * 64 + left.trailing_zeros() as usize] |= bit;
                left &= left - 1;
            }
        }
        self.count += 1;
    }

    /// The labels, ascending, that are not proved disjoint from one with this signature.
    pub(crate) fn candidates(&self, masks: &Masks, found: &mut Vec<usize>) {
        found.clear();
        for (number, block) in self.blocks.chunks_exact(BLOCK).enumerate() {
            let mut meeting = u64::MAX;
            for (function, &mask) in masks.iter().enumerate() {
                // Everything meets a full mask, and a block has labels for at least one number.
                if mask == u64::MAX {
                    continue;
                }
                let mut left = mask;
                let mut here = 0;
                while left != 0 {
                    here |= block[function * 64 + left.trailing_zeros() as usize];
                    left &= left - 1;
                }
                meeting &= here;
            }
            let used = (self.count - number * 64).min(64);
            meeting &= u64::MAX >> (64 - used);
            while meeting != 0 {
                found.push(number * 64 + meeting.trailing_zeros() as usize);
                meeting &= meeting - 1;
            }
        }
    }
}
