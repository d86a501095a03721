//! All states that were found, in one flat vector, and a hash index that finds them again.
//!
//! Every value takes the same number of bytes: 1, 2, 4 or 8. A table starts with one byte per value
//! and is rewritten with twice as many the first time a value does not fit, which happens at most
//! three times. The index is an open-addressing table of state numbers.

use symbolon_budget::{Budget, Interrupted};

/// A slot of the index that holds no state.
const FREE: u32 = u32::MAX;

/// A set of states of equal length, numbered in the order in which they came.
#[derive(Debug)]
pub(crate) struct StateTable {
    /// The number of values in a state.
    length: usize,
    /// The number of bytes of a value.
    width: usize,
    /// The number of states.
    count: usize,
    /// The states, one after the other, values in little-endian order of bytes.
    bytes: Vec<u8>,
    /// State numbers by hash; a power of two of slots, at most half of them taken.
    slots: Vec<u32>,
    /// The bytes of the state that is being inserted.
    scratch: Vec<u8>,
    /// Bytes charged to the budget for the two vectors.
    charged: u64,
    budget: Budget,
}

impl StateTable {
    /// A table without states.
    pub(crate) fn new(length: usize, budget: &Budget) -> Self {
        StateTable {
            length,
            width: 1,
            count: 0,
            bytes: Vec::new(),
            slots: Vec::new(),
            scratch: Vec::new(),
            charged: 0,
            budget: budget.clone(),
        }
    }

