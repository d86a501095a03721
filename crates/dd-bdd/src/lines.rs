//! Where the lines of all unique tables lie: slabs of huge pages, cut into blocks.
//!
//! A search in a table touches a line that is in no cache, so nearly every one misses both the
//! processor's caches and its buffer of page addresses. The second is avoided if tables lie in
//! pages of 2 MB, and a table of one level is rarely that large. So tables share slabs of that
//! size. A block is a power of two of lines; a free one unites with its neighbour as soon as that
//! is free too (K. C. Knowlton, CACM 1965). The first slab begins small and doubles: most managers
//! need no more.

use allocator_api2::vec::Vec as VecIn;
use hugealloc::HugeAlloc;
use std::collections::BTreeSet;

/// Entries of a line.
pub(crate) const ENTRIES: usize = 8;

/// Eight entries of a unique table, of which those in use come first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Line {
    pub(crate) hashes: [u32; ENTRIES],
    /// Numbers of nodes, or [`VACANT`].
    pub(crate) indices: [u32; ENTRIES],
}

const _: () = assert!(size_of::<Line>() == 64);

/// No number of a node.
pub(crate) const VACANT: u32 = u32::MAX;
pub(crate) const EMPTY: Line = Line { hashes: [VACANT; ENTRIES], indices: [VACANT; ENTRIES] };

/// All lines, in use or free, with a number each.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    slabs: Vec<VecIn<Line, HugeAlloc>>,
    /// By order: the numbers of the first lines of the free blocks. Sorted, so that equal runs take
    /// equal blocks.
    free: [BTreeSet<u32>; LARGEST_ORDER as usize + 1],
}

/// A block of this order, 2^15 lines, is a slab.
pub(crate) const LARGEST_ORDER: u32 = 15;
const SLAB: usize = 1 << LARGEST_ORDER;
const SMALLEST_SLAB: usize = 64;

impl Lines {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Line {
        &self.slabs[number as usize / SLAB][number as usize % SLAB]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut Line {
        &mut self.slabs[number as usize / SLAB][number as usize % SLAB]
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.slabs.iter().map(|slab| (slab.len() * size_of::<Line>()) as u64).sum()
    }

    /// Whether `count` blocks can be taken.
    pub(crate) fn has_room(&self, count: usize, order: u32) -> bool {
        let blocks = |larger: u32| self.free[larger as usize].len() << (larger - order);
        (order..=LARGEST_ORDER).map(blocks).sum::<usize>() >= count
    }

    /// A block of 2^`order` empty lines: the number of the first. There must be room.
    pub(crate) fn take(&mut self, order: u32) -> u32 {
        let found = (order..=LARGEST_ORDER).find(|&larger| !self.free[larger as usize].is_empty());
        let found = found.expect("there is room");
        let start = self.free[found as usize].pop_first().expect("found just now");
        // The upper halves stay free.
        for half in order..found {
            self.free[half as usize].insert(start + (1 << half));
        }
        for number in start..start + (1 << order) {
            *self.get_mut(number) = EMPTY;
        }
        start
    }

    /// Gives a block back.
    pub(crate) fn give_back(&mut self, mut start: u32, mut order: u32) {
        while order < LARGEST_ORDER && self.free[order as usize].remove(&(start ^ (1 << order))) {
            start &= !(1 << order);
            order += 1;
        }
        self.free[order as usize].insert(start);
    }

    /// Drops slabs at the end that are free as a whole.
    pub(crate) fn trim(&mut self) {
        while self.slabs.len() > 1 {
            let start = ((self.slabs.len() - 1) * SLAB) as u32;
            if !self.free[LARGEST_ORDER as usize].remove(&start) {
                return;
            }
            self.slabs.pop();
        }
    }

    /// The bytes by which [`Lines::grow`] would grow.
    pub(crate) fn growth_bytes(&self) -> u64 {
        let more = match self.slabs.as_slice() {
            [] => SMALLEST_SLAB,
            [only] if only.len() < SLAB => only.len(),
            _ => SLAB,
        };
        (more * size_of::<Line>()) as u64
    }

    /// Adds free lines. The caller has charged for them.
    pub(crate) fn grow(&mut self) {
        let more = self.growth_bytes() as usize / size_of::<Line>();
        let slab_count = self.slabs.len();
        let start = match self.slabs.as_mut_slice() {
            [only] if only.len() < SLAB => {
                let start = only.len();
                only.resize(start + more, EMPTY);
                start
            }
            _ => {
                let mut slab = VecIn::with_capacity_in(more, HugeAlloc);
                slab.resize(more, EMPTY);
                self.slabs.push(slab);
                slab_count * SLAB
            }
        };
        self.give_back(start as u32, more.ilog2());
    }
}
