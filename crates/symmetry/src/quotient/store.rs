//! The symbolic markings found so far: byte strings with numbers in the order of discovery.

use std::hash::Hasher;
use symbolon_budget::{Budget, Interrupted};

/// Byte strings, each stored once.
pub(crate) struct Store {
    bytes: Vec<u8>,
    /// Where each string begins; one more at the end.
    starts: Vec<u64>,
    /// By slot, the number of a string plus one; 0 if the slot is free. A power of two.
    slots: Vec<u32>,
    budget: Budget,
    charged: u64,
}

impl Store {
    pub(crate) fn new(budget: &Budget) -> Store {
        Store { bytes: Vec::new(), starts: vec![0], slots: vec![0; 64], budget: budget.clone(), charged: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        &self.bytes[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The number of a string, and whether it is there for the first time.
    pub(crate) fn insert(&mut self, string: &[u8]) -> Result<(u32, bool), Interrupted> {
        if self.slots.len() < 2 * (self.len() + 1) {
            self.grow()?;
        }
        let slot = self.slot_of(string);
        if self.slots[slot] != 0 {
            return Ok((self.slots[slot] - 1, false));
        }
        let number = u32::try_from(self.len()).ok().filter(|&number| number < u32::MAX - 1);
        let number = number.ok_or(Interrupted::Memory)?;
        // Vectors double when they grow, and both copies exist then.
        for capacity in [(self.bytes.capacity(), self.bytes.len() + string.len(), 1), {
            (self.starts.capacity(), self.starts.len() + 1, size_of::<u64>())
        }] {
            let (capacity, length, size) = capacity;
            if length > capacity {
                self.charge((2 * length.max(64) * size) as u64)?;
            }
        }
        self.bytes.extend_from_slice(string);
        self.starts.push(self.bytes.len() as u64);
        self.slots[slot] = number + 1;
        Ok((number, true))
    }

    /// The slot of a string: its own, or the free one where it belongs.
    fn slot_of(&self, string: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(string) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.get(number - 1) == string => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) -> Result<(), Interrupted> {
        let size = self.slots.len() * 2;
        self.charge((size * size_of::<u32>()) as u64)?;
        self.slots = vec![0; size];
        for number in 0..self.len() as u32 {
            let slot = self.slot_of(self.get(number));
            self.slots[slot] = number + 1;
        }
        Ok(())
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Interrupted> {
        self.budget.memory().charge(bytes)?;
        self.charged += bytes;
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

fn hash(string: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(string);
    let hash = hasher.finish();
    hash ^ (hash >> 32)
}
