//! The random choices that cases are made of.

/// A stream of choices that depends on a seed alone.
#[derive(Clone, Debug)]
pub(crate) struct Random(symbolon_random::Random);

impl Random {
    /// The numbers that belong to a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(symbolon_random::Random::new(seed))
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True this many times in a hundred.
    pub(crate) fn percent(&mut self, times: usize) -> bool {
        self.below(100) < times
    }

    /// One of several.
    pub(crate) fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
