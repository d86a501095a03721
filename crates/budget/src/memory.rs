//! The memory account: who grows a large table asks here first.

use crate::Interrupted;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes charged so far, and the limit for the whole process.
#[derive(Debug)]
pub struct MemoryAccount {
    limit: Option<u64>,
    charged: AtomicU64,
    peak: AtomicU64,
}

impl MemoryAccount {
    /// An account with nothing charged.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        MemoryAccount { limit, charged: AtomicU64::new(0), peak: AtomicU64::new(0) }
    }

    /// The limit, if there is one.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Takes `bytes` from the account, or nothing at all if they do not fit.
    pub fn charge(&self, bytes: u64) -> Result<(), Interrupted> {
        let charged = self.charged.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if self.limit.is_some_and(|limit| charged > limit) {
            self.release(bytes);
            return Err(Interrupted::Memory);
        }
        self.peak.fetch_max(charged, Ordering::Relaxed);
        Ok(())
    }

    /// Takes `bytes` even if they do not fit: for work that cannot stop half-way, and that has looked before.
    pub fn charge_anyway(&self, bytes: u64) {
        let charged = self.charged.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.peak.fetch_max(charged, Ordering::Relaxed);
    }

    /// Gives back `bytes` that were charged.
    pub fn release(&self, bytes: u64) {
        self.charged.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether `bytes` more would fit just now.
    pub fn has_room_for(&self, bytes: u64) -> bool {
        let charged = self.charged.load(Ordering::Relaxed).saturating_add(bytes);
        self.limit.is_none_or(|limit| charged <= limit)
    }

    /// The bytes charged now.
    pub fn charged(&self) -> u64 {
        self.charged.load(Ordering::Relaxed)
    }

    /// The most that was ever charged at once.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// The resident size of this process in bytes, where the system tells it (Linux).
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Reads a size such as `200M` or `8G` (powers of 1024; no letter means bytes).
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[digits.len()..];
    let shift = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_that_do_not_fit_are_refused_whole() {
        let account = MemoryAccount::new(Some(100));
        assert_eq!(account.charge(60), Ok(()));
        assert_eq!(account.charge(60), Err(Interrupted::Memory));
        assert_eq!(account.charged(), 60);
        account.release(20);
        assert!(account.has_room_for(60));
        assert!(!account.has_room_for(61));
        assert_eq!(account.peak(), 60);
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, size) in [
            ("17", Some(17)),
            ("200M", Some(200 << 20)),
            ("8G", Some(8 << 30)),
            ("3k", Some(3 << 10)),
            ("1GiB", Some(1 << 30)),
            ("1GB", Some(1 << 30)),
            ("", None),
            ("M", None),
            ("3X", None),
            ("-1", None),
            ("99999999T", None),
        ] {
            assert_eq!(parse_size(text), size, "{text}");
        }
    }
}
