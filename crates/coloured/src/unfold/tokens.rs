//! The tokens that can occur: pairs of a place and a colour, numbered in the order of discovery.
//!
//! Tokens are *known* once they are discovered, and *joined* once they were matched with those that
//! came before. They are joined in the order of their numbers, so one number separates the two.

use super::slot_term::MemberSlot;
use crate::ids::PlaceId;
use crate::net::Net;
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted};

/// All known tokens, and the indexes over those that are joined.
pub(super) struct TokenTable {
    places: Vec<PlaceTokens>,
    /// Place and code of each token.
    tokens: Vec<(PlaceId, u64)>,
    indexes: Vec<Index>,
    /// The tokens below this number are joined.
    pub(super) joined: u32,
    charge: Charge,
}

struct PlaceTokens {
    numbers: FxHashMap<u64, u32>,
    /// For each factor of the domain: how far apart the codes of neighbouring members are, and the
    /// size of the class.
    strides: Vec<(u64, u64)>,
    indexes: Vec<IndexId>,
}

/// The number of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexId(u32);

/// The joined tokens of one place, by their members at some positions.
struct Index {
    place: PlaceId,
    /// The positions, as bits.
    mask: u64,
    tokens: FxHashMap<u64, Vec<u32>>,
}

/// Bytes charged to a budget, given back at the end.
pub(super) struct Charge {
    bytes: u64,
    budget: Budget,
}

/// What a token takes in the tables, without indexes.
const TOKEN_BYTES: u64 = 16 + 2 * 24;
/// What a token takes in an index, roughly.
const INDEX_BYTES: u64 = 24;

impl TokenTable {
    pub(super) fn new(net: &Net, budget: &Budget) -> TokenTable {
        let places = net.places.iter().map(|place| {
            let mut strides = Vec::new();
            let mut stride = 1;
            for class in place.domain.0.iter().rev() {
                let size = net.classes[class.index()].size();
                strides.push((stride, size));
                // The last product is not used, and may be just too large.
                stride = u64::wrapping_mul(stride, size);
            }
            strides.reverse();
            PlaceTokens { numbers: FxHashMap::default(), strides, indexes: Vec::new() }
        });
        TokenTable {
            places: places.collect(),
            tokens: Vec::new(),
            indexes: Vec::new(),
            joined: 0,
            charge: Charge::new(budget),
        }
    }

    /// The index over these positions, which is made unless it is there. All indexes must be made
    /// before the first token is joined.
    pub(super) fn index(&mut self, place: PlaceId, mask: u64) -> IndexId {
        let known = &mut self.places[place.index()].indexes;
        let same = |id: &&IndexId| self.indexes[id.0 as usize].mask == mask;
        if let Some(&id) = known.iter().find(same) {
            return id;
        }
        let id = IndexId(self.indexes.len() as u32);
        known.push(id);
        self.indexes.push(Index { place, mask, tokens: FxHashMap::default() });
        id
    }

    /// Adds a token; `false` if it was known.
    pub(super) fn add(&mut self, place: PlaceId, code: u64) -> Result<bool, Interrupted> {
        let number = self.tokens.len() as u32;
        let numbers = &mut self.places[place.index()].numbers;
        if let std::collections::hash_map::Entry::Vacant(slot) = numbers.entry(code) {
            self.charge.add(TOKEN_BYTES)?;
            slot.insert(number);
            self.tokens.push((place, code));
            return Ok(true);
        }
        Ok(false)
    }

    /// The next token to join: its number, place and code.
    pub(super) fn next(&self) -> Option<(u32, PlaceId, u64)> {
        self.tokens.get(self.joined as usize).map(|&(place, code)| (self.joined, place, code))
    }

    /// Puts the next token into the indexes.
    pub(super) fn join_next(&mut self) -> Result<(), Interrupted> {
        let number = self.joined;
        let (place, code) = self.tokens[number as usize];
        self.joined += 1;
        let tokens = &self.places[place.index()];
        self.charge.add(INDEX_BYTES * tokens.indexes.len() as u64)?;
        for id in &tokens.indexes {
            let index = &mut self.indexes[id.0 as usize];
            let mut key = 0;
            for (position, (stride, size)) in tokens.strides.iter().enumerate() {
                if index.mask & (1 << position) != 0 {
                    key += code / stride % size * stride;
                }
            }
            index.tokens.entry(key).or_default().push(number);
        }
        Ok(())
    }

    /// The joined tokens that agree with `members` at the positions of the index.
    pub(super) fn candidates(&self, id: IndexId, members: &[(MemberSlot, u64)], binding: &[u32]) -> &[u32] {
        let index = &self.indexes[id.0 as usize];
        let strides = &self.places[index.place.index()].strides;
        let mut key = 0;
        for (position, ((stride, _), (member, _))) in strides.iter().zip(members).enumerate() {
            if index.mask & (1 << position) != 0 {
                key += u64::from(member.value(binding)) * stride;
            }
        }
        index.tokens.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The member of a token at a position.
    pub(super) fn member(&self, place: PlaceId, code: u64, position: usize) -> u32 {
        let (stride, size) = self.places[place.index()].strides[position];
        (code / stride % size) as u32
    }

    /// The number of a known token.
    pub(super) fn number(&self, place: PlaceId, code: u64) -> Option<u32> {
        self.places[place.index()].numbers.get(&code).copied()
    }

    /// The code of a token.
    pub(super) fn code(&self, number: u32) -> u64 {
        self.tokens[number as usize].1
    }

    /// How many tokens are known.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The codes of all tokens of each place, ascending.
    pub(super) fn into_codes(self) -> Vec<Vec<u64>> {
        let sorted = |place: PlaceTokens| {
            let mut codes: Vec<u64> = place.numbers.into_keys().collect();
            codes.sort_unstable();
            codes
        };
        self.places.into_iter().map(sorted).collect()
    }
}

impl Charge {
    pub(super) fn new(budget: &Budget) -> Charge {
        Charge { bytes: 0, budget: budget.clone() }
    }

    /// Charges `bytes` more.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), Interrupted> {
        self.budget.memory().charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.memory().release(self.bytes);
    }
}
