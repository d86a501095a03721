//! How numbers look in text: whole while a person can take them in, shortened beyond.

use std::time::Duration;

/// Numbers with more digits are shortened.
const MOST_DIGITS: usize = 40;

/// A decimal number for people: whole up to 40 digits or if `all_digits`, else as in
/// `1.234567e47712 (47713 digits)`.
pub(crate) fn readable(decimal: String, all_digits: bool) -> String {
    let count = decimal.len();
    if all_digits || count <= MOST_DIGITS {
        return decimal;
    }
    format!("{}.{}e{} ({} digits)", &decimal[..1], &decimal[1..7], count - 1, count)
}

/// A time such as `0.012 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// A size such as `12 MB`, in powers of 1024.
pub(crate) fn bytes(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    for (shift, unit) in units {
        if bytes >> shift >= 10 {
            return format!("{}{unit}", bytes >> shift);
        }
        if bytes >> shift >= 1 {
            return format!("{:.1}{unit}", bytes as f64 / (1u64 << shift) as f64);
        }
    }
    format!("{bytes} bytes")
}

/// A number and a noun: `1 step`, `2 steps`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_shortened_unless_all_digits_are_wanted() {
        let forty = "1234567890".repeat(4);
        assert_eq!(readable(forty.clone(), false), forty);
        let longer = format!("{forty}1");
        assert_eq!(readable(longer.clone(), false), "1.234567e40 (41 digits)");
        assert_eq!(readable(longer.clone(), true), longer);
    }

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(bytes(200 << 20), "200M");
        assert_eq!(bytes(3 << 29), "1.5G");
        assert_eq!(bytes(17), "17 bytes");
        assert_eq!(seconds(Duration::from_millis(12)), "0.012 s");
        assert_eq!(seconds(Duration::from_millis(61_250)), "61.2 s");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(0, "step"), "0 steps");
    }
}
