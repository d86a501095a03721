//! Which events are enabled, as one bit each: small enough to be scanned at every step even for
//! nets with a hundred thousand transitions, and always in the model's order.

use symbolon_model::EventId;

/// A set of events.
pub(super) struct EnabledEvents {
    words: Vec<u64>,
    count: usize,
}

impl EnabledEvents {
    /// The empty set, for a model with `event_count` events.
    pub(super) fn none_of(event_count: usize) -> EnabledEvents {
        EnabledEvents { words: vec![0; event_count.div_ceil(64)], count: 0 }
    }

    /// Puts an event in, or takes it out.
    pub(super) fn set(&mut self, event: EventId, is_enabled: bool) {
        let word = &mut self.words[event.index() / 64];
        let bit = 1 << (event.index() % 64);
        match (*word & bit != 0, is_enabled) {
            (false, true) => {
                *word |= bit;
                self.count += 1;
            }
            (true, false) => {
                *word &= !bit;
                self.count -= 1;
            }
            _ => {}
        }
    }

    /// Whether an event is in the set.
    pub(super) fn contains(&self, event: EventId) -> bool {
        self.words[event.index() / 64] & (1 << (event.index() % 64)) != 0
    }

    /// The number of events in the set.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The event at this position of the set.
    pub(super) fn at(&self, index: usize) -> Option<EventId> {
        let mut before = 0;
        for (position, &word) in self.words.iter().enumerate() {
            let here = word.count_ones() as usize;
            if before + here > index {
                return bits(word).nth(index - before).map(|bit| EventId(position as u32 * 64 + bit));
            }
            before += here;
        }
        None
    }

    /// The events, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = EventId> {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(position, &word)| bits(word).map(move |bit| EventId(position as u32 * 64 + bit)))
    }
}

/// The numbers of the bits that are set, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use symbolon_random::Random;

    #[test]
    fn agrees_with_a_plain_set() {
        for size in [1, 63, 64, 65, 300] {
            let (mut set, mut plain) = (EnabledEvents::none_of(size as usize), BTreeSet::new());
            let mut random = Random::new(u64::from(size));
            for _ in 0..500 {
                let number = random.next_u64();
                let (event, is_enabled) = (EventId((number >> 1) as u32 % size), number & 1 == 1);
                set.set(event, is_enabled);
                if is_enabled {
                    plain.insert(event)
                } else {
                    plain.remove(&event)
                };
                assert_eq!(set.count(), plain.len());
                assert_eq!(set.contains(event), is_enabled);
                assert!(set.iter().eq(plain.iter().copied()));
                let index = (number >> 32) as usize % (plain.len() + 2);
                assert_eq!(set.at(index), plain.iter().nth(index).copied());
            }
        }
    }
}
