//! All states that were met, packed into bits, and a hash index that finds them again.
//!
//! Each variable has a field of bits inside one word. A field is as wide as its bound asks for; where no
//! bound is known, or a value exceeds it, fields grow and all states are packed anew (LOCAL-1). Nothing
//! hangs on bounds being right.

use symbolon_budget::{Budget, Interrupted};
use symbolon_model::VariableId;

/// A slot of the index that holds no state.
const FREE: u32 = u32::MAX;

/// The number of a state, in the order in which states were met.
pub(crate) type StateNumber = u32;

/// The bits of a variable.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    bits: u32,
}

impl Field {
    fn largest(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn read(self, words: &[u64]) -> u64 {
        words[self.word as usize] >> self.shift & self.largest()
    }

    fn write(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.largest() << self.shift) | value << self.shift;
    }
}

/// A set of states of equal length.
#[derive(Debug)]
pub(crate) struct States {
    fields: Vec<Field>,
    /// The number of words of a state.
    width: usize,
    words: Vec<u64>,
    count: u32,
    /// State numbers by hash; a power of two of slots, at most half of them taken.
    slots: Vec<u32>,
    /// The words of the state that is being inserted.
    scratch: Vec<u64>,
    charged: u64,
    budget: Budget,
}

impl States {
    /// No states. Bounds say how large values may become, where that is known.
    pub(crate) fn new(bounds: impl IntoIterator<Item = Option<u64>>, budget: &Budget) -> States {
        let bits: Vec<u32> = bounds.into_iter().map(|bound| bits_of(bound.unwrap_or(1))).collect();
        let (fields, width) = layout(&bits);
        States {
            fields,
            width,
            words: Vec::new(),
            count: 0,
            slots: Vec::new(),
            scratch: Vec::new(),
            charged: 0,
            budget: budget.clone(),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Writes the values of a state to `values`.
    pub(crate) fn read(&self, number: StateNumber, values: &mut [u64]) {
        let words = self.stored(number);
        values.iter_mut().zip(&self.fields).for_each(|(value, field)| *value = field.read(words));
    }

    /// The number of a state.
    pub(crate) fn insert(&mut self, state: &[u64]) -> Result<StateNumber, Interrupted> {
        for (variable, &value) in (0..).map(VariableId).zip(state) {
            self.make_fit(variable, value)?;
        }
        let mut words = std::mem::take(&mut self.scratch);
        words.clear();
        words.resize(self.width, 0);
        self.fields.iter().zip(state).for_each(|(field, &value)| field.write(&mut words, value));
        let number = self.insert_words(&words);
        self.scratch = words;
        number
    }

    /// The number of the state that differs from another one in these variables.
    pub(crate) fn insert_changed(
        &mut self,
        from: StateNumber,
        changes: &[(VariableId, u64)],
    ) -> Result<StateNumber, Interrupted> {
        for &(variable, value) in changes {
            self.make_fit(variable, value)?;
        }
        let mut words = std::mem::take(&mut self.scratch);
        words.clear();
        words.extend_from_slice(self.stored(from));
        for &(variable, value) in changes {
            self.fields[variable.index()].write(&mut words, value);
        }
        let number = self.insert_words(&words);
        self.scratch = words;
        number
    }

    fn insert_words(&mut self, words: &[u64]) -> Result<StateNumber, Interrupted> {
        if 2 * (self.count as usize + 1) > self.slots.len() {
            self.grow_index()?;
        }
        let slot = self.slot_of(words);
        if self.slots[slot] != FREE {
            return Ok(self.slots[slot]);
        }
        if self.count >= FREE - 1 {
            return Err(Interrupted::Overflow);
        }
        self.make_room(words.len())?;
        self.words.extend_from_slice(words);
        self.slots[slot] = self.count;
        self.count += 1;
        Ok(self.count - 1)
    }

    fn stored(&self, number: StateNumber) -> &[u64] {
        let begin = number as usize * self.width;
        &self.words[begin..begin + self.width]
    }

    /// The slot that holds the state with these words, or the free slot where it belongs.
    fn slot_of(&self, words: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(words) as usize & mask;
        while self.slots[slot] != FREE && self.stored(self.slots[slot]) != words {
            slot = (slot + 1) & mask;
        }
        slot
    }

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
            self.slots[slot] = number;
        }
    }