    /// The number of states.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Writes the state with this number to `values`.
    pub(crate) fn read(&self, number: usize, values: &mut [u64]) {
        let bytes = self.stored(number);
        if self.width == 1 {
            values.iter_mut().zip(bytes).for_each(|(value, &byte)| *value = u64::from(byte));
            return;
        }
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(self.width)) {
            let mut all = [0; 8];
            all[..self.width].copy_from_slice(bytes);
            *value = u64::from_le_bytes(all);
        }
    }

    /// The number of `state`, if it was found.
    pub(crate) fn position(&self, state: &[u64]) -> Option<usize> {
        if self.slots.is_empty() || state.len() != self.length || !self.fits(state) {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.length * self.width);
        write(state, self.width, &mut bytes);
        match self.slots[self.slot_of(&bytes)] {
            FREE => None,
            number => Some(number as usize),
        }
    }

    /// Adds `state`. The answer is its number, and whether it is new.
    pub(crate) fn insert(&mut self, state: &[u64]) -> Result<(usize, bool), Interrupted> {
        debug_assert_eq!(state.len(), self.length);
        while !self.fits(state) {
            self.widen()?;
        }
        if 2 * (self.count + 1) > self.slots.len() {
            self.grow_index()?;
        }
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        write(state, self.width, &mut bytes);
        let answer = self.insert_bytes(&bytes);
        self.scratch = bytes;
        answer
    }

    fn insert_bytes(&mut self, bytes: &[u8]) -> Result<(usize, bool), Interrupted> {
        let slot = self.slot_of(bytes);
        if self.slots[slot] != FREE {
            return Ok((self.slots[slot] as usize, false));
        }
        if self.count >= FREE as usize {
            return Err(Interrupted::Overflow);
        }
        self.make_room(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        let number = self.count;
        self.slots[slot] = number as u32;
        self.count += 1;
        Ok((number, true))
    }

    /// Whether every value fits into the present width.
    fn fits(&self, state: &[u64]) -> bool {
        state.iter().all(|&value| bytes_needed(value) <= self.width)
    }

    /// The bytes of the state with this number.
    fn stored(&self, number: usize) -> &[u8] {
        let stride = self.length * self.width;
        &self.bytes[number * stride..(number + 1) * stride]
    }

    /// The slot that holds the state with these bytes, or the free slot where it belongs.
    fn slot_of(&self, bytes: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(bytes) as usize & mask;
        while self.slots[slot] != FREE && self.stored(self.slots[slot] as usize) != bytes {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Doubles the index.
    fn grow_index(&mut self) -> Result<(), Interrupted> {
        let before = self.slots.len();
        let after = (2 * before).max(1024);
        self.charge(4 * after)?;
        self.slots = vec![FREE; after];
        self.release(4 * before);
        self.fill_index();
        Ok(())
    }

    /// Enters all states into the index, which is empty.
    fn fill_index(&mut self) {
        for number in 0..self.count {
            let slot = self.slot_of(self.stored(number));
            self.slots[slot] = number as u32;
        }
    }

    /// Rewrites all states with twice as many bytes a value.
    fn widen(&mut self) -> Result<(), Interrupted> {
        let before = self.bytes.capacity();
        let after = 2 * self.bytes.len();
        self.charge(after)?;
        let mut wide = Vec::with_capacity(after);
        for value in self.bytes.chunks_exact(self.width) {
            wide.extend_from_slice(value);
            wide.resize(wide.len() + self.width, 0);
        }
        self.bytes = wide;
        self.width *= 2;
        self.release(before);
        // The hash of a state depends on its width.
        self.slots.fill(FREE);
        self.fill_index();
        Ok(())
    }

    /// Makes room for `more` bytes, doubling where it has to.
    fn make_room(&mut self, more: usize) -> Result<(), Interrupted> {
        let (length, before) = (self.bytes.len(), self.bytes.capacity());
        if length + more > before {
            let after = (2 * before).max(length + more).max(4096);
            self.charge(after)?;
            self.bytes.reserve_exact(after - length);
            self.release(before);
        }
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Interrupted> {
        self.budget.memory().charge(bytes as u64)?;
        self.charged += bytes as u64;
        Ok(())
    }

    fn release(&mut self, bytes: usize) {
        self.budget.memory().release(bytes as u64);
        self.charged -= bytes as u64;
    }
}

impl Drop for StateTable {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

/// The least number of bytes, out of 1, 2, 4 and 8, that hold `value`.
fn bytes_needed(value: u64) -> usize {
    match value {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x1_0000_0000 => 4,
        _ => 8,
    }
}

/// Appends the values of `state`, `width` bytes each; they must fit.
fn write(state: &[u64], width: usize, bytes: &mut Vec<u8>) {
    if width == 1 {
        bytes.extend(state.iter().map(|&value| value as u8));
        return;
    }
    for value in state {
        bytes.extend_from_slice(&value.to_le_bytes()[..width]);
    }
}

/// Spreads states over the index.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0_u64;
    for chunk in bytes.chunks(8) {
        let mut all = [0; 8];
        all[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(29) ^ u64::from_le_bytes(all)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    // The high bits of a product are the well mixed ones.
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Limits;

    #[test]
    fn states_survive_every_change_of_width() {
        let mut table = StateTable::new(2, &Budget::unlimited());
        let values = [0, 1, 255, 256, 65_535, 65_536, u64::from(u32::MAX), 1 << 32, i64::MAX as u64];
        let states: Vec<_> = values.iter().flat_map(|&a| values.map(|b| [a, b])).collect();
        for round in 0..2 {
            for (number, state) in states.iter().enumerate() {
                assert_eq!(table.insert(state), Ok((number, round == 0)), "{state:?}");
            }
        }
        assert_eq!(table.count(), states.len());
        for (number, state) in states.iter().enumerate() {
            let mut found = [0; 2];
            table.read(number, &mut found);
            assert_eq!(found, *state);
            assert_eq!(table.position(state), Some(number));
        }
        assert_eq!(table.position(&[2, 2]), None);
        assert_eq!(table.position(&[256 + 1, 1]), None, "a value is never cut to the width");
    }

    #[test]
    fn the_one_state_without_variables_is_stored_once() {
        let mut table = StateTable::new(0, &Budget::unlimited());
        assert_eq!(table.insert(&[]), Ok((0, true)));
        assert_eq!(table.insert(&[]), Ok((0, false)));
        assert_eq!(table.count(), 1);
    }

    #[test]
    fn memory_is_charged_and_given_back() {
        let budget = Budget::new(Limits { time: None, memory: Some(1 << 20) });
        let mut table = StateTable::new(4, &budget);
        let stopped = (0..).find_map(|n| table.insert(&[n, n, n, n]).err());
        assert_eq!(stopped, Some(Interrupted::Memory));
        assert!(table.count() > 10_000, "{}", table.count());
        let room = table.bytes.capacity() + 4 * table.slots.len();
        assert_eq!(budget.memory().charged(), room as u64);
        drop(table);
        assert_eq!(budget.memory().charged(), 0);
    }
}
