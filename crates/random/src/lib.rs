//! Random numbers that depend on a seed alone, the same on every machine and in every version.
//!
//! Searches, walks and generators draw from here, so that equal input, options and seed give equal
//! results. The generator is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): one word of state, and
//! good enough to shuffle and to choose. It is not fit for cryptography.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number, any of 2^64.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end - 1`; `end` must not be 0. The bias is below `end / 2^64`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next_u64() % end as u64) as usize
    }

    /// A number above 0 and at most 1.
    pub fn fraction(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Puts `items` into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first = [(); 3].map(|()| random.next_u64());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_cover_their_range_and_stay_in_it() {
        let mut random = Random::new(7);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5)] += 1;
            let fraction = random.fraction();
            assert!(0.0 < fraction && fraction <= 1.0, "{fraction}");
        }
        assert!(seen.iter().all(|&times| times > 150), "{seen:?}");
    }

    #[test]
    fn shuffling_moves_items_and_loses_none() {
        let mut order: Vec<_> = (0..20).collect();
        Random::new(7).shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