    /// Widens the field of a variable if a value does not fit.
    fn make_fit(&mut self, variable: VariableId, value: u64) -> Result<(), Interrupted> {
        let field = self.fields[variable.index()];
        if value <= field.largest() {
            return Ok(());
        }
        let mut bits: Vec<u32> = self.fields.iter().map(|field| field.bits).collect();
        // A value that grows is packed anew a few times only.
        bits[variable.index()] = bits_of(value).max(2 * field.bits).min(u64::BITS);
        let (fields, width) = layout(&bits);
        let length = width * self.count as usize;
        self.charge(8 * length)?;
        let mut words = vec![0; length];
        for number in 0..self.count {
            let (old, begin) = (self.stored(number), number as usize * width);
            let new = &mut words[begin..begin + width];
            self.fields.iter().zip(&fields).for_each(|(from, to)| to.write(new, from.read(old)));
        }
        self.release(8 * self.words.capacity());
        (self.fields, self.width, self.words) = (fields, width, words);
        self.slots.fill(FREE);
        self.fill_index();
        Ok(())
    }

    /// Makes room for more words, doubling where it has to.
    fn make_room(&mut self, more: usize) -> Result<(), Interrupted> {
        let (length, before) = (self.words.len(), self.words.capacity());
        if length + more > before {
            let after = (2 * before).max(length + more).max(1024);
            self.charge(8 * after)?;
            self.words.reserve_exact(after - length);
            self.release(8 * before);
            // What the allocator gives beyond what was asked for is not charged.
            debug_assert!(self.words.capacity() >= after);
        }
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Interrupted> {
        self.budget.memory().charge(bytes as u64)?;
        self.charged += bytes as u64;
        Ok(())
    }

    fn release(&mut self, bytes: usize) {
        let bytes = (bytes as u64).min(self.charged);
        self.budget.memory().release(bytes);
        self.charged -= bytes;
    }
}

impl Drop for States {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

/// The bits that hold all values up to this one; at least one.
fn bits_of(largest: u64) -> u32 {
    (u64::BITS - largest.leading_zeros()).max(1)
}

/// Fields of these widths, one after the other, none across two words; and the number of words.
fn layout(bits: &[u32]) -> (Vec<Field>, usize) {
    let (mut word, mut shift) = (0, 0);
    let mut fields = Vec::with_capacity(bits.len());
    for &bits in bits {
        if shift + bits > u64::BITS {
            (word, shift) = (word + 1, 0);
        }
        fields.push(Field { word, shift, bits });
        shift += bits;
    }
    let width = if bits.is_empty() { 0 } else { word as usize + 1 };
    (fields, width)
}

/// Spreads states over the index.
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0_u64;
    for word in words {
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    // The high bits of a product are the well mixed ones.
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Limits;

    const VALUES: [u64; 8] = [0, 1, 3, 4, 255, 65_536, 1 << 40, i64::MAX as u64];

    #[test]
    fn states_survive_every_change_of_width() {
        let states: Vec<[u64; 3]> = VALUES.iter().flat_map(|&a| VALUES.map(|b| [a, b, a ^ b])).collect();
        // Bounds that are right, wrong, and not known.
        for bound in [None, Some(0), Some(3), Some(i64::MAX as u64)] {
            let mut table = States::new([bound; 3], &Budget::unlimited());
            for _ in 0..2 {
                for (number, state) in (0..).zip(&states) {
                    assert_eq!(table.insert(state), Ok(number), "{state:?}");
                }
            }
            assert_eq!(table.count() as usize, states.len());
            for (number, state) in (0..).zip(&states) {
                let mut found = [7; 3];
                table.read(number, &mut found);
                assert_eq!(found, *state);
            }
        }
    }

    #[test]
    fn a_changed_state_is_the_one_with_these_values() {
        let mut table = States::new([None, Some(1), None], &Budget::unlimited());
        let first = table.insert(&[5, 1, 0]).expect("unlimited");
        for &value in &VALUES {
            let changed = table.insert_changed(first, &[(VariableId(0), value), (VariableId(2), 2)]);
            assert_eq!(changed, table.insert(&[value, 1, 2]));
        }
        let mut found = [0; 3];
        table.read(first, &mut found);
        assert_eq!(found, [5, 1, 0]);
        let same = table.insert_changed(first, &[]);
        assert_eq!(same, Ok(first));
    }

    #[test]
    fn the_one_state_without_variables_is_stored_once() {
        let mut table = States::new([], &Budget::unlimited());
        assert_eq!((table.insert(&[]), table.insert(&[])), (Ok(0), Ok(0)));
    }

    #[test]
    fn memory_is_charged_and_given_back() {
        let budget = Budget::new(Limits { time: None, memory: Some(1 << 20) });
        let mut table = States::new([None; 4], &budget);
        let stopped = (0..).find_map(|n| table.insert(&[n, n, n, n]).err());
        assert_eq!(stopped, Some(Interrupted::Memory));
        assert!(table.count() > 5_000, "{}", table.count());
        drop(table);
        assert_eq!(budget.memory().charged(), 0);
    }
}
