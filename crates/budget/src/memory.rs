//! The memory account: who grows a large table asks here first.

use crate::Interrupted;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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

    /// Takes `bytes` even if they do not fit: for work that cannot stop half-way, and that has
    /// looked before.
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

/// How large this process is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessSize {
    /// Everything that is mapped, used or not: what `ulimit -v` limits.
    pub address_space: u64,
    /// What lies in physical memory.
    pub resident: u64,
    /// Writable private memory, used or not: what `ulimit -d` limits.
    pub data: u64,
}

impl ProcessSize {
    /// The size now, where the system reports it (Linux). Allocates nothing.
    pub fn now() -> Option<ProcessSize> {
        let mut buffer = [0; 128];
        let length =
            std::fs::File::open("/proc/self/statm").and_then(|mut file| file.read(&mut buffer)).ok()?;
        let text = std::str::from_utf8(&buffer[..length]).ok()?;
        let mut pages = text.split_ascii_whitespace().map(str::parse::<u64>);
        let mut bytes = |skipped| Some(pages.nth(skipped)?.ok()? * 4096);
        Some(ProcessSize { address_space: bytes(0)?, resident: bytes(0)?, data: bytes(3)? })
    }
}

/// The resident size of this process in bytes, where the system reports it (Linux).
pub fn resident_bytes() -> Option<u64> {
    ProcessSize::now().map(|size| size.resident)
}

/// What is granted to this process as a whole, by `ulimit` or by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// The most bytes that may be mapped (`ulimit -v`).
    pub address_space: Option<u64>,
    /// The most bytes of writable private memory (`ulimit -d`).
    pub data: Option<u64>,
    /// The most CPU time of all threads together, from the start of the process (`ulimit -t`).
    pub cpu_time: Option<Duration>,
}

/// This part of a limit of the process is left free: between two looks at the size, and for what
/// cannot be refused, such as the stack of a thread and the answer itself.
const FREE_PARTS: u64 = 16;

impl ProcessLimits {
    /// The bytes that a process of this size may still map; `None` if there is no limit.
    pub fn room(&self, size: ProcessSize) -> Option<u64> {
        let left = |limit: Option<u64>, used: u64| {
            limit.map(|limit| (limit - limit / FREE_PARTS).saturating_sub(used))
        };
        let address_space = left(self.address_space, size.address_space);
        address_space.into_iter().chain(left(self.data, size.data)).min()
    }

    /// Whether memory is limited.
    pub fn is_memory_limited(&self) -> bool {
        self.address_space.is_some() || self.data.is_some()
    }
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
    fn room_is_what_the_narrower_limit_leaves() {
        let size = ProcessSize { address_space: 500, resident: 100, data: 300 };
        let room = |address_space, data| ProcessLimits { address_space, data, cpu_time: None }.room(size);
        assert_eq!(room(None, None), None);
        assert_eq!(room(Some(1600), None), Some(1000));
        assert_eq!(room(None, Some(640)), Some(300));
        assert_eq!(room(Some(1600), Some(640)), Some(300));
        assert_eq!(room(Some(510), Some(640)), Some(0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_size_of_the_process_is_read() {
        let before = ProcessSize::now().expect("Linux reports it");
        assert!(before.resident > 0 && before.data > 0 && before.resident < before.address_space);
        // Mapped, but not touched.
        let taken: Vec<u8> = vec![0; 256 << 20];
        let after = ProcessSize::now().expect("Linux reports it");
        assert!(after.address_space >= before.address_space + (250 << 20), "{before:?} {after:?}");
        assert!(after.data >= before.data + (250 << 20), "{before:?} {after:?}");
        assert!(after.resident < before.resident + (128 << 20), "{before:?} {after:?}");
        assert_eq!(std::hint::black_box(taken).len(), 256 << 20);
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
