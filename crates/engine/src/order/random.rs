//! Random numbers for searches, the same on every machine.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): small, and good enough to shuffle.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// A sequence that depends on `seed` alone.
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number in the half-open interval from 0 to 1, 0 left out.
    pub(super) fn share(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}
