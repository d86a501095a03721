//! The choices that generators of test cases make, from the workspace's one random generator.

use symbolon_random::Random;

/// A stream of random numbers that depends on a seed alone.
#[derive(Clone, Debug)]
pub struct RandomNumbers {
    stream: Random,
}

impl RandomNumbers {
    /// The stream that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        RandomNumbers { stream: Random::new(seed) }
    }

    /// The next number, any of 2^64.
    pub fn any(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// A number from `0` to `end - 1`; `end` must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The high half of a 128-bit product: no division, and a bias below 2^-32 for small ends.
        ((u128::from(self.any()) * u128::from(end)) >> 64) as u64
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// True with this probability in percent.
    pub fn percent(&mut self, percentage: u64) -> bool {
        self.below(100) < percentage
    }

    /// One of these; there must be one.
    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }

    /// Puts these in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_meet_all_of_it() {
        let mut numbers = RandomNumbers::new(7);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[numbers.between(3, 7) as usize - 3] += 1;
        }
        assert!(seen.iter().all(|&times| times > 150), "{seen:?}");
        let mut order: Vec<_> = (0..20).collect();
        numbers.shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
