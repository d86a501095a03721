//! The seeds that a random test runs with.

use std::io::Write;

/// The environment variable that names the one seed to run with.
const VARIABLE: &str = "SYMBOLON_SEED";
/// The environment variable that says how many times as many seeds there are.
const TIMES: &str = "SYMBOLON_TIMES";

/// The seeds from 0 to `count - 1`, or the only one in the environment variable `SYMBOLON_SEED`.
/// With `SYMBOLON_TIMES=20` there are twenty times as many, for long runs.
///
/// When a test panics while it goes through these, the seed at hand is printed.
pub fn seeds(count: u64) -> Seeds {
    match number_in(VARIABLE) {
        Some(seed) => Seeds { next: seed, end: seed + 1, current: None },
        None => Seeds { next: 0, end: count * number_in(TIMES).unwrap_or(1), current: None },
    }
}

/// The number in an environment variable, if it is set.
fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.trim().parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} must be a natural number, found '{text}'")))
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
        match (number_in(VARIABLE), number_in(TIMES)) {
            (Some(seed), _) => assert_eq!(seeds(4).collect::<Vec<_>>(), [seed]),
            (None, Some(times)) => assert_eq!(seeds(4).count() as u64, 4 * times),
            (None, None) => assert_eq!(seeds(4).collect::<Vec<_>>(), [0, 1, 2, 3]),
        }
    }
}
