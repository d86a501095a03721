//! The seeds that a random test runs with.

use std::io::Write;

/// The environment variable that names the one seed to run with.
const VARIABLE: &str = "SYMBOLON_SEED";

/// The seeds from 0 to `count - 1`, or the only one in the environment variable `SYMBOLON_SEED`.
///
/// When a test panics while it goes through these, the seed at hand is printed.
pub fn seeds(count: u64) -> Seeds {
    let chosen = std::env::var(VARIABLE).ok().map(|text| {
        let seed = text.trim().parse();
        seed.unwrap_or_else(|_| panic!("{VARIABLE} must be a natural number, found '{text}'"))
    });
    match chosen {
        Some(seed) => Seeds { next: seed, end: seed + 1, current: None },
        None => Seeds { next: 0, end: count, current: None },
    }
}

/// What [`seeds`] gives.
#[derive(Debug)]
pub struct Seeds {
    next: u64,
    end: u64,
    current: Option<u64>,
}

impl Iterator for Seeds {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.current = (self.next < self.end).then_some(self.next);
        self.next += 1;
        self.current
    }
}

impl Drop for Seeds {
    fn drop(&mut self) {
        if let (true, Some(seed)) = (std::thread::panicking(), self.current) {
            // Nothing sensible can be done if even this cannot be written.
            let _ = writeln!(std::io::stderr(), "FAILED with {VARIABLE}={seed}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_comes_once() {
        if std::env::var(VARIABLE).is_err() {
            assert_eq!(seeds(4).collect::<Vec<_>>(), [0, 1, 2, 3]);
        } else {
            assert_eq!(seeds(4).count(), 1);
        }
    }
}
